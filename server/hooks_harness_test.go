package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"esnaf/server"
	"esnaf/store/trade"
	"esnaf/webhook"
)

// hooked is a server as the owner of webhooks uses it: everything goes over HTTP
// as the MASTER of account one, and time passes only when the test says so.
type hooked struct {
	*fixture
	log logbook // all that the server says, down to debug
}

func startHooked(t *testing.T) *hooked {
	h := &hooked{fixture: start(t)}
	h.serve("", "127.0.0.0/8")
	return h
}

// serve puts another server before the same store: one that tries again by
// schedule ("" is the default plan) and may call what allow names.
func (h *hooked) serve(schedule string, allow ...string) {
	h.t.Helper()
	c := server.Config{
		DB: h.db, Version: "test", Authority: h.gib, AccessTTL: 30 * 24 * time.Hour, // retries take days
		Log: slog.New(slog.NewTextHandler(&h.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	var err error
	if c.Policy.Allow, err = webhook.ParseAllow(allow); err != nil {
		h.t.Fatal(err)
	}
	if schedule != "" {
		if c.Schedule, err = webhook.ParseSchedule(schedule); err != nil {
			h.t.Fatal(err)
		}
	}
	if h.srv, err = server.New(c); err != nil {
		h.t.Fatal(err)
	}
	h.srv.SetReady(true)
	front := httptest.NewServer(h.srv.Handler())
	h.t.Cleanup(front.Close)
	h.url = front.URL
	h.one.master = h.login("master@one.example")
}

// logbook is a log that the goroutines of a server share.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// call is a request of the owner, with a key of its own where that is needed.
func (h *hooked) call(method, path, body string, headers ...string) response {
	h.t.Helper()
	if method == http.MethodPost && !slices.Contains(headers, "Idempotency-Key") {
		headers = append(headers, "Idempotency-Key", uuid.NewString())
	}
	return h.do(method, path, body, append(headers, "Authorization", "Bearer "+h.one.master)...)
}

// want is call with the status that it must have; it returns the answer's id.
func (h *hooked) want(status int, method, path, body string, headers ...string) string {
	h.t.Helper()
	res := h.call(method, path, body, headers...)
	if res.status != status {
		h.t.Fatalf("%s %s: %d, want %d: %s", method, path, res.status, status, res.body)
	}
	id, _ := member(res.body, "id").(string)
	return id
}

// register adds a webhook with the secret of the harness.
func (h *hooked) register(event, url string) string {
	h.t.Helper()
	return h.want(201, "POST", "/api/webhooks", fmt.Sprintf(`{"event":%q,"url":%q,"secret":%q}`, event, url, hookSecret))
}

// company makes a customer of that name (a JSON text) and thereby an event.
func (h *hooked) company(name string) string {
	h.t.Helper()
	text, err := json.Marshal(name)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.want(201, "POST", "/api/companies", `{"name":`+string(text)+`}`)
}

// deliveries reads the log of a webhook; filter is as ?status=failed&limit=2.
func (h *hooked) deliveries(id, filter string) []trade.Delivery {
	h.t.Helper()
	res := h.call("GET", "/api/webhooks/"+id+"/deliveries"+filter, "")
	var list struct {
		Data []trade.Delivery `json:"data"`
	}
	if err := json.Unmarshal(res.body, &list); err != nil || res.status != 200 {
		h.t.Fatalf("deliveries of %s: %d %v %s", id, res.status, err, res.body)
	}
	return list.Data
}

// delivery is the only delivery of a webhook.
func (h *hooked) delivery(id string) trade.Delivery {
	h.t.Helper()
	all := h.deliveries(id, "")
	if len(all) != 1 {
		h.t.Fatalf("%d deliveries, want one: %v", len(all), all)
	}
	return all[0]
}

// comesDue moves the clock to the next attempt of the only delivery, not a
// millisecond further, and makes what is due then. It returns how long that was.
func (h *hooked) comesDue(id string) time.Duration {
	h.t.Helper()
	next := h.delivery(id).NextAttempt
	if next == 0 {
		h.t.Fatalf("no attempt of %s is to come", id)
	}
	gap := next.Time().Sub(h.clock.Now())
	h.clock.Set(next.Time())
	h.drain()
	return gap
}

// knock is one call as a receiver of webhooks saw it.
type knock struct {
	header http.Header
	body   []byte
	at     time.Time // by the server's clock
}

// ear is a receiver that keeps what it hears and answers as it is told.
type ear struct {
	*httptest.Server
	mu     sync.Mutex
	knocks []knock
}

// listen starts an ear. reply answers the n-th call, from 1; nil is 204 always.
func (h *hooked) listen(reply func(n int, w http.ResponseWriter)) *ear {
	e := &ear{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost {
			h.t.Errorf("%s that cannot be read: %v", r.Method, err)
		}
		e.mu.Lock()
		e.knocks = append(e.knocks, knock{r.Header, body, h.clock.Now()})
		n := len(e.knocks)
		e.mu.Unlock()
		if reply == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		reply(n, w)
	}))
	h.t.Cleanup(e.Close)
	return e
}

// heard returns the calls so far, which must be n.
func (h *hooked) heard(e *ear, n int) []knock {
	h.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.knocks) != n {
		h.t.Fatalf("the receiver was called %d times, want %d", len(e.knocks), n)
	}
	return slices.Clone(e.knocks)
}

// always answers every call with one status.
func always(code int) func(int, http.ResponseWriter) {
	return func(_ int, w http.ResponseWriter) { w.WriteHeader(code) }
}
