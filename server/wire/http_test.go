package wire_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"esnaf/store/trade"
)

// TestErrors is E1, E2 and E5: every status that wire gives, as a whole problem.
func TestErrors(t *testing.T) {
	w := newWorld(t)
	id := w.company(`{"name":"a","code":"X"}`)
	other := w.do("POST", "/api/companies", `{"name":"b"}`, "Authorization: Bearer "+w.t2+" usr_two all").text("id")
	for _, tt := range []struct {
		name, do, body, header string
		status                 int
		code                   trade.Code
	}{
		{"no credentials", "GET /api/companies", "", "Authorization:", 401, trade.NoCredentials},
		{"no key", "GET /api/v1/companies", "", "X-Api-Key:", 401, trade.NoCredentials},
		{"credentials before all else", "POST /api/companies", "{", "Authorization:", 401, trade.NoCredentials},
		{"a login that fails", "POST /api/auth/login", `{"email":"b@example.com"}`, "Authorization:", 401, trade.BadLogin},
		{"faults of a plain body", "POST /api/auth/login", `{"email":5,"x":1}`, "Authorization:", 422, trade.ValidationFailed},
		{"no scope", "GET /api/companies", "", "Authorization: Bearer " + w.t1 + " usr_one products:read", 403, trade.InsufficientScope},
		{"no scope before the id", "GET /api/companies/x", "", "Authorization: Bearer " + w.t1 + " usr_one products:read", 403, trade.InsufficientScope},
		{"another tenant's on A", "GET /api/companies/" + other, "", "", 403, trade.CrossTenant},
		{"another tenant's on B", "GET /api/v1/companies/" + other, "", "", 404, trade.RecordNotFound},
		{"nobody's", "GET /api/companies/cmp_01hzzzzzzzzzzzzzzzzzzzzzzz", "", "", 404, trade.RecordNotFound},
		{"another kind of record", "GET /api/companies/prd_01hzzzzzzzzzzzzzzzzzzzzzzz", "", "", 404, trade.RecordNotFound},
		{"unknown path", "GET /api/nope", "", "", 404, trade.PathNotFound},
		{"unknown path outside", "GET /nope", "", "", 404, trade.PathNotFound},
		{"unknown path with a method nobody has", "FOO /nope", "", "", 404, trade.PathNotFound},
		{"wrong method", "PATCH /api/companies", "", "", 405, trade.MethodNotAllowed},
		{"unknown method", "FOO /api/companies", "", "", 405, trade.MethodNotAllowed},
		{"not acceptable", "GET /api/companies", "", "Accept: application/xml", 406, trade.NotAcceptable},
		{"not acceptable by weight", "GET /api/companies", "", "Accept: application/json;q=0, */*", 406, trade.NotAcceptable},
		{"not acceptable, so not done", "POST /api/companies", `{"name":"a"}`, "Accept: text/html", 406, trade.NotAcceptable},
		{"no coding left", "GET /api/companies", "", "Accept-Encoding: br, *;q=0", 406, trade.NotAcceptable},
		{"duplicate", "POST /api/companies", `{"name":"a","code":"X"}`, "", 409, trade.Duplicate},
		{"wrong type", "POST /api/companies", `{"name":"a"}`, "Content-Type: text/plain", 415, trade.UnsupportedMediaType},
		{"XML", "POST /api/companies", `<a/>`, "Content-Type: application/xml", 415, trade.UnsupportedMediaType},
		{"no type", "POST /api/companies", `{"name":"a"}`, "Content-Type:", 415, trade.UnsupportedMediaType},
		{"UTF-16", "POST /api/companies", `{"name":"a"}`, "Content-Type: application/json; charset=utf-16", 415, trade.UnsupportedMediaType},
		{"merge-patch", "PUT /api/companies/" + id, `{"name":"a"}`, "Content-Type: application/merge-patch+json", 428, trade.PreconditionRequired},
		{"gzip", "POST /api/companies", `{"name":"a"}`, "Content-Encoding: gzip", 415, trade.UnsupportedMediaType},
		{"validation", "POST /api/companies", `{"name":"","email":"x"}`, "", 422, trade.ValidationFailed},
		{"busy", "GET /api/companies", "", "Authorization: Bearer " + w.t1 + " usr_busy all", 429, trade.RateLimited},
		{"broken", "GET /api/broken", "", "", 500, trade.Internal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.t = t
			method, path, _ := strings.Cut(tt.do, " ")
			a := w.do(method, path, tt.body, tt.header)
			w.want(a, tt.status, tt.code)
			if challenge := a.Header.Get("WWW-Authenticate"); (challenge != "") != (tt.status == 401) || strings.Contains(path, "/v1/") != strings.HasPrefix(challenge, "ApiKey") && tt.status == 401 {
				t.Errorf("WWW-Authenticate: %q", challenge)
			}
			if retry := a.Header.Get("Retry-After"); (retry == "3") != (tt.status == 429) {
				t.Errorf("Retry-After: %q", retry)
			}
			known := tt.status != 401 && tt.code != trade.PathNotFound && tt.code != trade.MethodNotAllowed && path != "/api/auth/login"
			if counted := a.Header.Get("X-RateLimit-Remaining") == "41"; counted != known {
				t.Errorf("counted by the limit: %v, want %v", counted, known)
			}
		})
	}
	w.t = t
	if n := strings.Count(w.log.String(), "\n"); n != 1 || !strings.Contains(w.log.String(), `"request":"req-1"`) {
		t.Errorf("the broken one alone must be logged, once: %s", w.log)
	}
	if w.count() != 1 {
		t.Error("something was made")
	}
}

