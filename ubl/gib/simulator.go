package gib

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"esnaf/store/clock"
	"esnaf/store/trade"
	"esnaf/ubl"
)

// simulated stands before every text of the simulator, so that nobody takes it
// for the tax office.
const simulated = "simulated: "

// errUnreachable is what a caller meets where a Rule says so.
var errUnreachable = errors.New(simulated + "the tax office cannot be reached")

// Simulator answers like the tax office would: it refuses what ubl.Check finds
// and what it has already, and takes the rest at once, unless a Rule says
// otherwise. There is no chance in it. It remembers in memory only: after a
// restart it knows no envelope, and a courier that asks is told so.
type Simulator struct {
	clock clock.Clock

	mu        sync.Mutex
	rules     []Rule
	envelopes map[string]*received // by envelope id
	documents map[string]*received // that were not refused, by ETTN and by number
}

// received is one envelope as it came in.
type received struct {
	Envelope          // without its XML
	sum      [32]byte // of the XML
	rule     Rule     // with what it was treated
	result   Status   // once known
	known    time.Time
}

// NewSimulator makes a tax office that has seen nothing yet.
func NewSimulator(c clock.Clock) *Simulator {
	return &Simulator{clock: c, envelopes: map[string]*received{}, documents: map[string]*received{}}
}

// Script adds rules behind those that are there.
func (s *Simulator) Script(rules ...Rule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rules...)
}

// Submit takes, refuses or keeps waiting, as the rules and the document say.
func (s *Simulator) Submit(_ context.Context, e Envelope) (Status, error) {
	found := ubl.Official(ubl.CheckOn(e.XML, turkishDay(s.clock.Now())))
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.ruleFor(&e)
	rule := Rule{}
	if i >= 0 {
		rule = s.rules[i]
	}
	if rule.Unreachable {
		s.use(i)
		return Status{}, errUnreachable
	}
	if r := s.envelopes[e.ID]; r != nil {
		return r.status(s.clock.Now()), nil
	}
	s.use(i)
	r := &received{Envelope: e, sum: sha256.Sum256(e.XML), rule: rule, result: s.judge(&e, found, rule), known: s.clock.Now().Add(rule.After)}
	r.XML = nil
	s.envelopes[e.ID] = r
	if r.result.Class == Taken || r.result.Class == Pending {
		s.documents[e.ETTN], s.documents[numberKey(&e)] = r, r
	}
	return r.status(s.clock.Now()), nil
}

// Status tells what became of an envelope.
func (s *Simulator) Status(_ context.Context, e Envelope) (Status, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.ruleFor(&e); i >= 0 && s.rules[i].Unreachable {
		s.use(i)
		return Status{}, errUnreachable
	}
	r := s.envelopes[e.ID]
	if r == nil {
		return say(UnknownEnvelope), nil
	}
	now := s.clock.Now()
	st := r.status(now)
	if d := s.documents[e.ETTN]; st.Class == Registered && d != nil && d.sum == r.sum {
		st = d.status(now)
		st.Envelope = d.ID
	}
	return st, nil
}

// judge is what will be said of a new envelope.
func (s *Simulator) judge(e *Envelope, found []ubl.Finding, rule Rule) Status {
	switch {
	case len(found) > 0:
		return refusal(found)
	case s.documents[e.ETTN] != nil || s.documents[numberKey(e)] != nil:
		return say("1163")
	case rule.Code != "":
		return say(rule.Code)
	}
	return say("1300")
}

// numberKey is under what a number is registered. Numbers are a seller's own; the
// tenant stands before them so that test accounts may share a tax number.
func numberKey(e *Envelope) string { return e.Tenant + " " + e.SenderTaxNumber + " " + e.Number }

// status is what is said of an envelope at now.
func (r *received) status(now time.Time) Status {
	switch {
	case r.rule.Never:
		return say("1000")
	case now.Before(r.known):
		return say("1100")
	}
	st := r.result
	given := r.known.Add(r.rule.AnswerAfter)
	if st.Class == Taken && r.Profile == trade.TicariFatura && r.rule.Answer != Unanswered && !now.Before(given) {
		st.Answer = Answer{Verdict: r.rule.Answer, Reason: r.rule.Reason, At: given}
	}
	return st
}

func say(code string) Status {
	st := NewStatus(code)
	st.Text = simulated + st.Text
	return st
}

// refusal is the code of the layer that found something, with what was found.
func refusal(found []ubl.Finding) Status {
	code := "1150"
	switch found[0].Rule {
	case "XML":
		code = "1140"
	case "XSD":
		code = "1160"
	}
	st := say(code)
	st.Text += ": " + inWords(found)
	return st
}

// inWords names what was found, the first few at length.
func inWords(found []ubl.Finding) string {
	const most = 5
	var words []string
	for i, f := range found {
		if i == most {
			words = append(words, fmt.Sprintf("and %d more", len(found)-most))
			break
		}
		words = append(words, f.Rule+" at "+f.Path+": "+f.Message)
	}
	return strings.Join(words, "; ")
}

// turkishDay is the calendar day in Turkey, which keeps UTC+3 all year since 2016.
func turkishDay(t time.Time) trade.Date {
	return trade.DateOf(trade.InTurkey(t))
}
