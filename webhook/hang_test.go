package webhook_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"esnaf/store/trade"
	"esnaf/webhook"
)

// TestReceiversThatDoNotFinish is ACCEPTANCE W13 and W14, with a limit of 300 ms:
// the attempt ends with the limit and is recorded as a timeout.
func TestReceiversThatDoNotFinish(t *testing.T) {
	for name, reply := range map[string]http.HandlerFunc{
		"never answers": hang,
		"drips": func(w http.ResponseWriter, q *http.Request) {
			for tick := time.NewTicker(10 * time.Millisecond); ; {
				fmt.Fprint(w, ".")
				w.(http.Flusher).Flush()
				select {
				case <-tick.C:
				case <-q.Context().Done():
					return
				}
			}
		},
	} {
		s := newShop(t)
		r := s.receiver(reply)
		id := s.hook("company.created", r.URL)
		s.company(s.tenant, "Deneme")
		took := timed(func() { s.drain(s.sender("1h"), 1) })
		if took < 250*time.Millisecond || took > 20*time.Second {
			t.Errorf("%s: the attempt took %v", name, took)
		}
		d := s.log(id)[0]
		if d.State != trade.DeliveryPending || d.Attempts[0].Error != "timeout" || len(d.Attempts[0].Excerpt) > 4<<10 {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// TestHugeAnswer is ACCEPTANCE W15: 2xx and a body without end is a success, of
// which no more than a little is read.
func TestHugeAnswer(t *testing.T) {
	s := newShop(t)
	cut := make(chan int, 1)
	r := s.receiver(func(w http.ResponseWriter, _ *http.Request) {
		sent, block := 0, bytes.Repeat([]byte("x"), 64<<10)
		for sent < 1<<30 {
			n, err := w.Write(block)
			sent += n
			if err != nil {
				break
			}
		}
		cut <- sent
	})
	id := s.hook("company.created", r.URL)
	s.company(s.tenant, "Deneme")
	s.drain(s.sender("1h"), 1)
	if sent := <-cut; sent > 64<<20 { // what the sockets of both sides hold
		t.Errorf("%d bytes were taken", sent)
	}
	d := s.log(id)[0]
	if d.State != trade.Delivered || d.Attempts[0].Excerpt != strings.Repeat("x", 4<<10) {
		t.Errorf("%+v", d)
	}
}

// TestHugeHeader: an answer's head is bounded as well.
func TestHugeHeader(t *testing.T) {
	s := newShop(t)
	id := s.hook("company.created", raw(t, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 1<<20)+"\r\n\r\n"))
	s.company(s.tenant, "Deneme")
	s.drain(s.sender("1h"), 1)
	if d := s.log(id)[0]; d.State != trade.DeliveryPending || d.Attempts[0].Error == "" {
		t.Errorf("%+v", d)
	}
}

// run starts Run; it returns what tells it to stop and what says that it has.
func run(t *testing.T, sender *webhook.Sender) (stop func(), done <-chan struct{}) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { sender.Run(ctx); close(ended) }()
	return cancel, ended
}

// TestSlowReceiversDelayNoOther is ACCEPTANCE W17 and W18: while one receiver
// hangs, or fifty do, of the same tenant or of others, a healthy one gets all; also
// when more hang than there are lanes.
func TestSlowReceiversDelayNoOther(t *testing.T) {
	for _, row := range []struct {
		name            string
		hanging, events int
		foreign         int // tenants whose receivers hang; 0: the healthy one's own
	}{
		{"one hangs", 1, 40, 0},
		{"fifty hang", 50, 10, 0},
		{"fifty of another tenant hang", 50, 10, 1},
		{"all that three other tenants may have hang", trade.MaxWebhooks, 1, 3},
		{"all that nine other tenants may have hang", trade.MaxWebhooks, 1, 9},
	} {
		s := newShop(t)
		bad, good, healthy := s.receiver(hang), s.receiver(nil), s.tenant
		s.hooks(s.tenant, row.hanging, bad.URL)
		others := []string{s.tenant}
		for len(others) < row.foreign {
			others = append(others, s.newTenant())
			s.hooks(others[len(others)-1], row.hanging, bad.URL)
		}
		if row.foreign > 0 {
			healthy = s.newTenant()
		}
		s.register(healthy, trade.Webhook{Event: "company.created", URL: good.URL})
		if row.foreign > 0 { // one tenant after the other, so that each takes what it may
			for _, tenant := range others {
				s.companies(tenant, row.events)
				s.clock.Advance(time.Millisecond)
			}
		}
		stop, done := run(t, webhook.New(webhook.Config{DB: s.db, Policy: loopback(t), Limit: time.Minute, Grace: 50 * time.Millisecond}))
		if row.foreign > 0 {
			bad.wait(t, min(row.hanging*row.foreign, 190)) // as many of them as have lanes in any case
		}
		took := timed(func() {
			for range row.events {
				s.company(healthy, "Deneme")
			}
			good.wait(t, row.events)
		})
		if took > 20*time.Second {
			t.Errorf("%s: the healthy one waited %v", row.name, took)
		}
		if n := len(bad.wait(t, row.hanging)); n > 4*row.hanging*len(others) {
			t.Errorf("%s: %d calls are held", row.name, n)
		}
		stop()
		<-done
	}
}

// TestCallsAtATime: a receiver that answers is called more and more at a time, up
// to the cap; one that fails is soon called one at a time.
func TestCallsAtATime(t *testing.T) {
	for _, row := range []struct {
		name        string
		status      int
		least, most int64 // of the calls at a time, when 200 are made
	}{{"healthy", 200, 8, 32}, {"failing", 500, 1, 4}} {
		s := newShop(t)
		var now, peak atomic.Int64
		r := s.receiver(func(w http.ResponseWriter, _ *http.Request) {
			n := now.Add(1)
			for p := peak.Load(); n > p && !peak.CompareAndSwap(p, n); p = peak.Load() {
			}
			time.Sleep(time.Millisecond) // the time a call takes is what is tested
			now.Add(-1)
			w.WriteHeader(row.status)
		})
		s.hook("company.created", r.URL)
		s.companies(s.tenant, 200)
		s.drain(s.sender("1h"), 200)
		if p := peak.Load(); p < row.least || p > row.most {
			t.Errorf("%s: %d calls at a time", row.name, p)
		}
	}
}
