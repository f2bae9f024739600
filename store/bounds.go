package store

import (
	"cmp"
	"database/sql/driver"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// most is the largest amount there is; no balance is larger.
const most money.Amount = 999_999_999_999_999_99

// outgrows says that by what field says a company would owe, or be owed, too much.
func outgrows(f *trade.Check, field string) {
	f.Add(field, trade.AmountTooLarge, trade.Aside{
		"With it the company would owe, or be owed, more than a balance can hold.", "Bununla firmanın bakiyesi tutulabilecek en büyük tutarı aşar.",
	})
}

// bounded judges whether a side that has been booked leaves its account or company with
// no more than an amount holds, now and in each row of a statement: beyond that no sum
// could be answered any more.
func (tx *Tx) bounded(v voucher, s side, c carry) error {
	if s.kind == sideCompany && s.amount > 0 {
		way, lira, err := tx.onTheWay(s.account, s.currency)
		if err != nil {
			return err
		}
		c.sum, c.lira = c.sum+way, c.lira+lira
	}
	fits := endures(c.sum, s.amount) && endures(c.lira, s.lira)
	if fits && c.most > most/money.Amount(c.n) { // else all of them together would fit
		var err error
		if fits, err = tx.fitsSince(v.date, s); err != nil {
			return err
		}
	}
	switch {
	case fits:
		return nil
	case s.kind == sideCompany:
		outgrows(tx.Check(), "amount")
	default:
		tx.Check().Add("amount", trade.AmountTooLarge)
	}
	return tx.Check().Err()
}

func within(a money.Amount) bool { return -most <= a && a <= most }

// endures tells whether a balance may be what a change has made it: what the tax office
// has decided may have driven it too far, from where changes lead back.
func endures(now, change money.Amount) bool {
	return within(now) || now > 0 && change <= 0 || now < 0 && change >= 0
}

// fitsSince tells whether the balance is one that an amount holds in each row of a
// statement from date on, which differs from the balance now only where something is
// booked later.
func (tx *Tx) fitsSince(date trade.Date, s side) (bool, error) {
	later, err := tx.any("SELECT 1 FROM postings WHERE tenant = ? AND account = ? AND date > ? LIMIT 1", tx.who.Tenant, s.account, string(date))
	if err != nil || !later {
		return true, err
	}
	var row [2]driver.Value
	err = tx.first(row[:], `SELECT min(held), max(held) FROM (SELECT date, sum(amount) OVER (ORDER BY date, n) AS held FROM postings
		WHERE tenant = ? AND account = ? AND currency = ?) WHERE date >= ?`, tx.who.Tenant, s.account, s.currency, string(date))
	if err != nil {
		return false, err
	}
	return within(money.Amount(row[0].(int64))) && within(money.Amount(row[1].(int64))), nil
}

// onTheWay is what a company will owe by the invoices that are at the tax office. Once
// that has taken them they are booked, so that there must be room for them.
func (tx *Tx) onTheWay(company, currency string) (sum, lira money.Amount, err error) {
	var row [1]driver.Value
	var unread error
	err = tx.each(row[:], "SELECT doc FROM invoices WHERE tenant = ? AND status = 'QUEUED' AND +company_id = ?", []any{tx.who.Tenant, company}, func() bool {
		var v trade.Invoice
		if unread = decode([]byte(row[0].(string)), &v); unread != nil {
			return false
		}
		if v.Currency == currency && within(sum) && within(lira) { // beyond that no more matters
			worth, _ := v.InLira()
			sum, lira = sum+v.Payable, lira+worth
		}
		return true
	})
	return sum, lira, cmp.Or(err, unread)
}

// checkRoom refuses to send an invoice by which the company would owe more than a balance
// can hold. It is asked before the tax office has it: what that has taken is booked.
func (tx *Tx) checkRoom(v *trade.Invoice) error {
	c, err := tx.carried(v.CompanyID, v.Currency)
	if err != nil {
		return err
	}
	way, wayLira, err := tx.onTheWay(v.CompanyID, v.Currency)
	if err != nil {
		return err
	}
	lira, ok := v.InLira()
	if !ok || !within(c.sum+way+v.Payable) || !within(c.lira+wayLira+lira) {
		outgrows(tx.Check(), "payable")
	}
	return nil
}
