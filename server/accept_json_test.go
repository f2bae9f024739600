package server_test

import (
	"strings"
	"testing"
	"time"

	"esnaf/store/clock"
	"esnaf/store/trade"
)

// TestJSON is group J on the real records: what is not taken leaves no row.
func TestJSON(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	f.vars["deep33"] = strings.Repeat(`{"a":`, 32) + `{}` + strings.Repeat(`}`, 32)
	f.vars["brackets"] = strings.Repeat("[", 100_000)
	f.vars["company"] = f.made("/api/companies", `{"name":"a"}`)
	f.rows(unreadable)
	f.rows(unfit)
	f.run("J no row", func() {
		if n, m := f.count("/api/companies"), f.count("/api/invoices"); n != 1 || m != 0 {
			f.t.Errorf("%d companies, %d invoices", n, m)
		}
	})
	f.run("J7 and J8 cost nothing", func() {
		for _, body := range []string{`{"name":"a","riskLimit":1e999999999}`, "{brackets}", `{"name":"a","riskLimit":"` + strings.Repeat("9", 1<<20) + `"}`} {
			took := time.Hour
			for range 3 { // the quickest: on a loaded machine one alone may be held up
				before := clock.System{}.Now()
				f.ask("POST /api/companies", body, "")
				took = min(took, (clock.System{}).Now().Sub(before))
			}
			if took > 5*time.Second { // on a loaded machine; alone it is below 10 ms
				f.t.Errorf("%.40s took %v", body, took)
			}
		}
	})
	f.rows(readable)
}

const newCompany = "POST /api/companies"

// unreadable bodies are 400.
var unreadable = []row{
	{"J2 a name twice", newCompany, `{"name":"a","name":"b"}`, "", 400, trade.MalformedJSON, []string{"message has name is given twice"}},
	{"J2 a name twice in a line", "POST /api/invoices", `{"companyId":"{company}","lines":[{"name":"a","name":"b"}]}`, "", 400, trade.MalformedJSON, []string{"message has lines[0].name"}},
	{"J4 two objects", newCompany, `{}{}`, "", 400, trade.MalformedJSON, nil},
	{"J4 a word behind", newCompany, `{} x`, "", 400, trade.MalformedJSON, nil},
	{"J4 an array", newCompany, `[]`, "", 400, trade.MalformedJSON, nil},
	{"J4 a text", newCompany, `"s"`, "", 400, trade.MalformedJSON, nil},
	{"J4 null", newCompany, `null`, "", 400, trade.MalformedJSON, nil},
	{"J4 nothing", newCompany, ``, "Content-Type: application/json", 400, trade.MalformedJSON, nil},
	{"J5 no UTF-8", newCompany, "{\"name\":\"a\xff\"}", "", 400, trade.MalformedJSON, nil},
	{"J5 half a pair", newCompany, `{"name":"\ud800"}`, "", 400, trade.MalformedJSON, nil},
	{"J5 UTF-16", newCompany, "\xff\xfe{\x00}\x00", "", 400, trade.MalformedJSON, nil},
	{"J5 a byte order mark", newCompany, "\ufeff{\"name\":\"a\"}", "", 400, trade.MalformedJSON, nil},
	{"J6 NUL", newCompany, `{"name":"\u0000"}`, "", 400, trade.MalformedJSON, nil},
	{"J6 ESC", newCompany, "{\"name\":\"\x1b\"}", "", 400, trade.MalformedJSON, nil},
	{"J6 U+FFFE", newCompany, "{\"name\":\"\ufffe\"}", "", 400, trade.MalformedJSON, nil},
	{"J6 U+FFFF", newCompany, `{"name":"\uffff"}`, "", 400, trade.MalformedJSON, nil},
	{"J7 NaN", newCompany, `{"name":"a","riskLimit":NaN}`, "", 400, trade.MalformedJSON, nil},
	{"J7 Infinity", newCompany, `{"name":"a","riskLimit":Infinity}`, "", 400, trade.MalformedJSON, nil},
	{"J8 33 levels", newCompany, `{deep33}`, "", 400, trade.MalformedJSON, nil},
	{"J8 100,000 brackets", newCompany, `{brackets}`, "", 400, trade.MalformedJSON, nil},
}

