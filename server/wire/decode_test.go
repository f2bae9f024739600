package wire

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// everyTenant lets any tenantId pass.
func everyTenant(string) trade.Code { return "" }

// read decodes body as an invoice.
func read(t *testing.T, body string) (v trade.Invoice, faults []trade.Fault) {
	t.Helper()
	_, faults, err := decode([]byte(body), Of[trade.Invoice]().shape(), &v, everyTenant)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return v, faults
}

// TestFaults walks through nested records: paths, codes, and what is left.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       []string
		left       func(trade.Invoice) any
		leftWant   any
	}{
		{
			"all kinds of wrong", `{"companyId":5,"issueDate":"2026-02-30","dueDate":20260101,"exchangeRate":"1.1234567","lines":[
			{"name":"a","quantity":"1e3","unitPrice":"12345678901","vatRate":true,"x":1},
			{"name":"b","quantity":"1.1234567","unitPrice":{},"priceIncludesVat":1,"discountRate":"","description":[]}]}`,
			[]string{
				"companyId wrong_type", "issueDate date_invalid", "dueDate date_invalid", "exchangeRate too_many_decimals",
				"lines[0].quantity decimal_invalid", "lines[0].unitPrice too_many_digits", "lines[0].vatRate wrong_type", "lines[0].x unknown_field",
				"lines[1].quantity too_many_decimals", "lines[1].unitPrice wrong_type", "lines[1].priceIncludesVat wrong_type", "lines[1].discountRate decimal_invalid", "lines[1].description wrong_type",
			},
			func(v trade.Invoice) any { return v.Lines[1].Name }, "b",
		},
		{
			"a faulty element keeps the others in place", `{"lines":[5,{"name":"b","quantity":1},null,[],{"name":"e"}]}`,
			[]string{"lines[0] wrong_type", "lines[2] wrong_type", "lines[3] wrong_type"},
			func(v trade.Invoice) any {
				return fmt.Sprintf("%d %s %s", len(v.Lines), v.Lines[1].Name, v.Lines[4].Name)
			}, "5 b e",
		},
		{"no array", `{"lines":{"0":{}}}`, []string{"lines wrong_type"}, func(v trade.Invoice) any { return len(v.Lines) }, 0},
		{
			"null of what is required", `{"companyId":null,"lines":[{"quantity":null,"name":null,"unitPrice":null}]}`,
			[]string{"companyId required", "lines[0].quantity required"},
			func(v trade.Invoice) any { return v.Lines[0].UnitPrice == nil }, true,
		},
		{
			"null for everything else", `{"issueDate":null,"exchangeRate":null,"notes":null,"metadata":{"a":null,"b":"x"},"total":null,"lines":[]}`, nil,
			func(v trade.Invoice) any { return fmt.Sprint(v.Metadata) }, "map[b:x]",
		},
		{
			"what is the server's, whatever it holds", `{"total":"1.234","seller":5,"taxes":{"a":[1]},"eDocument":"x","status":"NOPE","lines":[{"name":"a","net":[],"vat":"1.00","total":{}}]}`, nil,
			func(v trade.Invoice) any {
				return fmt.Sprintf("%v %v %d %q %v", v.Total, v.Seller, len(v.Taxes), v.Status, v.Lines[0].VAT)
			}, `0.00 <nil> 0 "" 0.00`,
		},
		{
			"what is the server's in a body that fits", `{"total":"9.00","seller":{"name":"x","personType":"COMPANY","taxNumber":"1","country":"TR"},"status":"SENT","lines":[{"name":"a","quantity":1,"vat":"1.00"}]}`, nil,
			func(v trade.Invoice) any {
				return fmt.Sprintf("%v %v %q %v %v", v.Total, v.Seller, v.Status, v.Lines[0].VAT, v.Lines[0].Quantity)
			}, `0.00 <nil> "" 0.00 1`,
		},
		{"long names are cut", `{"` + strings.Repeat("ş", 70) + `":1}`, []string{strings.Repeat("ş", 60) + "… unknown_field"}, func(trade.Invoice) any { return nil }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, faults := read(t, tt.body)
			var got []string
			for _, f := range faults {
				got = append(got, f.Field+" "+string(f.Code))
				for _, lang := range []trade.Lang{trade.English, trade.Turkish} {
					if text := f.Text(lang); strings.Contains(text, "%!") || !strings.Contains(text, f.Field) {
						t.Errorf("says %q", text)
					}
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("faults:\n%s", d)
			}
			if left := tt.left(v); left != tt.leftWant {
				t.Errorf("left %v, want %v", left, tt.leftWant)
			}
		})
	}
}

