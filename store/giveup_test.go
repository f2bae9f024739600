package store_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// refusedBy lets the tax office refuse the document of an invoice that is sent, or of a
// shipment.
func (b *book) refusedBy(id, code string) {
	b.t.Helper()
	b.answer(b.who, id, store.Answer{Outcome: trade.Failed, Code: code, Text: "ret", Envelope: "env"})
}

func (d *depot) cancelInvoice(id string) (v trade.Invoice) {
	d.t.Helper()
	d.write(d.who, func(tx *store.Tx) error { return into(&v)(tx.CancelInvoice(id)) })
	return v
}

// An invoice that the tax office has refused is given up: its number is void, nothing is
// owed, its order is as it was before, and nothing more can be done with it.
func TestGivingUpAFailedInvoice(t *testing.T) {
	d := openDepot(t, "10")
	o := d.confirmed(d.wantsOf(d.service.ID, "2"))
	v := d.bill(o.ID)
	v = d.send(d.who, v.ID)
	d.refusedBy(v.ID, "1150")
	cancelOrder := func(tx *store.Tx) error { _, err := tx.CancelOrder(o.ID); return err }
	if e := d.refused(d.who, cancelOrder); e.Error() != "The invoice "+v.Number+" stands for this already; the tax office has refused that, cancel it first." {
		t.Errorf("the order: %v", e)
	}
	failed := d.getInvoice(d.who, v.ID)
	failed.Lines[0].Quantity = 3 * trade.Piece
	if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.UpdateInvoice(v.ID, store.Any, failed); return err }); !strings.HasSuffix(e.Error(), "To change it, cancel the invoice and make another.") {
		t.Errorf("changing it: %v", e)
	}
	got := d.cancelInvoice(v.ID)
	if got.Status != trade.InvoiceCancelled || got.EDocument.Status != trade.EDocumentCancelled || got.Number != v.Number || got.Remaining != 0 || got.EDocument.StatusCode != "1150" {
		t.Errorf("%+v", got)
	}
	if void := sqlRow[string](d.book, "SELECT number || ' ' || owner FROM void_numbers"); void != v.Number+" "+v.ID {
		t.Errorf("void: %s", void)
	}
	if n := sqlRow[int](d.book, "SELECT count(*) FROM postings"); n != 0 {
		t.Errorf("%d postings", n)
	}
	for about, fn := range map[string]func(*store.Tx) error{
		"send":   func(tx *store.Tx) error { _, err := tx.SendInvoice(v.ID); return err },
		"edit":   func(tx *store.Tx) error { _, err := tx.UpdateInvoice(v.ID, store.Any, got); return err },
		"cancel": func(tx *store.Tx) error { _, err := tx.CancelInvoice(v.ID); return err },
		"delete": func(tx *store.Tx) error { return tx.DeleteInvoice(v.ID, store.Any) },
	} {
		if e := d.refused(d.who, fn); e.Kind != trade.Conflict {
			t.Errorf("%s: %v", about, e)
		}
	}
	if o = d.getOrder(d.who, o.ID); o.Status != trade.OrderConfirmed || o.Lines[0].Invoiced != 0 || len(o.InvoiceIDs) != 0 {
		t.Errorf("the order is %s, %+v", o.Status, o.Lines[0])
	}
	again := d.bill(o.ID)
	if again = d.send(d.who, again.ID); again.Number == v.Number {
		t.Errorf("%s was used again", v.Number)
	}
	d.refusedBy(again.ID, "1230")
	d.cancelInvoice(again.ID)
	d.write(d.who, cancelOrder)
	d.clean(t)
}

// Goods on a failed invoice come back, or stay in the house, once it is given up.
func TestGivingUpTheInvoiceOfAShipment(t *testing.T) {
	d := openDepot(t, "10")
	s := d.sent(trade.ShipmentPrepared)
	d.refusedBy(s.ID, "1150")
	v := d.bill(s.OrderID)
	d.send(d.who, v.ID)
	d.refusedBy(v.ID, "1160")
	cancel := func(tx *store.Tx) error { _, err := tx.CancelShipment(s.ID); return err }
	if e := d.refused(d.who, cancel); e.Code != trade.InvoicedAlready || !strings.HasSuffix(e.Error(), "cancel it first.") {
		t.Errorf("%v", e)
	}
	d.cancelInvoice(v.ID)
	d.write(d.who, cancel)
	d.stands("both given up", "10, 2")
	d.clean(t)
}

