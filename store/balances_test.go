package store

import (
	"errors"
	"math/rand/v2"
	"testing"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// What is read of balances and days is what the plain sum of all postings says, whatever
// was booked on which day.
func TestKeptSumsAreThePlainSums(t *testing.T) {
	days := []trade.Date{"2026-01-01", "2026-01-02", "2026-02-01", "2026-03-01", "2026-03-02"}
	for seed := range uint64(40) {
		s := openShop(t, t.TempDir())
		dice := rand.New(rand.NewPCG(1, seed))
		s.must(t, func(tx *Tx) error {
			for i := range 30 {
				// Now and then nothing but lira moves, or what no amount holds.
				amounts := []money.Amount{0, money.Amount(dice.IntN(200) - 100), money.Amount(dice.IntN(200) - 100), money.MaxAmount, -money.MaxAmount}
				a := amounts[dice.IntN(len(amounts)-2*int(seed%2))]
				account, currency := []string{"cmp_1", "cmp_2"}[dice.IntN(2)], []string{"TRY", "USD"}[dice.IntN(2)]
				v := voucher{source: "pay_1", number: "1", date: days[dice.IntN(len(days))], decided: true}
				if err := tx.book(v, side{sideCompany, account, currency, a, money.Amount(i + 1)}, side{sideSales, "", currency, -a, money.Amount(-i - 1)}); err != nil {
					return err
				}
			}
			return nil
		})
		err := s.Read(t.Context(), s.who, func(v *View) error {
			for _, day := range days {
				for _, account := range []string{"cmp_1", "cmp_2"} {
					if err := errors.Join(agrees(t, v, account, "TRY", day), agrees(t, v, account, "USD", day)); err != nil {
						return err
					}
				}
			}
			return checkSums(v, t.Errorf)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// agrees holds what is kept of an account against its postings, from a day on.
func agrees(t *testing.T, v *View, account, currency string, from trade.Date) error {
	var row [2]any
	plain := func(text string, more ...any) error {
		return v.first(row[:], text, append([]any{v.who.Tenant, account, currency}, more...)...)
	}
	had, err := v.held(account, currency)
	if err != nil {
		return err
	}
	if err := plain("SELECT sum(amount), sum(lira) FROM postings WHERE tenant = ? AND account = ? AND currency = ?"); err != nil {
		return err
	}
	if row[0] == nil {
		return nil // nothing was booked
	}
	if want := (sum{money.Amount(row[0].(int64)), money.Amount(row[1].(int64))}); had != want {
		t.Errorf("%s holds %v, its postings come to %v", account, had, want)
	}
	const rows = `FROM (SELECT date, n, sum(amount) OVER (ORDER BY date, n) AS held FROM postings WHERE tenant = ? AND account = ? AND currency = ?) WHERE date >= ?`
	if err := plain("SELECT min(held), max(held) "+rows, string(from)); err != nil {
		return err
	}
	want := row[0] == nil || within(money.Amount(row[0].(int64))) && within(money.Amount(row[1].(int64)))
	if fits, err := v.fitsSince(from, account, currency, had.amount); err != nil || fits != want {
		t.Errorf("from %s on %s fits: %v, want %v (%v)", from, account, fits, want, err)
	}
	if row[0] == nil {
		return nil // least is asked for once something is booked on the day
	}
	if err := plain("SELECT date, held FROM (SELECT date, held, row_number() OVER (PARTITION BY date ORDER BY n DESC) AS last "+rows+") WHERE last = 1 ORDER BY held, date LIMIT 1", string(from)); err != nil {
		return err
	}
	if day, least, err := v.least(from, account, currency, had.amount); err != nil || string(day) != row[0] || int64(least) != row[1] {
		t.Errorf("from %s on %s holds the least on %s, %s, want %v, %v (%v)", from, account, day, least, row[0], row[1], err)
	}
	return nil
}
