package store_test

import (
	"context"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/trade"
)

// brought makes an invoice and brings it to a state the way it gets there.
func brought(b *book, to trade.InvoiceState, kind trade.DocumentType) trade.Invoice {
	b.t.Helper()
	v := b.invoice(b.who, b.sale(b.who))
	wait := time.Time{}
	if kind == trade.EFatura {
		wait = b.clock.Now().AddDate(0, 0, 8)
	}
	take, answer := store.Answer{Outcome: trade.Taken, Code: "1300", Envelope: "env", Wait: wait}, func(o trade.Outcome) { b.answer(b.who, v.ID, store.Answer{Outcome: o}) }
	if to != trade.InvoiceDraft {
		b.send(b.who, v.ID)
	}
	switch to {
	case trade.InvoiceFailed:
		answer(trade.Failed)
	case trade.InvoiceSent, trade.InvoiceAccepted, trade.InvoiceRejected, trade.InvoiceCancelled:
		b.answer(b.who, v.ID, take)
	}
	switch to {
	case trade.InvoiceAccepted:
		answer(trade.Accepted)
	case trade.InvoiceRejected:
		answer(trade.Rejected)
	case trade.InvoiceCancelled:
		b.write(b.who, func(tx *store.Tx) error { _, err := tx.CancelInvoice(v.ID); return err })
	}
	v = b.getInvoice(b.who, v.ID)
	if v.Status != to || v.DocumentType != kind {
		b.t.Fatalf("brought to %s as %s, want %s as %s", v.Status, v.DocumentType, to, kind)
	}
	return v
}

// done tries an action the way callers and the courier do it.
func done(b *book, v trade.Invoice, a trade.InvoiceAction) error {
	return b.Write(context.Background(), b.who, func(tx *store.Tx) error {
		switch a {
		case trade.EditInvoice:
			_, err := tx.UpdateInvoice(v.ID, store.Any, draft(v.CompanyID))
			return err
		case trade.DiscardInvoice:
			return tx.DeleteInvoice(v.ID, store.Any)
		case trade.SendInvoice:
			_, err := tx.SendInvoice(v.ID)
			return err
		case trade.CancelInvoice:
			_, err := tx.CancelInvoice(v.ID)
			return err
		}
		steps := sqlRows[string](b, "SELECT step FROM courier WHERE owner = ?", v.ID)
		return tx.Answer(store.Errand{Owner: v.ID, Step: store.Step(append(steps, "")[0])}, store.Answer{Outcome: trade.Outcome(a)})
	})
}

// Every cell of the table of moves, for both kinds of document: an action that is
// possible leads where the table says, any other changes nothing and is refused
// for the state's sake.
func TestEveryMoveOfAnInvoice(t *testing.T) {
	states := map[trade.DocumentType][]trade.InvoiceState{
		trade.EFatura: {trade.InvoiceDraft, trade.InvoiceQueued, trade.InvoiceSent, trade.InvoiceAccepted, trade.InvoiceRejected, trade.InvoiceFailed},
		trade.EArsiv:  {trade.InvoiceDraft, trade.InvoiceQueued, trade.InvoiceSent, trade.InvoiceFailed, trade.InvoiceCancelled},
	}
	actions := []trade.InvoiceAction{trade.EditInvoice, trade.DiscardInvoice, trade.SendInvoice, trade.TakeInvoice, trade.FailInvoice, trade.AcceptInvoice, trade.RejectInvoice, trade.CancelInvoice}
	for kind, possible := range states {
		b := open(t)
		if kind == trade.EFatura {
			b.register(buyer().TaxNumber)
		}
		for _, from := range possible {
			for _, a := range actions {
				v := brought(b, from, kind)
				to, allowed := trade.InvoiceMoves[from][a]
				answered := a == trade.AcceptInvoice || a == trade.RejectInvoice
				if kind == trade.EFatura && a == trade.CancelInvoice && from != trade.InvoiceFailed || kind == trade.EArsiv && answered {
					allowed = false
				}
				if !allowed {
					to = from
				}
				err := done(b, v, a)
				if a == trade.DiscardInvoice && allowed && err == nil {
					continue // nothing is left to look at
				}
				now := b.getInvoice(b.who, v.ID)
				if (err == nil) != allowed || now.Status != to {
					t.Errorf("%s in %s: %s leads to %s (%v), want %s", kind, from, a, now.Status, err, to)
				}
				if err != nil && trade.KindOf(err) != trade.Conflict && err != store.ErrOvertaken {
					t.Errorf("%s in %s: %s is refused with %v", kind, from, a, err)
				}
				if err != nil && now.Version != v.Version {
					t.Errorf("%s in %s: the refused %s changed the invoice", kind, from, a)
				}
				if now.Status != trade.InvoiceDraft && string(now.EDocument.Status) != string(now.Status) {
					t.Errorf("%s in %s: after %s the document is %s", kind, from, a, now.EDocument.Status)
				}
			}
		}
	}
}

