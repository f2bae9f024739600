package server

import (
	"net/http"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// bankAccounts are the own accounts at banks.
func bankAccounts() wire.Resource {
	routes := func(path string) []wire.Route {
		return append(wire.Records(path, "bank", wire.Ops[trade.BankAccount, *trade.BankAccount]{
			Table: store.BankAccounts, Create: (*store.Tx).CreateBankAccount, Update: (*store.Tx).UpdateBankAccount, Delete: (*store.Tx).DeleteBankAccount,
		}), statement(path+"/{id}/statement", "bank:read", store.BankAccounts, func(s *trade.Statement, id string) { s.AccountID = id }))
	}
	return wire.Resource{Name: "bank-accounts", A: routes("/bank-accounts"), B: routes("/finance/bank-accounts")}
}

// stored is what store asks of the records of a table.
type stored[T any] interface {
	*T
	Base() *trade.Meta
}

// statement serves what moved an account, or what a company owes, in a period. name
// puts the id of the record on it.
func statement[T any, P stored[T]](path, scope string, t *store.Table[T, P], name func(*trade.Statement, string)) wire.Route {
	day := map[string]any{"type": "string", "format": "date"}
	about := wire.Info{
		Summary: "Read the statement of one " + t.One, Out: wire.Of[trade.Statement](),
		About:  "Lists what was booked, by date, with the balance after each row; by currency. A period of more than 10,000 rows is refused (400).",
		Params: []wire.Param{{Name: "from", About: "first day", Schema: day}, {Name: "to", About: "last day", Schema: day}},
	}
	return wire.Plain(http.MethodGet, path, scope, about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		q, err := c.Query(r)
		if err != nil {
			return err
		}
		from, err := dayOf(q, "from")
		if err != nil {
			return err
		}
		to, err := dayOf(q, "to")
		if err != nil {
			return err
		}
		var s trade.Statement
		id := r.PathValue("id")
		err = c.DB.Read(r.Context(), c.Who(r), func(v *store.View) error {
			if _, err := t.Doc(v, id); err != nil {
				return err
			}
			s, err = v.Statement(id, from, to)
			return err
		})
		if err != nil {
			return err
		}
		name(&s, id)
		return c.JSON(w, r, http.StatusOK, s)
	})
}

// dayOf reads a parameter that is a date; "" when it is not given.
func dayOf(q map[string]string, name string) (trade.Date, error) {
	text, given := q[name]
	if !given {
		return "", nil
	}
	d, err := trade.ParseDate(text)
	if err != nil {
		return "", wire.Refused(name, trade.Phrase{"it must be a date as YYYY-MM-DD", "YYYY-AA-GG biçiminde bir tarih olmalı"})
	}
	return d, nil
}
