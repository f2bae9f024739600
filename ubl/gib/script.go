package gib

import (
	"slices"
	"strings"
	"time"

	"esnaf/store/trade"
)

// Rule says how the simulator treats some of the documents that come in. The
// first rule that fits is used. Rules do not take what Check refuses, nor a
// document that is registered already.
type Rule struct {
	// Which documents it is for; an empty field fits all.
	Tenant            string
	NumberPrefix      string
	ReceiverTaxNumber string
	DocumentType      trade.DocumentType
	Times             int // how often it is used, 0 for ever; afterwards the next one fits

	Unreachable bool          // calls fail, questions too: Times counts calls, not documents
	Never       bool          // nothing final is ever said
	After       time.Duration // until then the envelope is being processed
	Code        string        // what is said in the end; "" is 1300

	// What the buyer of a TICARIFATURA answers, how long after it was taken.
	Answer      Verdict
	Reason      string
	AnswerAfter time.Duration
}

// fits tells whether the rule is for this document.
func (r *Rule) fits(e *Envelope) bool {
	return (r.Tenant == "" || r.Tenant == e.Tenant) &&
		strings.HasPrefix(e.Number, r.NumberPrefix) &&
		(r.ReceiverTaxNumber == "" || r.ReceiverTaxNumber == e.ReceiverTaxNumber) &&
		(r.DocumentType == "" || r.DocumentType == e.DocumentType)
}

// ruleFor is the place of the first rule for e, -1 when there is none.
func (s *Simulator) ruleFor(e *Envelope) int {
	return slices.IndexFunc(s.rules, func(r Rule) bool { return r.fits(e) })
}

// use counts a use of the rule at place i and drops it after its last.
func (s *Simulator) use(i int) {
	if i < 0 || s.rules[i].Times == 0 {
		return
	}
	if s.rules[i].Times--; s.rules[i].Times == 0 {
		s.rules = slices.Delete(s.rules, i, i+1)
	}
}
