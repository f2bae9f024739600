package server

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// TestTheQueueOfLogins fills the queue, which takes strangers a moment, and looks at what
// the next ones are told.
func TestTheQueueOfLogins(t *testing.T) {
	t.Parallel()
	db, err := store.Open(store.Options{Dir: t.TempDir(), Clock: clock.System{}, IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var log bytes.Buffer
	s, err := New(Config{DB: db, Log: slog.New(slog.NewTextHandler(&log, nil)), Proxies: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}})
	if err != nil {
		t.Fatal(err)
	}
	var leave func()
	stand := func(addr string, n int) {
		for range n {
			if leave, err = s.queue.enter(addr); err != nil {
				t.Fatal(err)
			}
		}
	}
	told := func(about, addr string, status int, code trade.Code) {
		t.Helper()
		r := httptest.NewRequest("POST", "/api/auth/login", strings.NewReader(`{"email":"nobody@example.com","password":"whatever it is"}`))
		r.RemoteAddr = "10.1.2.3:4000"
		r.Header.Set("X-Forwarded-Proto", "https")
		r.Header.Set("X-Forwarded-For", addr)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept-Language", "tr")
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		var p struct {
			Code    trade.Code `json:"code"`
			Message string     `json:"message"`
		}
		busy := code == trade.LoginBusy
		err := json.Unmarshal(w.Body.Bytes(), &p)
		if err != nil || w.Code != status || p.Code != code || (w.Header().Get("Retry-After") == "2") != busy || busy && !strings.Contains(p.Message, "2 saniye sonra") {
			t.Errorf("%s: %d %v %s", about, w.Code, w.Header(), w.Body)
		}
	}
	stand("2001:db8:1:2::1", maxFromOne)
	told("a network that has its part", "2001:db8:1:2::2", 503, trade.LoginBusy)
	told("another one beside it", "2001:db8:1:3::1", 401, trade.BadLogin)
	stand("203.0.113.9", maxQueue-maxFromOne)
	told("one for whom there is no room", "2001:db8:1:3::1", 503, trade.LoginBusy)
	leave()
	told("one after somebody has left", "2001:db8:1:3::1", 401, trade.BadLogin)
	if log.Len() > 0 {
		t.Errorf("whoever crowds the queue fills the log: %s", log.String())
	}
}
