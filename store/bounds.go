package store

import (
	"cmp"
	"database/sql/driver"

	"esnaf/store/money"
	"esnaf/store/trade"
)

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
		way, lira, err := tx.onTheWay(s.account, s.currency, max(c.sum, c.lira))
		if err != nil {
			return err
		}
		c.sum, c.lira = c.sum+way, c.lira+lira
	}
	fits := endures(c.sum, s.amount) && endures(c.lira, s.lira)
	if fits && c.most > money.MaxAmount/money.Amount(c.n) { // else all of them together would fit
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

func within(a money.Amount) bool { return -money.MaxAmount <= a && a <= money.MaxAmount }

// endures tells whether a balance may be what a change has made it: what the tax office
// has decided may have driven it too far, from where changes lead back.
func endures(now, change money.Amount) bool {
	return within(now) || now > 0 && change <= 0 || now < 0 && change >= 0
}

// fitsSince tells whether the balance is one that an amount holds in each row of a
// statement from date on, which differs from the balance now only where something is
// booked later.
func (tx *Tx) fitsSince(date trade.Date, s side) (bool, error) {
	later, err := tx.bookedAfter(s.account, date)
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

// onTheWay is what a company that owes so much will owe by the invoices that are at the
// tax office. Once that has taken them they are booked, so that there must be room for
// them. Nothing is added up where there is room whatever they come to: many may be there.
func (tx *Tx) onTheWay(company, currency string, owes money.Amount) (sum, lira money.Amount, err error) {
	if currency == "TRY" { // any other may be worth far more than it says
		if fits, err := tx.fitOnTheWay(company, money.MaxAmount-owes); err != nil || fits {
			return 0, 0, err
		}
	}
	var row [1]driver.Value
	var unread error
	err = tx.each(row[:], "SELECT doc FROM invoices INDEXED BY invoices_queued WHERE tenant = ? AND company_id = ? AND status = 'QUEUED'", []any{tx.who.Tenant, company}, func() bool {
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

// fitOnTheWay tells whether there would be room for as many invoices of a company as
// there are of anybody, each as large as the largest of it that is at the tax office.
func (tx *Tx) fitOnTheWay(company string, room money.Amount) (bool, error) {
	var row [2]driver.Value
	err := tx.first(row[:], largestText, tx.who.Tenant, company)
	if noRows(err) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return money.Amount(row[0].(int64)) <= room/money.Amount(row[1].(int64)), nil
}

// largestText is one step in invoices_queued, and one to the last invoice.
const largestText = "SELECT total, (SELECT max(n) FROM invoices) FROM invoices WHERE tenant = ? AND company_id = ? AND status = 'QUEUED' ORDER BY total DESC LIMIT 1"

// checkRoom refuses to send an invoice by which the company would owe more than a balance
// can hold. It is asked before the tax office has it: what that has taken is booked.
func (tx *Tx) checkRoom(v *trade.Invoice) error {
	c, err := tx.carried(v.CompanyID, v.Currency)
	if err != nil {
		return err
	}
	lira, ok := v.InLira()
	way, wayLira, err := tx.onTheWay(v.CompanyID, v.Currency, max(c.sum+v.Payable, c.lira+lira))
	if err != nil {
		return err
	}
	if !ok || !within(c.sum+way+v.Payable) || !within(c.lira+wayLira+lira) {
		outgrows(tx.Check(), "payable")
	}
	return nil
}
