package wire

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// sample has a field of each kind that a cell can be of.
type sample struct {
	Text   string            `json:"text"`
	Amount money.Amount      `json:"amount"`
	Rate   money.Rate        `json:"rate"`
	Count  int64             `json:"count"`
	Flag   bool              `json:"flag"`
	Day    trade.Date        `json:"day"`
	At     trade.Instant     `json:"at"`
	Labels map[string]string `json:"labels"`
	Inner  struct {
		Text string `json:"text"`
	} `json:"inner"`
}

// book writes documents into a workbook with sheets of at most maxRows rows, and
// opens it.
func book(t *testing.T, maxRows int, docs ...string) *excelize.File {
	t.Helper()
	var file bytes.Buffer
	b := newBook(&file, "samples")
	b.maxRows = maxRows
	table, err := newTable(b, Of[sample]())
	for _, d := range docs {
		if err == nil {
			err = table.add([]byte(d))
		}
	}
	if err == nil {
		err = b.close()
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestXLSXCells is what a value becomes: its kind, and what Excel shows.
func TestXLSXCells(t *testing.T) {
	long := strings.Repeat("😀", maxCellText/2) // fills a cell but for one unit
	for _, tt := range []struct {
		doc, cell string
		kind      excelize.CellType
		shown     string
	}{
		{`{"text":"=1+1"}`, "A2", excelize.CellTypeInlineString, "=1+1"},
		{`{"text":" <&> \"x\" "}`, "A2", excelize.CellTypeInlineString, ` <&> "x" `},
		{`{"text":"_x0041_"}`, "A2", excelize.CellTypeInlineString, "_x0041_"},
		{`{"text":"a_x0041_x0042_ _x5F_ _xzzzz_"}`, "A2", excelize.CellTypeInlineString, "a_x0041_x0042_ _x5F_ _xzzzz_"},
		{`{"text":"007"}`, "A2", excelize.CellTypeInlineString, "007"},
		{`{"text":"a\nb\tc"}`, "A2", excelize.CellTypeInlineString, "a\nb\tc"},
		{`{"text":"` + long + `x"}`, "A2", excelize.CellTypeInlineString, long + "x"},
		{`{"text":"` + long + `xy"}`, "A2", excelize.CellTypeInlineString, long + "…"},
		{`{"amount":"1234567.50"}`, "B2", excelize.CellTypeUnset, "1,234,567.50"},
		{`{"amount":"-0.01"}`, "B2", excelize.CellTypeUnset, "-0.01"},
		{`{"amount":"9999999999999.99"}`, "B2", excelize.CellTypeUnset, "9,999,999,999,999.99"},
		{`{"amount":"12345678901234.00"}`, "B2", excelize.CellTypeUnset, "12,345,678,901,234.00"},
		{`{"rate":"100"}`, "C2", excelize.CellTypeUnset, "100"},
		{`{"amount":"99999999999999.99"}`, "B2", excelize.CellTypeInlineString, "99999999999999.99"},
		{`{"rate":"20"}`, "C2", excelize.CellTypeUnset, "20"},
		{`{"rate":"0.0001"}`, "C2", excelize.CellTypeUnset, "0.0001"},
		{`{"count":-5}`, "D2", excelize.CellTypeUnset, "-5"},
		{`{"count":9007199254740993}`, "D2", excelize.CellTypeInlineString, "9007199254740993"},
		{`{"flag":true}`, "E2", excelize.CellTypeBool, "TRUE"},
		{`{"day":"2026-02-28"}`, "F2", excelize.CellTypeUnset, "2026-02-28"},
		{`{"day":"1900-03-01"}`, "F2", excelize.CellTypeUnset, "1900-03-01"},
		{`{"day":"1900-02-28"}`, "F2", excelize.CellTypeInlineString, "1900-02-28"},
		{`{"day":"9999-12-31"}`, "F2", excelize.CellTypeUnset, "9999-12-31"},
		{`{"at":"1899-09-15T21:30:15.000Z"}`, "G2", excelize.CellTypeInlineString, "1899-09-15T21:30:15.000Z"},
		{`{"flag":false}`, "E2", excelize.CellTypeBool, "FALSE"},
		{`{"at":"2026-09-15T21:30:15.000Z"}`, "G2", excelize.CellTypeUnset, "2026-09-15 21:30:15"},
		{`{"labels":{"a":"=1"}}`, "H2", excelize.CellTypeInlineString, `{"a":"=1"}`},
		{`{"inner":{"text":"x","more":1},"new":[{}]}`, "I2", excelize.CellTypeInlineString, "x"},
		{`{"inner":null,"text":null}`, "A2", excelize.CellTypeUnset, ""},
	} {
		f := book(t, maxSheetRows, tt.doc)
		kind, e1 := f.GetCellType("samples", tt.cell)
		shown, e2 := f.GetCellValue("samples", tt.cell)
		formula, e3 := f.GetCellFormula("samples", tt.cell)
		if kind != tt.kind || shown != tt.shown || formula != "" || e1 != nil || e2 != nil || e3 != nil {
			t.Errorf("%.60s: kind %v, %.60q (%d), %q", tt.doc, kind, shown, len(utf16.Encode([]rune(shown))), formula)
		}
	}
}

// TestXLSXLetters is what columns are called.
func TestXLSXLetters(t *testing.T) {
	for at := range 2 * 26 * 27 {
		want, err := excelize.ColumnNumberToName(at + 1)
		if got := lettersOf(at); got != want || err != nil {
			t.Fatalf("column %d: %s, want %s", at, got, want)
		}
	}
}

// deadline keeps the last one that it was given.
type deadline struct {
	http.ResponseWriter
	at time.Time
}

func (d *deadline) SetWriteDeadline(at time.Time) error {
	d.at = at
	return nil
}

// TestDownloadEnds is that a download gets more time, but none beyond its end.
func TestDownloadEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		d := &deadline{}
		o := (&Call{}).output(d, "application/zip")
		for _, tt := range []struct{ at, until time.Duration }{
			{0, 5 * time.Minute},
			{time.Hour, 65 * time.Minute},
			{2*time.Hour - time.Minute, 2 * time.Hour},
		} {
			time.Sleep(time.Until(begin.Add(tt.at)))
			if o.goOn(); !d.at.Equal(begin.Add(tt.until)) {
				t.Errorf("after %s: until %s, want %s", tt.at, d.at.Sub(begin), tt.until)
			}
		}
	})
}

// TestXLSXSheets has more rows than a sheet can hold.
func TestXLSXSheets(t *testing.T) {
	var docs []string
	for i := range 7 {
		docs = append(docs, fmt.Sprintf(`{"text":"%d"}`, i))
	}
	f := book(t, 4, docs...)
	seen := ""
	for _, sheet := range f.GetSheetList() {
		rows, err := f.GetRows(sheet)
		if err != nil || len(rows) > 4 || len(rows) < 2 || rows[0][0] != "text" || rows[0][8] != "inner.text" {
			t.Fatal(sheet, rows, err)
		}
		for _, row := range rows[1:] {
			seen += row[0]
		}
		if panes, err := f.GetPanes(sheet); err != nil || !panes.Freeze || panes.YSplit != 1 {
			t.Error(sheet, panes, err)
		}
	}
	if seen != "0123456" || len(f.GetSheetList()) != 3 {
		t.Error(seen, f.GetSheetList())
	}
}
