package wire

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
)

// cellTable is line X6 of the acceptance list: what a text becomes in a CSV file.
var cellTable = []struct{ in, want string }{
	{"", ""},
	{"Ada Ltd", "Ada Ltd"},
	{"a=b", "a=b"},
	{"'=1", "''=1"},
	{"''=1", "'''=1"},
	{"'a", "'a"},
	{"a;'=1", "'a;''=1"},
	{`a;"=HYPERLINK("http://x")`, `'a;'"=HYPERLINK("http://x")`},
	{`"=1`, `'"=1`},
	{" =1+1", "' =1+1"},
	{"a, =1+1", "'a,' =1+1"},
	{"a;\u00a0=1", "'a;'\u00a0=1"},
	{"\u200b=1", "'\u200b=1"},
	{"a, -5", "a, -5"},
	{"=1+1", "'=1+1"},
	{"+1+1", "'+1+1"},
	{"-1+1", "'-1+1"},
	{"@SUM(1)", "'@SUM(1)"},
	{"\tx", "'\tx"},
	{"\rx", "'\rx"},
	{"\nx", "'\nx"},
	{"＝1", "'＝1"},
	{"＋1", "'＋1"},
	{"－1", "'－1"},
	{"＠x", "'＠x"},
	{"a;=1", "'a;'=1"},
	{"a,=1", "'a,'=1"},
	{"a;+1", "'a;'+1"},
	{"a,-b", "'a,'-b"},
	{"a;@b", "'a;'@b"},
	{"a,＝b", "'a,'＝b"},
	{"a;\tb", "'a;\tb"},
	{"a,\rb", "'a,\rb"},
	{"a;\nb", "'a;\nb"},
	{"a;\t=1", "'a;\t'=1"},
	{"a\n=1", "'a\n'=1"},
	{"=1;=2", "'=1;'=2"},
	{"a, -b", "'a,' -b"},
	{"a\nb", "a\nb"},
	{"a\r\nb", "a\r\nb"},
	{"a\tb", "a\tb"},
	{"-12.50", "-12.50"},
	{"-12,50", "-12,50"},
	{"-12", "-12"},
	{"12;-5", "12;-5"},
	{"-", "'-"},
	{"-1.", "'-1."},
	{"-.5", "'-.5"},
	{"--1", "'--1"},
	{"-1e5", "'-1e5"},
	{"-1-1", "'-1-1"},
	{"+90 212 555 00 00", "+90 212 555 00 00"},
	{"+902125550000", "+902125550000"},
	{"+90 (212) 555 00 00", "+90 (212) 555 00 00"},
	{"+1-1", "'+1-1"},
	{"+90-212-555-00-00", "'+90-212-555-00-00"},
	{"+90 212 555 00 00+1", "'+90 212 555 00 00+1"},
	{"+1 1", "'+1 1"},
	{"+1234567890123456", "'+1234567890123456"},
	{"+90 212 555 00 00;=1", "'+90 212 555 00 00;'=1"},
	{"+90 (212", "'+90 (212"},
	{"+90 (A1) 5550000", "'+90 (A1) 5550000"},
	{"+  902125550000", "'+  902125550000"},
}

func TestCSVTexts(t *testing.T) {
	for _, c := range cellTable {
		if got := string(harmlessText([]byte(c.in))); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
		if got := Unguarded(c.want); got != c.in {
			t.Errorf("%q comes back as %q, was %q", c.want, got, c.in)
		}
	}
}

// Each byte of a cell is looked at a few times at most, whatever the cell holds.
func BenchmarkUnguarded(b *testing.B) {
	for name, cell := range map[string]string{"plain": "'=" + strings.Repeat("a", 1<<20), "apostrophes": strings.Repeat("'", 1<<20) + "=", "parted": "'" + strings.Repeat(";'=", 1<<18)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Unguarded(cell)
			}
		})
	}
}

func TestCSVJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"b"}`:                `{"a":"b"}`,
		`[-1,-2]`:                  `[-1,-2]`,
		`{"a":"=1"}`:               `{"a":"=1"}`,
		`["a","=1"]`:               `["a","\u003d1"]`,
		`{"a":"b"," @x":"-1"}`:     `{"a":"b"," \u0040x":"-1"}`,
		`{"a":"=","b":["=",""]}`:   `{"a":"=","b":["=",""]}`,
		`{"a":"x;=1"}`:             `{"a":"x;\u003d1"}`,
		`["\\","x,-1"]`:            `["\\","x,\u002d1"]`,
		`["\";=1",-1]`:             `["\";\u003d1",-1]`,
		`["x; =1","x, -1"]`:        `["x; \u003d1","x, \u002d1"]`,
		`{"x;＝":"x,＋","y":[1,-1]}`: `{"x;\uff1d":"x,\uff0b","y":[1,-1]}`,
	} {
		if got := string(harmlessJSON([]byte(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// FuzzCSVCell holds for any text: a CSV reader finds it again, with the apostrophes
// that an import takes off; and no reader, wherever it splits, finds a formula.
func FuzzCSVCell(f *testing.F) {
	for _, c := range cellTable {
		f.Add(c.in)
	}
	f.Add(`a"b;"=1"`)
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		var file bytes.Buffer
		w := newCSV(&file, false)
		columns := []column{{name: "x", kind: text}, {name: "y", kind: text}}
		if err := w.row(columns, [][]byte{[]byte("x"), []byte(s)}); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&file).ReadAll()
		if err != nil || len(rows) != 1 || len(rows[0]) != 2 || rows[0][0] != "x" {
			t.Fatalf("%q: %q %v", s, rows, err)
		}
		cell := string(harmlessText([]byte(s)))
		if got, want := rows[0][1], strings.ReplaceAll(cell, "\r\n", "\n"); got != want { // encoding/csv does not tell these apart
			t.Errorf("%q, want %q", got, want)
		}
		if got := Unguarded(cell); got != s {
			t.Errorf("%q comes back as %q, was %q", cell, got, s)
		}
		for _, piece := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(parting, r) }) {
			if isFormula(piece) && !strings.HasPrefix(piece, "'") { // all that follows an apostrophe is text
				t.Errorf("%q: %q is a formula", cell, piece)
			}
		}
		quoted, err := json.Marshal(map[string]string{"k": s})
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]string
		if err := json.Unmarshal(harmlessJSON(quoted), &back); err != nil || back["k"] != s {
			t.Errorf("%s: %q %v", quoted, back, err)
		}
	})
}
