package webhook_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/webhook"
)

// TestRun: deliveries go out as they are queued, and again when the clock says so.
func TestRun(t *testing.T) {
	s := newShop(t)
	failures := 2
	r := s.receiver(func(w http.ResponseWriter, _ *http.Request) {
		if failures--; failures >= 0 {
			w.WriteHeader(http.StatusBadGateway)
		}
	})
	id := s.hook("company.created", r.URL)
	stop, done := run(t, s.sender("1m,1h"))
	defer func() { stop(); <-done }()
	s.company(s.tenant, "Deneme")
	for n := 1; n <= 3; n++ {
		r.wait(t, n)
		s.settled(id, n)
		s.clock.Advance(2 * time.Hour)
	}
	if log := s.log(id); log[0].State != trade.Delivered {
		t.Errorf("the log says %+v", log)
	}
	s.company(s.tenant, "Deneme 2")
	r.wait(t, 4)
}

// settled waits until n attempts of a webhook's only delivery are on record.
func (s *shop) settled(id string, n int) {
	s.t.Helper()
	for range 3000 {
		if log := s.log(id); len(log[0].Attempts) == n {
			return
		}
		time.Sleep(10 * time.Millisecond) // a commit of the sender tells nobody
	}
	s.t.Fatalf("%d attempts are not on record", n)
}

// TestStopWithinTheGrace is ACCEPTANCE W22: an attempt under way may end.
func TestStopWithinTheGrace(t *testing.T) {
	s := newShop(t)
	release := make(chan struct{})
	r := s.receiver(func(http.ResponseWriter, *http.Request) { <-release })
	id := s.hook("company.created", r.URL)
	s.company(s.tenant, "Deneme")
	sender := webhook.New(webhook.Config{DB: s.db, Policy: loopback(t)})
	stop, done := run(t, sender)
	r.wait(t, 1)
	stop()
	s.clock.Advance(time.Second)
	s.company(s.tenant, "After the stop")
	close(release)
	<-done
	log := s.log(id) // one second apart, so in the order they were made
	if log[0].State != trade.Delivered || log[1].State != trade.DeliveryPending || len(log[1].Attempts) != 0 {
		t.Errorf("the log says %+v", log)
	}
}

// TestStopBeyondTheGrace: an attempt that is cut off never was; it is made again.
func TestStopBeyondTheGrace(t *testing.T) {
	s := newShop(t)
	hanging := atomic.Bool{}
	hanging.Store(true)
	r := s.receiver(func(w http.ResponseWriter, q *http.Request) {
		if hanging.Load() {
			hang(w, q)
		}
	})
	id := s.hook("company.created", r.URL)
	s.company(s.tenant, "Deneme")
	sender := webhook.New(webhook.Config{DB: s.db, Policy: loopback(t), Grace: 50 * time.Millisecond})
	stop, done := run(t, sender)
	r.wait(t, 1)
	stop()
	if took := timed(func() { <-done }); took > 10*time.Second {
		t.Errorf("Run ended after %v", took)
	}
	if log := s.log(id); log[0].State != trade.DeliveryPending || len(log[0].Attempts) != 0 {
		t.Errorf("the log says %+v", log)
	}
	hanging.Store(false)
	s.drain(sender, 1)
	if log := s.log(id); log[0].State != trade.Delivered || log[0].Attempts[0].Number != 1 {
		t.Errorf("the log says %+v", log)
	}
}

// TestRestart is ACCEPTANCE W20 within one process: 500 deliveries, some made,
// some under way, when the store is closed. After the next start every event has
// arrived, under the id it had.
func TestRestart(t *testing.T) {
	s := newShop(t)
	var calls atomic.Int64
	var restarted atomic.Bool
	r := s.receiver(func(w http.ResponseWriter, q *http.Request) {
		if calls.Add(1) > 150 && !restarted.Load() {
			hang(w, q)
		}
	})
	id := s.hook("company.created", r.URL)
	s.companies(s.tenant, 500)
	stop, done := run(t, s.sender("1h"))
	r.wait(t, 152)
	stop()
	<-done
	s.close()
	restarted.Store(true)
	s.open()
	if _, err := s.sender("1h").Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	arrived := map[string]int{}
	for _, c := range r.got() {
		arrived[c.header.Get("X-Svc-Event-Id")]++
	}
	log := s.log(id)
	for _, d := range log {
		if arrived[d.EventID] == 0 || d.State == trade.DeliveryPending && d.NextAttempt.Time().Before(s.clock.Now().Add(time.Minute)) {
			t.Errorf("%+v arrived %d times", d, arrived[d.EventID])
		}
		delete(arrived, d.EventID)
	}
	if len(log) != 500 || len(arrived) > 0 {
		t.Errorf("%d deliveries; %d ids that none has", len(log), len(arrived))
	}
}

// TestThousandsWaitForADeletedWebhook: they are cancelled at once for whoever looks, in
// steps in the store, and not one is sent; also when the server starts in between, and
// when they were put off until later.
func TestThousandsWaitForADeletedWebhook(t *testing.T) {
	for name, tried := range map[string]int{"due": 0, "put off": 2500} {
		s := newShop(t)
		r := s.receiver(answer(500))
		id := s.hook("company.created", r.URL)
		s.companies(s.tenant, 2500)
		if tried > 0 {
			s.drain(s.sender("1h"), tried)
		}
		s.write(s.tenant, func(tx *store.Tx) error { return tx.DeleteWebhook(id, store.Any) })
		waits := func() bool {
			due, next, err := s.db.Waiting(t.Context(), s.clock.Now())
			if err != nil {
				t.Fatal(err)
			}
			return len(due) > 0 || !next.IsZero()
		}
		if !waits() {
			t.Fatalf("%s: one change cancelled them all: the others waited for it", name)
		}
		for _, d := range s.log(id) {
			if d.State != trade.DeliveryCancelled || d.NextAttempt != 0 {
				t.Fatalf("%s: the log says %+v", name, d)
			}
		}
		s.close()
		s.open()
		stop, done := run(t, s.sender("1h"))
		for began := time.Now(); waits(); time.Sleep(time.Millisecond) {
			if time.Since(began) > 20*time.Second {
				t.Fatalf("%s: they still wait", name)
			}
		}
		stop()
		<-done
		if n := len(r.got()) - tried; n > 0 {
			t.Errorf("%s: %d were sent", name, n)
		}
	}
}

// TestCancelledDrain ends early and says so.
func TestCancelledDrain(t *testing.T) {
	s := newShop(t)
	r := s.receiver(nil)
	s.hook("company.created", r.URL)
	s.company(s.tenant, "Deneme")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := s.sender("1s").Drain(ctx); n != 0 || err == nil {
		t.Errorf("%d attempts, %v", n, err)
	}
}
