package cli_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
)

// command runs a command on the folder of the site, whose server may be running.
func (s *site) command(args ...string) {
	s.t.Helper()
	esnaf(s.t, append(args, "--data", s.dir)...)
}

// TestKeysAtOnce changes a key by commands while 20 clients use it: whatever
// begins after the command has returned finds the key changed (ACCEPTANCE K4, K5).
func TestKeysAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	for _, step := range []struct {
		command       []string
		before, after int
	}{
		{[]string{"key", "rescope", s.keyID, "--scopes", "invoices:read"}, 200, 403},
		{[]string{"key", "rescope", s.keyID, "--scopes", "companies:read"}, 403, 200},
		{[]string{"key", "revoke", s.keyID}, 200, 401},
	} {
		var changed atomic.Bool
		var used, later atomic.Int64
		var clients sync.WaitGroup
		for range 20 {
			clients.Go(func() {
				for later.Load() < 100 && !t.Failed() {
					late := changed.Load() // before the request begins
					a, err := s.call(context.Background(), s.url, "GET", "/api/v1/companies?limit=1", "")
					switch {
					case err != nil:
						t.Error(err)
					case late && a.status != step.after:
						t.Errorf("after %v: %d, want %d", step.command, a.status, step.after)
					case !late && a.status != step.before && a.status != step.after:
						t.Errorf("around %v: %d", step.command, a.status)
					case late:
						later.Add(1)
					}
					used.Add(1)
				}
			})
		}
		for used.Load() < 100 && !t.Failed() { // all are at work
			s.do("GET", "/healthz", "")
		}
		s.command(step.command...)
		changed.Store(true)
		clients.Wait()
	}
}

// TestPlanAtOnce books a smaller plan: the next request is told of it, and the
// one beyond it refused.
func TestPlanAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	limit := func() string { return s.do("GET", "/api/companies", "").header.Get("X-RateLimit-Limit") }
	if got := limit(); got != "1000000" {
		t.Errorf("unlimited is shown as %s", got)
	}
	s.command("tenant", "plan", "--tenant", s.tenant, "--plan", "standard")
	if got := limit(); got != "60" {
		t.Errorf("the standard plan has a limit of %s", got)
	}
	a := s.do("GET", "/api/companies", "")
	for range 60 { // within the minute that this takes at most, one or none is added
		if a.status == 429 {
			break
		}
		a = s.do("GET", "/api/companies", "")
	}
	if a.status != 429 || a.header.Get("Retry-After") == "" || a.header.Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("after 62 requests: %d %v", a.status, a.header)
	}
	s.command("tenant", "plan", "--tenant", s.tenant, "--plan", "unlimited")
	s.must(200, "GET", "/api/companies", "")
}

// TestUsersAtOnce gives a user another password and then disables the user: every
// session ends with the command, access token and refresh token alike (A10).
func TestUsersAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	const mail = "satis@ornek.example"
	s.command("user", "create", "--tenant", s.tenant, "--email", mail, "--role", "SALES", "--password", "first password")
	signIn := func(status int, password string) answer {
		t.Helper()
		return s.must(status, "POST", "/api/auth/login", fmt.Sprintf(`{"email":%q,"password":%q}`, mail, password))
	}
	me := func(status int, a answer) {
		t.Helper()
		s.must(status, "GET", "/api/me", "", "Authorization", "Bearer "+a.text("accessToken"))
	}
	dead := func(a answer) {
		t.Helper()
		me(401, a)
		s.must(401, "POST", "/api/auth/refresh", fmt.Sprintf(`{"refreshToken":%q}`, a.text("refreshToken")))
	}
	first, beside := signIn(200, "first password"), signIn(200, "first password")
	me(200, first)
	s.command("user", "password", "--email", mail, "--password", "second password")
	dead(first)
	dead(beside)
	signIn(401, "first password")
	second := signIn(200, "second password")
	me(200, second)
	s.command("user", "disable", "--email", mail)
	dead(second)
	signIn(401, "second password")
	s.must(200, "GET", "/api/me", "") // nobody else is concerned
}

// TestWebhooksOfADisabledUser: they are the tenant's and go on, so whoever disables the
// user is told which they are and how they end; those of others are not among them.
func TestWebhooksOfADisabledUser(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	const mail, hook = "yonetici@ornek.example", `{"event":"company.*","url":"http://127.0.0.1:9/"}`
	s.command("user", "create", "--tenant", s.tenant, "--email", mail, "--role", "ADMIN", "--password", "first password")
	token := s.must(200, "POST", "/api/auth/login", fmt.Sprintf(`{"email":%q,"password":"first password"}`, mail)).text("accessToken")
	s.must(201, "POST", "/api/webhooks", hook)
	ended := s.must(201, "POST", "/api/webhooks", hook, "Authorization", "Bearer "+token).text("id")
	runs := s.must(201, "POST", "/api/webhooks", hook, "Authorization", "Bearer "+token).text("id")
	s.must(204, "DELETE", "/api/webhooks/"+ended, "")
	said := esnaf(t, "user", "disable", "--email", mail, "--data", s.dir)
	if want := "go on, 1 of them: " + runs + "\n"; !strings.Contains(said, want) || !strings.Contains(said, "DELETE /api/webhooks/") {
		t.Errorf("%q does not say %q", said, want)
	}
	if got := fmt.Sprint(esnafJSON(t, "user", "disable", "--email", mail, "--data", s.dir)["activeWebhooks"]); got != "["+runs+"]" {
		t.Errorf("still active: %s", got)
	}
	s.must(204, "DELETE", "/api/webhooks/"+runs, "")
	if said := esnaf(t, "user", "disable", "--email", mail, "--data", s.dir); strings.Contains(said, "webhook") {
		t.Errorf("all ended: %q", said)
	}
}

