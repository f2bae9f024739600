package store_test

import (
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// One change makes the shipment, takes the stock, numbers the note and queues it.
func TestShipping(t *testing.T) {
	d := openDepot(t, "10")
	wish := d.wants("3")
	wish.Lines = append(wish.Lines, trade.OrderLine{Line: trade.Line{ProductID: d.service.ID, Quantity: *quantity("1")}}, trade.OrderLine{Line: line("Palet", "5")})
	o := d.confirmed(wish)
	d.stands("confirmed", "10, 3")
	if o.Lines[1].Shipped != o.Lines[1].Quantity || !o.Lines[1].Service || o.Lines[0].Shipped != 0 {
		t.Errorf("a service counts as shipped: %+v", o.Lines)
	}
	s := d.ship(o.ID, van())
	d.stands("shipped", "7, 0")
	want := []trade.ShipmentLine{
		{OrderLine: 1, ProductID: d.goods.ID, Code: "P000001", Name: "Defter", Quantity: 3_000_000, Unit: "C62", WarehouseID: d.house.ID},
		{OrderLine: 3, Name: "Palet", Quantity: 2_000_000, Unit: "C62"},
	}
	if diff := gocmp.Diff(want, s.Lines); diff != "" {
		t.Error(diff)
	}
	if s.Number != "IRS2026000000001" || !trade.ValidUUID(s.ETTN) || s.Status != trade.ShipmentPrepared || s.EDocument.Status != trade.EDocumentQueued || s.WarehouseID != d.house.ID {
		t.Errorf("%+v", s)
	}
	if s.IssueDate != "2026-09-15" || s.DespatchAt != trade.At(start) || s.Buyer.Name != d.customer.Name || s.Seller.TaxNumber != "1234567890" || s.DeliveryAddress.PostalCode != "06690" {
		t.Errorf("%+v", s)
	}
	o = d.getOrder(d.who, o.ID)
	if o.Status != trade.OrderShipped || o.Lines[0].Shipped != 3_000_000 || o.Lines[0].Reserved != 0 || len(o.ShipmentIDs) != 1 || o.ShipmentIDs[0] != s.ID {
		t.Errorf("%+v", o)
	}
	if queued := sqlRows[string](d.book, "SELECT owner FROM courier"); len(queued) != 1 || queued[0] != s.ID {
		t.Errorf("queued: %v", queued)
	}
	events := sqlRow[string](d.book, "SELECT group_concat(event, ' ') FROM (SELECT event FROM events WHERE event LIKE 'order.%' OR event LIKE 'shipment.%' ORDER BY n)")
	if events != "order.created order.confirmed shipment.created order.shipped" {
		t.Errorf("events: %s", events)
	}
}

// An order leaves in parts, from what is held and from what is free.
func TestShippingInParts(t *testing.T) {
	d := openDepot(t, "4")
	wish := d.wants("6")
	short := d.order(d.who, wish)
	e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.ConfirmOrder(short.ID); return err })
	if e.Kind != trade.Conflict || fields(e) != "lines[0] insufficient_stock" || e.Error() != "lines[0]: P000001 Defter: 6 wanted, 4 available." {
		t.Errorf("%v with %s", e, fields(e))
	}
	wish.Backorder = true
	o := d.confirmed(wish)
	if o.Lines[0].Reserved != 4_000_000 {
		t.Errorf("reserved %s", o.Lines[0].Reserved)
	}
	d.ship(o.ID, van(trade.ShippingLine{Line: 1, Quantity: quantity("1.5")}))
	d.stands("a part", "2.5, 2.5")
	if o = d.getOrder(d.who, o.ID); o.Status != trade.OrderPartiallyShipped || o.Lines[0].Reserved != 2_500_000 || o.Lines[0].Shipped != 1_500_000 {
		t.Errorf("%s %+v", o.Status, o.Lines[0])
	}
	for about, test := range map[string]struct {
		line trade.ShippingLine
		want string
	}{
		"more than is left": {trade.ShippingLine{Line: 1, Quantity: quantity("4.6")}, "lines[0].quantity exceeds_rest"},
		"nothing":           {trade.ShippingLine{Line: 1, Quantity: quantity("0")}, "lines[0].quantity must_be_positive"},
		"no such line":      {trade.ShippingLine{Line: 2}, "lines[0].line out_of_range"},
		"what is not there": {trade.ShippingLine{Line: 1}, "lines[0] insufficient_stock"},
	} {
		if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.ShipOrder(o.ID, van(test.line)); return err }); fields(e) != test.want {
			t.Errorf("%s: %v with %s", about, e, fields(e))
		}
	}
	d.put(trade.Adjustment{ProductID: d.goods.ID, Quantity: quantity("10")})
	second := d.ship(o.ID, van())
	d.stands("the rest", "8, 0")
	if o = d.getOrder(d.who, o.ID); o.Status != trade.OrderShipped || second.Number != "IRS2026000000002" || len(o.ShipmentIDs) != 2 {
		t.Errorf("%s %s %v", o.Status, second.Number, o.ShipmentIDs)
	}
	if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.ShipOrder(o.ID, van()); return err }); e.Code != trade.InvalidState {
		t.Errorf("shipped again: %v", e)
	}
}

