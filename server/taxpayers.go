package server

import (
	"net/http"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// taxpayers answers what the tax office's list of registered users says of a tax
// number. It is the same list for every account.
func taxpayers() wire.Resource {
	about := wire.Info{
		Name: "taxpayers.read", Summary: "Look a tax number up in the list of registered users", Out: wire.Of[trade.Taxpayer](),
		About: "Tells whether the tax office lists the number for e-Fatura and e-İrsaliye, and under which aliases. A number that is not listed is no error: registered is false. " +
			"The list is as fresh as the operator's last import.",
		Keys: []wire.Param{{Name: "taxNumber", About: "VKN (10 digits) or TCKN (11 digits)", Schema: map[string]any{"type": "string", "pattern": "^[0-9]{10,11}$"}}},
	}
	read := wire.Plain(http.MethodGet, "/taxpayers/{taxNumber}", "companies:read", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		var out trade.Taxpayer
		err := c.DB.Read(r.Context(), c.Who(r), func(v *store.View) (err error) {
			out, err = v.Taxpayer(r.PathValue("taxNumber"))
			return err
		})
		if err != nil {
			return err
		}
		return c.JSON(w, r, http.StatusOK, out)
	}).Refuses(http.StatusUnprocessableEntity)
	return wire.Resource{Name: "taxpayers", A: []wire.Route{read}, B: []wire.Route{read}}
}
