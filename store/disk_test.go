package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"esnaf/auth"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// desk is an open store with one account, as the tests inside the package use it.
type desk struct {
	filing *filing
	*DB
	t   *testing.T
	who Who
}

func openDesk(t *testing.T) *desk {
	t.Helper()
	db, err := Open(Options{Dir: t.TempDir(), Clock: clock.NewManual(time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)), IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	d := &desk{DB: db, t: t}
	err = db.Write(context.Background(), Who{}, func(tx *Tx) error {
		tenant, err := tx.CreateTenant(trade.Tenant{Name: "Örnek", TaxNumber: trade.CompleteVKN("111222333")})
		d.who.Tenant = tenant.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// add tries to add a company of some size.
func (d *desk) add(name string) error {
	return d.Write(context.Background(), d.who, func(tx *Tx) error {
		_, err := tx.CreateCompany(trade.Company{Name: name, Meta: trade.Meta{Notes: strings.Repeat("x", 2000)}})
		return err
	})
}

func (d *desk) count() (n int) {
	d.t.Helper()
	err := d.Read(context.Background(), d.who, func(v *View) error {
		return v.row("SELECT count(*) FROM companies WHERE tenant = ?", d.who.Tenant).Scan(&n)
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return n
}

// A database that may not grow: writes are Unavailable, reads go on, and once
// there is room writes work again without a restart.
func TestAFullDatabase(t *testing.T) {
	d := openDesk(t)
	limit := func(pages int) {
		err := d.Write(context.Background(), Who{}, func(tx *Tx) error { return tx.script(fmt.Sprintf("PRAGMA max_page_count = %d", pages)) })
		if err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // SQLite makes it the present size
	added, failed := 0, 0
	for i := range 50 {
		if err := d.add(fmt.Sprint(i)); err == nil {
			added++
		} else if failed++; trade.KindOf(err) != trade.Unavailable {
			t.Fatalf("a full database says %v", err)
		}
		if got := d.count(); got != added {
			t.Fatalf("%d companies, %d were answered for", got, added)
		}
	}
	if failed == 0 {
		t.Fatal("the database did not fill up")
	}
	limit(1 << 30)
	if err := d.add("after"); err != nil || d.count() != added+1 {
		t.Errorf("with room again: %v, %d companies", err, d.count())
	}
	d.whole()
}

// whole asks SQLite whether the file is in order.
func (d *desk) whole() {
	d.t.Helper()
	var verdict string
	err := d.Read(context.Background(), Who{}, func(v *View) error { return v.row("PRAGMA integrity_check").Scan(&verdict) })
	if err != nil || verdict != "ok" {
		d.t.Errorf("integrity: %s, %v", verdict, err)
	}
}

// fullDisk makes the files of this process take no more bytes, as those of a full
// disk: a change is made in memory, and its COMMIT fails.
func fullDisk(t *testing.T) (lift func()) {
	t.Helper()
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	lift = func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(lift)
	return lift
}

// A COMMIT that fails takes the whole group with it: everyone is told, nothing is
// remembered, woken or kept of it, the store says it is not ready, and all is
// well again as soon as the disk is.
func TestACommitThatFails(t *testing.T) {
	d := openDesk(t)
	if err := d.add("before"); err != nil {
		t.Fatal(err)
	}
	d.Plan(context.Background(), d.who.Tenant)
	lift := fullDisk(t)
	woken := d.Wake()
	rep, replayed, err := d.WriteOnce(context.Background(), d.who, Once{Key: "k", Print: []byte("p"), Refusal: func(error) (Reply, bool) { return Reply{}, false }}, func(tx *Tx) (Reply, error) {
		tx.queued = true
		tx.afterCommit(func() { t.Error("what waits for the commit ran without one") })
		_, err := tx.SetPlan(trade.PlanStandard)
		return Reply{Status: 201}, err
	})
	if trade.KindOf(err) != trade.Unavailable || rep.Status != 0 || replayed {
		t.Errorf("answered %+v, %v", rep, err)
	}
	if err := d.add("during"); trade.KindOf(err) != trade.Unavailable {
		t.Errorf("the next change: %v", err)
	}
	if err := d.Ready(context.Background()); trade.KindOf(err) != trade.Unavailable {
		t.Errorf("ready, with a disk that takes nothing: %v", err)
	}
	if d.count() != 1 || d.Plan(context.Background(), d.who.Tenant) != trade.PlanEnterprise {
		t.Errorf("%d companies, plan %s", d.count(), d.Plan(context.Background(), d.who.Tenant))
	}
	select {
	case <-woken:
		t.Error("a worker was woken")
	default:
	}
	lift()
	if err := d.Ready(context.Background()); err != nil {
		t.Errorf("not ready, with a disk that works: %v", err)
	}
	rep, replayed, err = d.WriteOnce(context.Background(), d.who, Once{Key: "k", Print: []byte("p")}, func(tx *Tx) (Reply, error) { return Reply{Status: 201}, nil })
	if err != nil || replayed || rep.Status != 201 {
		t.Errorf("the repeat: %+v, replayed %v, %v", rep, replayed, err)
	}
	if err := d.add("after"); err != nil || d.count() != 2 {
		t.Errorf("%d companies, %v", d.count(), err)
	}
	d.whole()
}

// Of those that ask whether the store is ready while a disk hangs, one look waits for it:
// who leaves does not, and who stays gets its result.
func TestOneProbeAtATime(t *testing.T) {
	d := openDesk(t)
	let, began, wrote := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		wrote <- d.Write(context.Background(), d.who, func(*Tx) error { close(began); <-let; return nil })
	}()
	<-began
	d.health.ailing.Store(true)
	stay := make(chan error)
	for range 3 {
		go func() { stay <- d.Ready(context.Background()) }()
	}
	for len(d.jobs) == 0 { // the change that tells whether the disk takes any
		time.Sleep(time.Millisecond)
	}
	gone, leave := context.WithCancel(context.Background())
	leave()
	for range 20 {
		if err := d.Ready(gone); !errors.Is(err, context.Canceled) || trade.KindOf(err) != trade.Unavailable {
			t.Errorf("who left: %v", err)
		}
	}
	if n := len(d.jobs); n != 1 {
		t.Errorf("%d looks are under way", n)
	}
	close(let)
	for range 3 {
		if err := <-stay; err != nil {
			t.Error(err)
		}
	}
	if err := <-wrote; err != nil || d.health.ailing.Load() {
		t.Errorf("%v, or it does not work", err)
	}
}

// When keys were last used is not forgotten while it cannot be written down; a key used
// again meanwhile has its later use.
func TestUsesOfKeysOutliveAFullDisk(t *testing.T) {
	d := openDesk(t)
	var keys [2]Key
	err := d.Write(context.Background(), d.who, func(tx *Tx) (err error) {
		for i := range keys {
			if keys[i], _, err = tx.CreateKey(LiveKey, "anahtar", auth.AllScopes(), 0, 0); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	first := trade.At(d.clock.Now())
	d.KeyUsed(keys[0].ID)
	d.KeyUsed(keys[1].ID)
	lift := fullDisk(t)
	if err := d.SaveKeyUses(context.Background()); trade.KindOf(err) != trade.Unavailable {
		t.Errorf("with a disk that takes nothing: %v", err)
	}
	lift()
	d.clock.(*clock.Manual).Advance(time.Minute)
	d.KeyUsed(keys[1].ID)
	if err := d.SaveKeyUses(context.Background()); err != nil {
		t.Fatal(err)
	}
	err = d.Read(context.Background(), d.who, func(v *View) error {
		got, err := v.ListKeys(LiveKey)
		want := map[string]trade.Instant{keys[0].ID: first, keys[1].ID: trade.At(d.clock.Now())}
		for _, k := range got {
			if k.UsedAt != want[k.ID] {
				t.Errorf("last used %s, want %s", k.UsedAt, want[k.ID])
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Those who wait together are told together, those whose change was refused
// anyway as they would have been.
func TestAGroupWhoseCommitFails(t *testing.T) {
	d := openDesk(t)
	begun, goOn := make(chan struct{}), make(chan struct{})
	first := make(chan error)
	go func() {
		first <- d.Write(context.Background(), d.who, func(*Tx) error { close(begun); <-goOn; return nil })
	}()
	<-begun
	errs := make(chan error, 20)
	for i := range 20 {
		go func() {
			if i%4 == 0 {
				errs <- d.add("") // refused: it has no name
				return
			}
			errs <- d.add(fmt.Sprint(i))
		}()
	}
	for len(d.jobs) < 20 {
		time.Sleep(time.Millisecond) // there is no channel to hear of a job that waits
	}
	lift := fullDisk(t)
	close(goOn)
	if err := <-first; err != nil { // it is written before them, and has nothing to write
		t.Error(err)
	}
	kinds := map[trade.Kind]int{}
	for range 20 {
		kinds[trade.KindOf(<-errs)]++
	}
	lift()
	if kinds[trade.Unavailable] != 15 || kinds[trade.Invalid] != 5 || d.count() != 0 {
		t.Errorf("told %v, %d companies", kinds, d.count())
	}
	if err := d.add("after"); err != nil {
		t.Error(err)
	}
}

// A connection that breaks in the middle of a change costs that change alone.
func TestABrokenWriterIsMadeAnew(t *testing.T) {
	d := openDesk(t)
	for range 3 {
		err := d.Write(context.Background(), d.who, func(tx *Tx) error {
			if _, err := tx.CreateCompany(trade.Company{Name: "verloren"}); err != nil {
				return err
			}
			tx.close()
			return nil
		})
		if trade.KindOf(err) != trade.Unavailable {
			t.Errorf("got %v", err)
		}
		if err := d.add("kept"); err != nil {
			t.Error(err)
		}
	}
	if d.count() != 3 {
		t.Errorf("%d companies, want 3", d.count())
	}
}

// However a reader's use ends, the next one sees what is committed then.
func TestReadersComeBackClean(t *testing.T) {
	d := openDesk(t)
	boom := errors.New("boom")
	for i, end := range []func(v *View) error{
		func(v *View) error { return boom },
		func(v *View) error { panic("a bug") },
		func(v *View) error {
			_, err := v.query("SELECT id FROM tenants UNION ALL SELECT id FROM companies")
			return err
		}, // rows left open
		func(v *View) error { _, err := v.exec("COMMIT"); return err },
		func(v *View) error { _, err := v.query("SELECT nonsense"); return err },
		func(v *View) error { v.close(); return boom },
		func(v *View) error { _, err := v.exec("DELETE FROM companies"); return err }, // readers cannot write
	} {
		for range 2 * readers {
			func() {
				defer func() { recover() }()
				d.Read(context.Background(), d.who, func(v *View) error {
					if _, err := Companies.List.Page(v, trade.Query{Limit: 1}, nil); err != nil {
						t.Errorf("case %d: %v", i, err)
					}
					return end(v)
				})
			}()
		}
		if err := d.add("one more"); err != nil {
			t.Error(err)
		}
		for range 2 * readers {
			if got := d.count(); got != i+1 {
				t.Errorf("case %d: a reader sees %d companies of %d", i, got, i+1)
			}
		}
	}
}

// Ever new questions do not make ever new statements.
func TestStatementsAreBounded(t *testing.T) {
	d := openDesk(t)
	for i := range 2000 {
		err := d.Read(context.Background(), d.who, func(v *View) error {
			if len(v.stmts) > maxStatements+50 {
				t.Fatalf("%d statements are kept", len(v.stmts))
			}
			var n int
			return v.row(fmt.Sprintf("SELECT %d", i)).Scan(&n)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A statement inside another one's rows would wait for itself for ever. That, as any
// panic there, is the error of its change; the connection goes on.
func TestAPanicAmongRowsIsAnErrorOfItsChange(t *testing.T) {
	d := openDesk(t)
	for about, fn := range map[string]func(*Tx) bool{
		"a statement inside another one": func(tx *Tx) bool { _, err := tx.any("SELECT 1 FROM companies"); return err == nil },
		"nil pointer":                    func(tx *Tx) bool { return (*Tx)(nil).queued },
	} {
		var row [1]any
		err := d.Write(context.Background(), d.who, func(tx *Tx) error {
			return tx.each(row[:], "SELECT id FROM tenants", nil, func() bool { return fn(tx) })
		})
		if err == nil || !strings.Contains(err.Error(), about) {
			t.Errorf("%s: %v", about, err)
		}
		if err := d.add(about); err != nil {
			t.Errorf("the change after %s: %v", about, err)
		}
	}
}
