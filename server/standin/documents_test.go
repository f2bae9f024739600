package standin_test

import (
	"log/slog"
	"testing"

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

// TestQueuedStayQueued starts the courier after the seed: what is on its way stays
// there while the demo is looked at, and everything else is as it was.
func TestQueuedStayQueued(t *testing.T) {
	db := open(t, noon, 1)
	now := db.Clock().(*clock.Manual)
	sim := gib.NewSimulator(now)
	d := seed(t, db, sim)
	before := states(t, db, d)
	check := func(when string, queued int) {
		t.Helper()
		drain(t, db, sim)
		if n := states(t, db, d); n[trade.InvoiceQueued] != queued {
			t.Errorf("%s: %v, want %d queued", when, n, queued)
		}
	}
	check("at the start", before[trade.InvoiceQueued])
	for _, v := range invoices(t, db, d.Tenants[0].ID) {
		if v.Status == trade.InvoiceQueued && v.EDocument.StatusCode != "1100" {
			t.Errorf("%s: the tax office is silent: %+v", v.Number, v.EDocument)
		}
	}
	now.Set(noon.AddDate(0, 0, trade.AnswerDays))
	check("after 8 days", before[trade.InvoiceQueued])
	after := states(t, db, d)
	if waited := 7; after[trade.InvoiceAccepted] != before[trade.InvoiceAccepted]+waited || after[trade.InvoiceSent] != before[trade.InvoiceSent]-waited {
		t.Errorf("the unanswered TICARIFATURA are not accepted after 8 days: %v, then %v", before, after)
	}
	now.Set(noon.AddDate(0, 0, 31))
	check("after a month", 0)
}
