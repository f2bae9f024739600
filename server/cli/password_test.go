package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPasswordSources gives a MASTER's password in every way but by hand, and
// signs in with it.
func TestPasswordSources(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte(" from the file \r\nand a second line"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := "ESNAF_MASTER_PASSWORD=from the variable"
	passwords := map[string]string{}
	for i, row := range []struct {
		args     []string
		password string
	}{
		{[]string{"--master-password", "from the flag"}, "from the flag"},
		{[]string{"--master-password-file", file}, " from the file "},
		{nil, "from the variable"},
	} {
		email := fmt.Sprintf("user%d@example.com", i)
		cmd := program(t, append([]string{"tenant", "create", "--data", dir, "--name", "A", "--tax-number", "1234567890", "--master-email", email}, row.args...)...)
		cmd.Env = append(cmd.Env, env)
		if r := run(t, cmd); r.code != 0 || strings.Contains(r.out+r.errors, row.password) {
			t.Fatalf("%v: %+v", row.args, r)
		}
		passwords[email] = row.password
	}
	s := serve(t, program(t, "serve", "--data", dir, "--listen", "127.0.0.1:0"))
	for email, password := range passwords {
		if got := login(t, s.url, email, password); got != 200 {
			t.Errorf("login of %s with %q: %d", email, password, got)
		}
	}
	esnaf(t, "user", "password", "--data", dir, "--email", "user0@example.com", "--password", "another one")
	if old, fresh := login(t, s.url, "user0@example.com", "from the flag"), login(t, s.url, "user0@example.com", "another one"); old != 401 || fresh != 200 {
		t.Errorf("after the change the old password gets %d, the new one %d", old, fresh)
	}
	esnaf(t, "user", "disable", "--data", dir, "--email", "user0@example.com")
	if got := login(t, s.url, "user0@example.com", "another one"); got != 401 {
		t.Errorf("a disabled user's login gets %d", got)
	}
	s.stop()
}
