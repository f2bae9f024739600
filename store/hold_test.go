package store_test

import (
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// branch opens another warehouse.
func (d *depot) branch(name string) (w trade.Warehouse) {
	d.t.Helper()
	d.write(d.who, func(tx *store.Tx) error { return into(&w)(tx.CreateWarehouse(trade.Warehouse{Name: name})) })
	return w
}

// main makes a warehouse the default one.
func (d *depot) main(w trade.Warehouse) {
	d.t.Helper()
	w.IsDefault = new(true)
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.UpdateWarehouse(w.ID, store.Any, w); return err })
}

// lies compares what there is of a product, warehouse by warehouse in the order they got
// some, with "on hand, reserved; ...".
func (d *depot) lies(about, product, want string) {
	d.t.Helper()
	got := sqlRow[string](d.book, "SELECT group_concat(printf('%g, %g', on_hand / 1e6, reserved / 1e6), '; ') FROM (SELECT * FROM stock WHERE product = ? ORDER BY n)", product)
	if got != want {
		d.t.Errorf("%s: %q on hand and reserved, want %q", about, got, want)
	}
}

// Whoever ships others than the order named needs what it named no longer.
func TestShippingOtherPieces(t *testing.T) {
	d := openDepot(t, "1")
	phone := d.product(d.who, trade.Product{Name: "Telefon", Tracking: trade.BySerial, SalePrice: 10 * lira})
	milk := d.product(d.who, trade.Product{Name: "Süt", Tracking: trade.ByLot, SalePrice: 10 * lira})
	d.put(trade.Adjustment{ProductID: phone.ID, Quantity: quantity("2"), SerialNos: []string{"a", "b"}})
	for _, lot := range []string{"A", "B"} {
		d.put(trade.Adjustment{ProductID: milk.ID, Quantity: quantity("5"), LotNo: lot})
	}
	one := d.wantsOf(phone.ID, "1")
	one.Lines[0].SerialNos = []string{"a"}
	o := d.confirmed(one)
	d.confirmed(d.wantsOf(phone.ID, "1")) // any one: of b, until that is shipped
	s := d.ship(o.ID, van(trade.ShippingLine{Line: 1, SerialNos: []string{"b"}}))
	d.lies("b instead of a", phone.ID, "1, 1")
	two := d.wantsOf(milk.ID, "5")
	two.Lines[0].LotNo = "A"
	o = d.confirmed(two)
	d.ship(o.ID, van(trade.ShippingLine{Line: 1, Quantity: quantity("2"), LotNo: "B"}))
	d.lies("2 of B", milk.ID, "8, 3")
	d.ship(o.ID, van())
	d.lies("the rest, which is held of A", milk.ID, "5, 0")
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.CancelShipment(s.ID); return err })
	d.lies("b is back, and held by name", phone.ID, "2, 2")
	d.clean(t)
}

// What is held for an order leaves from where it is held, whichever warehouse is the
// default one by then.
func TestAnotherDefaultWarehouse(t *testing.T) {
	d := openDepot(t, "5")
	east := d.branch("Doğu")
	o := d.confirmed(d.wants("5"))
	d.main(east)
	d.put(trade.Adjustment{ProductID: d.goods.ID, WarehouseID: east.ID, Quantity: quantity("5")})
	if s := d.ship(o.ID, van(trade.ShippingLine{Line: 1, Quantity: quantity("2")})); s.WarehouseID != d.house.ID {
		t.Errorf("from %s", s.WarehouseID)
	}
	d.lies("a part", d.goods.ID, "3, 3; 5, 0")
	in := van(trade.ShippingLine{Line: 1, Quantity: quantity("1")})
	in.WarehouseID = east.ID
	s := d.ship(o.ID, in)
	d.lies("one from elsewhere", d.goods.ID, "3, 2; 4, 0")
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.CancelShipment(s.ID); return err })
	d.lies("that one is held where it came back", d.goods.ID, "3, 2; 5, 1")
	if s = d.ship(o.ID, van()); s.WarehouseID != "" || len(s.Lines) != 2 || s.Lines[0].WarehouseID != d.house.ID || s.Lines[1].WarehouseID != east.ID {
		t.Errorf("the rest from both: %+v", s.Lines)
	}
	d.lies("the rest", d.goods.ID, "1, 0; 4, 0")
	d.clean(t)
}

// Goods that come back to a warehouse that was deleted lie, and are held, in the default
// one; so does what such an order is shipped from.
func TestCancellingOverADeletedWarehouse(t *testing.T) {
	d := openDepot(t, "1")
	east := d.branch("Doğu")
	d.put(trade.Adjustment{ProductID: d.goods.ID, WarehouseID: east.ID, Quantity: quantity("3")})
	wish := d.wants("3")
	wish.WarehouseID = east.ID
	o := d.confirmed(wish)
	s := d.ship(o.ID, van())
	d.write(d.who, func(tx *store.Tx) error { return tx.DeleteWarehouse(east.ID, store.Any) })
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.CancelShipment(s.ID); return err })
	d.lies("cancelled", d.goods.ID, "4, 3; 0, 0")
	if s = d.ship(o.ID, van()); s.WarehouseID != d.house.ID {
		t.Errorf("from %s", s.WarehouseID)
	}
	d.lies("shipped again", d.goods.ID, "1, 0; 0, 0")
	d.clean(t)
}