// What the tax office says that it has already may have been delivered: an invoice is not
// given up, and the number of a note that is cancelled with its shipment is not void.
func TestWhatTheOfficeMayHaveIsNotGivenUp(t *testing.T) {
	d := openDepot(t, "10")
	s := d.sent(trade.ShipmentPrepared)
	d.refusedBy(s.ID, "1164")
	v := d.bill(s.OrderID)
	v = d.send(d.who, v.ID)
	cancel := func(tx *store.Tx) error { _, err := tx.CancelInvoice(v.ID); return err }
	for _, code := range []string{"1163", "1150", ""} { // a later answer is no better news
		d.refusedBy(v.ID, code)
		if e := d.refused(d.who, cancel); e.Kind != trade.Conflict || e.Code != trade.RegisteredAlready || !strings.Contains(e.Error(), v.Number) {
			t.Errorf("%q: %v", code, e)
		}
		d.send(d.who, v.ID)
	}
	d.refusedBy(v.ID, "1150")
	if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.CancelShipment(s.ID); return err }); !strings.HasSuffix(e.Error(), "send it again to learn so.") {
		t.Errorf("its shipment: %v", e)
	}
	other := d.sent(trade.ShipmentPrepared)
	d.refusedBy(other.ID, "1163")
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.CancelShipment(other.ID); return err })
	if n := sqlRow[int](d.book, "SELECT count(*) FROM void_numbers"); n != 0 {
		t.Errorf("%d numbers are void", n)
	}
	d.clean(t)
}

// What cannot be settled names the state it is in, and all that is possible there.
func TestWhatCannotBeSettled(t *testing.T) {
	d := openDepot(t, "10")
	refused := func(id string, o trade.Outcome, want string) {
		t.Helper()
		if e := d.refused(d.who, func(tx *store.Tx) error { return tx.Settle(id, o) }); e.Code != trade.InvalidState || e.Error() != want {
			t.Errorf("%v, want %s", e, want)
		}
	}
	v := d.invoice(d.who, d.sale(d.who))
	refused(v.ID, trade.Failed, "The action document settle --as refused is not possible in the state DRAFT; possible there: delete, edit, send.")
	d.send(d.who, v.ID)
	d.refusedBy(v.ID, "1150")
	refused(v.ID, trade.Failed, "The action document settle --as refused is not possible in the state FAILED; possible there: cancel, edit, send.")
	d.send(d.who, v.ID)
	d.refusedBy(v.ID, "1163")
	refused(v.ID, trade.Taken, "The action document settle --as taken is not possible in the state FAILED; possible there: document settle --as refused, send.")
	s := d.sent(trade.ShipmentPrepared)
	d.refusedBy(s.ID, "1150")
	refused(s.ID, trade.Failed, "The action document settle --as refused is not possible in the state FAILED; possible there: cancel, edit, send.")
}

// A person settles what the office says nothing final of, or takes for another; nothing
// else.
func TestSettling(t *testing.T) {
	d := openDepot(t, "10")
	settle := func(id string, o trade.Outcome) func(*store.Tx) error {
		return func(tx *store.Tx) error { return tx.Settle(id, o) }
	}
	refused := func(about, id string, o trade.Outcome, code trade.Code) {
		t.Helper()
		if e := d.refused(d.who, settle(id, o)); e.Code != code {
			t.Errorf("%s: %v", about, e)
		}
	}
	v := d.invoice(d.who, d.sale(d.who))
	refused("a draft", v.ID, trade.Failed, trade.InvalidState)
	refused("none", "inv_none", trade.Failed, trade.RecordNotFound)
	d.send(d.who, v.ID)
	refused("on its way", v.ID, trade.Taken, trade.OnTheWay)
	d.refusedBy(v.ID, "1150")
	refused("refused", v.ID, trade.Failed, trade.InvalidState)
	d.send(d.who, v.ID)
	d.refusedBy(v.ID, "1163")
	refused("that it is there says the office", v.ID, trade.Taken, trade.InvalidState)
	d.write(d.who, settle(v.ID, trade.Failed))
	refused("twice", v.ID, trade.Failed, trade.InvalidState)
	d.cancelInvoice(v.ID)
	refused("cancelled", v.ID, trade.Failed, trade.InvalidState)

	s := d.sent(trade.ShipmentPrepared)
	d.refusedBy(s.ID, "1164")
	d.write(d.who, settle(s.ID, trade.Failed))
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.CancelShipment(s.ID); return err })
	if void := sqlRows[string](d.book, "SELECT number FROM void_numbers"); len(void) != 2 || !slices.Contains(void, s.Number) {
		t.Errorf("void: %q", void)
	}
	d.clean(t)
}

