package trade

import (
	"fmt"
	"slices"
)

// OrderState is where an order stands.
type OrderState string

// The states of an order.
const (
	OrderDraft            OrderState = "DRAFT"
	OrderPendingApproval  OrderState = "PENDING_APPROVAL"
	OrderConfirmed        OrderState = "CONFIRMED"
	OrderPartiallyShipped OrderState = "PARTIALLY_SHIPPED"
	OrderShipped          OrderState = "SHIPPED"
	OrderCancelled        OrderState = "CANCELLED"
)

// Values lists the states of an order.
func (OrderState) Values() []string {
	return []string{"DRAFT", "PENDING_APPROVAL", "CONFIRMED", "PARTIALLY_SHIPPED", "SHIPPED", "CANCELLED"}
}

// OrderAction is what can happen to an order.
type OrderAction string

// The actions on an order. Edit and Discard are the caller's on a draft. What a
// caller asks for as confirm is Hold when the price needs approval, and what one
// asks for as ship is ShipPart when something is left to be shipped. An order with
// nothing to be despatched is Ship once all of it is invoiced. Close gives up what is
// left. Recall follows when a shipment is cancelled: nothing is shipped any more, or
// only a part.
const (
	EditOrder     OrderAction = "edit"
	DiscardOrder  OrderAction = "delete"
	ConfirmOrder  OrderAction = "confirm"
	HoldOrder     OrderAction = "hold"
	ApproveOrder  OrderAction = "approve"
	RejectOrder   OrderAction = "reject"
	ShipPartOrder OrderAction = "ship-part"
	ShipOrder     OrderAction = "ship"
	CloseOrder    OrderAction = "close"
	CancelOrder   OrderAction = "cancel"
	RecallOrder   OrderAction = "recall"
	RecallPart    OrderAction = "recall-part"
)

// Inner tells whether nobody asks for the action: it follows from something else.
func (a OrderAction) Inner() bool {
	return a == HoldOrder || a == ShipPartOrder || a == RecallOrder || a == RecallPart
}

// OrderMoves is the whole life of an order. Once anything has left the house it is
// not cancelled any more: goods come back by a return, and what is left is given up by
// closing it.
var OrderMoves = Moves[OrderState, OrderAction]{
	OrderDraft: {
		EditOrder: OrderDraft, DiscardOrder: OrderDraft,
		ConfirmOrder: OrderConfirmed, HoldOrder: OrderPendingApproval, CancelOrder: OrderCancelled,
	},
	OrderPendingApproval: {ApproveOrder: OrderDraft, RejectOrder: OrderDraft, CancelOrder: OrderCancelled},
	OrderConfirmed: {
		ShipPartOrder: OrderPartiallyShipped, ShipOrder: OrderShipped, CloseOrder: OrderShipped, CancelOrder: OrderCancelled,
	},
	OrderPartiallyShipped: {
		ShipPartOrder: OrderPartiallyShipped, ShipOrder: OrderShipped, CloseOrder: OrderShipped,
		RecallOrder: OrderConfirmed, RecallPart: OrderPartiallyShipped,
	},
	OrderShipped: {RecallOrder: OrderConfirmed, RecallPart: OrderPartiallyShipped},
}

// Next is the state after action, or the Conflict that says why it may not be.
func (o *Order) Next(a OrderAction) (OrderState, error) {
	to, err := OrderMoves.Next(o.Status, a)
	if err != nil {
		return to, o.refuse(string(a))
	}
	return to, nil
}

// invoiceOrder is what Bill does, of which the table does not know: the state stays.
const invoiceOrder = "invoice"

// refuse is the Conflict of something that cannot be done as the order stands.
func (o *Order) refuse(action string) *Error {
	can := OrderMoves.possible(o.Status, o.barred()...)
	if o.billable() && slices.ContainsFunc(o.Lines, func(l OrderLine) bool { return l.Due() > 0 }) {
		can = append(can, invoiceOrder)
	}
	return NotPossible(action, string(o.Status), can...)
}

// barred are the actions that some order in its state may be asked for, but not this
// one: it has nothing left to ship, nothing shipped to stay with, or is invoiced.
func (o *Order) barred() (not []OrderAction) {
	if len(o.rest()) == 0 {
		not = append(not, ShipOrder)
	}
	if !slices.ContainsFunc(o.Lines, func(l OrderLine) bool { return l.Shipped > 0 }) {
		not = append(not, CloseOrder)
	}
	if slices.ContainsFunc(o.Lines, func(l OrderLine) bool { return l.Invoiced > 0 }) {
		not = append(not, CancelOrder)
	}
	return not
}

// Move applies action, or reports why it may not. A cancelled order holds nothing
// back for its customer, and owes no service.
func (o *Order) Move(a OrderAction) error {
	to, err := o.Next(a)
	if err != nil {
		return err
	}
	o.Status = to
	if to == OrderCancelled {
		for i := range o.Lines {
			o.Lines[i].Reserved, o.Lines[i].Shipped = 0, 0
		}
	}
	return nil
}

// CheckUnits finds goods that are ordered in another unit than they are kept in: stock
// cannot hold back boxes of what it counts in pieces.
func (o *Order) CheckUnits(f *Check, products map[string]*Product) {
	for i := range o.Lines {
		l := &o.Lines[i]
		if p := products[l.ProductID]; p != nil && p.Type == Goods {
			OneOf(f.In(fmt.Sprintf("lines[%d]", i)), "unit", l.Unit, p.Unit)
		}
	}
}

// Confirm makes the order ready for shipment. Services count as shipped: no despatch
// note speaks of them, and they are invoiced with the goods or without.
func (o *Order) Confirm(products map[string]*Product) error {
	if err := o.Move(ConfirmOrder); err != nil {
		return err
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		if p := products[l.ProductID]; p != nil && p.Type == Service {
			l.Service, l.Shipped = true, l.Quantity
		}
	}
	return nil
}

// Hold lets the order wait for somebody who may approve its prices.
func (o *Order) Hold(a PriceApproval) error {
	if err := o.Move(HoldOrder); err != nil {
		return err
	}
	o.PriceApproval = a
	return nil
}

// Cancel cancels an order of which nothing is shipped and nothing invoiced. invoices
// are those of the order; to give them up helps only where no goods have left.
func (o *Order) Cancel(invoices []Invoice) error {
	billed := slices.IndexFunc(o.Lines, func(l OrderLine) bool { return l.Invoiced > 0 })
	if billed >= 0 && !o.onNotes() {
		return o.billedBy(invoices, billed+1)
	}
	return o.Move(CancelOrder)
}

// Close gives up what is left of an order of which something was shipped: nothing is
// held back for it any more. One of which nothing was is cancelled instead.
func (o *Order) Close() error {
	if slices.Contains(o.barred(), CloseOrder) {
		return o.refuse(string(CloseOrder))
	}
	if err := o.Move(CloseOrder); err != nil {
		return err
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		l.Cancelled, l.Reserved = l.Cancelled+l.Left(), 0
	}
	return nil
}
