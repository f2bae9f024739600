package cli_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
)

// till is what 16 clients know of the money that they have moved.
type till struct {
	mu      sync.Mutex
	moved   map[string]int64 // by account, in kuruş; the company's is what it owes
	made    map[string]int   // answers that made it, by transfer or payment
	refused map[string]int   // by code
}

// count takes down that from gave amount to another account.
func (c *till) count(id, from, to string, amount int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moved[from] -= amount
	c.moved[to] += amount
	c.made[id]++
}

// teller is a client that moves money for as long as there are servers.
type teller struct {
	writer
	till     *till
	company  string
	accounts []string
	invoices []string
	payments []payment // its own that still count
}

type payment struct {
	id, account string
	amount      int64
}

// ask insists on an answer under one key; made is false when it was refused for a
// reason. Now and then the same is asked once more: what was made is made no second
// time, and what was refused for a fault may be possible by now.
func (w *teller) ask(path, body string) (a answer, made bool, err error) {
	key := uuid.NewString()
	for range 1 + w.rand.IntN(8)/7 {
		first := a
		if a, err = w.insist(http.MethodPost, path, body, "Idempotency-Key", key); err != nil {
			return a, false, err
		}
		if first.body != nil && first.status < 400 && string(first.body) != string(a.body) {
			return a, false, fmt.Errorf("POST %s: asked again with the same key it says %s, before %s", path, a.body, first.body)
		}
	}
	switch a.status {
	case 200, 201:
		return a, true, nil
	case 409, 422:
		w.till.mu.Lock()
		w.till.refused[a.text("code")]++
		w.till.mu.Unlock()
		return a, false, nil
	}
	return a, false, fmt.Errorf("POST %s %s: %d %s", path, body, a.status, a.body)
}

// run moves money until it is told to stop.
func (w *teller) run() (err error) {
	for err == nil && !w.stop.Load() {
		switch n := w.rand.IntN(10); {
		case n < 6:
			err = w.transfer()
		case n < 9 || len(w.payments) == 0:
			err = w.pay()
		default:
			err = w.reverse()
		}
	}
	return err
}

// amount is up to most kuruş, and as text.
func (w *teller) amount(most int) (int64, string) {
	n := 1 + w.rand.IntN(most)
	return int64(n), fmt.Sprintf("%d.%02d", n/100, n%100)
}

func (w *teller) transfer() error {
	from := w.rand.IntN(len(w.accounts))
	to := (from + 1 + w.rand.IntN(len(w.accounts)-1)) % len(w.accounts)
	most := 100000
	if strings.HasPrefix(w.accounts[from], "csh") {
		most *= 4 // more goes out than comes in, so that it often lacks money
	}
	n, text := w.amount(most)
	a, made, err := w.ask("/api/transfers", fmt.Sprintf(`{"fromAccountId":%q,"toAccountId":%q,"amount":%q}`, w.accounts[from], w.accounts[to], text))
	if made {
		w.till.count(a.text("id"), w.accounts[from], w.accounts[to], n)
	}
	return err
}

// pay takes money of the company in, mostly for an invoice of which perhaps less
// remains.
func (w *teller) pay() error {
	account := w.accounts[w.rand.IntN(len(w.accounts))]
	n, text := w.amount(3000)
	parts := ""
	if w.rand.IntN(4) > 0 {
		parts = fmt.Sprintf(`,"allocations":[{"invoiceId":%q,"amount":%q}]`, w.invoices[w.rand.IntN(len(w.invoices))], text)
	}
	a, made, err := w.ask("/api/payments", fmt.Sprintf(`{"companyId":%q,"accountId":%q,"direction":"IN","amount":%q%s}`, w.company, account, text, parts))
	if made {
		w.till.count(a.text("id"), w.company, account, n)
		w.payments = append(w.payments, payment{a.text("id"), account, n})
	}
	return err
}

func (w *teller) reverse() error {
	p := w.payments[0]
	w.payments = w.payments[1:]
	_, made, err := w.ask("/api/payments/"+p.id+"/reverse", "")
	if made {
		w.till.count("reversed "+p.id, p.account, w.company, p.amount)
	} else if err == nil { // the cash account has spent it meanwhile
		w.payments = append(w.payments, p)
	}
	return err
}

