package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readyFile is what a started server writes.
type readyFile struct {
	URL     string `json:"url"`
	PID     int    `json:"pid"`
	Tenants []struct {
		ID, Name, MasterEmail, MasterPassword, APIKey string
	} `json:"tenants"`
}

func readReady(t *testing.T, text []byte) (r readyFile) {
	t.Helper()
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

// TestServe starts a server, works on it from beside, stops it and starts it
// again.
func TestServe(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	tenant := createTenant(t, dir) // on a folder that nobody has made
	s := serve(t, program(t, "serve", "--data", dir, "--listen", "127.0.0.1:0"))
	if want := fmt.Sprintf("esnaf 0.1.0 ready at %s (data %s, authority simulated)\n", s.url, dir); s.line != want {
		t.Errorf("the line is %q, want %q", s.line, want)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if got := status(t, s.url+path); got != 200 {
			t.Errorf("%s answers %d", path, got)
		}
	}

	key := esnafJSON(t, "key", "create", "--data", dir, "--tenant", tenant, "--name", "shop", "--scopes", "companies:read,products:*")
	companies := func() int { return status(t, s.url+"/api/v1/companies", "x-api-key", key["key"].(string)) }
	if got := companies(); got != 200 {
		t.Errorf("the new key gets %d on the running server", got)
	}
	esnafJSON(t, "key", "rescope", key["id"].(string), "--data", dir, "--scopes", "products:read")
	if got := companies(); got != 403 {
		t.Errorf("the rescoped key gets %d, want 403", got)
	}
	rotated := esnafJSON(t, "key", "rotate", key["id"].(string), "--data", dir)
	if got := companies(); got != 401 {
		t.Errorf("the key that was rotated gets %d, want 401", got)
	}
	esnaf(t, "key", "revoke", rotated["id"].(string), "--data", dir)

	second := run(t, program(t, "serve", "--data", dir, "--listen", "127.0.0.1:0"))
	if second.code != 3 || second.out != "" || !strings.Contains(second.errors, "in use by another esnaf") {
		t.Errorf("a second server on the folder: %+v", second)
	}
	if got := status(t, s.url+"/readyz"); got != 200 {
		t.Errorf("after a second server was refused, the first answers %d", got)
	}
	if rest := s.stop(); rest != "" {
		t.Errorf("further output: %q", rest)
	}
	if _, err := os.Lstat(filepath.Join(dir, "control.sock")); err == nil {
		t.Error("the socket is left behind")
	}

	list := esnaf(t, "key", "list", "--data", dir, "--tenant", tenant) // on the stopped server
	if strings.Count(list, "\n") != 3 || !strings.Contains(list, "svc_live_...") || strings.Contains(list, rotated["key"].(string)) {
		t.Errorf("keys are listed as\n%s", list)
	}
	again := serve(t, program(t, "serve", "--data", dir, "--listen", "127.0.0.1:0", "--json"))
	if r := readReady(t, []byte(again.line)); r.URL != again.url || r.PID != again.Process.Pid || len(r.Tenants) != 0 {
		t.Errorf("ready line is %+v", r)
	}
	if err := again.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = again.Wait() // killed: its error says so
	if users := esnaf(t, "user", "list", "--data", dir, "--tenant", tenant); !strings.Contains(users, "MASTER") {
		t.Errorf("after kill -9, users are listed as\n%s", users)
	}
}

func TestDemo(t *testing.T) {
	t.Parallel()
	cmd := program(t, "serve", "--demo", "--listen", "127.0.0.1:0", "--ready-file", "ready.json")
	tmp := t.TempDir()
	cmd.Env = append(cmd.Env, "TMPDIR="+tmp)
	s := serve(t, cmd)
	ready := filepath.Join(cmd.Dir, "ready.json")
	text, err := os.ReadFile(ready)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(ready); err != nil || info.Mode() != 0o600 {
		t.Errorf("the ready file is %v, %v; want mode 0600", info.Mode(), err)
	}
	r := readReady(t, text)
	if r.URL != s.url || r.PID != s.Process.Pid || len(r.Tenants) != 2 {
		t.Fatalf("ready file is %s", text)
	}
	for _, d := range r.Tenants {
		if got := status(t, r.URL+"/api/v1/companies?limit=3", "x-api-key", d.APIKey); got != 200 {
			t.Errorf("the key of %s gets %d", d.Name, got)
		}
		if got := login(t, r.URL, d.MasterEmail, d.MasterPassword); got != 200 {
			t.Errorf("the login of %s gets %d", d.Name, got)
		}
	}
	if len(entries(t, tmp)) != 1 {
		t.Errorf("the temporary folder holds %v, want one data folder", entries(t, tmp))
	}
	said := s.stop()
	if left := entries(t, tmp); len(left) > 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
	if left := entries(t, cmd.Dir); len(left) > 0 {
		t.Errorf("left in the working folder: %v", left)
	}
	for _, want := range []string{r.Tenants[0].MasterEmail, r.Tenants[0].MasterPassword, r.Tenants[0].APIKey, "curl -s"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	if !strings.Contains(s.errors.String(), "127.0.0.0/8") {
		t.Errorf("the log does not name the private addresses that webhooks may go to: %s", s.errors)
	}
}

// TestDemoCommands runs the three lines that the demo tells a person to try, on
// a second start: a seeded folder is not seeded again and keeps its logins.
func TestDemoCommands(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("skipped: there is no curl to run the demo's lines with")
	}
	dir := filepath.Join(t.TempDir(), "data")
	first := serve(t, program(t, "serve", "--demo", "--data", dir, "--listen", "127.0.0.1:0"))
	said := first.stop()
	again := serve(t, program(t, "serve", "--demo", "--data", dir, "--listen", strings.TrimPrefix(first.url, "http://")))
	wants := []string{`"taxNumber"`, `"ettn"`, `"accessToken"`}
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "curl ") {
			continue
		}
		if len(wants) == 0 {
			t.Fatalf("a fourth line to try: %s", line)
		}
		out, err := exec.Command("sh", "-c", line).Output()
		if err != nil || !strings.Contains(string(out), wants[0]) {
			t.Errorf("%s\nprints %.300s (%v), want it to hold %s", line, out, err, wants[0])
		}
		wants = wants[1:]
	}
	if len(wants) > 0 {
		t.Errorf("no line shows %v in\n%s", wants, said)
	}
	if got := again.stop(); got != said {
		t.Errorf("the second start says\n%s\nthe first said\n%s", got, said)
	}
}

