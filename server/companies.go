package server

import (
	"esnaf/server/wire"
	"esnaf/store"
)

func companies() wire.Resource {
	return wire.Resource{
		Name: "companies",
		A: []wire.Route{
			wire.List("/companies", "companies:read", store.Companies),
			wire.Create("/companies", "companies:create", (*store.Tx).CreateCompany).KeyRequired(),
			wire.Read("/companies/{id}", "companies:read", store.Companies),
			wire.Update("/companies/{id}", "companies:update", (*store.Tx).UpdateCompany),
			wire.Delete("/companies/{id}", "companies:delete", (*store.Tx).DeleteCompany),
		},
		B: []wire.Route{
			wire.List("/companies", "companies:read", store.Companies),
			wire.Read("/companies/{id}", "companies:read", store.Companies),
		},
	}
}
