package server_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

const asCSV = "Content-Type: text/csv"

// TestImports brings records in by files over HTTP.
func TestImports(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	faulty := "Kod;Ünvan;Vergi No;Risk Limiti;Tür\nA1;Ada Ltd;1234567890;1.250,50;Müşteri\nB1;;12;x;Kedi\nA1;Bora;;1.234;\n"
	f.rows([]row{
		{"a dry run tells every fault", "POST /api/imports?resource=companies&dryRun=true", faulty, asCSV + "\nAccept-Language: tr", 200, "", []string{
			"dryRun = true", "rows = 3", "created = 0", "updated = 0", "skipped = 2", "moreFaults = 0",
			"faults[0].row = 3", `faults[0].column = "Risk Limiti"`, `faults[0].field = "riskLimit"`, `faults[0].code = "decimal_invalid"`,
			"body has Vergi No", "body has tax_number_invalid", "body has invalid_value", "body has kontrol basamağı", "body lacks decimal_doubtful", "body has given_before", "body has 2. satırda zaten",
		}},
		{"or what would be done without them", "POST /api/imports?resource=companies&dryRun=true&skipBad=true", faulty, asCSV, 200, "", []string{"created = 1", "skipped = 2"}},
		{"one faulty row and nothing is written", "POST /api/imports?resource=companies", faulty, asCSV, 422, trade.ValidationFailed, []string{
			`errors[0].field = "rows[3].riskLimit"`, "body has rows[3].name", "body has rows[3].taxNumber", "body has rows[4].code", "body lacks rows[2]",
		}},
		{"still nothing", "GET /api/companies", "", "", 200, "", []string{"data = []"}},
		{"unless they are left out", "POST /api/imports?resource=companies&skipBad=true", faulty, asCSV, 200, "", []string{"created = 1", "skipped = 2", "faults[0].row = 3"}},
		{"a right one among them", "GET /api/companies", "", "", 200, "", []string{`data[0].code = "A1"`, `data[0].riskLimit = "1250.50"`, `data[0].type = "CUSTOMER"`, "data[0].version = 1"}},
		{"by its code, only what is given changes", "POST /api/imports?resource=companies", "code,phone,name,city\nA1,0216,,\n,,Yeni,Iğdır\n", asCSV, 200, "", []string{"created = 1", "updated = 1", "unchanged = 0"}},
		{"the rest stays", "GET /api/companies?sort=code", "", "", 200, "", []string{
			`data[0].phone = "0216"`, `data[0].name = "Ada Ltd"`, `data[0].riskLimit = "1250.50"`, "data[0].version = 2", `data[1].code = "C000001"`, `data[1].city = "Iğdır"`,
		}},
		{"the same again changes nothing", "POST /api/imports?resource=companies", "code,phone\nA1,0216\n", asCSV, 200, "", []string{"unchanged = 1", "updated = 0"}},
		{"products", "POST /api/imports?resource=products", "Stok Kodu\tÜrün Adı\tBirim\tKDV Oranı\tSatış Fiyatı\nD1\tDefter\tAdet\t%10\t1.249,90\n", asCSV, 200, "", []string{"created = 1"}},
		{"as products", "GET /api/products", "", "", 200, "", []string{`data[0].unit = "C62"`, `data[0].vatRate = "10"`, `data[0].salePrice = "1249.90"`}},
		{"contacts of companies by their codes", "POST /api/imports?resource=contacts&skipBad=true", "Firma Kodu,Ad,E-posta,Birincil\nA1,Ayşe,a@b.co,evet\nZZ,Ali,c@b.co,\n,Can,,belki\nA1,Ece,a@b.co,\n", asCSV, 200, "", []string{
			"created = 1", "skipped = 3", `faults[0].code = "company_code_unknown"`, `faults[0].column = "Firma Kodu"`, `faults[0].message = "Firma Kodu: there is no company with the code \"ZZ\"."`, "body has companyId is required", "body has isPrimary must be yes or no", "body has email is given already in row 2",
		}},
		{"an unknown column", "POST /api/imports?resource=products&skipBad=true", "name,Renk,Ad\nx,y,z\n", asCSV, 422, trade.ValidationFailed, []string{`errors[0].field = "rows[1].Renk"`, `errors[0].code = "unknown_column"`, "body has salePrice", "body lacks createdAt", `errors[1].code = "column_repeated"`, `errors[1].message = "\"Ad\" is given twice: columns A and C are both name."`}},
		{"an unknown column, in Turkish", "POST /api/imports?resource=companies", "Kod;Renk\nA1;mavi\n", asCSV + "\nAccept-Language: tr", 422, "", []string{`errors[0].field = "rows[1].Renk"`, `body has bilinenler: id, Kod (code), Ünvan (name), Tür (type)`, "body lacks deletedAt"}},
		{"no currency, and one for tests", "POST /api/imports?resource=companies", "Kod;Ünvan;Para Birimi\nQ1;Q;XXX\nQ2;Q;xts\n", asCSV, 422, trade.ValidationFailed, []string{`errors[0].code = "code_invalid"`, "body has rows[3].currency"}},
		{"what parts the cells said, in lines of an old Macintosh", "POST /api/imports?resource=products&dryRun=true", "sep=;\rKod;Ad,Soyad\rM1;a\r", asCSV, 200, "", []string{"faults[0].row = 2", `faults[0].column = "Ad,Soyad"`}},
		{"a bar said, and a fault in the fourth line", "POST /api/imports?resource=products", "sep=|\r\nKod|Ad|KDV\r\nM1|Masa; ceviz, cilalı|20\r\nM2||20\r\n", asCSV, 422, trade.ValidationFailed, []string{`errors[0].field = "rows[4].name"`, "errors[1] = null"}},
		{"a bar said", "POST /api/imports?resource=products", "sep=|\nKod|Ad|KDV|Fiyat\nM1|Masa; ceviz, cilalı|20|1.250,5\n", asCSV, 200, "", []string{"created = 1", "rows = 1"}},
		{"thousands as another column has them", "POST /api/imports?resource=products", "Kod;Ad;Fiyat;Alış Fiyatı\nN1;Kürsü;1.234;\nN2;Sıra;;12,50\n", asCSV, 200, "", []string{"created = 2"}},
		{"as they are kept", "GET /api/products?q=N1", "", "", 200, "", []string{`data[0].salePrice = "1234.00"`}},
		{"a fraction where others have a point", "POST /api/imports?resource=products", "Kod;Ad;Fiyat\nN3;Dolap;1.234\nN4;Raf;12.50\n", asCSV, 200, "", []string{"created = 2"}},
		{"as it is kept", "GET /api/products?q=N3", "", "", 200, "", []string{`data[0].salePrice = "1.234"`}},
		{"either way", "POST /api/imports?resource=products", "Kod;Ad;Fiyat\nN5;Pano;1.234\nN6;Lamba;50\n", asCSV, 422, trade.ValidationFailed, []string{`errors[0].field = "rows[2].salePrice"`, `errors[0].code = "decimal_doubtful"`, "errors[0].message has could be a thousand or a fraction, and no other number of the file tells which", "errors[1] = null"}},
		{"both ways", "POST /api/imports?resource=products", "Kod\tAd\tFiyat\nN5\tPano\t1.234\nN6\tLamba\t12,5\nN7\tFiş\t12.5\nN8\tMum\t12,50\n", asCSV, 422, trade.ValidationFailed, []string{`errors[0].field = "rows[2].salePrice"`, `errors[0].code = "decimal_doubtful"`, `errors[0].message has salePrice could be a thousand or a fraction, and other numbers of the file tell both, as "12,5" and "12.5" do: write "1.234" without its sign`, "errors[1] = null"}},
		{"both ways, in Turkish", "POST /api/imports?resource=products", "Kod\tAd\tFiyat\nN5\tPano\t1.234\nN6\tLamba\t12,5\nN7\tFiş\t12.5\n", asCSV + "\nAccept-Language: tr", 422, "", []string{`errors[0].message has dosyadaki öbür sayılar ikisini de gösteriyor ("12,5" ve "12.5"): "1.234" değerini ayraçsız`}},
		{"a NUL byte", "POST /api/imports?resource=products", "Kod;Ad\nN5;Pa\x00no\n", asCSV, 400, trade.BadFile, []string{"message has its line 2 has a NUL byte, which no text has", "message lacks windows-1254"}},
		{"a charset that is none of ours", "POST /api/imports?resource=products", "Kod;Ad\nN5;Pano\n", "Content-Type: text/csv; charset=koi8-r", 415, trade.UnsupportedMediaType, []string{"message has The body must be text with one of the charsets utf-8, windows-1254, iso-8859-9, or with none named."}},
		{"UTF-8 by another name", "POST /api/imports?resource=products&dryRun=true", "Kod;Ad\nN5;Panı\n", "Content-Type: text/csv; charset=utf8", 200, "", []string{"created = 1"}},
		{"ISO 8859-9 by another name", "POST /api/imports?resource=products&dryRun=true", "Kod;Ad\nN5;Pan\xfd\n", "Content-Type: text/csv; charset=latin5", 200, "", []string{"created = 1"}},
		{"UTF-8 that is none", "POST /api/imports?resource=products", "Kod;Ad\nN5;Pan\xfd\n", "Content-Type: text/csv; charset=UTF-8", 400, trade.BadFile, []string{"message has said to be in UTF-8, and its line 2 is not"}},
		{"UTF-8 and said so", "POST /api/imports?resource=products&dryRun=true", "Kod;Ad\nN5;Panı\n", "Content-Type: text/csv; charset=\"UTF-8\"", 200, "", []string{"created = 1"}},
		{"the two readings of the same bytes", "POST /api/imports?resource=products", "Kod;Ad\nN9;\xc3\xa7\n", "Content-Type: text/csv; charset=windows-1254", 200, "", []string{"created = 1"}},
		{"is what was said", "GET /api/products?q=N9", "", "", 200, "", []string{`data[0].name = "Ã§"`}},
		{"in a form", "POST /api/imports?resource=products", "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\nContent-Type: text/csv; charset=ISO-8859-9\r\n\r\nKod;Ad\nN9;\xc3\xb0\r\n--b--", "Content-Type: multipart/form-data; boundary=b", 200, "", []string{"updated = 1"}},
		{"as well", "GET /api/products?q=N9", "", "", 200, "", []string{`data[0].name = "Ã°"`}},
		{"in a form, one that is none of ours", "POST /api/imports?resource=products", "--b\r\nContent-Disposition: form-data; name=\"file\"\r\nContent-Type: text/plain; charset=cp857\r\n\r\nKod;Ad\nN9;a\r\n--b--", "Content-Type: multipart/form-data; boundary=b", 415, trade.UnsupportedMediaType, nil},
		{"a cell under no title", "POST /api/imports?resource=products", "name,\nx,y\n", asCSV, 422, "", []string{`errors[0].field = "rows[2].B"`, "body has Row 2 has more cells than there are titles in row 1: column B has none."}},
		{"metadata that is no JSON", "POST /api/imports?resource=products", "name;metadata\na;x\nb;\"{\"\"a\"\":{}}\"\nc;" + strings.Repeat("[", 90) + strings.Repeat("]", 90) + "\n", asCSV, 422, "", []string{"body has rows[2].metadata must be JSON", "body has rows[4].metadata must be JSON", "body has rows[3].metadata"}},
		{"countless faults", "POST /api/imports?resource=products&dryRun=true", "name,type\n" + strings.Repeat("x,Kedi\n", 10_050), asCSV, 200, "", []string{"skipped = 10050", "moreFaults = 50", "faults[9999].row = 10001"}},
		{"too many rows", "POST /api/imports?resource=products", "name\n" + strings.Repeat("x\n", 100_001), asCSV, 400, trade.BadFile, []string{"message has more than 100000 rows"}},
		{"control characters", "POST /api/imports?resource=products", "name\na\x01b\n", asCSV, 422, "", []string{`errors[0].code = "wrong_type"`}},
		{"a character that turns the text", "POST /api/imports?resource=products", "name\na\u202eb\n", asCSV, 422, "", []string{`errors[0].code = "wrong_type"`}},
		{"a file that is none", "POST /api/imports?resource=products", "a,b\n\"1", asCSV, 400, trade.BadFile, []string{"message has row 2"}},
		{"no resource", "POST /api/imports", "name\nx\n", asCSV, 400, trade.BadParameter, []string{"message has companies, products, contacts"}},
		{"a wrong flag", "POST /api/imports?resource=products&dryRun=yes", "name\nx\n", asCSV, 400, trade.BadParameter, nil},
		{"an unknown parameter", "POST /api/imports?resource=products&force=true", "name\nx\n", asCSV, 400, trade.BadParameter, nil},
		{"another type of body", "POST /api/imports?resource=products", "{}", "Content-Type: application/json", 415, trade.UnsupportedMediaType, []string{"message has multipart/form-data"}},
		{"a form of nothing", "POST /api/imports?resource=products", "x", "Content-Type: multipart/form-data; boundary=b", 400, trade.BadRequest, []string{"message has file"}},
		{"a form without an end", "POST /api/imports?resource=products", "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nname\nx\r\n--b", "Content-Type: multipart/form-data; boundary=b", 400, trade.BadRequest, []string{"message has whole"}},
		{"a form that goes on", "POST /api/imports?resource=products", "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nname\nx\r\n--b--junk", "Content-Type: multipart/form-data; boundary=b", 400, trade.BadRequest, []string{"message has whole"}},
		{"too large", "POST /api/imports?resource=products", strings.Repeat("x", 32<<20+1), asCSV, 413, trade.BodyTooLarge, nil},
		{"on B as well", "POST /api/v1/imports?resource=products", "code,name\nD1,Defter 80 yaprak\n", asCSV, 200, "", []string{"updated = 1"}},
		{"which may not bring everything", "POST /api/v1/imports?resource=products", "name\nx\n", asCSV + "\nX-Api-Key: {reader}", 403, trade.InsufficientScope, []string{"message has products:create"}},
	})
	f.run("repeats", f.importRepeats)
	f.run("forms and workbooks", f.importForms)
	f.run("scopes", f.importScopes)
	f.run("ids", f.importIDs)
}

