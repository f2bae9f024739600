package standin_test

import (
	"log/slog"
	"testing"
	"time"

	"esnaf/server/standin"
	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
	"esnaf/ubl"
	"esnaf/ubl/gib"
	"esnaf/ubl/kittest"
)

// drain lets the courier do all that is due now.
func drain(t *testing.T, db *store.DB, sim *gib.Simulator) {
	t.Helper()
	c := gib.New(gib.Config{DB: db, Authority: sim, Log: slog.New(slog.DiscardHandler)})
	if _, err := c.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// states counts the invoices of all accounts by status.
func states(t *testing.T, db *store.DB, d standin.Demo) map[trade.InvoiceState]int {
	t.Helper()
	n := map[trade.InvoiceState]int{}
	for _, te := range d.Tenants {
		for _, v := range invoices(t, db, te.ID) {
			n[v.Status]++
		}
	}
	return n
}

// TestEveryDocumentIsValid sends what is not sent or has failed, for nothing but the
// seed's word stands against that, and hands all 100 documents to the tax office's
// rules, and the despatch notes with them.
func TestEveryDocumentIsValid(t *testing.T) {
	db := open(t, noon, 1)
	d := seed(t, db, nil)
	for _, te := range d.Tenants {
		err := db.Write(t.Context(), store.Who{Tenant: te.ID, Actor: "test"}, func(tx *store.Tx) error {
			for _, v := range invoices(t, db, te.ID) {
				if v.Status != trade.InvoiceDraft && v.Status != trade.InvoiceFailed {
					continue
				}
				if _, err := tx.SendInvoice(v.ID); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	drain(t, db, gib.NewSimulator(db.Clock()))
	docs := map[string][]byte{}
	for _, te := range d.Tenants {
		for _, v := range invoices(t, db, te.ID) {
			docs[v.Number] = document(t, db, te.ID, v.ID)
			for _, f := range ubl.CheckOn(docs[v.Number], trade.DateOf(noon)) {
				t.Errorf("%s: %s %s: %s", v.Number, f.Rule, f.Path, f.Message)
			}
		}
	}
	if n := states(t, db, d); len(docs) != 100 || n[trade.InvoiceDraft]+n[trade.InvoiceQueued]+n[trade.InvoiceFailed] != 0 {
		t.Errorf("%d documents, states %v", len(docs), n)
	}
	for _, te := range d.Tenants {
		for _, s := range all[trade.Shipment](t, db, te.ID, &store.Shipments.List, "number") {
			if s.EDocument.Status == trade.EDocumentCancelled { // it was never handed over
				continue
			}
			note := document(t, db, te.ID, s.ID)
			for _, f := range ubl.CheckOn(note, trade.DateOf(noon)) {
				t.Errorf("%s: %s %s: %s", s.Number, f.Rule, f.Path, f.Message)
			}
			docs[te.Name+" "+s.Number] = note
		}
	}
	if len(docs) < 120 {
		t.Errorf("only %d despatch notes", len(docs)-100)
	}
	kittest.Validate(t, docs)
}

// TestQueuedAreTakenInTheEnd starts the courier after the seed: what is on its way stays
// there for a while, to be seen, and is taken then, also by a tax office that was started
// anew and asked later. Everything else is as it was.
func TestQueuedAreTakenInTheEnd(t *testing.T) {
	for _, row := range []struct {
		about string
		again bool // a new start after the first look
	}{{"in one run", false}, {"over a new start", true}} {
		db := open(t, noon, 1)
		now := db.Clock().(*clock.Manual)
		sim := gib.NewSimulator(now)
		d := seed(t, db, sim)
		before := states(t, db, d)
		check := func(when string, queued, notes int) {
			t.Helper()
			drain(t, db, sim)
			n := 0
			for _, te := range d.Tenants {
				for _, s := range all[trade.Shipment](t, db, te.ID, &store.Shipments.List, "number") {
					if s.EDocument.Status == trade.EDocumentQueued {
						n++
					}
				}
			}
			if got := states(t, db, d); got[trade.InvoiceQueued] != queued || n != notes || notes+queued > 0 && (notes == 0 || queued == 0) {
				t.Errorf("%s, %s: %v, %d notes; want %d and %d queued", row.about, when, got, n, queued, notes)
			}
		}
		check("at the start", before[trade.InvoiceQueued], 2)
		for _, v := range invoices(t, db, d.Tenants[0].ID) {
			if v.Status == trade.InvoiceQueued && v.EDocument.StatusCode != "1100" {
				t.Errorf("%s: the tax office is silent: %+v", v.Number, v.EDocument)
			}
		}
		if row.again {
			sim = gib.NewSimulator(now)
		} else {
			now.Set(noon.Add(14 * time.Minute))
			check("a quarter of an hour has not passed", before[trade.InvoiceQueued], 2)
		}
		now.Set(noon.Add(time.Hour))
		check("after an hour", 0, 0)
		before = states(t, db, d)
		now.Set(noon.AddDate(0, 0, trade.AnswerDays))
		check("after 8 days", 0, 0)
		after := states(t, db, d)
		if waited := 7; after[trade.InvoiceAccepted] != before[trade.InvoiceAccepted]+waited || after[trade.InvoiceSent] != before[trade.InvoiceSent]-waited {
			t.Errorf("%s: the unanswered TICARIFATURA are not accepted after 8 days: %v, then %v", row.about, before, after)
		}
	}
}
