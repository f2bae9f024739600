package server_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"esnaf/store/trade"
)

// fillStatement books on {bank} what is in the statements below: 1000 lira on 31
// August, 1,500,000.50 in and 250.25 out in September.
func (f *fixture) fillStatement() {
	f.as = "one"
	f.plan("unlimited")
	f.vars["bank"] = f.made("/api/bank-accounts", `{"name":"=Vadesiz 😀 \"Şube\"","code":"007","bankName":"Örnek Bank","openingBalance":"1000","openingDate":"2026-08-31"}`)
	f.vars["buyer"] = f.made("/api/companies", `{"name":"Işık Ğüçlü Ltd. Şti. 中","code":"A1","taxNumber":"9205121120"}`)
	pay := func(day, way, amount string) string {
		return f.made("/api/payments", `{"companyId":"{buyer}","accountId":"{bank}","date":"`+day+`","direction":"`+way+`","amount":"`+amount+`"}`)
	}
	f.vars["in"] = pay("2026-09-10", "IN", "1500000.50")
	f.vars["out"] = pay("2026-09-12", "OUT", "250.25")
}

// TestStatementFiles is a statement as every kind of file that there is.
func TestStatementFiles(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.fillStatement()
	f.rows(statementRows)
	f.run("csv", f.statementCSV)
	f.run("xlsx", f.statementXLSX)
	f.run("pdf", f.statementPDF)
	f.run("a pdf of many pages", f.statementOfMany)
	f.run("scope", f.statementScope)
}

const bankStatement = "/api/bank-accounts/{bank}/statement"

var statementRows = []row{
	{"json", "GET " + bankStatement + "?format=json&from=2026-09-01", "", "", 200, "", []string{`accountId = "{bank}"`, `opening = [{"amount":"1000.00","currency":"TRY"}]`}},
	{"a kind that is none", "GET " + bankStatement + "?format=ndjson", "", "", 400, trade.BadParameter, []string{"message has json, csv, xlsx, pdf"}},
	{"excel is for csv", "GET " + bankStatement + "?excel=tr", "", "", 400, trade.BadParameter, nil},
	{"a day that is none", "GET " + bankStatement + "?format=pdf&from=1.9.2026", "", "", 400, trade.BadParameter, nil},
	{"Accept is kept", "GET " + bankStatement + "?format=pdf", "", "Accept: text/csv", 406, trade.NotAcceptable, nil},
	{"Accept of the kind", "GET " + bankStatement + "?format=pdf", "", "Accept: application/pdf", 200, "", nil},
	{"Accept without a kind", "GET " + bankStatement, "", "Accept: application/pdf", 406, trade.NotAcceptable, nil},
	{"HEAD", "HEAD " + bankStatement + "?format=csv", "", "", 200, "", []string{"body =", `header Content-Disposition = attachment; filename="statement-2026-09-15.csv"`}},
}

