package cli_test

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// doors are all commands that open a data folder.
var doors = []string{
	"serve --listen 127.0.0.1:0", "check", "repair stock --apply", "repair indexes --apply",
	"tenant create --name Ada --tax-number 1234567890 --master-email ada@example.com --master-password correct-horse",
	"tenant list", "tenant plan --tenant x --plan standard",
	"user create --tenant x --email ada@example.com --role SALES --password correct-horse", "user limit --tenant x --email ada@example.com",
	"user password --email ada@example.com --password correct-horse", "user disable --email ada@example.com", "user enable --email ada@example.com", "user list --tenant x",
	"key create --tenant x --name n --scopes all", "key list --tenant x", "key rescope key_x --scopes all", "key rotate key_x", "key revoke key_x",
	"taxpayers import list.zip", "import companies list.csv --tenant x",
}

// contents is every file of a folder with its mode and a sum of its bytes.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.Walk(dir, func(path string, info fs.FileInfo, err error) error {
		if err != nil || !info.Mode().IsRegular() {
			all[path] = info.Mode().String()
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = fmt.Sprintf("%v %d %x", info.Mode(), len(text), sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// database makes a file of another program, or changes one of ours.
func database(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err == nil {
		_, err = db.Exec(text)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// halves are folders of which a part is gone, or another than it should be.
var halves = []struct {
	name, says string // what is said, parted by |
	spoil      func(t *testing.T, dir string)
}{
	{"no keys", "keys.json is missing|put it back", func(t *testing.T, dir string) { remove(t, dir, "keys.json") }},
	{"keys alone", "esnaf.db is missing (what is left: keys.json): put|copy of the whole data folder", func(t *testing.T, dir string) { remove(t, dir, "esnaf.db", "lock") }},
	{"keys and a log", "esnaf.db is missing (what is left: keys.json and esnaf.db-wal): put|copy of the whole data folder", func(t *testing.T, dir string) {
		remove(t, dir, "esnaf.db")
		put(t, dir, "esnaf.db-wal", "what was paid since")
	}},
	{"a log alone", "esnaf.db is missing (what is left: esnaf.db-wal)", func(t *testing.T, dir string) {
		remove(t, dir, "esnaf.db", "keys.json", "lock")
		put(t, dir, "esnaf.db-wal", "what was paid since")
	}},
	{"an empty database and keys", "esnaf.db is empty|copy of the whole data folder", func(t *testing.T, dir string) { put(t, dir, "esnaf.db", "") }},
	{"an empty database and a journal", "esnaf.db is empty|copy of the whole data folder", func(t *testing.T, dir string) {
		put(t, dir, "esnaf.db", "")
		put(t, dir, "esnaf.db-journal", strings.Repeat("\x00", 512))
	}},
	{"a database without tables", "it holds nothing|copy of the whole data folder", func(t *testing.T, dir string) {
		remove(t, dir, "esnaf.db")
		database(t, filepath.Join(dir, "esnaf.db"), "PRAGMA journal_mode = WAL")
	}},
	{"a database without tables and a log", "it holds nothing|copy of the whole data folder", func(t *testing.T, dir string) {
		remove(t, dir, "esnaf.db")
		database(t, filepath.Join(dir, "esnaf.db"), "PRAGMA journal_mode = WAL")
		put(t, dir, "esnaf.db-wal", "\x37\x7f\x06\x82"+strings.Repeat("\x00", 28))
	}},
	{"a database without tables where the link leads", "it holds nothing|copy of the whole data folder", func(t *testing.T, dir string) {
		remove(t, dir, "esnaf.db")
		database(t, away(t, dir), "PRAGMA journal_mode = WAL")
	}},
	{"an empty database alone", "esnaf.db is empty", func(t *testing.T, dir string) {
		remove(t, dir, "keys.json", "lock")
		put(t, dir, "esnaf.db", "")
	}},
	{"an empty database and a log", "esnaf.db is empty", func(t *testing.T, dir string) {
		put(t, dir, "esnaf.db", "")
		put(t, dir, "esnaf.db-wal", "what was paid since")
	}},
	{"a database without tables and no keys", "it holds nothing|copy of the whole data folder", func(t *testing.T, dir string) {
		remove(t, dir, "esnaf.db", "keys.json")
		database(t, filepath.Join(dir, "esnaf.db"), "CREATE TABLE t (x); DROP TABLE t")
	}},
	{"no database where the link leads", "esnaf.db is missing (what is left: keys.json)", func(t *testing.T, dir string) {
		remove(t, dir, "esnaf.db")
		if err := os.Symlink("elsewhere.db", filepath.Join(dir, "esnaf.db")); err != nil {
			t.Fatal(err)
		}
	}},
	{"another program's", "esnaf.db cannot be opened: it is the database of another program|name another data folder", func(t *testing.T, dir string) {
		remove(t, dir, "esnaf.db", "keys.json", "lock")
		database(t, filepath.Join(dir, "esnaf.db"), "CREATE TABLE t (x)")
	}},
	{"another program's, with a version", "database of another program", func(t *testing.T, dir string) {
		remove(t, dir, "esnaf.db")
		database(t, filepath.Join(dir, "esnaf.db"), "CREATE TABLE t (x); PRAGMA user_version = 5")
	}},
	{"another program's, in its log", "database of another program", func(t *testing.T, dir string) {
		remove(t, dir, "esnaf.db")
		other := filepath.Join(t.TempDir(), "other.db")
		db, err := sql.Open("sqlite", "file:"+other+"?_pragma=journal_mode(WAL)")
		if err == nil {
			_, err = db.Exec("CREATE TABLE t (x)")
		}
		if err != nil {
			t.Fatal(err)
		}
		for from, to := range map[string]string{other: "esnaf.db", other + "-wal": "esnaf.db-wal"} { // as a crash leaves them
			text, err := os.ReadFile(from)
			if err != nil || len(text) == 0 {
				t.Fatal(err)
			}
			put(t, dir, to, string(text))
		}
		db.Close()
	}},
	{"a newer esnaf's", "the database has schema 99|use a newer esnaf", func(t *testing.T, dir string) {
		database(t, filepath.Join(dir, "esnaf.db"), "PRAGMA user_version = 99")
	}},
	{"no database", "esnaf.db is not a database, or it is damaged|copy of the whole data folder", func(t *testing.T, dir string) { put(t, dir, "esnaf.db", strings.Repeat("rubbish ", 1000)) }},
	{"half a database", "esnaf.db is not a database, or it is damaged", func(t *testing.T, dir string) {
		if err := os.Truncate(filepath.Join(dir, "esnaf.db"), 10000); err != nil {
			t.Fatal(err)
		}
	}},
	{"keys that are none", "keys.json is not readable as keys", func(t *testing.T, dir string) { put(t, dir, "keys.json", "{}") }},
	{"another folder's keys", "keys.json belongs to another database|put back the one", func(t *testing.T, dir string) {
		other := filepath.Join(t.TempDir(), "other")
		createTenant(t, other)
		text, err := os.ReadFile(filepath.Join(other, "keys.json"))
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, "keys.json", string(text))
	}},
	{"a folder for the keys", "keys.json is no regular file", func(t *testing.T, dir string) {
		remove(t, dir, "keys.json")
		if err := os.Mkdir(filepath.Join(dir, "keys.json"), 0o700); err != nil {
			t.Fatal(err)
		}
	}},
	{"a folder for the log's index", "esnaf.db-shm is no regular file", func(t *testing.T, dir string) {
		if err := os.Mkdir(filepath.Join(dir, "esnaf.db-shm"), 0o700); err != nil {
			t.Fatal(err)
		}
	}},
	{"a folder for the database", "esnaf.db is no regular file", func(t *testing.T, dir string) {
		remove(t, dir, "esnaf.db")
		if err := os.Mkdir(filepath.Join(dir, "esnaf.db"), 0o700); err != nil {
			t.Fatal(err)
		}
	}},
}

func remove(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestHalfAFolder goes to such a folder by every door: it is told what is missing and
// what to do, and finds the folder as it was.
func TestHalfAFolder(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "data")
	createTenant(t, whole)
	for _, row := range halves {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			row.spoil(t, dir)
			before := contents(t, dir)
			for _, door := range doors {
				r := run(t, program(t, append(strings.Fields(door), "--data", dir)...))
				if r.code != 1 || r.out != "" || strings.Count(r.errors, "\n") != 1 {
					t.Errorf("%s: %+v", door, r)
				}
				for says := range strings.SplitSeq(row.says, "|") {
					if !strings.Contains(r.errors, says) {
						t.Errorf("%s says %q and not %q", door, r.errors, says)
					}
				}
				if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
					t.Fatalf("%s changed the folder:\n%s", door, diff)
				}
			}
		})
	}
}

