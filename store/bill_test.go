package store_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

func (d *depot) bill(order string) (v trade.Invoice) {
	d.t.Helper()
	d.write(d.who, func(tx *store.Tx) error { return into(&v)(tx.InvoiceOrder(order)) })
	return v
}

// An invoice takes what is shipped and on no invoice, names the notes of its goods, and
// gives it back when it is deleted.
func TestInvoicingAnOrder(t *testing.T) {
	d := openDepot(t, "10")
	wish := d.wants("3")
	wish.Lines[0].DiscountAmount = new(money.Amount(1000))
	wish.Lines = append(wish.Lines, trade.OrderLine{Line: trade.Line{ProductID: d.service.ID, Quantity: *quantity("1")}})
	o := d.confirmed(wish)
	first := d.ship(o.ID, van(trade.ShippingLine{Line: 1, Quantity: quantity("1")}))
	v := d.bill(o.ID)
	if len(v.Lines) != 2 || v.Lines[0].Quantity != 1_000_000 || *v.Lines[0].DiscountAmount != 333 || v.Status != trade.InvoiceDraft || v.Total != (10000-333+1933)+6000 {
		t.Errorf("%+v", v)
	}
	if diff := gocmp.Diff([][]string{{o.ID}, {first.ID}}, [][]string{v.OrderIDs, v.DespatchIDs}); diff != "" || v.Despatches[0] != first.Ref() {
		t.Errorf("%s%+v", diff, v.Despatches)
	}
	none := func(tx *store.Tx) error { _, err := tx.InvoiceOrder(o.ID); return err }
	if e := d.refused(d.who, none); e.Kind != trade.Conflict || e.Code != trade.NotShippedYet {
		t.Errorf("nothing more is shipped: %v", e)
	}
	second := d.ship(o.ID, van())
	w := d.bill(o.ID)
	if len(w.Lines) != 1 || w.Lines[0].Quantity != 2_000_000 || *w.Lines[0].DiscountAmount != 667 || len(w.DespatchIDs) != 1 || w.DespatchIDs[0] != second.ID {
		t.Errorf("the rest: %+v", w)
	}
	now := d.getOrder(d.who, o.ID)
	if now.Lines[0].Invoiced != 3_000_000 || now.Lines[0].InvoicedDiscount != 1000 || len(now.InvoiceIDs) != 2 {
		t.Errorf("%+v", now)
	}
	d.write(d.who, func(tx *store.Tx) error { return tx.DeleteInvoice(v.ID, store.Any) })
	now = d.getOrder(d.who, o.ID)
	if now.Lines[0].Invoiced != 2_000_000 || now.Lines[1].Invoiced != 0 || len(now.InvoiceIDs) != 1 {
		t.Errorf("given back: %+v", now)
	}
	if again := d.bill(o.ID); *again.Lines[0].DiscountAmount != 333 || again.Total != v.Total || again.DespatchIDs[0] != first.ID {
		t.Errorf("again: %+v", again)
	}
}

// An invoice that came to nothing makes its goods due again.
func TestAnInvoiceThatIsCancelled(t *testing.T) {
	d := openDepot(t, "10")
	o := d.confirmed(d.wants("2"))
	s := d.ship(o.ID, van())
	v := d.bill(o.ID)
	if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.CancelShipment(s.ID); return err }); e.Code != trade.InvoicedAlready {
		t.Errorf("cancelling what is invoiced: %v", e)
	}
	d.send(d.who, v.ID)
	d.answer(d.who, v.ID, store.Answer{Outcome: trade.Taken, Code: "1300", Envelope: "env"})
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.CancelInvoice(v.ID); return err })
	if o = d.getOrder(d.who, o.ID); o.Lines[0].Due() != 2_000_000 || len(o.InvoiceIDs) != 0 {
		t.Errorf("%+v", o)
	}
	d.take(s.ID)
	d.write(d.who, func(tx *store.Tx) error {
		_, err := tx.ReturnShipment(s.ID, trade.Return{Lines: []trade.ReturnLine{{Line: 1, Quantity: quantity("0.5")}}})
		return err
	})
	if v = d.bill(o.ID); v.Lines[0].Quantity != 1_500_000 {
		t.Errorf("invoiced %s after a return", v.Lines[0].Quantity)
	}
}

// Only what is confirmed is invoiced, and an order on an invoice is not cancelled.
func TestOrdersThatAreNotInvoiced(t *testing.T) {
	d := openDepot(t, "10")
	draft := d.order(d.who, d.wants("1"))
	if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.InvoiceOrder(draft.ID); return err }); e.Code != trade.InvalidState {
		t.Errorf("a draft: %v", e)
	}
	work := d.confirmed(d.wantsOf(d.service.ID, "2"))
	if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.ShipOrder(work.ID, van()); return err }); e.Code != trade.NothingLeft {
		t.Errorf("shipping a service: %v", e)
	}
	v := d.bill(work.ID)
	if v.Total != 12000 || len(v.DespatchIDs) != 0 {
		t.Errorf("%+v", v)
	}
	if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.CancelOrder(work.ID); return err }); e.Code != trade.InvoicedAlready {
		t.Errorf("cancelling it: %v", e)
	}
}

// An order of before reasons for no VAT were judged is invoiced all the same, and what its
// draft says wrong can be mended there.
func TestAReasonOfBefore(t *testing.T) {
	d := openDepot(t, "10")
	o := d.confirmed(d.wantsOf(d.service.ID, "1"))
	if _, err := file(t, d.Dir()).Exec("UPDATE orders SET doc = json_set(doc, '$.lines[0].exemptionCode', '301') WHERE id = ?", o.ID); err != nil {
		t.Fatal(err)
	}
	v := d.bill(o.ID)
	edit := func(code string) func(*store.Tx) error {
		v.Lines[0].ExemptionCode = code
		return func(tx *store.Tx) error { _, err := tx.UpdateInvoice(v.ID, store.Any, v); return err }
	}
	d.write(d.who, edit("301"))
	for about, fn := range map[string]func(*store.Tx) error{
		"another": edit("302"),
		"sent":    func(tx *store.Tx) error { _, err := tx.SendInvoice(v.ID); return err },
	} {
		if e := d.refused(d.who, fn); fields(e) != "lines[0].exemptionCode exemption_not_allowed" {
			t.Errorf("%s: %v", about, e)
		}
	}
	d.write(d.who, edit(""))
	d.send(d.who, v.ID)
}
