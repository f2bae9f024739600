package store

import (
	"fmt"
	"slices"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// sideKind says what stands on one side of an entry.
type sideKind string

// The kinds of side: money at a bank (102) and in cash (100), what a company owes
// (120, negative: what it is owed), what was sold with its VAT (600 and 391), gain
// and loss by exchange rates (646 and 656), and where opening balances come from.
const (
	sideBank     sideKind = "BANK"
	sideCash     sideKind = "CASH"
	sideCompany  sideKind = "COMPANY"
	sideSales    sideKind = "SALES"
	sideExchange sideKind = "EXCHANGE"
	sideOpening  sideKind = "OPENING"
)

// side is one side of an entry: what an account gets (borç), or gives when it is
// negative (alacak), in its currency and in lira.
type side struct {
	kind     sideKind
	account  string // id of the bank account, cash account or company; "" for the other kinds
	currency string
	amount   money.Amount
	lira     money.Amount
}

// voucher is what an entry is booked for (fiş).
type voucher struct {
	source  string // id of the record
	number  string // what people know it by
	date    trade.Date
	crosses bool // one currency becomes another
	decided bool // by the tax office: it is booked even if a balance outgrows an amount by it
}

// book writes an entry. It is the only place that writes postings: an entry that
// does not come to nothing is refused, whoever made it up. A cash account never
// holds less than nothing, on no day: Conflict insufficient_funds. No balance is more than
// an amount holds: Invalid amount_too_large. Where nothing moves there is no entry, and no
// number is used up.
func (tx *Tx) book(v voucher, sides ...side) error {
	if err := balanced(v, sides); err != nil {
		return err
	}
	sides = slices.DeleteFunc(sides, func(s side) bool { return s.amount == 0 && s.lira == 0 })
	if len(sides) == 0 {
		return nil
	}
	entry, err := tx.draw("entries")
	if err != nil {
		return err
	}
	for _, s := range sides {
		_, err := tx.exec("INSERT INTO postings (tenant, entry, date, source, number, kind, account, currency, amount, lira) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			tx.who.Tenant, entry, string(v.date), v.source, v.number, string(s.kind), s.account, s.currency, int64(s.amount), int64(s.lira))
		if err != nil {
			return err
		}
		if err := tx.covered(v, s); err != nil {
			return err
		}
	}
	return nil
}

// balanced is nil when the sides come to nothing in lira and, unless the entry
// crosses currencies, in each currency. Anything else is a mistake of this program.
func balanced(v voucher, sides []side) error {
	var lira money.Amount
	sums := map[string]money.Amount{}
	for _, s := range sides {
		lira += s.lira
		sums[s.currency] += s.amount
	}
	if lira != 0 {
		return fmt.Errorf("entry for %s: %s TRY are left over", v.source, lira)
	}
	for currency, sum := range sums {
		if sum != 0 && !v.crosses {
			return fmt.Errorf("entry for %s: %s %s are left over", v.source, sum, currency)
		}
	}
	return nil
}

// covered judges what a side that has been booked has left its account, or its company,
// with.
func (tx *Tx) covered(v voucher, s side) error {
	if v.decided || s.account == "" {
		return nil
	}
	had, err := tx.held(s.account, s.currency)
	if err != nil {
		return err
	}
	if s.kind == sideCash && s.amount < 0 {
		day, least, err := tx.least(v.date, s.account, s.currency, had.amount)
		if err != nil {
			return err
		}
		if least < 0 {
			return trade.Fail(trade.Conflict, trade.InsufficientFunds, least-s.amount, s.currency, string(day))
		}
	}
	return tx.bounded(v, s, had)
}

// bookedAfter tells whether anything is booked on an account after a day.
func (v *View) bookedAfter(account string, day trade.Date) (bool, error) {
	return v.any("SELECT 1 FROM postings WHERE tenant = ? AND account = ? AND date > ? LIMIT 1", v.who.Tenant, account, string(day))
}

// unbook takes back whatever is booked for the record of a voucher, as an entry of its
// own; nothing when nothing is left of it.
func (tx *Tx) unbook(v voucher) error {
	var sides []side
	var row [6]any
	err := tx.each(row[:], `SELECT kind, account, currency, sum(amount), sum(lira), number FROM postings WHERE tenant = ? AND source = ?
		GROUP BY kind, account, currency HAVING sum(amount) <> 0 OR sum(lira) <> 0 ORDER BY min(n)`, []any{tx.who.Tenant, v.source}, func() bool {
		v.number = row[5].(string)
		sides = append(sides, side{sideKind(row[0].(string)), row[1].(string), row[2].(string), money.Amount(-row[3].(int64)), money.Amount(-row[4].(int64))})
		return true
	})
	if err != nil || len(sides) == 0 {
		return err
	}
	return tx.book(v, sides...)
}

// moved tells whether anything was ever booked on an account.
func (v *View) moved(account string) (bool, error) {
	var row [1]any
	err := v.first(row[:], "SELECT 1 FROM postings WHERE tenant = ? AND account = ? LIMIT 1", v.who.Tenant, account)
	if noRows(err) {
		return false, nil
	}
	return err == nil, err
}

// today is the day of this change in the account's zone. It is found once: the zones are
// read from a file.
func (tx *Tx) today() (trade.Date, error) {
	if tx.day != "" {
		return tx.day, nil
	}
	t, err := tx.Settings()
	if err != nil {
		return "", err
	}
	tx.day = trade.DateOf(tx.now.In(t.Zone()))
	return tx.day, nil
}

// documentDay is the day that documents made in this change are of.
func (tx *Tx) documentDay() (trade.Date, error) {
	t, err := tx.Settings()
	if err != nil {
		return "", err
	}
	return trade.DateOf(t.DocumentTime(tx.now)), nil
}

// inLira is amount in Turkish lira at rate; without a rate a foreign amount has no
// value in lira. Too large a value is a fault of field.
func (tx *Tx) inLira(field string, amount money.Amount, currency string, rate money.Exchange) money.Amount {
	if currency == "TRY" {
		return amount
	}
	lira, ok := rate.Of(amount)
	if !ok {
		tx.Check().Add(field, trade.AmountTooLarge)
	}
	return lira
}
