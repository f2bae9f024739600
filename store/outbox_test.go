package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/trade"
)

// eventBody is the payload of a webhook.
type eventBody struct {
	ID         string `json:"id"`
	Event      string `json:"event"`
	APIVersion string `json:"apiVersion"`
	CreatedAt  string `json:"createdAt"`
	TenantID   string `json:"tenantId"`
	Sequence   int64  `json:"sequence"`
	Data       struct {
		Object   jsontext.Value `json:"object"`
		Previous jsontext.Value `json:"previous"`
		URL      string         `json:"url"`
	} `json:"data"`
}

// events reads the bodies of an account's events in their order.
func (b *book) events(who store.Who) (bodies []eventBody) {
	b.t.Helper()
	for _, text := range sqlRows[[]byte](b, "SELECT body FROM events WHERE tenant = ? ORDER BY n", who.Tenant) {
		var body eventBody
		if err := json.Unmarshal(text, &body, json.RejectUnknownMembers(true)); err != nil {
			b.t.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	return bodies
}

// Every change tells of itself once, in the same commit, and is in the audit
// trail. Some are told to nobody.
func TestWhatEachChangeTells(t *testing.T) {
	b := open(t)
	company := b.company(b.who, buyer())
	invoice := b.invoice(b.who, draft(company.ID))
	unsent := b.invoice(b.who, draft(company.ID))
	failed := brought(b, trade.InvoiceFailed, trade.EArsiv)
	hook := trade.Webhook{Event: "*", URL: "https://example.com/hook"}
	any := func(string) trade.Code { return "" }
	var hookID string
	for _, change := range []struct {
		audit, events string
		fn            func(*store.Tx) error
	}{
		{"company.create", "company.created", func(tx *store.Tx) error { _, err := tx.CreateCompany(named(1)); return err }},
		{"company.update", "company.updated", func(tx *store.Tx) error { _, err := tx.UpdateCompany(company.ID, store.Any, buyer()); return err }},
		{"product.create", "product.created", func(tx *store.Tx) error { _, err := tx.CreateProduct(trade.Product{Name: "Çay"}); return err }},
		{"invoice.create", "invoice.created", func(tx *store.Tx) error { _, err := tx.CreateInvoice(draft(company.ID)); return err }},
		{"invoice.update", "invoice.updated", func(tx *store.Tx) error {
			_, err := tx.UpdateInvoice(unsent.ID, store.Any, draft(company.ID))
			return err
		}},
		{"invoice.delete", "", func(tx *store.Tx) error { return tx.DeleteInvoice(unsent.ID, store.Any) }},
		{"invoice.send", "invoice.queued", func(tx *store.Tx) error { _, err := tx.SendInvoice(invoice.ID); return err }},
		{"invoice.take", "invoice.sent", func(tx *store.Tx) error {
			return tx.Answer(store.Errand{Owner: invoice.ID, Step: store.StepSubmit}, store.Answer{Outcome: trade.Taken})
		}},
		{"invoice.cancel", "invoice.cancelled", func(tx *store.Tx) error { _, err := tx.CancelInvoice(invoice.ID); return err }},
		{"invoice.cancel", "invoice.cancelled", func(tx *store.Tx) error { _, err := tx.CancelInvoice(failed.ID); return err }},
		{"company.delete", "company.deleted", func(tx *store.Tx) error { return tx.DeleteCompany(company.ID, store.Any) }},
		{"webhook.create", "", func(tx *store.Tx) error {
			var w trade.Webhook
			err := into(&w)(tx.CreateWebhook(hook, any))
			hookID = w.ID
			return err
		}},
		{"webhook.delete", "", func(tx *store.Tx) error { return tx.DeleteWebhook(hookID, store.Any) }},
		{"tenant.update", "", func(tx *store.Tx) error { _, err := tx.SetPlan(trade.PlanStandard); return err }},
	} {
		t.Run(change.audit, func(t *testing.T) {
			b.tells(t, change.audit, change.events, change.fn)
		})
	}
	if rows, err := checkEvents(file(t, b.Dir())); err != nil || rows != 17 {
		t.Errorf("%d events, want 17: %v", rows, err)
	}
}

// An update tells the record as it is and the old values of what changed, alone.
func TestPreviousHasOnlyWhatChanged(t *testing.T) {
	b := open(t)
	c := b.company(b.who, trade.Company{Name: "Eski", Code: "K1", City: "Bursa", Website: "https://example.com"})
	b.clock.Advance(time.Second)
	var now store.Doc
	b.write(b.who, func(tx *store.Tx) (err error) {
		now, err = tx.UpdateCompany(c.ID, store.Any, trade.Company{Meta: trade.Meta{Notes: "not"}, Name: "Yeni", Code: "K1", City: "Bursa"})
		return err
	})
	events := b.events(b.who)
	last := events[len(events)-1]
	want := eventBody{ID: last.ID, Event: "company.updated", APIVersion: "2026-11-01", CreatedAt: "2026-09-15T09:00:01.000Z", TenantID: b.who.Tenant, Sequence: 2}
	want.Data.Object = now.JSON
	want.Data.Previous = jsontext.Value(`{"notes":null,"name":"Eski","website":"https://example.com"}`)
	if diff := gocmp.Diff(want, last, gocmp.Transformer("text", func(v jsontext.Value) string { return string(v) })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if detail := sqlRow[string](b, "SELECT detail FROM audit WHERE tenant = ? AND action = 'company.update'", b.who.Tenant); detail != string(want.Data.Previous) {
		t.Errorf("the audit trail keeps %s", detail)
	}
	if !strings.HasPrefix(last.ID, "evt_") || events[0].Data.Previous != nil {
		t.Errorf("id %q, previous of a creation %s", last.ID, events[0].Data.Previous)
	}
}

// A record too large for an event is told by its address.
func TestALargeEventCarriesAnAddress(t *testing.T) {
	b := open(t)
	sale := b.sale(b.who)
	for range 300 {
		l := line("Uzun", "1")
		l.Description = strings.Repeat("ş", 700)
		sale.Lines = append(sale.Lines, l)
	}
	v := b.invoice(b.who, sale)
	events := b.events(b.who)
	last := events[len(events)-1]
	if last.Data.URL != "/api/invoices/"+v.ID || last.Data.Object != nil || last.Event != "invoice.created" {
		t.Errorf("got %s with url %q and %d bytes of object", last.Event, last.Data.URL, len(last.Data.Object))
	}
	for _, n := range sqlRows[int](b, "SELECT length(body) FROM events") {
		if n > 256<<10 {
			t.Errorf("an event of %d bytes", n)
		}
	}
}

// A change that fails leaves nothing: no record, event, audit row, number or
// delivery, however far it got.
func TestAFailedChangeLeavesNothing(t *testing.T) {
	b := open(t)
	b.company(b.who, trade.Company{Name: "Dolu", Code: "K1"})
	sale := b.sale(b.who)
	incomplete := b.invoice(b.who, draft(b.company(b.who, named(1)).ID)) // its buyer has no address
	for about, fn := range map[string]func(*store.Tx) error{
		"a taken code": func(tx *store.Tx) error {
			_, err := tx.CreateCompany(trade.Company{Name: "Yeni", Code: "K1"})
			return err
		},
		"a missing name":      func(tx *store.Tx) error { _, err := tx.CreateCompany(trade.Company{}); return err },
		"an incomplete buyer": func(tx *store.Tx) error { _, err := tx.SendInvoice(incomplete.ID); return err },
		"an old version": func(tx *store.Tx) error {
			_, err := tx.UpdateInvoice(incomplete.ID, store.Match{Versions: []int64{7}}, sale)
			return err
		},
		"an error after all was written": func(tx *store.Tx) error {
			if err := createAndSend(tx, sale); err != nil {
				return err
			}
			return errors.New("boom")
		},
		"a panic after all was written": func(tx *store.Tx) error { createAndSend(tx, sale); panic("boom") },
		"a fault that was forgotten": func(tx *store.Tx) error {
			tx.Check().Add("name", trade.Required)
			createAndSend(tx, sale)
			return nil
		},
	} {
		t.Run(about, func(t *testing.T) {
			before := state(b)
			if err := b.Write(context.Background(), b.who, fn); err == nil {
				t.Fatal("it did not fail")
			}
			if diff := gocmp.Diff(before, state(b)); diff != "" {
				t.Errorf("it left something:\n%s", diff)
			}
		})
	}
}

func createAndSend(tx *store.Tx, sale trade.Invoice) error {
	var v trade.Invoice
	if err := into(&v)(tx.CreateInvoice(sale)); err != nil {
		return err
	}
	_, err := tx.SendInvoice(v.ID)
	return err
}

// A delivery is made for each webhook of the account that then listens for the
// event, in the same commit.
func TestDeliveriesGoToWhoListens(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	hooks := map[string]string{}
	add := func(who store.Who, name, event string) {
		var w trade.Webhook
		b.write(who, func(tx *store.Tx) error {
			return into(&w)(tx.CreateWebhook(trade.Webhook{Event: event, URL: "https://example.com/" + name}, func(string) trade.Code { return "" }))
		})
		hooks[w.ID] = name
	}
	add(b.who, "all", "*")
	add(b.who, "group", "company.*")
	add(b.who, "one", "company.created")
	add(b.who, "gone", "*")
	add(b.who, "invoices", "invoice.*")
	add(other, "theirs", "*")
	for id, name := range hooks {
		if name == "gone" {
			b.write(b.who, func(tx *store.Tx) error { return tx.DeleteWebhook(id, store.Any) })
		}
	}
	woken := b.Wake()
	c := b.company(b.who, named(1))
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteCompany(c.ID, store.Any) })
	for event, want := range map[string]string{"company.created": "all group one", "company.deleted": "all group"} {
		var got []string
		for _, id := range sqlRows[string](b, "SELECT d.webhook FROM deliveries d JOIN events e ON e.n = d.event WHERE e.event = ? AND d.state = 'pending' AND d.due_at = ?", event, b.clock.Now().UnixMilli()) {
			got = append(got, hooks[id])
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("%s goes to %q, want %q", event, got, want)
		}
	}
	select {
	case <-woken:
	default:
		t.Error("the sender was not woken")
	}
}

// Who listens is answered from memory, and follows every change of webhooks: one
// that comes, one that goes, and one whose registration was taken back.
func TestListenersFollowChanges(t *testing.T) {
	b := open(t)
	heard := func() int {
		before := sqlRow[int](b, "SELECT count(*) FROM deliveries")
		b.company(b.who, named(1))
		return sqlRow[int](b, "SELECT count(*) FROM deliveries") - before
	}
	if n := heard(); n != 0 {
		t.Errorf("%d hear before anyone listens", n)
	}
	w := b.webhook(b.who, trade.Webhook{Event: "*", URL: "https://example.com/"})
	if n := heard(); n != 1 {
		t.Errorf("%d hear after one came", n)
	}
	b.refused(b.who, func(tx *store.Tx) error {
		if _, err := tx.CreateWebhook(trade.Webhook{Event: "*", URL: "https://example.com/"}, anyAddress); err != nil {
			return err
		}
		if _, err := tx.CreateCompany(named(1)); err != nil { // the change itself hears of it
			return err
		}
		return trade.Fail(trade.Conflict, trade.Duplicate, "url")
	})
	if n := heard(); n != 1 {
		t.Errorf("%d hear after a registration was taken back", n)
	}
	b.refused(b.who, func(tx *store.Tx) error {
		if err := tx.DeleteWebhook(w.ID, store.Any); err != nil {
			return err
		}
		if _, err := tx.CreateCompany(named(1)); err != nil {
			return err
		}
		return trade.NotPossible("delete", "X")
	})
	if n := heard(); n != 1 {
		t.Errorf("%d hear after a deletion was taken back", n)
	}
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteWebhook(w.ID, store.Any) })
	if n := heard(); n != 0 {
		t.Errorf("%d hear after the last one went", n)
	}
}

