package server

import (
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

func companies() wire.Resource {
	routes := wire.Records("/companies", "companies", wire.Ops[trade.Company, *trade.Company]{
		Table: store.Companies, Create: (*store.Tx).CreateCompany, Update: (*store.Tx).UpdateCompany, Delete: (*store.Tx).DeleteCompany,
	})
	return wire.Resource{Name: "companies", A: wire.KeyRequired(routes), B: routes}
}
