package server_test

import (
	"testing"
	"time"

	"esnaf/store/trade"
	"esnaf/ubl/gib"
)

// TestSendAndWait asks for the outcome of a send: 200 once it is known, also when
// nothing else in the account is waited for; 202 when the time is over; and never
// 304, whatever the caller says to have.
func TestSendAndWait(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.refuse(refusedBuyer)
	f.as = "one"
	company := f.made("/api/companies", buyerBody)
	draft := func() string {
		return f.made("/api/invoices", `{"companyId":"`+company+`","lines":[{"name":"Defter","quantity":"1","unitPrice":"10","vatRate":"20"}]}`)
	}
	if res := f.waited("/api/invoices/" + draft() + "/send"); res.status != 200 || res.part("status") != "SENT" {
		t.Errorf("%d %s", res.status, res.body)
	}
	if res := f.waited("/api/shipments/" + f.refusedNote() + "/send"); res.status != 200 || res.part("eDocument.status") != "FAILED" || res.part("eDocument.attempts") != "2" {
		t.Errorf("%d %s", res.status, res.body)
	}
	f.rows([]row{
		{"nobody carries it meanwhile", "POST /api/invoices/" + draft() + "/send?wait=5", "", "", 202, "", []string{`status = "QUEUED"`}},
		{"no time at all", "POST /api/invoices/" + draft() + "/send?wait=0", "", "", 202, "", nil},
		{"too long", "POST /api/invoices/" + draft() + "/send?wait=31", "", "", 400, trade.BadParameter, []string{"message has wait"}},
		{"no number", "POST /api/invoices/" + draft() + "/send?wait=soon", "", "", 400, trade.BadParameter, nil},
		{"an unknown parameter", "POST /api/invoices/" + draft() + "/send?await=1", "", "", 400, trade.BadParameter, []string{"message has await"}},
	})
}

// A wait that is over tells how the document stands then, not how it was sent.
func TestSendThatWaitedInVain(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	f.gib.Script(gib.Rule{Code: "1220"})
	company := f.made("/api/companies", buyerBody)
	id := f.made("/api/invoices", `{"companyId":"`+company+`","lines":[{"name":"Defter","quantity":"1","unitPrice":"10","vatRate":"20"}]}`)
	answer := make(chan response)
	req := f.ready("POST /api/invoices/"+id+"/send?wait=5", "", "")
	go func() { answer <- f.send(req) }()
	for f.ask("GET /api/invoices/"+id, "", "").part("status") != "QUEUED" {
		time.Sleep(time.Millisecond) // the send wants a core
	}
	f.drain()
	res, now := <-answer, f.ask("GET /api/invoices/"+id, "", "")
	if res.status != 202 || res.part("eDocument.statusCode") != "1220" || res.header.Get("ETag") != now.header.Get("ETag") {
		t.Errorf("%d %s %s, and now %s", res.status, res.header.Get("ETag"), res.body, now.header.Get("ETag"))
	}
}

// waited sends a document and lets the courier run until the outcome has come.
func (f *fixture) waited(path string) response {
	f.t.Helper()
	answer := make(chan response)
	req := f.ready("POST "+path+"?wait=30", "", `If-None-Match: "3"`)
	go func() { answer <- f.send(req) }()
	for {
		select {
		case res := <-answer:
			return res
		default:
			f.drain()
		}
	}
}

// refusedNote is a shipment whose despatch note the tax office has refused.
func (f *fixture) refusedNote() (id string) {
	f.t.Helper()
	company := f.made("/api/companies", `{"name":"Cem Ltd.","taxNumber":"`+refusedBuyer+`","city":"Ankara","district":"Çankaya","postalCode":"06690"}`)
	f.made("/api/warehouses", `{"name":"Merkez"}`)
	product := f.made("/api/products", `{"name":"Defter","salePrice":"10"}`)
	f.made("/api/inventory/adjust", `{"productId":"`+product+`","quantity":"5","reason":"OPENING"}`)
	order := f.made("/api/orders", `{"companyId":"`+company+`","lines":[{"productId":"`+product+`","quantity":"1"}]}`)
	f.ask("POST /api/orders/"+order+"/confirm", "", "")
	id = f.made("/api/orders/"+order+"/ship", `{"carrier":{"name":"Poyraz","taxNumber":"9205121120"}}`)
	f.drain()
	return id
}
