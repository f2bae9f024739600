package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience bounds whatever these tests wait for, on a slow machine too.
const patience = 3 * time.Minute

// site is a data folder with one account, as commands made it, and a client of
// whatever server runs on it.
type site struct {
	t          *testing.T
	dir        string
	tenant     string
	key, keyID string // of Interface B
	token      string // of the MASTER's session
	client     *http.Client
	*serving   // the server that runs now
}

// firstSite is what all sites are copies of: a folder with an account, a key and a
// session. Making passwords is slow on purpose, and these tests are many.
type firstSite struct {
	once                        sync.Once
	files                       map[string][]byte
	tenant, key, keyID, session string
}

var first firstSite

// grow makes the first site with commands and a login, as an operator would.
func (f *firstSite) grow(t *testing.T) {
	t.Helper()
	s := &site{t: t, dir: filepath.Join(t.TempDir(), "data"), client: &http.Client{Timeout: patience}}
	made := esnafJSON(t, "tenant", "create", "--data", s.dir, "--plan", "unlimited", "--name", "Örnek Ticaret A.Ş.", "--tax-number", "1234567890", "--tax-office", "Kadıköy",
		"--address", "Deneme Caddesi 5", "--district", "Kadıköy", "--city", "İstanbul", "--postal-code", "34710", "--sender-alias", "urn:mail:defaultgb@ornek.example",
		"--master-email", "usta@ornek.example", "--master-password", "correct horse battery")
	key := esnafJSON(t, "key", "create", "--data", s.dir, "--tenant", made["tenantId"].(string), "--name", "test", "--scopes", "all", "--rate", "0")
	s.begin()
	login := s.must(200, "POST", "/api/auth/login", `{"email":"usta@ornek.example","password":"correct horse battery"}`)
	s.stop()
	s.client.CloseIdleConnections()
	f.tenant, f.key, f.keyID, f.session = made["tenantId"].(string), key["key"].(string), key["id"].(string), login.text("accessToken")
	files := map[string][]byte{}
	for _, name := range entries(t, s.dir) {
		text, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = text
	}
	f.files = files
}

// newSite puts the account into a folder of the test's own; no server runs yet.
func newSite(t *testing.T) *site {
	t.Helper()
	first.once.Do(func() { first.grow(t) })
	if first.files == nil {
		t.Fatal("the first site could not be made")
	}
	s := &site{t: t, dir: filepath.Join(t.TempDir(), "data"), client: &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	t.Cleanup(s.client.CloseIdleConnections)
	s.tenant, s.key, s.keyID, s.token = first.tenant, first.key, first.keyID, first.session
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range first.files {
		if err := os.WriteFile(filepath.Join(s.dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// begin starts a server with these flags.
func (s *site) begin(flags ...string) {
	s.t.Helper()
	s.serving = serve(s.t, program(s.t, append([]string{"serve", "--data", s.dir, "--listen", "127.0.0.1:0", "--webhook-allow", "127.0.0.0/8"}, flags...)...))
}

// kill ends the server without a word, as a power cut would.
func (s *serving) kill() {
	s.t.Helper()
	if err := s.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	<-s.rest
	_ = s.Wait() // it was killed, and says so
	s.sound()
}

// sound demands that the process, which has ended, met neither a panic nor a
// data race (these tests may run with -race, and then so does it).
func (s *serving) sound() {
	s.t.Helper()
	for _, bad := range []string{"DATA RACE", "panic", "level=ERROR"} {
		if strings.Contains(s.errors.String(), bad) {
			s.t.Errorf("the server said: %s", s.errors)
			return
		}
	}
}

// within waits for something to end, and fails the test when it does not.
func within(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatalf("%s: not within %v", what, patience)
	}
}

// answer is a whole answer.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// text is a member of the answer that is a text, "" when there is none.
func (a answer) text(name string) string {
	var m map[string]any
	_ = json.Unmarshal(a.body, &m)
	text, _ := m[name].(string)
	return text
}

func (a answer) version() int64 {
	var m struct {
		Version int64 `json:"version"`
	}
	_ = json.Unmarshal(a.body, &m)
	return m.Version
}

// call sends one request to a server; an error means that there is no whole answer.
func (s *site) call(ctx context.Context, url, method, path, body string, headers ...string) (a answer, err error) {
	req, err := http.NewRequestWithContext(ctx, method, url+path, strings.NewReader(body))
	if err != nil {
		return a, err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if strings.HasPrefix(path, "/api/v1/") {
		req.Header.Set("x-api-key", s.key)
	} else if s.token != "" {
		req.Header.Set("Authorization", "Bearer "+s.token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := s.client.Do(req)
	if err != nil {
		return a, err
	}
	defer res.Body.Close()
	a = answer{status: res.StatusCode, header: res.Header}
	a.body, err = io.ReadAll(res.Body)
	return a, err
}

// do is call to the server that runs, which must answer.
func (s *site) do(method, path, body string, headers ...string) answer {
	s.t.Helper()
	a, err := s.call(s.t.Context(), s.url, method, path, body, headers...)
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

// must is do with the status that the answer must have.
func (s *site) must(status int, method, path, body string, headers ...string) answer {
	s.t.Helper()
	a := s.do(method, path, body, headers...)
	if a.status != status {
		s.t.Fatalf("%s %s: %d, want %d: %s", method, path, a.status, status, a.body)
	}
	return a
}

// cuckoo is a receiver of webhooks that remembers each event's body and holds
// that a repeated one must not differ.
type cuckoo struct {
	t      *testing.T
	mu     sync.Mutex
	bodies map[string][]byte // by X-Svc-Event-Id
	calls  int
	answer func(id string, before int) int // status; before is how often the event came already
	seen   map[string]int
}

func newCuckoo(t *testing.T, answer func(id string, before int) int) *cuckoo {
	return &cuckoo{t: t, bodies: map[string][]byte{}, seen: map[string]int{}, answer: answer}
}

func (c *cuckoo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the server was killed while it wrote
	}
	id := r.Header.Get("X-Svc-Event-Id")
	c.mu.Lock()
	if old, ok := c.bodies[id]; ok && !bytes.Equal(old, body) {
		c.t.Errorf("event %s came with two bodies: %s and %s", id, old, body)
	}
	c.bodies[id] = body
	before := c.seen[id]
	c.seen[id]++
	c.calls++
	c.mu.Unlock()
	w.WriteHeader(c.answer(id, before))
}

// heard is how many events have come.
func (c *cuckoo) heard() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.bodies)
}

// rows are the ids that a list answered.
func (a answer) rows() (ids []string) {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	_ = json.Unmarshal(a.body, &list)
	for _, row := range list.Data {
		ids = append(ids, row.ID)
	}
	return ids
}

// empty tells whether the answer is a list without rows.
func (a answer) empty() bool { return bytes.Contains(a.body, []byte(`"data":[]`)) }

// webhook is the only webhook of the account.
func (s *site) webhook() string {
	s.t.Helper()
	ids := s.must(200, "GET", "/api/webhooks", "").rows()
	if len(ids) != 1 {
		s.t.Fatalf("there are the webhooks %v, want one", ids)
	}
	return ids[0]
}
