package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
)

func anyAddress(string) trade.Code { return "" }

func (b *book) webhook(who store.Who, w trade.Webhook) trade.Webhook {
	b.t.Helper()
	var out trade.Webhook
	b.write(who, func(tx *store.Tx) error { return into(&out)(tx.CreateWebhook(w, anyAddress)) })
	return out
}

func (b *book) getWebhook(who store.Who, id string) (w trade.Webhook) {
	b.t.Helper()
	b.read(who, func(v *store.View) (err error) { w, err = store.Webhooks.Get(v, id); return err })
	return w
}

// The secret is shown in the answer to the registration, nowhere else and never
// again; it is not in the files either.
func TestASecretIsShownOnce(t *testing.T) {
	b := open(t)
	own := b.webhook(b.who, trade.Webhook{Event: "*", URL: "https://example.com/a", Secret: "0123456789abcdef-gizli"})
	made := b.webhook(b.who, trade.Webhook{Event: "invoice.*", URL: "https://example.com/b"})
	if own.Secret != "0123456789abcdef-gizli" || !strings.HasPrefix(made.Secret, "whsec_") || len(made.Secret) != len("whsec_")+32 {
		t.Errorf("secrets %q and %q", own.Secret, made.Secret)
	}
	if made.Status != trade.WebhookActive || made.SignatureFormat != "hex" || made.SignedContent != "timestamp.body" || made.Version != 1 {
		t.Errorf("made as %+v", made)
	}
	b.company(b.who, named(1))
	for _, w := range []trade.Webhook{own, made} {
		if got := b.getWebhook(b.who, w.ID); got.Secret != "" || got.URL != w.URL {
			t.Errorf("read again: %+v", got)
		}
		b.hides(w.Secret)
	}
	r, due, err := b.Due(context.Background(), own.ID, 10, nil)
	if err != nil || len(due) != 1 || r.URL != own.URL || len(r.Secrets) != 1 || r.Secrets[0] != own.Secret {
		t.Errorf("the sender gets %+v with %d due: %v", r, len(due), err)
	}
}

func TestFaultsOfAWebhook(t *testing.T) {
	b := open(t)
	refuse := func(string) trade.Code { return trade.AddressRefused }
	for about, test := range map[string]struct {
		w       trade.Webhook
		refused func(string) trade.Code
		want    string
	}{
		"nothing given":       {trade.Webhook{}, anyAddress, "event invalid_value, url required"},
		"all at once":         {trade.Webhook{Event: "stock", URL: "https://10.0.0.1/", Secret: "short", SignatureFormat: "md5", SignedContent: "all"}, refuse, "event invalid_value, secret secret_invalid, signatureFormat invalid_value, signedContent invalid_value, url address_refused"},
		"one byte too long":   {trade.Webhook{Event: "*", URL: "https://example.com/", Secret: strings.Repeat("x", 257)}, anyAddress, "secret secret_invalid"},
		"an address too long": {trade.Webhook{Event: "*", URL: "https://example.com/" + strings.Repeat("x", 2048)}, refuse, "url too_long"},
	} {
		t.Run(about, func(t *testing.T) {
			e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.CreateWebhook(test.w, test.refused); return err })
			if fields(e) != test.want {
				t.Errorf("faults %s, want %s", fields(e), test.want)
			}
			for _, f := range e.Faults {
				if text := f.Text(trade.Turkish) + f.Text(trade.English); strings.Contains(text, "%!") {
					t.Errorf("%s is said as %q", f.Field, text)
				}
			}
		})
	}
}

// After it is deleted nothing more is sent, and its log can still be read.
func TestADeletedWebhook(t *testing.T) {
	b := open(t)
	w := b.webhook(b.who, trade.Webhook{Event: "*", URL: "https://example.com/"})
	b.company(b.who, named(1))
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteWebhook(w.ID, store.Any) })
	b.company(b.who, named(2))
	if due, next, err := b.Waiting(context.Background(), b.clock.Now().Add(time.Hour)); err != nil || len(due) != 0 || !next.IsZero() {
		t.Errorf("still waiting: %v, next %s, %v", due, next, err)
	}
	b.read(b.who, func(v *store.View) error {
		log, more, err := v.Deliveries(w.ID, trade.Query{Limit: 10})
		if err == nil && (len(log) != 1 || more || log[0].State != trade.DeliveryCancelled || log[0].Attempts == nil) {
			t.Errorf("its log: %+v", log)
		}
		return err
	})
	if e := b.refused(b.who, func(tx *store.Tx) error { return tx.DeleteWebhook(w.ID, store.Any) }); e.Kind != trade.NotFound {
		t.Error(e)
	}
}

// settled is the outcome of an attempt of the first delivery that is due.
func (b *book) settled(hook, problem string, next time.Duration, gone bool) {
	b.t.Helper()
	r, due, err := b.Due(context.Background(), hook, 1, nil)
	if err != nil || len(due) != 1 {
		b.t.Fatalf("%d due: %v", len(due), err)
	}
	s := store.Settled{Delivery: due[0], Gone: gone, Attempt: trade.Attempt{Number: due[0].Attempt, At: trade.At(b.clock.Now()), Status: 500, DurationMS: 3, Error: problem}}
	if next > 0 {
		s.Next = b.clock.Now().Add(next)
	}
	if _, _, err := b.Settle(context.Background(), r, []store.Settled{s}, 0, nil); err != nil {
		b.t.Fatal(err)
	}
}

