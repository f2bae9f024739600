package standin_test

import (
	"testing"

	"esnaf/server/standin"
	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// TestOrders looks at the orders and shipments of both accounts: every state occurs,
// and what an order says of its shipments is what they are.
func TestOrders(t *testing.T) {
	db := open(t, noon, 1)
	d := seed(t, db, nil)
	for _, te := range d.Tenants {
		shipments := map[string]trade.Shipment{}
		states := map[string]int{}
		var last trade.Date
		for i, s := range all[trade.Shipment](t, db, te.ID, &store.Shipments.List, "number") {
			shipments[s.ID] = s
			states["shipment "+string(s.Status)]++
			if want := trade.DocumentNumber(s.Number[:3], 2026, i+1); s.Number != want || s.DespatchDate < last || s.DespatchDate > trade.DateOf(noon) {
				t.Errorf("%s: note %s of %s after one of %s, want %s", te.Name, s.Number, s.DespatchDate, last, want)
			}
			if last = s.DespatchDate; len(s.Drivers) == 0 && s.Carrier == nil {
				t.Errorf("%s: nobody drives %s", te.Name, s.Number)
			}
		}
		for _, o := range all[trade.Order](t, db, te.ID, &store.Orders.List, "number") {
			states["order "+string(o.Status)]++
			adds(t, te, &o, shipments)
		}
		for _, state := range trade.OrderState("").Values() {
			if states["order "+state] == 0 {
				t.Errorf("%s: no order is %s", te.Name, state)
			}
		}
		for _, state := range trade.ShipmentState("").Values() {
			if states["shipment "+state] == 0 {
				t.Errorf("%s: no shipment is %s", te.Name, state)
			}
		}
	}
}

// adds compares what of an order is shipped and reserved with its state and with its
// shipments.
func adds(t *testing.T, te standin.DemoTenant, o *trade.Order, shipments map[string]trade.Shipment) {
	t.Helper()
	shipped := make([]money.Quantity, len(o.Lines))
	for _, id := range o.ShipmentIDs {
		s := shipments[id]
		if s.OrderID != o.ID || s.CompanyID != o.CompanyID || s.DespatchDate < o.OrderDate {
			t.Errorf("%s: %s has the shipment %q of %s", te.Name, o.Number, s.Number, s.OrderID)
		}
		for _, l := range s.Lines {
			if s.Status != trade.ShipmentCancelled {
				shipped[l.OrderLine-1] += l.Quantity
			}
		}
	}
	all, some := true, false
	for i, l := range o.Lines {
		all, some = all && l.Shipped == l.Quantity, some || l.Shipped > 0
		held := l.Quantity - l.Shipped
		if o.Status == trade.OrderDraft || o.Status == trade.OrderPendingApproval || o.Status == trade.OrderCancelled {
			held = 0
		}
		if l.Shipped != shipped[i] || l.Reserved != held {
			t.Errorf("%s: %s line %d: %s shipped, %s reserved, want %s and %s", te.Name, o.Number, i, l.Shipped, l.Reserved, shipped[i], held)
		}
	}
	if all != (o.Status == trade.OrderShipped) || some != (all || o.Status == trade.OrderPartiallyShipped) {
		t.Errorf("%s: %s is %s, but all %v, some %v shipped", te.Name, o.Number, o.Status, all, some)
	}
	if o.PriceApproval.Required != (o.Status == trade.OrderPendingApproval) {
		t.Errorf("%s: %s is %s with %+v", te.Name, o.Number, o.Status, o.PriceApproval)
	}
}
