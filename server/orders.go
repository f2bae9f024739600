package server

import (
	"net/http"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

func orders() wire.Resource {
	return wire.Resource{Name: "orders", A: orderRoutes("/invoices"), B: orderRoutes("/finance/invoices")}
}

// orderRoutes are those of one interface, which keeps its invoices under invoices.
// What makes an invoice needs the scope of invoices: who sells need not bill.
func orderRoutes(invoices string) []wire.Route {
	return append(wire.Records("/orders", "orders", wire.Ops[trade.Order, *trade.Order]{
		Table: store.Orders, Create: (*store.Tx).CreateOrder, Update: (*store.Tx).UpdateOrder, Delete: (*store.Tx).DeleteOrder,
	}),
		moveOrder("confirm", (*store.Tx).ConfirmOrder).Emits(trade.EventOrderConfirmed, trade.EventStockLow).
			Tells("Makes the order ready for shipment and reserves its goods, all of them: what stock does not cover is 409 insufficient_stock with a fault a line, unless the order says backorder. What is reserved without a lot's name is reserved of lots not past their day. "+
				"An order with a price below a product's minimumPrice, or a discount over the limit of the user who confirms, becomes PENDING_APPROVAL instead, and nothing is reserved. A low unit price counts as a discount from the product's price in the order's currency; where the product has none in it, a user with a limit needs approval (PRICE_NOT_COMPARABLE), for the order's own rate is no measure. A key has no such limit."),
		moveOrder("approve", (*store.Tx).ApproveOrder).Emits(trade.EventOrderApproved).
			Tells("Approves the order's prices: it is a draft again, to be confirmed once more. A user must be MASTER or ADMIN (403 role_required)."),
		wire.ActionWith[rejectInput, trade.Order]("/orders/{id}/reject", "orders:update", http.StatusOK,
			func(tx *store.Tx, id string, in rejectInput) (store.Doc, error) { return tx.RejectOrder(id, in.Reason) }).
			Tells("Refuses the order's prices: it is a draft again, to be changed. A user must be MASTER or ADMIN (403 role_required). The reason is required."),
		moveOrder("cancel", (*store.Tx).CancelOrder).Emits(trade.EventOrderCancelled),
		moveOrder("close", (*store.Tx).CloseOrder).
			Tells("Ends an order of which something was shipped: the rest of each line is given up (cancelled), nothing is reserved for it any more, and the order is SHIPPED. An order of which nothing was shipped is cancelled instead."),
		wire.ActionWith[trade.Shipping, trade.Shipment]("/orders/{id}/ship", "orders:update", http.StatusCreated, (*store.Tx).ShipOrder).
			At("/shipments").Emits(trade.EventOrderShipped, trade.EventShipmentCreated, trade.EventStockLow).
			Tells("Ships the order or a part of it: the goods leave the stock, the despatch note gets its number and the e-İrsaliye is queued, all or nothing. A driver with a plate, or a carrier, is required, and of the address district, province and postal code. "+
				"Lots that expire first leave first when none is named; a lot past its day leaves only by its name. What is reserved for the order leaves from where it is reserved, whichever warehouse is the default one by then, unless warehouseId names one; shipping other lots, pieces or warehouses than were reserved gives back as much of what was. Services are on no note: they count as shipped from confirmation on. The goods leave between the day of the note and 30 days later. "+
				"Customer and products may have been deleted since the order was confirmed."),
		wire.Action[trade.Invoice]("/orders/{id}/invoice", "invoices:create", http.StatusCreated, (*store.Tx).InvoiceOrder).
			At(invoices).Emits(trade.EventInvoiceCreated).
			Tells("Makes a draft for all that is shipped, has not come back and is on no invoice yet, with the order's prices, discounts and currency. A part of a line takes its share of discountAmount; the last one takes the rest. Deleting the draft, or cancelling the invoice, makes it due again. "+
				"What the draft bills stays as it is: customer, currency, lines and quantities cannot be changed. An order of services alone is SHIPPED once it is invoiced; until then it can be cancelled."),
	)
}

func moveOrder(action string, op func(*store.Tx, string) (store.Doc, error)) wire.Route {
	return wire.Action[trade.Order]("/orders/{id}/"+action, "orders:update", http.StatusOK, op)
}
