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
	{"'=1", "'=1"},
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
	{"a, -b", "a, -b"},
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
		if got := Unguarded(c.want); got != c.in && c.in != "'=1" { // which no reader can tell from =1
			t.Errorf("%q comes back as %q, was %q", c.want, got, c.in)
		}
	}
}

func TestCSVJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"b"}`:                `{"a":"b"}`,
		`[-1,-2]`:                  `[-1,-2]`,
		`{"a":"=1"}`:               `{"a":"=1"}`,
		`{"a":"x;=1"}`:             `{"a":"x;\u003d1"}`,
		`["\\","x,-1"]`:            `["\\","x,\u002d1"]`,
		`["\";=1",-1]`:             `["\";\u003d1",-1]`,
		`{"x;＝":"x,＋","y":[1,-1]}`: `{"x;\uff1d":"x,\uff0b","y":[1,-1]}`,
	} {
		if got := string(harmlessJSON([]byte(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// FuzzCSVCell holds for any text: a CSV reader finds it again, but for the
// apostrophes; and no reader, wherever it splits, finds a formula.
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
		if got, want := bare(rows[0][1]), bare(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		cell := string(harmlessText([]byte(s)))
		for _, piece := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(parting, r) }) {
			if isFormula(piece) {
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

// bare is a text without apostrophes and the difference between line ends, which
// encoding/csv does not tell apart.
func bare(s string) string {
	return strings.NewReplacer("'", "", "\r\n", "\n").Replace(s)
}