// broken are first starts that were broken off: what they leave has never held anything.
var broken = map[string]func(t *testing.T, dir string){
	"a note alone": func(t *testing.T, dir string) {
		remove(t, dir, "esnaf.db", "keys.json")
		put(t, dir, "esnaf.db.new", "")
	},
	"a note and keys":   func(t *testing.T, dir string) { remove(t, dir, "esnaf.db"); put(t, dir, "esnaf.db.new", "") },
	"a note and a file": func(t *testing.T, dir string) { put(t, dir, "esnaf.db.new", ""); put(t, dir, "esnaf.db", "") },
}

// away makes esnaf.db a link to a file of another folder, and tells which.
func away(t *testing.T, dir string) string {
	t.Helper()
	target := filepath.Join(t.TempDir(), "far.db")
	if err := os.Symlink(target, filepath.Join(dir, "esnaf.db")); err != nil {
		t.Fatal(err)
	}
	return target
}

// TestAStartThatWasBrokenOff leaves parts of a folder that never held anything: the next
// start goes on with them, and until it has, no other command finds data.
func TestAStartThatWasBrokenOff(t *testing.T) {
	t.Parallel()
	for name, breakOff := range broken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			createTenant(t, dir)
			breakOff(t, dir)
			before := contents(t, dir)
			if r := run(t, program(t, "tenant", "list", "--data", dir)); r.code != 1 || !strings.Contains(r.errors, "there is no data in") {
				t.Errorf("%+v", r)
			}
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
				t.Errorf("the folder was changed:\n%s", diff)
			}
			createTenant(t, dir)
			if got := fmt.Sprint(entries(t, dir)); got != "[esnaf.db keys.json lock]" {
				t.Errorf("the folder has %s", got)
			}
			if out := esnaf(t, "tenant", "list", "--data", dir); !strings.Contains(out, "Ada Ltd") {
				t.Errorf("the next start: %s", out)
			}
		})
	}
}