// Everything the note lacks is told at once, and nothing is used up.
func TestShippingWithoutWhatTheNoteNeeds(t *testing.T) {
	d := openDepot(t, "10")
	o := d.confirmed(d.wants("1"))
	for about, test := range map[string]struct {
		in   trade.Shipping
		want string
	}{
		"nobody drives":    {trade.Shipping{}, "drivers driver_or_carrier_required"},
		"no plate":         {trade.Shipping{Drivers: van().Drivers}, "plate needed_for_document"},
		"no postal code":   {trade.Shipping{Carrier: &trade.Carrier{Name: "Kargo", TaxNumber: trade.CompleteVKN("123456789")}, DeliveryAddress: &trade.Address{District: "Konak", City: "İzmir"}, Lines: []trade.ShippingLine{{Line: 9}}}, "deliveryAddress.postalCode needed_for_document, lines[0].line out_of_range"},
		"no warehouse":     {trade.Shipping{WarehouseID: "whs_x", Plate: van().Plate, Drivers: van().Drivers}, "warehouseId not_found"},
		"before the note":  {trade.Shipping{DespatchAt: trade.At(start.AddDate(0, 0, -1)), Plate: van().Plate, Drivers: van().Drivers}, "despatchAt out_of_range"},
		"an endless label": {trade.Shipping{ExternalID: string(make([]byte, 101)), Plate: van().Plate, Drivers: van().Drivers}, "externalId too_long"},
	} {
		if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.ShipOrder(o.ID, test.in); return err }); fields(e) != test.want {
			t.Errorf("%s: %v with %s, want %s", about, e, fields(e), test.want)
		}
	}
	d.stands("refused", "10, 1")
	if n := sqlRow[int](d.book, "SELECT count(*) FROM numbers WHERE series LIKE 'IRS%'"); n != 0 {
		t.Error("a number was used up")
	}
}

