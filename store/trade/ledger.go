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

// EntryKind tells what a row of a statement stands for.
type EntryKind string

// The kinds of row: what an account held when it was entered (açılış), an invoice that the
// tax office has taken and one that was rejected or cancelled since, money from a company
// (tahsilat) and to one (ödeme) and the reversals of both, money between own accounts
// (virman).
const (
	EntryOpening            EntryKind = "OPENING"
	EntryInvoice            EntryKind = "INVOICE"
	EntryInvoiceReversal    EntryKind = "INVOICE_REVERSAL"
	EntryPaymentIn          EntryKind = "PAYMENT_IN"
	EntryPaymentInReversal  EntryKind = "PAYMENT_IN_REVERSAL"
	EntryPaymentOut         EntryKind = "PAYMENT_OUT"
	EntryPaymentOutReversal EntryKind = "PAYMENT_OUT_REVERSAL"
	EntryTransfer           EntryKind = "TRANSFER"
)

// Values lists the kinds of row.
func (EntryKind) Values() []string {
	return []string{"OPENING", "INVOICE", "INVOICE_REVERSAL", "PAYMENT_IN", "PAYMENT_IN_REVERSAL", "PAYMENT_OUT", "PAYMENT_OUT_REVERSAL", "TRANSFER"}
}

// StatementRow is one movement.
type StatementRow struct {
	Date     Date         `json:"date"`
	Entry    int64        `json:"entry" doc:"number of the ledger entry (yevmiye maddesi); its other sides have the same"`
	Kind     EntryKind    `json:"kind" doc:"OPENING what the account held when it was entered; INVOICE what an invoice charges, INVOICE_REVERSAL that it was rejected or cancelled; PAYMENT_IN money from the company, PAYMENT_OUT money to it, each with its _REVERSAL; TRANSFER money between own accounts"`
	SourceID string       `json:"sourceId" doc:"the invoice, payment, transfer or account it was booked for"`
	Number   string       `json:"number" doc:"of that record"`
	Currency string       `json:"currency"`
	Amount   money.Amount `json:"amount" doc:"positive is what the account got or the company came to owe (borç), negative the other way (alacak)"`
	Balance  money.Amount `json:"balance" doc:"in this currency, after this row"`
}

// MaxStatementRows is how many rows a statement has at most; a longer period is
// asked for in parts.
const MaxStatementRows = 10_000
