package server_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"esnaf/auth"
	"esnaf/server"
	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
	"esnaf/ubl/gib"
	"esnaf/webhook"
	"esnaf/webhook/sign"
)

// The kit's rules refuse documents of a day after its own today.
var firstDay = time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)

const (
	masterPassword = "correct horse battery"
	hookSecret     = "a secret of the receiver"
)

// account is one tenant and the ways into it.
type account struct {
	tenant, user, key, reader string
	master                    string // access token
}

// fixture is a whole server on a real file, driven by a clock that stands still,
// with two accounts and a receiver of webhooks.
type fixture struct {
	t        *testing.T // the test at work
	whole    *testing.T // the one that the fixture was made for
	db       *store.DB
	dir      string
	clock    *clock.Manual
	gib      *gib.Simulator
	srv      *server.Server
	url      string
	client   *http.Client
	receiver *httptest.Server
	one, two account
	vars     map[string]string // what {names} stand for
	fresh    atomic.Int64      // Idempotency-Keys given out
	as       string            // whose credentials ask sends: one, two, or nobody's

	mu     sync.Mutex
	events []received
}

// received is one delivery that reached the receiver.
type received struct {
	path   string
	header http.Header
	body   []byte
}

func start(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t, whole: t, clock: clock.NewManual(firstDay), client: &http.Client{}, dir: t.TempDir(), vars: map[string]string{}}
	f.gib = gib.NewSimulator(f.clock)
	f.receiver = httptest.NewServer(http.HandlerFunc(f.receive))
	t.Cleanup(func() { f.receiver.Close(); f.client.CloseIdleConnections(); f.db.Close() })
	f.boot(nil)
	f.one = f.account("one", "Örnek Ticaret A.Ş.", "1234567890")
	f.two = f.account("two", "Diğer Ticaret Ltd. Şti.", "9876543217")
	f.knows()
	return f
}

// boot opens the store and puts a server before it: the first one, or after a
// stop the next. log may be nil.
func (f *fixture) boot(log *slog.Logger) {
	f.t.Helper()
	allow, err := webhook.ParseAllow([]string{"127.0.0.0/8"})
	if err == nil {
		f.db, err = store.Open(store.Options{Dir: f.dir, Clock: f.clock, IDs: clock.RandomIDs(), NoSync: true})
	}
	if err == nil {
		f.srv, err = server.New(server.Config{DB: f.db, Log: log, Version: "test", Authority: f.gib, Policy: webhook.Policy{Allow: allow}})
	}
	if err != nil {
		f.t.Fatal(err)
	}
	f.srv.SetReady(true)
	hs := httptest.NewServer(f.srv.Handler())
	f.whole.Cleanup(hs.Close)
	f.url = hs.URL
}

func (f *fixture) write(who store.Who, fn func(*store.Tx) error) {
	f.t.Helper()
	if err := f.db.Write(context.Background(), who, fn); err != nil {
		f.t.Fatal(err)
	}
}

// unwritten runs fn while the writer is held, for which fn must not wait.
func (f *fixture) unwritten(fn func()) {
	f.t.Helper()
	began, end, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- f.db.Write(context.Background(), store.Who{}, func(*store.Tx) error {
			close(began)
			select {
			case <-end:
				return nil
			case <-time.After(time.Minute):
				return errors.New("it waits for the writer")
			}
		})
	}()
	<-began
	fn()
	close(end)
	if err := <-ended; err != nil {
		f.t.Fatal(err)
	}
}

// account makes a tenant with a MASTER, a key of every scope, a key that only
// reads companies, and one registered buyer in the tax office's list.
func (f *fixture) account(name, title, taxNumber string) (a account) {
	f.t.Helper()
	hash, err := masterHash()
	if err != nil {
		f.t.Fatal(err)
	}
	f.write(store.Who{Actor: "operator"}, func(tx *store.Tx) error {
		t, err := tx.CreateTenant(trade.Tenant{
			Name: title, TaxNumber: taxNumber, TaxOffice: "Kadıköy", District: "Kadıköy", City: "İstanbul", PostalCode: "34710",
			Address: "Deneme Caddesi 5", SenderAlias: "urn:mail:defaultgb@" + name + ".example",
		})
		a.tenant = t.ID
		return err
	})
	reads, err := auth.ParseScopes([]string{"companies:read"})
	if err != nil {
		f.t.Fatal(err)
	}
	f.write(store.Who{Tenant: a.tenant, Actor: "operator"}, func(tx *store.Tx) error {
		u, err := tx.CreateUser("master@"+name+".example", "Deniz Usta", hash, auth.Master)
		if err != nil {
			return err
		}
		a.user = u.ID
		if _, a.key, err = tx.CreateKey(store.LiveKey, "all", auth.KeyScopes(), 0, 0); err != nil {
			return err
		}
		if _, a.reader, err = tx.CreateKey(store.LiveKey, "reads", reads, 0, 0); err != nil {
			return err
		}
		return tx.PutTaxpayers([]store.Taxpayer{{TaxNumber: "9205121120", Document: "Invoice", Alias: "urn:mail:defaultpk@yildiz.example", Title: "Yıldız Gıda", Type: "Ozel", Since: firstDay.AddDate(-2, 0, 0)}})
	})
	a.master = f.session(a.tenant, a.user)
	return a
}

