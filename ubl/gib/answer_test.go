package gib

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"esnaf/store/trade"
)

const day = 24 * time.Hour

func TestTheBuyersAnswer(t *testing.T) {
	for _, row := range []struct {
		name   string
		rule   Rule
		before time.Duration // still SENT after it
		wait   time.Duration // the rest of the time until it is answered
		want   trade.InvoiceState
		text   string
	}{
		{"accepted", Rule{Answer: Accepted, AnswerAfter: time.Hour}, 59 * time.Minute, time.Minute, trade.InvoiceAccepted, "KABUL"},
		{"rejected", Rule{Answer: Rejected, Reason: "Fiyat hatalı", AnswerAfter: 3 * day}, 2 * day, day, trade.InvoiceRejected, "(RED): Fiyat hatalı"},
		{"not at all", Rule{}, 8*day - time.Millisecond, time.Millisecond, trade.InvoiceAccepted, "automatically"},
		{"on the last day", Rule{Answer: Rejected, Reason: "geç", AnswerAfter: 8 * day}, 8*day - time.Millisecond, time.Millisecond, trade.InvoiceRejected, "(RED): geç"},
		{"too late", Rule{Answer: Rejected, Reason: "geç", AnswerAfter: 8*day + time.Millisecond}, 8*day - time.Minute, 2 * time.Minute, trade.InvoiceAccepted, "automatically"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := found(t).shop(1)
			s.office.Script(row.rule)
			id := s.queue(s.ticari).ID
			s.drain()
			s.is(id, trade.InvoiceSent)
			s.pass(row.before)
			waiting := s.is(id, trade.InvoiceSent)
			if waiting.Version != 3 {
				t.Errorf("waiting has made version %d of the invoice", waiting.Version)
			}
			s.pass(row.wait)
			// The poll before may have been a little earlier than the answer.
			s.pass(time.Hour)
			v := s.is(id, row.want)
			if e := v.EDocument; !strings.Contains(e.StatusText, row.text) || e.StatusCode != "1300" || e.AnsweredAt == 0 || e.SentAt != trade.At(start) {
				t.Errorf("eDocument %+v", e)
			}
			want := "created queued sent " + strings.ToLower(string(row.want))
			if got := s.events(id); got != want {
				t.Errorf("events %q, want %q", got, want)
			}
			if left := s.query("SELECT step FROM courier"); len(left) != 0 {
				t.Errorf("errands left: %q", left)
			}
		})
	}
}

func TestTheTermEndsOnTheMinute(t *testing.T) {
	s := found(t).shop(1)
	id := s.queue(s.ticari).ID
	s.drain()
	for range 8 * 24 { // hour by hour, as a server that is never off
		s.is(id, trade.InvoiceSent)
		s.pass(time.Hour)
	}
	if e := s.is(id, trade.InvoiceAccepted).EDocument; e.AnsweredAt != trade.At(start.Add(8*day)) {
		t.Errorf("accepted at %s", e.AnsweredAt)
	}
}

func TestAnAnswerThatCameAtOnce(t *testing.T) {
	s := found(t).shop(1)
	s.office.Script(Rule{Answer: Rejected, Reason: "Sipariş edilmedi", Times: 1}, Rule{Answer: Accepted})
	no := s.queue(s.ticari).ID
	s.clock.Advance(time.Millisecond) // errands go in the order they were queued
	yes := s.queue(s.ticari).ID
	s.courier = s.hire(1)
	s.drain()
	s.is(no, trade.InvoiceRejected)
	s.is(yes, trade.InvoiceAccepted)
	if got := s.events(no); got != "created queued sent rejected" {
		t.Errorf("events %q", got)
	}
}

func TestOnlyATicariFaturaIsAnswered(t *testing.T) {
	s := found(t).shop(1)
	s.office.Script(Rule{Answer: Rejected, Reason: "olmaz"})
	temel, archive := s.queue(s.temel).ID, s.queue(s.consumer).ID
	s.drain()
	s.pass(30 * day)
	s.is(temel, trade.InvoiceSent)
	s.is(archive, trade.InvoiceSent)
}

// An office that forgot everything does not make the courier send again what was
// taken; nobody answers there any more, so the term ends it.
func TestAnOfficeThatForgotIsNotSentAgain(t *testing.T) {
	s := found(t).shop(1)
	id := s.queue(s.ticari).ID
	s.drain()
	s.door.Authority = NewSimulator(s.clock)
	s.pass(day)
	s.is(id, trade.InvoiceSent)
	s.pass(7 * day)
	s.is(id, trade.InvoiceAccepted)
	if len(s.door.seen) != 1 {
		t.Errorf("handed over %d times", len(s.door.seen))
	}
}

// As long as the office cannot be asked, a rejection may be waiting there.
func TestTheTermWaitsForAnOfficeThatCannotBeAsked(t *testing.T) {
	s := found(t).shop(1)
	s.office.Script(Rule{Answer: Rejected, Reason: "olmaz", AnswerAfter: 8*day - time.Hour})
	id := s.queue(s.ticari).ID
	s.drain()
	open := s.door.Authority
	s.door.Authority = closed{}
	for range 10 * 24 {
		s.pass(time.Hour)
	}
	if v := s.is(id, trade.InvoiceSent); v.EDocument.LastError != "" || v.Version != 3 {
		t.Errorf("the sent invoice has changed: version %d, %+v", v.Version, v.EDocument)
	}
	s.door.Authority = open
	s.pass(time.Hour)
	s.is(id, trade.InvoiceRejected)
}

// closed is an office behind a dead line.
type closed struct{ Authority }

func (closed) Status(context.Context, Envelope) (Status, error) {
	return Status{}, errors.New("no line")
}
