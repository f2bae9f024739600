package webhook_test

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
	"esnaf/webhook"
)

var start = time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)

// loopback opens this machine to deliveries, as the stand-in does.
func loopback(t testing.TB) webhook.Policy {
	t.Helper()
	allow, err := webhook.ParseAllow([]string{"127.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	return webhook.Policy{Allow: allow}
}

// shop is a store with one tenant, on a clock that the test moves.
type shop struct {
	t      testing.TB
	db     *store.DB
	clock  *clock.Manual
	dir    string
	tenant string
}

func newShop(t testing.TB) *shop {
	s := &shop{t: t, clock: clock.NewManual(start), dir: t.TempDir()}
	s.open()
	t.Cleanup(func() { s.close() })
	s.tenant = s.newTenant()
	return s
}

func (s *shop) open() {
	s.t.Helper()
	db, err := store.Open(store.Options{Dir: s.dir, Clock: s.clock, IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		s.t.Fatal(err)
	}
	s.db = db
}

func (s *shop) close() {
	s.t.Helper()
	if err := s.db.Close(); err != nil {
		s.t.Error(err)
	}
}

// write makes a change of a tenant and fails the test when it cannot be made.
func (s *shop) write(tenant string, fn func(*store.Tx) error) {
	s.t.Helper()
	if err := s.db.Write(s.t.Context(), store.Who{Tenant: tenant, Actor: "test"}, fn); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) newTenant() (id string) {
	s.t.Helper()
	s.write("", func(tx *store.Tx) error {
		t, err := tx.CreateTenant(trade.Tenant{Name: "Deneme Ticaret", TaxNumber: "1234567890", TaxNumberCheck: trade.CheckWarn})
		id = t.ID
		return err
	})
	return id
}

const secret = "0123456789abcdef, gizli"

// hook registers a webhook of the shop's tenant and returns its id.
func (s *shop) hook(event, url string) string {
	s.t.Helper()
	return s.register(s.tenant, trade.Webhook{Event: event, URL: url, Secret: secret})
}

func (s *shop) register(tenant string, w trade.Webhook) (id string) {
	s.t.Helper()
	s.write(tenant, func(tx *store.Tx) error {
		doc, err := tx.CreateWebhook(w, func(string) trade.Code { return "" })
		if err != nil {
			return err
		}
		id, err = idOf(doc.JSON)
		return err
	})
	return id
}

// hooks registers n webhooks of a tenant at once.
func (s *shop) hooks(tenant string, n int, url string) {
	s.t.Helper()
	s.write(tenant, func(tx *store.Tx) error {
		for range n {
			w := trade.Webhook{Event: "company.created", URL: url, Secret: secret}
			if _, err := tx.CreateWebhook(w, func(string) trade.Code { return "" }); err != nil {
				return err
			}
		}
		return nil
	})
}

// company makes one company.created event of a tenant.
func (s *shop) company(tenant, name string) {
	s.t.Helper()
	s.write(tenant, func(tx *store.Tx) error {
		_, err := tx.CreateCompany(trade.Company{Name: name})
		return err
	})
}

// companies makes n events in few commits.
func (s *shop) companies(tenant string, n int) {
	s.t.Helper()
	for part := range slices.Chunk(make([]struct{}, n), 100) {
		s.write(tenant, func(tx *store.Tx) error {
			for range part {
				if _, err := tx.CreateCompany(trade.Company{Name: "Bakkal"}); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// log reads the deliveries of a webhook of the shop's tenant, oldest first.
func (s *shop) log(webhookID string) (out []trade.Delivery) {
	s.t.Helper()
	err := s.db.Read(s.t.Context(), store.Who{Tenant: s.tenant}, func(v *store.View) (err error) {
		out, _, err = v.Deliveries(webhookID, trade.Query{Limit: 10_000})
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	slices.Reverse(out)
	return out
}

// sender makes a Sender that may call loopback and gives up after 300 ms.
func (s *shop) sender(schedule string) *webhook.Sender {
	s.t.Helper()
	plan, err := webhook.ParseSchedule(schedule)
	if err != nil {
		s.t.Fatal(err)
	}
	return webhook.New(webhook.Config{DB: s.db, Schedule: plan, Policy: loopback(s.t), Version: "1.2.3", Limit: 300 * time.Millisecond, Grace: 200 * time.Millisecond})
}

// drain makes what is due and checks how many attempts that took.
func (s *shop) drain(sender *webhook.Sender, want int) {
	s.t.Helper()
	n, err := sender.Drain(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	if n != want {
		s.t.Fatalf("%d attempts were made, want %d", n, want)
	}
}

// call is one request as a receiver saw it.
type call struct {
	path    string
	header  http.Header
	body    []byte
	attempt int
	at      time.Time // by the shop's clock
}

// receiver is a receiver of the field: it remembers its calls and answers as
// reply says (nil: 204).
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	calls []call
	news  chan struct{} // filled when a call has come since it was emptied
}

func (s *shop) receiver(reply http.HandlerFunc) *receiver {
	r := &receiver{news: make(chan struct{}, 1)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		n, _ := strconv.Atoi(q.Header.Get("X-Svc-Attempt"))
		r.mu.Lock()
		r.calls = append(r.calls, call{q.URL.Path, q.Header, body, n, s.clock.Now()})
		r.mu.Unlock()
		select {
		case r.news <- struct{}{}:
		default:
		}
		if reply == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		reply(w, q)
	}))
	s.t.Cleanup(r.Close)
	return r
}

// got returns what has arrived so far.
func (r *receiver) got() []call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.calls)
}

// wait returns once n calls have arrived.
func (r *receiver) wait(t *testing.T, n int) []call {
	t.Helper()
	tooLong := time.After(30 * time.Second)
	for {
		if got := r.got(); len(got) >= n {
			return got
		}
		select {
		case <-r.news:
		case <-tooLong:
			t.Fatalf("%d calls have arrived, want %d", len(r.got()), n)
		}
	}
}

// hang holds a call until the other side gives up.
func hang(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() }

// answer answers every call with one status.
func answer(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

// quiet is for servers that would log what the test provokes.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// idOf reads the id of a stored record.
func idOf(doc []byte) (string, error) {
	var head struct {
		ID string `json:"id"`
	}
	return head.ID, json.Unmarshal(doc, &head)
}
