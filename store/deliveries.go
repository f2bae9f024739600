package store

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"

	"esnaf/store/trade"
)

// Waiting is a webhook with deliveries that are due.
type Waiting struct {
	Tenant, Webhook string
	Failing         bool // nothing has reached it lately
	Over            bool // it is not called any more
}

// Receiver is a webhook as it is called.
type Receiver struct {
	Tenant, ID string
	URL        string
	Secrets    []string // newest first; signed with each of them
	Format     trade.SignatureFormat
	Content    trade.SignedContent
}

// Delivery is one event due at one receiver.
type Delivery struct {
	Row     int64 // where it is kept
	ID      string
	EventID string
	Event   trade.Event
	Attempt int // number of the attempt to be made, from 1
	Body    []byte
}

// Settled is what became of one attempt.
type Settled struct {
	Delivery Delivery
	Attempt  trade.Attempt
	Next     time.Time // of the next attempt; zero when there is none
	Gone     bool      // the receiver says it is there no more: it is disabled
}

// Waiting finds the webhooks with deliveries due by now, the longest waiting
// first, and when the first delivery of any other is due (zero when none
// waits). What was put off for a webhook that is over is due as well: to be
// cancelled. It steps from webhook to webhook in the index, so that it costs the
// same whether one delivery waits at each or a hundred thousand.
func (db *DB) Waiting(ctx context.Context, now time.Time) (due []Waiting, next time.Time, err error) {
	at := int64(trade.At(now))
	err = db.Read(ctx, Who{Actor: "sender"}, func(v *View) error {
		rows, err := v.query(`WITH RECURSIVE first (webhook, due) AS (
				SELECT * FROM (SELECT webhook, due_at FROM deliveries WHERE due_at IS NOT NULL ORDER BY webhook, due_at LIMIT 1)
				UNION ALL
				SELECT d.webhook, d.due_at FROM first CROSS JOIN deliveries d WHERE d.n =
					(SELECT n FROM deliveries WHERE due_at IS NOT NULL AND webhook > first.webhook ORDER BY webhook, due_at LIMIT 1))
			SELECT due, w.tenant, w.id, w.failing_since IS NOT NULL, w.status <> 'ACTIVE' OR w.deleted_at IS NOT NULL
			FROM first CROSS JOIN webhooks w ON w.id = webhook ORDER BY due, w.id`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var w Waiting
			var first int64
			if err := rows.Scan(&first, &w.Tenant, &w.Webhook, &w.Failing, &w.Over); err != nil {
				return err
			}
			switch {
			case first <= at || w.Over:
				due = append(due, w)
			case next.IsZero(): // rows are in the order they are due
				next = time.UnixMilli(first).UTC()
			}
		}
		return rows.Err()
	})
	return due, next, err
}

// CancelWaiting cancels what still waits for a webhook that is over, a step further.
func (db *DB) CancelWaiting(ctx context.Context, w Waiting) error {
	return db.Write(ctx, Who{Tenant: w.Tenant, Actor: "sender"}, func(tx *Tx) error { return tx.cancelDeliveries(w.Webhook) })
}

// Due reads a webhook as it stands now and at most limit of its deliveries that
// are due, the longest waiting first, passing over the rows in busy (they are on
// their way). A webhook that is not called any more is nil and has none.
func (db *DB) Due(ctx context.Context, webhook string, limit int, busy []int64) (r *Receiver, due []Delivery, err error) {
	err = db.Read(ctx, Who{Actor: "sender"}, func(v *View) error {
		r, due, err = v.due(webhook, v.Now(), limit, busy)
		return err
	})
	return r, due, err
}

