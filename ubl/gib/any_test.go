package gib

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"esnaf/store"
	"esnaf/store/trade"
)

// Whatever the office says and whenever, every invoice is in a state it can be
// in, has at most one legal number that is not void, and is told of once a move.
func TestAnyCourseOfEventsEndsWell(t *testing.T) {
	w := found(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		w.clock.Set(start)
		w.door.after = nil
		for _, table := range []string{"courier", "events", "invoices"} { // the round before would slow this one
			w.exec("DELETE FROM " + table)
		}
		here := *w
		here.t = t
		here.office = NewSimulator(w.clock)
		w.door.Authority = here.office
		s := here.shop(n)
		s.office.Script(rapid.SliceOfN(anyRule, 0, 6).Draw(t, "script")...)
		var ids []string
		for _, do := range rapid.SliceOfN(rapid.SampledFrom(deeds), 3, 12).Draw(t, "deeds") {
			ids = s.live(do, ids)
		}
		s.pass(10 * day)
		s.pass(day)
		s.sound(ids)
		s.gapless("EFA")
		s.gapless("EAR")
	})
}

var anyRule = rapid.Custom(func(t *rapid.T) Rule {
	return Rule{
		NumberPrefix: rapid.SampledFrom([]string{"", "EFA", "EAR"}).Draw(t, "prefix"),
		Times:        rapid.IntRange(1, 2).Draw(t, "times"),
		Unreachable:  rapid.IntRange(0, 3).Draw(t, "reach") == 0,
		Never:        rapid.IntRange(0, 9).Draw(t, "never") == 0,
		After:        rapid.SampledFrom([]time.Duration{0, time.Minute, day}).Draw(t, "after"),
		Code:         rapid.SampledFrom([]string{"", "", "1150", "1163", "1195", "1215", "1220", "1300", "2004", "?"}).Draw(t, "code"),
		Answer:       rapid.SampledFrom([]Verdict{Unanswered, Accepted, Rejected}).Draw(t, "answer"),
		Reason:       "neden",
		AnswerAfter:  rapid.SampledFrom([]time.Duration{0, day, 9 * day}).Draw(t, "answer after"),
	}
})

var deeds = []string{"temel", "ticari", "archive", "drain", "minute", "day", "edit", "mend", "settle", "give up", "register", "forget", "lose"}

// live does one thing that can happen, and returns the invoices there are then.
func (s *shop) live(deed string, ids []string) []string {
	switch deed {
	case "temel":
		return append(ids, s.queue(s.temel).ID)
	case "ticari":
		return append(ids, s.queue(s.ticari).ID)
	case "archive":
		return append(ids, s.queue(s.consumer).ID)
	case "drain":
		s.drain()
	case "minute":
		s.pass(time.Minute)
	case "day":
		s.pass(day)
	case "register": // the kind of what has failed may flip
		s.register(s.consumerNo)
	case "forget":
		s.sound(ids)
		s.office = NewSimulator(s.clock)
		s.door.Authority = s.office
	case "lose": // the replies of one pass get lost
		s.door.after = func(e Envelope) error { return fmt.Errorf("the reply to %s got lost", e.Number) }
		s.drain()
		s.door.after = nil
	case "mend":
		for _, id := range ids {
			if s.invoice(id).Status == trade.InvoiceFailed {
				s.mend(id)
			}
		}
	case "edit":
		for _, c := range []string{s.temel, s.ticari, s.consumer} {
			s.move(c, fmt.Sprintf("City %d", len(s.door.seen)))
		}
		for _, id := range ids {
			if s.invoice(id).Status == trade.InvoiceFailed {
				s.edit(id)
			}
		}
	case "settle":
		for _, id := range ids {
			s.look(s.invoice(id))
		}
	case "give up":
		for _, id := range ids {
			if v := s.invoice(id); v.Status == trade.InvoiceFailed && !v.EDocument.MayBeThere() {
				s.do(func(tx *store.Tx) (store.Doc, error) { return tx.CancelInvoice(id) })
			}
		}
	}
	return ids
}

// mend sends an invoice that failed again.
func (s *shop) mend(id string) {
	s.t.Helper()
	s.do(func(tx *store.Tx) (store.Doc, error) { return tx.SendInvoice(id) })
}