// Many changes at once: the sequence of each account has no gap, and each event
// tells of a change that is there.
func TestTheSequenceHasNoGaps(t *testing.T) {
	b := open(t)
	whos := []store.Who{b.who, b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))}
	sales := []trade.Invoice{b.sale(whos[0]), b.sale(whos[1])}
	errs := make(chan error)
	for i := range 120 {
		go func() {
			errs <- b.Write(context.Background(), whos[i%2], func(tx *store.Tx) error {
				if err := createAndSend(tx, sales[i%2]); err != nil || i%3 > 0 {
					return err
				}
				return fmt.Errorf("change %d fails", i)
			})
		}()
	}
	failed := 0
	for range 120 {
		if err := <-errs; err != nil {
			failed++
		}
	}
	rows, err := checkEvents(file(t, b.Dir()))
	if sent := sqlRow[int](b, "SELECT count(*) FROM invoices WHERE status = 'QUEUED'"); failed != 40 || sent != 80 || rows != 2+2*sent || err != nil {
		t.Errorf("%d failed, %d sent, %d events: %v", failed, sent, rows, err)
	}
}

// tells carries out a change and holds the events and the actions in the audit trail
// that come of it, in their order, against those expected.
func (b *book) tells(t *testing.T, audit, events string, fn func(*store.Tx) error) {
	t.Helper()
	told, audited := len(b.events(b.who)), sqlRow[int](b, "SELECT max(seq) FROM audit WHERE tenant = ?", b.who.Tenant)
	b.write(b.who, fn)
	var names []string
	for _, e := range b.events(b.who)[told:] {
		names = append(names, e.Event)
	}
	if got := strings.Join(names, " "); got != events {
		t.Errorf("it tells %q, want %q", got, events)
	}
	actions := sqlRows[string](b, "SELECT action FROM audit WHERE tenant = ? AND seq > ? ORDER BY seq", b.who.Tenant, audited)
	if got := strings.Join(actions, " "); got != audit {
		t.Errorf("the audit trail says %q, want %q", got, audit)
	}
}
