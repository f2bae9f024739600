package server

import (
	"esnaf/server/wire"
	"esnaf/store"
)

func products() wire.Resource {
	return wire.Resource{
		Name: "products",
		A: []wire.Route{
			wire.List("/products", "products:read", store.Products),
			wire.Create("/products", "products:create", (*store.Tx).CreateProduct),
			wire.Read("/products/{id}", "products:read", store.Products),
		},
		B: []wire.Route{
			wire.List("/products", "products:read", store.Products),
			wire.Read("/products/{id}", "products:read", store.Products),
		},
	}
}