// Only a draft is ever deleted: a number must not disappear.
func TestOnlyDraftsAreDeleted(t *testing.T) {
	b := open(t)
	for _, from := range []trade.InvoiceState{trade.InvoiceDraft, trade.InvoiceQueued, trade.InvoiceSent, trade.InvoiceFailed, trade.InvoiceCancelled} {
		v := brought(b, from, trade.EArsiv)
		err := b.Write(context.Background(), b.who, func(tx *store.Tx) error { return tx.DeleteInvoice(v.ID, store.Any) })
		if from == trade.InvoiceDraft {
			if again := b.refused(b.who, func(tx *store.Tx) error { return tx.DeleteInvoice(v.ID, store.Any) }); err != nil || again.Kind != trade.NotFound {
				t.Errorf("a draft: %v, the second time %v", err, again)
			}
			continue
		}
		if e := asError(err); e.Code != trade.InvalidState || !slices.Contains(e.Args, any(string(from))) {
			t.Errorf("%s: %v, want %s", from, err, trade.InvalidState)
		}
	}
}

// An e-Arşiv may be cancelled for eight days after it was sent, to the
// millisecond; its number stays used.
func TestCancellingEndsAfterEightDays(t *testing.T) {
	b := open(t)
	first, second := brought(b, trade.InvoiceSent, trade.EArsiv), brought(b, trade.InvoiceSent, trade.EArsiv)
	if want := trade.At(start.AddDate(0, 0, 8)); first.EDocument.CancellableUntil != want {
		t.Errorf("cancellable until %s, want %s", first.EDocument.CancellableUntil, want)
	}
	b.clock.Set(start.AddDate(0, 0, 8))
	if err := done(b, first, trade.CancelInvoice); err != nil {
		t.Errorf("on the last moment: %v", err)
	}
	b.clock.Advance(time.Millisecond)
	if err := done(b, second, trade.CancelInvoice); asError(err).Code != trade.NotCancellable {
		t.Errorf("a moment later: %v", err)
	}
	if next := b.send(b.who, b.invoice(b.who, b.sale(b.who)).ID); next.Number != "EAR2026000000003" {
		t.Errorf("the number of a cancelled invoice was used again: %s", next.Number)
	}
}

// What is sent is frozen: later edits of buyer, seller and product do not touch
// it.
func TestASentInvoiceFollowsNoEdits(t *testing.T) {
	b := open(t)
	sale := b.sale(b.who)
	v := b.send(b.who, b.invoice(b.who, sale).ID)
	if v.Seller == nil || v.Buyer == nil || v.Seller.Name != "Örnek Ticaret A.Ş." || v.Buyer.Name != buyer().Name || v.Buyer.TaxNumber != buyer().TaxNumber {
		t.Fatalf("frozen: seller %+v, buyer %+v", v.Seller, v.Buyer)
	}
	b.write(b.who, func(tx *store.Tx) error {
		c := buyer()
		c.Name = "Başka Ad"
		if _, err := tx.UpdateCompany(sale.CompanyID, store.Any, c); err != nil {
			return err
		}
		return tx.DeleteCompany(sale.CompanyID, store.Any)
	})
	if diff := gocmp.Diff(v, b.getInvoice(b.who, v.ID)); diff != "" {
		t.Errorf("it changed:\n%s", diff)
	}
	if e := b.refused(b.who, func(tx *store.Tx) error { return createAndSend(tx, sale) }); fields(e) != "companyId not_found" {
		t.Errorf("to the deleted buyer: %v", e)
	}
}