// TestLanguages is E3 and E6.
func TestLanguages(t *testing.T) {
	w := newWorld(t)
	for header, want := range map[string]string{
		"":                        "isAdmin is not a field of this record.",
		"en":                      "isAdmin is not a field of this record.",
		"de":                      "isAdmin is not a field of this record.",
		"tr":                      "isAdmin bu kaydın bir alanı değil.",
		"tr-TR,tr;q=0.9,en;q=0.8": "isAdmin bu kaydın bir alanı değil.",
		"en;q=0.5, tr":            "isAdmin bu kaydın bir alanı değil.",
		"tr;q=0.3, en;q=0.7":      "isAdmin is not a field of this record.",
		"tr;q=0":                  "isAdmin is not a field of this record.",
	} {
		a := w.do("POST", "/api/companies", `{"name":"a","isAdmin":1,"paymentTermDays":"x"}`, "Accept-Language: "+header)
		list, _ := a.json["errors"].([]any)
		if len(list) != 2 {
			t.Fatalf("%s: %s", header, a.body)
		}
		if got := list[0].(map[string]any)["message"]; got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
	a := w.do("POST", "/api/companies", `{"name":"a",}`, "Accept-Language: tr")
	if want := "Gövde JSON olarak alınamıyor: 11. baytta JSON olmayan bir şey."; a.text("message") != want {
		t.Errorf("got %q, want %q", a.text("message"), want)
	}
}

// TestAllow is H1 to H3 on every route.
func TestAllow(t *testing.T) {
	w := newWorld(t)
	id := w.company(`{"name":"a"}`)
	for path, allow := range map[string]string{
		"/api/companies":                  "GET, HEAD, POST, OPTIONS",
		"/api/v1/companies":               "GET, HEAD, POST, OPTIONS",
		"/api/companies/" + id:            "GET, HEAD, PUT, DELETE, OPTIONS",
		"/api/companies/" + id + "/touch": "POST, OPTIONS",
		"/api/auth/login":                 "POST, OPTIONS",
	} {
		a := w.do("OPTIONS", path, "", "Authorization:")
		if a.StatusCode != 204 || !slices.Equal(a.Header["Allow"], []string{allow}) {
			t.Errorf("OPTIONS %s: %d %v", path, a.StatusCode, a.Header["Allow"])
		}
		for _, method := range []string{"PATCH", "TRACE", "FOO"} {
			if a := w.do(method, path, ""); a.StatusCode != 405 || !slices.Equal(a.Header["Allow"], []string{allow}) {
				t.Errorf("%s %s: %d %v", method, path, a.StatusCode, a.Header["Allow"])
			}
		}
	}
	for _, path := range []string{"/api/companies", "/api/companies/" + id, "/api/companies?limit=0", "/api/export", "/api/nope"} {
		for _, coding := range []string{"", "Accept-Encoding: gzip"} {
			get, head := w.do("GET", path, "", coding), w.do("HEAD", path, "", coding)
			get.Header.Del("Date")
			head.Header.Del("Date")
			if head.StatusCode != get.StatusCode || len(head.body) > 0 || fmt.Sprint(head.Header) != fmt.Sprint(get.Header) || head.ContentLength != get.ContentLength {
				t.Errorf("HEAD %s: %d %v\nGET: %d %v", path, head.StatusCode, head.Header, get.StatusCode, get.Header)
			}
		}
	}
}

// TestPaths is H12: no spelling of a path leads to another resource.
func TestPaths(t *testing.T) {
	w := newWorld(t)
	id := w.company(`{"name":"a"}`)
	for _, path := range []string{
		"/api/companies/../companies", "/api/companies/" + id + "/../" + id, "/api/x/../companies", "/api//companies", "//api/companies", "/api/companies/", "/api/companies//" + id,
		"/api/companies/%2e%2e", "/api/companies/%2e%2e%2fcompanies", "/api/companies/" + id + "%2f", "/api/companies/" + id + "%00", "/api/companies/%00", "/api/companies/%ff",
		"/api/companies/a%2Fb", "/api/companies/" + strings.Repeat("a", 4096), "/api/companies/" + strings.ToUpper(id), "/api/companies/" + id + "%20", "/api/%63ompanies", "/api/companies%2f" + id,
		"/api/companies/" + id + ";v=1", "/api/companies/" + id + "/", "/API/companies", "/api/companies\\" + id, "/api/companies/" + strings.Replace(id, "_", "%5f", 1),
	} {
		req := w.request("GET", "/", "")
		req.URL = &url.URL{Scheme: "http", Host: req.URL.Host, Opaque: "//" + req.URL.Host + path} // as it is, not tidied up by the client
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if a := w.read(res); a.StatusCode != 404 || a.text("message") == "" {
			t.Errorf("%s: %d %s", path, a.StatusCode, a.body)
		}
	}
}

// TestActionBody tells that an action needs neither a body nor a type.
func TestActionBody(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		name, body, header string
		status             int
		code               trade.Code
	}{
		{"nothing", "", "", 200, ""},
		{"a form without fields", "", "Content-Type: application/x-www-form-urlencoded", 200, ""},
		{"an empty object", "{}", "", 200, ""},
		{"a field", `{"a":1}`, "", 422, trade.ValidationFailed},
		{"no object", `[]`, "", 400, trade.MalformedJSON},
		{"another type", `{}`, "Content-Type: text/plain", 415, trade.UnsupportedMediaType},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.t = t
			path := "/api/companies/" + w.company(`{"name":"a"}`) + "/touch"
			k := "Idempotency-Key: " + key
			a := w.do("POST", path, tt.body, k, tt.header)
			w.want(a, tt.status, tt.code)
			if tt.status == 200 {
				again := w.do("POST", path, tt.body, k)
				if again.Header.Get("Idempotent-Replayed") != "true" || again.num("version") != 2 || again.Header.Get("ETag") != `"2"` {
					t.Errorf("no replay: %d %s", again.StatusCode, again.body)
				}
				w.want(w.do("POST", path, tt.body), 409, trade.InvalidState)
			}
		})
	}
}

