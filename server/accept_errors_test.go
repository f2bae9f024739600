package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// TestErrors is group E, and what of group H a whole server decides. That every
// error is a problem, with its id and without the program's inside, is watched
// over all requests of this package (complaints).
func TestErrors(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	f.vars["company"] = f.made("/api/companies", `{"name":"a","code":"TAKEN"}`)
	f.rows(errorRows)
	f.as, f.vars["cut"] = "nobody", f.one.master[:len(f.one.master)-2]
	f.rows(strangerRows)
	f.run("E1 503", func() {
		f.srv.SetReady(false)
		if res := f.ask("GET /readyz", "", ""); res.status != 503 {
			f.t.Errorf("%d", res.status)
		}
	})
}

// TestProbesOfAStoreThatHangs: whoever asks whether the server is ready is answered before
// the store is.
func TestProbesOfAStoreThatHangs(t *testing.T) {
	t.Parallel()
	f := start(t)
	let, began := make(chan struct{}), make(chan struct{})
	var reads, probes sync.WaitGroup
	for range 2 { // as many as read at a time
		reads.Go(func() {
			f.db.Read(context.Background(), store.Who{}, func(*store.View) error {
				began <- struct{}{}
				<-let
				return nil
			})
		})
		<-began
	}
	for range 4 {
		probes.Go(func() {
			res := f.do("GET", "/readyz", "")
			if res.status != 503 || !strings.Contains(string(res.body), "the database has not answered yet") {
				t.Errorf("%d %s", res.status, res.body)
			}
		})
	}
	probes.Wait()
	close(let)
	reads.Wait()
	if res := f.do("GET", "/readyz", ""); res.status != 200 {
		t.Errorf("%d %s", res.status, res.body)
	}
}

var errorRows = []row{
	{"E1 400", "GET /api/companies?limit=0", "", "", 400, trade.BadLimit, nil},
	{"E1 403", "GET /api/companies", "", "X-Tenant-Id: {tenant2}", 403, trade.CrossTenant, nil},
	{"E1 404", "GET /api/companies/cmp_01hzzzzzzzzzzzzzzzzzzzzzzz", "", "", 404, trade.RecordNotFound, nil},
	{"E1 405", "PATCH /api/companies", "", "", 405, trade.MethodNotAllowed, []string{"header Allow = GET, HEAD, POST, OPTIONS"}},
	{"E1 406", "GET /api/companies", "", "Accept: application/xml", 406, trade.NotAcceptable, nil},
	{"E1 409", "POST /api/companies", `{"name":"a","code":"TAKEN"}`, "", 409, trade.Duplicate, []string{`errors[0].field = "code"`}},
	{"E1 415", "POST /api/companies", `{"name":"a"}`, "Content-Type: text/plain", 415, trade.UnsupportedMediaType, nil},
	{"E1 422", "POST /api/companies", `{}`, "", 422, trade.ValidationFailed, nil},
	{"E1 428", "PUT /api/companies/{company}", `{"name":"a"}`, "", 428, trade.PreconditionRequired, nil},
	{"E2 under the interface", "GET /api/nope", "", "", 404, trade.PathNotFound, nil},
	{"E2 outside", "GET /nope", "", "", 404, trade.PathNotFound, nil},
	{"the root tells where to go on", "GET /", "", "", 200, "", []string{`docs = "/docs"`, `openapi = ["/api/openapi.json","/api/v1/openapi.json"]`, `alive = "/healthz"`, `ready = "/readyz"`}},
	{"E2 a POST to the root", "POST /", "", "", 405, trade.MethodNotAllowed, []string{"header Allow = GET, HEAD, OPTIONS"}},
	{
		"E3 two bad fields", "POST /api/companies", `{"name":"a","email":"nobody","taxNumber":"1234567891"}`, "", 422, trade.ValidationFailed,
		[]string{`errors[0].field = "taxNumber"`, `errors[0].code = "tax_number_invalid"`, `errors[1].field = "email"`, `errors[1].code = "email_invalid"`, "errors[1].message has email", "errors[2] = null"},
	},
	{
		"E3 deep in a line", "POST /api/invoices", `{"companyId":"{company}","lines":[{"name":"a","quantity":"1","unitPrice":"1","vatRate":"20"},{"name":"a","quantity":"0","unitPrice":"x","vatRate":"101"}]}`, "", 422, trade.ValidationFailed,
		[]string{`errors[0].field = "lines[1].unitPrice"`, `errors[1].field = "lines[1].quantity"`, `errors[2].field = "lines[1].vatRate"`},
	},
	{"E3 what is allowed", "POST /api/companies", `{"name":"a","type":"FRIEND"}`, "", 422, "", []string{`errors[0].allowed = ["CUSTOMER","SUPPLIER","BOTH","LEAD"]`}},
	{
		"E6 in Turkish", "POST /api/companies", `{"name":"a","type":"Müşteri"}`, "Accept-Language: tr-TR, en;q=0.5", 422, "",
		[]string{`errors[0].message = "type \"Müşteri\" olamaz; kabul edilenler: CUSTOMER, SUPPLIER, BOTH, LEAD."`},
	},
	{"E6 in English", "POST /api/companies", `{"name":"a","type":"Müşteri"}`, "", 422, "", []string{"errors[0].message has allowed are CUSTOMER"}},
	{"H4 no media type", "POST /api/companies", `{"name":"a"}`, "Content-Type:", 415, trade.UnsupportedMediaType, nil},
	{"H4 UTF-16", "POST /api/companies", `{"name":"a"}`, "Content-Type: application/json; charset=utf-16", 415, trade.UnsupportedMediaType, nil},
	{"H4 charset in capitals", "POST /api/companies", `{"name":"a"}`, "Content-Type: application/json;charset=UTF-8", 201, "", nil},
	{"H7 an encoded body", "POST /api/companies", `{"name":"a"}`, "Content-Encoding: gzip", 415, trade.UnsupportedMediaType, nil},
	{"H13 no such files", "GET /admin/.git/config", "", "", 404, trade.PathNotFound, nil},
	{"H13 no profiler", "GET /debug/pprof/", "", "", 404, trade.PathNotFound, nil},
	{"H21 nothing is stored on the way", "GET /api/companies", "", "", 200, "", []string{"header Cache-Control = no-store", "header X-Content-Type-Options = nosniff", "header Server ="}},
}

