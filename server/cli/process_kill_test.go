package cli_test

import (
	"hash/fnv"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"esnaf/store"
	"esnaf/store/clock"
)

// writers is how many clients write while servers are killed.
const writers = 16

// rounds is how often a server is killed: a few times in every run of the tests,
// as often as ESNAF_KILL_ROUNDS says in a long one.
func rounds(t *testing.T) int {
	text := os.Getenv("ESNAF_KILL_ROUNDS")
	if text == "" {
		if testing.Short() {
			return 3
		}
		return 8
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("ESNAF_KILL_ROUNDS is %q: it must be a number from 1", text)
	}
	return n
}

// TestKill ends server after server with SIGKILL while clients write, and compares
// what is on disk with what the clients were answered and the receiver of
// webhooks was told (ACCEPTANCE D1, I11, M4, W20, W21).
func TestKill(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.register(registered)
	dice := func(id string, before int) int { // of the events, one in eight is taken only the second time
		h := fnv.New32a()
		h.Write([]byte(id))
		if h.Sum32()%8 == 0 && before == 0 {
			return 500
		}
		return 204
	}
	bird := newCuckoo(t, dice)
	receiver := httptest.NewServer(bird)
	t.Cleanup(receiver.Close)
	seed := rand.Uint64()
	t.Logf("%d rounds with %d writers, seed %d", rounds(t), writers, seed)
	random := rand.New(rand.NewPCG(seed, 0))

	l := newLives()
	t.Cleanup(func() { l.set(nil, true) })
	b := &book{versions: map[string]int64{}, bodies: map[string]string{}, numbers: map[string]string{}}
	flags := []string{"--webhook-schedule", "200ms,400ms,800ms,1s,1s,1s,1s,1s"}
	s.begin(flags...)
	s.must(201, "POST", "/api/webhooks", `{"event":"*","url":"`+receiver.URL+`"}`)
	stop, done := s.write(l, b, seed)
	for range rounds(t) {
		l.set(&life{s.url, make(chan struct{})}, false)
		time.Sleep(time.Duration(50+random.IntN(451)) * time.Millisecond)
		l.set(nil, false)
		s.kill()
		s.begin(flags...)
	}
	l.set(&life{s.url, make(chan struct{})}, false)
	for until := time.Now().Add(patience); !b.enough() && time.Now().Before(until) && !t.Failed(); {
		time.Sleep(10 * time.Millisecond)
	}
	stop.Store(true)
	within(t, "the writers", done)
	s.settle(bird)
	s.kill() // what is read now is what a crash leaves, log and all
	c := s.openLedger(b, bird)
	c.answeredIsThere()
	c.numbersAreGapless()
	c.eventsAreChanges()
	c.eventsArrived()
	c.auditIsWhole()
	t.Logf("%d records, %d keys (%d repeated), %d answers lost, %d numbers, %d events in %d calls", len(b.versions), len(b.bodies), b.repeats, b.lost, len(b.numbers), bird.heard(), bird.calls)
	if b.lost == 0 {
		t.Error("no kill has cut anything off: nothing was tested")
	}
}

// register puts a buyer on the tax office's list, for which there is no command.
func (s *site) register(taxNumber string) {
	s.t.Helper()
	db, err := store.Open(store.Options{Dir: s.dir, Clock: clock.System{}, IDs: clock.RandomIDs()})
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	err = db.Write(s.t.Context(), store.Who{Tenant: s.tenant, Actor: "operator"}, func(tx *store.Tx) error {
		return tx.PutTaxpayers([]store.Taxpayer{{TaxNumber: taxNumber, Document: "Invoice", Alias: "urn:mail:defaultpk@yildiz.example", Title: "Yıldız Gıda", Type: "OZEL", Since: time.Now().AddDate(-2, 0, 0)}})
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// write starts the writers; done is closed once stop is set and all have ended.
func (s *site) write(l *lives, b *book, seed uint64) (stop *atomic.Bool, done chan struct{}) {
	stop, done = &atomic.Bool{}, make(chan struct{})
	var all sync.WaitGroup
	for i := range writers {
		w := &writer{site: s, lives: l, book: b, stop: stop, rand: rand.New(rand.NewPCG(seed, uint64(i+1)))}
		all.Go(func() {
			if err := w.run(); err != nil {
				s.t.Error(err)
			}
		})
	}
	go func() { all.Wait(); close(done) }()
	return stop, done
}

// settle waits until the server has nothing left to do: no document is on its
// way, and no delivery.
func (s *site) settle(bird *cuckoo) {
	s.t.Helper()
	webhook := s.webhook()
	for until := time.Now().Add(patience); ; {
		queued := s.must(200, "GET", "/api/invoices?status=QUEUED&limit=1", "")
		pending := s.must(200, "GET", "/api/webhooks/"+webhook+"/deliveries?status=pending&limit=1", "")
		if queued.empty() && pending.empty() {
			return
		}
		if time.Now().After(until) {
			s.t.Fatalf("after %v and %d events there is still something to do: %s %s", patience, bird.heard(), queued.body, pending.body)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestKillWithDeliveriesPending kills a server whose 500 deliveries all hang or
// wait (ACCEPTANCE W20).
func TestKillWithDeliveriesPending(t *testing.T) {
	t.Parallel()
	const events = 500
	s := newSite(t)
	inFlight, release := make(chan struct{}, 2*events), make(chan struct{})
	bird := newCuckoo(t, func(string, int) int {
		inFlight <- struct{}{}
		<-release
		return 204
	})
	receiver := httptest.NewServer(bird)
	t.Cleanup(receiver.Close)
	open := sync.OnceFunc(func() { close(release) })
	t.Cleanup(open)
	s.begin()
	s.must(201, "POST", "/api/webhooks", `{"event":"company.created","url":"`+receiver.URL+`"}`)
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range (events + writers - 1) / writers {
				if a, err := s.call(t.Context(), s.url, "POST", "/api/companies", `{"name":"Ada"}`, "Idempotency-Key", uuid.NewString()); err != nil || a.status != 201 {
					t.Errorf("%d %s %v", a.status, a.body, err)
				}
			}
		})
	}
	all.Wait()
	<-inFlight
	s.kill()
	cut := bird.heard()
	open()
	s.begin()
	s.settle(bird)
	s.kill()
	l := s.openLedger(nil, bird)
	l.eventsArrived()
	if n := bird.heard(); n < events || cut == 0 || cut == n {
		t.Errorf("%d events were heard, %d of them before the kill", n, cut)
	}
}
