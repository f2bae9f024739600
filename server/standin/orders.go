package standin

import (
	"slices"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// wish is an order to be made: how far it has come, and what became of the one
// shipment that was made for it, "" for none.
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

// orders writes what customers have ordered, and takes it as far as it has come.
func (l *ledger) orders() error {
	for _, w := range wishes() {
		o, err := stored[trade.Order](l.tx.CreateOrder(l.order(w)))
		if err != nil {
			return err
		}
		if w.status == trade.OrderDraft {
			continue
		}
		if err := l.bring(&o, w); err != nil {
			return err
		}
		if _, err := l.tx.RestateOrder(o); err != nil {
			return err
		}
	}
	return nil
}

// order draws who ordered what. One that waits for approval has a discount that
// nobody may give alone.
func (l *ledger) order(w wish) trade.Order {
	pool := slices.Concat(l.buyers[true], l.buyers[false])
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

// bring takes a draft as far as it has come. Of one that is shipped in part, the
// first line has left.
func (l *ledger) bring(o *trade.Order, w wish) error {
	o.Status = w.status
	switch w.status {
	case trade.OrderPendingApproval:
		o.PriceApproval = trade.PriceApproval{Required: true, Reasons: []trade.ApprovalReason{trade.DiscountAboveLimit}}
	case trade.OrderConfirmed, trade.OrderPartiallyShipped, trade.OrderShipped:
		for i := range o.Lines {
			o.Lines[i].Reserved = o.Lines[i].Quantity
		}
	}
	if w.shipment == "" {
		return nil
	}
	s := trade.Shipment{OrderID: o.ID, Status: w.shipment, DespatchAt: trade.At(l.tx.Now().AddDate(0, 0, 2-w.ago))}
	l.load(&s)
	for i := range o.Lines {
		if w.status == trade.OrderPartiallyShipped && i > 0 {
			break
		}
		line := &o.Lines[i]
		s.Lines = append(s.Lines, trade.ShipmentLine{OrderLine: i + 1, Quantity: line.Quantity})
		if w.shipment != trade.ShipmentCancelled {
			line.Reserved, line.Shipped = 0, line.Quantity
		}
	}
	s, err := stored[trade.Shipment](l.tx.AddShipment(s))
	o.ShipmentIDs = append(o.ShipmentIDs, s.ID)
	return err
}

// load draws who takes the goods along: the firm's own driver, or a carrier.
func (l *ledger) load(s *trade.Shipment) {
	if l.dice.IntN(3) == 0 {
		s.Carrier = &trade.Carrier{Name: "Poyraz Kargo Taşımacılık Anonim Şirketi", TaxNumber: trade.CompleteVKN("735104286")}
		return
	}
	s.Plate = []string{"34 PYZ 214", "34 RZG 873", "35 KRD 061"}[l.dice.IntN(3)]
	s.Drivers = []trade.Driver{{FirstName: "Hasan", LastName: "Karadağ", NationalID: trade.CompleteTCKN("317502846")}}
}