// unfit bodies are 422 (403 where they reach for another account).
var unfit = []row{
	{"J1 an unknown member", newCompany, `{"name":"a","isAdmin":true}`, "", 422, trade.ValidationFailed, []string{`errors[0].field = "isAdmin"`, `errors[0].code = "unknown_field"`}},
	{"J1 an unknown member of a line", "POST /api/invoices", `{"companyId":"{company}","lines":[{"name":"a","quantity":1,"unitPrice":1,"vatRate":20,"colour":1}]}`, "", 422, "", []string{`errors[0].field = "lines[0].colour"`}},
	{"J1 another case", newCompany, `{"Name":"a"}`, "", 422, "", []string{`errors[0].field = "Name"`, `errors[1].field = "name"`}},
	{"J1 another's tenantId", newCompany, `{"name":"a","tenantId":"{tenant2}"}`, "", 403, trade.CrossTenant, []string{`errors[0].field = "tenantId"`}},
	{"J4 an empty object", newCompany, `{}`, "", 422, "", []string{`errors[0].field = "name"`, `errors[0].code = "required"`}},
	{"J7 1e400", newCompany, `{"name":"a","riskLimit":1e400}`, "", 422, "", []string{`errors[0].field = "riskLimit"`}},
	{"J7 1e999999999", newCompany, `{"name":"a","riskLimit":1e999999999}`, "", 422, "", []string{`errors[0].field = "riskLimit"`}},
	{"J7 too many decimals", newCompany, `{"name":"a","riskLimit":0.1234567890123}`, "", 422, "", []string{`errors[0].code = "too_many_decimals"`}},
	{"J7 too many digits", newCompany, `{"name":"a","riskLimit":9223372036854775808}`, "", 422, "", []string{`errors[0].code = "too_many_digits"`}},
	{"J7 a fraction of a day", newCompany, `{"name":"a","paymentTermDays":1.0}`, "", 422, "", []string{`errors[0].code = "wrong_type"`}},
	{"J11 null for what is required", newCompany, `{"name":null}`, "", 422, "", []string{`errors[0].field = "name"`, `errors[0].code = "required"`}},
	{"J11 an array for a text", newCompany, `{"name":["a"]}`, "", 422, "", []string{`errors[0].field = "name"`, `errors[0].code = "wrong_type"`, "errors[1] = null"}},
	{"J11 an object for lines", "POST /api/invoices", `{"companyId":"{company}","lines":{}}`, "", 422, "", []string{`errors[0].field = "lines"`, `errors[0].code = "wrong_type"`}},
	{"J11 a body that sends nothing", "POST /api/auth/logout", `{"a":1}`, "", 422, "", []string{`errors[0].field = "a"`}},
}

// readable is what is strange and still right.
var readable = []row{
	{
		"J1 what is the server's is ignored", newCompany, `{"name":"a","id":"cmp_x","version":7,"createdAt":"2020-01-01T00:00:00Z","tenantId":"{tenant}","eInvoice":{"registered":true}}`, "", 201, "",
		[]string{"version = 1", `createdAt = "2026-09-15T09:00:00.000Z"`, "eInvoice.registered = false", "tenantId = null"},
	},
	{
		"J1 nor is an invoice paid or sent by its body", "POST /api/invoices", `{"companyId":"{company}","number":"EFA2026000000001","status":"SENT","total":"0.01","paidTotal":"12.00","remaining":"0.00","paymentStatus":"PAID","direction":"PURCHASE","ettn":"x","buyerName":"x","documentType":"E_FATURA","seller":{"name":"x","personType":"COMPANY","taxNumber":"1","country":"TR"},"eDocument":{"status":"SENT","attempts":1},"lines":[{"name":"a","quantity":"1","unitPrice":"10","vatRate":"20","net":"1.00","vat":"0.00","total":"0.01"}]}`, "", 201, "",
		[]string{`status = "DRAFT"`, "number has DRAFT-", `total = "12.00"`, `paidTotal = "0.00"`, `remaining = "12.00"`, `paymentStatus = "UNPAID"`, `direction = "SALES"`, "seller = null", `eDocument.status = "NONE"`, `lines[0].vat = "2.00"`, "body lacks \"x\""},
	},
	{"J1 nor a plan booked", "PUT /api/tenant", `{"name":"Örnek Ticaret A.Ş.","taxNumber":"1234567890","plan":"unlimited"}`, "If-Match: *", 200, "", []string{`plan = "enterprise"`}},
	{"J7 minus nothing", newCompany, `{"name":"a","riskLimit":-0}`, "", 201, "", []string{`riskLimit = "0.00"`}},
	{"J7 a text for an amount", newCompany, `{"name":"a","riskLimit":"12.5"}`, "", 201, "", []string{`riskLimit = "12.50"`}},
	{
		"J7 0.1 and 0.2 are 0.30", "POST /api/invoices", `{"companyId":"{company}","lines":[{"name":"a","quantity":1,"unitPrice":0.1,"vatRate":0},{"name":"b","quantity":1,"unitPrice":0.2,"vatRate":0}]}`, "", 201, "",
		[]string{`subtotal = "0.30"`, `total = "0.30"`},
	},
	{"J7 a whole quantity with decimals", "POST /api/invoices", `{"companyId":"{company}","lines":[{"name":"a","quantity":1.0,"unitPrice":"1","vatRate":20}]}`, "", 201, "", []string{`lines[0].quantity = "1"`}},
	{"J5 escapes of one text", newCompany, `{"n\u0061me":"\u0130\u015f \ud83d\ude00 \/ \" \\ \t"}`, "", 201, "", []string{"name = \"İş 😀 / \\\" \\\\ \\t\""}},
	{"J11 null is absent", newCompany, `{"name":"a","type":null,"riskLimit":null,"metadata":null}`, "", 201, "", []string{`type = "CUSTOMER"`, "riskLimit = null"}},
	{"H4 an action needs no body", "POST /api/auth/logout", ``, "", 204, "", nil},
}
