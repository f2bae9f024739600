package store

import (
	"esnaf/store/money"
	"esnaf/store/trade"
)

// The sums of postings are kept by the file, in balances and days, as they are written:
// what asks for one takes as long with a million postings as with one.

// balance is what a bank or cash account holds.
func (v *View) balance(account string) (money.Amount, error) {
	var row [1]any
	err := v.first(row[:], "SELECT coalesce(sum(amount), 0) FROM balances WHERE tenant = ? AND account = ?", v.who.Tenant, account)
	if err != nil {
		return 0, err
	}
	return money.Amount(row[0].(int64)), nil
}

// sum is an amount of a currency and what it is worth in lira.
type sum struct{ amount, lira money.Amount }

// held is what an account holds in a currency, or a company owes.
func (v *View) held(account, currency string) (sum, error) {
	return v.sumOf("SELECT amount, lira FROM balances WHERE tenant = ? AND account = ? AND currency = ?", account, currency)
}

// onTheWay is what a company will owe by the invoices that are at the tax office. Once
// that has taken them they are booked, so that there must be room for them.
func (v *View) onTheWay(company, currency string) (sum, error) {
	return v.sumOf("SELECT amount, lira FROM queued WHERE tenant = ? AND company = ? AND currency = ?", company, currency)
}

func (v *View) sumOf(text, account, currency string) (sum, error) {
	var row [2]any
	err := v.first(row[:], text, v.who.Tenant, account, currency)
	if noRows(err) {
		return sum{}, nil
	}
	if err != nil {
		return sum{}, err
	}
	return sum{money.Amount(row[0].(int64)), money.Amount(row[1].(int64))}, nil
}

// queue counts an invoice as at the tax office: 1 for one that goes there, -1 for one that
// it has decided on.
func (tx *Tx) queue(v *trade.Invoice, sign money.Amount) error {
	lira, _ := v.InLira() // beyond what an amount holds it has none, and was not sent
	_, err := tx.exec(`INSERT INTO queued (tenant, company, currency, amount, lira) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (tenant, company, currency) DO UPDATE SET amount = amount + excluded.amount, lira = lira + excluded.lira`,
		tx.who.Tenant, v.CompanyID, v.Currency, int64(sign*v.Payable), int64(sign*lira))
	return err
}

// dayOf is what an account held on a day on which it moved: at its end, and between what
// ends while it moved.
type dayOf struct {
	date              trade.Date
	held, least, most money.Amount
}

// daysSince calls fn for each day on which an account that holds now moved, from the last
// back to the day from.
func (v *View) daysSince(from trade.Date, account, currency string, now money.Amount, fn func(dayOf)) error {
	var row [4]any
	return v.each(row[:], "SELECT date, amount, least, most FROM days WHERE tenant = ? AND account = ? AND currency = ? AND date >= ? ORDER BY date DESC",
		[]any{v.who.Tenant, account, currency, string(from)}, func() bool {
			before := now - money.Amount(row[1].(int64))
			fn(dayOf{trade.Date(row[0].(string)), now, before + money.Amount(row[2].(int64)), before + money.Amount(row[3].(int64))})
			now = before
			return true
		})
}

// least is the day on which an account that holds now holds the least from the day from
// on, the first of several, and how much that is.
func (v *View) least(from trade.Date, account, currency string, now money.Amount) (day trade.Date, least money.Amount, err error) {
	day, least = from, now
	err = v.daysSince(from, account, currency, now, func(d dayOf) {
		if d.held <= least {
			day, least = d.date, d.held
		}
	})
	return day, least, err
}

// fitsSince tells whether the balance of an account that holds now is one that an amount
// holds in each row of a statement from a day on.
func (v *View) fitsSince(from trade.Date, account, currency string, now money.Amount) (fits bool, err error) {
	fits = true
	err = v.daysSince(from, account, currency, now, func(d dayOf) { fits = fits && within(d.least) && within(d.most) })
	return fits, err
}
