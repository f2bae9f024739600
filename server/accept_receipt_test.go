package server_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"esnaf/store/trade"
	"esnaf/ubl"
)

const asXML = "Content-Type: application/xml"

// answerTo begins a buyer's answer to a shipment: all of it came.
func (f *fixture) answerTo(id string) trade.ReceiptAnswer {
	f.t.Helper()
	var s trade.Shipment
	if err := json.Unmarshal(f.tried("GET /api/shipments/"+id, 200).body, &s); err != nil {
		f.t.Fatal(err)
	}
	return trade.ReceiptAnswer{
		Number: "IRY2026000000001", ETTN: "4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e21", IssueDate: s.IssueDate, IssueTime: "12:00:00",
		DespatchETTN: s.ETTN, DespatchNumber: s.Number, DespatchDate: s.IssueDate, DeliveryDate: s.IssueDate, DeliveryTime: "11:00:00",
		Buyer: *s.Buyer, Seller: *s.Seller,
	}
}

// receiptOf is such an answer as a document.
func (f *fixture) receiptOf(shipment string) string {
	f.t.Helper()
	a := f.answerTo(shipment)
	a.Lines = []trade.ReceiptLine{{Line: 1, Name: "Defter", Unit: "C62", Received: 1_000_000}}
	xml, err := ubl.Receipt(nil, &a)
	if err != nil {
		f.t.Fatal(err)
	}
	return string(xml)
}

// TestReceipts gives the buyer's answer to a despatch note to the server as the buyer's
// program would write it.
func TestReceipts(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	f.vars["company"] = f.made("/api/companies", `{"name":"Ada Ltd","taxNumber":"9205121120","city":"Ankara","district":"Çankaya","postalCode":"06690"}`)
	f.made("/api/warehouses", `{"name":"Merkez"}`)
	product := f.goods(10)
	order := f.wanted(product, product)
	f.tried("POST /api/orders/"+order+"/confirm", 200)
	f.vars["shipment"] = f.row(row{"", "POST /api/orders/" + order + "/ship", shipBody, "", 201, "", nil}).part("id")
	f.drain()
	a := f.answerTo("{shipment}")
	a.Lines = []trade.ReceiptLine{
		{Line: 1, Name: "Defter", Unit: "C62", Received: 1_000_000},
		{Line: 2, Name: "Defter", Unit: "C62", Received: 1_000_000, Rejected: 1_000_000, RejectReason: "ıslak"},
	}
	xml, err := ubl.Receipt(nil, &a)
	if err != nil {
		t.Fatal(err)
	}
	changed := func(change func(*trade.ReceiptAnswer)) string {
		other := a
		other.Lines = slices.Clone(a.Lines)
		change(&other)
		xml, err := ubl.Receipt(nil, &other)
		if err != nil {
			t.Fatal(err)
		}
		return string(xml)
	}
	foreign := changed(func(a *trade.ReceiptAnswer) { a.DespatchETTN, a.DespatchNumber = a.ETTN, "IRS2026000000099" })
	others := changed(func(a *trade.ReceiptAnswer) { a.Seller.TaxNumber = trade.CompleteVKN("456789123") })
	more := changed(func(a *trade.ReceiptAnswer) { a.Lines[0].Received++ })
	tomorrows := changed(func(a *trade.ReceiptAnswer) { a.IssueDate = "2026-09-16" })
	latin := strings.Replace(string(xml), "UTF-8", "ISO-8859-9", 1)
	turned := changed(func(a *trade.ReceiptAnswer) { a.Lines[1].RejectReason = "ıslak\u202e" })
	f.vars["recalled"] = f.shipped(f.vars["company"], product, "")
	f.drain()
	f.tried("POST /api/shipments/{recalled}/cancel", 200)
	const path, media = "POST /api/shipments/{shipment}/receipt", asXML
	f.rows([]row{
		{"no document", path, "ıslak", media, 400, trade.BadFile, nil},
		{"JSON", path, "{}", "Content-Type: application/json", 415, trade.UnsupportedMediaType, nil},
		{"in another encoding", path, latin, media, 400, trade.BadFile, []string{"message = \"The file is not taken: the document is declared to be in another encoding than UTF-8, the only one that is taken.\""}},
		{"of tomorrow", path, tomorrows, media, 422, trade.ValidationFailed, []string{`errors[0].field = "issueDate"`, `errors[0].message = "issueDate lies after today, 2026-09-15."`, "message has 1 field is not valid."}},
		{"of another note", path, foreign, media, 422, trade.ValidationFailed, []string{`errors[0].field = "despatch"`, `errors[0].message has despatch cannot be "` + a.ETTN + `": it must be ` + a.DespatchETTN}},
		{"to another seller", path, others, media, 422, trade.ValidationFailed, []string{`errors[0].field = "seller.taxNumber"`}},
		{"more than was sent", path, more, media, 422, trade.ValidationFailed, []string{`errors[0].field = "lines[0].received"`, "message has 1 field is not valid."}},
		{"of a cancelled shipment", "POST /api/shipments/{recalled}/receipt", string(xml), media, 409, trade.InvalidState, nil},
		{"a part was refused", path, turned, media + "\nIdempotency-Key: " + uuid4, 200, "", []string{`status = "DELIVERED"`, `eDocument.status = "ACCEPTED"`, `eDocument.statusText = "ıslak"`, `lines[1].rejectedQuantity = "1"`}},
		{"the same once more", path, turned, media + "\nIdempotency-Key: " + uuid4, 200, "", []string{"header Idempotent-Replayed = true"}},
		{"a second answer", path, string(xml), media, 409, trade.InvalidState, nil},
		{"what was refused comes back", "POST /api/shipments/{shipment}/return", `{"lines":[{"line":2}]}`, "", 200, "", []string{`status = "DELIVERED"`, `lines[1].returned = "1"`}},
		{"and is in stock", "GET /api/inventory/" + product, "", "", 200, "", []string{`onHand = "9"`}},
	})
}
