package webhook_test

import (
	"net/http"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/webhook"
)

// gate is a receiver's reply: each call is answered once the test lets it through.
type gate chan struct{}

func (g gate) reply(w http.ResponseWriter, q *http.Request) {
	select {
	case <-g:
		w.WriteHeader(http.StatusNoContent)
	case <-q.Context().Done():
	}
}

// pass lets n calls through.
func (g gate) pass(t *testing.T, n int) {
	t.Helper()
	for range n {
		select {
		case g <- struct{}{}:
		case <-time.After(30 * time.Second):
			t.Fatal("no call is held")
		}
	}
}

// patient makes a Sender whose calls are held for longer than a test takes.
func (s *shop) patient() *webhook.Sender {
	return webhook.New(webhook.Config{DB: s.db, Policy: loopback(s.t), Limit: 10 * time.Minute, Grace: 50 * time.Millisecond})
}

// afterTurn is when every lane that has begun has had its turn.
func afterTurn() { time.Sleep(1500 * time.Millisecond) }

// products makes n events of another kind than companies does.
func (s *shop) products(n int) {
	s.t.Helper()
	s.write(s.tenant, func(tx *store.Tx) error {
		for range n {
			if _, err := tx.CreateProduct(trade.Product{Name: "Defter"}); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestQueuesDoNotKeepTheirLanes: where the webhooks of a hundred tenants fill the lanes
// and have long queues, the first event of another tenant is not made to wait for the
// end of these; whether their receivers hang or answer, be it slowly.
func TestQueuesDoNotKeepTheirLanes(t *testing.T) {
	const tenants, hooks, events, lanes = 100, 4, 30, 256
	fill := func(reply http.HandlerFunc) (*shop, *receiver, *receiver) {
		s := newShop(t)
		slow, good := s.receiver(reply), s.receiver(nil)
		for range tenants {
			tenant := s.newTenant()
			s.hooks(tenant, hooks, slow.URL)
			s.companies(tenant, events)
		}
		s.hook("company.created", good.URL)
		return s, slow, good
	}
	t.Run("they hang", func(t *testing.T) {
		s, slow, good := fill(hang)
		stop, done := run(t, s.sender("1h"))
		slow.wait(t, lanes)
		s.company(s.tenant, "Deneme")
		good.wait(t, 1)
		if n := len(slow.got()); n > lanes*events/2 {
			t.Errorf("the other's event came after %d of their calls", n)
		}
		stop()
		<-done
	})
	t.Run("they answer slowly", func(t *testing.T) {
		// The calls of their turn are answered, and no later one: who does not end with its turn never does.
		turned := make(chan struct{})
		s, slow, good := fill(turning(turned))
		stop, done := run(t, s.patient())
		slow.wait(t, lanes)
		s.comesAfterTurn(t, turned, good)
		stop()
		<-done
	})
}

// comesAfterTurn has the shop's first event come, and the others' turn end: it must arrive.
func (s *shop) comesAfterTurn(t *testing.T, turned chan struct{}, good *receiver) {
	t.Helper()
	s.company(s.tenant, "Deneme")
	afterTurn()
	close(turned)
	good.wait(t, 1)
}

// crowd has the shop's tenant and another make calls of all the webhooks that they may
// have, but for one. Of the other's some find no lane, since a tenant takes no more than it
// leaves: with all those of the shop they have 161 or 162.
func (s *shop) crowd(t *testing.T, busy *receiver) {
	t.Helper()
	for _, tenant := range []string{s.tenant, s.newTenant()} {
		s.hooks(tenant, trade.MaxWebhooks-1, busy.URL)
		s.companies(tenant, 1)
		s.clock.Advance(time.Millisecond) // so that the shop's are due before the other's
	}
	busy.wait(t, 161)
}

// TestOnlyThoseGiveWayWhoHelp: that a busy tenant has taken all it may is nothing to one
// that has less, while lanes are free: its own goes on.
func TestOnlyThoseGiveWayWhoHelp(t *testing.T) {
	s, held := newShop(t), make(gate)
	busy, good := s.receiver(hang), s.receiver(held.reply)
	modest := s.newTenant()
	s.hooks(modest, 1, good.URL)
	stop, done := run(t, s.patient())
	s.crowd(t, busy)
	s.companies(modest, 100)
	good.wait(t, 4)
	afterTurn()
	held.pass(t, 1)
	good.wait(t, 6) // one in its place, and one for the success
	stop()
	<-done
}

// TestGivingWayKeepsTheCalls: a webhook whose lane has given way goes on with as many
// calls at a time as it had.
func TestGivingWayKeepsTheCalls(t *testing.T) {
	s, held, opened := newShop(t), make(gate), make(gate)
	busy, good := s.receiver(opened.reply), s.receiver(held.reply)
	s.hook("product.created", good.URL)
	stop, done := run(t, s.patient())
	s.products(500)
	passed := 40 // by then it is called 32 at a time
	held.pass(t, passed)
	s.crowd(t, busy)
	afterTurn()
	n := len(busy.got())
	for len(busy.got()) <= n && passed < 450 { // until one of the other's has its place
		select {
		case held <- struct{}{}:
			passed++
		case <-time.After(10 * time.Millisecond):
		}
	}
	close(opened)
	good.wait(t, passed+16)
	stop()
	<-done
}

// turning is a receiver's reply: calls are answered once turned is closed, and no later one.
func turning(turned chan struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, q *http.Request) {
		select {
		case <-turned:
			hang(w, q)
		default:
			gate(turned).reply(w, q)
		}
	}
}

// TestTheFirstEventOfANewcomer: where others have filled the lanes before anybody was
// refused, each with its only webhook, a newcomer has the first place that comes free;
// also beside one whose two webhooks hang.
func TestTheFirstEventOfANewcomer(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of accounts are slow to make under the race detector")
	}
	for name, row := range map[string]struct{ hanging, tenants, begin int }{
		"all lanes are taken":           {0, 256, 256},
		"beside two webhooks that hang": {2, 300, 250},
	} {
		t.Run(name, func(t *testing.T) {
			s, turned := newShop(t), make(chan struct{})
			held, slow, good := s.receiver(hang), s.receiver(turning(turned)), s.receiver(nil)
			if row.hanging > 0 {
				tenant := s.newTenant()
				s.hooks(tenant, row.hanging, held.URL)
				s.companies(tenant, 30)
				s.clock.Advance(time.Second)
			}
			for range row.tenants {
				tenant := s.newTenant()
				s.hooks(tenant, 1, slow.URL)
				s.companies(tenant, 30)
			}
			s.hook("company.created", good.URL)
			stop, done := run(t, s.patient())
			held.wait(t, row.hanging)
			slow.wait(t, row.begin)
			s.clock.Advance(time.Second)
			s.comesAfterTurn(t, turned, good)
			stop()
			<-done
		})
	}
}