func TestTheLogOfDeliveries(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	w := b.webhook(b.who, trade.Webhook{Event: "*", URL: "https://example.com/"})
	for i := range 5 {
		b.company(b.who, named(i))
	}
	b.settled(w.ID, "timeout", time.Minute, false)
	b.settled(w.ID, "", 0, false)
	b.settled(w.ID, "refused", 0, false)
	counts := map[string]int{}
	var seen []string
	b.read(b.who, func(v *store.View) error {
		q := trade.Query{Limit: 2}
		for more := true; more; {
			log, m, err := v.Deliveries(w.ID, q)
			if err != nil {
				return err
			}
			for _, d := range log {
				seen = append(seen, d.ID)
				counts[string(d.State)] += 1 + 10*len(d.Attempts)
			}
			q.After, more = []string{seen[len(seen)-1]}, m
		}
		return nil
	})
	if len(seen) != 5 || counts["pending"] != 3+10 || counts["delivered"] != 11 || counts["failed"] != 11 {
		t.Errorf("%d deliveries: %v", len(seen), counts)
	}
	b.read(b.who, func(v *store.View) error {
		log, _, err := v.Deliveries(w.ID, trade.Query{Limit: 10, Status: "failed"})
		if err == nil && (len(log) != 1 || log[0].Attempts[0].Error != "refused" || log[0].Attempts[0].DurationMS != 3) {
			t.Errorf("failed ones: %+v", log)
		}
		return err
	})
	err := b.Read(context.Background(), other, func(v *store.View) error { _, _, err := v.Deliveries(w.ID, trade.Query{Limit: 10}); return err })
	if trade.KindOf(err) != trade.Forbidden {
		t.Errorf("another account's log: %v", err)
	}
}

// A receiver that is gone, or has failed for five days on end, is switched off,
// and its account is told.
func TestAReceiverThatIsGoneIsSwitchedOff(t *testing.T) {
	for about, test := range map[string]struct {
		fail   func(b *book, hook string)
		reason string
	}{
		"gone": {func(b *book, hook string) { b.settled(hook, "410", time.Hour, true) }, "the receiver answered 410 Gone"},
		"five days": {func(b *book, hook string) {
			b.settled(hook, "500", time.Hour, false)
			b.clock.Advance(5 * 24 * time.Hour)
			b.settled(hook, "500", time.Hour, false)
		}, "every delivery of the last 5 days failed"},
		"a success in between": {func(b *book, hook string) {
			b.settled(hook, "500", time.Hour, false)
			b.clock.Advance(3 * 24 * time.Hour)
			b.settled(hook, "", 0, false)
			b.clock.Advance(3 * 24 * time.Hour)
			b.settled(hook, "500", time.Hour, false)
		}, ""},
	} {
		t.Run(about, func(t *testing.T) {
			b := open(t)
			other := b.webhook(b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333")), trade.Webhook{Event: "*", URL: "https://example.com/"})
			w := b.webhook(b.who, trade.Webhook{Event: "*", URL: "https://example.com/"})
			listener := b.webhook(b.who, trade.Webhook{Event: "webhook.disabled", URL: "https://example.com/"})
			b.company(b.who, named(1))
			b.company(b.who, named(2))
			test.fail(b, w.ID)
			got := b.getWebhook(b.who, w.ID)
			if off := got.Status == trade.WebhookSwitched; off != (test.reason != "") || got.DisabledReason != test.reason {
				t.Fatalf("%s because %q", got.Status, got.DisabledReason)
			}
			_, told, err := b.Due(context.Background(), listener.ID, 10, nil)
			if (len(told) == 1) != (test.reason != "") || err != nil {
				t.Errorf("%d told: %v", len(told), err)
			}
			if n := sqlRow[int](b, "SELECT count(*) FROM deliveries WHERE webhook = ? AND state = 'pending'", w.ID); test.reason != "" && n != 0 {
				t.Errorf("%d deliveries still wait", n)
			}
			if sqlRow[string](b, "SELECT status FROM webhooks WHERE id = ?", other.ID) != "ACTIVE" {
				t.Error("another webhook was switched off too")
			}
			if _, err := checkAudit(file(t, b.Dir())); err != nil {
				t.Error(err)
			}
		})
	}
}

// An account has a bounded number of webhooks that cost its changes something; others'
// do not count, nor those that are deleted.
func TestWebhooksAreBounded(t *testing.T) {
	b := open(t)
	two := b.tenant("İkinci Ltd. Şti.", trade.CompleteVKN("222333444"))
	in := trade.Webhook{Event: "*", URL: "https://example.com/"}
	var last trade.Webhook
	for range trade.MaxWebhooks {
		last = b.webhook(b.who, in)
	}
	if e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.CreateWebhook(in, anyAddress); return err }); e.Code != trade.WebhookLimit {
		t.Errorf("one too many: %v", e)
	}
	b.webhook(two, in)
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteWebhook(last.ID, store.Any) })
	b.webhook(b.who, in)
}
