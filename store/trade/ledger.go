package trade

import "esnaf/store/money"

// Balance is a sum of money in one currency.
type Balance struct {
	Currency string       `json:"currency"`
	Amount   money.Amount `json:"amount"`
}

// CompanyBalance is what a company owes (borç bakiyesi), or is owed when negative,
// by currency.
type CompanyBalance struct {
	CompanyID string    `json:"companyId"`
	Balances  []Balance `json:"balances" doc:"one per currency that was ever traded in, by its code; positive is what the company owes"`
}

// Statement lists what moved an account in a period (ekstre, cari hesap ekstresi).
type Statement struct {
	CompanyID string         `json:"companyId,omitempty"`
	AccountID string         `json:"accountId,omitempty"`
	From      Date           `json:"from,omitempty" doc:"first day; absent: from the beginning"`
	To        Date           `json:"to,omitempty" doc:"last day; absent: to the end"`
	Opening   []Balance      `json:"opening" doc:"before the first day, by currency"`
	Rows      []StatementRow `json:"rows" doc:"by date, and of one day in the order they were booked"`
	Closing   []Balance      `json:"closing" doc:"after the last day, by currency"`
}

// StatementRow is one movement.
type StatementRow struct {
	Date     Date         `json:"date"`
	Entry    int64        `json:"entry" doc:"number of the ledger entry (yevmiye maddesi); its other sides have the same"`
	SourceID string       `json:"sourceId" doc:"the invoice, payment, transfer or account it was booked for"`
	Number   string       `json:"number" doc:"of that record"`
	Currency string       `json:"currency"`
	Amount   money.Amount `json:"amount" doc:"positive is what the account got or the company came to owe (borç), negative the other way (alacak)"`
	Balance  money.Amount `json:"balance" doc:"in this currency, after this row"`
}

// MaxStatementRows is how many rows a statement has at most; a longer period is
// asked for in parts.
const MaxStatementRows = 10_000
