package store

import (
	"maps"
	"slices"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// Balances is what an account holds, or a company owes, by currency.
func (v *View) Balances(account string) ([]trade.Balance, error) {
	sums, err := v.sums("SELECT currency, sum(amount) FROM postings WHERE tenant = ? AND account = ? GROUP BY currency", v.who.Tenant, account)
	return listed(sums), err
}

// Statement lists what was booked on an account, or on a company's, from one day to
// another, both included; an empty day is no bound. A period of more rows than a
// statement has is Malformed.
func (v *View) Statement(account string, from, to trade.Date) (s trade.Statement, err error) {
	s = trade.Statement{From: from, To: to, Rows: []trade.StatementRow{}}
	sums, err := v.sums("SELECT currency, sum(amount) FROM postings WHERE tenant = ? AND account = ? AND date < ? GROUP BY currency", v.who.Tenant, account, string(from))
	if err != nil {
		return s, err
	}
	s.Opening = listed(sums)
	if to == "" {
		to = "9999-12-31"
	}
	rows, err := v.query(`SELECT date, entry, source, number, currency, amount FROM postings
		WHERE tenant = ? AND account = ? AND date >= ? AND date <= ? AND amount <> 0 ORDER BY date, n LIMIT ?`,
		v.who.Tenant, account, string(from), string(to), trade.MaxStatementRows+1)
	if err != nil {
		return s, err
	}
	defer rows.Close()
	for rows.Next() {
		var r trade.StatementRow
		if err := rows.Scan(&r.Date, &r.Entry, &r.SourceID, &r.Number, &r.Currency, &r.Amount); err != nil {
			return s, err
		}
		if len(s.Rows) == trade.MaxStatementRows {
			return s, trade.Fail(trade.Malformed, trade.StatementTooLong, trade.MaxStatementRows)
		}
		sums[r.Currency] += r.Amount
		r.Balance = sums[r.Currency]
		s.Rows = append(s.Rows, r)
	}
	s.Closing = listed(sums)
	return s, rows.Err()
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