// TestSizeOfBody is H6: with a length and in chunks, and the connection ends.
func TestSizeOfBody(t *testing.T) {
	w := newWorld(t)
	limit := 4 << 20
	body := func(n int) string { return `{"name":"a","notes":"` + strings.Repeat("x", n-23) + `"}` }
	if n := len(body(limit)); n != limit {
		t.Fatalf("the body has %d bytes", n)
	}
	w.want(w.do("POST", "/api/companies", body(limit)), 422, trade.ValidationFailed) // notes are too long, the body is not
	for _, chunked := range []bool{false, true} {
		req := w.request("POST", "/api/companies", body(limit+1))
		if chunked {
			req.ContentLength = -1
		}
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		a := w.read(res)
		w.want(a, 413, trade.BodyTooLarge)
		if !a.Close {
			t.Error("the connection stays open")
		}
	}
	req := w.request("POST", "/api/companies", `{"name":"in chunks"}`)
	req.ContentLength = -1
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	w.want(w.read(res), 201, "")
}

// TestBodyCutShort ends the connection in the middle of a body.
func TestBodyCutShort(t *testing.T) {
	w := newWorld(t)
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /api/companies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s usr_one all\r\nIdempotency-Key: %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"name\":", w.t1, key)
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err == nil {
		w.want(w.read(res), 400, trade.BadRequest)
	}
	if w.count() != 0 {
		t.Error("half a body made a company")
	}
}

