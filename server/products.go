package server

import (
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

func products() wire.Resource {
	routes := wire.Records("/products", "products", wire.Ops[trade.Product, *trade.Product]{
		Table: store.Products, Create: (*store.Tx).CreateProduct, Update: (*store.Tx).UpdateProduct, Delete: (*store.Tx).DeleteProduct,
	})
	return wire.Resource{Name: "products", A: routes, B: routes}
}
