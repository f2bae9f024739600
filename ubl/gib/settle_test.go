package gib

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
)

// lookedUp is an office that first lets an envelope wait, and that has something happen
// while it is asked about it or handed it again. What it answers to the first question is
// scripted.
type lookedUp struct {
	Authority
	answer          Status
	asked, handed   int
	asking, handing func()
}

func (d *lookedUp) Submit(ctx context.Context, e Envelope) (Status, error) {
	if d.handed++; d.handed == 1 {
		return NewStatus("1220"), nil
	}
	if d.handing != nil {
		d.handing()
	}
	return d.Authority.Submit(ctx, e)
}

func (d *lookedUp) Status(ctx context.Context, e Envelope) (Status, error) {
	if d.asked++; d.asked > 1 {
		return d.Authority.Status(ctx, e)
	}
	if d.asking != nil {
		d.asking()
	}
	return d.answer, nil
}

// settle settles an invoice; code is why not, "" when it is settled.
func (s *shop) settle(id string, o trade.Outcome) (code trade.Code) {
	s.t.Helper()
	err := s.db.Write(context.Background(), s.who, func(tx *store.Tx) error { return tx.Settle(id, o) })
	var e *trade.Error
	if err != nil && !errors.As(err, &e) {
		s.t.Fatal(err)
	}
	if e != nil {
		code = e.Code
	}
	return code
}

// A person settles a document while the courier asks about it: it is not handed over any
// more, and what the office says otherwise is not lost.
func TestSettledWhileTheOfficeIsAsked(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		code string
		by   string // the envelope that the office names, another than it was asked for
		as   trade.Outcome
		ends trade.InvoiceState
		says string // of the document
	}{
		{code: "2004", as: trade.Failed, ends: trade.InvoiceFailed, says: "the operator has found that the tax office has not got the document"},
		{code: "1215", as: trade.Failed, ends: trade.InvoiceFailed, says: "the operator has found that the tax office has not got the document"},
		{code: "1220", as: trade.Failed, ends: trade.InvoiceFailed, says: "the operator has found that the tax office has not got the document"},
		{code: "1150", as: trade.Failed, ends: trade.InvoiceFailed, says: "the operator has found that the tax office has not got the document"},
		{code: "1300", as: trade.Failed, ends: trade.InvoiceFailed, says: "after the operator had settled the document, the tax office said otherwise: 1300"},
		{code: "1150", as: trade.Taken, ends: trade.InvoiceSent, says: "after the operator had settled the document, the tax office said otherwise: 1150"},
		{code: "2004", as: trade.Taken, ends: trade.InvoiceSent},
		{code: "1300", by: "another", as: trade.Taken, ends: trade.InvoiceSent},
		{code: "1300", by: "another", as: trade.Failed, ends: trade.InvoiceFailed, says: "after the operator had settled the document, the tax office said otherwise: 1300"},
	} {
		t.Run(row.code+" "+row.by+" "+string(row.as), func(t *testing.T) {
			t.Parallel()
			s := found(t).shop(1)
			id := s.queue(s.temel).ID
			d := &lookedUp{Authority: s.office, answer: NewStatus(row.code)}
			d.answer.Envelope = row.by
			d.asking = func() {
				if code := s.settle(id, row.as); code != "" {
					t.Errorf("not settled: %s", code)
				}
			}
			s.courier.Authority = d
			s.drain()
			s.pass(time.Hour)
			v := s.is(id, row.ends)
			if d.handed != 1 || s.office.taken(s.who.Tenant) != 0 {
				t.Errorf("handed over %d times, the office has %d", d.handed, s.office.taken(s.who.Tenant))
			}
			if !strings.HasPrefix(v.EDocument.LastError, row.says) || row.says == "" && v.EDocument.LastError != "" {
				t.Errorf("lastError %q", v.EDocument.LastError)
			}
			if row.code == "1300" && row.as == trade.Failed && !v.EDocument.MayBeThere() {
				t.Error("it can be given up, though the office says that it has it")
			}
		})
	}
}

// Nobody settles a document while it is being handed over, also over a crash.
func TestNotSettledWhileItIsHandedOver(t *testing.T) {
	t.Parallel()
	s := found(t).shop(1)
	id := s.queue(s.temel).ID
	var crashed *town
	d := &lookedUp{Authority: s.office, answer: NewStatus("2004")}
	d.handing = func() {
		if code := s.settle(id, trade.Failed); code != trade.OnTheWay {
			t.Errorf("settled while it is handed over: %q", code)
		}
		crashed = s.copyTo(t)
	}
	s.courier.Authority = d
	s.drain()
	s.pass(time.Hour)
	s.is(id, trade.InvoiceSent)
	other := &shop{town: crashed, who: s.who}
	if code := other.settle(id, trade.Failed); code != trade.OnTheWay {
		t.Errorf("settled after the crash: %q", code)
	}
	crashed.drain()
	other.is(id, trade.InvoiceSent)
	if d.handed != 2 || len(crashed.door.seen) != 0 || s.office.taken(s.who.Tenant) != 1 {
		t.Errorf("handed over %d times and %d, the office has %d", d.handed, len(crashed.door.seen), s.office.taken(s.who.Tenant))
	}
}

