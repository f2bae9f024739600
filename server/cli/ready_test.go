package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server that commands cannot reach never says that it is ready.
func TestNoSocketNotReady(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	createTenant(t, dir)
	if err := os.Mkdir(filepath.Join(dir, "control.sock"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := program(t, "serve", "--data", dir, "--listen", "127.0.0.1:0", "--ready-file", "ready.json")
	r := run(t, cmd)
	if r.code != 1 || r.out != "" || !strings.Contains(r.errors, "control.sock is no socket") {
		t.Errorf("%+v", r)
	}
	if left := entries(t, cmd.Dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A person is out though what else there is to tell cannot be read, and that is said.
func TestDisabledThoughWebhooksCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	tenant := createTenant(t, dir)
	esnaf(t, "user", "create", "--data", dir, "--tenant", tenant, "--email", "can@example.com", "--role", "SALES", "--password", "first password")
	database(t, filepath.Join(dir, "esnaf.db"), "ALTER TABLE webhooks RENAME COLUMN status TO was")
	said := esnaf(t, "user", "disable", "--data", dir, "--email", "can@example.com")
	if !strings.Contains(said, "is disabled") || !strings.Contains(said, "could not be read") {
		t.Errorf("it says %s", said)
	}
	if users := esnafJSON(t, "user", "list", "--data", dir, "--tenant", tenant)["data"].([]any); users[len(users)-1].(map[string]any)["disabled"] != true {
		t.Errorf("the users are %v", users)
	}
}
