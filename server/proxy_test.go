package server_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"esnaf/server"
)

// behindProxy puts a second server before the store, which believes proxies in a network.
func (f *fixture) behindProxy(network string) *server.Server {
	f.t.Helper()
	srv, err := server.New(server.Config{DB: f.db, Proxies: []netip.Prefix{netip.MustParsePrefix(network)}})
	if err != nil {
		f.t.Fatal(err)
	}
	return srv
}

// Behind a proxy only the proxy's word counts for TLS, and only over TLS is
// anything served.
func TestBehindAProxyOnlyTLSIsServed(t *testing.T) {
	f := start(t)
	srv := f.behindProxy("10.1.0.0/16")
	for name, row := range map[string]struct {
		from  string
		proto []string // lines
		want  int
	}{
		"the proxy over TLS":           {"10.1.2.3:4000", []string{"https"}, http.StatusOK},
		"the proxy over plain HTTP":    {"10.1.2.3:4000", []string{"http"}, http.StatusBadRequest},
		"the proxy saying nothing":     {"10.1.2.3:4000", nil, http.StatusBadRequest},
		"the client's line before its": {"10.1.2.3:4000", []string{"https", "http"}, http.StatusBadRequest},
		"the client's line behind its": {"10.1.2.3:4000", []string{"http", "https"}, http.StatusBadRequest},
		"both in one line":             {"10.1.2.3:4000", []string{"https, http"}, http.StatusBadRequest},
		"someone who claims TLS":       {"192.0.2.7:4000", []string{"https"}, http.StatusBadRequest},
		"an address that is no such":   {"nowhere", []string{"https"}, http.StatusBadRequest},
		"a probe, /healthz":            {"192.0.2.7:4000", nil, http.StatusOK},
		"a probe, /readyz":             {"192.0.2.7:4000", nil, http.StatusServiceUnavailable}, // nobody has said that it is ready
	} {
		path := "/docs"
		if _, probe, ok := strings.Cut(name, ", "); ok {
			path = probe
		}
		r := httptest.NewRequest("GET", path, nil)
		r.RemoteAddr = row.from
		r.Header["X-Forwarded-Proto"] = row.proto
		w := httptest.NewRecorder()
		srv.Handler().ServeHTTP(w, r)
		if w.Code != row.want {
			t.Errorf("%s: %d, want %d", name, w.Code, row.want)
		}
	}
}

// The caller's address is the one that the proxy has seen. What the client wrote itself
// stands before that, in the same line or in one of its own, and is no address at all if
// the client likes.
func TestTheAddressIsTheProxysWord(t *testing.T) {
	t.Parallel()
	f := start(t)
	hs := httptest.NewServer(f.behindProxy("127.0.0.0/8").Handler())
	t.Cleanup(hs.Close)
	f.url = hs.URL
	for _, row := range []struct {
		lines []string
		want  string
	}{
		{nil, "127.0.0.1"},
		{[]string{"203.0.113.9"}, "203.0.113.9"},
		{[]string{"198.51.100.1, 203.0.113.9"}, "203.0.113.9"},
		{[]string{"198.51.100.1", "203.0.113.9"}, "203.0.113.9"},
		{[]string{"198.51.100.1", "198.51.100.2, 203.0.113.9"}, "203.0.113.9"},
		{[]string{"not an address", "203.0.113.9:4711"}, "203.0.113.9"},
		{[]string{"2001:db8::7"}, "2001:db8::7"},
		{[]string{"[2001:db8::7]"}, "2001:db8::7"},
		{[]string{"[2001:db8::7]:4711"}, "2001:db8::7"},
		{[]string{"fe80::7%any text"}, "fe80::7"},
		{[]string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		{[]string{"not-an-address;DROP"}, "127.0.0.1"},
		{[]string{"203.0.113.9", "unknown"}, "127.0.0.1"},
		{[]string{"203.0.113.9,"}, "127.0.0.1"},
		{[]string{strings.Repeat("9", 10_000)}, "127.0.0.1"},
	} {
		f.clock.Advance(time.Second) // sessions are listed in the order of their beginning
		headers := "X-Forwarded-Proto: https"
		for _, line := range row.lines {
			headers += "\nX-Forwarded-For: " + line
		}
		token := f.ask("POST /api/auth/login", `{"email":"master@one.example","password":"{password}"}`, headers).part("accessToken")
		sessions, _ := member(f.ask("GET /api/auth/sessions", "", "X-Forwarded-Proto: https\nAuthorization: Bearer "+token).body, "data").([]any)
		if len(sessions) == 0 {
			t.Fatalf("%.80q: no session", row.lines)
		}
		if got := sessions[len(sessions)-1].(map[string]any)["address"]; got != row.want {
			t.Errorf("%.80q: %v, want %s", row.lines, got, row.want)
		}
	}
}
