package server_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// TestLists is group P.
func TestLists(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	f.plan("unlimited")
	f.rows(listRows)
	f.run("P8 q is only text", f.plainSearch)
	f.run("P9 q in Turkish", f.turkishSearch)
	f.run("P2 a walk over one moment", f.walkOverOneMoment)
	f.run("P3 a walk while others write", f.walkWhileOthersWrite)
	f.run("P5 a cursor is for one list", f.foreignCursors)
}

var listRows = []row{
	{"P1 none", "GET /api/companies", "", "", 200, "", []string{"meta.limit = 50"}},
	{"P1 1", "GET /api/companies?limit=1", "", "", 200, "", []string{"meta.limit = 1"}},
	{"P1 200", "GET /api/v1/finance/invoices?limit=200", "", "", 200, "", []string{"meta.limit = 200"}},
	{"P1 0", "GET /api/companies?limit=0", "", "", 400, trade.BadLimit, nil},
	{"P1 -1", "GET /api/v1/companies?limit=-1", "", "", 400, trade.BadLimit, nil},
	{"P1 abc", "GET /api/invoices?limit=abc", "", "", 400, trade.BadLimit, nil},
	{"P1 201", "GET /api/v1/products?limit=201", "", "", 400, trade.BadLimit, nil},
	{"P1 1e9", "GET /api/webhooks?limit=1e9", "", "", 400, trade.BadLimit, nil},
	{"P1 empty", "GET /api/companies?limit=", "", "", 400, trade.BadLimit, nil},
	{"P7 a page too deep", "GET /api/companies?page=99999999999999999999", "", "", 400, trade.BadParameter, []string{"message has from 1 to 10000"}},
	{"P7 page and cursor", "GET /api/companies?page=1&cursor=abc", "", "", 400, trade.BadParameter, []string{"message has page"}},
	{"P8 unknown parameters are told", "GET /api/companies?lmit=5", "", "", 400, trade.BadParameter, []string{"message has lmit", "message has limit"}},
	{"P8 a sort that is none", "GET /api/companies?sort=city", "", "", 400, trade.BadParameter, nil},
	{"P8 a status that is none", "GET /api/invoices?status=LOST", "", "", 400, trade.BadParameter, nil},
	{"P10 empty on A", "GET /api/companies", "", "", 200, "", []string{`body = {"data":[],"meta":{"limit":50,"hasMore":false,"nextCursor":null}}`}},
	{"P10 empty on B", "GET /api/v1/companies?limit=7", "", "", 200, "", []string{`body = {"data":[],"meta":{"limit":7,"hasMore":false,"nextCursor":null}}`}},
	{"P10 an empty page", "GET /api/companies?page=3&limit=5", "", "", 200, "", []string{"data = []", "meta.total = 0", "meta.totalPages = 0", "meta.page = 3"}},
}

// found are the names that a search finds.
func (f *fixture) found(q string) (names []string) {
	f.t.Helper()
	res := f.ask("GET /api/companies?q="+url.QueryEscape(q), "", "")
	rows, _ := member(res.body, "data").([]any)
	for _, r := range rows {
		names = append(names, r.(map[string]any)["name"].(string))
	}
	if res.status != 200 {
		names = append(names, fmt.Sprint(res.status, " ", res.part("code")))
	}
	return names
}