func (v *View) due(webhook string, now time.Time, limit int, busy []int64) (*Receiver, []Delivery, error) {
	r, err := v.receiver(webhook)
	if err != nil || r == nil {
		return nil, nil, err
	}
	passed, err := json.Marshal(busy)
	if err != nil {
		return nil, nil, err
	}
	rows, err := v.query(`SELECT d.n, d.id, d.attempts + 1, e.id, e.event, e.body FROM deliveries d CROSS JOIN events e ON e.n = d.event
		WHERE d.webhook = ? AND d.due_at IS NOT NULL AND d.due_at <= ? AND d.n NOT IN (SELECT value FROM json_each(?))
		ORDER BY d.due_at, d.n LIMIT ?`, webhook, int64(trade.At(now)), string(passed), limit)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	var due []Delivery
	for rows.Next() {
		var d Delivery
		if err := rows.Scan(&d.Row, &d.ID, &d.Attempt, &d.EventID, &d.Event, &d.Body); err != nil {
			return nil, nil, err
		}
		due = append(due, d)
	}
	return r, due, rows.Err()
}

// receiver reads an active webhook; nil when there is none.
func (v *View) receiver(id string) (*Receiver, error) {
	r := Receiver{ID: id}
	var doc, sealed []byte
	err := v.row("SELECT tenant, doc, secret FROM webhooks WHERE id = ? AND status = 'ACTIVE' AND deleted_at IS NULL", id).Scan(&r.Tenant, &doc, &sealed)
	if err != nil {
		if noRows(err) {
			err = nil
		}
		return nil, err
	}
	var w trade.Webhook
	if err := decode(doc, &w); err != nil {
		return nil, err
	}
	secret, err := v.secretOf(id, sealed)
	r.URL, r.Format, r.Content, r.Secrets = w.URL, w.SignatureFormat, w.SignedContent, []string{secret}
	return &r, err
}

// Settle records in one commit what became of attempts at one webhook and
// returns what is due there next, as Due does: whoever settles goes on, and the
// writer's cache still holds what it reads.
func (db *DB) Settle(ctx context.Context, r *Receiver, all []Settled, limit int, busy []int64) (next *Receiver, due []Delivery, err error) {
	err = db.Write(ctx, Who{Tenant: r.Tenant, Actor: "sender"}, func(tx *Tx) error {
		if err := tx.settle(r.ID, all); err != nil || limit == 0 {
			return err
		}
		next, due, err = tx.due(r.ID, tx.now, limit, busy)
		return err
	})
	return next, due, err
}

func (tx *Tx) settle(webhook string, all []Settled) error {
	var delivered []int64
	gone := false
	for i := range all {
		s, a := &all[i], &all[i].Attempt
		if _, err := tx.exec("INSERT OR IGNORE INTO attempts (delivery, number, at, status, ms, error, excerpt) VALUES (?, ?, ?, ?, ?, ?, ?)",
			s.Delivery.Row, a.Number, int64(a.At), a.Status, a.DurationMS, a.Error, a.Excerpt); err != nil {
			return err
		}
		gone = gone || s.Gone
		if a.Error == "" {
			delivered = append(delivered, s.Delivery.Row)
		} else if err := tx.putOff(s); err != nil {
			return err
		}
	}
	if err := tx.delivered(delivered); err != nil {
		return err
	}
	return tx.judge(webhook, len(delivered) > 0, gone)
}

