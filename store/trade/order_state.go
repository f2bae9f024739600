package trade

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
// asks for as ship is ShipPart when something is left to be shipped.
const (
	EditOrder     OrderAction = "edit"
	DiscardOrder  OrderAction = "delete"
	ConfirmOrder  OrderAction = "confirm"
	HoldOrder     OrderAction = "hold"
	ApproveOrder  OrderAction = "approve"
	RejectOrder   OrderAction = "reject"
	ShipPartOrder OrderAction = "ship-part"
	ShipOrder     OrderAction = "ship"
	CancelOrder   OrderAction = "cancel"
)

// OrderMoves is the whole life of an order. Once anything has left the house it is
// not cancelled any more: goods come back by a return.
var OrderMoves = Moves[OrderState, OrderAction]{
	OrderDraft: {
		EditOrder: OrderDraft, DiscardOrder: OrderDraft,
		ConfirmOrder: OrderConfirmed, HoldOrder: OrderPendingApproval, CancelOrder: OrderCancelled,
	},
	OrderPendingApproval:  {ApproveOrder: OrderDraft, RejectOrder: OrderDraft, CancelOrder: OrderCancelled},
	OrderConfirmed:        {ShipPartOrder: OrderPartiallyShipped, ShipOrder: OrderShipped, CancelOrder: OrderCancelled},
	OrderPartiallyShipped: {ShipPartOrder: OrderPartiallyShipped, ShipOrder: OrderShipped},
}

// Move applies action, or reports why it may not. A cancelled order holds nothing
// back for its customer.
func (o *Order) Move(a OrderAction) error {
	to, err := OrderMoves.Next(o.Status, a)
	if err != nil {
		return err
	}
	o.Status = to
	if to == OrderCancelled {
		for i := range o.Lines {
			o.Lines[i].Reserved = 0
		}
	}
	return nil
}

// ApprovalReason says why the price of an order needs approval.
type ApprovalReason string

// The reasons: below the product's minimumPrice, or a discount over the limit of
// who gives it.
const (
	PriceBelowMinimum  ApprovalReason = "PRICE_BELOW_MINIMUM"
	DiscountAboveLimit ApprovalReason = "DISCOUNT_ABOVE_LIMIT"
)

// Values lists the reasons.
func (ApprovalReason) Values() []string {
	return []string{"PRICE_BELOW_MINIMUM", "DISCOUNT_ABOVE_LIMIT"}
}

// PriceApproval is whether the price of an order needs approval, and who gave it
// (fiyat onayı). It is about the lines as they are: changing them takes it away.
type PriceApproval struct {
	Required   bool             `json:"required"`
	Reasons    []ApprovalReason `json:"reasons"`
	ApprovedBy string           `json:"approvedBy,omitempty" doc:"id of the user"`
	ApprovedAt Instant          `json:"approvedAt,omitzero"`
}
