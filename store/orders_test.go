package store_test

import (
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// wish is an order of 2 pieces at 100.00 with 20 percent VAT.
func wish(company string) trade.Order {
	return trade.Order{CompanyID: company, Lines: []trade.OrderLine{{Line: line("Danışmanlık", "100")}}}
}

func (b *book) order(who store.Who, o trade.Order) (out trade.Order) {
	b.t.Helper()
	b.write(who, func(tx *store.Tx) error { return into(&out)(tx.CreateOrder(o)) })
	return out
}

func (b *book) getOrder(who store.Who, id string) (o trade.Order) {
	b.t.Helper()
	b.read(who, func(v *store.View) (err error) { o, err = store.Orders.Get(v, id); return err })
	return o
}

// ordered makes an order and puts it into a state.
func (b *book) ordered(company string, state trade.OrderState) trade.Order {
	b.t.Helper()
	o := b.order(b.who, wish(company))
	o.Status, o.Lines[0].Reserved = state, 1_000_000
	b.write(b.who, func(tx *store.Tx) error { return into(&o)(tx.RestateOrder(o)) })
	return o
}

// Every state and every action that a caller has: one that is possible leads where
// the table says, any other changes nothing and is refused for the state's sake.
func TestEveryMoveOfAnOrder(t *testing.T) {
	b := open(t)
	company := b.company(b.who, buyer()).ID
	for _, state := range trade.OrderState("").Values() {
		from := trade.OrderState(state)
		for action, do := range map[trade.OrderAction]func(*store.Tx, string) error{
			trade.EditOrder: func(tx *store.Tx, id string) error {
				_, err := tx.UpdateOrder(id, store.Any, wish(company))
				return err
			},
			trade.CancelOrder:  func(tx *store.Tx, id string) error { _, err := tx.CancelOrder(id); return err },
			trade.DiscardOrder: func(tx *store.Tx, id string) error { return tx.DeleteOrder(id, store.Any) },
		} {
			o := b.ordered(company, from)
			to, allowed := trade.OrderMoves[from][action]
			if !allowed {
				e := b.refused(b.who, func(tx *store.Tx) error { return do(tx, o.ID) })
				if e.Kind != trade.Conflict || e.Code != trade.InvalidState {
					t.Errorf("%s in %s: %v", action, from, e)
				}
				if diff := gocmp.Diff(o, b.getOrder(b.who, o.ID)); diff != "" {
					t.Errorf("%s in %s changed it:\n%s", action, from, diff)
				}
				continue
			}
			b.write(b.who, func(tx *store.Tx) error { return do(tx, o.ID) })
			if action == trade.DiscardOrder {
				if n := sqlRow[int](b, "SELECT count(*) FROM orders WHERE id = ? AND deleted_at IS NOT NULL", o.ID); n != 1 {
					t.Errorf("%s is not deleted", from)
				}
				continue
			}
			now := b.getOrder(b.who, o.ID)
			if now.Status != to || now.Version != o.Version+1 || now.Lines[0].Reserved != 0 {
				t.Errorf("%s in %s leads to %s, version %d, %s reserved", action, from, now.Status, now.Version, now.Lines[0].Reserved)
			}
		}
	}
}

// Numbers are drawn past those that callers took, and are free again once their
// order is deleted.
func TestOrderNumbers(t *testing.T) {
	b := open(t)
	company := b.company(b.who, buyer()).ID
	own := wish(company)
	own.Number = "O000002"
	taken := b.order(b.who, own)
	first, second := b.order(b.who, wish(company)), b.order(b.who, wish(company))
	if first.Number != "O000001" || second.Number != "O000003" {
		t.Errorf("drawn: %s and %s", first.Number, second.Number)
	}
	if e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.CreateOrder(own); return err }); e.Code != trade.Duplicate || fields(e) != "number duplicate" {
		t.Errorf("a second %s: %v", own.Number, e)
	}
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteOrder(taken.ID, store.Any) })
	b.order(b.who, own)
}

// An order that a quote becomes keeps the quote, whatever its callers write; states
// and links are nobody's to set.
func TestWhatACallerCannotSetOfAnOrder(t *testing.T) {
	b := open(t)
	company := b.company(b.who, buyer()).ID
	from := wish(company)
	from.QuoteID, from.Status, from.ShipmentIDs = "quo_1", trade.OrderShipped, []string{"shp_1"}
	from.PriceApproval = trade.PriceApproval{Required: true, ApprovedBy: "usr_1"}
	o := b.order(b.who, from)
	if o.QuoteID != "quo_1" || o.Status != trade.OrderDraft || len(o.ShipmentIDs) > 0 || o.PriceApproval.Required {
		t.Errorf("made: %+v", o)
	}
	o.PriceApproval = trade.PriceApproval{Reasons: []trade.ApprovalReason{trade.PriceBelowMinimum}, ApprovedBy: "usr_1", ApprovedAt: 5}
	b.write(b.who, func(tx *store.Tx) error { return into(&o)(tx.RestateOrder(o)) })
	change := wish(company)
	change.Notes = "acele"
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.UpdateOrder(o.ID, store.Any, change); return err })
	o = b.getOrder(b.who, o.ID)
	if o.QuoteID != "quo_1" || o.Number != "O000001" || o.Notes != "acele" || o.PriceApproval.ApprovedBy != "usr_1" {
		t.Errorf("changed: %+v", o)
	}
	change.Lines[0].UnitPrice = new(must(money.ParsePrice("90")))
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.UpdateOrder(o.ID, store.Any, change); return err })
	o = b.getOrder(b.who, o.ID)
	if o.PriceApproval.ApprovedBy != "" || o.Total != 21600 {
		t.Errorf("approved by %q at another price", o.PriceApproval.ApprovedBy)
	}
}

