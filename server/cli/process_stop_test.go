package cli_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
)

// grace is how long a server may take from SIGTERM to its end (DECISIONS 46).
const grace = 10 * time.Second

// term sends SIGTERM; the function it returns waits for the end, which must come
// in time and with exit code 0.
func (s *site) term() (ended func()) {
	s.t.Helper()
	began := time.Now()
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	return func() {
		s.t.Helper()
		<-s.rest
		if err := s.Wait(); err != nil {
			s.t.Errorf("after SIGTERM: %v: %s", err, s.errors)
		}
		if took := time.Since(began); took > grace+time.Second {
			s.t.Errorf("the end took %v, %v are allowed", took, grace)
		}
		s.sound()
	}
}

// TestStopUnderLoad ends a server politely while 50 clients read and write
// (ACCEPTANCE H22, D16).
func TestStopUnderLoad(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	for range 100 { // so that an answer is long enough to be cut
		s.must(201, "POST", "/api/companies", company(registered, "Yıldız Gıda"), "Idempotency-Key", uuid.NewString())
	}
	var asked atomic.Int64
	var signalled atomic.Bool
	var made sync.Map
	var clients sync.WaitGroup
	for i := range 50 {
		clients.Go(func() {
			for {
				method, path, body := "GET", "/api/companies?limit=100", ""
				if i%2 == 0 {
					method, path, body = "POST", "/api/companies", company(registered, "Yıldız Gıda")
				}
				a, err := s.call(context.Background(), s.url, method, path, body, "Idempotency-Key", uuid.NewString())
				switch {
				case err != nil && a.status != 0:
					t.Errorf("an answer of status %d was cut after %d bytes: %v", a.status, len(a.body), err)
					return
				case err != nil && signalled.Load():
					return // nothing was begun: the connection is gone
				case err != nil:
					t.Errorf("before SIGTERM: %v", err)
					return
				case a.status/100 != 2:
					t.Errorf("%s %s: %d %s", method, path, a.status, a.body)
					return
				case method == "POST":
					made.Store(a.text("id"), true)
				}
				asked.Add(1)
			}
		})
	}
	for asked.Load() < 300 && !t.Failed() {
		s.must(200, "GET", "/readyz", "")
	}
	signalled.Store(true)
	ended := s.term()
	clients.Wait()
	ended()
	stored := s.openLedger(nil, nil).texts("SELECT id FROM companies")
	made.Range(func(id, _ any) bool {
		if !slices.Contains(stored, id.(string)) {
			t.Errorf("%s was answered and is not there", id)
		}
		return true
	})
	t.Logf("%d requests were answered", asked.Load())
}

// TestStopFinishesRequests has one request half sent when SIGTERM comes: readiness
// goes off at once, the request is taken to its end.
func TestStopFinishesRequests(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	body := company(registered, "Yıldız Gıda")
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprintf(conn, "POST /api/companies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nIdempotency-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		s.token, uuid.NewString(), len(body))
	r := bufio.NewReader(conn)
	if line, err := r.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") { // it is being served
		t.Fatalf("%q %v", line, err)
	}
	if _, err := r.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	ready := func() bool {
		a, err := s.call(context.Background(), s.url, "GET", "/readyz", "", "Connection", "close")
		return err == nil && a.status == 200
	}
	if !ready() {
		t.Error("not ready before SIGTERM")
	}
	ended := s.term()
	for until := time.Now().Add(grace); ready(); {
		if time.Now().After(until) {
			t.Fatal("still ready after SIGTERM")
		}
	}
	if _, err := io.WriteString(conn, body); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); err != nil || res.StatusCode != 201 || !res.Close {
		t.Errorf("the request begun before SIGTERM: %d, close %v, %v: %s", res.StatusCode, res.Close, err, text)
	}
	if ready() {
		t.Error("ready again")
	}
	ended()
}

// TestStopWithAttempt ends the server while a receiver of webhooks has not
// answered: an answer in time is recorded, otherwise the delivery is made again
// after the next start (ACCEPTANCE W22).
func TestStopWithAttempt(t *testing.T) {
	for name, answers := range map[string]bool{"answered in time": true, "never answered": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !answers && testing.Short() {
				t.Skip("takes the whole time that attempts are waited for, about 8 s")
			}
			s := newSite(t)
			reached, release := make(chan struct{}, 10), make(chan struct{})
			bird := newCuckoo(t, func(_ string, before int) int {
				if reached <- struct{}{}; before == 0 {
					<-release
				}
				return 204
			})
			receiver := httptest.NewServer(bird)
			open := sync.OnceFunc(func() { close(release) })
			t.Cleanup(func() { open(); receiver.Close() })
			s.begin()
			s.must(201, "POST", "/api/webhooks", `{"event":"*","url":"`+receiver.URL+`"}`)
			s.must(201, "POST", "/api/companies", `{"name":"Ada"}`, "Idempotency-Key", uuid.NewString())
			<-reached
			ended := s.term()
			calls := 2
			if answers {
				calls = 1
				open()
			}
			ended()
			s.begin()
			s.settle(bird)
			s.kill()
			s.openLedger(nil, bird).eventsArrived()
			if got := len(s.openLedger(nil, nil).texts("SELECT number FROM attempts")); got != 1 || bird.calls != calls {
				t.Errorf("the receiver was called %d times, want %d; %d attempts are on record, want 1", bird.calls, calls, got)
			}
		})
	}
}
