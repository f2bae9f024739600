package server_test

import (
	"maps"
	"net/http"
	"path"
	"strings"
	"testing"

	"esnaf/store"
	"esnaf/ubl/gib"
)

// stage is how a new record comes to where an action may be called on it.
type stage struct {
	kind    string // its resource, as in a path
	body    string // what it is made of, "" for what the walk has
	actions string // called on it before; one that makes a record goes on with that one, +24h moves the clock
}

// refusedBuyer takes e-İrsaliye, but none comes through to it.
const refusedBuyer = "5678912349"

// What records are made of: an invoice and an order that lack nothing, an order that is
// shipped in part, one that somebody has to approve, one whose despatch note is refused,
// and a counting sheet that finds one piece more or less.
const (
	sellable  = `{"companyId":"{buyer}","lines":[{"name":"Defter","quantity":1,"unitPrice":10,"vatRate":20}]}`
	shippable = `{"companyId":"{buyer}","lines":[{"productId":"{guarded}","quantity":1}]}`
	halfway   = `{"companyId":"{buyer}","lines":[{"productId":"{guarded}","quantity":1},{"productId":"{guarded}","quantity":1}]}`
	cheap     = `{"companyId":"{buyer}","lines":[{"productId":"{guarded}","quantity":1,"unitPrice":7}]}`
	refusable = `{"companyId":"{shut}","lines":[{"productId":"{guarded}","quantity":1}]}`
	countable = `{"lines":[{"productId":"{product}","counted":1001}]}`
)

// stages are those of the actions, by their last word. A new action needs its line
// here: TestEveryRoute says so.
var stages = map[string]stage{
	"accept": {"quotes", "", "send"}, "convert": {"quotes", "", "send accept"}, "quotes/reject": {"quotes", "", "send"},
	"expire":  {"quotes", `{"companyId":"{company}","issueDate":"2026-09-01","validUntil":"2026-09-15","lines":[{"productId":"{product}","quantity":1}]}`, "send +24h"},
	"qualify": {"opportunities", "", ""}, "propose": {"opportunities", "", "qualify"}, "negotiate": {"opportunities", "", "qualify propose"},
	"win": {"opportunities", "", "qualify propose negotiate"}, "lose": {"opportunities", "", ""}, "reopen": {"opportunities", "", "lose"},
	"invoices/cancel": {"invoices", sellable, "send"}, "invoices/payments": {"invoices", sellable, "send"}, "allocate": {"invoices", sellable, "send"},
	"invoices/send": {"invoices", sellable, ""}, "ubl": {"invoices", sellable, ""},
	"reverse": {"payments", "", ""}, "resume": {"webhooks", `{"event":"company.created","url":"{hook}/gone"}`, ""},
	"counts/close": {"inventory/counts", countable, ""}, "counts/cancel": {"inventory/counts", "", ""},
	"confirm": {"orders", shippable, ""}, "approve": {"orders", cheap, "confirm"}, "orders/reject": {"orders", cheap, "confirm"},
	"ship": {"orders", shippable, "confirm"}, "invoice": {"orders", shippable, "confirm ship"}, "orders/cancel": {"orders", shippable, "confirm"},
	"orders/close": {"orders", halfway, "confirm ship"},
	"deliver":      {"orders", shippable, "confirm ship"}, "return": {"orders", shippable, "confirm ship"}, "receipt": {"orders", shippable, "confirm ship"},
	"shipments/send": {"orders", refusable, "confirm ship"}, "shipments/cancel": {"orders", shippable, "confirm ship"},
}

// stageOf finds the stage of an operation: of an action its own, of a deletion a new
// record, of a correction one that needs it.
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
	if op.Method == http.MethodPatch && words[n-2] == "shipments" { // of what was refused alone
		return stages["shipments/send"], true
	}
	if !op.withID() {
		return s, false
	}
	if s, ok = stages[words[n-3]+"/"+last]; !ok {
		s, ok = stages[last]
	}
	return s, ok
}

// stage makes the records that an operation is to be called on the walk's samples,
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
		body = bodyOf[path.Base(s.kind)]
	}
	if s.kind == "inventory/counts" {
		f.uncount()
	}
	at := "/api/" + s.kind + "/" + f.made("/api/"+s.kind, body)
	f.sample(at)
	if s.kind == "webhooks" { // it is switched off by the first that it hears
		f.made("/api/companies", bodyOf["companies"])
		f.drain()
	}
	for action := range strings.FieldsSeq(s.actions) {
		if strings.HasPrefix(action, "+") {
			f.advance(action)
			f.signIn() // the session ended meanwhile
			continue
		}
		res := f.ask("POST "+at+"/"+action, bodyOf[action], "")
		if res.status >= 300 {
			f.t.Fatalf("%s %s: %d %s", action, at, res.status, res.body)
		}
		if place := res.header.Get("Location"); place != "" {
			at = place
			f.sample(at)
		}
		f.drain() // an invoice is SENT only then
	}
	return func() { maps.Copy(f.vars, before) }
}

// sample makes the record at a path the walk's sample of its kind.
func (f *fixture) sample(at string) {
	f.t.Helper()
	kind, id := path.Base(path.Dir(at)), path.Base(at)
	if f.vars[sampleOf[kind]] = id; kind == "shipments" {
		f.vars["receipt"] = f.receiptOf(id)
	}
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

// refuse has the tax office list a buyer of despatch notes and refuse all that are sent
// to it.
func (f *fixture) refuse(taxNumber string) {
	f.t.Helper()
	f.write(store.Who{Tenant: f.one.tenant, Actor: "operator"}, func(tx *store.Tx) error {
		return tx.PutTaxpayers([]store.Taxpayer{{TaxNumber: taxNumber, Document: "DespatchAdvice", Alias: "urn:mail:irsaliyepk@cem.example", Title: "Cem", Type: "OZEL", Since: firstDay.AddDate(-2, 0, 0)}})
	})
	f.gib.Script(gib.Rule{ReceiverTaxNumber: taxNumber, Code: "1160"})
}