// openTill makes 3 accounts that hold little, and a company that owes 6 invoices.
func (s *site) openTill() (all *teller, opening map[string]int64) {
	s.t.Helper()
	all, opening = &teller{till: &till{moved: map[string]int64{}, made: map[string]int{}, refused: map[string]int{}}}, map[string]int64{}
	for i, path := range []string{"/api/bank-accounts", "/api/bank-accounts", "/api/cash-accounts"} {
		a := s.must(201, "POST", path, `{"name":"Kasa","openingBalance":"10"}`)
		all.accounts = append(all.accounts, a.text("id"))
		opening[all.accounts[i]] = 1000
	}
	all.company = s.must(201, "POST", "/api/companies", company("9876543217", "Yıldız Gıda"), "Idempotency-Key", uuid.NewString()).text("id")
	for range 6 {
		id := s.must(201, "POST", "/api/invoices", `{"companyId":"`+all.company+`","lines":[{"name":"Çay","quantity":"10","unitPrice":"20","vatRate":"20"}]}`).text("id")
		if a := s.must(200, "POST", "/api/invoices/"+id+"/send?wait=10", ""); a.text("status") != "SENT" {
			s.t.Fatalf("%s", a.body)
		}
		all.invoices = append(all.invoices, id)
		opening[all.company] += 24000
	}
	return all, opening
}

// enough tells whether the cash account has lacked money now and then.
func (c *till) enough() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused["insufficient_funds"] > 5 && len(c.made) > 20
}

// TestKillWhileMoneyMoves ends server after server with SIGKILL while 16 clients move
// money between 3 accounts and are paid invoices: none is made or lost, each change
// that was answered for is there once, and none else is (ACCEPTANCE M1).
func TestKillWhileMoneyMoves(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	like, opening := s.openTill()
	l, b, c := newLives(), &book{}, like.till
	t.Cleanup(func() { l.set(nil, true) })
	var stop atomic.Bool
	var all sync.WaitGroup
	seed := rand.Uint64()
	t.Logf("%d rounds with %d tellers, seed %d", rounds(t), writers, seed)
	for i := range writers {
		w := *like
		w.writer = writer{site: s, lives: l, book: b, stop: &stop, rand: rand.New(rand.NewPCG(seed, uint64(i)))}
		all.Go(func() {
			if err := w.run(); err != nil {
				t.Error(err)
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	random := rand.New(rand.NewPCG(seed, writers))
	for range rounds(t) {
		l.set(&life{s.url, make(chan struct{})}, false)
		time.Sleep(time.Duration(50+random.IntN(451)) * time.Millisecond)
		l.set(nil, false)
		s.kill()
		s.begin()
	}
	l.set(&life{s.url, make(chan struct{})}, false)
	for until := time.Now().Add(patience); !c.enough() && time.Now().Before(until) && !t.Failed(); {
		time.Sleep(10 * time.Millisecond)
	}
	stop.Store(true)
	within(t, "the tellers", done)
	s.kill() // what is read now is what a crash leaves, log and all
	s.openLedger(nil, nil).moneyIsThere(c, opening)
	if out := esnaf(t, "check", "--data", s.dir); strings.Count(out, " ok ") != strings.Count(out, "\n") {
		t.Errorf("esnaf check says\n%s", out)
	}
	t.Logf("%d changes, refused %v, %d answers lost", len(c.made), c.refused, b.lost)
	if b.lost == 0 || !c.enough() {
		t.Error("no kill has cut anything off, or there was always money enough: nothing was tested")
	}
}

// moneyIsThere holds what is on disk against what the tellers were answered.
func (l *ledger) moneyIsThere(c *till, opening map[string]int64) {
	l.Helper()
	for account, before := range opening {
		var now int64
		if err := l.db.QueryRow("SELECT sum(amount) FROM postings WHERE account = ?", account).Scan(&now); err != nil {
			l.Fatal(err)
		}
		want := before + c.moved[account]
		if now != want {
			l.Errorf("%s holds %d kuruş, by what was answered it is %d", account, now, want)
		}
		if strings.HasPrefix(account, "csh") && now < 0 {
			l.Errorf("the cash account holds %d kuruş", now)
		}
	}
	found := 0
	for _, id := range l.texts("SELECT id FROM transfers UNION ALL SELECT id FROM payments UNION ALL SELECT 'reversed ' || id FROM payments WHERE status = 'REVERSED'") {
		found++
		if c.made[id] != 1 {
			l.Errorf("%s is there, and was answered for %d times", id, c.made[id])
		}
	}
	if found != len(c.made) || found == 0 {
		l.Errorf("%d changes are there, %d were answered for", found, len(c.made))
	}
	for _, id := range l.texts("SELECT source FROM postings GROUP BY source HAVING sum(lira) <> 0 OR count(DISTINCT entry) > 1 + (source IN (SELECT id FROM payments WHERE status = 'REVERSED'))") {
		l.Errorf("%s is booked more than once, or leaves something over", id)
	}
}