// Lots leave by their day, serial numbers by name, and both stand on the note.
func TestShippingLotsAndSerials(t *testing.T) {
	d := openDepot(t, "1")
	milk := d.product(d.who, trade.Product{Name: "Süt", Tracking: trade.ByLot, SalePrice: 10 * lira})
	phone := d.product(d.who, trade.Product{Name: "Telefon", Tracking: trade.BySerial, SalePrice: 10 * lira})
	d.put(trade.Adjustment{ProductID: milk.ID, Quantity: quantity("5"), LotNo: "GEÇ", ExpiresAt: "2027-01-01"})
	d.put(trade.Adjustment{ProductID: milk.ID, Quantity: quantity("5"), LotNo: "ERKEN", ExpiresAt: "2026-12-01"})
	d.put(trade.Adjustment{ProductID: phone.ID, Quantity: quantity("3"), SerialNos: []string{"S1", "S2", "S3"}})
	wish := d.wantsOf(milk.ID, "7")
	wish.Lines = append(wish.Lines, trade.OrderLine{Line: trade.Line{ProductID: phone.ID, Quantity: *quantity("2"), SerialNos: []string{"S3", "S1"}}})
	o := d.confirmed(wish)
	s := d.ship(o.ID, van())
	type lot struct {
		line    int
		much    money.Quantity
		lot     string
		expires trade.Date
		serials []string
	}
	var got []lot
	for _, l := range s.Lines {
		got = append(got, lot{l.OrderLine, l.Quantity, l.LotNo, l.ExpiryDate, l.SerialNos})
	}
	want := []lot{{1, 5_000_000, "ERKEN", "2026-12-01", nil}, {1, 2_000_000, "GEÇ", "2027-01-01", nil}, {2, 2_000_000, "", "", []string{"S3", "S1"}}}
	if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(lot{})); diff != "" {
		t.Error(diff)
	}
	d.take(s.ID)
	d.write(d.who, func(tx *store.Tx) error {
		return into(&s)(tx.ReturnShipment(s.ID, trade.Return{Lines: []trade.ReturnLine{{Line: 2, Quantity: quantity("1")}, {Line: 3, SerialNos: []string{"S1"}}}}))
	})
	left := sqlRow[string](d.book, "SELECT group_concat(printf('%s %g', lot, on_hand / 1e6), ', ') FROM (SELECT lot, on_hand FROM lots ORDER BY lot)")
	if left != "GEÇ 4, S1 1, S2 1" || s.Status != trade.ShipmentDespatched {
		t.Errorf("in stock %q, %s", left, s.Status)
	}
	for about, line := range map[string]trade.ReturnLine{
		"what is back already": {Line: 3, SerialNos: []string{"S1"}}, "too few numbers": {Line: 3, Quantity: quantity("1"), SerialNos: []string{"S1", "S3"}}, "what never left": {Line: 3, SerialNos: []string{"S2"}},
	} {
		if e := d.refused(d.who, func(tx *store.Tx) error {
			_, err := tx.ReturnShipment(s.ID, trade.Return{Lines: []trade.ReturnLine{line}})
			return err
		}); e.Kind != trade.Invalid {
			t.Errorf("%s: %v", about, e)
		}
	}
	d.write(d.who, func(tx *store.Tx) error { return into(&s)(tx.ReturnShipment(s.ID, trade.Return{})) })
	if left = sqlRow[string](d.book, "SELECT group_concat(printf('%s %g', lot, on_hand / 1e6), ', ') FROM (SELECT lot, on_hand FROM lots ORDER BY lot)"); left != "ERKEN 5, GEÇ 5, S1 1, S2 1, S3 1" || s.Status != trade.ShipmentReturned {
		t.Errorf("in stock %q, %s", left, s.Status)
	}
	if o = d.getOrder(d.who, o.ID); o.Status != trade.OrderShipped || o.Lines[0].Returned != 7_000_000 || o.Lines[0].Due() != 0 {
		t.Errorf("%s %+v", o.Status, o.Lines[0])
	}
}

// take lets the tax office take a note.
func (d *depot) take(shipment string) {
	d.t.Helper()
	d.answer(d.who, shipment, store.Answer{Outcome: trade.Taken, Code: "1300", Envelope: "env"})
}

// Each order is confirmed from its own warehouse, and may leave from another one.
func TestShippingFromAnotherWarehouse(t *testing.T) {
	d := openDepot(t, "5")
	var branch trade.Warehouse
	d.write(d.who, func(tx *store.Tx) error { return into(&branch)(tx.CreateWarehouse(trade.Warehouse{Name: "Şube"})) })
	d.put(trade.Adjustment{ProductID: d.goods.ID, WarehouseID: branch.ID, Quantity: quantity("5")})
	o := d.confirmed(d.wants("5"))
	in := van(trade.ShippingLine{Line: 1, Quantity: quantity("2")})
	in.WarehouseID = branch.ID
	if s := d.ship(o.ID, in); s.WarehouseID != branch.ID {
		t.Errorf("from %s", s.WarehouseID)
	}
	stock := sqlRow[string](d.book, "SELECT group_concat(printf('%g %g', on_hand / 1e6, reserved / 1e6), ', ') FROM (SELECT * FROM stock ORDER BY n)")
	if o = d.getOrder(d.who, o.ID); stock != "5 3, 3 0" || o.Lines[0].Reserved != 3_000_000 {
		t.Errorf("stock %s, the order holds %s", stock, o.Lines[0].Reserved)
	}
	d.clock.Advance(time.Minute)
	d.ship(o.ID, van())
	if stock = sqlRow[string](d.book, "SELECT group_concat(printf('%g %g', on_hand / 1e6, reserved / 1e6), ', ') FROM (SELECT * FROM stock ORDER BY n)"); stock != "2 0, 3 0" {
		t.Errorf("stock %s", stock)
	}
}