// What is held of any lot is held of those not past their day: nobody else gets these,
// with the lot's name or without.
func TestNobodyTakesWhatIsHeldOfAnyLot(t *testing.T) {
	d := openDepot(t, "1")
	east := d.branch("Doğu")
	milk := d.product(d.who, trade.Product{Name: "Süt", Tracking: trade.ByLot, SalePrice: 10 * lira})
	d.put(trade.Adjustment{ProductID: milk.ID, Quantity: quantity("5"), LotNo: "OLD", ExpiresAt: "2026-09-01"})
	d.put(trade.Adjustment{ProductID: milk.ID, Quantity: quantity("6"), LotNo: "Y", ExpiresAt: "2026-12-01"})
	o := d.confirmed(d.wantsOf(milk.ID, "5"))
	named := d.wantsOf(milk.ID, "2")
	named.Lines[0].LotNo = "Y"
	rival := d.order(d.who, named)
	takes := func(lot string) []trade.GoodsLine {
		return []trade.GoodsLine{{ProductID: milk.ID, Quantity: *quantity("2"), LotNo: lot}}
	}
	const held = " 2 wanted, 1 available. Held for orders: 5; to take of those, cancel or close orders first. In lots past their day: 5; those leave only where lotNo names them."
	for _, test := range []struct {
		about string
		do    func(*store.Tx) error
		says  string
	}{
		{"issue", func(tx *store.Tx) error { _, err := tx.IssueGoods(trade.GoodsSlip{Lines: takes("Y")}); return err }, "lines[0].quantity: P000003 Süt:" + held},
		{"issue of any", func(tx *store.Tx) error { _, err := tx.IssueGoods(trade.GoodsSlip{Lines: takes("")}); return err }, "lines[0].quantity: P000003 Süt:" + held},
		{"transfer", func(tx *store.Tx) error {
			_, err := tx.TransferGoods(trade.GoodsTransfer{FromWarehouseID: d.house.ID, ToWarehouseID: east.ID, Lines: takes("Y")})
			return err
		}, "lines[0].quantity: P000003 Süt:" + held},
		{"adjust", func(tx *store.Tx) error {
			_, err := tx.AdjustStock(trade.Adjustment{ProductID: milk.ID, CountedQuantity: quantity("4"), LotNo: "Y", Reason: trade.ReasonCount})
			return err
		}, "countedQuantity: P000003 Süt:" + held},
		{"another order", func(tx *store.Tx) error { _, err := tx.ConfirmOrder(rival.ID); return err }, "lines[0]: P000003 Süt:" + held},
	} {
		if e := d.refused(d.who, test.do); e.Code != trade.InsufficientStock || e.Error() != test.says {
			t.Errorf("%s: %v", test.about, e)
		}
	}
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.IssueGoods(trade.GoodsSlip{Lines: takes("OLD")}); return err })
	both := d.wantsOf(milk.ID, "3")
	both.Lines[0].LotNo = "OLD"
	both.Lines = append(both.Lines, d.wantsOf(milk.ID, "1").Lines...)
	d.confirmed(both) // the last of either
	d.ship(o.ID, van())
	d.lies("shipped", milk.ID, "4, 4")
	d.clean(t)
}

// Counting less than is held says why that cannot be.
func TestCountingLessThanIsHeld(t *testing.T) {
	d := openDepot(t, "8")
	d.confirmed(d.wants("8"))
	const why = "P000001 Defter: 1 wanted, 0 available. Held for orders: 8; to take of those, cancel or close orders first."
	e := d.refused(d.who, func(tx *store.Tx) error {
		_, err := tx.AdjustStock(trade.Adjustment{ProductID: d.goods.ID, CountedQuantity: quantity("7"), Reason: trade.ReasonCount})
		return err
	})
	if e.Error() != "countedQuantity: "+why {
		t.Errorf("adjusted: %v", e)
	}
	var c trade.Count
	d.write(d.who, func(tx *store.Tx) error {
		return into(&c)(tx.CreateCount(trade.Count{Lines: []trade.CountLine{{ProductID: d.goods.ID, Counted: quantity("7")}}}))
	})
	if e = d.refused(d.who, func(tx *store.Tx) error { _, err := tx.CloseCount(c.ID); return err }); e.Error() != "lines[0].counted: "+why {
		t.Errorf("counted: %v", e)
	}
}

