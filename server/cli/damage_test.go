package cli_test

import (
	"bytes"
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// lines are what only SQLite calls so.
var lines = regexp.MustCompile(`\*\*\*|Tree|btree|wrong #|malformed|missing from index`)

// overwrite spoils the page that a table or an index of a database begins with.
func overwrite(t *testing.T, dir, name string) {
	t.Helper()
	var page, size int64
	path := filepath.Join(dir, "esnaf.db")
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err == nil {
		err = db.QueryRow("SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = ?", name).Scan(&page, &size)
		db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(bytes.Repeat([]byte{7}, int(size)), (page-1)*size); err != nil {
		t.Fatal(err)
	}
}

// TestDamagedInside serves databases of which a page was overwritten. Who meets the page is
// told so, /readyz and check say it, the log says it once, and the rest is served.
func TestDamagedInside(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ hurt, meets, sound, says string }{
		{"bank_accounts", "/api/bank-accounts", "/api/companies", "in the table bank_accounts"},
		{"postings", "/api/bank-accounts/{bank}/statement", "/api/bank-accounts", "in the table postings"},
		{"sqlite_autoindex_companies_1", "/api/companies/{company}", "/api/companies", "in the index sqlite_autoindex_companies_1 of companies"},
	} {
		t.Run(row.hurt, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.begin()
			bank := s.must(201, "POST", "/api/bank-accounts", `{"name":"Vadesiz","openingBalance":"100"}`).text("id")
			company := s.must(201, "POST", "/api/companies", `{"name":"Ada"}`, "Idempotency-Key", "1f0e1f0e-1f0e-4f0e-8f0e-1f0e1f0e1f0e").text("id")
			s.stop()
			overwrite(t, s.dir, row.hurt)
			s.begin()
			meets := strings.NewReplacer("{bank}", bank, "{company}", company).Replace(row.meets)
			for range 3 {
				a := s.must(503, "GET", meets, "")
				if a.text("code") != "database_damaged" || !strings.HasPrefix(a.text("message"), "The database is damaged: ") || a.header.Get("Retry-After") != "" || raw.Match(a.body) {
					t.Errorf("%v %s", a.header, a.body)
				}
				if a := s.must(503, "GET", "/readyz", ""); !strings.Contains(string(a.body), "The database is damaged") || raw.Match(a.body) {
					t.Errorf("/readyz: %s", a.body)
				}
			}
			s.must(http.StatusOK, "GET", row.sound, "")
			for range 2 { // with the server, then without
				r := run(t, program(t, "check", "--data", s.dir))
				if want := "  the database file is damaged " + row.says + ": stop the server, put a backup of the whole data folder in the place of this one"; r.code != 4 || strings.Count(r.out, want) != 1 {
					t.Errorf("%+v, want %q", r, want)
				}
				if r := run(t, program(t, "repair", "indexes", "--apply", "--data", s.dir)); r.code != 4 || !strings.Contains(r.out, "the database file is damaged "+row.says) {
					t.Errorf("repair: %+v", r)
				}
				if found := raw.FindString(r.out+r.errors) + lines.FindString(r.out); found != "" {
					t.Errorf("check says %q: %s", found, r.out)
				}
				if s.serving != nil {
					s.stop()
					if log := s.errors.String(); strings.Count(log, "The database is damaged") != 1 {
						t.Errorf("the log: %s", log)
					}
					s.serving = nil
				}
			}
		})
	}
}

// spoiled serves a folder with one company, Ada, to which text has been done.
func spoiled(t *testing.T, text string) (s *site, id string) {
	t.Helper()
	s = newSite(t)
	s.begin()
	id = s.must(201, "POST", "/api/companies", `{"name":"Ada"}`, "Idempotency-Key", "1f0e1f0e-1f0e-4f0e-8f0e-1f0e1f0e1f0e").text("id")
	s.stop()
	database(t, filepath.Join(s.dir, "esnaf.db"), text)
	s.begin()
	return s, id
}

// TestARecordThatCannotBeRead: a record that is not what was written is told to who asks for
// it. The file is sound, and the server goes on with all others.
func TestARecordThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s, id := spoiled(t, `UPDATE companies SET doc = replace(doc, '"name":"Ada"', '"name":7')`)
	if a := s.must(503, "GET", "/api/companies/"+id+"/balance", ""); a.text("code") != "database_damaged" {
		t.Errorf("%s", a.body)
	}
	s.must(http.StatusOK, "GET", "/readyz", "")
}

// TestTextThatIsNone: bytes that are no text are told like any damage, by whatever meets
// them, and check goes on to its end.
func TestTextThatIsNone(t *testing.T) {
	t.Parallel()
	s, id := spoiled(t, `UPDATE companies SET doc = replace(doc, 'Ada', CAST(x'ff' AS TEXT)); UPDATE audit SET action = CAST(x'ff' AS TEXT) WHERE action = 'company.create'`)
	for _, a := range []answer{
		s.must(503, "GET", "/api/companies/export?format=csv", ""),
		s.must(503, "PATCH", "/api/companies/"+id, `{"phone":"1"}`, "If-Match", "*", "Content-Type", "application/json"),
	} {
		if a.text("code") != "database_damaged" {
			t.Errorf("%s", a.body)
		}
	}
	for range 2 { // with the server, then without
		if r := run(t, program(t, "check", "--data", s.dir)); r.code != 4 || !strings.Contains(r.out, "\ufffd of "+id+", is not what was written") {
			t.Errorf("%+v", r)
		}
		if s.serving != nil {
			s.stop()
			s.serving = nil
		}
	}
}

