package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

func reopen(dir string) (*store.DB, error) {
	return store.Open(store.Options{Dir: dir, Clock: clock.NewManual(start), IDs: clock.RandomIDs()})
}

// Acceptance D15: whatever the umask, only the owner reads what is kept.
func TestFilesArePrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	dir := filepath.Join(t.TempDir(), "a", "b")
	db, err := reopen(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { db.Close() }()
	err = db.Write(context.Background(), store.Who{}, func(tx *store.Tx) error {
		_, err := tx.CreateTenant(trade.Tenant{Name: "x", TaxNumber: trade.CompleteVKN("111222333")})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		want := os.FileMode(0o600)
		if info.IsDir() {
			want = 0o700 | os.ModeDir
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", path, info.Mode(), want)
		}
		seen++
		return err
	})
	if err != nil || seen != 6 { // the folder, esnaf.db with -wal and -shm, keys.json, lock
		t.Errorf("%d files seen, %v", seen, err)
	}
	keys := filepath.Join(dir, "keys.json")
	if err := errors.Join(db.Close(), os.Chmod(keys, 0o644)); err != nil {
		t.Fatal(err)
	}
	if db, err = reopen(dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(keys); err != nil || info.Mode() != 0o600 {
		t.Errorf("copied keys have mode %v, %v", info.Mode(), err)
	}
}

// A folder that is there already is taken over; what else is in it stays as it
// is.
func TestAFolderWithOtherFilesIsTakenOver(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "notes.txt")
	if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(foreign, []byte("mine"), 0o644), os.Mkdir(filepath.Join(dir, "sub"), 0o755)); err != nil {
		t.Fatal(err)
	}
	db, err := reopen(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Ready(context.Background()), db.Close()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(foreign)
	info, err2 := os.Stat(foreign)
	if err := errors.Join(err, err2); err != nil || string(text) != "mine" || info.Mode() != 0o644 {
		t.Errorf("the other file: %q, %v", text, err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder: %v, %v", info.Mode(), err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "esnaf.db*"))
	if err != nil || len(left) != 1 {
		t.Errorf("after closing there is %q, want the database alone", left)
	}
}

// Names of folders may hold anything that a file system takes.
func TestFoldersWithOddNames(t *testing.T) {
	for _, name := range []string{"veri klasörü", "a?b#c", "100%41", "x&_pragma=query_only(1)", "tek'tırnak"} {
		dir := filepath.Join(t.TempDir(), name)
		db, err := reopen(dir)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := db.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "esnaf.db")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A folder that cannot be opened is left as it is, free for the next try, and
// the reason can be read.
func TestWhatCannotBeOpened(t *testing.T) {
	for about, test := range map[string]struct {
		spoil func(t *testing.T, dir string)
		says  string
	}{
		"a newer schema": {func(t *testing.T, dir string) {
			if _, err := file(t, dir).Exec("PRAGMA user_version = 99"); err != nil {
				t.Fatal(err)
			}
		}, "use a newer esnaf"},
		"no database": {func(t *testing.T, dir string) { spoil(t, dir, "esnaf.db", strings.Repeat("no database ", 1000)) }, "esnaf.db is not a database, or it is damaged: put a copy"},
		"keys of another folder": {func(t *testing.T, dir string) {
			spoil(t, dir, "keys.json", string(newKeys(t)))
		}, "keys.json belongs to another database"},
		"spoilt keys": {func(t *testing.T, dir string) { spoil(t, dir, "keys.json", "{}") }, "keys"},
		"not a folder": {func(t *testing.T, dir string) {
			os.RemoveAll(dir)
			spoil(t, filepath.Dir(dir), filepath.Base(dir), "a file")
		}, "folder"},
	} {
		t.Run(about, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			db, err := reopen(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			test.spoil(t, dir)
			for range 2 { // the first try lets go of the folder
				_, err := reopen(dir)
				if err == nil || !strings.Contains(err.Error(), test.says) || errors.Is(err, store.ErrBusy) {
					t.Errorf("opened with %v, want a word of %q", err, test.says)
				}
			}
		})
	}
}

// Where esnaf.db is a link, the log of a server that was killed lies beside what the link
// leads to. It is read there, and nothing is left behind by looking at it.
func TestALinkedDatabaseAfterACrash(t *testing.T) {
	disk, dir := t.TempDir(), t.TempDir()
	link := func(dir, target string) {
		if err := os.Symlink(target, filepath.Join(dir, "esnaf.db")); err != nil {
			t.Fatal(err)
		}
	}
	link(dir, filepath.Join(disk, "live.db"))
	b := openIn(t, dir, clock.NewManual(start))
	crashed := t.TempDir()
	for from, to := range map[string]string{
		filepath.Join(disk, "live.db"):     filepath.Join(disk, "crashed.db"),
		filepath.Join(disk, "live.db-wal"): filepath.Join(disk, "crashed.db-wal"),
		filepath.Join(dir, "keys.json"):    filepath.Join(crashed, "keys.json"),
	} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		spoil(t, filepath.Dir(to), filepath.Base(to), string(text))
	}
	link(crashed, filepath.Join(disk, "crashed.db"))
	keys := filepath.Join(crashed, "keys.json")
	own, _ := os.ReadFile(keys)
	spoil(t, crashed, "keys.json", string(newKeys(t)))
	if _, err := reopen(crashed); err == nil || !strings.Contains(err.Error(), "belongs to another database") {
		t.Errorf("with other keys: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(disk, "crashed*")); len(left) != 2 {
		t.Errorf("looking left %q", left)
	}
	spoil(t, crashed, "keys.json", string(own))
	db, err := reopen(crashed)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if all, err := db.ListTenants(t.Context()); err != nil || len(all) != 1 || all[0].ID != b.who.Tenant {
		t.Errorf("the accounts are %v, %v", all, err)
	}
}

// newKeys are those of a folder of their own.
func newKeys(t *testing.T) []byte {
	t.Helper()
	keys, err := auth.NewKeyring(clock.RandomIDs(), start)
	if err != nil {
		t.Fatal(err)
	}
	return keys.Marshal()
}

func spoil(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The folder's secrets outlive a restart; without them nothing sealed is read.
func TestKeysOutliveARestart(t *testing.T) {
	b := open(t)
	seal := b.Keys().Derive("x")
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	again := openIn(t, b.Dir(), b.clock)
	if again.Keys().Derive("x") != seal {
		t.Error("the restart made other keys")
	}
	since := again.Keys().SigningSince()
	again.Close()
	b.clock.Set(start.AddDate(0, 0, 91))
	third := openIn(t, b.Dir(), b.clock)
	if third.Keys().Derive("x") != seal || !third.Keys().SigningSince().After(since) {
		t.Error("after 90 days the signing key must have a successor, and what is sealed stay readable")
	}
}

// A folder from before keys were told apart is judged by its webhooks' secrets, and has
// a mark from then on.
func TestKeysOfAFolderWithoutAMark(t *testing.T) {
	b := open(t)
	b.webhook(b.who, trade.Webhook{Event: "*", URL: "https://example.com/"})
	own, err := os.ReadFile(filepath.Join(b.Dir(), "keys.json"))
	if err := errors.Join(err, b.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := file(t, b.Dir()).Exec("DELETE FROM seal"); err != nil {
		t.Fatal(err)
	}
	other := string(newKeys(t))
	for _, step := range []struct {
		keys  string
		opens bool
	}{{other, false}, {string(own), true}, {other, false}, {string(own), true}} {
		spoil(t, b.Dir(), "keys.json", step.keys)
		db, err := reopen(b.Dir())
		if (err == nil) != step.opens {
			t.Fatalf("opened with %v", err)
		}
		if err == nil {
			db.Close()
		}
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM seal"); n != 1 {
		t.Errorf("%d marks", n)
	}
}

// Closing ends what is under way in order: each change was either made or is
// refused, and nothing hangs.
func TestClosingUnderLoad(t *testing.T) {
	b := open(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	made := 0
	begun := make(chan struct{}, 1000)
	for w := range 16 {
		wg.Go(func() {
			for i := 0; ; i++ {
				err := b.Write(context.Background(), b.who, func(tx *store.Tx) error { _, err := tx.CreateCompany(named(w*1000 + i)); return err })
				if readErr := b.Read(context.Background(), b.who, func(v *store.View) error { return nil }); err == nil && readErr != nil && trade.KindOf(readErr) != trade.Unavailable {
					t.Error(readErr)
				}
				if err != nil {
					if trade.KindOf(err) != trade.Unavailable {
						t.Error(err)
					}
					return
				}
				mu.Lock()
				made++
				mu.Unlock()
				select {
				case begun <- struct{}{}:
				default:
				}
			}
		})
	}
	for range 50 {
		<-begun
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if err := b.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
	if got := b.companies(b.who); got != made {
		t.Errorf("%d companies, %d were answered for", got, made)
	}
	if err := b.Ready(context.Background()); trade.KindOf(err) != trade.Unavailable {
		t.Errorf("a closed store is ready: %v", err)
	}
}

// A folder of others keeps its mode, and one into which everybody may write is refused
// when it holds more than our data.
func TestTheModeOfTheFolder(t *testing.T) {
	for name, row := range map[string]struct {
		before, after os.FileMode
		other, refuse string
	}{
		"empty":              {0o777, 0o700, "", ""},
		"with a file":        {0o755, 0o755, "notes.txt", ""},
		"open, with a file":  {0o777, 0o777, "notes.txt", "everybody may write into the folder"},
		"with its settings":  {0o755, 0o700, "esnaf.yaml", ""},
		"ours, opened since": {0o777, 0o700, "keys.json.new", ""},
	} {
		dir := filepath.Join(t.TempDir(), "data")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if row.other != "" {
			if err := os.WriteFile(filepath.Join(dir, row.other), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(dir, row.before); err != nil {
			t.Fatal(err)
		}
		db, err := store.Open(store.Options{Dir: dir, Clock: clock.System{}, IDs: clock.RandomIDs()})
		if err == nil {
			err = db.Close()
		}
		if (err != nil) != (row.refuse != "") || err != nil && !strings.Contains(err.Error(), row.refuse) {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != row.after {
			t.Errorf("%s: %v is left, %v", name, info.Mode(), err)
		}
	}
}
