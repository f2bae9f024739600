package standin

import (
	"slices"
	"time"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
	"esnaf/ubl"
	"esnaf/ubl/gib"
)

// wish is an order to be made: how far it comes, and what becomes of the one shipment
// that is made for it, "" for none.
type wish struct {
	ago      int // days before the seeding
	status   trade.OrderState
	shipment trade.ShipmentState
}

// wishes are a firm's orders, the oldest first: numbers and dates rise together, those
// of the despatch notes too, as goods leave two days after they were ordered.
func wishes() []wish {
	return []wish{
		{78, trade.OrderShipped, trade.ShipmentDelivered},
		{66, trade.OrderShipped, trade.ShipmentDelivered},
		{61, trade.OrderCancelled, ""},
		{54, trade.OrderShipped, trade.ShipmentDelivered},
		{47, trade.OrderShipped, trade.ShipmentReturned},
		{40, trade.OrderShipped, trade.ShipmentDelivered},
		{31, trade.OrderShipped, trade.ShipmentDelivered},
		{27, trade.OrderCancelled, ""},
		{18, trade.OrderConfirmed, trade.ShipmentCancelled},
		{16, trade.OrderShipped, trade.ShipmentDelivered},
		{13, trade.OrderPartiallyShipped, trade.ShipmentDelivered},
		{8, trade.OrderShipped, trade.ShipmentDespatched},
		{7, trade.OrderPartiallyShipped, trade.ShipmentDespatched},
		{6, trade.OrderConfirmed, ""},
		{5, trade.OrderPartiallyShipped, trade.ShipmentPrepared},
		{4, trade.OrderConfirmed, ""},
		{3, trade.OrderPendingApproval, ""},
		{2, trade.OrderConfirmed, ""},
		{2, trade.OrderDraft, ""},
		{1, trade.OrderPendingApproval, ""},
		{1, trade.OrderDraft, ""},
		{0, trade.OrderDraft, ""},
	}
}

// step is something that happened on the way of an order.
type step struct {
	at time.Time
	do func() error
}

// orders writes what customers have ordered, and what became of it, in the order in
// which it happened: numbers and dates rise together.
func (l *ledger) orders() error {
	now := l.tx.Now()
	if err := l.stockUp(); err != nil {
		return err
	}
	var all []step
	for _, w := range wishes() {
		all = append(all, l.steps(w, now.AddDate(0, 0, -w.ago))...)
	}
	slices.SortStableFunc(all, func(a, b step) int { return a.at.Compare(b.at) })
	for _, s := range all {
		l.tx.Happen(s.at)
		if err := s.do(); err != nil {
			return err
		}
	}
	l.tx.Happen(now)
	return nil
}

// steps are the way of one order that came in at a moment. Goods leave two days later,
// arrive the day after, and come back within the week.
func (l *ledger) steps(w wish, came time.Time) []step {
	var o trade.Order
	var s trade.Shipment
	wanted := l.order(w)
	way := []step{{came, func() (err error) { o, err = stored[trade.Order](l.tx.CreateOrder(wanted)); return err }}}
	add := func(days int, do func() error) { way = append(way, step{came.AddDate(0, 0, days), do}) }
	switch w.status {
	case trade.OrderDraft:
		return way
	case trade.OrderCancelled:
		add(1, func() error { _, err := l.tx.CancelOrder(o.ID); return err })
		return way
	}
	add(0, func() error { _, err := l.tx.ConfirmOrder(o.ID); return err })
	if w.shipment == "" {
		return way
	}
	load := l.shipping(w.status == trade.OrderPartiallyShipped)
	add(2, func() (err error) { s, err = stored[trade.Shipment](l.tx.ShipOrder(o.ID, load)); return err })
	switch w.shipment {
	case trade.ShipmentPrepared:
		add(2, func() error { l.waiting = append(l.waiting, s.Number); return nil })
		return way
	case trade.ShipmentCancelled:
		add(2, func() error { _, err := l.tx.CancelShipment(s.ID); return err })
		return way
	}
	add(2, func() error { return l.handOver(&s) })
	switch w.shipment {
	case trade.ShipmentDelivered:
		add(3, func() error { _, err := l.tx.DeliverShipment(s.ID); return err })
	case trade.ShipmentReturned:
		add(6, func() error { _, err := l.tx.ReturnShipment(s.ID, trade.Return{}); return err })
	}
	return way
}

// handOver takes a despatch note to the tax office, which takes it.
func (l *ledger) handOver(s *trade.Shipment) error {
	xml, err := ubl.Despatch(nil, s)
	if err != nil {
		return err
	}
	e := store.Errand{Tenant: l.tenant, Owner: s.ID, Step: store.StepSubmit}
	envelope := l.ids.UUID()
	if err := l.tx.Post(e, s.Number, xml, envelope); err != nil {
		return err
	}
	e.Step, e.Envelope = store.StepHandOver, envelope
	return l.tx.Answer(e, said(trade.Taken, e, "1300", gib.NewStatus("1300").Text))
}

// order draws who ordered what. One that waits for approval has a price that nobody
// may give alone. Only who has a number can be sent a despatch note.
func (l *ledger) order(w wish) trade.Order {
	pool := slices.DeleteFunc(slices.Concat(l.buyers[true], l.buyers[false]), func(c trade.Company) bool { return c.TaxNumber == "" || c.Country != "TR" })
	buyer := &pool[l.dice.IntN(len(pool))]
	date := l.today.AddDays(-w.ago)
	o := trade.Order{CompanyID: buyer.ID, OrderDate: date, RequestedShipDate: date.AddDays(5), Lines: l.goods(buyer)}
	if buyer.Currency != "TRY" {
		o.ExchangeRate, o.ExchangeRateDate = exchangeRate(buyer.Currency, w.ago+1), date.AddDays(-1)
	}
	switch w.status {
	case trade.OrderPendingApproval:
		o.Lines[0].DiscountRate, o.Lines[0].DiscountAmount = new(money.Percent(35)), nil
	case trade.OrderConfirmed:
		o.PlannedShipments = []trade.PlannedShipment{{Date: o.RequestedShipDate, Notes: "Sabah teslim"}}
	}
	return o
}

// goods draws two to five lines of what can be shipped, priced in the buyer's
// currency.
func (l *ledger) goods(buyer *trade.Company) []trade.OrderLine {
	shelf := slices.DeleteFunc(slices.Clone(l.products[buyer.Currency]), func(p trade.Product) bool { return p.Type != trade.Goods })
	n := min(2+l.dice.IntN(4), len(shelf))
	lines := make([]trade.OrderLine, n)
	for i, at := range l.dice.Perm(len(shelf))[:n] {
		lines[i].Line = l.line(&shelf[at], buyer)
	}
	return lines
}

// shipping draws who takes the goods along: the firm's own driver, or a carrier. Of an
// order that is shipped in part, the first line leaves.
func (l *ledger) shipping(part bool) trade.Shipping {
	var in trade.Shipping
	if part {
		in.Lines = []trade.ShippingLine{{Line: 1}}
	}
	if l.dice.IntN(3) == 0 {
		in.Carrier = &trade.Carrier{Name: "Poyraz Kargo Taşımacılık Anonim Şirketi", TaxNumber: trade.CompleteVKN("735104286")}
		return in
	}
	in.Plate = []string{"34 PYZ 214", "34 RZG 873", "35 KRD 061"}[l.dice.IntN(3)]
	in.Drivers = []trade.Driver{{FirstName: "Hasan", LastName: "Karadağ", NationalID: trade.CompleteTCKN("317502846")}}
	return in
}
