package standin_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"esnaf/auth"
	"esnaf/server/standin"
	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
	"esnaf/ubl/gib"
)

// noon is the moment of seeding: midday of 27 November 2026 in Turkey.
var noon = time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)

// openDir opens a folder whose clock stands at now and whose ids come from seed.
func openDir(t testing.TB, dir string, now time.Time, seed byte) *store.DB {
	t.Helper()
	db, err := store.Open(store.Options{Dir: dir, Clock: clock.NewManual(now), IDs: clock.SeededIDs([32]byte{seed}), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// open opens a new folder until the test ends.
func open(t testing.TB, now time.Time, seed byte) *store.DB {
	t.Helper()
	db := openDir(t, t.TempDir(), now, seed)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func seed(t testing.TB, db *store.DB, sim *gib.Simulator) standin.Demo {
	t.Helper()
	d, err := standin.Seed(t.Context(), db, sim, "")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// view runs fn on one account.
func view(t testing.TB, db *store.DB, tenant string, fn func(*store.View) error) {
	t.Helper()
	if err := db.Read(t.Context(), store.Who{Tenant: tenant, Actor: "test", Interface: 'A'}, fn); err != nil {
		t.Fatal(err)
	}
}

// all lists every record of one kind in one account, in the order of sort.
func all[T any](t testing.TB, db *store.DB, tenant string, list *store.ListRules, sort string) (recs []T) {
	t.Helper()
	view(t, db, tenant, func(v *store.View) error {
		p, err := list.Page(v, trade.Query{Limit: 200, Sort: sort}, []byte{'['})
		if err != nil || p.More {
			return fmt.Errorf("not one page: more is %v, %w", p.More, err)
		}
		return json.Unmarshal(append(p.Docs, ']'), &recs)
	})
	return recs
}

func invoices(t testing.TB, db *store.DB, tenant string) []trade.Invoice {
	t.Helper()
	return all[trade.Invoice](t, db, tenant, &store.Invoices.List, "number")
}

// credentials gets into the accounts with what Seed returned.
func credentials(t *testing.T, db *store.DB, d standin.Demo) {
	passwords, err := auth.NewPasswords(clock.RandomIDs())
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Tenants) != 2 {
		t.Fatalf("%d accounts, want 2", len(d.Tenants))
	}
	for _, te := range d.Tenants {
		a, ok, err := db.FindAccount(t.Context(), te.MasterEmail)
		if err != nil || !ok {
			t.Fatalf("%s: nobody has this e-mail (%v)", te.MasterEmail, err)
		}
		if right, err := passwords.Verify(t.Context(), te.MasterPassword, a.Password); !right || err != nil {
			t.Errorf("%s: the password is not accepted (%v)", te.MasterEmail, err)
		}
		want := []store.Member{{Tenant: te.ID, Name: te.Name, Role: auth.Master}}
		if diff := cmp.Diff(want, a.Members); diff != "" {
			t.Errorf("%s: accounts (-want +got):\n%s", te.MasterEmail, diff)
		}
		k, err := db.FindKey(t.Context(), auth.HashKey(te.APIKey))
		if err != nil || !k.Alive(noon) || !auth.ValidKeyShape(te.APIKey) {
			t.Errorf("%s: the key %s is not accepted (%v)", te.Name, te.APIKey, err)
		}
		if k.Tenant != te.ID || k.Kind != store.LiveKey || k.Rate != 0 || k.Scopes != auth.KeyScopes() {
			t.Errorf("%s: the key is %+v", te.Name, k)
		}
		if p := db.Plan(t.Context(), te.ID); p != trade.PlanUnlimited {
			t.Errorf("%s: plan %q", te.Name, p)
		}
	}
}

// everything is all that two folders can differ in, as text.
func everything(t *testing.T, db *store.DB, d standin.Demo) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, te := range d.Tenants {
		view(t, db, te.ID, func(v *store.View) error {
			for name, list := range map[string]*store.ListRules{"companies": &store.Companies.List, "products": &store.Products.List, "invoices": &store.Invoices.List, "orders": &store.Orders.List, "shipments": &store.Shipments.List, "bank accounts": &store.BankAccounts.List, "cash accounts": &store.CashAccounts.List, "payments": &store.Payments.List, "transfers": &store.Transfers.List} {
				p, err := list.Page(v, trade.Query{Limit: 200}, nil)
				if err != nil {
					return err
				}
				found[te.Name+" "+name] = string(p.Docs)
			}
			settings, err := v.Settings()
			if err != nil {
				return err
			}
			users, err := v.Users()
			if err != nil {
				return err
			}
			keys, err := v.ListKeys(store.LiveKey)
			found[te.Name] = fmt.Sprintf("%+v\n%+v\n%+v", *settings, users, keys)
			return err
		})
		for _, v := range invoices(t, db, te.ID) {
			found[v.Number] = string(document(t, db, te.ID, v.ID))
		}
		a, _, err := db.FindAccount(t.Context(), te.MasterEmail)
		if err != nil {
			t.Fatal(err)
		}
		found[te.Name+" password"] = te.MasterPassword + " " + a.Password
	}
	return found
}

// document is the XML of an invoice, nil as long as there is none.
func document(t testing.TB, db *store.DB, tenant, invoice string) (xml []byte) {
	t.Helper()
	view(t, db, tenant, func(v *store.View) (err error) {
		xml, _, err = v.Document(invoice)
		return err
	})
	return xml
}

// TestRepeats compares a folder with one of the same clock and ids, which must be
// the same to the byte, and with one that shares neither secrets nor ids nor the
// hour, but the day.
func TestRepeats(t *testing.T) {
	db, twin, cousin := open(t, noon, 1), open(t, noon, 1), open(t, noon.Add(5*time.Hour), 2)
	d, same, other := seed(t, db, nil), seed(t, twin, nil), seed(t, cousin, nil)
	if diff := cmp.Diff(d, same); diff != "" {
		t.Errorf("what Seed returned differs:\n%s", diff)
	}
	if diff := cmp.Diff(everything(t, db, d), everything(t, twin, same)); diff != "" {
		t.Errorf("the folders differ:\n%s", diff)
	}
	for i, a := range d.Tenants {
		b := other.Tenants[i]
		if a.MasterPassword == b.MasterPassword || a.APIKey == b.APIKey {
			t.Errorf("%s: two folders have the same secrets", a.Name)
		}
		if diff := cmp.Diff(content(t, db, a.ID), content(t, cousin, b.ID)); diff != "" {
			t.Errorf("%s: the content of one day differs:\n%s", a.Name, diff)
		}
	}
}

// content is what an account's invoices say, without ids and moments.
func content(t *testing.T, db *store.DB, tenant string) (said []string) {
	t.Helper()
	for _, v := range invoices(t, db, tenant) {
		said = append(said, fmt.Sprint(v.Number, v.Status, v.BuyerName, v.IssueDate, v.DueDate, v.Currency, v.ExchangeRate, v.Total))
		for _, l := range v.Lines {
			said = append(said, fmt.Sprint(l.Code, l.Quantity, l.Unit, l.Discount, l.Total))
		}
	}
	return said
}

// TestSomebodysFolder has the demo meet a firm that works: nothing is added to it.
func TestSomebodysFolder(t *testing.T) {
	db := open(t, noon, 7)
	err := db.Write(t.Context(), store.Who{Actor: "operator"}, func(tx *store.Tx) error {
		_, err := tx.CreateTenant(trade.Tenant{Name: "Ada Ltd", TaxNumber: trade.CompleteVKN("111222333")})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := standin.Seed(t.Context(), db, nil, ""); err == nil || !strings.Contains(err.Error(), "the account of Ada Ltd") {
		t.Errorf("it says %v", err)
	}
	if tenants, err := db.ListTenants(t.Context()); err != nil || len(tenants) != 1 {
		t.Errorf("%d accounts, %v", len(tenants), err)
	}
}

// TestSeededFolder starts on a folder a second time, a day later and with another
// plan.
func TestSeededFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	db := openDir(t, dir, noon, 1)
	first, err := standin.Seed(t.Context(), db, nil, trade.PlanStandard)
	if err != nil {
		t.Fatal(err)
	}
	if p := db.Plan(t.Context(), first.Tenants[0].ID); p != trade.PlanStandard {
		t.Errorf("plan %q, want the one asked for", p)
	}
	before := everything(t, db, first)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	db = openDir(t, dir, noon.AddDate(0, 0, 1), 7)
	defer db.Close()
	if diff := cmp.Diff(first, seed(t, db, nil)); diff != "" {
		t.Errorf("the second start returns something else:\n%s", diff)
	}
	if diff := cmp.Diff(before, everything(t, db, first)); diff != "" {
		t.Errorf("the second start changed the folder:\n%s", diff)
	}
	if tenants, err := db.ListTenants(t.Context()); err != nil || len(tenants) != 2 {
		t.Errorf("%d accounts after two starts, %v", len(tenants), err)
	}
}