// TestWhatIsNoJSONIsSentToNobody: a record that is no JSON, or no text, is told to whoever
// reads it, by either interface; one that is cut also to who reads it with others.
func TestWhatIsNoJSONIsSentToNobody(t *testing.T) {
	t.Parallel()
	alone := []string{"/api/companies/{id}", "/api/v1/companies/{id}"}
	all := append(slices.Clone(alone), "/api/companies", "/api/companies?page=1", "/api/companies?q=ada", "/api/companies/export?format=ndjson")
	for doc, paths := range map[string][]string{
		"replace(doc, 'Ada', CAST(x'ff' AS TEXT))": alone, `replace(doc, '"Ada"', 'Ada')`: alone,
		"substr(doc, 1, 40)": all, "''": all, "'{}'": all,
	} {
		t.Run(doc, func(t *testing.T) {
			t.Parallel()
			s, id := spoiled(t, "UPDATE companies SET doc = "+doc)
			for _, path := range paths {
				a := s.must(503, "GET", strings.Replace(path, "{id}", id, 1), "")
				if a.text("code") != "database_damaged" {
					t.Errorf("%s: %s", path, a.body)
				}
			}
			s.must(http.StatusOK, "GET", "/readyz", "")
		})
	}
	s, _ := spoiled(t, `UPDATE tenants SET doc = replace(doc, '"name":"', '"name":')`)
	s.must(503, "GET", "/api/tenant", "")
}

// TestARecordThatStandsInAFigure: what the database itself reads out of a record is no JSON
// either.
func TestARecordThatStandsInAFigure(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	house := s.must(201, "POST", "/api/warehouses", `{"name":"Merkez"}`).text("id")
	product := s.must(201, "POST", "/api/products", `{"name":"Defter","salePrice":"1","vatRate":"20"}`).text("id")
	s.must(201, "POST", "/api/inventory/adjust", `{"productId":"`+product+`","warehouseId":"`+house+`","quantity":"5","reason":"OPENING"}`)
	s.stop()
	database(t, filepath.Join(s.dir, "esnaf.db"), `UPDATE warehouses SET doc = replace(doc, '"Merkez"', 'Merkez')`)
	s.begin()
	if a := s.must(503, "GET", "/api/inventory/"+product, ""); a.text("code") != "database_damaged" {
		t.Errorf("%s", a.body)
	}
	s.must(http.StatusOK, "GET", "/readyz", "")
}

// behindIts makes a folder of whose database every page can be read, but an index has not
// the rows that companies has: changes were made without it.
func behindIts(t *testing.T, index string, changes ...string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "data")
	createTenant(t, dir)
	const row = "INSERT INTO companies (tenant, id, version, updated_at, search, code, name_key, doc) VALUES "
	hide := "CREATE TABLE aside AS SELECT * FROM sqlite_schema WHERE name = '" + index + "'; PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = '" + index + "'"
	texts := append([]string{row + "('t', 'a', 1, 1, '', 'A', '', '{}'), ('t', 'b', 1, 1, '', 'B', '', '{}')", hide}, changes...)
	for _, text := range append(texts, "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM aside; DROP TABLE aside") {
		database(t, filepath.Join(dir, "esnaf.db"), text) // each reads the schema anew
	}
	return dir
}

// commandSays runs a command on a folder.
type commandSays struct {
	command, says string
	code          int
}

func (c commandSays) on(t *testing.T, dir string) {
	t.Helper()
	r := run(t, program(t, append(strings.Fields(c.command), "--data", dir)...))
	if r.code != c.code || !strings.Contains(r.out, c.says) || lines.MatchString(r.out) {
		t.Errorf("%s: %+v, want %q", c.command, r, c.says)
	}
}

// TestAnIndexThatIsBehind has a row too few in an index, and a row too many: the index is
// made anew, and no backup is asked for.
func TestAnIndexThatIsBehind(t *testing.T) {
	t.Parallel()
	for about, change := range map[string]string{
		"too few":  "INSERT INTO companies (tenant, id, version, updated_at, search, code, name_key, doc) VALUES ('t', 'c', 1, 1, '', 'C', '', '{}')",
		"too many": "DELETE FROM companies WHERE id = 'b'",
	} {
		t.Run(about, func(t *testing.T) {
			t.Parallel()
			dir := behindIts(t, "companies_updated", change)
			const behind = "the index companies_updated of companies has not the rows that the table has: esnaf repair indexes --apply makes it anew"
			for _, row := range []commandSays{
				{"check", "  " + behind, 4},
				{"repair indexes", behind, 4},
				{"repair indexes", "found 1, changed nothing", 4},
				{"repair indexes --apply", "found 1, left 0", 0},
				{"repair indexes", "each index has the rows that its table has\n", 0},
				{"check", "file       ok", 4}, // the rows are nobody's
			} {
				row.on(t, dir)
			}
		})
	}
}

// TestAnIndexThatCannotBeMade: by an index that is behind, two rows may not be the same. What
// is to become of them only a person knows.
func TestAnIndexThatCannotBeMade(t *testing.T) {
	t.Parallel()
	dir := behindIts(t, "companies_code", "UPDATE companies SET code = 'A' WHERE id = 'b'")
	commandSays{"repair indexes --apply", "the index companies_code of companies cannot be made: the table has two rows that must not be the same by it; stop the server", 4}.on(t, dir)
	commandSays{"repair indexes --apply", "found 1, left 1", 4}.on(t, dir)
}