// TestAnswerLost lets clients leave before they are answered: what they asked for
// is done once, and told to whoever asks again with the key (ACCEPTANCE I12).
func TestAnswerLost(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	body := company(registered, "Yıldız Gıda")
	replayed := 0
	for i := range 20 {
		key := uuid.NewString()
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "POST /api/companies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nIdempotency-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", s.token, key, len(body), body)
		conn.Close()
		// Most are carried out; one whose client was seen to leave first is not.
		for until := time.Now().Add(200 * time.Millisecond); s.companies() == i && time.Now().Before(until); {
		}
		a := s.do("POST", "/api/companies", body, "Idempotency-Key", key)
		for a.text("code") == "idempotency_in_progress" { // the commit is done, its answer still on the way
			a = s.do("POST", "/api/companies", body, "Idempotency-Key", key)
		}
		if a.status != 201 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		if a.header.Get("Idempotent-Replayed") == "true" {
			replayed++
		}
	}
	if n := s.companies(); n != 20 || replayed == 0 {
		t.Errorf("%d companies of 20 keys, %d answers were kept", n, replayed)
	}
}

// companies is how many the account has.
func (s *site) companies() int {
	s.t.Helper()
	return len(s.must(200, "GET", "/api/companies?limit=200", "").rows())
}

// TestSendOnce sends one invoice from many sides at the same time, with one key
// and with many: it gets one number (ACCEPTANCE I15).
func TestSendOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	buyer := s.must(201, "POST", "/api/companies", company(registered, "Yıldız Gıda"), "Idempotency-Key", uuid.NewString()).text("id")
	same := uuid.NewString()
	for i, key := range map[string]func() string{"one key": func() string { return same }, "many keys": uuid.NewString} {
		draft := s.must(201, "POST", "/api/invoices", `{"companyId":"`+buyer+`","lines":[{"name":"Çay","quantity":"3","unitPrice":"9.99","vatRate":"20"}]}`)
		var all sync.WaitGroup
		var mu sync.Mutex
		got, numbers := map[string]int{}, map[string]bool{}
		for range 20 {
			all.Go(func() {
				a, err := s.call(t.Context(), s.url, "POST", "/api/invoices/"+draft.text("id")+"/send", "", "Idempotency-Key", key())
				mu.Lock()
				defer mu.Unlock()
				if got[fmt.Sprint(a.status, a.text("code"))]++; err != nil {
					t.Error(err)
				}
				if a.status == 202 {
					numbers[a.text("number")+" "+a.text("ettn")] = true
				}
			})
		}
		all.Wait()
		sent, others := got["202"], got["409idempotency_in_progress"]
		if i == "many keys" {
			sent, others = got["202"], got["409invalid_state"]
			if sent != 1 {
				t.Errorf("%s: %v", i, got)
			}
		}
		if sent == 0 || sent+others != 20 || len(numbers) != 1 {
			t.Errorf("%s: %v, numbers %v", i, got, numbers)
		}
	}
	s.kill()
	if got := s.openLedger(nil, nil).texts("SELECT number FROM invoices ORDER BY number"); len(got) != 2 || !strings.HasSuffix(got[0], "000000001") || !strings.HasSuffix(got[1], "000000002") {
		t.Errorf("the numbers are %v", got)
	}
}

// TestSpoiltFolder starts on a folder that holds something else than it should: one
// line, exit code 1, and what is there stays as it is (ACCEPTANCE H24).
func TestSpoiltFolder(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"esnaf.db", "keys.json"} {
		s := newSite(t)
		path := filepath.Join(s.dir, name)
		rubbish := strings.Repeat("rubbish ", 1000)
		if err := os.WriteFile(path, []byte(rubbish), 0o600); err != nil {
			t.Fatal(err)
		}
		before := entries(t, s.dir)
		r := run(t, program(t, "serve", "--data", s.dir, "--listen", "127.0.0.1:0"))
		if r.code != 1 || r.out != "" || strings.Count(r.errors, "\n") != 1 || !strings.Contains(r.errors, name) {
			t.Errorf("with a spoilt %s: %+v", name, r)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != rubbish {
			t.Errorf("%s was changed: %v %.20q", name, err, text)
		}
		if after := entries(t, s.dir); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("the folder had %v and has %v", before, after)
		}
	}
}

// TestStartTime prints how long a start takes, which depends on the machine.
func TestStartTime(t *testing.T) {
	s := newSite(t)
	for range 3 {
		began := time.Now()
		server := serve(t, program(t, "serve", "--data", s.dir, "--listen", "127.0.0.1:0"))
		ready := time.Since(began)
		if got := status(t, server.url+"/readyz"); got != 200 {
			t.Errorf("/readyz: %d", got)
		}
		t.Logf("ready after %v, first answer after %v", ready, time.Since(began))
		server.stop()
	}
}
