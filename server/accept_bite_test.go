package server_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
)

// spoiled is a good answer made bad in one place.
type spoiled struct {
	name, of string // of names the request in TestContractBites
	old, new string // in the body
	header   string // Name: value; without a value the header goes
	status   int    // 0: as it is
}

var spoiledAnswers = []spoiled{
	{name: "a status that is not listed", of: "company", status: 299},
	{name: "a success where there is no operation", of: "nothing", status: 200},
	{name: "another media type", of: "company", header: "Content-Type: text/plain"},
	{name: "no media type", of: "list", header: "Content-Type:"},
	{name: "no tag", of: "company", header: "Etag:"},
	{name: "no budget", of: "list", header: "X-Ratelimit-Remaining:"},
	{name: "no request id", of: "list", header: "X-Request-Id:"},
	{name: "a header that nobody listed", of: "company", header: "X-Secret: 1"},
	{name: "no place", of: "create", header: "Location:"},
	{name: "a missing member", of: "company", old: `"version":1,`},
	{name: "a member that nobody described", of: "company", old: `"version":1,`, new: `"version":1,"secret":"x",`},
	{name: "one in a row of a list", of: "list", old: `"version":1,`, new: `"version":1,"secret":"x",`},
	{name: "one deep in a record", of: "company", old: `"eInvoice":{`, new: `"eInvoice":{"secret":"x",`},
	{name: "another type", of: "company", old: `"version":1`, new: `"version":"1"`},
	{name: "an amount as a number", of: "create", old: `"riskLimit":"5.00"`, new: `"riskLimit":5.00`},
	{name: "an amount with an exponent", of: "create", old: `"5.00"`, new: `"5e2"`},
	{name: "a value that is none of the few", of: "company", old: `"CUSTOMER"`, new: `"FRIEND"`},
	{name: "a time that is none", of: "company", old: `"createdAt":"2026-09-15T09:00:00.000Z"`, new: `"createdAt":"yesterday"`},
	{name: "null for an object", of: "list", old: `"meta":{`, new: `"meta":null,"x":{`},
	{name: "a name twice", of: "company", old: `"version":1,`, new: `"version":1,"version":1,`},
	{name: "half an answer", of: "company", old: `}`},
	{name: "a problem without a message", of: "fault", old: `"message":"`, new: `"massage":"`},
	{name: "a problem with an unknown code", of: "fault", old: `"code":"invalid_value"`, new: `"code":"oops"`},
	{name: "a problem of another request", of: "fault", old: `"requestId":"req_`, new: `"requestId":"req_x`},
	{name: "a problem with another status", of: "fault", old: `"status":422`, new: `"status":400`},
	{name: "a problem that tells of the inside", of: "fault", old: `"detail":"`, new: `"detail":"runtime error: `},
}

// spoiledRequests are bodies that must not have been answered with success.
var spoiledRequests = map[string]string{
	"an unknown member":           `{"name":"a","isAdmin":true}`,
	"another type":                `{"name":5}`,
	"a value that is no amount":   `{"name":"a","riskLimit":"much"}`,
	"nothing of what is required": `{"city":"Ankara"}`,
}

// TestContractBites spoils answers and requests that are as described: each must
// be complained of, once spoiled and not before. Without it a judge that says yes
// to everything would pass unseen.
func TestContractBites(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.plan("unlimited")
	f.furnish()
	requests := map[string]*http.Request{
		"company": f.ready("GET /api/companies/{company}", "", ""),
		"list":    f.ready("GET /api/v1/companies?limit=1", "", ""),
		"fault":   f.ready(newCompany, `{"name":"","type":"FRIEND"}`, ""),
		"create":  f.ready(newCompany, `{"name":"a","riskLimit":"5.00"}`, ""),
		"nothing": f.ready("GET /api/nope", "", ""),
	}
	for _, s := range spoiledAnswers {
		f.run(s.name, func() {
			req := requests[s.of]
			res := f.send(again(req)) // which complains if it should
			if len(complaints(req, s.spoil(f.t, res))) == 0 {
				f.t.Error("nobody complains")
			}
		})
	}
	made := f.send(again(requests["create"]))
	for name, body := range spoiledRequests {
		f.run("success for "+name, func() {
			if len(complaints(f.ready(newCompany, body, ""), made)) == 0 {
				f.t.Error("nobody complains")
			}
		})
	}
}

func (s *spoiled) spoil(t *testing.T, res response) response {
	t.Helper()
	if !strings.Contains(string(res.body), s.old) {
		t.Fatalf("there is no %s in %s", s.old, res.body)
	}
	res.body = []byte(strings.Replace(string(res.body), s.old, s.new, 1))
	if s.status != 0 {
		res.status = s.status
	}
	if name, value, ok := strings.Cut(s.header, ":"); ok {
		res.header = maps.Clone(res.header)
		delete(res.header, name)
		if value != "" {
			res.header.Set(name, strings.TrimSpace(value))
		}
	}
	return res
}