// A file that stops on its way keeps nobody waiting: it gives way, and its sender is told.
func TestAnImportThatStandsStill(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	for _, transfer := range []string{"Content-Length: 1000", "Transfer-Encoding: chunked"} {
		told := f.standingStill(transfer)
		for waiting := true; waiting; { // until it was the one that stood in the way
			f.row(row{"", "POST /api/imports?resource=products", "code,name\nK1,Kalem\n", asCSV, 200, "", []string{"skipped = 0"}})
			select {
			case res := <-told:
				waiting = false
				if res.status != 503 || res.part("code") != string(trade.ImportStalled) || res.header.Get("Retry-After") != "10" {
					t.Errorf("%s: %d %v %s", transfer, res.status, res.header, res.body)
				}
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
	if n := f.count("/api/products"); n != 1 {
		t.Errorf("%d products are there", n)
	}
}

// standingStill sends the beginning of a file, and no more; what is answered comes later.
func (f *fixture) standingStill(transfer string) <-chan response {
	f.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(f.url, "http://"))
	if err == nil {
		f.t.Cleanup(func() { conn.Close() })
		_, err = fmt.Fprintf(conn, "POST /api/imports?resource=products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: text/csv\r\n%s\r\n\r\n4\r\nname\r\n", f.one.master, transfer)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	told := make(chan response, 1)
	go func() {
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			told <- response{}
			return
		}
		body, _ := io.ReadAll(res.Body)
		told <- response{res.StatusCode, res.Header, body}
	}()
	return told
}

// importIDs brings rows in by the ids of their records, as exports have them.
func (f *fixture) importIDs() {
	company := f.made("/api/companies", `{"name":"Kimlik","code":"K1"}`)
	contact := func(name string) string {
		return f.made("/api/contacts", fmt.Sprintf(`{"companyId":%q,"firstName":%q,"email":"ortak@k.co"}`, company, name))
	}
	first, second, gone := contact("Bir"), contact("İki"), contact("Giden")
	product := f.made("/api/products", `{"name":"Silgi","code":"S1"}`)
	f.row(row{"", "DELETE /api/contacts/" + gone, "", "", 204, "", nil})
	f.as = "two"
	foreign := f.made("/api/companies", `{"name":"Yabancı"}`)
	others := f.made("/api/contacts", fmt.Sprintf(`{"companyId":%q,"firstName":"Öbür"}`, foreign))
	f.as = "one"
	deleted := f.ask("GET /api/contacts/export?includeDeleted=true&q=ortak", "", "").body
	f.rows([]row{
		{"of one address several are there", "POST /api/imports?resource=contacts", "Firma Kodu,E-posta,Telefon\nK1,ortak@k.co,1\n", asCSV, 422, trade.ValidationFailed, []string{
			`errors[0].field = "rows[2].email"`, `errors[0].code = "several_contacts"`, "body has say by the column id which of them is meant",
		}},
		{"the id tells", "POST /api/imports?resource=contacts", "id,Telefon,E-posta\n" + first + ",1,ortak@k.co\n" + second + ",2,ortak@k.co\n", asCSV, 200, "", []string{"updated = 2", "created = 0"}},
		{"which it has changed", "GET /api/contacts/" + second, "", "", 200, "", []string{`phone = "2"`, `firstName = "İki"`, `email = "ortak@k.co"`}},
		{"one that is not there", "POST /api/imports?resource=contacts", "id,Ad\ncon_01hzzzzzzzzzzzzzzzzzzzzzzz,a\n", asCSV, 422, "", []string{`errors[0].field = "rows[2].id"`, `errors[0].code = "not_found"`, "body lacks companyId"}},
		{"another account's", "POST /api/imports?resource=contacts", "id,Ad\n" + others + ",a\n", asCSV, 422, "", []string{`errors[0].field = "rows[2].id"`, `errors[0].code = "not_found"`}},
		{"another kind's", "POST /api/imports?resource=contacts", "id,Ad\n" + company + ",a\n", asCSV, 422, "", []string{`errors[0].code = "not_found"`}},
		{"a deleted one's", "POST /api/imports?resource=contacts", "id,Ad\n" + gone + ",a\n", asCSV, 422, "", []string{`errors[0].code = "not_found"`}},
		{"twice", "POST /api/imports?resource=contacts", "id,Ad\n" + first + ",a\n" + first + ",b\n", asCSV, 422, "", []string{`errors[0].field = "rows[3].id"`, `errors[0].code = "given_before"`}},
		{"a company without a code", "POST /api/imports?resource=companies", "id,code,city\n" + company + ",,Van\n", asCSV, 200, "", []string{"updated = 1", "created = 0"}},
		{"the same by both", "POST /api/imports?resource=companies", "id,code,city\n" + company + ",,Muş\n,K1,Bitlis\n", asCSV, 422, "", []string{`errors[0].field = "rows[3].id"`, `errors[0].code = "given_before"`}},
		{"with a code, which another account has none of, it is made", "POST /api/imports?resource=companies", "id,code,name\n" + foreign + ",K2,Yeni\n", asCSV, 200, "", []string{"created = 1"}},
		{"another account's without a code", "POST /api/imports?resource=companies", "id,name\n" + foreign + ",Yeni\n", asCSV, 422, "", []string{`errors[0].field = "rows[2].id"`}},
		{"a product", "POST /api/imports?resource=products", "id,category\n" + product + ",Kırtasiye\n", asCSV, 200, "", []string{"updated = 1"}},
		{"an export with deleted ones", "POST /api/imports?resource=contacts", string(deleted), asCSV, 422, "", []string{`errors[0].code = "row_deleted"`, "body has deletedAt is filled: the record was deleted"}},
		{"which are left out", "POST /api/imports?resource=contacts&skipBad=true", string(deleted), asCSV, 200, "", []string{"created = 0", "skipped = 1", "unchanged = 2", `faults[0].column = "deletedAt"`}},
		{"line ends in a cell, blanks around it", "POST /api/imports?resource=companies", "code,notes\r\nK1,\"  a\r\nb  \"\r\n", asCSV, 200, "", []string{"updated = 1"}},
		{"as they are kept", "GET /api/companies/" + company, "", "", 200, "", []string{`notes = "a\nb"`, `city = "Van"`}},
	})
}

// importRepeats sends one import twice under one key: nothing is made twice, and
// the answer is the same.
func (f *fixture) importRepeats() {
	const file = "name\nTek\nÇift\n"
	key := asCSV + "\nIdempotency-Key: {uuid 77}"
	before := f.count("/api/products")
	first := f.row(row{"", "POST /api/imports?resource=products", file, key, 200, "", []string{"created = 2"}})
	again := f.row(row{"", "POST /api/imports?resource=products", file, key, 200, "", []string{"header Idempotent-Replayed = true"}})
	if !bytes.Equal(first.body, again.body) || f.count("/api/products") != before+2 {
		f.t.Errorf("%s\n%s\n%d products, there were %d", first.body, again.body, f.count("/api/products"), before)
	}
	f.row(row{"", "POST /api/imports?resource=products", "name\nBaşka\n", key, 422, trade.KeyReused, nil})
	f.row(row{"", "POST /api/imports?resource=products&dryRun=true", file, key, 422, trade.KeyReused, nil})
}

// importForms sends a workbook by itself and in a form.
func (f *fixture) importForms() {
	book := excelize.NewFile()
	defer book.Close()
	for cell, value := range map[string]any{"A1": "Cari Kodu", "B1": "Cari Ünvanı", "C1": "VKN", "D1": "Vade", "A2": "X1", "B2": "Şişli A.Ş.", "C2": 1234567890, "D2": 30} {
		if err := book.SetCellValue("Sheet1", cell, value); err != nil {
			f.t.Fatal(err)
		}
	}
	var file, form bytes.Buffer
	if err := book.Write(&file); err != nil {
		f.t.Fatal(err)
	}
	m := multipart.NewWriter(&form)
	part, err := m.CreateFormFile("file", "cari.xlsx")
	if err == nil {
		_, err = part.Write(file.Bytes())
	}
	if err != nil || m.Close() != nil {
		f.t.Fatal(err)
	}
	for want, body := range map[string]*bytes.Buffer{"multipart": &form, "spreadsheet": &file} {
		media := m.FormDataContentType()
		if want == "spreadsheet" {
			media = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
		}
		req, err := http.NewRequest("POST", f.url+"/api/imports?resource=companies", body) // no row: what is binary has no {names}
		if err != nil {
			f.t.Fatal(err)
		}
		req.Header.Set("Content-Type", media)
		req.Header.Set("Authorization", "Bearer "+f.one.master)
		if res := f.send(req); res.status != 200 || member(res.body, "rows") != 1.0 {
			f.t.Errorf("%s: %d %s", want, res.status, res.body)
		}
	}
	f.row(row{"", "GET /api/companies?q=X1", "", "", 200, "", []string{`data[0].taxNumber = "1234567890"`, "data[0].paymentTermDays = 30", "data[0].version = 1"}})
}

// importScopes holds that both scopes of the resource are asked for.
func (f *fixture) importScopes() {
	for _, r := range []struct {
		scopes string
		status int
	}{{"products:create", 403}, {"products:update", 403}, {"companies:create companies:update", 403}, {"products:create products:update", 200}} {
		set, err := auth.ParseScopes(strings.Fields(r.scopes))
		if err != nil {
			f.t.Fatal(err)
		}
		var key string
		f.write(store.Who{Tenant: f.one.tenant, Actor: "operator"}, func(tx *store.Tx) (err error) {
			_, key, err = tx.CreateKey(store.UserKey, r.scopes, set, 0, 0)
			return err
		})
		headers := fmt.Sprintf("%s\nAuthorization: Bearer %s\nX-User-Id: {user}", asCSV, key)
		if res := f.ask("POST /api/imports?resource=products&dryRun=true", "name\nx\n", headers); res.status != r.status {
			f.t.Errorf("%s: %d %s", r.scopes, res.status, res.body)
		}
	}
}
