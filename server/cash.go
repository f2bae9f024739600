package server

import (
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// cashAccounts are the own tills.
func cashAccounts() wire.Resource {
	routes := func(path string) []wire.Route {
		return append(wire.Records(path, "cashAccount", wire.Ops[trade.CashAccount, *trade.CashAccount]{
			Table: store.CashAccounts, Create: (*store.Tx).CreateCashAccount, Update: (*store.Tx).UpdateCashAccount, Delete: (*store.Tx).DeleteCashAccount,
		}), statement(path+"/{id}/statement", "cashAccount", store.CashAccounts, func(s *trade.Statement, a *trade.CashAccount) holder {
			s.AccountID = a.ID
			return holder{trade.Phrase{"Cash account", "Kasa hesabı"}, a.Code + " " + a.Name, ""}
		}))
	}
	return wire.Resource{Name: "cash-accounts", A: routes("/cash-accounts"), B: routes("/finance/cash-accounts")}
}
