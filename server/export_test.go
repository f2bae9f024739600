package server_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"esnaf/store"
	"esnaf/store/trade"
)

// sheetOf is the content of a CSV file by columns: the titles, and the cells of
// each row under them.
func (f *fixture) sheetOf(path string) (titles []string, rows []map[string]string) {
	f.t.Helper()
	res := f.ask("GET "+path, "", "")
	text, turkish := strings.CutPrefix(string(res.body), "\ufeff")
	r := csv.NewReader(strings.NewReader(text))
	if turkish {
		r.Comma = ';'
	}
	all, err := r.ReadAll()
	if res.status != 200 || err != nil || len(all) == 0 || turkish != strings.Contains(path, "excel=tr") {
		f.t.Fatalf("%s: %d %v %.300s", path, res.status, err, res.body)
	}
	if strings.Count(text, "\r\n") != len(all) || res.header.Get("Content-Type") != "text/csv; charset=utf-8; header=present" {
		f.t.Errorf("%s: %q", res.header.Get("Content-Type"), text)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, title := range all[0] {
			row[title] = cells[i]
		}
		rows = append(rows, row)
	}
	return all[0], rows
}

// names are one column of an export.
func (f *fixture) names(path, column string) (all []string) {
	f.t.Helper()
	_, rows := f.sheetOf(path)
	for _, r := range rows {
		all = append(all, r[column])
	}
	return all
}

// fillExport makes a company with a formula for a name, one that is harmless, and
// one of the other account.
func (f *fixture) fillExport() {
	f.as = "one"
	f.plan("unlimited")
	f.made("/api/companies", `{"name":"=HYPERLINK(\"http://x\")","code":"B1","phone":"+90 212 555 00 00","riskLimit":"1234.50","city":"İzmir","notes":"bir; iki, \"üç\"\nsatır","metadata":{"k":"a;=1","a":"b"}}`)
	f.advance("+1s") // ids of one moment have no order
	f.made("/api/companies", `{"name":"Ada; Ltd, \"Şti\"","code":"A1","type":"SUPPLIER","notes":"a;=1+1","riskLimit":-0}`)
	f.as = "two"
	f.made("/api/companies", `{"name":"Yabancı","code":"X1"}`)
	f.as = "one"
}

// TestExport is the file of a list, as every kind that there is.
func TestExport(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.fillExport()
	f.rows(exportRows)
	f.run("csv", f.exportCSV)
	f.run("excel=tr", f.exportTurkish)
	f.run("xlsx", f.exportXLSX)
	f.run("ndjson", f.exportLines)
	f.run("filters", f.exportFilters)
	f.run("a file of nothing", func() {
		if titles, rows := f.sheetOf("/api/v1/products/export"); len(rows) > 0 || titles[0] != "id" {
			f.t.Error(titles, rows)
		}
		f.row(row{"", "GET /api/products/export?format=ndjson", "", "", 200, "", []string{"body =", "header Content-Type = application/x-ndjson"}})
	})
	f.run("HEAD has no rows", func() {
		f.row(row{"", "HEAD /api/companies/export?format=xlsx", "", "", 200, "", []string{"body =", `header Content-Disposition = attachment; filename="companies-2026-09-15.xlsx"`}})
	})
}

const readerKey = "X-Api-Key: {reader}"

var exportRows = []row{
	{"a kind that is none", "GET /api/companies/export?format=pdf", "", "", 400, trade.BadParameter, []string{"message has csv, xlsx, ndjson"}},
	{"an empty kind", "GET /api/companies/export?format=", "", "", 400, trade.BadParameter, nil},
	{"two kinds", "GET /api/companies/export?format=csv&format=csv", "", "", 400, trade.BadParameter, nil},
	{"no limit", "GET /api/companies/export?limit=10", "", "", 400, trade.BadParameter, []string{"message has limit"}},
	{"no page", "GET /api/companies/export?page=1", "", "", 400, trade.BadParameter, nil},
	{"no cursor", "GET /api/companies/export?cursor=x", "", "", 400, trade.BadParameter, nil},
	{"a sort that is none", "GET /api/companies/export?sort=city", "", "", 400, trade.BadParameter, nil},
	{"an excel that is none", "GET /api/companies/export?excel=de", "", "", 400, trade.BadParameter, nil},
	{"excel is for csv", "GET /api/companies/export?format=xlsx&excel=tr", "", "", 400, trade.BadParameter, []string{"message has format=csv"}},
	{"updatedSince has its own order", "GET /api/companies/export?updatedSince=2026-01-01T00:00:00Z&sort=name", "", "", 400, trade.BadParameter, nil},
	{"Accept is kept", "GET /api/companies/export?format=xlsx", "", "Accept: text/csv", 406, trade.NotAcceptable, nil},
	{"Accept of the kind", "GET /api/companies/export", "", "Accept: text/*", 200, "", nil},
	{"X7 no scope", "GET /api/v1/finance/invoices/export", "", readerKey, 403, trade.InsufficientScope, []string{"message has invoices:export"}},
	{"X7 no scope for money", "GET /api/v1/finance/payments/export", "", readerKey, 403, trade.InsufficientScope, []string{"message has bank:export"}},
	{"shipments, which nobody writes", "GET /api/v1/shipments/export?format=ndjson", "", "", 200, "", []string{"body ="}},
	{"payments of all accounts", "GET /api/transfers/export?format=ndjson", "", "", 200, "", []string{"body ="}},
	{"X7 read is not export", "GET /api/v1/companies/export", "", readerKey, 403, trade.InsufficientScope, []string{"message has companies:export"}},
}

