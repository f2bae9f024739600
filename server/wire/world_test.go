package wire_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"esnaf/auth"
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// world is a server with both interfaces of two resources and two tenants.
type world struct {
	t       testing.TB
	db      *store.DB
	clock   *clock.Manual
	url     string
	handler http.Handler
	t1, t2  string // the tenants
	log     *strings.Builder
}

// routes are the table of contents of the test server; B is A without the key
// that creation asks for.
func routes(a bool) []wire.Route {
	create := wire.Create("/companies", "companies:create", (*store.Tx).CreateCompany)
	if a {
		create = wire.KeyRequired([]wire.Route{create})[0]
	}
	return []wire.Route{
		wire.List("/companies", "companies:read", store.Companies),
		create,
		wire.Read("/companies/{id}", "companies:read", store.Companies),
		wire.Update("/companies/{id}", "companies:update", (*store.Tx).UpdateCompany),
		wire.Delete("/companies/{id}", "companies:delete", (*store.Tx).DeleteCompany),
		wire.Action[trade.Company]("/companies/{id}/touch", "companies:update", 200, touch).Deprecated(time.Date(2026, 9, 15, 0, 0, 0, 0, time.UTC)),
		wire.List("/products", "products:read", store.Products),
		wire.Create("/products", "products:create", (*store.Tx).CreateProduct),
		wire.List("/invoices", "invoices:read", store.Invoices),
		wire.Create("/webhooks", "webhooks:create", func(tx *store.Tx, h trade.Webhook) (store.Doc, error) {
			return tx.CreateWebhook(h, func(string) trade.Code { return "" })
		}).ShowsSecret(),
		wire.ListOf("/webhooks/{id}/deliveries", "webhooks:read", "deliveries", trade.DeliveryState("").Values(),
			(*store.View).Deliveries, func(d trade.Delivery) string { return d.ID }),
		wire.Plain("POST", "/auth/login", "", wire.Info{In: wire.Of[credentials](), Out: wire.Of[credentials]()}, login).Public(),
		wire.Plain("GET", "/broken", "", wire.Info{}, func(*wire.Call, http.ResponseWriter, *http.Request) error {
			return io.ErrClosedPipe
		}),
		wire.Plain("GET", "/export", "companies:export", wire.Info{Media: "text/csv", Params: []wire.Param{{Name: "format"}}}, export),
	}
}

// touch raises the version of a company once; a second time it is in the wrong
// state for it.
func touch(tx *store.Tx, id string) (store.Doc, error) {
	c, err := store.Companies.Get(&tx.View, id)
	if err != nil {
		return store.Doc{}, err
	}
	if c.Version > 1 {
		return store.Doc{}, trade.NotPossible("touch", "TOUCHED")
	}
	return tx.UpdateCompany(id, store.Any, c)
}

type credentials struct {
	Email    string `json:"email" api:"required"`
	TenantID string `json:"tenantId,omitempty"`
}

// login knows one address alone.
func login(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
	in, sent, err := wire.Body[credentials](c, w, r)
	if err != nil {
		return err
	}
	f := sent.Check()
	f.Required("email", in.Email)
	if err := f.Err(); err != nil {
		return err
	}
	if in.Email != "a@example.com" {
		return trade.Fail(trade.Unknown, trade.BadLogin)
	}
	return c.JSON(w, r, http.StatusOK, in)
}

func export(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
	q, err := c.Query()
	if err != nil {
		return err
	}
	return c.Send(w, r, store.Reply{Status: 200, ContentType: "text/csv; charset=utf-8", Body: []byte("format," + q["format"] + "\n")})
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, clock: clock.NewManual(time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)), log: &strings.Builder{}}
	var err error
	w.db, err = store.Open(store.Options{Dir: t.TempDir(), Clock: w.clock, IDs: clock.SeededIDs([32]byte{7}), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.db.Close() })
	w.t1, w.t2 = w.tenant("Birinci Ltd. Şti."), w.tenant("İkinci A.Ş.")
	log := slog.New(slog.NewJSONHandler(w.log, nil))
	r := chi.NewRouter()
	r.NotFound(wire.NotFound(log))
	r.MethodNotAllowed(wire.MethodNotAllowed(log))
	for _, cfg := range []wire.Config{
		{Interface: auth.InterfaceA, Base: "/api", Identify: identify("Authorization", auth.InterfaceA)},
		{Interface: auth.InterfaceB, Base: "/api/v1", Identify: identify("X-Api-Key", auth.InterfaceB)},
	} {
		cfg.DB, cfg.Log = w.db, log
		cfg.Limit = func(w http.ResponseWriter, _ *http.Request, p auth.Principal) error {
			w.Header().Set("X-RateLimit-Remaining", "41")
			if p.Actor() == "usr_busy" {
				e := trade.Fail(trade.Throttled, trade.RateLimited, 3)
				e.Wait = 3
				return e
			}
			return nil
		}
		wire.Mount(r, cfg, routes(cfg.Interface == auth.InterfaceA))
	}
	w.handler = http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		rw.Header().Set("X-Request-Id", "req-1")
		r.ServeHTTP(rw, req.WithContext(wire.WithRequestID(req.Context(), "req-1")))
	})
	srv := httptest.NewServer(w.handler)
	t.Cleanup(srv.Close)
	w.url = srv.URL
	return w
}