// edit changes an invoice that failed, which is refused where the office may have it.
func (s *shop) edit(id string) {
	s.t.Helper()
	v := s.invoice(id)
	v.Lines[0].Name += "+"
	err := s.db.Write(context.Background(), s.who, func(tx *store.Tx) error { _, err := tx.UpdateInvoice(id, store.Any, v); return err })
	var e *trade.Error
	if err != nil && (!errors.As(err, &e) || e.Code != trade.RegisteredAlready) {
		s.t.Fatal(err)
	}
}

// look settles an invoice by what the office has of it, where the courier learns nothing
// final.
func (s *shop) look(v trade.Invoice) {
	s.t.Helper()
	has := s.office.documents[v.ETTN]
	outcome := trade.Failed
	switch {
	case v.Status == trade.InvoiceQueued && has != nil && has.result.Class == Pending:
		outcome = trade.Taken
	case v.Status != trade.InvoiceFailed || !v.EDocument.MayBeThere() || has != nil:
		return
	}
	err := s.db.Write(context.Background(), s.who, func(tx *store.Tx) error { return tx.Settle(v.ID, outcome) })
	var e *trade.Error
	if err != nil && (!errors.As(err, &e) || e.Code != trade.OnTheWay) {
		s.t.Fatal(err)
	}
}

// sound fails the test when an invoice is in a state that its events do not lead
// to, or has two documents at the office, or another one than is kept.
func (s *shop) sound(ids []string) {
	s.t.Helper()
	for _, id := range ids {
		v := s.invoice(id)
		state, moves := trade.InvoiceDraft, strings.Fields(s.events(id))
		for _, m := range moves[1:] {
			action := map[string]trade.InvoiceAction{"queued": trade.SendInvoice, "sent": trade.TakeInvoice, "failed": trade.FailInvoice, "accepted": trade.AcceptInvoice, "rejected": trade.RejectInvoice, "cancelled": trade.CancelInvoice, "updated": trade.EditInvoice}[m]
			next, err := trade.InvoiceMoves.Next(state, action)
			if err != nil {
				s.t.Fatalf("events %v: %v", moves, err)
			}
			state = next
		}
		if v.Status != state {
			s.t.Fatalf("%s is %s, its events lead to %s", v.Number, v.Status, state)
		}
		if !trade.ValidDocumentNumber(v.Number) {
			s.t.Fatalf("the legal number is %q", v.Number)
		}
		if void := s.query("SELECT number FROM void_numbers WHERE owner = ?", id); slices.Contains(void, v.Number) != (v.Status == trade.InvoiceCancelled) {
			s.t.Fatalf("%s is void or in use, and %s", v.Number, v.Status)
		}
		taken := 0
		for _, r := range s.office.envelopes {
			if r.Owner == id && r.status(s.clock.Now()).Class == Taken {
				if taken++; sha256.Sum256(s.document(id)) != r.sum {
					s.t.Fatalf("%s is %s, its document is another than the office took", v.Number, v.Status)
				}
			}
		}
		if taken > 1 || taken > 0 && v.Status == trade.InvoiceCancelled {
			s.t.Fatalf("%s is %s and was taken %d times", v.Number, v.Status, taken)
		}
	}
}

// Every answer that the office can give leads somewhere the invoice's table knows.
func TestEveryCodeHasAnEnd(t *testing.T) {
	ends := map[Class]trade.InvoiceState{
		Taken: trade.InvoiceSent, Refused: trade.InvoiceFailed, Registered: trade.InvoiceFailed,
		Pending: trade.InvoiceQueued, Retry: trade.InvoiceQueued, Unknown: trade.InvoiceQueued,
	}
	w := found(t)
	s := w.shop(1)
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		w.office.Script(Rule{Code: code, Times: 1})
		id := s.queue(s.temel).ID
		w.drain()
		s.is(id, ends[NewStatus(code).Class])
		if v := s.invoice(id); v.EDocument.StatusCode != code {
			t.Errorf("%s is shown as %s", code, v.EDocument.StatusCode)
		}
		w.exec("DELETE FROM courier")
	}
}

// An invoice is given up unless the office may have it: both lists agree on the codes that
// say so.
func TestWhatIsRegisteredMayBeThere(t *testing.T) {
	for code := range codes {
		if e := (trade.EDocument{StatusCode: code}); e.MayBeThere() != (NewStatus(code).Class == Registered) {
			t.Errorf("%s: may be there %t, and is %s", code, e.MayBeThere(), NewStatus(code).Class)
		}
	}
}