var strangerRows = []row{
	{"E5 on A", "GET /api/companies", "", "", 401, trade.NoCredentials, []string{`header WWW-Authenticate = Bearer realm="esnaf"`, `message = "Missing or invalid credentials."`}},
	{"E5 on B", "GET /api/v1/companies", "", "", 401, trade.NoCredentials, []string{`header WWW-Authenticate = ApiKey realm="esnaf", header="x-api-key"`, `message = "Missing or invalid credentials."`}},
	{"E5 a wrong token", "GET /api/companies", "", "Authorization: Bearer x.y.z", 401, "", []string{`message = "Missing or invalid credentials."`}},
	{"A14 a token in the query", "GET /api/companies?access_token={master}", "", "", 401, trade.NoCredentials, nil},
	{"K2 no key", "GET /api/v1/companies", "", "", 401, trade.NoCredentials, nil},
	{"K2 two keys", "GET /api/v1/companies", "", "X-Api-Key: {key}\nX-Api-Key: {key}", 401, trade.HeaderRepeated, []string{"message has X-Api-Key"}},
	{"K2 the key as bearer", "GET /api/v1/companies", "", "Authorization: Bearer {key}", 401, trade.NoCredentials, nil},
	{"K2 a key of B on A", "GET /api/companies", "", "Authorization: Bearer {key}", 401, trade.NoCredentials, nil},
	{"K2 a token on B", "GET /api/v1/companies", "", "X-Api-Key: {master}", 401, trade.NoCredentials, nil},
	{"K1 a wrong checksum", "GET /api/v1/companies", "", "X-Api-Key: svc_live_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 401, trade.NoCredentials, nil},
	{"K2 an empty key", "GET /api/v1/companies", "", "X-Api-Key: \"\"", 401, trade.NoCredentials, nil},
	{"K2 the key in quotes", "GET /api/v1/companies", "", "X-Api-Key: \"{key}\"", 401, trade.NoCredentials, nil},
	{"K2 another prefix", "GET /api/v1/companies", "", "X-Api-Key: x{key}", 401, trade.NoCredentials, nil},
	{"A1 no algorithm", "GET /api/companies", "", "Authorization: Bearer eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.eyJzdWIiOiJ1c3JfMSIsInRlbmFudElkIjoidGVuXzEifQ.", 401, trade.NoCredentials, nil},
	{"A1 a cut signature", "GET /api/companies", "", "Authorization: Bearer {cut}", 401, trade.NoCredentials, nil},
	{"A1 one part more", "GET /api/companies", "", "Authorization: Bearer {master}.x", 401, trade.NoCredentials, nil},
	{"A1 two of them", "GET /api/companies", "", "Authorization: Bearer {master}\nAuthorization: Bearer {master}", 401, trade.HeaderRepeated, []string{"message has Authorization"}},
	{"A1 the token itself", "GET /api/companies", "", "Authorization: bearer {master}", 200, "", nil},
	{"D16 alive", "GET /healthz", "", "", 200, "", []string{`body = {"status":"ok"}`}},
	{"H1 alive without a body", "HEAD /healthz", "", "", 200, "", []string{"body ="}},
	{"H2 what a probe may do", "OPTIONS /readyz", "", "", 204, "", []string{"header Allow = GET, HEAD, OPTIONS"}},
	{"K2 the key itself", "GET /api/v1/companies", "", "X-Api-Key: {key}", 200, "", nil},
}

// TestRequestIDs is H14 and H15: an id is kept when it is harmless, it stands in
// the header, the body and the log, and a line of the log is one object.
func TestRequestIDs(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	if err := f.db.Close(); err != nil {
		t.Fatal(err)
	}
	log := &lines{}
	f.boot(slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	kept := map[string]bool{
		"req-1.A_b": true, strings.Repeat("a", 128): true,
		strings.Repeat("a", 129): false, "a b": false, "a\tb": false, "ş": false, `a"b`: false, "../a": false, "a;b": false,
	}
	for id, keep := range kept {
		res := f.ask("GET /api/nope", "", "X-Request-Id: "+id)
		said := res.header.Get("X-Request-Id")
		if (said == id) != keep || res.part("requestId") != said || !keep && !strings.HasPrefix(said, "req_") {
			t.Errorf("%q: %q in the header, %s in the body", id, said, res.body)
		}
		if !strings.Contains(log.String(), `"request":"`+said+`"`) {
			t.Errorf("%q is not in the log", said)
		}
	}
	hostile := url.QueryEscape("\x1b[31m\r\n{\"level\":\"ERROR\"}" + strings.Repeat("ş", 5000))
	f.ask("GET /api/companies?q="+hostile, "", "")
	f.ask("GET /api/companies/"+hostile, "", "")
	for line := range bytes.Lines([]byte(log.String())) {
		var entry map[string]any
		if err := json.Unmarshal(line, &entry); err != nil || entry["level"] == "ERROR" {
			t.Errorf("no single line of the log: %.200q: %v", line, err)
		}
	}
}

// lines is a log in memory that many write to.
type lines struct {
	mu sync.Mutex
	bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.String()
}

// TestPaths is H12: no spelling of a path leads to another resource.
func TestPaths(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	id := f.made("/api/companies", `{"name":"a"}`)
	for _, path := range []string{
		"/api/companies/../companies", "/api/%2e%2e/api/companies", "/api//companies", "//api/companies", "/api/companies/", "/api/companies/%00", "/api/companies/%ff",
		"/api/companies/a%2Fb", "/api/companies/" + strings.Repeat("a", 4096), "/api/companies/" + id + "%00", "/api/%63ompanies", "/API/companies", "/api/v1/../companies", "/api/v1/%2e%2e/companies",
	} {
		req := f.ready("GET /api/companies", "", "")
		req.URL.Opaque = "//" + req.URL.Host + path // as it is, not tidied up by the client
		res := f.sendRaw(req)
		if res.status != 404 || res.part("message") == "" {
			t.Errorf("%.80s: %d %s", path, res.status, res.body)
		}
	}
	req := f.ready("GET /api/companies", "", "")
	req.URL.Opaque = "//" + req.URL.Host + "/api/companies/%zz"
	if res := f.sendRaw(req); res.status != 400 { // net/http's own answer, in plain text
		t.Errorf("%%zz: %d %s", res.status, res.body)
	}
}

// sendRaw sends a request whose path no description can be asked about.
func (f *fixture) sendRaw(req *http.Request) response {
	f.t.Helper()
	resp, err := f.client.Do(req)
	if err != nil {
		f.t.Fatal(err)
	}
	return f.read(req, resp)
}
