package store_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// The test binary starts itself as the child that is killed.
const crashDir, crashTenant, crashRound = "ESNAF_TEST_CRASH_DIR", "ESNAF_TEST_CRASH_TENANT", "ESNAF_TEST_CRASH_ROUND"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		if accounts := strings.Fields(os.Getenv(crashAccounts)); len(accounts) > 0 {
			transferUntilKilled(dir, os.Getenv(crashTenant), os.Getenv(crashRound), accounts)
		} else {
			workUntilKilled(dir, os.Getenv(crashTenant), os.Getenv(crashRound))
		}
		return
	}
	os.Exit(max(m.Run(), scanned()))
}

// workUntilKilled lets 16 writers make companies and send invoices, a third of
// which cannot be sent. Before each change it says "try", and once it is answered
// for "did", with what was made.
func workUntilKilled(dir, tenant, round string) {
	db, err := store.Open(store.Options{Dir: dir, Clock: clock.System{}, IDs: clock.RandomIDs()})
	if err != nil {
		fmt.Println("fail open", err)
		return
	}
	who := store.Who{Tenant: tenant, Actor: "usr_1", Interface: 'A'}
	var good, bad trade.Company
	err = db.Write(context.Background(), who, func(tx *store.Tx) error {
		if err := into(&good)(tx.CreateCompany(buyer())); err != nil {
			return err
		}
		return into(&bad)(tx.CreateCompany(named(0)))
	})
	if err != nil {
		fmt.Println("fail begin", err)
		return
	}
	var wg sync.WaitGroup
	for w := range 16 {
		wg.Go(func() {
			for i := 0; ; i++ {
				key := fmt.Sprintf("%s-%d-%d", round, w, i)
				fmt.Println("try", key)
				_, _, err := db.WriteOnce(context.Background(), who, once(key, "p"), adding(trade.Company{Name: key}))
				say("did", key, err)
				var v trade.Invoice
				company, fails := good.ID, i%3 == 2
				if fails {
					company = bad.ID
				}
				err = db.Write(context.Background(), who, func(tx *store.Tx) error {
					if err := into(&v)(tx.CreateInvoice(draft(company))); err != nil {
						return err
					}
					return into(&v)(tx.SendInvoice(v.ID))
				})
				if !fails {
					say("sent", v.Number, err)
				}
			}
		})
	}
	wg.Wait()
}

func say(what, of string, err error) {
	if err != nil {
		what, of = "fail", of+" "+err.Error()
	}
	fmt.Println(what, of)
}

// Acceptance D1, I11, M4, W21: whenever the process is killed, what was answered
// for is there, nothing is there by halves, and a repeat does nothing twice.
func TestKillingTheProcess(t *testing.T) {
	b := open(t)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	tried, done := map[string]bool{}, 0
	for round := range 10 {
		said := killedAfter(t, b.Dir(), b.who.Tenant, round)
		again, err := store.Open(store.Options{Dir: b.Dir(), Clock: clock.System{}, IDs: clock.RandomIDs()})
		if err != nil {
			t.Fatal(err)
		}
		for _, number := range said["sent"] {
			if n := sqlRow[int](b, "SELECT count(*) FROM invoices WHERE number = ? AND status = 'QUEUED'", number); n != 1 {
				t.Errorf("round %d: %s was answered for and is there %d times", round, number, n)
			}
		}
		answered := map[string]bool{}
		for _, key := range said["did"] {
			answered[key] = true
		}
		for _, key := range said["try"] {
			_, replayed, err := again.WriteOnce(context.Background(), b.who, once(key, "p"), adding(trade.Company{Name: key}))
			if err != nil || answered[key] && !replayed {
				t.Errorf("round %d: %s again: replayed %v, %v", round, key, replayed, err)
			}
			tried[key] = true
		}
		done += len(said["did"]) + len(said["sent"])
		if err := again.Close(); err != nil {
			t.Error(err)
		}
		checkWhole(t, file(t, b.Dir()))
	}
	names := sqlRows[string](b, "SELECT doc ->> 'name' FROM companies WHERE tenant = ? AND doc ->> 'name' LIKE '%-%-%'", b.who.Tenant)
	for _, name := range names {
		if !tried[name] {
			t.Errorf("company %s is there twice, or nobody asked for it", name)
		}
		delete(tried, name)
	}
	if len(tried) > 0 || done < 100 {
		t.Errorf("%d companies are missing; %d changes were answered for in all", len(tried), done)
	}
}

// killedAfter starts the child, kills it at some moment after its first answer and
// returns what it said.
func killedAfter(t *testing.T, dir, tenant string, round int) map[string][]string {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), crashDir+"="+dir, crashTenant+"="+tenant, fmt.Sprintf("%s=%d", crashRound, round))
	var trouble bytes.Buffer
	child.Stderr = &trouble
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	said := map[string][]string{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		what, of, _ := strings.Cut(lines.Text(), " ")
		if said[what] = append(said[what], of); what == "did" && len(said["did"]) == 1 {
			time.AfterFunc(time.Duration(20+rand.IntN(300))*time.Millisecond, func() { child.Process.Kill() })
		}
	}
	child.Wait()
	if len(said["fail"]) > 0 || len(said["did"]) == 0 {
		child.Process.Kill()
		t.Fatalf("the child did %d and failed %q; %s", len(said["did"]), said["fail"], trouble.String())
	}
	return said
}

// checkWhole checks that nothing is there by halves: the file, the numbers, the
// events of each change, the audit chain.
func checkWhole(t *testing.T, db *sql.DB) {
	t.Helper()
	one := func(text string) (s string) {
		if err := db.QueryRow(text).Scan(&s); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		return s
	}
	if got := one("PRAGMA integrity_check"); got != "ok" {
		t.Errorf("integrity: %s", got)
	}
	if _, err := checkAudit(db); err != nil {
		t.Error(err)
	}
	if _, err := checkEvents(db); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"SELECT count(*) FROM pragma_foreign_key_check": "0",
		// the legal numbers are exactly those drawn
		"SELECT count(*) || ' to ' || coalesce(max(number), '') FROM invoices WHERE number NOT LIKE 'DRAFT%'": one("SELECT coalesce(max(last), 0) || ' to ' || coalesce(max(series) || printf('%09d', max(last)), '') FROM numbers WHERE series LIKE 'EAR%'"),
		"SELECT count(*) FROM invoices WHERE number LIKE 'DRAFT%'":                                            "0",
		"SELECT count(*) FROM courier":                                      one("SELECT count(*) FROM invoices"),
		"SELECT count(*) FROM events WHERE event = 'company.created'":       one("SELECT count(*) FROM companies"),
		"SELECT count(*) FROM audit WHERE action = 'company.create'":        one("SELECT count(*) FROM companies"),
		"SELECT count(*) FROM events WHERE event = 'invoice.queued'":        one("SELECT count(*) FROM invoices"),
		"SELECT count(*) FROM audit WHERE action = 'invoice.send'":          one("SELECT count(*) FROM invoices"),
		"SELECT count(*) FROM replies WHERE status = 201":                   one("SELECT count(*) FROM companies WHERE doc ->> 'name' LIKE '%-%-%'"),
		"SELECT count(DISTINCT id) FROM words WHERE kind = 'cmp'":           one("SELECT count(*) FROM companies JOIN files ON name = 'companies' WHERE n <= upto"),
		"SELECT count(*) FROM companies WHERE version <> doc ->> 'version'": "0",
	} {
		if got := one(text); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
