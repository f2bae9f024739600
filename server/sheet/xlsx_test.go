package sheet_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"esnaf/server/sheet"
	"esnaf/store/trade"
)

// workbook makes a file whose first sheet has the given rows.
func workbook(t testing.TB, lines ...[]any) string {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	for i, l := range lines {
		if err := book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &l); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := book.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// parts are those of a workbook of one sheet; its relations are absolute and
// relative, as both are written.
var parts = map[string]string{
	"_rels/.rels":                `<Relationships><Relationship Id="r1" Type="http://x/officeDocument" Target="/xl/workbook.xml"/><Relationship Id="r2" Type="http://x/a" TargetMode="External" Target="http://x"/></Relationships>`,
	"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r7" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r8" Type="http://x/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`,
	"xl/workbook.xml":            `<workbook xmlns:r="x"><sheets><sheet name="A" sheetId="3" r:id="r7"/><sheet name="B" sheetId="1" r:id="r9"/></sheets></workbook>`,
	"xl/sharedStrings.xml":       `<sst><si><t>Ünvan</t></si><si><r><t>Şiş</t></r><r><t>li</t></r><rPh><t>no</t></rPh></si></sst>`,
}

// packed makes a workbook of parts, whose sheet has the given rows; each further
// pair is a part by name and content, in place of the one there is.
func packed(t testing.TB, rows string, further ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	all := map[string]string{"xl/worksheets/sheet1.xml": "<worksheet><sheetData>" + rows + "</sheetData></worksheet>"}
	for name, content := range parts {
		all[name] = content
	}
	for i := 0; i < len(further); i += 2 {
		all[further[i]] = further[i+1]
	}
	for name, content := range all {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWorkbook(t *testing.T) {
	for _, row := range []struct {
		name, file string
		want       []string
	}{
		{
			"as the library writes it", workbook(t, []any{"Ünvan", "Vergi No", "Fiyat"}, nil, []any{" Şişli\nLtd.", 1234567890, 0.1 + 0.2}, []any{nil, "0123456789", 1e-7}),
			[]string{"1 Ünvan|Vergi No|Fiyat", "3 Şişli\nLtd.|1234567890|0.3", "4 |0123456789|0.0000001"},
		},
		{"shared texts, without what is only spoken", packed(t, `<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="4"><c r="C4" t="s"><v>1</v></c></row>`), []string{"1 Ünvan", "4 ||Şişli"}},
		{"no places", packed(t, `<row><c><v>1</v></c><c t="inlineStr"><is><r><t>a</t></r><r><t> b</t></r></is></c></row><row><c><v>2</v></c></row>`), []string{"1 1|a b", "2 2"}},
		{"characters that XML cannot hold", packed(t, `<row><c t="str"><v>a_x000D_b_x0z_x005F_x000D_</v></c></row>`), []string{"1 a\rb_x0z_x000D_"}},
		{"empty cells with a style", packed(t, `<row r="1"><c r="A1"><v>1</v></c><c t="s"/><c r="XFD1" s="2"/></row>`), []string{"1 1"}},
		{
			"a name space, and a mark of the byte order", packed(t, "", "xl/worksheets/sheet1.xml", "\ufeff<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<x:worksheet xmlns:x='y'><x:sheetData><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>\n"),
			[]string{"1 1"},
		},
		{"names in another case", strings.ReplaceAll(packed(t, `<row><c><v>1</v></c></row>`), "sheet1.xml", "Sheet1.XML"), []string{"1 1"}},
		{"booleans and errors", packed(t, `<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#REF!</v></c><c><f>1+1</f></c><c t="str"><f>A1</f><v></v></c><c><f>1</f><v>1</v></c></row>`), []string{"1 TRUE|FALSE|#REF!|=||1 booleans 0 1 failed 2 3"}},
	} {
		t.Run(row.name, func(t *testing.T) { readsAs(t, row.file, row.want) })
	}
}

// A workbook that is damaged anywhere is refused as a whole.
func TestDamagedWorkbooks(t *testing.T) {
	const good = `<row r="1"><c r="A1"><v>1</v></c></row>`
	sheetOf := func(xml string) string { return packed(t, "", "xl/worksheets/sheet1.xml", xml) }
	for _, row := range []struct{ name, file, says string }{
		{"cut off behind a row", sheetOf("<worksheet><sheetData>" + good), `part "xl/worksheets/sheet1.xml" is damaged at row 1`},
		{"cut off in a cell", sheetOf(`<worksheet><sheetData>` + good + `<row r="2"><c r="A2"><v>1`), "damaged at row 2"},
		{"empty", sheetOf(""), "sheet1.xml\" is damaged"},
		{"signs within", packed(t, good+`<row r="3"><c><v><<<</v></c></row>`), "damaged at row 3"},
		{"an entity that is not defined", packed(t, good+`<row><c t="str"><v>a&nbsp;b</v></c></row>`), "damaged at row 2"},
		{"a document type", sheetOf("<!DOCTYPE x [<!ENTITY a 'b'>]><worksheet/>"), "is damaged"},
		{"another encoding", sheetOf("<?xml version='1.0' encoding='UTF-16'?><worksheet/>"), "is damaged"},
		{"crossed elements", packed(t, `<row><c></row></c>`), "damaged at row 1"},
		{"two roots", sheetOf("<worksheet/><worksheet/>"), "is damaged"},
		{"something behind", sheetOf("<worksheet/>x"), "is damaged"},
		{"too deep", sheetOf(strings.Repeat("<a>", 100) + strings.Repeat("</a>", 100)), "is damaged"},
		{"a text that is not there", packed(t, good+`<row r="2"><c t="s"><v>2</v></c></row>`), "damaged at row 2"},
		{"a text of no number", packed(t, `<row><c t="s"><v>x</v></c></row>`), "damaged at row 1"},
		{"a boolean that is none", packed(t, `<row><c t="b"><v>2</v></c></row>`), "damaged at row 1"},
		{"rows out of order", packed(t, `<row r="2"/><row r="2"/>`), "damaged at row 2"},
		{"a row that Excel has not", packed(t, `<row r="1048577"/>`), "is damaged"},
		{"cells out of order", packed(t, `<row r="1"><c r="B1"/><c r="A1"/></row>`), "damaged at row 1"},
		{"a cell of another row", packed(t, `<row r="1"><c r="A2"/></row>`), "damaged at row 1"},
		{"a place that is none", packed(t, `<row r="1"><c r="Ğ1"/></row>`), "damaged at row 1"},
		{"damaged texts", packed(t, good, "xl/sharedStrings.xml", "<sst><si>"), `"xl/sharedStrings.xml" is damaged`},
		{"no sheet", packed(t, good, "xl/workbook.xml", "<workbook/>"), "no workbook"},
		{"a document of another program", packed(t, good, "_rels/.rels", "<Relationships/>"), "no workbook"},
		{"a part twice", packed(t, good, "XL/workbook.xml", "<workbook/>"), "is there twice"},
		{"nothing but ZIP", "PK\x03\x04 and no more", "no workbook"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := read(row.file)
			if trade.KindOf(err) != trade.Malformed || !strings.Contains(err.Error(), row.says) {
				t.Errorf("%v, want %q", err, row.says)
			}
		})
	}
}

// Wherever bytes of a workbook are changed, it is refused or says what it said.
func TestChangedWorkbooks(t *testing.T) {
	lines := [][]any{{"name", "notes"}}
	for i := range 300 {
		lines = append(lines, []any{fmt.Sprintf("Firma %d", i*7919), fmt.Sprintf("not %x", i*104729)})
	}
	file := workbook(t, lines...)
	table, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	want, refused := rows(table), 0
	const step = 97
	for at := 0; at+20 < len(file); at += step {
		changed := []byte(file)
		for i := range 20 {
			changed[at+i] ^= byte(at*31 + i*7 + 1)
		}
		got, err := read(string(changed))
		if err != nil {
			refused++
			continue
		}
		if diff := cmp.Diff(want, rows(got)); diff != "" {
			t.Errorf("changed at %d of %d: %s", at, len(file), diff)
		}
	}
	if refused < len(file)/step*3/4 {
		t.Errorf("%d of %d refused", refused, len(file)/step)
	}
}

// Whatever the file holds, it comes to rows within the bounds, or to a sentence.
func FuzzRead(f *testing.F) {
	f.Add([]byte("Ünvan;Vergi No\nAda;\"1\n2\"\n"))
	f.Add([]byte("\xef\xbb\xbfa\tb\r\n\r\n1\t2"))
	f.Add([]byte("\xdenvan,\xfe\n1,2\n"))
	f.Add([]byte(workbook(f, []any{"a", 1}, []any{"b", 2.5})))
	f.Fuzz(func(t *testing.T, file []byte) { judge(t, string(file)) })
}

// The same for the XML inside a workbook, which a changed ZIP file hides.
func FuzzSheet(f *testing.F) {
	f.Add(`<row r="1"><c r="A1" t="s"><v>0</v></c><c t="b"><v>1</v></c></row>`, parts["xl/sharedStrings.xml"])
	f.Add(`<row><c><v> </v></c><c t="n"><v>1.5</v></c></row>`, "<sst/>")
	f.Add(`<row><c t="inlineStr"><is><r><t>a_x000D_</t></r></is></c></row><row r="9"><c r="AB9" t="e"><f>A1</f></c></row>`, "<sst/>")
	f.Fuzz(func(t *testing.T, rows, texts string) { judge(t, packed(t, rows, "xl/sharedStrings.xml", texts)) })
}

func judge(t *testing.T, file string) {
	table, err := read(file)
	if err != nil {
		if trade.KindOf(err) != trade.Malformed {
			t.Error(err)
		}
		return
	}
	last, numbers := 0, table.Decimals([]int{0, 1, 199})
	for i := range table.Len() {
		r := table.Row(i)
		if r.N <= last || len(r.Cells) == 0 || len(r.Cells) > 200 || r.Cells[len(r.Cells)-1] == "" {
			t.Errorf("row %d after %d: %q", r.N, last, r.Cells)
		}
		last = r.N
		for i, c := range r.Cells {
			numbers.Read(c, r.Kind(i))
			if r.Kind(i) != sheet.Plain && c == "" {
				t.Errorf("row %d: an empty cell of kind %d", r.N, r.Kind(i))
			}
		}
	}
}
