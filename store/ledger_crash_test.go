package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// crashAccounts, when set, tells the child to move money between these accounts.
const crashAccounts = "ESNAF_TEST_CRASH_ACCOUNTS"

// transferUntilKilled lets 8 tellers move money, some of it more than there is, and
// says "did" with the description of each transfer that was answered for.
func transferUntilKilled(dir, tenant, round string, ids []string) {
	db, err := store.Open(store.Options{Dir: dir, Clock: clock.System{}, IDs: clock.RandomIDs()})
	if err != nil {
		fmt.Println("fail open", err)
		return
	}
	who := store.Who{Tenant: tenant, Actor: "usr_1", Interface: 'A'}
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			dice := rand.New(rand.NewPCG(7, uint64(w)))
			for i := 0; ; i++ {
				from := dice.IntN(len(ids))
				x := trade.Transfer{
					FromAccountID: ids[from], ToAccountID: ids[(from+1+dice.IntN(len(ids)-1))%len(ids)],
					Amount: money.Amount(1 + dice.IntN(40000)), Description: fmt.Sprintf("%s-%d-%d", round, w, i),
				}
				err := db.Write(context.Background(), who, func(tx *store.Tx) error { _, err := tx.CreateTransfer(x); return err })
				if asError(err).Code != trade.InsufficientFunds {
					say("did", x.Description, err)
				}
			}
		})
	}
	wg.Wait()
}

// M1: whenever the process is killed, each transfer that was answered for is in both
// accounts exactly once, and none of the money is made or lost.
func TestKillingTheProcessWhileMoneyMoves(t *testing.T) {
	b := open(t)
	ids := []string{b.purse(b.who, false, "TRY", 100000), b.purse(b.who, true, "TRY", 50000), b.purse(b.who, true, "TRY", 0)}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	t.Setenv(crashAccounts, strings.Join(ids, " "))
	done := 0
	for round := range 5 {
		said := killedAfter(t, b.Dir(), b.who.Tenant, round)
		b.file = file(t, b.Dir())
		there := map[string]int{}
		for _, key := range sqlRows[string](b, "SELECT doc ->> 'description' FROM transfers") {
			there[key]++
		}
		for _, key := range said["did"] {
			if there[key] != 1 {
				t.Errorf("round %d: %s was answered for and is there %d times", round, key, there[key])
			}
		}
		done += len(said["did"])
		checkTill(t, b, 150000)
	}
	if done < 50 {
		t.Errorf("only %d transfers were answered for", done)
	}
}
