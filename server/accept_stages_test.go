package server_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
)

// stage is how a new record comes to where an action may be called on it.
type stage struct {
	kind    string // its resource
	body    string // what it is made of, "" for what the walk has
	actions string // called on it before
}

// sellable is an invoice that lacks nothing.
const sellable = `{"companyId":"{buyer}","lines":[{"name":"Defter","quantity":1,"unitPrice":10,"vatRate":20}]}`

// stages are those of the actions, by their last word. A new action needs its line
// here: TestEveryRoute says so.
var stages = map[string]stage{
	"accept": {"quotes", "", "send"}, "convert": {"quotes", "", "send accept"}, "quotes/reject": {"quotes", "", "send"},
	"expire":  {"quotes", `{"companyId":"{company}","issueDate":"2026-09-01","validUntil":"2026-09-14","lines":[{"productId":"{product}","quantity":1}]}`, "send"},
	"qualify": {"opportunities", "", ""}, "propose": {"opportunities", "", "qualify"}, "negotiate": {"opportunities", "", "qualify propose"},
	"win": {"opportunities", "", "qualify propose negotiate"}, "lose": {"opportunities", "", ""}, "reopen": {"opportunities", "", "lose"},
	"invoices/cancel": {"invoices", sellable, "send"}, "invoices/payments": {"invoices", sellable, "send"}, "allocate": {"invoices", sellable, "send"},
	"invoices/send": {"invoices", sellable, ""}, "ubl": {"invoices", sellable, ""},
	"orders/cancel": {"orders", "", ""}, "reverse": {"payments", "", ""},
}

// stageOf finds the stage of an operation: of an action its own, of a deletion a new
// record.
func stageOf(op *operation) (s stage, ok bool) {
	words := strings.FieldsFunc(op.Path, func(r rune) bool { return r == '/' })
	n := len(words)
	if n < 3 || !strings.HasPrefix(op.Path, "/api/") {
		return s, false
	}
	last := words[n-1]
	if op.Method == http.MethodDelete && bodyOf[words[n-2]] != "" {
		return stage{kind: words[n-2]}, true
	}
	if !op.withID() {
		return s, false
	}
	if s, ok = stages[words[n-3]+"/"+last]; !ok {
		s, ok = stages[last]
	}
	return s, ok
}

// stage makes the record that an operation is to be called on the walk's sample,
// until restore is called.
func (f *fixture) stage(op *operation) (restore func()) {
	f.t.Helper()
	s, ok := stageOf(op)
	if !ok {
		return func() {}
	}
	before := maps.Clone(f.vars)
	body := s.body
	if body == "" {
		body = bodyOf[s.kind]
	}
	id := f.made("/api/"+s.kind, body)
	for action := range strings.FieldsSeq(s.actions) {
		if res := f.ask("POST /api/"+s.kind+"/"+id+"/"+action, "", ""); res.status >= 300 {
			f.t.Fatalf("%s %s: %d %s", action, id, res.status, res.body)
		}
		f.drain() // an invoice is SENT only then
	}
	f.vars[sampleOf[s.kind]] = id
	return func() { f.vars[sampleOf[s.kind]] = before[sampleOf[s.kind]] }
}

// TestEveryRoute calls every route with everything right: it must do what it is
// there for.
func TestEveryRoute(t *testing.T) {
	t.Parallel()
	all, err := contracts()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		f := start(t)
		f.plan("unlimited")
		f.furnish()
		done := map[string]int{}
		for _, op := range c.operations {
			f.run(op.Method+" "+op.Path, func() {
				f.signIn() // the last one may have ended the session
				defer f.stage(op)()
				res := f.call(op, f.target(op, "", ""), "")
				if strings.HasSuffix(op.Path, "/refresh") && res.status == 401 { // TestRefreshesAtOnce has a token
					return
				}
				if res.status >= 300 {
					f.t.Errorf("%d %s", res.status, res.body)
				}
				done[op.Method]++
			})
		}
		t.Logf("%s: %d routes, %v", c.base, len(c.operations), done)
	}
}