// TestConsequencesAreLeftOut shows what a caller reads when a line is no object: the line,
// not all that a line lacks.
func TestConsequencesAreLeftOut(t *testing.T) {
	v, faults := read(t, `{"companyId":"cmp_x","currency":"TRY","profile":"TEMELFATURA","invoiceType":"SATIS","lines":[5,{"quantity":"x","name":"b","unitPrice":1,"vatRate":20}]}`)
	sent := Sent{Faults: faults}
	f := sent.Check()
	v.Check(f, nil)
	var got []string
	for _, fault := range causes(told(f.Err()).Faults) {
		got = append(got, fault.Field)
	}
	if d := cmp.Diff([]string{"lines[0]", "lines[1].quantity"}, got); d != "" {
		t.Error(d)
	}
}

// TestBothWaysAgree decodes what fits along the slow way too: a null that stands
// for nothing must not change what else is read.
func TestBothWaysAgree(t *testing.T) {
	for _, body := range []string{
		string(invoiceBody(3)),
		`{"notes":"a\u0131\n","metadata":{"k":"v","":""},"issueDate":"2026-09-15","exchangeRate":1,"lines":[{"priceIncludesVat":true,"discountRate":"9.975"},{}]}`,
	} {
		fast, faults := read(t, body)
		slow, more := read(t, strings.TrimSuffix(body, "}")+`,"dueDate":null}`)
		if d := cmp.Diff(fast, slow); d != "" || faults != nil || more != nil {
			t.Errorf("%s: %v %v\n%s", body, faults, more, d)
		}
	}
}

// TestHostileNesting is J8 without the network around it.
func TestHostileNesting(t *testing.T) {
	for _, body := range []string{strings.Repeat("[", 100_000), `{"lines":` + strings.Repeat("[", 100_000), strings.Repeat(`{"a":`, 100_000)} {
		start := time.Now()
		if _, _, err := decode([]byte(body), Of[trade.Invoice]().shape(), &trade.Invoice{}, everyTenant); trade.KindOf(err) != trade.Malformed {
			t.Errorf("%.10s: %v", body, err)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("%.10s took %v", body, d)
		}
	}
}

// TestFingerprint tells which bodies are the same request.
func TestFingerprint(t *testing.T) {
	of := func(body string) string { p, _ := fingerprint([]byte(body), nil); return string(p) }
	for _, same := range [][2]string{
		{``, `{}`},
		{`{"a":1,"b":2}`, ` { "b" : 2 , "a" : 1 } `},
		{`{"a":{"y":[1,{"q":1,"p":2}],"x":0}}`, `{"a":{"x":0,"y":[1,{"p":2,"q":1}]}}`},
		{`{"a":"\u0131\/"}`, `{"a":"ı/"}`},
		{`{"\u0061":1}`, `{"a":1}`},
	} {
		if of(same[0]) != of(same[1]) {
			t.Errorf("%s is not %s", same[0], same[1])
		}
	}
	seen := map[string]string{}
	for _, body := range []string{`{}`, `{"a":1}`, `{"a":"1"}`, `{"a":1.0}`, `{"a":9007199254740993}`, `{"a":9007199254740992}`, `{"a":[1,2]}`, `{"a":[2,1]}`, `{"a":null}`, `{"b":1}`} {
		if other, ok := seen[of(body)]; ok {
			t.Errorf("%s is the same as %s", body, other)
		}
		seen[of(body)] = body
	}
}

// TestShape reads the tags of a type of ours.
func TestShape(t *testing.T) {
	type inner struct {
		Sum money.Amount `json:"sum" api:"readonly"`
	}
	type thing struct {
		trade.Meta
		Plain  string
		Hidden string `json:"-"`
		One    *inner `json:"one,omitempty"`
		Many   []inner
		Any    map[string]int `json:"any"`
	}
	s := Of[thing]().shape()
	var names []string
	for _, f := range s.fields {
		names = append(names, f.name)
	}
	if got := strings.Join(names, " "); got != "id version createdAt updatedAt deletedAt externalId notes metadata Plain one Many any" {
		t.Errorf("fields %s", got)
	}
	v := thing{Plain: "a", One: &inner{5}, Many: []inner{{6}, {7}}}
	v.ID, v.Notes = "x", "n"
	s.clear(reflect.ValueOf(&v).Elem())
	if v.ID != "" || v.Notes != "n" || v.Plain != "a" || v.One.Sum != 0 || v.Many[1].Sum != 0 {
		t.Errorf("after clear: %+v", v)
	}
}

// invoiceBody is an invoice as a client sends it.
func invoiceBody(lines int) []byte {
	type line struct {
		Name      string `json:"name"`
		Quantity  string `json:"quantity"`
		UnitPrice string `json:"unitPrice"`
		VATRate   string `json:"vatRate"`
	}
	body := struct {
		CompanyID string `json:"companyId"`
		Lines     []line `json:"lines"`
	}{CompanyID: "cmp_01hzzzzzzzzzzzzzzzzzzzzzzz"}
	for i := range lines {
		body.Lines = append(body.Lines, line{"Yıldız İnşaat ürünü", fmt.Sprint(i + 1), "123.45", "20"})
	}
	b, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return b
}