// That the number is another document's is settled at once also where the office, asked
// again, says nothing final.
func TestSettlingWhatWaitsAgain(t *testing.T) {
	d := openDepot(t, "10")
	v := d.invoice(d.who, d.sale(d.who))
	d.send(d.who, v.ID)
	d.refusedBy(v.ID, "1163")
	v = d.send(d.who, v.ID)
	e := store.Errand{Owner: v.ID, Step: store.StepAsk, Envelope: v.EDocument.EnvelopeID}
	d.write(d.who, func(tx *store.Tx) error { return tx.Post(e, v.Number, []byte("<x/>"), "env") })
	if e := d.refused(d.who, func(tx *store.Tx) error { return tx.Settle(v.ID, trade.Failed) }); e.Code != trade.OnTheWay {
		t.Errorf("while it is handed over: %v", e)
	}
	e.Step, e.Envelope = store.StepHandOver, "env"
	d.write(d.who, func(tx *store.Tx) error {
		return tx.Postpone(e, store.Pause{Until: d.clock.Now(), Code: "1220", Text: "bekliyor"})
	})
	d.write(d.who, func(tx *store.Tx) error { return tx.Settle(v.ID, trade.Failed) })
	d.send(d.who, v.ID) // whoever ends the errand before does not end this one
	e.Step = store.StepAsk
	d.write(d.who, func(tx *store.Tx) error { return tx.EndErrand(e) })
	if n := sqlRow[int](d.book, "SELECT count(*) FROM courier WHERE owner = ?", v.ID); n != 1 {
		t.Errorf("%d errands", n)
	}
	d.refusedBy(v.ID, "1150")
	if v = d.cancelInvoice(v.ID); v.Status != trade.InvoiceCancelled {
		t.Errorf("%s", v.Status)
	}
	d.clean(t)
}

// What the office may have is not sent as a document of another kind beside it.
func TestWhatTheOfficeMayHaveKeepsItsKind(t *testing.T) {
	b := open(t)
	v := b.send(b.who, b.invoice(b.who, b.sale(b.who)).ID)
	b.refusedBy(v.ID, "1163")
	b.register(buyer().TaxNumber)
	if again := b.send(b.who, v.ID); again.Number != v.Number || again.DocumentType != v.DocumentType {
		t.Errorf("sent as %s %s", again.DocumentType, again.Number)
	}
	b.refusedBy(v.ID, "1163")
	b.write(b.who, func(tx *store.Tx) error { return tx.Settle(v.ID, trade.Failed) })
	if again := b.send(b.who, v.ID); again.Number != "EFA2026000000001" {
		t.Errorf("sent as %s", again.Number)
	}
	if void := sqlRow[string](b, "SELECT number FROM void_numbers"); void != v.Number {
		t.Errorf("void: %s", void)
	}
}

// A failed invoice is owed by nobody and paid by nothing, so giving it up frees no money.
func TestAFailedInvoiceIsNotPaid(t *testing.T) {
	b := open(t)
	v := brought(b, trade.InvoiceFailed, trade.EArsiv)
	till := b.purse(b.who, true, "TRY", 1_000_000)
	err := b.Write(context.Background(), b.who, func(tx *store.Tx) error {
		_, err := tx.CreatePayment(trade.Payment{CompanyID: v.CompanyID, AccountID: till, Direction: trade.PaymentIn, Amount: 100, Allocations: []trade.Allocation{{InvoiceID: v.ID, Amount: 100}}})
		return err
	})
	if e := asError(err); e.Kind != trade.Invalid || e.Faults[0].Code != trade.NotPayable {
		t.Errorf("%v", err)
	}
}