// delivered closes deliveries with one statement, since this is the usual end. Only
// those that still wait move: one cancelled meanwhile stays so.
func (tx *Tx) delivered(rows []int64) error {
	if len(rows) == 0 {
		return nil
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = tx.exec("UPDATE deliveries SET state = 'delivered', attempts = attempts + 1, due_at = NULL WHERE state = 'pending' AND n IN (SELECT value FROM json_each(?))", string(list))
	return err
}

// putOff sets when a delivery is tried again, or that it has failed for good.
func (tx *Tx) putOff(s *Settled) error {
	state, due := trade.DeliveryFailed, any(nil)
	if !s.Next.IsZero() {
		state, due = trade.DeliveryPending, s.Next.UnixMilli()
	}
	_, err := tx.exec("UPDATE deliveries SET state = ?, attempts = attempts + 1, due_at = ? WHERE state = 'pending' AND n = ?", string(state), due, s.Delivery.Row)
	return err
}

// failingFor is how long nothing but failures switches a webhook off. Failures that
// lie further apart do not belong together: a single one after a quiet month means
// nothing.
const failingFor = 5 * 24 * time.Hour

// judge keeps since when a receiver has known only failures, and switches it off
// after five days of them, or at once when it says it is gone.
func (tx *Tx) judge(webhook string, reached, gone bool) error {
	if reached && !gone {
		_, err := tx.exec("UPDATE webhooks SET failing_since = NULL WHERE id = ? AND failing_since IS NOT NULL", webhook)
		return err
	}
	at := int64(trade.At(tx.now))
	var since int64
	err := tx.row(`UPDATE webhooks SET failing_since = CASE WHEN failed_at >= ? THEN coalesce(failing_since, ?) ELSE ? END, failed_at = ?
		WHERE id = ? AND deleted_at IS NULL RETURNING failing_since`, at-failingFor.Milliseconds(), at, at, at, webhook).Scan(&since)
	switch {
	case noRows(err):
		return nil
	case err != nil:
		return err
	case gone:
		return tx.disableWebhook(webhook, "the receiver answered 410 Gone")
	case at-since >= failingFor.Milliseconds():
		return tx.disableWebhook(webhook, "every delivery of the last 5 days failed")
	}
	return nil
}

// Deliveries lists the deliveries of a webhook, newest first, each with its
// attempts; after is the id of the last one seen.
func (v *View) Deliveries(webhook string, q trade.Query) (out []trade.Delivery, more bool, err error) {
	state, due := "d.state", "coalesce(d.due_at, 0)"
	var active bool
	if err := v.row("SELECT status = 'ACTIVE' AND deleted_at IS NULL FROM webhooks WHERE tenant = ? AND id = ?", v.who.Tenant, webhook).Scan(&active); err != nil {
		if noRows(err) {
			err = v.missing("webhook", webhook)
		}
		return nil, false, err
	}
	if !active { // what waits is being cancelled, a step after the other
		state, due = "iif(d.state = 'pending', 'cancelled', d.state)", "0"
	}
	text := "SELECT d.n, d.id, d.webhook, e.id, e.event, " + state + ", d.created_at, " + due + " FROM deliveries d JOIN events e ON e.n = d.event WHERE d.tenant = ? AND d.webhook = ?"
	args := []any{v.who.Tenant, webhook}
	if len(q.After) == 1 {
		text, args = text+" AND d.id < ?", append(args, q.After[0])
	}
	if q.Status != "" {
		text, args = text+" AND "+state+" = ?", append(args, q.Status)
	}
	rows, err := v.query(text+" ORDER BY d.id DESC LIMIT ?", append(args, q.Limit+1)...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	var ns []int64
	for rows.Next() {
		var d trade.Delivery
		var n int64
		if err := rows.Scan(&n, &d.ID, &d.WebhookID, &d.EventID, &d.Event, &d.State, &d.CreatedAt, &d.NextAttempt); err != nil {
			return nil, false, err
		}
		ns, out = append(ns, n), append(out, d)
	}
	if err := rows.Err(); err != nil {
		return nil, false, err
	}
	if more = len(out) > q.Limit; more {
		out = out[:q.Limit]
	}
	for i := range out {
		if out[i].Attempts, err = v.attempts(ns[i]); err != nil {
			return nil, false, err
		}
	}
	return out, more, nil
}

func (v *View) attempts(delivery int64) ([]trade.Attempt, error) {
	rows, err := v.query("SELECT number, at, status, ms, error, excerpt FROM attempts WHERE delivery = ? ORDER BY number", delivery)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []trade.Attempt{}
	for rows.Next() {
		var a trade.Attempt
		if err := rows.Scan(&a.Number, &a.At, &a.Status, &a.DurationMS, &a.Error, &a.Excerpt); err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, rows.Err()
}
