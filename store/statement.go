package store

import (
	"maps"
	"slices"
	"strings"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// Balances is what an account holds, or a company owes, by currency.
func (v *View) Balances(account string) ([]trade.Balance, error) {
	sums, err := v.sums("SELECT currency, amount FROM balances WHERE tenant = ? AND account = ?", v.who.Tenant, account)
	return listed(sums), err
}

// Statement lists what was booked on an account, or on a company's, from one day to
// another, both included; an empty day is no bound. A period of more rows than a
// statement has is Malformed.
func (v *View) Statement(account string, from, to trade.Date) (s trade.Statement, err error) {
	s = trade.Statement{From: from, To: to, Rows: []trade.StatementRow{}}
	sums, err := v.sums("SELECT currency, sum(amount) FROM days WHERE tenant = ? AND account = ? AND date < ? GROUP BY currency", v.who.Tenant, account, string(from))
	if err != nil {
		return s, err
	}
	s.Opening = listed(sums)
	if to == "" {
		to = "9999-12-31"
	}
	rows, err := v.query(`SELECT p.date, p.entry, p.source, p.number, p.currency, p.amount, p.kind, coalesce(q.doc ->> 'direction', '')
		FROM postings p LEFT JOIN payments q ON q.id = p.source AND q.tenant = p.tenant
		WHERE p.tenant = ? AND p.account = ? AND p.date >= ? AND p.date <= ? AND p.amount <> 0 ORDER BY p.date, p.n LIMIT ?`,
		v.who.Tenant, account, string(from), string(to), trade.MaxStatementRows+1)
	if err != nil {
		return s, err
	}
	defer rows.Close()
	for rows.Next() {
		var r trade.StatementRow
		var kind sideKind
		var direction trade.PaymentDirection
		if err := rows.Scan(&r.Date, &r.Entry, &r.SourceID, &r.Number, &r.Currency, &r.Amount, &kind, &direction); err != nil {
			return s, err
		}
		if len(s.Rows) == trade.MaxStatementRows {
			return s, trade.Fail(trade.Malformed, trade.StatementTooLong, trade.MaxStatementRows)
		}
		var ok bool
		if r.Balance, ok = sums[r.Currency].Add(r.Amount); !ok { // left by what the tax office has decided
			return s, trade.Fail(trade.Malformed, trade.AmountTooLarge, "balance")
		}
		sums[r.Currency] = r.Balance
		r.Kind = entryKind(r.SourceID, direction, kind == sideCompany, r.Amount > 0)
		s.Rows = append(s.Rows, r)
	}
	s.Closing = listed(sums)
	return s, rows.Err()
}

// entryKind tells what a row stands for: by the record it was booked for, the direction
// of that where it is a payment, and whether the row gave the account something. What
// goes the other way than its record is its reversal.
func entryKind(source string, d trade.PaymentDirection, ofCompany, gave bool) trade.EntryKind {
	switch kind, _, _ := strings.Cut(source, "_"); {
	case kind == Transfers.Prefix:
		return trade.EntryTransfer
	case kind == Invoices.Prefix && gave:
		return trade.EntryInvoice
	case kind == Invoices.Prefix:
		return trade.EntryInvoiceReversal
	case kind != Payments.Prefix:
		return trade.EntryOpening
	}
	in := gave != ofCompany // what a company pays it owes no longer
	switch {
	case d == trade.PaymentIn && in:
		return trade.EntryPaymentIn
	case d == trade.PaymentIn:
		return trade.EntryPaymentInReversal
	case in:
		return trade.EntryPaymentOutReversal
	}
	return trade.EntryPaymentOut
}

// sums reads one sum per currency.
func (v *View) sums(text string, args ...any) (map[string]money.Amount, error) {
	rows, err := v.query(text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	sums := map[string]money.Amount{}
	for rows.Next() {
		var currency string
		var sum money.Amount
		if err := rows.Scan(&currency, &sum); err != nil {
			return nil, err
		}
		sums[currency] = sum
	}
	return sums, rows.Err()
}

// listed is sums in the order of the currencies' codes; never nil.
func listed(sums map[string]money.Amount) []trade.Balance {
	list := []trade.Balance{}
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, trade.Balance{Currency: currency, Amount: sums[currency]})
	}
	return list
}
