package server_test

import (
	"bytes"
	"encoding/csv"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// TestBulkFields is TestFields for many records at once: of every field of an item
// three hostile values, in turn (in a short run one).
func TestBulkFields(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.plan("unlimited")
	f.furnish()
	f.tried("DELETE /api/webhooks/{webhook}", 204)
	sent := 0
	for _, op := range f.operations() {
		if list, bulk := strings.CutSuffix(op.Path, "/bulk"); bulk {
			f.run(op.Path, func() { sent += f.fuzzItems(op, list) })
		}
	}
	t.Logf("%d requests", sent)
}

// fuzzItems sends items of one kind with hostile values and looks at what came of
// them in the list.
func (f *fixture) fuzzItems(op *operation, list string) (sent int) {
	f.t.Helper()
	item := f.fill(bodyOf[list[strings.LastIndex(list, "/")+1:]])
	before, made := f.count(list), 0
	own, ignored := fields(op.Body, "")
	for i, field := range append(own, ignored...) {
		for j := range 3 {
			if testing.Short() && j > 0 {
				continue
			}
			var body any
			if err := json.Unmarshal([]byte(`{"items":[`+item+`]}`), &body); err != nil {
				f.t.Fatal(err)
			}
			value := f.fill(hostile[(i+j*5)%len(hostile)])
			text, err := json.Marshal(put(body, field, value), json.Deterministic(true))
			if err != nil {
				f.t.Fatal(err)
			}
			f.vars["body"] = string(text)
			res := f.ask("POST "+op.Path, "{body}", "")
			sent++
			results, _ := member(res.body, "results").([]any)
			switch {
			case res.status >= 500, res.status == 200 && field != "items" && len(results) != 1:
				f.t.Errorf("%s = %.60s: %d %s", field, value, res.status, res.body)
			case len(results) == 1:
				status := member(res.body, "results[0].status").(float64)
				if status == http.StatusCreated {
					made++
				} else if status < 400 || status >= 500 {
					f.t.Errorf("%s = %.60s: %s", field, value, res.body)
				}
			}
		}
	}
	if after := f.count(list); after != before+made {
		f.t.Errorf("%d made, but %d more in the list", made, after-before)
	}
	return sent
}

// odd are values that parameters, cells and keys of paths are given.
var odd = []string{
	"", "0", "-1", "1e400", "99999999999999999999", "NaN", "null", "{}", "true", "\x00", "a\x01b", "\xff", "'; DROP TABLE companies;--", `=1+1"`,
	"%", "*", "2026-02-30", "2026-13-01T00:00:00Z", "\u202e\ufeff", "🙂", "-", "a\r\nb", strings.Repeat("ş", 1500), "cmp_01hzzzzzzzzzzzzzzzzzzzzzzz",
}

// TestParameters gives every parameter of every route odd values (every fourth, in
// turn), and what stands in a path for no id all of them: a refusal or an answer,
// never a failure.
func TestParameters(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.plan("unlimited")
	f.furnish()
	sent, turn := 0, 0
	for _, op := range f.operations() {
		f.run(op.Method+" "+op.Path, func() {
			path := f.target(op, "", "")
			if op.Method != http.MethodGet { // of one that changes something only for what is not there
				path = f.target(op, "", nobodys)
			}
			for _, name := range slices.Sorted(maps.Keys(op.Query)) {
				turn++
				for i := turn % 4; i < len(odd); i += 4 {
					f.refusesOrAnswers(op, path+"?"+name+"="+url.QueryEscape(odd[i]))
					sent++
				}
				if res := f.refusesOrAnswers(op, path+"?"+name+"=1&"+name+"=1"); res.status != 400 {
					f.t.Errorf("%s twice: %d %s", name, res.status, res.body)
				}
			}
			if _, last, found := strings.Cut(op.Path, "{taxNumber}"); found {
				for _, value := range odd[1:] {
					f.refusesOrAnswers(op, strings.Replace(path, keyOf["{taxNumber}"], url.PathEscape(value), 1)+last)
					sent++
				}
			}
		})
	}
	t.Logf("%d requests", sent)
}

func (f *fixture) refusesOrAnswers(op *operation, path string) response {
	f.t.Helper()
	_, media := op.file()
	res := f.ask(op.Method+" "+path, f.body(op), media)
	if res.status >= 500 || res.status == 401 {
		f.t.Errorf("%s: %d %s", path, res.status, res.body)
	}
	return res
}

// importRows are the least that a row of each import must say.
var importRows = map[string]map[string]string{
	"companies": {"name": "Ada"}, "products": {"name": "Defter"}, "contacts": {"companyId": "ADA", "firstName": "Ayşe"},
}

// TestImportCells gives every column of every import odd values (in a short run every
// third, in turn): what is counted as made is there, and nothing else.
func TestImportCells(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.plan("unlimited")
	f.furnish()
	_, kinds, _ := strings.Cut(f.ask("POST /api/imports", "name\n", asCSV).part("message"), "one of ")
	sent := 0
	for kind := range strings.SplitSeq(strings.TrimSuffix(kinds, "."), ", ") {
		f.run(kind, func() {
			least := importRows[kind]
			if least == nil {
				f.t.Fatal("the test knows no row of this import")
			}
			before, made := f.count("/api/"+kind), 0
			_, columns, _ := strings.Cut(f.ask("POST /api/imports?resource="+kind, "?\n1\n", asCSV).part("errors[0].message"), "known are ")
			for column := range strings.SplitSeq(strings.TrimSuffix(columns, "."), ", ") {
				column, _, _ = strings.Cut(column, " (") // as most call it
				for i, value := range odd {
					if testing.Short() && (i+len(column))%3 != 0 {
						continue
					}
					res := f.ask("POST /api/imports?resource="+kind, f.cells(least, column, value), asCSV)
					sent++
					created, _ := member(res.body, "created").(float64)
					made += int(created)
					if res.status != 200 && res.status != 422 && !(res.status == 400 && value == "\x00") { // which no text file holds
						f.t.Errorf("%s = %.60q: %d %s", column, value, res.status, res.body)
					}
				}
			}
			if after := f.count("/api/" + kind); after != before+made || made == 0 {
				f.t.Errorf("%d made, but %d more in the list", made, after-before)
			}
		})
	}
	t.Logf("%d requests", sent)
}

// cells is a file of one row with value in one column.
func (f *fixture) cells(least map[string]string, column, value string) string {
	f.t.Helper()
	row := maps.Clone(least)
	row[column] = value
	titles := slices.Sorted(maps.Keys(row))
	line := make([]string, len(titles))
	for i, title := range titles {
		line[i] = row[title]
	}
	var file bytes.Buffer
	w := csv.NewWriter(&file)
	if err := w.WriteAll([][]string{titles, line}); err != nil {
		f.t.Fatal(err)
	}
	return file.String()
}
