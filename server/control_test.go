package server_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json"
	"go.uber.org/goleak"

	"esnaf/server"
	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// runServer runs a whole server on dir; stop ends it, waits, and closes the store.
func runServer(t *testing.T, dir string) (url string, stop func()) {
	t.Helper()
	db, err := store.Open(store.Options{Dir: dir, Clock: clock.System{}, IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(server.Config{DB: db})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx, ln, noReady) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := errors.Join(<-ended, db.Close()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	waitForSocket(t, dir)
	return "http://" + ln.Addr().String(), stop
}

// noReady is for servers of which nobody waits to hear that they are ready.
func noReady() error { return nil }

// waitForSocket returns once commands are answered.
func waitForSocket(t *testing.T, dir string) {
	t.Helper()
	for wall, until := (clock.System{}), (clock.System{}).Now().Add(1e10); ; {
		_, err := server.Command(t.Context(), dir, "tenant list", []byte("{}"))
		if !errors.Is(err, server.ErrNoServer) {
			return
		}
		if wall.Now().After(until) {
			t.Fatalf("no answer on the control socket: %v", err)
		}
	}
}

// command has the running server carry out an operation that must succeed.
func command(t *testing.T, dir, name, params string) map[string]any {
	t.Helper()
	answer, err := server.Command(t.Context(), dir, name, []byte(params))
	if err != nil {
		t.Fatalf("%s %s: %v", name, params, err)
	}
	var out map[string]any
	if err := json.Unmarshal(answer, &out); err != nil {
		t.Fatalf("%s answered %s: %v", name, answer, err)
	}
	return out
}

const tenantParams = `{"name":"Ada Ltd","taxNumber":"1234567890","plan":"unlimited","masterEmail":"ada@example.com","masterPassword":"correct horse"}`

func TestControlSocket(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for name, dir := range map[string]string{
		"short path":                   t.TempDir(),
		"path too long for the system": filepath.Join(t.TempDir(), strings.Repeat("long/", 30)),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := server.Command(t.Context(), dir, "tenant list", []byte("{}")); !errors.Is(err, server.ErrNoServer) {
				t.Errorf("without a server: %v, want ErrNoServer", err)
			}
			_, stop := runServer(t, dir)
			socket := filepath.Join(dir, "control.sock")
			if info, err := os.Stat(socket); err != nil || info.Mode() != os.ModeSocket|0o600 {
				t.Errorf("the socket is %v, %v; want mode 0600", info.Mode(), err)
			}
			if made := command(t, dir, "tenant create", tenantParams); !strings.HasPrefix(made["tenantId"].(string), "ten_") {
				t.Errorf("made %v", made)
			}
			stop()
			if _, err := os.Lstat(socket); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("after the end the socket is still there: %v", err)
			}
		})
	}
}

func TestControlSocketTakesOver(t *testing.T) {
	dir := t.TempDir()
	// What a killed server leaves: a socket that nobody listens on.
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "control.sock"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	ln.SetUnlinkOnClose(false)
	ln.Close()
	if _, err := server.Command(t.Context(), dir, "tenant list", []byte("{}")); !errors.Is(err, server.ErrNoServer) {
		t.Errorf("on a dead socket: %v, want ErrNoServer", err)
	}
	runServer(t, dir)
	if list := command(t, dir, "tenant list", "{}"); len(list["data"].([]any)) != 0 {
		t.Errorf("listed %v", list)
	}
}

func TestControlRefusal(t *testing.T) {
	dir := t.TempDir()
	runServer(t, dir)
	for _, row := range []struct {
		name, params string
		code         trade.Code
		fields       string
	}{
		{"tenant create", `{"taxNumber":"1"}`, trade.ValidationFailed, "name taxNumber masterEmail masterPassword"},
		{"key revoke", `{"id":"key_x"}`, trade.RecordNotFound, ""},
		{"tenant list", `{`, trade.MalformedJSON, ""},
		{"no such thing", `{}`, trade.PathNotFound, ""},
		{"tenant list", `{"x":"` + strings.Repeat("x", 1<<20) + `"}`, trade.BodyTooLarge, ""},
	} {
		_, err := server.Command(t.Context(), dir, row.name, []byte(row.params))
		var refused *server.Refused
		if !errors.As(err, &refused) || refused.Code != row.code || refused.Error() == "" {
			t.Errorf("%s: got %v, want a refusal with the code %s", row.name, err, row.code)
			continue
		}
		var fields []string
		for _, f := range refused.Faults {
			fields = append(fields, f.Field)
			if !strings.HasPrefix(f.Message, f.Field+" ") {
				t.Errorf("%s: the message %q does not begin with the field", row.name, f.Message)
			}
		}
		if got := strings.Join(fields, " "); got != row.fields {
			t.Errorf("%s: wrong are %q, want %q", row.name, got, row.fields)
		}
	}
}

// TestKeyChangesHoldAtOnce changes a key while clients use it: what begins after
// the command has returned sees the change (ACCEPTANCE K4, K5).
func TestKeyChangesHoldAtOnce(t *testing.T) {
	dir := t.TempDir()
	url, _ := runServer(t, dir)
	tenant := command(t, dir, "tenant create", tenantParams)["tenantId"].(string)
	key := command(t, dir, "key create", `{"tenant":"`+tenant+`","name":"k","scopes":["all"],"rate":0}`)
	id := key["id"].(string)

	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 50}}
	defer client.CloseIdleConnections()
	get := func() int {
		req, err := http.NewRequest("GET", url+"/api/v1/companies?limit=1", nil)
		if err != nil {
			t.Error(err)
			return 0
		}
		req.Header.Set("x-api-key", key["key"].(string))
		res, err := client.Do(req)
		if err != nil {
			t.Error(err)
			return 0
		}
		res.Body.Close()
		return res.StatusCode
	}
	for _, step := range []struct {
		command, params string
		before, after   int
	}{
		{"key rescope", `{"id":"` + id + `","scopes":["invoices:read"]}`, 200, 403},
		{"key rescope", `{"id":"` + id + `","scopes":["companies:read"]}`, 403, 200},
		{"key revoke", `{"id":"` + id + `"}`, 200, 401},
	} {
		var done, stop atomic.Bool
		var clients sync.WaitGroup
		var used, later atomic.Int64
		for range 50 {
			clients.Go(func() {
				for !stop.Load() {
					changed := done.Load() // before the request begins
					status := get()
					used.Add(1)
					switch {
					case changed && status != step.after:
						t.Errorf("%s: a request that began after it got %d, want %d", step.command, status, step.after)
						return
					case changed:
						later.Add(1)
					case status != step.before && status != step.after:
						t.Errorf("%s: got %d meanwhile", step.command, status)
						return
					}
				}
			})
		}
		for used.Load() < 100 { // all are at work
			get()
		}
		command(t, dir, step.command, step.params)
		done.Store(true)
		for later.Load() < 200 && !t.Failed() {
			get()
		}
		stop.Store(true)
		clients.Wait()
	}
}

// What is no socket stays where it is: whose it is nobody knows.
func TestControlSocketInWhosePlaceAFileIs(t *testing.T) {
	b := start(t)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if err := os.WriteFile(filepath.Join(b.db.Dir(), "control.sock"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.srv.Run(t.Context(), ln, noReady); err == nil || !strings.Contains(err.Error(), "control.sock is no socket") {
		t.Errorf("it says %v", err)
	}
}
