package store_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// many books n postings of 0.01 on an account past the store, as years of trade do.
func (b *book) many(account string, n int) {
	b.t.Helper()
	_, err := file(b.t, b.Dir()).Exec(`INSERT INTO postings (tenant, entry, date, source, number, kind, account, currency, amount, lira)
		WITH RECURSIVE i (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < ?) SELECT ?, 0, '2026-01-01', 'x', 'x', 'BANK', ?, 'TRY', 1, 1 FROM i`, n, b.who.Tenant, account)
	if err != nil {
		b.t.Fatal(err)
	}
}

// shown is the balance that a look at the account shows.
func shown(t testing.TB, v *store.View, account string) money.Amount {
	t.Helper()
	var a trade.BankAccount
	if err := into(&a)(store.BankAccounts.Shown(v, account)); err != nil {
		t.Fatal(err)
	}
	return *a.Balance
}

// The balance of an account with thousands of postings is their plain sum, while 8
// clients move its money, look at it, and have half of their changes taken back.
func TestTheBalanceOfABusyAccount(t *testing.T) {
	b := open(t)
	bank, other := b.purse(b.who, false, "TRY", 100), b.purse(b.who, false, "TRY", 0)
	b.many(bank, 700)
	gone := errors.New("taken back")
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			dice := rand.New(rand.NewPCG(3, uint64(w)))
			for i := range 80 {
				x := trade.Transfer{FromAccountID: bank, ToAccountID: other, Amount: money.Amount(1 + dice.IntN(1000))}
				if i%2 == 0 {
					x.FromAccountID, x.ToAccountID = other, bank
				}
				err := b.Write(context.Background(), b.who, func(tx *store.Tx) error {
					if _, err := tx.CreateTransfer(x); err != nil || dice.IntN(2) > 0 {
						return err
					}
					return gone
				})
				if err != nil && !errors.Is(err, gone) {
					t.Error(err)
				}
				if i%10 == 0 {
					b.read(b.who, func(v *store.View) error { shown(t, v, bank); return nil })
				}
			}
		})
	}
	all.Wait()
	var is money.Amount
	b.read(b.who, func(v *store.View) error { is = shown(t, v, bank); return nil })
	if want := sqlRow[money.Amount](b, "SELECT sum(amount) FROM postings WHERE account = ?", bank); is != want {
		t.Errorf("the account shows %s, its postings are %s", is, want)
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM postings"); n < 700+2*200 {
		t.Errorf("only %d postings: too few were made", n)
	}
}

// A change that is taken back leaves nothing in the balance, neither by what it booked nor
// by what it looked at: the numbers of its postings go to the next one.
func TestNothingIsKeptOfWhatIsTakenBack(t *testing.T) {
	gone := errors.New("taken back")
	for about, then := range map[string]func(tx *store.Tx, bank string) error{
		"what it booked":    func(*store.Tx, string) error { return nil },
		"what it looked at": func(tx *store.Tx, bank string) error { _, err := store.BankAccounts.Shown(&tx.View, bank); return err },
	} {
		b := open(t)
		bank, other := b.purse(b.who, false, "TRY", 100), b.purse(b.who, false, "TRY", 0)
		b.many(bank, 700)
		for _, x := range []struct {
			from, to string
			amount   money.Amount
			fails    error
		}{{bank, other, 5000, gone}, {other, bank, 1, nil}} { // the second books the other account first
			err := b.Write(context.Background(), b.who, func(tx *store.Tx) error {
				if _, err := tx.CreateTransfer(trade.Transfer{FromAccountID: x.from, ToAccountID: x.to, Amount: x.amount}); err != nil {
					return err
				}
				if err := then(tx, bank); err != nil {
					return err
				}
				return x.fails
			})
			if !errors.Is(err, x.fails) {
				t.Fatal(err)
			}
		}
		b.read(b.who, func(v *store.View) error {
			if got := shown(t, v, bank); got != 801 {
				t.Errorf("%s: the account shows %s, want 8.01", about, got)
			}
			return nil
		})
	}
}

// Who looks at the data as it was before goes on to see the balance of then, whatever
// others have booked meanwhile.
func TestABalanceOfBefore(t *testing.T) {
	b := open(t)
	bank := b.purse(b.who, false, "TRY", 100)
	b.many(bank, 700)
	b.read(b.who, func(old *store.View) error {
		before := shown(t, old, bank)
		b.many(bank, 700)
		b.read(b.who, func(v *store.View) error {
			if now := shown(t, v, bank); before != 800 || now != 1500 {
				t.Errorf("%s before and %s now, want 8.00 and 15.00", before, now)
			}
			return nil
		})
		if still := shown(t, old, bank); still != before {
			t.Errorf("in the same look it was %s and is %s", before, still)
		}
		return nil
	})
}
