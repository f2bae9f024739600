package cli_test

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck checks a folder while its server runs, after it has stopped, and after the
// file was damaged: each difference is a sentence, and the exit code tells.
func TestCheck(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	bank := s.must(201, "POST", "/api/bank-accounts", `{"name":"Vadesiz","openingBalance":"100"}`).text("id")
	check := func(code, differences int, says string) result {
		t.Helper()
		r := run(t, program(t, "check", "--data", s.dir))
		if r.code != code || !strings.Contains(r.out, says) || strings.Count(r.out, "\n  ") != differences {
			t.Errorf("%+v, want exit code %d, %d differences and %q", r, code, differences, says)
		}
		return r
	}
	check(0, 0, "postings   ok   the ledger has moved each account by what the records say")
	s.stop()
	check(0, 0, "audit      ok ")
	if help := run(t, program(t, "check", "--help")).out; !strings.Contains(help, "  stock      stock is what its movements") || !strings.Contains(help, "  orders     each order says") {
		t.Errorf("the help does not name every check:\n%s", help)
	}

	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.dir, "esnaf.db"))
	if err == nil {
		_, err = db.Exec("UPDATE postings SET amount = 20000 WHERE account = ?", bank)
	}
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	r := check(4, 4, "  the ledger has moved "+bank+" by "+bank+" of "+s.tenant+" in TRY by 200.00, the record says 100.00\n")
	if r.errors != "esnaf: the data has 4 differences\n" {
		t.Errorf("errors are %q", r.errors)
	}
	r = run(t, program(t, "check", "--data", s.dir, "--json"))
	var out struct {
		Checks []struct {
			Name        string
			Differences []string
		}
		Differences int
	}
	if err := json.Unmarshal([]byte(r.out), &out); err != nil || r.code != 4 || strings.Count(r.out, "\n") != 1 || out.Differences != 4 {
		t.Fatalf("%+v: %v", r, err)
	}
	for _, c := range out.Checks {
		if want := map[string]int{"entries": 1, "postings": 1, "sums": 2}[c.Name]; c.Differences == nil || len(c.Differences) != want {
			t.Errorf("%s: %v, want %d", c.Name, c.Differences, want)
		}
	}
	s.begin() // it serves all the same, and the check goes through it
	check(4, 4, "entries    1 ")
	s.stop()
	if r := run(t, program(t, "check")); r.code != 1 || !strings.Contains(r.errors, "there is no data in") {
		t.Errorf("without a folder: %+v", r)
	}
}
