package store

import (
	"cmp"
	"encoding/base64"
	"fmt"

	"esnaf/store/trade"
)

// CreateWebhook registers a receiver. The secret, given or made, is shown in
// this answer and never again; it is sealed at rest. refused judges the address
// (package webhook knows which may be called).
func (tx *Tx) CreateWebhook(w trade.Webhook, refused func(url string) trade.Code) (Doc, error) {
	w.Defaults()
	w.Check(tx.Check())
	if code := refused(w.URL); code != "" && !tx.Check().Has("url") {
		tx.Check().Add("url", code, w.URL)
	}
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	if err := tx.oneMore(); err != nil {
		return Doc{}, err
	}
	secret := w.Secret
	if secret == "" {
		var b [24]byte
		if _, err := tx.db.ids.Read(b[:]); err != nil {
			return Doc{}, err
		}
		secret = "whsec_" + base64.StdEncoding.EncodeToString(b[:])
	}
	w.Secret, w.Status = "", trade.WebhookActive
	delete(tx.db.listeners, tx.who.Tenant)
	if _, err := Webhooks.Add(tx, &w); err != nil {
		return Doc{}, err
	}
	sealed, err := tx.db.seal([]byte(secret), w.ID)
	if err != nil {
		return Doc{}, err
	}
	if _, err := tx.exec("UPDATE webhooks SET secret = ? WHERE id = ?", sealed, w.ID); err != nil {
		return Doc{}, err
	}
	w.Secret = secret
	shown, err := encode(&w)
	if err != nil {
		return Doc{}, err
	}
	return Doc{1, shown}, tx.audit("webhook.create", w.ID, "")
}

// oneMore refuses an active webhook beyond as many as an account can have.
func (tx *Tx) oneMore() error {
	all, err := tx.listeners()
	if err == nil && len(all) >= trade.MaxWebhooks {
		err = trade.Fail(trade.Conflict, trade.WebhookLimit, trade.MaxWebhooks)
	}
	return err
}

// ResumeWebhook lets a webhook that the server has switched off be called again. It
// is judged anew, and hears of what happens from now on; of what waited for it then, at most
// what could not be cancelled yet.
func (tx *Tx) ResumeWebhook(id string) (Doc, error) {
	_, w, err := current(tx, Webhooks, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := w
	if err := cmp.Or(w.Resume(), tx.oneMore()); err != nil {
		return Doc{}, err
	}
	delete(tx.db.listeners, tx.who.Tenant)
	doc, err := Webhooks.Put(tx, &old, &w)
	if err != nil {
		return doc, err
	}
	if _, err := tx.exec("UPDATE webhooks SET failing_since = NULL, failed_at = NULL WHERE id = ?", id); err != nil {
		return doc, err
	}
	return doc, tx.audit("webhook.resume", id, "")
}

// DeleteWebhook ends a registration: nothing more is sent, the log stays.
func (tx *Tx) DeleteWebhook(id string, match Match) error {
	_, old, err := current(tx, Webhooks, id, match)
	if err != nil {
		return err
	}
	delete(tx.db.listeners, tx.who.Tenant)
	if _, err := Webhooks.Drop(tx, &old); err != nil {
		return err
	}
	if err := tx.cancelDeliveries(id); err != nil {
		return err
	}
	return tx.audit("webhook.delete", id, "")
}

// WebhooksOf are the ids of the account's active webhooks that this person registered.
// The audit alone knows who did, and is read for it to its end.
func (v *View) WebhooksOf(user string) (ids []string, err error) {
	rows, err := v.query(`SELECT id FROM webhooks WHERE tenant = ? AND status = 'ACTIVE' AND deleted_at IS NULL
		AND id IN (SELECT object FROM audit WHERE tenant = ? AND action = 'webhook.create' AND actor = ?) ORDER BY id`, v.who.Tenant, v.who.Tenant, user)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// disableWebhook switches a webhook off for a reason its owner can read.
func (tx *Tx) disableWebhook(id, reason string) error {
	_, w, err := current(tx, Webhooks, id, Any)
	if err != nil || w.Status != trade.WebhookActive {
		return err
	}
	old := w
	w.Status, w.DisabledReason, w.DisabledAt = trade.WebhookSwitched, reason, trade.At(tx.now)
	delete(tx.db.listeners, tx.who.Tenant)
	doc, err := Webhooks.Put(tx, &old, &w)
	if err != nil {
		return err
	}
	if err := tx.cancelDeliveries(id); err != nil {
		return err
	}
	return tx.tell("webhook.disabled", id, change{event: trade.EventWebhookDisabled, object: doc.JSON, url: "/api/webhooks/" + id})
}

// cancelStep is how many deliveries one change cancels: hundreds of thousands may wait
// for a receiver that was away for days.
const cancelStep = 1000

// cancelDeliveries cancels what waits for a webhook that is not called any more, as far
// as one change goes; the sender sees to the rest.
func (tx *Tx) cancelDeliveries(webhook string) error {
	n, err := tx.exec(`UPDATE deliveries SET state = 'cancelled', due_at = NULL
		WHERE n IN (SELECT n FROM deliveries WHERE webhook = ? AND due_at IS NOT NULL LIMIT ?)`, webhook, cancelStep)
	tx.queued = tx.queued || n == cancelStep
	return err
}

// secretOf opens the secret of a webhook.
func (v *View) secretOf(id string, sealed []byte) (string, error) {
	secret, err := v.db.open(sealed, id)
	if err != nil {
		return "", fmt.Errorf("secret of %s: %w", id, err)
	}
	return string(secret), nil
}
