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
	lira money.Amount
	most money.Amount // the largest of the postings, whichever way
	n    int64        // how many they are
}

// carryAfter is how many postings are gone over before their sum is worth carrying.
const carryAfter = 500

// summed is the sum of all postings of a bank or cash account, which has but one currency,
// or of a company in a currency, and whether it took long enough to be carried from here
// on.
func (v *View) summed(account, currency string) (c carry, far bool, err error) {
	where, args := "", []any{v.who.Tenant, account}
	if currency != "" {
		where, args = " AND +currency = ?", append(args, currency)
	}
	const sums = "SELECT coalesce(sum(amount), 0), coalesce(sum(lira), 0), coalesce(max(abs(amount)), 0), count(*), (SELECT max(n) FROM postings) FROM postings WHERE "
	var row [5]driver.Value
	if last, ok := v.db.carried.peek(v.who.Tenant + account + currency); ok {
		err = v.first(row[:], sums+"+tenant = ? AND +account = ?"+where+" AND n > ?", append(args, last.upto)...)
		if err != nil {
			return c, false, err
		}
		// Nothing, or less than is carried, is seen by who looks at the data as it was
		// before: then all is added up.
		if upto, ok := row[4].(int64); ok && upto >= last.upto {
			return last.and(row), upto-last.upto > carryAfter, nil
		}
	}
	if err = v.first(row[:], sums+"tenant = ? AND account = ?"+where, args...); err != nil {
		return c, false, err
	}
	c = c.and(row)
	return c, c.n > carryAfter, nil
}

// and is what is carried with the sums of a row added to it.
func (c carry) and(row [5]driver.Value) carry {
	upto, _ := row[4].(int64) // nothing of nothing
	return carry{
		upto, c.sum + money.Amount(row[0].(int64)), c.lira + money.Amount(row[1].(int64)),
		max(c.most, money.Amount(row[2].(int64))), c.n + row[3].(int64),
	}
}

// balance is what a bank or cash account holds.
func (v *View) balance(account string) (money.Amount, error) {
	c, far, err := v.summed(account, "")
	if far && !v.own {
		v.db.carried.put(v.who.Tenant+account, c)
	}
	return c.sum, err
}

// carried is summed as this change sees it. That is kept only once it is on disk: the
// number of a posting that is taken back is given out again.
func (tx *Tx) carried(account, currency string) (carry, error) {
	c, far, err := tx.summed(account, currency)
	if far {
		key := tx.who.Tenant + account + currency
		tx.afterCommit(func() { tx.db.carried.put(key, c) })
	}
	return c, err
}

// balance is what an account holds as this change sees it.
func (tx *Tx) balance(account string) (money.Amount, error) {
	c, err := tx.carried(account, "")
	return c.sum, err
}
