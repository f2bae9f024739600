package cli_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/google/uuid"
)

// raw is what drivers and Go say, and people are not told.
var raw = regexp.MustCompile(`SQLITE|sql:|\b(open|mkdir|read|write|stat|lstat|chmod) /\S+: |\bbind: |listen tcp|goroutine|database disk image|disk I/O|disk is full \(|\(\d+\)|permission denied|no space left|file too large|database is locked|unable to open`)

// nobody lets the program run as a user who may do nothing: root may do everything.
func nobody(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	cmd.Path = "/proc/self/exe" // the way to the program is closed to others
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534, NoSetGroups: true}}
}

// TestMachineTrouble has the machine refuse something: one line says what, in words for
// people.
func TestMachineTrouble(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "data")
	createTenant(t, whole)
	for _, row := range []struct {
		name, args, says string
		code             int
		spoil            func(t *testing.T, dir string, cmd *exec.Cmd)
	}{
		{"no right to the folder", "tenant list", "data folder %s cannot be written: esnaf has no permission for it", 1, func(t *testing.T, dir string, cmd *exec.Cmd) {
			mode(t, dir, 0o500)
			mode(t, filepath.Join(dir, "lock"), 0o400)
			nobody(t, cmd)
		}},
		{"no right to make it", "tenant create --data %s/no/folder", "data folder %s/no/folder cannot be made: esnaf has no permission for it", 1, func(t *testing.T, dir string, cmd *exec.Cmd) {
			mode(t, dir, 0o500)
			nobody(t, cmd)
		}},
		{"no right to the database", "serve --listen 127.0.0.1:0", "%s/esnaf.db cannot be opened: a file of the database cannot be opened, perhaps for want of permission, or since its path has more than 500 bytes", 1, func(t *testing.T, dir string, cmd *exec.Cmd) {
			mode(t, filepath.Join(dir, "esnaf.db"), 0)
			mode(t, filepath.Join(dir, "lock"), 0o666)
			nobody(t, cmd)
		}},
		{"no right to the keys", "check", "%s/keys.json cannot be read: esnaf has no permission for it", 1, func(t *testing.T, dir string, cmd *exec.Cmd) {
			mode(t, filepath.Join(dir, "esnaf.db"), 0o644)
			mode(t, filepath.Join(dir, "keys.json"), 0)
			mode(t, filepath.Join(dir, "lock"), 0o666)
			nobody(t, cmd)
		}},
		{"no right to the port", "serve --listen 127.0.0.1:1", "cannot listen on 127.0.0.1:1: esnaf has no permission for it", 1, func(t *testing.T, _ string, cmd *exec.Cmd) {
			limit, _ := os.ReadFile("/proc/sys/net/ipv4/ip_unprivileged_port_start")
			if strings.TrimSpace(string(limit)) == "0" {
				t.Skip("every user may serve on every port here")
			}
			nobody(t, cmd)
		}},
		{"held by another program", "tenant list", "%s/esnaf.db cannot be opened: another program holds the database", 1, func(t *testing.T, dir string, _ *exec.Cmd) {
			db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "esnaf.db")+"?_pragma=locking_mode(EXCLUSIVE)")
			if err == nil {
				_, err = db.Exec("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; CREATE TABLE x (y); COMMIT")
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
		}},
		{"a disk that takes nothing", "tenant create --data %s/new", "%s/new/keys.json cannot be written: it is larger than the system allows", 1, func(t *testing.T, _ string, cmd *exec.Cmd) {
			cmd.Args = append([]string{"sh", "-c", `ulimit -f 0; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
			cmd.Path = "/bin/sh"
		}},
		{"a disk that takes little", "tenant create --data %s/new", "%s/new/esnaf.db cannot be opened: the disk is full", 1, func(t *testing.T, _ string, cmd *exec.Cmd) {
			cmd.Args = append([]string{"sh", "-c", `ulimit -f 16; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
			cmd.Path = "/bin/sh"
		}},
		{"a check on a disk that takes little", "check", "%s/esnaf.db cannot be opened: the disk is full, and this needs some room\n", 1, func(t *testing.T, _ string, cmd *exec.Cmd) {
			cmd.Args = append([]string{"sh", "-c", `ulimit -f 16; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
			cmd.Path = "/bin/sh"
		}},
		{"a result that finds no room", "check", "/dev/stdout: the disk is full, and this needs some room\n", 1, func(_ *testing.T, _ string, cmd *exec.Cmd) {
			cmd.Args = append([]string{"sh", "-c", `exec "$0" "$@" >/dev/full`, cmd.Path}, cmd.Args[1:]...)
			cmd.Path = "/bin/sh"
		}},
		{"part of the path is a file", "serve --listen 127.0.0.1:0 --data %s/lock/x", "%s/lock/x cannot be made: part of its path is no folder", 1, nil},
		{"a damaged page", "tenant list", "The database is damaged: part of what this needs cannot be read, and nothing was changed. Trying again does not help: esnaf check tells the operator where it is damaged, and what helps: a backup, or repair indexes", 1, func(t *testing.T, dir string, _ *exec.Cmd) {
			overwrite(t, dir, "tenants")
		}},
		{"a damaged page of the keys' mark", "tenant list", "%s/esnaf.db is not a database, or it is damaged: put a copy of the whole data folder", 1, func(t *testing.T, dir string, _ *exec.Cmd) {
			overwrite(t, dir, "seal")
		}},
		{"a folder for a password", "user create --password-file %s", "the file of --password-file cannot be read: it is a folder", 2, nil},
		{"a folder for settings", "serve --config %s", "the config file %s cannot be read: it is a folder", 2, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			mode(t, filepath.Dir(home), 0o755)
			mode(t, home, 0o755)
			dir := filepath.Join(home, "data")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			args := strings.Fields(strings.ReplaceAll(row.args, "%s", dir))
			if !strings.Contains(row.args, "--data") {
				args = append(args, "--data", dir)
			}
			cmd := program(t, args...)
			cmd.Dir = home
			if row.spoil != nil {
				row.spoil(t, dir, cmd)
			}
			r := run(t, cmd)
			if want := strings.ReplaceAll(row.says, "%s", dir); r.code != row.code || r.out != "" || strings.Count(r.errors, "\n") != 1 || !strings.Contains(r.errors, want) {
				t.Errorf("%+v, want %d and %q", r, row.code, want)
			}
			if found := raw.FindString(r.errors); found != "" {
				t.Errorf("%q says %q", r.errors, found)
			}
		})
	}
}

func mode(t *testing.T, path string, m os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, m); err != nil {
		t.Fatal(err)
	}
}

// fill lets the files of a process grow to size bytes and no further, as those on a disk
// that is nearly full; 0 is no bound.
func (s *serving) fill(size uint64) {
	s.t.Helper()
	bound := syscall.Rlimit{Cur: size, Max: ^uint64(0)}
	if size == 0 {
		bound.Cur = bound.Max
	}
	const files = syscall.RLIMIT_FSIZE
	if _, _, no := syscall.Syscall6(syscall.SYS_PRLIMIT64, uintptr(s.Process.Pid), files, uintptr(unsafe.Pointer(&bound)), 0, 0, 0); no != 0 {
		s.t.Skip("the bounds of a process cannot be set here:", no)
	}
}

// TestBulkOnAFullDisk makes a request of many records larger than what the disk has
// left. It is logged, told item by item, and /readyz says so until there is room again,
// also while there is room for a page or two.
func TestBulkOnAFullDisk(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	ready := func() (int, string) {
		res, err := http.Get(s.url + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(text)
	}
	body, key := manyCompanies(500), uuid.NewString()
	s.fill(1 << 20)
	a, err := s.call(t.Context(), s.url, "POST", "/api/companies/bulk", body, "Idempotency-Key", key)
	if err != nil || a.status != 200 || !bytes.Contains(a.body, []byte(`"code":"unavailable"`)) || raw.Match(a.body) {
		t.Fatalf("the bulk request: %v, %d %.600s", err, a.status, a.body)
	}
	if !regexp.MustCompile(`"status":503,.{0,300}The data cannot be reached just now: the disk [a-z ]+`).Match(a.body) {
		t.Errorf("what is said: %.600s", a.body)
	}
	a, err = s.call(t.Context(), s.url, "POST", "/api/companies/bulk", body, "Accept-Language", "tr", "Idempotency-Key", uuid.NewString())
	if err != nil || !bytes.Contains(a.body, []byte("Verilere şu anda ulaşılamıyor: disk ")) {
		t.Errorf("in Turkish: %v, %.600s", err, a.body)
	}
	s.must(201, "POST", "/api/products", `{"name":"small enough"}`)
	if status, text := ready(); status != 503 || !strings.Contains(text, "The data cannot be reached just now") || raw.MatchString(text) {
		t.Errorf("/readyz with room for a page: %d %s", status, text)
	}
	s.fill(1)
	r := run(t, program(t, "tenant", "plan", "--data", s.dir, "--tenant", s.tenant, "--plan", "standard"))
	if r.code != 1 || !strings.Contains(r.errors, "The data cannot be reached just now: the disk") || raw.MatchString(r.errors) {
		t.Errorf("a command: %+v", r)
	}
	s.fill(0)
	if status, text := ready(); status != 200 {
		t.Errorf("/readyz with room again: %d %s", status, text)
	}
	if a := s.must(200, "POST", "/api/companies/bulk", body, "Idempotency-Key", key); bytes.Count(a.body, []byte(`"status":201`)) != 500 {
		t.Errorf("the repeat: %.600s", a.body)
	}
	for _, name := range entries(t, s.dir) {
		if strings.Contains(name, "room") {
			t.Errorf("%s stays", name)
		}
	}
	s.stop()
	if log := s.errors.String(); strings.Count(log, "item failed") != 2 || !strings.Contains(log, "not ready") {
		t.Errorf("the log: %s", log)
	}
}

// TestCheckWithALogThatFindsNoRoom lets a server end before it has folded its log into the
// database, which may grow no more: a command does what it was called for, and the log stays.
func TestCheckWithALogThatFindsNoRoom(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	s.must(200, "POST", "/api/companies/bulk", manyCompanies(300), "Idempotency-Key", uuid.NewString())
	s.kill()
	database := filepath.Join(s.dir, "esnaf.db")
	size := func(path string) int64 {
		file, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return file.Size()
	}
	log := size(database + "-wal")
	cmd := program(t, "check", "--data", s.dir)
	cmd.Args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -f %d; exec "$0" "$@"`, size(database)>>9), cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	if r := run(t, cmd); r.code != 0 || !strings.Contains(r.out, "orders     ok") || r.errors != "" {
		t.Errorf("%+v", r)
	}
	if now := size(database + "-wal"); now != log {
		t.Errorf("the log had %d bytes and has %d", log, now)
	}
	r := run(t, program(t, "check", "--data", s.dir))
	if _, err := os.Stat(database + "-wal"); r.code != 0 || !os.IsNotExist(err) {
		t.Errorf("with room again: %+v, the log: %v", r, err)
	}
}

// manyCompanies is the body of a request that makes n companies of 2 KB.
func manyCompanies(n int) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(`{"name":"Firma %d","notes":%q}`, i, strings.Repeat("n", 2000))
	}
	return `{"items":[` + strings.Join(items, ",") + `]}`
}