// What waits is settled whatever the last try met, and its terms count from the day it was
// handed over.
func TestSettledAfterTroubleOnTheWay(t *testing.T) {
	t.Parallel()
	s := found(t).shop(1)
	id := s.queue(s.consumer).ID
	s.door.after = func(Envelope) error { return errors.New("no route to host") }
	s.door.Authority = unreachable{s.office}
	s.drain()
	s.pass(3 * 24 * time.Hour)
	if v := s.is(id, trade.InvoiceQueued); v.EDocument.LastError == "" {
		t.Fatalf("%+v", v.EDocument)
	}
	if code := s.settle(id, trade.Taken); code != "" {
		t.Errorf("not settled: %s", code)
	}
	e := s.is(id, trade.InvoiceSent).EDocument
	if !e.SentAt.Time().Equal(s.clock.Now()) || !e.CancellableUntil.Time().Equal(start.AddDate(0, 0, 8)) || e.LastError != "" {
		t.Errorf("%+v", e)
	}
}

// An office that has never answered, not even to the first hand-over, leaves a way out: the
// document waits from the first call in vain on.
func TestSettledThoughTheOfficeNeverAnswered(t *testing.T) {
	t.Parallel()
	s := found(t).shop(1)
	s.office.Script(Rule{Unreachable: true})
	id := s.queue(s.consumer).ID
	if code := s.settle(id, trade.Failed); code != trade.OnTheWay {
		t.Errorf("before it was handed over: %q", code)
	}
	s.drain()
	if code := s.settle(id, trade.Failed); code != "" {
		t.Errorf("not settled: %s", code)
	}
	s.is(id, trade.InvoiceFailed)
}

// unreachable is an office that takes documents and cannot be asked.
type unreachable struct{ Authority }

func (unreachable) Status(context.Context, Envelope) (Status, error) {
	return Status{}, errors.New("no route to host")
}

// away is an office that cannot be reached until it is back, knows nothing then, and lets
// what it is handed wait.
type away struct {
	Authority
	back   bool
	mu     sync.Mutex
	handed map[string]bool // by envelope
}

func (d *away) Submit(_ context.Context, e Envelope) (Status, error) {
	if !d.back {
		return Status{}, errors.New("no route to host")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.handed[e.ID] = true
	return NewStatus("1220"), nil
}

func (d *away) Status(_ context.Context, e Envelope) (Status, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case !d.back:
		return Status{}, errors.New("no route to host")
	case !d.handed[e.ID]:
		return NewStatus(UnknownEnvelope), nil
	}
	return NewStatus("1220"), nil
}

// Terms count from the hand-over that reached the office, not from those in vain.
func TestTermsCountFromTheLastHandOver(t *testing.T) {
	t.Parallel()
	s := found(t).shop(1)
	answered, archived := s.queue(s.ticari).ID, s.queue(s.consumer).ID
	d := &away{Authority: s.office, handed: map[string]bool{}}
	s.courier.Authority = d
	s.drain()
	s.pass(9 * 24 * time.Hour)
	d.back = true
	s.pass(2 * time.Hour)
	if len(d.handed) != 2 {
		t.Fatalf("handed over: %v", d.handed)
	}
	for _, id := range []string{answered, archived} {
		if code := s.settle(id, trade.Taken); code != "" {
			t.Errorf("not settled: %s", code)
		}
	}
	s.drain()
	s.is(answered, trade.InvoiceSent)
	if e := s.is(archived, trade.InvoiceSent).EDocument; !e.CancellableUntil.Time().After(s.clock.Now()) {
		t.Errorf("cancellable until %v", e.CancellableUntil)
	}
}

// That the office took a document after all is kept also when it has been sent as another
// one meanwhile; where the operator has said the same, nothing is.
func TestWhatTheOfficeSaysLate(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		meanwhile func(s *shop, id string)
		ends      trade.InvoiceState
		says      bool
	}{
		"settled as refused and sent as another kind": {func(s *shop, id string) {
			s.settle(id, trade.Failed)
			s.register(s.consumerNo)
			s.send(id)
		}, trade.InvoiceSent, true},
		"settled as taken and cancelled": {func(s *shop, id string) {
			s.settle(id, trade.Taken)
			s.do(func(tx *store.Tx) (store.Doc, error) { return tx.CancelInvoice(id) })
		}, trade.InvoiceCancelled, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := found(t).shop(1)
			id := s.queue(s.consumer).ID
			d := &lookedUp{Authority: s.office, answer: NewStatus("1300")}
			said := false
			d.asking = func() { row.meanwhile(s, id) }
			d.handing = func() { said = s.said(id) } // before the next is taken, which ends what was said of this one
			s.courier.Authority = d
			s.drain()
			s.pass(time.Hour)
			s.is(id, row.ends)
			if said = said || s.said(id); said != row.says {
				t.Errorf("a contradiction was kept: %v", said)
			}
		})
	}
}

// said tells whether an invoice says that the office contradicts the operator.
func (s *shop) said(id string) bool {
	s.t.Helper()
	return strings.Contains(s.invoice(id).EDocument.LastError, "the tax office said otherwise: 1300")
}
