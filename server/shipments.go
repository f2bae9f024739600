package server

import (
	"esnaf/server/wire"
	"esnaf/store"
)

// shipments are made by shipping an order, so they are only read here.
func shipments() wire.Resource {
	routes := []wire.Route{
		wire.List("/shipments", "shipments:read", store.Shipments),
		wire.Export("/shipments/export", "shipments:export", store.Shipments),
		wire.Read("/shipments/{id}", "shipments:read", store.Shipments),
	}
	return wire.Resource{Name: "shipments", A: routes, B: routes}
}
