package gib

import (
	"errors"
	"strings"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
)

func TestTroubleAtTheOffice(t *testing.T) {
	for _, row := range []struct {
		name     string
		script   []Rule
		wait     time.Duration // from the first pass on, until the second
		between  string        // what the invoice says meanwhile, part of lastError or statusText
		want     trade.InvoiceState
		attempts int
	}{
		{"one call unreachable", []Rule{{Unreachable: true, Times: 1}}, 10 * time.Second, "could not be reached; the next try is at 2026-09-15T09:00:10.000Z", trade.InvoiceSent, 2},
		{"unreachable for ever", []Rule{{Unreachable: true}}, 10 * time.Second, "could not be reached", trade.InvoiceQueued, 2},
		{"an error of its own", []Rule{{Code: "1195", Times: 1}}, 10 * time.Second, "error of its system", trade.InvoiceSent, 2},
		{"the same again", []Rule{{Code: "1195", Times: 2}}, 10 * time.Second, "error of its system", trade.InvoiceQueued, 2},
		{"a slow yes", []Rule{{After: 10 * time.Minute}}, 10 * time.Minute, "is being processed", trade.InvoiceSent, 1},
		{"a slow no", []Rule{{After: 10 * time.Minute, Code: "1150"}}, 10 * time.Minute, "is being processed", trade.InvoiceFailed, 1},
		{"not quite yet", []Rule{{After: 10 * time.Minute}}, 9 * time.Minute, "is being processed", trade.InvoiceQueued, 0},
		{"never an answer", []Rule{{Never: true}}, 30 * 24 * time.Hour, "is queued", trade.InvoiceQueued, 0},
		{"the receiver's system is silent", []Rule{{Code: "1220"}}, time.Hour, "does not answer", trade.InvoiceQueued, 0},
		{"a code nobody knows", []Rule{{Code: "1999"}}, time.Hour, "not on the tax office's list", trade.InvoiceQueued, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := found(t).shop(1)
			s.office.Script(row.script...)
			id := s.queue(s.temel).ID
			s.drain()
			if e := s.is(id, trade.InvoiceQueued).EDocument; !strings.Contains(e.LastError+e.StatusText, row.between) || e.EnvelopeID == "" {
				t.Errorf("meanwhile %+v", e)
			}
			s.pass(row.wait)
			v := s.is(id, row.want)
			if v.EDocument.Attempts != row.attempts {
				t.Errorf("%d attempts, want %d", v.EDocument.Attempts, row.attempts)
			}
			if row.want == trade.InvoiceSent && v.EDocument.LastError != "" {
				t.Errorf("sent, but lastError is %q", v.EDocument.LastError)
			}
			for _, e := range s.door.seen {
				if string(e.XML) != string(s.document(id)) {
					t.Error("the document was made anew")
				}
			}
			if n := s.office.taken(s.who.Tenant); n > 1 || row.want == trade.InvoiceSent && n != 1 {
				t.Errorf("%d documents taken", n)
			}
		})
	}
}

func TestWaitsGrow(t *testing.T) {
	s := found(t).shop(1)
	s.office.Script(Rule{Unreachable: true})
	s.queue(s.temel)
	s.drain()
	for i, wait := range []time.Duration{10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, 15 * time.Minute} {
		s.clock.Advance(wait - time.Millisecond)
		if n := s.drain(); n != 0 {
			t.Errorf("wait %d is shorter than %s", i, wait)
		}
		s.clock.Advance(time.Millisecond)
		if n := s.drain(); n != 1 {
			t.Errorf("wait %d is longer than %s", i, wait)
		}
	}
}

// The same news over and over must not make ever new versions of the invoice.
func TestWaitingLeavesTheInvoiceAlone(t *testing.T) {
	s := found(t).shop(1)
	s.office.Script(Rule{Never: true})
	id := s.queue(s.temel).ID
	s.drain()
	before := s.invoice(id).Version
	for range 5 {
		s.pass(time.Hour)
	}
	if after := s.invoice(id).Version; after != before {
		t.Errorf("version %d became %d", before, after)
	}
}