func (f *fixture) exportCSV() {
	titles, rows := f.sheetOf("/api/companies/export")
	if want := []string{"id", "version", "createdAt", "updatedAt", "deletedAt", "externalId", "notes", "metadata", "code", "name"}; !slices.Equal(titles[:10], want) {
		f.t.Error(titles)
	}
	if len(rows) != 2 {
		f.t.Fatal(rows)
	}
	got := map[string]string{}
	for _, title := range []string{"version", "createdAt", "name", "code", "phone", "riskLimit", "city", "notes", "eInvoice.registered", "eInvoice.alias", "deletedAt"} {
		got[title] = rows[0][title]
	}
	want := map[string]string{
		"version": "1", "createdAt": "2026-09-15T09:00:00.000Z", "name": `'=HYPERLINK("http://x")`, "code": "B1", "phone": "+90 212 555 00 00", "riskLimit": "1234.50", "city": "İzmir",
		"notes": "bir; iki, \"üç\"\nsatır", "eInvoice.registered": "false", "eInvoice.alias": "", "deletedAt": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.t.Error(diff)
	}
	var labels map[string]string
	if err := json.Unmarshal([]byte(rows[0]["metadata"]), &labels); err != nil || labels["k"] != "a;=1" || strings.Contains(rows[0]["metadata"], ";=") {
		f.t.Error(rows[0]["metadata"], err)
	}
	if r := rows[1]; r["name"] != `Ada; Ltd, "Şti"` || r["notes"] != "'a;'=1+1" || r["riskLimit"] != "0.00" {
		f.t.Error(r)
	}
}

func (f *fixture) exportTurkish() {
	_, rows := f.sheetOf("/api/v1/companies/export?excel=tr&format=csv")
	if len(rows) != 2 || rows[0]["riskLimit"] != "1234,50" || rows[0]["phone"] != "+90 212 555 00 00" || rows[1]["name"] != `Ada; Ltd, "Şti"` {
		f.t.Error(rows)
	}
}

func (f *fixture) exportXLSX() {
	res := f.ask("GET /api/companies/export?format=xlsx", "", "")
	if media := res.header.Get("Content-Type"); media != "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" {
		f.t.Error(media)
	}
	book, err := excelize.OpenReader(bytes.NewReader(res.body))
	if err != nil {
		f.t.Fatal(err)
	}
	defer book.Close()
	rows, err := book.GetRows("companies")
	if err != nil || len(rows) != 3 {
		f.t.Fatal(rows, err)
	}
	for title, want := range map[string]struct {
		kind       excelize.CellType
		raw, shown string
	}{
		"name":                {excelize.CellTypeInlineString, `=HYPERLINK("http://x")`, `=HYPERLINK("http://x")`},
		"notes":               {excelize.CellTypeInlineString, "bir; iki, \"üç\"\nsatır", "bir; iki, \"üç\"\nsatır"},
		"phone":               {excelize.CellTypeInlineString, "+90 212 555 00 00", "+90 212 555 00 00"},
		"version":             {excelize.CellTypeUnset, "1", "1"},
		"riskLimit":           {excelize.CellTypeUnset, "1234.5", "1,234.50"},
		"createdAt":           {excelize.CellTypeUnset, "46280.375", "2026-09-15 09:00:00"},
		"eInvoice.registered": {excelize.CellTypeBool, "0", "FALSE"},
		"metadata":            {excelize.CellTypeInlineString, `{"a":"b","k":"a;=1"}`, `{"a":"b","k":"a;=1"}`},
	} {
		cell, _ := excelize.CoordinatesToCellName(slices.Index(rows[0], title)+1, 2)
		kind, e1 := book.GetCellType("companies", cell)
		raw, e2 := book.GetCellValue("companies", cell, excelize.Options{RawCellValue: true})
		shown, e3 := book.GetCellValue("companies", cell)
		formula, e4 := book.GetCellFormula("companies", cell)
		if kind != want.kind || raw != want.raw || shown != want.shown || formula != "" || e1 != nil || e2 != nil || e3 != nil || e4 != nil {
			f.t.Errorf("%s: %v %q %q %q", title, kind, raw, shown, formula)
		}
	}
	if panes, err := book.GetPanes("companies"); err != nil || !panes.Freeze || panes.YSplit != 1 {
		f.t.Error(panes, err)
	}
}

