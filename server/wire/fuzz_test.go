package wire

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"esnaf/store"
	"esnaf/store/trade"
)

// FuzzDecode reads any bytes as an invoice: no panic, no error but Malformed,
// and whatever is taken is JSON to the standard library too.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"name":"a"}`, string(invoiceBody(2)), `{"lines":[5,null,{"quantity":null}],"x":{"a":[1]}}`, `{"notes":"\ud83d\ude00\u0131"}`,
		"{\"notes\":\"I\u0307\"}", `{"metadata":{"a":1,"b":"2"}}`, `{"tenantId":"x"}`, `[`, `{"a":1,"a":2}`, `{"exchangeRate":1e9}`, "\xef\xbb\xbf{}", `{"id":{}}{}`,
	} {
		f.Add([]byte(s))
	}
	s := Of[trade.Invoice]().shape()
	f.Fuzz(func(t *testing.T, b []byte) {
		var v trade.Invoice
		normal, faults, err := decode(b, s, &v, everyTenant)
		if err != nil {
			if trade.KindOf(err) != trade.Malformed {
				t.Fatalf("%q: %v", b, err)
			}
			return
		}
		if !json.Valid(b) || !utf8.Valid(b) || !norm.NFC.IsNormal(normal) {
			t.Fatalf("%q was taken", b)
		}
		if len(faults) > maxFaults || v.ID != "" || v.Total != 0 || v.Status != "" || v.Seller != nil {
			t.Fatalf("%q: %d faults, %+v", b, len(faults), v)
		}
		var m map[string]any
		if err := json.Unmarshal(b, &m); err != nil {
			t.Fatalf("%q: %v", b, err)
		}
		print, _ := fingerprint(normal, nil)
		again, err := json.Marshal(m) // another order of members, other escapes
		if err == nil && !strings.ContainsAny(string(b), ".eE-") && len(b) < 200 && !hasLongNumber(b) {
			other, err := compose(again, look{foreign: true, escaped: true})
			if err != nil {
				return // texts that only NFC makes equal
			}
			if p, _ := fingerprint(other, nil); !reflect.DeepEqual(p, print) {
				t.Fatalf("%q and %q differ in their print", b, again)
			}
		}
	})
}

// hasLongNumber tells whether b may hold a number that a float64 does not.
func hasLongNumber(b []byte) bool {
	run := 0
	for _, c := range b {
		if run++; c < '0' || c > '9' {
			run = 0
		}
		if run > 15 {
			return true
		}
	}
	return false
}

// FuzzCursor takes no text for a cursor but what was given out for this list.
func FuzzCursor(f *testing.F) {
	c := cursors{key: [32]byte{1}, tenant: "ten_1", list: "companies "}
	q := &trade.Query{Search: "a", Sort: "name"}
	good := c.next(q, []string{"ANAHTAR", "cmp_01hzzzzzzzzzzzzzzzzzzzzzzz"})
	f.Add(good, "a")
	f.Add("", "")
	f.Add("AAAAAAAAAAAAAAAAAAAAAA", "a")
	f.Add(good[1:], "a")
	f.Fuzz(func(t *testing.T, text, search string) {
		last, err := c.after(&trade.Query{Search: search, Sort: "name"}, text)
		switch {
		case (err == nil) != (text == good && search == "a"):
			t.Fatalf("%q for %q: %v", text, search, err)
		case err == nil && (len(last) != 2 || last[0] != "ANAHTAR"):
			t.Fatalf("read as %q", last)
		case err != nil && trade.KindOf(err) != trade.Malformed:
			t.Fatal(err)
		}
	})
}

// FuzzKey reads any header as an Idempotency-Key.
func FuzzKey(f *testing.F) {
	for _, s := range []string{"4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e21", `"4F9C1C1E-2B7A-4A51-9D3C-0C3F3A5B7E21"`, "", `"`, "{4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e21}", "urn:uuid:4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e21"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key, err := idempotencyKey([]string{s}, false)
		if err != nil {
			return
		}
		if len(key) != 36 || key[14] != '4' || !strings.ContainsAny(key[19:20], "89ab") || key != strings.ToLower(strings.Trim(s, `"`)) {
			t.Fatalf("%q is taken for %q", s, key)
		}
	})
}

// FuzzIfMatch reads any header as If-Match and as If-None-Match.
func FuzzIfMatch(f *testing.F) {
	for _, s := range []string{`"7"`, `W/"7"`, `7`, `*`, `"1", "2",W/"3" ,4`, `"`, `W/`, `"a,b"`, `,`, `"01"`, ``, `"7" 7`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ifMatch([]string{s}, true)
		noneMatch([]string{s}, `"7"`)
		if err != nil {
			if trade.KindOf(err) != trade.Malformed {
				t.Fatal(err)
			}
			return
		}
		if m.Wild != (strings.Trim(s, " \t,") == "*") {
			t.Fatalf("%q matches everything: %v", s, m.Wild)
		}
		for _, v := range m.Versions {
			if v < 0 || !strings.Contains(s, strings.Trim(etag(v), `"`)) {
				t.Fatalf("%q was read as version %d", s, v)
			}
		}
	})
}

// FuzzQuery reads any query of a list: what is taken keeps every bound.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{"", "limit=5&page=2", "q=%C4%B0&sort=-name", "cursor=abc&limit=200", "updatedSince=2026-01-01T00:00:00Z", "createdTo=0001-01-01T00:00:00Z", "includeDeleted=true&", "limit=1&limit=1", "q=%00", "a=%zz", "tenantId=x&from=2026-01-01"} {
		f.Add(s)
	}
	known := listParams(&store.ListRules{Sorts: map[string]string{"name": "name_key"}, Company: true, Status: true, Date: "issue_date"}, true, &shape{values: []string{"DRAFT"}}, nil)
	f.Fuzz(func(t *testing.T, raw string) {
		given, err := arguments(raw, known)
		q, cursor := trade.Query{}, ""
		if err == nil {
			q, cursor, err = readQuery(given)
		}
		if err != nil {
			if trade.KindOf(err) != trade.Malformed {
				t.Fatal(err)
			}
			return
		}
		if q.Limit < 1 || q.Limit > 200 || q.Page < 0 || q.Page*q.Limit > maxRow || q.Page > 0 && cursor != "" ||
			strings.ContainsRune(q.Search, 0) || q.Sort != "" && q.Sort != "-createdAt" && q.Sort != "name" && q.Sort != "-name" {
			t.Fatalf("%q was taken as %+v", raw, q)
		}
	})
}