func TestACrashTakesNoDocumentTwice(t *testing.T) {
	boom := errors.New("the plug was pulled")
	for _, row := range []struct {
		name   string
		damage func(w *town, onCrash func()) // sets up what breaks at the first hand-over
		forget bool                          // the office restarts too
	}{
		{"stored, not handed over", func(w *town, crash func()) {
			w.door.before = func(Envelope) error { crash(); return boom }
		}, false},
		{"handed over, not recorded", func(w *town, crash func()) {
			w.door.after = func(Envelope) error { crash(); return boom }
		}, false},
		{"handed over, not recorded, and the office forgets", func(w *town, crash func()) {
			w.door.after = func(Envelope) error { crash(); return boom }
		}, true},
		{"a panic before", func(w *town, crash func()) {
			w.door.before = func(Envelope) error { crash(); panic("in the transport") }
		}, false},
		{"a panic after", func(w *town, crash func()) {
			w.door.after = func(Envelope) error { crash(); panic("in the transport") }
		}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := found(t).shop(1)
			v := s.queue(s.temel)
			var next *town // the server that finds what the crash left
			row.damage(s.town, func() { next = s.copyTo(t) })
			s.drain()
			s.door.before, s.door.after = nil, nil
			if row.forget {
				next.office = NewSimulator(s.clock)
				next.door.Authority = next.office
			}
			for _, w := range []*town{next, s.town} { // the crashed one too: it only lost its connection
				if w == s.town && row.forget {
					continue
				}
				here := &shop{town: w, who: s.who}
				w.pass(time.Minute)
				sent := here.is(v.ID, trade.InvoiceSent)
				if sent.Number != v.Number || sent.ETTN != v.ETTN {
					t.Errorf("sent as %s %s, queued as %s %s", sent.Number, sent.ETTN, v.Number, v.ETTN)
				}
				if n := w.office.taken(s.who.Tenant); n != 1 {
					t.Errorf("%d documents taken", n)
				}
				if got := w.events(v.ID); got != "created queued sent" {
					t.Errorf("events %q", got)
				}
				first := s.door.seen[0]
				for _, e := range w.door.seen {
					if e.ID != first.ID || string(e.XML) != string(first.XML) {
						t.Error("another envelope or another document was handed over")
					}
				}
			}
		})
	}
}

// A folder restored from a backup does not know what was sent after it was made.
func TestWhatTheOfficeHasAlready(t *testing.T) {
	t.Run("is this very document", func(t *testing.T) {
		s := found(t).shop(1)
		id := s.queue(s.temel).ID
		old := s.copyTo(t)
		s.drain()
		old.drain()
		restored := &shop{town: old, who: s.who}
		got, want := restored.is(id, trade.InvoiceSent).EDocument, s.is(id, trade.InvoiceSent).EDocument
		if got.EnvelopeID != want.EnvelopeID || s.office.taken(s.who.Tenant) != 1 {
			t.Errorf("recorded under %s, sent under %s", got.EnvelopeID, want.EnvelopeID)
		}
		if len(old.door.seen) != 1 {
			t.Errorf("handed over %d times", len(old.door.seen))
		}
	})
	t.Run("is another document", func(t *testing.T) {
		s := found(t).shop(1)
		old := s.copyTo(t)
		s.queue(s.temel)
		s.drain()
		restored := &shop{town: old, who: s.who, temel: s.temel}
		id := restored.queue(s.temel).ID
		old.drain()
		e := restored.is(id, trade.InvoiceFailed).EDocument
		if e.StatusCode != "1163" || !strings.Contains(e.LastError, "registered already") || s.office.taken(s.who.Tenant) != 1 {
			t.Errorf("eDocument %+v", e)
		}
	})
}

func TestTwoCouriersDoNotDisturbEachOther(t *testing.T) {
	w := found(t)
	s := w.shop(1)
	var ids []string
	for range 10 {
		ids = append(ids, s.queue(s.temel).ID)
	}
	second := make(chan error)
	other := w.hire(3)
	go func() {
		_, err := other.Drain(t.Context())
		second <- err
	}()
	w.drain()
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	w.pass(time.Minute)
	for _, id := range ids {
		s.is(id, trade.InvoiceSent)
		if got := s.events(id); got != "created queued sent" {
			t.Errorf("events %q", got)
		}
	}
	if n := w.office.taken(s.who.Tenant); n != 10 {
		t.Errorf("%d documents taken", n)
	}
}

func TestFiftyInvoicesOfTwoSellers(t *testing.T) {
	w := found(t)
	shops := []*shop{w.shop(1), w.shop(2)}
	w.office.Script(
		Rule{Tenant: shops[0].who.Tenant, Code: "1150", Times: 3},
		Rule{Tenant: shops[1].who.Tenant, DocumentType: trade.EArsiv, Unreachable: true, Times: 2},
		Rule{Tenant: shops[1].who.Tenant, Code: "1190", Times: 2},
	)
	states := map[trade.InvoiceState]int{}
	var all []struct {
		*shop
		id string
	}
	for i := range 50 {
		s := shops[i%2]
		v := s.queue([]string{s.temel, s.ticari, s.consumer}[i%3])
		all = append(all, struct {
			*shop
			id string
		}{s, v.ID})
	}
	w.drain()
	w.pass(time.Minute)
	for _, v := range all {
		got := v.invoice(v.id)
		states[got.Status]++
		if told := v.events(v.id); told != "created queued "+strings.ToLower(string(got.Status)) {
			t.Errorf("%s: events %q", got.Number, told)
		}
	}
	if states[trade.InvoiceFailed] != 3 || states[trade.InvoiceSent] != 47 {
		t.Errorf("states %v", states)
	}
	for i, s := range shops {
		if n := s.gapless("EFA") + s.gapless("EAR"); n != 25 {
			t.Errorf("shop %d has %d numbers", i, n)
		}
	}
	if a, b := w.office.taken(shops[0].who.Tenant), w.office.taken(shops[1].who.Tenant); a != 22 || b != 25 {
		t.Errorf("taken %d and %d", a, b)
	}
	if left := w.query("SELECT DISTINCT step FROM courier"); len(left) != 1 || left[0] != string(store.StepAnswer) {
		t.Errorf("errands left at %q", left)
	}
}
