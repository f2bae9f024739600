package wire_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"esnaf/store/trade"
)

// TestStrictJSON is the group J of ACCEPTANCE: what is not taken leaves no row.
func TestStrictJSON(t *testing.T) {
	w := newWorld(t)
	nested := func(n int) string { return strings.Repeat(`{"a":`, n-1) + `{}` + strings.Repeat(`}`, n-1) }
	for _, tt := range []struct {
		name, body string
		status     int
		code       trade.Code
		fields     string // those with a fault, in their order
	}{
		{"J1 unknown field", `{"name":"a","isAdmin":true}`, 422, trade.ValidationFailed, "isAdmin"},
		{"J1 other case", `{"Name":"a"}`, 422, trade.ValidationFailed, "Name name"},
		{"J2 duplicate key", `{"name":"a","name":"b"}`, 400, trade.MalformedJSON, ""},
		{"J2 duplicate key by escape", `{"name":"a","n\u0061me":"b"}`, 400, trade.MalformedJSON, ""},
		{"J2 duplicate key deep in an unknown field", `{"x":{"a":1,"a":2}}`, 400, trade.MalformedJSON, ""},
		{"J2 duplicate key behind an unknown field", `{"x":1,"name":"a","name":"b"}`, 400, trade.MalformedJSON, ""},
		{"J2 duplicate key of the metadata", `{"name":"a","metadata":{"k":"1","k":"2"}}`, 400, trade.MalformedJSON, ""},
		{"J4 trailing object", `{}{}`, 400, trade.MalformedJSON, ""},
		{"J4 trailing word", `{} x`, 400, trade.MalformedJSON, ""},
		{"J4 trailing object behind an unknown field", `{"x":1}{}`, 400, trade.MalformedJSON, ""},
		{"J4 array", `[]`, 400, trade.MalformedJSON, ""},
		{"J4 text", `"s"`, 400, trade.MalformedJSON, ""},
		{"J4 null", `null`, 400, trade.MalformedJSON, ""},
		{"J4 only white space", " \n ", 400, trade.MalformedJSON, ""},
		{"J4 empty object", `{}`, 422, trade.ValidationFailed, "name"},
		{"cut short", `{"name":"a`, 400, trade.MalformedJSON, ""},
		{"cut in an escape", `{"name":"a\`, 400, trade.MalformedJSON, ""},
		{"comma at the end", `{"name":"a",}`, 400, trade.MalformedJSON, ""},
		{"single quotes", `{'name':'a'}`, 400, trade.MalformedJSON, ""},
		{"J5 invalid UTF-8", "{\"name\":\"a\xff\"}", 400, trade.MalformedJSON, ""},
		{"J5 lone high surrogate", `{"name":"\ud800"}`, 400, trade.MalformedJSON, ""},
		{"J5 lone low surrogate", `{"name":"\udc00"}`, 400, trade.MalformedJSON, ""},
		{"J5 high surrogate before another escape", `{"name":"\ud800\u0041"}`, 400, trade.MalformedJSON, ""},
		{"J5 UTF-16", "\xff\xfe{\x00}\x00", 400, trade.MalformedJSON, ""},
		{"J5 byte order mark", "\xef\xbb\xbf{\"name\":\"a\"}", 400, trade.MalformedJSON, ""},
		{"J6 escaped NUL", `{"name":"\u0000"}`, 400, trade.MalformedJSON, ""},
		{"J6 escaped VT", `{"name":"\u000b"}`, 400, trade.MalformedJSON, ""},
		{"J6 backspace", `{"name":"a\b"}`, 400, trade.MalformedJSON, ""},
		{"J6 form feed in a name", `{"a\f":"a"}`, 400, trade.MalformedJSON, ""},
		{"J6 raw ESC", "{\"name\":\"\x1b\"}", 400, trade.MalformedJSON, ""},
		{"J6 raw DEL", "{\"name\":\"\x7f\"}", 400, trade.MalformedJSON, ""},
		{"J6 raw C1", "{\"name\":\"\u0085\"}", 400, trade.MalformedJSON, ""},
		{"J6 U+FFFE", "{\"name\":\"\ufffe\"}", 400, trade.MalformedJSON, ""},
		{"J6 U+FFFF escaped", `{"name":"\uffff"}`, 400, trade.MalformedJSON, ""},
		{"J6 U+202E turns the text", "{\"name\":\"a\u202eb\"}", 400, trade.MalformedJSON, ""},
		{"J6 U+2066 escaped", `{"name":"\u2066"}`, 400, trade.MalformedJSON, ""},
		{"J6 in an ignored field", `{"name":"a","id":"\u0001"}`, 400, trade.MalformedJSON, ""},
		{"J7 NaN", `{"name":"a","riskLimit":NaN}`, 400, trade.MalformedJSON, ""},
		{"J7 Infinity", `{"name":"a","riskLimit":Infinity}`, 400, trade.MalformedJSON, ""},
		{"J7 leading zero", `{"name":"a","riskLimit":01}`, 400, trade.MalformedJSON, ""},
		{"J7 1e400", `{"name":"a","riskLimit":1e400}`, 422, trade.ValidationFailed, "riskLimit"},
		{"J7 1e999999999", `{"name":"a","riskLimit":1e999999999}`, 422, trade.ValidationFailed, "riskLimit"},
		{"J7 many decimals", `{"name":"a","riskLimit":0.1234567890123}`, 422, trade.ValidationFailed, "riskLimit"},
		{"J7 beyond int64", `{"name":"a","riskLimit":9223372036854775808}`, 422, trade.ValidationFailed, "riskLimit"},
		{"J7 a whole number with decimals", `{"name":"a","paymentTermDays":1.0}`, 422, trade.ValidationFailed, "paymentTermDays"},
		{"J7 a whole number beyond int64", `{"name":"a","paymentTermDays":9223372036854775808}`, 422, trade.ValidationFailed, "paymentTermDays"},
		{"J8 depth 33", nested(33), 400, trade.MalformedJSON, ""},
		{"J8 depth 32", nested(32), 422, trade.ValidationFailed, "a name"},
		{"J8 100,000 brackets in a field", `{"a":` + strings.Repeat("[", 100_000), 400, trade.MalformedJSON, ""},
		{"J8 100,000 brackets", strings.Repeat("[", 100_000), 400, trade.MalformedJSON, ""},
		{"J11 null for required", `{"name":null}`, 422, trade.ValidationFailed, "name"},
		{
			"J11 everything at once", `{"name":5,"type":"FRIEND","riskLimit":"1,5","paymentTermDays":true,"metadata":{"a":1,"b":"x"},"nope":{},"email":"x","country":[]}`,
			422, trade.ValidationFailed, "name riskLimit paymentTermDays metadata.a nope country type email",
		},
		{"J11 an array for a map", `{"name":"a","metadata":[]}`, 422, trade.ValidationFailed, "metadata"},
		{"a tenant of one's own of another type", `{"name":"a","tenantId":5}`, 422, trade.ValidationFailed, "tenantId"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.t = t
			start := time.Now()
			a := w.do("POST", "/api/companies", tt.body)
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("took %v", d)
			}
			w.want(a, tt.status, tt.code)
			if got := fieldsOf(a); got != tt.fields {
				t.Errorf("faults of %q, want %q: %s", got, tt.fields, a.body)
			}
		})
	}
	w.t = t
	if n := w.count(); n != 0 {
		t.Errorf("%d companies were made", n)
	}
}

// TestTextInAnotherCodePage tells who sends one what is wrong, and where.
func TestTextInAnotherCodePage(t *testing.T) {
	w := newWorld(t)
	w.company(`{"name":"Ünvan €"}`)
	for _, tt := range []struct{ body, says string }{
		{"{\"name\":\"a\xff\"}", "text that is not in UTF-8 (0xff) at byte 10."},
		{"{\"name\":\"\xdcnvan\"}", "text that is not in UTF-8 (0xdc) at byte 9."}, // windows-1254
		{"{\"\xfcnvan\":\"a\"}", "text that is not in UTF-8 (0xfc) at byte 2."},
		{"{\"name\":\"Ünvan \xe2\x82\"}", "text that is not in UTF-8 (0xe2) at byte 16."}, // cut in a character
		{"{\"name\":\"\xed\xa0\x80\"}", "text that is not in UTF-8 (0xed) at byte 9."},    // half of a surrogate pair
		{"{\"name\": \xff}", "text that is not in UTF-8 (0xff) at byte 9."},
		{"\xff\xfe{\x00}\x00", "text that is not in UTF-8 (0xff) at byte 0."},
		{"{\"name\":“a”}", "something else than JSON at byte 8."},
	} {
		a := w.do("POST", "/api/companies", tt.body)
		w.want(a, 400, trade.MalformedJSON)
		if !strings.HasSuffix(a.text("message"), tt.says) {
			t.Errorf("%q: %s", tt.body, a.text("message"))
		}
	}
	a := w.do("POST", "/api/companies", "{\"name\":\"a\xff\"}", "Accept-Language: tr")
	if want := "Gövde JSON olarak alınamıyor: 10. baytta UTF-8 olmayan metin (0xff)."; a.text("message") != want {
		t.Errorf("in Turkish: %s", a.text("message"))
	}
}

// fieldsOf lists the fields that an answer finds fault with.
func fieldsOf(a *answer) string {
	var fields []string
	list, _ := a.json["errors"].([]any)
	for _, e := range list {
		m, _ := e.(map[string]any)
		fields = append(fields, fmt.Sprint(m["field"]))
	}
	return strings.Join(fields, " ")
}

// TestAcceptedJSON lists what is strange and still right.
func TestAcceptedJSON(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct{ name, body, field, want string }{
		{"white space", " {\r\n\t\"name\" : \"a\" } \n", "name", "a"},
		{"escapes", `{"n\u0061me":"\u0130\u015f \ud83d\ude00 \/ \" \\ \t\r\n"}`, "name", "İş 😀 / \" \\ \t\r\n"},
		{"text comes to NFC", "{\"name\":\"I\u0307s\u0327\"}", "name", "İş"},
		{"escaped text comes to NFC", `{"name":"\u0049\u0307s\u0327"}`, "name", "İş"},
		{"what joins and parts letters and emoji", "{\"name\":\"👨\u200d👩 می\u200cخواهم\"}", "name", "👨\u200d👩 می\u200cخواهم"},
		{"null is absent", `{"name":"a","type":null,"riskLimit":null,"metadata":null,"currency":null}`, "type", "CUSTOMER"},
		{"a number for a decimal", `{"name":"a","riskLimit":1234.5}`, "riskLimit", "1234.50"},
		{"a text for a decimal", `{"name":"a","riskLimit":"12.5"}`, "riskLimit", "12.50"},
		{"minus zero", `{"name":"a","riskLimit":-0}`, "riskLimit", "0.00"},
		{"J1 what is the server's is ignored", `{"name":"a","id":"cmp_x","version":"seven","createdAt":[],"eInvoice":{"registered":"yes","x":1}}`, "name", "a"},
		{"J1 what is the server's is ignored in a body that fits", `{"name":"a","id":"x","version":7,"createdAt":"2020-01-01T00:00:00Z","eInvoice":{"registered":true,"alias":"urn:mail:x"}}`, "name", "a"},
		{"J1 the own tenant is ignored", `{"name":"a","tenantId":"` + w.t1 + `"}`, "name", "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.t = t
			a := w.do("POST", "/api/companies", tt.body)
			if a.StatusCode != 201 || a.text(tt.field) != tt.want {
				t.Fatalf("got %d, %s = %q, want %q: %s", a.StatusCode, tt.field, a.text(tt.field), tt.want, a.body)
			}
			registered, _ := a.json["eInvoice"].(map[string]any)
			if a.num("version") != 1 || registered["registered"] != false || a.text("createdAt") != "2026-09-15T09:00:00.000Z" {
				t.Errorf("a caller set what is the server's: %s", a.body)
			}
		})
	}
}

// TestForeignTenant names another tenant where only the own one may stand.
func TestForeignTenant(t *testing.T) {
	w := newWorld(t)
	body := `{"name":"a","tenantId":"` + w.t2 + `"}`
	a := w.do("POST", "/api/companies", body)
	w.want(a, 403, trade.CrossTenant)
	if fieldsOf(a) != "tenantId" {
		t.Errorf("faults of %s", fieldsOf(a))
	}
	b := w.do("POST", "/api/v1/companies", body)
	w.want(b, 422, trade.ValidationFailed)
	if fieldsOf(b) != "tenantId" {
		t.Errorf("faults of %s", fieldsOf(b))
	}
	for _, tt := range []struct {
		path, header string
		status       int
		code         trade.Code
	}{
		{"/api/companies", "X-Tenant-Id: " + w.t2, 403, trade.CrossTenant},
		{"/api/companies?tenantId=" + w.t2, "", 403, trade.CrossTenant},
		{"/api/v1/companies", "X-Tenant-Id: " + w.t2, 404, trade.RecordNotFound},
		{"/api/v1/companies?tenantId=" + w.t2, "", 404, trade.RecordNotFound},
		{"/api/companies?tenantId=" + w.t1, "X-Tenant-Id: " + w.t1, 200, ""},
	} {
		w.want(w.do("GET", tt.path, "", tt.header), tt.status, tt.code)
	}
	if w.count() != 0 {
		t.Error("a company was made")
	}
}

// TestFaultsAreBounded sends more wrong fields than anyone wants to read.
func TestFaultsAreBounded(t *testing.T) {
	w := newWorld(t)
	var body strings.Builder
	body.WriteString(`{"name":"a"`)
	for i := range 150 {
		fmt.Fprintf(&body, `,"x%d":1`, i)
	}
	a := w.do("POST", "/api/companies", body.String()+`}`)
	w.want(a, 422, trade.ValidationFailed)
	if n := strings.Count(string(a.body), `"unknown_field"`); n != 100 {
		t.Errorf("%d faults are told, want 100", n)
	}
}
