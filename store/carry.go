package store

import (
	"database/sql/driver"

	"esnaf/store/money"
)

// carry is the sum of an account's postings up to one of them (devir): what a book
// carries over to the next page, so that a busy account is not added up from its first
// day each time. Postings are never changed and their numbers only rise, so it stays
// true for ever. It is computed from them, kept in memory alone and written nowhere.
type carry struct {
	upto int64 // n of the last posting, on whichever account, that it reaches
	sum  money.Amount
}

// carryAfter is how many postings are gone over before their sum is worth carrying.
const carryAfter = 500

// summed is the sum of all postings of a bank or cash account, and whether it took
// long enough to be carried from here on.
func (v *View) summed(account string) (c carry, far bool, err error) {
	var row [3]driver.Value
	if last, ok := v.db.carried.peek(v.who.Tenant + account); ok {
		err = v.first(row[:], "SELECT coalesce(sum(amount), 0), (SELECT max(n) FROM postings), 0 FROM postings WHERE n > ? AND +tenant = ? AND +account = ?",
			last.upto, v.who.Tenant, account)
		if err != nil {
			return c, false, err
		}
		// Nothing, or less than is carried, is seen by who looks at the data as it was
		// before: then all is added up.
		if upto, ok := row[1].(int64); ok && upto >= last.upto {
			return carry{upto, last.sum + money.Amount(row[0].(int64))}, upto-last.upto > carryAfter, nil
		}
	}
	err = v.first(row[:], "SELECT coalesce(sum(amount), 0), (SELECT coalesce(max(n), 0) FROM postings), count(*) FROM postings WHERE tenant = ? AND account = ?",
		v.who.Tenant, account)
	if err != nil {
		return c, false, err
	}
	return carry{row[1].(int64), money.Amount(row[0].(int64))}, row[2].(int64) > carryAfter, nil
}

// balance is what a bank or cash account holds, which has but one currency.
func (v *View) balance(account string) (money.Amount, error) {
	c, far, err := v.summed(account)
	if far && !v.own {
		v.db.carried.put(v.who.Tenant+account, c)
	}
	return c.sum, err
}

// balance is what an account holds as this change sees it. That is carried only once
// it is on disk: the number of a posting that is taken back is given out again.
func (tx *Tx) balance(account string) (money.Amount, error) {
	c, far, err := tx.summed(account)
	if far {
		key := tx.who.Tenant + account
		tx.afterCommit(func() { tx.db.carried.put(key, c) })
	}
	return c.sum, err
}
