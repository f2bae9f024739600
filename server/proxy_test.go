package server_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"esnaf/server"
)

// Behind a proxy only the proxy's word counts for TLS, and only over TLS is
// anything served.
func TestBehindAProxyOnlyTLSIsServed(t *testing.T) {
	f := start(t)
	srv, err := server.New(server.Config{DB: f.db, Proxies: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}})
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		from, proto string
		want        int
	}{
		"the proxy over TLS":         {"10.1.2.3:4000", "https", http.StatusOK},
		"the proxy over plain HTTP":  {"10.1.2.3:4000", "http", http.StatusBadRequest},
		"the proxy saying nothing":   {"10.1.2.3:4000", "", http.StatusBadRequest},
		"someone who claims TLS":     {"192.0.2.7:4000", "https", http.StatusBadRequest},
		"an address that is no such": {"nowhere", "https", http.StatusBadRequest},
		"a probe, /healthz":          {"192.0.2.7:4000", "", http.StatusOK},
		"a probe, /readyz":           {"192.0.2.7:4000", "", http.StatusServiceUnavailable}, // nobody has said that it is ready
	} {
		path := "/docs"
		if _, probe, ok := strings.Cut(name, ", "); ok {
			path = probe
		}
		r := httptest.NewRequest("GET", path, nil)
		r.RemoteAddr = row.from
		if row.proto != "" {
			r.Header.Set("X-Forwarded-Proto", row.proto)
		}
		w := httptest.NewRecorder()
		srv.Handler().ServeHTTP(w, r)
		if w.Code != row.want {
			t.Errorf("%s: %d, want %d", name, w.Code, row.want)
		}
	}
}
