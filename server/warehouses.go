package server

import (
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// warehouses go by the scopes of inventory, which keys of both interfaces can have.
func warehouses() wire.Resource {
	routes := wire.Records("/warehouses", "inventory", wire.Ops[trade.Warehouse, *trade.Warehouse]{
		Table: store.Warehouses, Create: (*store.Tx).CreateWarehouse, Update: (*store.Tx).UpdateWarehouse, Delete: (*store.Tx).DeleteWarehouse,
	})
	return wire.Resource{Name: "warehouses", A: routes, B: routes}
}
