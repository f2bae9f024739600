package store_test

import (
	"strings"
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// Closing an order gives up what is left, and what stock held back for it is free.
func TestClosingAnOrder(t *testing.T) {
	d := openDepot(t, "4")
	wish := d.wants("6")
	wish.Backorder = true
	o := d.confirmed(wish)
	s := d.ship(o.ID, van(trade.ShippingLine{Line: 1, Quantity: quantity("1")}))
	d.stands("a part", "3, 3")
	d.write(d.who, func(tx *store.Tx) error { return into(&o)(tx.CloseOrder(o.ID)) })
	d.stands("closed", "3, 0")
	if l := o.Lines[0]; o.Status != trade.OrderShipped || l.Cancelled != 5*trade.Piece || l.Reserved != 0 || l.Quantity != 6*trade.Piece {
		t.Errorf("%s %+v", o.Status, l)
	}
	if n := sqlRow[int](d.book, "SELECT count(*) FROM audit WHERE action = 'order.close' AND object = ?", o.ID); n != 1 {
		t.Errorf("%d audit rows", n)
	}
	if n := sqlRow[int](d.book, "SELECT count(*) FROM events WHERE event LIKE 'order.%'"); n != 3 { // created, confirmed, shipped
		t.Errorf("%d events of the order", n)
	}
	if v := d.bill(o.ID); v.Lines[0].Quantity != trade.Piece {
		t.Errorf("invoiced: %+v", v.Lines)
	} else {
		d.write(d.who, func(tx *store.Tx) error { return tx.DeleteInvoice(v.ID, store.Any) })
	}
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.CancelShipment(s.ID); return err })
	d.stands("the shipment is cancelled", "4, 1")
	if o = d.getOrder(d.who, o.ID); o.Status != trade.OrderConfirmed || o.Lines[0].Left() != trade.Piece {
		t.Errorf("%s %+v", o.Status, o.Lines[0])
	}
	d.clean(t)
}

// clean tells every difference that a check of the data finds.
func (d *depot) clean(t *testing.T) {
	t.Helper()
	for _, c := range must(d.CheckData(t.Context())) {
		for _, difference := range c.Differences {
			t.Errorf("check: %s: %s", c.Name, difference)
		}
	}
}

// An order of services alone can be cancelled until it is invoiced, and is SHIPPED for
// as long as it is.
func TestAnOrderOfServicesIsDoneWhenItIsInvoiced(t *testing.T) {
	d := openDepot(t, "1")
	o := d.confirmed(d.wantsOf(d.service.ID, "2"))
	if o.Status != trade.OrderConfirmed {
		t.Errorf("confirmed: %s", o.Status)
	}
	v := d.bill(o.ID)
	if o = d.getOrder(d.who, o.ID); o.Status != trade.OrderShipped {
		t.Errorf("invoiced: %s", o.Status)
	}
	d.write(d.who, func(tx *store.Tx) error { return tx.DeleteInvoice(v.ID, store.Any) })
	if o = d.getOrder(d.who, o.ID); o.Status != trade.OrderConfirmed {
		t.Errorf("given back: %s", o.Status)
	}
	d.write(d.who, func(tx *store.Tx) error { return into(&o)(tx.CancelOrder(o.ID)) })
	d.clean(t)
}

// Goods on the draft of an invoice do not come back; those on one that was sent do.
func TestReturningWhatIsInvoiced(t *testing.T) {
	d := openDepot(t, "10")
	o := d.confirmed(d.wants("4"))
	first := d.ship(o.ID, van(trade.ShippingLine{Line: 1, Quantity: quantity("2")}))
	d.take(first.ID)
	sent := d.bill(o.ID)
	d.send(d.who, sent.ID)
	second := d.ship(o.ID, van())
	d.take(second.ID)
	draft := d.bill(o.ID)
	back := func(id string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			_, err := tx.ReturnShipment(id, trade.Return{Lines: []trade.ReturnLine{{Line: 1, Quantity: quantity("1")}}})
			return err
		}
	}
	if e := d.refused(d.who, back(second.ID)); e.Code != trade.InvoicedAlready || e.Error() != "The draft invoice "+draft.Number+" stands for this already; delete that first." {
		t.Errorf("%v", e)
	}
	d.stands("refused", "6, 0")
	d.write(d.who, func(tx *store.Tx) error { return tx.DeleteInvoice(draft.ID, store.Any) })
	d.write(d.who, back(second.ID))
	if v := d.bill(o.ID); v.Lines[0].Quantity != trade.Piece {
		t.Errorf("invoiced %s of the 1 that stayed", v.Lines[0].Quantity)
	} else {
		d.send(d.who, v.ID)
	}
	d.write(d.who, back(first.ID))
	d.stands("all is invoiced and sent", "8, 0")
	if l := d.getOrder(d.who, o.ID).Lines[0]; l.Credited != trade.Piece || l.Due() != 0 {
		t.Errorf("%+v", l)
	}
	d.clean(t)
}

