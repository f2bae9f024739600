package cli_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// TestRepairStock shows what is wrong before it mends it, and finds nothing after.
func TestRepairStock(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	esnaf(t, "tenant", "create", "--data", data, "--name", "A", "--tax-number", "1234567890", "--master-email", "a@example.com", "--master-password", "correct horse")
	if r := run(t, program(t, "repair", "stock", "--data", data)); r.code != 0 || !strings.HasPrefix(r.out, "stock is what its movements") {
		t.Errorf("nothing is wrong: %+v", r)
	}
	file, err := sql.Open("sqlite", filepath.Join(data, "esnaf.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Exec("INSERT INTO stock (tenant, product, warehouse, on_hand, reserved, value) SELECT id, 'prd_1', 'whs_1', 2000000, 0, 0 FROM tenants"); err != nil {
		t.Fatal(err)
	}
	file.Close()
	for _, test := range []struct {
		args, says string
		code       int
	}{
		{"", "onHand is 2, by what it is made of 0", 4},
		{"", "found 1, changed nothing", 4},
		{"--json", `"left":["`, 4},
		{"--apply", "found 1, left 0", 0},
		{"", "stock is what its movements", 0},
	} {
		r := run(t, program(t, append([]string{"repair", "stock", "--data", data}, strings.Fields(test.args)...)...))
		if r.code != test.code || !strings.Contains(r.out, test.says) {
			t.Errorf("%q: %+v, want %q", test.args, r, test.says)
		}
	}
}
