package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"esnaf/server/cli"
)

// asEsnaf makes the test's own binary behave as the program, so that tests run
// real processes without building one.
const asEsnaf = "TEST_BINARY_IS_ESNAF"

func TestMain(m *testing.M) {
	if os.Getenv(asEsnaf) != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// program is esnaf with its arguments, in a folder of its own and with no
// settings from the environment of the test.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = t.TempDir()
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "ESNAF_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, asEsnaf+"=1")
	return cmd
}

// result is what a process left.
type result struct {
	code        int
	out, errors string
}

// run waits for the process, but not for a server that should not have started.
func run(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	return runWhile(t, cmd, func() {})
}

// runWhile is run that does something when the process has started.
func runWhile(t *testing.T, cmd *exec.Cmd, fn func()) result {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	fn()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// esnaf runs a command that must succeed.
func esnaf(t *testing.T, args ...string) string {
	t.Helper()
	r := run(t, program(t, args...))
	if r.code != 0 {
		t.Fatalf("esnaf %s: exit code %d: %s", strings.Join(args, " "), r.code, r.errors)
	}
	return r.out
}

// esnafJSON runs a command with --json, which must succeed, and reads its result.
func esnafJSON(t *testing.T, args ...string) map[string]any {
	t.Helper()
	out := esnaf(t, append(args, "--json")...)
	var m map[string]any
	if err := json.Unmarshal([]byte(out), &m); err != nil || strings.Count(out, "\n") != 1 {
		t.Fatalf("esnaf %s: %q is not one line of JSON: %v", strings.Join(args, " "), out, err)
	}
	return m
}

// serving is a server process that is ready.
type serving struct {
	*exec.Cmd
	t      *testing.T
	line   string // the line that said so
	url    string
	rest   chan string // what followed on standard output, once it is closed
	errors *bytes.Buffer
}

// serve starts a server on a free port and waits for its line.
func serve(t *testing.T, cmd *exec.Cmd) *serving {
	t.Helper()
	s := &serving{Cmd: cmd, t: t, rest: make(chan string, 1), errors: new(bytes.Buffer)}
	cmd.Stderr = s.errors
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	r := bufio.NewReader(out)
	if s.line, err = r.ReadString('\n'); err != nil {
		_ = cmd.Wait()
		t.Fatalf("the server did not become ready: %v: %s", err, s.errors)
	}
	go func() {
		text, _ := io.ReadAll(r) // it ends with the process, which is looked at by itself
		s.rest <- string(text)
	}()
	if i := strings.Index(s.line, "http://"); i >= 0 {
		s.url = s.line[i : i+strings.IndexAny(s.line[i:], ` "`)]
	}
	return s
}

// stop ends the server the polite way, which must leave the exit code 0, and
// returns what it said on standard output after its line.
func (s *serving) stop() string {
	s.t.Helper()
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	rest := <-s.rest
	if err := s.Wait(); err != nil {
		s.t.Errorf("after SIGTERM: %v: %s", err, s.errors)
	}
	return rest
}

// status is the status of a GET.
func status(t *testing.T, url string, header ...string) int {
	t.Helper()
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

// createTenant makes a tenant on the folder and returns its id.
func createTenant(t *testing.T, dir string) string {
	t.Helper()
	made := esnafJSON(t, "tenant", "create", "--data", dir, "--name", "Ada Ltd", "--tax-number", "1234567890",
		"--master-email", "ada@example.com", "--master-password", "correct horse")
	return made["tenantId"].(string)
}

// settingsOf reads what esnaf config --json printed: value and source by name.
func settingsOf(t *testing.T, r result) map[string][2]string {
	t.Helper()
	var list struct {
		Data []struct{ Name, Value, Source string } `json:"data"`
	}
	if err := json.Unmarshal([]byte(r.out), &list); err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	out := map[string][2]string{}
	for _, s := range list.Data {
		out[s.Name] = [2]string{s.Value, s.Source}
	}
	return out
}

// entries lists the names in a folder.
func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// login is the status of signing in.
func login(t *testing.T, url, email, password string) int {
	t.Helper()
	body, err := json.Marshal(map[string]string{"email": email, "password": password})
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(url+"/api/auth/login", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}