func (w *world) tenant(name string) (id string) {
	w.t.Helper()
	err := w.db.Write(context.Background(), store.Who{Actor: "test"}, func(tx *store.Tx) error {
		made, err := tx.CreateTenant(trade.Tenant{Name: name, TaxNumber: "1234567801", TaxNumberCheck: trade.CheckWarn})
		id = made.ID
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// identify believes a credential of the form "tenant actor scope,scope".
func identify(header string, iface byte) func(*http.Request) (auth.Principal, error) {
	return func(r *http.Request) (auth.Principal, error) {
		words := strings.Fields(strings.TrimPrefix(r.Header.Get(header), "Bearer "))
		if len(words) != 3 {
			return auth.Principal{}, trade.Fail(trade.Unknown, trade.NoCredentials)
		}
		scopes, err := auth.ParseScopes(strings.Split(words[2], ","))
		p := auth.Principal{Tenant: words[0], Scopes: scopes, Interface: iface}
		if iface == auth.InterfaceA {
			p.User = words[1]
		} else {
			p.Key = words[1]
		}
		return p, err
	}
}

// answer is a response, read whole.
type answer struct {
	*http.Response
	body []byte
	json map[string]any
}

// text is a member of the answer's JSON object, "" when it is no text.
func (a *answer) text(name string) string { s, _ := a.json[name].(string); return s }

// code is that of a problem, "" for anything else.
func (a *answer) code() trade.Code {
	if a.StatusCode < 400 {
		return ""
	}
	return trade.Code(a.text("code"))
}

func (a *answer) num(name string) int { n, _ := a.json[name].(float64); return int(n) }

// do sends a request as tenant 1, on the interface that path says. headers are
// "Name: value"; one without a value takes a default away.
func (w *world) do(method, path, body string, headers ...string) *answer {
	w.t.Helper()
	req := w.request(method, path, body, headers...)
	res, err := (&http.Transport{DisableCompression: true}).RoundTrip(req)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	return w.read(res)
}

func (w *world) read(res *http.Response) *answer {
	w.t.Helper()
	defer res.Body.Close()
	a := &answer{Response: res}
	var err error
	if a.body, err = io.ReadAll(res.Body); err != nil {
		w.t.Fatal(err)
	}
	_ = json.Unmarshal(a.body, &a.json) // what must be JSON is asked for by its members
	return a
}

func (w *world) request(method, path, body string, headers ...string) *http.Request {
	w.t.Helper()
	req, err := http.NewRequest(method, w.url+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	if body != "" {
		req.Body, req.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Authorization", "Bearer "+w.t1+" usr_one all")
	req.Header.Set("X-Api-Key", w.t1+" key_one all")
	if method == "POST" {
		req.Header.Set("Idempotency-Key", uuid.NewString())
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ":")
		switch value = strings.TrimSpace(value); {
		case value == "":
			req.Header.Del(name)
		case value == "<empty>":
			req.Header[http.CanonicalHeaderKey(name)] = []string{""}
		default:
			req.Header.Set(name, value)
		}
	}
	return req
}

// company makes a company and returns its id.
func (w *world) company(body string) string {
	w.t.Helper()
	a := w.do("POST", "/api/companies", body)
	if a.StatusCode != 201 {
		w.t.Fatalf("company %s: %d %s", body, a.StatusCode, a.body)
	}
	return a.text("id")
}

// count is how many companies tenant 1 has.
func (w *world) count() int {
	w.t.Helper()
	a := w.do("GET", "/api/companies?limit=200&page=1", "")
	meta, _ := a.json["meta"].(map[string]any)
	total, ok := meta["total"].(float64)
	if !ok {
		w.t.Fatalf("no total: %s", a.body)
	}
	return int(total)
}

// want checks status and code of an answer, and that an error is a whole
// problem.
func (w *world) want(a *answer, status int, code trade.Code) {
	w.t.Helper()
	if a.StatusCode != status || a.code() != code {
		w.t.Fatalf("got %d %s, want %d %s: %s", a.StatusCode, a.code(), status, code, a.body)
	}
	if status < 400 {
		return
	}
	if ct := a.Header.Get("Content-Type"); ct != "application/problem+json" {
		w.t.Errorf("%d: Content-Type %q", status, ct)
	}
	if a.text("message") == "" || a.text("message") != a.text("detail") || a.num("status") != status ||
		a.text("requestId") != "req-1" || a.text("type") != "urn:esnaf:problem:"+string(code) || a.json["errors"] == nil {
		w.t.Errorf("not a whole problem: %s", a.body)
	}
	for _, leak := range []string{"goroutine", ".go:", "SQL", "sqlite", "json:", "trade.", "/work/", "%!"} {
		if strings.Contains(string(a.body), leak) {
			w.t.Errorf("the answer lets out %q: %s", leak, a.body)
		}
	}
}
