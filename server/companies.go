package server

import (
	"net/http"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/ubl/paper"
)

func companies() wire.Resource {
	routes := append(wire.Records("/companies", "companies", wire.Ops[trade.Company, *trade.Company]{
		Table: store.Companies, Create: (*store.Tx).CreateCompany, Update: (*store.Tx).UpdateCompany, Delete: (*store.Tx).DeleteCompany,
	}),
		companyBalance("/companies/{id}/balance"),
		statement("/companies/{id}/statement", "companies", store.Companies, func(s *trade.Statement, c *trade.Company) holder {
			s.CompanyID = c.ID
			return holder{trade.Phrase{"Company", "Cari hesap"}, c.Code + " " + c.Name, paper.Spaced(c.TaxOffice, c.TaxNumber)}
		}, "invoices", "bank", "cashAccount"),
	)
	return wire.Resource{Name: "companies", A: wire.KeyRequired(routes), B: routes}
}

// companyBalance tells what a company owes. It is no field of the company, which
// does not change when it moves.
func companyBalance(path string) wire.Route {
	about := wire.Info{Summary: "Read what one company owes, by currency", About: "Of invoices and payments it tells no more than what they come to, so companies:read is enough. That of a company that was deleted stays readable, for its invoices can still be paid and its credit given back, by payments that are allocated to the last kuruş.", Out: wire.Of[trade.CompanyBalance]()}
	return wire.Plain(http.MethodGet, path, "companies:read", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		out := trade.CompanyBalance{CompanyID: r.PathValue("id")}
		err := c.DB.Read(r.Context(), c.Who(r), func(v *store.View) (err error) {
			if _, err = store.Companies.Ever(v, out.CompanyID); err != nil {
				return err
			}
			out.Balances, err = v.Balances(out.CompanyID)
			return err
		})
		if err != nil {
			return err
		}
		return c.JSON(w, r, http.StatusOK, out)
	})
}
