package server

import (
	"net/http"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// tenant is the caller's own account: the seller on its documents and its
// settings. It has no id in the path.
func (s *Server) tenant() wire.Resource {
	about := wire.Info{Name: "tenant.read", Summary: "Read the own account", Out: wire.Of[trade.Tenant]()}
	read := func(c *wire.Call, w http.ResponseWriter, r *http.Request) (err error) {
		var doc store.Doc
		err = c.DB.Read(r.Context(), c.Who(r), func(v *store.View) (err error) {
			doc, err = store.Tenants.Doc(v, c.Principal.Tenant)
			return err
		})
		if err != nil {
			return err
		}
		return c.Doc(w, r, doc)
	}
	update := func(tx *store.Tx, _ string, match store.Match, t trade.Tenant) (store.Doc, error) {
		return tx.UpdateTenant(match, t)
	}
	return wire.Resource{
		Name: "tenant",
		A: []wire.Route{
			wire.Plain(http.MethodGet, "/tenant", "settings:read", about, read).Versioned(),
			wire.Update("/tenant", "settings:update", update).Named("tenant.update", "Replace the own account's settings"),
		},
	}
}
