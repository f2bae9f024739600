package server

import (
	"net/http"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

func orders() wire.Resource {
	routes := append(wire.Records("/orders", "orders", wire.Ops[trade.Order, *trade.Order]{
		Table: store.Orders, Create: (*store.Tx).CreateOrder, Update: (*store.Tx).UpdateOrder, Delete: (*store.Tx).DeleteOrder,
	}),
		wire.Action[trade.Order]("/orders/{id}/cancel", "orders:update", http.StatusOK, (*store.Tx).CancelOrder).Emits(trade.EventOrderCancelled),
	)
	return wire.Resource{Name: "orders", A: routes, B: routes}
}