// masterHash is the stored form of the password that both masters have: hashing
// is slow on purpose, so it is done once.
var masterHash = sync.OnceValues(func() (string, error) {
	passwords, err := auth.NewPasswords(clock.RandomIDs())
	if err != nil {
		return "", err
	}
	return passwords.Hash(context.Background(), masterPassword)
})

// session signs a master in without hashing the password and returns the access token.
func (f *fixture) session(tenant, user string) string {
	f.t.Helper()
	refresh, err := auth.NewRefreshToken(f.db.IDs())
	if err != nil {
		f.t.Fatal(err)
	}
	hash, err := masterHash()
	if err != nil {
		f.t.Fatal(err)
	}
	f.write(store.Who{Tenant: tenant, Actor: user}, func(tx *store.Tx) error {
		_, err := tx.OpenSession(user, hash, auth.HashToken(refresh))
		return err
	})
	res := f.do("POST", "/api/auth/refresh", `{"refreshToken":"`+refresh+`"}`)
	token, _ := member(res.body, "accessToken").(string)
	if token == "" {
		f.t.Fatalf("session of %s: %d %s", user, res.status, res.body)
	}
	return token
}

func (f *fixture) login(email string) string {
	f.t.Helper()
	res := f.do("POST", "/api/auth/login", `{"email":"`+email+`","password":"`+masterPassword+`"}`)
	token, _ := member(res.body, "accessToken").(string)
	if token == "" {
		f.t.Fatalf("login of %s: %d %s", email, res.status, res.body)
	}
	return token
}

// response is an answer read whole.
type response struct {
	status int
	header http.Header
	body   []byte
}

// do sends one request; headers are name, value, name, value.
func (f *fixture) do(method, path, body string, headers ...string) response {
	f.t.Helper()
	req, err := http.NewRequest(method, f.url+path, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return f.send(req)
}

// send sends a request, reads the answer whole, and holds both against the
// interface's description.
func (f *fixture) send(req *http.Request) response {
	f.t.Helper()
	resp, err := f.client.Do(req)
	if err != nil {
		f.t.Errorf("%s %s: %v", req.Method, req.URL, err)
		return response{}
	}
	res := f.read(req, resp)
	for _, c := range complaints(req, res) {
		f.t.Errorf("%s %s: %d: %s", req.Method, req.URL.RequestURI(), res.status, c)
	}
	return res
}

func (f *fixture) read(req *http.Request, resp *http.Response) response {
	f.t.Helper()
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		f.t.Errorf("%s %s: %v", req.Method, req.URL, err)
	}
	return response{resp.StatusCode, resp.Header, b}
}

// drain lets the workers do what is due.
func (f *fixture) drain() {
	f.t.Helper()
	if err := errors.Join(f.srv.Drain(context.Background()), f.db.SaveKeyUses(context.Background())); err != nil {
		f.t.Fatal(err)
	}
}

// advance moves the clock, as in +1h.
func (f *fixture) advance(by string) {
	f.t.Helper()
	d, err := time.ParseDuration(strings.TrimPrefix(by, "+"))
	if err != nil {
		f.t.Fatal(err)
	}
	f.clock.Advance(d)
}

func (f *fixture) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "unreadable", http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, received{r.URL.Path, r.Header, body})
	if r.URL.Path == "/gone" {
		w.WriteHeader(http.StatusGone)
	}
}

// hears demands that event arrived exactly once, signed so that a receiver with
// the secret accepts it.
func (f *fixture) hears(event string) {
	f.t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, e := range f.events {
		var p struct {
			Event string `json:"event"`
		}
		if err := json.Unmarshal(e.body, &p); err != nil {
			f.t.Errorf("delivery is no JSON: %v in %s", err, e.body)
		}
		if p.Event != event {
			continue
		}
		n++
		err := sign.Check(hookSecret, e.header.Get("X-Svc-Signature"), e.header.Get("X-Svc-Timestamp"), e.body, f.clock.Now())
		if err != nil && n == 1 && !strings.Contains(err.Error(), "window") {
			f.t.Errorf("%s: %v", event, err)
		}
	}
	if n != 1 {
		f.t.Errorf("heard %s %d times, want once", event, n)
	}
}