// A shipment takes customer, address and goods from its order, and the next number
// of the despatch notes; its day is that of the account's zone.
func TestAddingAShipment(t *testing.T) {
	b := open(t)
	o := b.order(b.who, wish(b.company(b.who, buyer()).ID))
	late := trade.At(time.Date(2026, 9, 30, 21, 30, 0, 0, time.UTC)) // the next day in Turkey
	var first, second trade.Shipment
	b.write(b.who, func(tx *store.Tx) error {
		s := trade.Shipment{OrderID: o.ID, Plate: "34 ABC 123", Lines: []trade.ShipmentLine{{OrderLine: 1, Quantity: 500_000, LotNo: "L1"}}}
		if err := into(&first)(tx.AddShipment(s)); err != nil {
			return err
		}
		s.DespatchAt, s.DeliveryAddress = late, &trade.Address{City: "Muğla", Country: "TR"}
		return into(&second)(tx.AddShipment(s))
	})
	if first.Number != "IRS2026000000001" || first.DespatchAt != trade.At(start) || first.DespatchDate != "2026-09-15" || !trade.ValidUUID(first.ETTN) || first.ETTN == second.ETTN {
		t.Errorf("%+v", first)
	}
	if first.Status != trade.ShipmentPrepared || first.EDocument.Status != trade.EDocumentNone || first.CompanyID != o.CompanyID || first.CompanyName != o.CompanyName || first.DeliveryAddress.City != "Ankara" {
		t.Errorf("%+v", first)
	}
	if diff := gocmp.Diff([]trade.ShipmentLine{{OrderLine: 1, Name: "Danışmanlık", Quantity: 500_000, Unit: "C62", LotNo: "L1"}}, first.Lines); diff != "" {
		t.Error(diff)
	}
	if second.Number != "IRS2026000000002" || second.DespatchDate != "2026-10-01" || second.DeliveryAddress.City != "Muğla" {
		t.Errorf("%+v", second)
	}
	for _, test := range []struct {
		q    trade.Query
		want int
	}{
		{trade.Query{Search: "34 abc"}, 2},
		{trade.Query{Search: "irs2026000000002"}, 1},
		{trade.Query{From: "2026-10-01"}, 1},
		{trade.Query{To: "2026-09-30"}, 1},
		{trade.Query{CompanyID: o.CompanyID}, 2},
		{trade.Query{CompanyID: "cmp_x"}, 0},
		{trade.Query{Status: "PREPARED"}, 2},
		{trade.Query{Status: "DELIVERED"}, 0},
	} {
		if found, _ := list[trade.Shipment](b, b.who, &store.Shipments.List, test.q); len(found) != test.want {
			t.Errorf("%+v finds %d, want %d", test.q, len(found), test.want)
		}
	}
	if events := sqlRow[int](b, "SELECT count(*) FROM events WHERE event = 'shipment.created'"); events != 2 {
		t.Errorf("%d events", events)
	}
}

// A shipment of what its order does not have uses up no number.
func TestShipmentsThatCannotBe(t *testing.T) {
	b := open(t)
	o := b.order(b.who, wish(b.company(b.who, buyer()).ID))
	for about, test := range map[string]struct {
		s    trade.Shipment
		want string
	}{
		"no such line": {trade.Shipment{OrderID: o.ID, Lines: []trade.ShipmentLine{{OrderLine: 2, Quantity: 1}, {Quantity: 1}}}, "lines[0].orderLine out_of_range, lines[1].orderLine out_of_range"},
		"nothing":      {trade.Shipment{OrderID: o.ID, Lines: []trade.ShipmentLine{{OrderLine: 1}}}, "lines[0].quantity must_be_positive"},
		"no order":     {trade.Shipment{OrderID: "ord_x"}, ""},
	} {
		if e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.AddShipment(test.s); return err }); fields(e) != test.want {
			t.Errorf("%s: %v with %s", about, e, fields(e))
		}
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM numbers WHERE series LIKE 'IRS%'"); n != 0 {
		t.Error("a number was used up")
	}
}
