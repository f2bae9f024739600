package server

import (
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/ubl/paper"
)

// bankAccounts are the own accounts at banks.
func bankAccounts() wire.Resource {
	routes := func(path string) []wire.Route {
		return append(wire.Records(path, "bank", wire.Ops[trade.BankAccount, *trade.BankAccount]{
			Table: store.BankAccounts, Create: (*store.Tx).CreateBankAccount, Update: (*store.Tx).UpdateBankAccount, Delete: (*store.Tx).DeleteBankAccount,
		}), statement(path+"/{id}/statement", "bank", store.BankAccounts, func(s *trade.Statement, a *trade.BankAccount) holder {
			s.AccountID = a.ID
			return holder{trade.Phrase{"Bank account", "Banka hesabı"}, a.Code + " " + a.Name, paper.Spaced(a.BankName, a.Branch, a.IBAN)}
		}))
	}
	return wire.Resource{Name: "bank-accounts", A: routes("/bank-accounts"), B: routes("/finance/bank-accounts")}
}
