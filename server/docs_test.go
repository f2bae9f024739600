package server_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"esnaf/store/trade"
)

// The reference is served whole, to everyone, and needs nothing from elsewhere.
func TestDocs(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "nobody"
	for path, has := range map[string]string{
		"/docs":                                 `<script src="/docs/start.js">`,
		"/docs/start.js":                        `"/api/v1/openapi.json"`,
		"/docs/page.css":                        "table",
		"/docs/swagger-ui.css":                  ".swagger-ui",
		"/docs/swagger-ui-bundle.js":            "SwaggerUIBundle",
		"/docs/swagger-ui-standalone-preset.js": "SwaggerUIStandalonePreset",
	} {
		res := f.tried("GET "+path, 200)
		if !strings.Contains(string(res.body), has) {
			t.Errorf("%s lacks %s", path, has)
		}
		if csp := res.header.Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'self';") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: Content-Security-Policy %q", path, csp)
		}
	}
	for _, path := range []string{"/docs/NOTICE", "/docs/swagger-ui.css.gz", "/docs/none.js", "/docs/..%2fdocs.go", "/docs/"} {
		f.row(row{"", "GET " + path, "", "", 404, trade.PathNotFound, nil})
	}
	codes := string(f.tried("GET /docs/errors", 200).body)
	for _, c := range trade.Codes() {
		if !strings.Contains(codes, "<td>"+string(c)+"<td>") {
			t.Errorf("the error page lacks %s", c)
		}
	}
	if n := strings.Count(codes, "%"); n > 0 || !strings.Contains(codes, "<td>(number) fields are not valid. (value)<td>(sayı) alan geçerli değil. (değer)") {
		t.Errorf("the error page shows the places of arguments as they are written in the program, %d times", n)
	}
	events := string(f.tried("GET /docs/events", 200).body)
	for _, e := range trade.Events {
		if !strings.Contains(events, "<td>"+string(e)+"<td>") {
			t.Errorf("the event page lacks %s", e)
		}
	}
	if !strings.Contains(events, "<td>company.created<td>POST /api/companies, POST /api/companies/bulk") {
		t.Error("the event page does not say what emits company.created")
	}
	for event, by := range map[trade.Event]string{trade.EventCompanyCreated: "POST /api/imports", trade.EventInvoiceUpdated: "POST /api/payments/{id}/reverse"} {
		_, row, _ := strings.Cut(events, "<td>"+string(event)+"<td>")
		if row, _, _ = strings.Cut(row, "<tr>"); !strings.Contains(row, by) {
			t.Errorf("the event page does not say that %s emits %s: %s", by, event, row)
		}
	}
	api := f.described("/api")
	for _, path := range []string{"payments", "transfers"} {
		if about := member(api, "paths./api/"+path+".get.description"); !strings.Contains(fmt.Sprint(about), "Needs bank:read or cashAccount:read") {
			t.Errorf("the description of %s does not say which scope it needs: %v", path, about)
		}
	}
	for _, base := range []string{"/api", "/api/v1"} {
		if about := fmt.Sprint(member(f.described(base), "info.description")); !strings.Contains(about, "In a PATCH, a merge patch (RFC 7396), both do more than that: they take away") {
			t.Errorf("the description of %s does not say what null does in a PATCH: %s", base, about)
		}
	}
}

// described is the API description of an interface.
func (f *fixture) described(base string) []byte {
	res := httptest.NewRecorder()
	f.srv.Handler().ServeHTTP(res, httptest.NewRequest("GET", base+"/openapi.json", nil))
	return res.Body.Bytes()
}

// What is kept in compressed form goes out as it is to who takes gzip, and is the same
// file for who does not.
func TestDocsAreSentAsTheyAreKept(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "nobody"
	for _, name := range []string{"swagger-ui-bundle.js", "swagger-ui-standalone-preset.js", "swagger-ui.css"} {
		kept, err := os.ReadFile("docs/" + name + ".gz")
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(kept))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		for accepted, coding := range map[string]string{"gzip": "gzip", "br, gzip;q=0.5": "gzip", "*": "gzip", "identity": "", "gzip;q=0": "", "br": ""} {
			want := whole
			if coding == "gzip" {
				want = kept
			}
			for _, method := range []string{"GET", "HEAD"} {
				res := f.ask(method+" /docs/"+name, "", "Accept-Encoding: "+accepted)
				if res.status != 200 || res.header.Get("Content-Encoding") != coding || res.header.Get("Vary") != "Accept-Encoding" || coding != "" && res.header.Get("Content-Length") != strconv.Itoa(len(kept)) {
					t.Errorf("%s %s for %q: %d %v", method, name, accepted, res.status, res.header)
				}
				if method == "GET" && !bytes.Equal(res.body, want) {
					t.Errorf("%s for %q: %d bytes, want %d", name, accepted, len(res.body), len(want))
				}
			}
		}
	}
	for _, path := range []string{"/docs", "/docs/start.js", "/docs/errors"} { // not kept so
		if res := f.ask("GET "+path, "", "Accept-Encoding: gzip"); res.header.Get("Content-Encoding") != "" || res.header.Get("Vary") != "" {
			t.Errorf("%s: %v", path, res.header)
		}
	}
}