// TestPrivateFiles makes everything under a umask that forbids nothing.
func TestPrivateFiles(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, "data")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(foreign, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := program(t, "serve", "--demo", "--data", dir, "--listen", "127.0.0.1:0", "--ready-file", filepath.Join(home, "ready"))
	cmd.Args = append([]string{"sh", "-c", `umask 000; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	s := serve(t, cmd)
	esnaf(t, "tenant", "list", "--data", dir) // the socket is there once it has answered
	modes := map[string]string{}
	for _, path := range append([]string{"ready", "data"}, entries(t, dir)...) {
		if path != "ready" && path != "data" {
			path = filepath.Join("data", path)
		}
		info, err := os.Lstat(filepath.Join(home, path))
		if err != nil {
			t.Fatal(err)
		}
		modes[path] = info.Mode().String()
	}
	s.stop()
	want := map[string]string{"ready": "-rw-------", "data": "drwxr-xr-x", "data/control.sock": "Srw-------", "data/notes.txt": "-rw-r--r--"}
	for _, name := range []string{"esnaf.db", "esnaf.db-shm", "esnaf.db-wal", "keys.json", "lock"} {
		want["data/"+name] = "-rw-------"
	}
	if diff := cmp.Diff(want, modes); diff != "" {
		t.Error(diff)
	}
}

// TestCommandsBesideEachOther opens a stopped folder by several commands at the
// same time: each waits for its turn.
func TestCommandsBesideEachOther(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	tenant := createTenant(t, dir)
	var commands sync.WaitGroup
	for i := range 6 {
		cmd := program(t, "key", "create", "--data", dir, "--tenant", tenant, "--name", fmt.Sprint("k", i), "--scopes", "all")
		commands.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("key %d: %v: %s", i, err, out)
			}
		})
	}
	commands.Wait()
	if list := esnafJSON(t, "key", "list", "--data", dir, "--tenant", tenant)["data"].([]any); len(list) != 6 {
		t.Errorf("%d keys, want 6", len(list))
	}
}