// What came back of an invoice that was sent does not count on what is shipped later:
// that is invoiced to the last piece.
func TestInvoicingAfterAReturn(t *testing.T) {
	d := openDepot(t, "10")
	o := d.confirmed(d.wants("4"))
	s := d.ship(o.ID, van(trade.ShippingLine{Line: 1, Quantity: quantity("2")}))
	d.take(s.ID)
	sent := d.bill(o.ID)
	d.send(d.who, sent.ID)
	d.write(d.who, func(tx *store.Tx) error {
		_, err := tx.ReturnShipment(s.ID, trade.Return{Lines: []trade.ReturnLine{{Line: 1, Quantity: quantity("1")}}})
		return err
	})
	d.ship(o.ID, van())
	v := d.bill(o.ID)
	if v.Lines[0].Quantity != 2*trade.Piece {
		t.Errorf("invoiced %s of the 2 shipped since", v.Lines[0].Quantity)
	}
	d.write(d.who, func(tx *store.Tx) error { return tx.DeleteInvoice(v.ID, store.Any) })
	d.answer(d.who, sent.ID, store.Answer{Outcome: trade.Taken, Code: "1300", Envelope: "env"})
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.CancelInvoice(sent.ID); return err })
	if l := d.getOrder(d.who, o.ID).Lines[0]; l.Credited != 0 || l.Due() != 3*trade.Piece {
		t.Errorf("nothing is invoiced: %+v", l)
	}
}

// What an order referred to when it was confirmed goes on working after it is deleted.
func TestAnOrderOutlivesWhatItRefersTo(t *testing.T) {
	d := openDepot(t, "4")
	o := d.confirmed(d.wants("4"))
	gone := d.confirmed(d.wantsOf(d.service.ID, "1"))
	d.write(d.who, func(tx *store.Tx) error { return tx.DeleteCompany(d.customer.ID, store.Any) })
	first := d.ship(o.ID, van(trade.ShippingLine{Line: 1, Quantity: quantity("1")}))
	d.answer(d.who, first.ID, store.Answer{Outcome: trade.Failed, Code: "1150", Envelope: "env"})
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.SendShipment(first.ID); return err })
	d.take(first.ID)
	second := d.ship(o.ID, van())
	d.take(second.ID)
	for _, p := range []string{d.goods.ID, d.service.ID} {
		d.write(d.who, func(tx *store.Tx) error { return tx.DeleteProduct(p, store.Any) })
	}
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.CancelShipment(second.ID); return err })
	d.stands("held for it again", "3, 3")
	d.ship(o.ID, van())
	v := d.bill(o.ID)
	v.Notes = "teşekkürler"
	d.write(d.who, func(tx *store.Tx) error { return into(&v)(tx.UpdateInvoice(v.ID, store.Any, v)) })
	if v = d.send(d.who, v.ID); v.Buyer.Name != d.customer.Name || v.Notes != "teşekkürler" {
		t.Errorf("%+v", v)
	}
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.ReturnShipment(first.ID, trade.Return{}); return err })
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.CancelOrder(gone.ID); return err })
	for about, want := range map[string]trade.Order{
		"a new order":   d.wants("1"),
		"of a new line": {CompanyID: d.company(d.who, trade.Company{Name: "Yeni"}).ID, Lines: d.wants("1").Lines},
	} {
		if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.CreateOrder(want); return err }); e.Kind != trade.Invalid {
			t.Errorf("%s: %v", about, e)
		}
	}
	d.clean(t)
}

// What a product is cannot change while an order that is to be shipped wants it.
func TestAProductThatIsWanted(t *testing.T) {
	d := openDepot(t, "1")
	none := d.product(d.who, trade.Product{Name: "Kalem", SalePrice: lira})
	wish := d.wantsOf(none.ID, "2")
	wish.Backorder = true
	o := d.order(d.who, wish)
	change := func(p trade.Product, to trade.Tracking) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			p.Tracking = to
			_, err := tx.UpdateProduct(p.ID, store.Any, p)
			return err
		}
	}
	d.write(d.who, change(none, trade.ByLot))
	d.write(d.who, change(none, trade.Untracked))
	d.write(d.who, func(tx *store.Tx) error { return into(&o)(tx.ConfirmOrder(o.ID)) })
	d.book = d.aged(17, "SELECT 1") // it was confirmed before orders were found by their lines
	if e := d.refused(d.who, change(none, trade.ByLot)); e.Kind != trade.Conflict || fields(e) != "tracking stock_fixed" {
		t.Errorf("wanted: %v", e)
	}
	d.clean(t)
	for about, damage := range map[string]string{
		" is not found": "DELETE FROM wanted",
		" is found":     "INSERT INTO wanted (tenant, product, order_id) SELECT tenant, 'prd_x', order_id FROM wanted",
	} {
		own := d.aged(18, damage)
		if all := own.found(); len(all) != 1 || !strings.Contains(all[0], about) {
			t.Errorf("%s: %q", damage, all)
		}
		alter(own, "DELETE FROM wanted; INSERT INTO wanted (tenant, product, order_id) SELECT tenant, ?, id FROM orders", none.ID)
		d.book = own
	}
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.CancelOrder(o.ID); return err })
	d.write(d.who, change(none, trade.ByLot))
	d.clean(t)
}
