package gib

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"esnaf/store/trade"
)

// reached waits until something was handed over; the test hangs, and so fails, if
// nothing ever is.
func reached(t *testing.T, c <-chan Envelope) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(20 * time.Second):
		t.Fatal("the courier did not come")
	}
}

// settled waits until the store has told of a change and the invoice is in state.
func (s *shop) settled(id string, want trade.InvoiceState) {
	s.t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		wake := s.db.Wake()
		if s.invoice(id).Status == want {
			return
		}
		select {
		case <-wake:
		case <-deadline:
			s.t.Fatalf("the invoice is still %s", s.invoice(id).Status)
		}
	}
}

func TestRunComesWhenThereIsWork(t *testing.T) {
	s := found(t).shop(1)
	came := make(chan Envelope, 10)
	s.door.after = func(e Envelope) error { came <- e; return nil }
	s.office.Script(Rule{Code: "1195", Times: 1})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { s.courier.Run(ctx); close(done) }()

	id := s.queue(s.temel).ID
	reached(t, came) // woken by the commit
	s.drain()        // waits for the pass that has put it off
	s.clock.Advance(10 * time.Second)
	reached(t, came) // woken by the clock
	s.settled(id, trade.InvoiceSent)

	second := s.queue(s.ticari).ID
	reached(t, came)
	s.settled(second, trade.InvoiceSent)
	stop()
	<-done
}

// A stop lets what is being handed over come to its end, and takes nothing new.
func TestAStopLosesNoOutcome(t *testing.T) {
	s := found(t).shop(1)
	ctx, stop := context.WithCancel(t.Context())
	s.door.after = func(Envelope) error { stop(); return nil }
	s.courier = s.hire(1)
	first := s.queue(s.temel).ID
	s.clock.Advance(time.Millisecond)
	second := s.queue(s.temel).ID
	if _, err := s.courier.Drain(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a drain that was stopped says %v", err)
	}
	s.is(first, trade.InvoiceSent)
	s.is(second, trade.InvoiceQueued)
	s.courier.Run(ctx) // returns, since ctx is over
	s.is(second, trade.InvoiceQueued)
	s.drain()
	s.is(second, trade.InvoiceSent)
}

// A store that fails for a while costs time, not the courier.
func TestRunOutlivesAFailingStore(t *testing.T) {
	s := found(t).shop(1)
	failed, came := make(chan struct{}, 10), make(chan Envelope, 10)
	s.courier.Log = slog.New(slog.NewTextHandler(bell(failed), nil))
	s.door.after = func(e Envelope) error { came <- e; return nil }
	id := s.queue(s.temel).ID
	s.exec("ALTER TABLE courier RENAME TO away")
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { s.courier.Run(ctx); close(done) }()
	<-failed
	s.exec("ALTER TABLE away RENAME TO courier")
	for called := false; !called; { // the courier logs first and looks at the clock then
		s.clock.Advance(10 * time.Second)
		select {
		case <-came:
			called = true
		case <-time.After(20 * time.Millisecond):
		}
	}
	s.settled(id, trade.InvoiceSent)
	stop()
	<-done
}

// bell tells of every line that is logged.
type bell chan struct{}

func (b bell) Write(line []byte) (int, error) {
	select {
	case b <- struct{}{}:
	default:
	}
	return len(line), nil
}
