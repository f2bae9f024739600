package server

import (
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

func contacts() wire.Resource {
	routes := wire.Records("/contacts", "contacts", wire.Ops[trade.Contact, *trade.Contact]{
		Table: store.Contacts, Create: (*store.Tx).CreateContact, Update: (*store.Tx).UpdateContact, Delete: (*store.Tx).DeleteContact,
	})
	return wire.Resource{Name: "contacts", A: routes, B: routes}
}