// plainSearch has one company of each sign: none of them may match others.
func (f *fixture) plainSearch() {
	signs := []string{"%", "_", "'", `"`, `\`, "*", "a*", "NEAR(", "%a%", ";--", "' OR 1=1 --"}
	for _, q := range signs {
		f.made("/api/companies", `{"name":"Sade"}`)
		if names := f.found(q); len(names) > 0 && strings.Contains(fmt.Sprint(names), "Sade") {
			f.t.Errorf("%q finds %v", q, names)
		}
	}
	for q, want := range map[string]string{
		strings.Repeat("a", 10_000): "[414 uri_too_long]", strings.Repeat("a", 5_000): "[400 parameter_invalid]", "\x00": "[400 parameter_invalid]", "": "[400 parameter_invalid]",
		strings.Repeat("ş", 100): "[]", strings.Repeat("ş", 101): "[400 parameter_invalid]",
	} {
		if names := f.found(q); fmt.Sprint(names) != want {
			f.t.Errorf("%.20q: %v, want %s", q, names, want)
		}
	}
}

func (f *fixture) turkishSearch() {
	for _, name := range []string{"İSTANBUL Makina", "istanbul çanta", "ISPARTA Gül", "Öğütücü Ltd", "Hâkim İplik"} {
		body, _ := json.Marshal(map[string]string{"name": name, "externalId": "P9"})
		f.made("/api/companies", string(body))
	}
	for q, want := range map[string]int{
		"i": 4, "İst": 2, "ist": 2, "IST": 2, "ı": 4, "ısparta": 1, "isparta": 1, "ogutucu": 1, "ÖĞÜTÜCÜ": 1, "hakim": 1, "iplik hâkim": 1, "anbul": 0, "makina ist": 1,
	} {
		if names := f.found(q); len(names) != want {
			f.t.Errorf("%q finds %v, want %d", q, names, want)
		}
	}
}

// fillList makes n companies in one transaction, all of one moment.
func (f *fixture) fillList(name string, n int) (ids []string) {
	f.t.Helper()
	f.write(store.Who{Tenant: f.one.tenant, Actor: f.one.user, Interface: 'A'}, func(tx *store.Tx) error {
		for i := range n {
			doc, err := tx.CreateCompany(trade.Company{Name: fmt.Sprintf("%s %04d", name, i)})
			if err != nil {
				return err
			}
			id, _ := member(doc.JSON, "id").(string)
			ids = append(ids, id)
		}
		return nil
	})
	return ids
}

// walk reads a list to its end by cursor.
func (f *fixture) walk(path string) (seen map[string]int, pages int) {
	f.t.Helper()
	seen = map[string]int{}
	for next := path; next != ""; pages++ {
		res := f.ask("GET "+next, "", "")
		rows, _ := member(res.body, "data").([]any)
		if res.status != 200 || len(rows) == 0 {
			f.t.Fatalf("%s: %d, %d rows", next, res.status, len(rows))
		}
		for _, r := range rows {
			seen[r.(map[string]any)["id"].(string)]++
		}
		cursor, _ := member(res.body, "meta.nextCursor").(string)
		if next = ""; cursor != "" {
			next = path + "&cursor=" + url.QueryEscape(cursor)
		}
	}
	return seen, pages
}

func (f *fixture) walkOverOneMoment() {
	before := f.count("/api/companies")
	ids := f.fillList("Yürüyüş", 1000)
	seen, pages := f.walk("/api/v1/companies?limit=7&q=yuruyus")
	for _, id := range ids {
		if seen[id] != 1 {
			f.t.Errorf("%s seen %d times", id, seen[id])
		}
	}
	if pages != 143 || len(seen) != 1000 || f.count("/api/companies") != before+1000 {
		f.t.Errorf("%d pages, %d rows", pages, len(seen))
	}
}

// walkWhileOthersWrite inserts and deletes while a list is walked.
func (f *fixture) walkWhileOthersWrite() {
	stay := f.fillList("Kalan", 200)
	gone := f.fillList("Giden", 50)
	var others sync.WaitGroup
	others.Go(func() {
		for range 25 {
			f.fillList("Gelen", 10)
		}
	})
	others.Go(func() {
		for _, id := range gone {
			f.ask("DELETE /api/companies/"+id, "", "")
		}
	})
	for _, sort := range []string{"createdAt", "-createdAt"} {
		seen, _ := f.walk("/api/companies?limit=50&sort=" + sort)
		for _, id := range stay {
			if seen[id] != 1 {
				f.t.Errorf("%s: %s seen %d times", sort, id, seen[id])
			}
		}
		for id, n := range seen {
			if n > 1 {
				f.t.Errorf("%s: %s seen %d times", sort, id, n)
			}
		}
	}
	others.Wait()
}

func (f *fixture) foreignCursors() {
	const query = "/api/companies?limit=3&sort=name"
	cursor := f.ask("GET "+query, "", "").part("meta.nextCursor")
	refused := func(path string) {
		f.t.Helper()
		f.row(row{"", "GET " + path, "", "", 400, trade.BadCursor, nil})
	}
	f.row(row{"", "GET " + query + "&cursor=" + cursor, "", "", 200, "", nil})
	for i := range cursor {
		c := "A"
		if cursor[i] == 'A' {
			c = "B"
		}
		refused(query + "&cursor=" + cursor[:i] + c + cursor[i+1:])
	}
	for _, path := range []string{
		"/api/products?limit=3&sort=name", "/api/invoices?limit=3", "/api/companies?limit=3", "/api/companies?sort=-name", query + "&q=sade", query + "&includeDeleted=true",
		query + "&createdFrom=2026-01-01T00:00:00Z", "/api/companies?updatedSince=2026-01-01T00:00:00Z",
	} {
		refused(path + "&cursor=" + cursor)
	}
	f.as = "two"
	refused(query + "&cursor=" + cursor)
	refused("/api/v1/companies?limit=3&sort=name&cursor=" + cursor)
	f.as = "one"
}