func (f *fixture) exportLines() {
	list, lines := f.ask("GET /api/companies", "", ""), f.ask("GET /api/companies/export?format=ndjson", "", "")
	want := strings.ReplaceAll(strings.TrimSuffix(string(lines.body), "\n"), "\n", ",")
	if !strings.Contains(string(list.body), `{"data":[`+want+`],`) || strings.Count(string(lines.body), "\n") != 2 {
		f.t.Errorf("%s\n%s", list.body, lines.body)
	}
}

func (f *fixture) exportFilters() {
	for query, want := range map[string]string{
		"": "B1 A1", "?sort=-createdAt": "A1 B1", "?sort=name": "B1 A1", "?q=ada": "A1", "?q=yabanc": "", "?createdFrom=2026-09-16T00:00:00Z": "", "?createdTo=2026-09-16T00:00:00Z": "B1 A1", "?sort=code": "A1 B1",
	} {
		if got := strings.Join(f.names("/api/companies/export"+query, "code"), " "); got != want {
			f.t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	gone := f.made("/api/companies", `{"name":"Giden","code":"G1"}`)
	f.row(row{"", "DELETE /api/companies/" + gone, "", "", 204, "", nil})
	if got := f.names("/api/companies/export?includeDeleted=true&q=giden", "deletedAt"); len(got) != 1 || got[0] == "" {
		f.t.Error(got)
	}
	if got := f.names("/api/v1/companies/export?q="+url.QueryEscape("Giden"), "code"); got != nil {
		f.t.Error(got)
	}
}

// TestExportOfMany reads files of 20,000 rows and holds the heap against one
// that has not begun.
func TestExportOfMany(t *testing.T) { // not parallel: the heap is everybody's
	f := start(t)
	f.as = "one"
	f.plan("unlimited")
	const rows = 20_000
	notes := strings.Repeat("Uzun bir not. ", 60)
	f.write(store.Who{Tenant: f.one.tenant, Actor: f.one.user, Interface: 'A'}, func(tx *store.Tx) error {
		for i := range rows {
			c := trade.Company{Name: fmt.Sprintf("Çok %05d", i), Code: fmt.Sprint(i)}
			c.Notes = notes
			if _, err := store.Companies.Add(tx, &c); err != nil { // no audit, no events: quicker
				return err
			}
		}
		return nil
	})
	for query, lines := range map[string]int{"format=ndjson": rows, "format=ndjson&q=cok": rows, "format=csv": rows + 1, "format=xlsx": -1} {
		f.run(query, func() {
			before := heap()
			resp, err := f.client.Do(f.ready("GET /api/companies/export?"+query, "", "Accept-Encoding: identity"))
			if err != nil {
				f.t.Fatal(err)
			}
			defer resp.Body.Close()
			size, ends, most := 0, 0, uint64(0)
			for part := make([]byte, 1<<20); err == nil; { // while we measure, the server waits for us
				var n int
				n, err = io.ReadFull(resp.Body, part)
				size += n
				ends += bytes.Count(part[:n], []byte("\n"))
				if size%(4<<20) == 0 || query == "format=xlsx" {
					most = max(most, heap())
				}
			}
			if err != io.ErrUnexpectedEOF && err != io.EOF || size < 1<<20 || lines >= 0 && ends != lines {
				f.t.Fatal(size, ends, err)
			}
			grown := int64(most) - int64(before)
			f.t.Logf("%d bytes, heap %d more", size, grown)
			if grown > 12<<20 && query != "format=xlsx" || grown > 64<<20 {
				f.t.Errorf("%d bytes more in the heap for a file of %d", grown, size)
			}
		})
	}
}

// heap is how many bytes are in use: the least of three looks, since what the server
// lets go of while one is taken still counts in it.
func heap() uint64 {
	least := uint64(math.MaxUint64)
	for range 3 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		least = min(least, m.HeapAlloc)
	}
	return least
}
