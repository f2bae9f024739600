package server_test

import (
	"testing"

	"esnaf/store/trade"
)

// TestSendAndWait asks for the outcome of a send: 200 once it is known, also when
// nothing else in the account is waited for; 202 when the time is over; and never
// 304, whatever the caller says to have.
func TestSendAndWait(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	company := f.made("/api/companies", buyerBody)
	draft := func() string {
		return f.made("/api/invoices", `{"companyId":"`+company+`","lines":[{"name":"Defter","quantity":"1","unitPrice":"10","vatRate":"20"}]}`)
	}
	answer := make(chan response)
	req := f.ready("POST /api/invoices/"+draft()+"/send?wait=30", "", `If-None-Match: "3"`)
	go func() { answer <- f.send(req) }()
	for waiting := true; waiting; {
		select {
		case res := <-answer:
			if waiting = false; res.status != 200 || res.part("status") != "SENT" {
				t.Errorf("%d %s", res.status, res.body)
			}
		default:
			f.drain()
		}
	}
	f.rows([]row{
		{"nobody carries it meanwhile", "POST /api/invoices/" + draft() + "/send?wait=1", "", "", 202, "", []string{`status = "QUEUED"`}},
		{"no time at all", "POST /api/invoices/" + draft() + "/send?wait=0", "", "", 202, "", nil},
		{"too long", "POST /api/invoices/" + draft() + "/send?wait=31", "", "", 400, trade.BadParameter, []string{"message has wait"}},
		{"no number", "POST /api/invoices/" + draft() + "/send?wait=soon", "", "", 400, trade.BadParameter, nil},
		{"an unknown parameter", "POST /api/invoices/" + draft() + "/send?await=1", "", "", 400, trade.BadParameter, []string{"message has await"}},
	})
}