func (f *fixture) statementCSV() {
	titles, rows := f.sheetOf(f.fill("/api/v1/finance/bank-accounts/{bank}/statement?format=csv&from=2026-09-01"))
	got := [][]string{titles[:7]}
	for _, r := range rows {
		var cells []string
		for _, title := range titles[:7] {
			cells = append(cells, r[title])
		}
		got = append(got, cells)
	}
	want := [][]string{
		{"date", "description", "number", "currency", "debit", "credit", "balance"},
		{"2026-09-01", "Brought forward", "", "TRY", "", "", "1000.00"},
		{"2026-09-10", "Payment received", "PAY-000001", "TRY", "1500000.50", "", "1501000.50"},
		{"2026-09-12", "Payment made", "PAY-000002", "TRY", "", "250.25", "1500750.25"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.t.Error(diff)
	}
	if rows[0]["sourceId"] != "" || rows[1]["sourceId"] != f.vars["in"] || rows[1]["entry"] == rows[2]["entry"] {
		f.t.Error(rows)
	}
	_, rows = f.sheetOf(f.fill(bankStatement + "?format=csv&excel=tr&to=2026-08-31"))
	if len(rows) != 1 || rows[0]["debit"] != "1000,00" || rows[0]["number"] != "007" || rows[0]["description"] != "Opening balance" {
		f.t.Error(rows)
	}
}

func (f *fixture) statementXLSX() {
	res := f.ask("GET /api/companies/{buyer}/statement?format=xlsx", "", "Accept-Language: tr")
	book, err := excelize.OpenReader(bytes.NewReader(res.body))
	if err != nil {
		f.t.Fatal(err, res)
	}
	defer book.Close()
	for cell, want := range map[string]string{"A1": "date", "A2": "2026-09-10", "B2": "Tahsilat", "E2": "", "F2": "1,500,000.50", "G2": "-1,500,000.50", "E3": "250.25"} {
		if got, err := book.GetCellValue("statement", cell); got != want || err != nil {
			f.t.Errorf("%s: %q, want %q (%v)", cell, got, want, err)
		}
	}
	if kind, err := book.GetCellType("statement", "F2"); kind != excelize.CellTypeUnset || err != nil {
		f.t.Error("an amount is no number:", kind, err)
	}
}

func (f *fixture) statementPDF() {
	paths := map[string]string{"bank": bankStatement + "?format=pdf&from=2026-09-01&to=2026-09-30", "buyer": "/api/companies/{buyer}/statement?format=pdf"}
	for _, tt := range []struct{ of, lang, want string }{
		{"bank", "tr", "Hesap ekstresi|Banka hesabı: 007 =Vadesiz \ufffd \"Şube\"|Dönem: 01.09.2026 – 30.09.2026|Açıklama|Borç|Alacak|01.09.2026|Devir|1.000,00|1.500.000,50|PAY-000002|250,25|Kapanış bakiyesi|1.500.750,25|Sayfa 1 / 1"},
		{"bank", "en", "Statement of account|Period: 2026-09-01 – 2026-09-30|Debit|Brought forward|1,500,000.50|1,500,750.25|Page 1 / 1"},
		{"buyer", "tr", "Cari hesap: A1 Işık Ğüçlü Ltd. Şti. 中|9205121120|-1.499.750,25"},
	} {
		res := f.ask("GET "+paths[tt.of], "", "Accept-Language: "+tt.lang)
		if res.status != 200 || res.header.Get("Content-Type") != "application/pdf" || !bytes.HasPrefix(res.body, []byte("%PDF-1.")) {
			f.t.Fatalf("%d %v %.300s", res.status, res.header, res.body)
		}
		text := f.onPaper(res.body)
		for part := range strings.SplitSeq(tt.want, "|") {
			if !strings.Contains(text, part+"\n") {
				f.t.Errorf("%s %s: no %q on\n%s", tt.of, tt.lang, part, text)
			}
		}
		if again := f.ask("GET "+paths[tt.of], "", "Accept-Language: "+tt.lang); !bytes.Equal(again.body, res.body) {
			f.t.Error("the same statement is another file")
		}
	}
}

// statementOfMany has more rows than a page, and an amount wider than its column.
func (f *fixture) statementOfMany() {
	for range 60 {
		f.made("/api/payments", `{"companyId":"{buyer}","accountId":"{bank}","direction":"IN","amount":"1"}`)
	}
	f.made("/api/payments", `{"companyId":"{buyer}","accountId":"{bank}","direction":"IN","amount":"99999999999999.99"}`)
	text := f.onPaper(f.tried("GET "+bankStatement+"?format=pdf", 200).body)
	if strings.Count(text, "Balance\n") != 2 || !strings.Contains(text, "Page 2 / 2\n") || !strings.Contains(text, "\n99,999,999,999,999.99\n") {
		f.t.Errorf("%s", text)
	}
}

func (f *fixture) statementScope() {
	_, key := f.keyFor("bank:read")
	const path = "GET /api/v1/finance/bank-accounts/{bank}/statement"
	f.row(row{"", path, "", "X-Api-Key: " + key, 200, "", nil})
	for _, format := range []string{"csv", "xlsx", "pdf"} {
		f.row(row{"", path + "?format=" + format, "", "X-Api-Key: " + key, 403, trade.InsufficientScope, []string{"message has bank:export"}})
	}
	const owed = "GET /api/v1/companies/{buyer}/"
	_, key = f.keyFor("companies:read")
	f.row(row{"", owed + "balance", "", "X-Api-Key: " + key, 200, "", nil})
	f.row(row{"", owed + "statement", "", "X-Api-Key: " + key, 403, trade.InsufficientScope, []string{"message has invoices:read"}})
	_, key = f.keyFor("companies:*", "invoices:read", "bank:read")
	f.row(row{"", owed + "statement?format=csv", "", "X-Api-Key: " + key, 403, trade.InsufficientScope, []string{"message has cashAccount:read"}})
	_, key = f.keyFor("companies:*", "invoices:read", "bank:read", "cashAccount:read")
	f.row(row{"", owed + "statement?format=csv", "", "X-Api-Key: " + key, 200, "", nil})
	f.as = "two"
	f.row(row{"", path + "?format=pdf", "", "", 404, trade.RecordNotFound, nil})
	f.row(row{"", "GET " + bankStatement + "?format=csv", "", "", 403, trade.CrossTenant, nil})
}

// The streams of a PDF, and the texts that are shown in one.
var (
	pdfStream = regexp.MustCompile(`(?s)/FlateDecode[^>]*>>\s*stream\r?\n(.*?)\nendstream`)
	pdfText   = regexp.MustCompile(`(?s)\(((?:[^\\()]|\\.)*)\) ?Tj`)
)

// onPaper is what a PDF shows, a text a line.
func (f *fixture) onPaper(pdf []byte) string {
	f.t.Helper()
	var out strings.Builder
	for _, s := range pdfStream.FindAllSubmatch(pdf, -1) {
		z, err := zlib.NewReader(bytes.NewReader(s[1]))
		if err != nil {
			f.t.Fatal(err)
		}
		content, err := io.ReadAll(z)
		if err != nil {
			f.t.Fatal(err)
		}
		for _, shown := range pdfText.FindAllSubmatch(content, -1) {
			raw := strings.NewReplacer(`\\`, `\`, `\(`, `(`, `\)`, `)`, `\r`, "\r").Replace(string(shown[1]))
			var units []uint16
			for i := 0; i+1 < len(raw); i += 2 {
				units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
			}
			fmt.Fprintln(&out, string(utf16.Decode(units)))
		}
	}
	return out.String()
}
