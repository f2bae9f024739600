package server_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
)

// TestContractBites spoils answers, and requests, that are as described: each
// must be complained of. Without it a judge that says yes to everything would
// pass unseen.
func TestContractBites(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.plan("unlimited")
	f.furnish()
	company := f.ready("GET /api/companies/{company}", "", "")
	list := f.ready("GET /api/v1/companies?limit=1", "", "")
	fault := f.ready(newCompany, `{"name":"","type":"FRIEND"}`, "")
	create := f.ready(newCompany, `{"name":"a","riskLimit":"5.00"}`, "")
	for _, tt := range []struct {
		name        string
		req         *http.Request
		old, new    string // of the answer's body
		status      int    // of the answer, 0 for as it is
		header      string // Name: value; without a value it goes
		old2, tampe string // of the request's body
	}{
		{name: "as it is", req: company}, {name: "as it is", req: list}, {name: "as it is", req: fault}, {name: "as it is", req: create},
		{name: "a status that is not listed", req: company, status: 299},
		{name: "a success where there is no operation", req: f.ready("GET /api/nope", "", ""), status: 200},
		{name: "another media type", req: company, header: "Content-Type: text/plain"},
		{name: "no media type", req: list, header: "Content-Type:"},
		{name: "no tag", req: company, header: "Etag:"},
		{name: "no budget", req: list, header: "X-Ratelimit-Remaining:"},
		{name: "no request id", req: list, header: "X-Request-Id:"},
		{name: "a header that nobody listed", req: company, header: "X-Secret: 1"},
		{name: "no place", req: create, header: "Location:"},
		{name: "a missing member", req: company, old: `"version":1,`},
		{name: "a member that nobody described", req: company, old: `"version":1,`, new: `"version":1,"secret":"x",`},
		{name: "one in a row of a list", req: list, old: `"version":1,`, new: `"version":1,"secret":"x",`},
		{name: "one deep in a record", req: company, old: `"eInvoice":{`, new: `"eInvoice":{"secret":"x",`},
		{name: "another type", req: company, old: `"version":1`, new: `"version":"1"`},
		{name: "an amount as a number", req: create, old: `"riskLimit":"5.00"`, new: `"riskLimit":5.00`},
		{name: "an amount with an exponent", req: create, old: `"5.00"`, new: `"5e2"`},
		{name: "a value that is none of the few", req: company, old: `"CUSTOMER"`, new: `"FRIEND"`},
		{name: "a time that is none", req: company, old: `"createdAt":"2026-09-15T09:00:00.000Z"`, new: `"createdAt":"yesterday"`},
		{name: "null for a list", req: list, old: `"meta":{`, new: `"meta":null,"x":{`},
		{name: "a name twice", req: company, old: `"version":1,`, new: `"version":1,"version":1,`},
		{name: "half an answer", req: company, old: `}`, new: ``},
		{name: "a problem without a message", req: fault, old: `"message":"`, new: `"massage":"`},
		{name: "a problem with an unknown code", req: fault, old: `"code":"invalid_value"`, new: `"code":"oops"`},
		{name: "a problem of another request", req: fault, old: `"requestId":"req_`, new: `"requestId":"req_x`},
		{name: "a problem with another status", req: fault, old: `"status":422`, new: `"status":400`},
		{name: "a problem that tells of the inside", req: fault, old: `"detail":"`, new: `"detail":"runtime error: `},
		{name: "success for an unknown member", req: create, old2: `"name":"a"`, tampe: `"name":"a","isAdmin":true`},
		{name: "success for another type", req: create, old2: `"name":"a"`, tampe: `"name":5`},
		{name: "success without what is required", req: create, old2: `"name":"a",`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f.t = t
			res := f.sendRaw(again(tt.req))
			if tt.old != "" && !strings.Contains(string(res.body), tt.old) {
				t.Fatalf("there is no %s in %s", tt.old, res.body)
			}
			res.body = []byte(strings.Replace(string(res.body), tt.old, tt.new, 1))
			if tt.status != 0 {
				res.status = tt.status
			}
			if name, value, ok := strings.Cut(tt.header, ":"); ok {
				res.header = maps.Clone(res.header)
				delete(res.header, name)
				if value != "" {
					res.header.Set(name, strings.TrimSpace(value))
				}
			}
			req := again(tt.req)
			if tt.old2 != "" {
				body := strings.Replace(`{"name":"a","riskLimit":"5.00"}`, tt.old2, tt.tampe, 1)
				req = f.ready(newCompany, body, "")
			}
			if found := complaints(req, res); (len(found) == 0) != (tt.name == "as it is") {
				t.Errorf("complaints: %v", found)
			}
		})
	}
}