// A shipment of which something came back, or that the buyer has answered, has left. An
// invoice that stands against cancelling is named.
func TestCancellingWhatHasLeft(t *testing.T) {
	d := openDepot(t, "10")
	cancel := func(id string) func(*store.Tx) error {
		return func(tx *store.Tx) error { _, err := tx.CancelShipment(id); return err }
	}
	s := d.sent(trade.ShipmentDespatched)
	v := d.bill(s.OrderID)
	if e := d.refused(d.who, cancel(s.ID)); e.Error() != "The draft invoice "+v.Number+" stands for this already; delete that first." {
		t.Errorf("billed: %v", e)
	}
	v = d.send(d.who, v.ID)
	if e := d.refused(d.who, cancel(s.ID)); e.Error() != "The invoice "+v.Number+" stands for this already; wait until the tax office has answered." {
		t.Errorf("invoiced: %v", e)
	}
	back := func(id string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			_, err := tx.ReturnShipment(id, trade.Return{Lines: []trade.ReturnLine{{Line: 1, Quantity: quantity("1")}}})
			return err
		}
	}
	returned := d.sent(trade.ShipmentDespatched)
	d.write(d.who, back(returned.ID))
	answered := d.sent(trade.ShipmentDespatched)
	d.write(d.who, func(tx *store.Tx) error {
		a := &trade.ReceiptAnswer{
			DespatchETTN: answered.ETTN, Seller: *answered.Seller, Buyer: trade.Party{TaxNumber: d.customer.TaxNumber},
			Lines: []trade.ReceiptLine{{Line: 1, Unit: "C62", Received: 2_000_000, Rejected: 2_000_000}},
		}
		_, err := tx.ReceiveShipment(answered.ID, a)
		return err
	})
	for about, id := range map[string]string{"a part is back": returned.ID, "all was refused": answered.ID} {
		if e := d.refused(d.who, cancel(id)); e.Kind != trade.Conflict || e.Code != trade.GoodsHaveLeft {
			t.Errorf("%s: %v", about, e)
		}
		d.write(d.who, back(id))
	}
	d.clean(t)
}

// A refusal offers only what this order can be asked for.
func TestWhatAnOrderCanBeAskedFor(t *testing.T) {
	d := openDepot(t, "10")
	confirm := func(id string) func(*store.Tx) error {
		return func(tx *store.Tx) error { _, err := tx.ConfirmOrder(id); return err }
	}
	both := d.wants("2")
	both.Lines = append(both.Lines, d.wantsOf(d.service.ID, "1").Lines...)
	billed, done := d.confirmed(both), d.confirmed(d.wantsOf(d.service.ID, "1"))
	d.bill(billed.ID)
	for _, test := range []struct{ about, order, can string }{
		{"nothing shipped", d.confirmed(d.wants("2")).ID, "cancel, ship"},
		{"a service is invoiced", billed.ID, "close, ship"},
		{"nothing to ship", done.ID, "cancel, close, invoice"},
		{"a part shipped", d.ordered(trade.OrderPartiallyShipped).ID, "close, invoice, ship"},
		{"all shipped", d.ordered(trade.OrderShipped).ID, "invoice"},
	} {
		e := d.refused(d.who, confirm(test.order))
		if want := "; possible there: " + test.can + "."; e.Code != trade.InvalidState || e.Error()[len(e.Error())-len(want):] != want {
			t.Errorf("%s: %v", test.about, e)
		}
	}
}

// A line that ships more of a lot than there is is told of, and so is every other one: of
// what is refused nothing is booked that the next line would meet.
func TestEveryLineThatShipsTooMuchIsTold(t *testing.T) {
	d := openDepot(t, "1")
	milk := d.product(d.who, trade.Product{Name: "Süt", Tracking: trade.ByLot, SalePrice: 10 * lira})
	wish := d.wantsOf(milk.ID, "5")
	wish.Backorder = true
	o := d.confirmed(wish)
	d.put(trade.Adjustment{ProductID: milk.ID, Quantity: quantity("1"), LotNo: "A"})
	s := d.ship(o.ID, van(trade.ShippingLine{Line: 1, Quantity: quantity("1")}))
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.CancelShipment(s.ID); return err })
	d.put(trade.Adjustment{ProductID: milk.ID, Quantity: quantity("2"), LotNo: "A"})
	d.put(trade.Adjustment{ProductID: milk.ID, Quantity: quantity("10"), LotNo: "B"})
	d.lies("one of A is held", milk.ID, "13, 1")
	for about, second := range map[string]struct{ lot, want string }{
		"the other is there": {"B", "lines[0] insufficient_stock"},
		"the other is not":   {"C", "lines[0] insufficient_stock, lines[1] insufficient_stock"},
	} {
		e := d.refused(d.who, func(tx *store.Tx) error {
			_, err := tx.ShipOrder(o.ID, van(trade.ShippingLine{Line: 1, Quantity: quantity("4"), LotNo: "A"}, trade.ShippingLine{Line: 1, Quantity: quantity("1"), LotNo: second.lot}))
			return err
		})
		if fields(e) != second.want {
			t.Errorf("%s: %s (%v)", about, fields(e), e)
		}
		d.lies(about, milk.ID, "13, 1")
	}
	d.clean(t)
}