// TestCompression is H5, H17 and H21.
func TestCompression(t *testing.T) {
	w := newWorld(t)
	small := "/api/companies/" + w.company(`{"name":"a"}`)
	w.fill(w.t1, 20)
	for _, tt := range []struct {
		path, coding string
		gzipped      bool
	}{
		{"/api/companies", "", false},
		{"/api/companies", "gzip", true},
		{"/api/companies", "deflate, gzip;q=0.5, br", true},
		{"/api/companies", "*", true},
		{"/api/companies", "gzip;q=0", false},
		{"/api/companies", "gzip;q=0.000, *", false},
		{"/api/companies", "br", false},
		{"/api/companies", "identity;q=0, gzip", true},
		{small, "gzip", false},
		{small, "gzip, identity;q=0", true},
		{small, "*;q=0, gzip", true},
	} {
		plain := w.do("GET", tt.path, "")
		a := w.do("GET", tt.path, "", "Accept-Encoding: "+tt.coding)
		body := a.body
		if (a.Header.Get("Content-Encoding") == "gzip") != tt.gzipped {
			t.Errorf("%s %q: Content-Encoding %q", tt.path, tt.coding, a.Header.Get("Content-Encoding"))
			continue
		}
		if tt.gzipped {
			z, err := gzip.NewReader(bytes.NewReader(a.body))
			if err != nil {
				t.Fatal(err)
			}
			if body, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(body, plain.body) || a.Header.Get("ETag") != plain.Header.Get("ETag") || a.ContentLength != int64(len(a.body)) {
			t.Errorf("%s %q: not the same answer", tt.path, tt.coding)
		}
		for name, want := range map[string]string{"Vary": "Accept-Encoding", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Content-Type": "application/json"} {
			if got := a.Header.Get(name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
	for accept, status := range map[string]int{
		"*/*": 200, "application/*;q=0.5": 200, "text/html, */*;q=0.1": 200, "application/json": 200, "application/JSON; charset=utf-8": 200,
		"text/html": 406, "application/json;q=0": 406, "application/*;q=0, */*": 406,
	} {
		if a := w.do("GET", small, "", "Accept: "+accept); a.StatusCode != status {
			t.Errorf("Accept %s: %d", accept, a.StatusCode)
		}
	}
	if a := w.do("GET", "/api/export?format=csv", "", "Accept: text/csv"); a.StatusCode != 200 || string(a.body) != "format,csv\n" {
		t.Errorf("export: %d %s", a.StatusCode, a.body)
	}
	w.want(w.do("GET", "/api/export?form=csv", ""), 400, trade.BadParameter)
}
