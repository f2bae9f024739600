package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

var start = time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)

// book is an open store with one tenant, driven by a clock that stands still.
type book struct {
	*store.DB
	t     testing.TB
	clock *clock.Manual
	who   store.Who
	file  *sql.DB // the same file, as a stock sqlite3 sees it
}

func open(t testing.TB) *book {
	t.Helper()
	return openIn(t, t.TempDir(), clock.NewManual(start))
}

func openIn(t testing.TB, dir string, ck *clock.Manual) *book {
	t.Helper()
	db, err := store.Open(store.Options{Dir: dir, Clock: ck, IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Note(db); db.Close() })
	b := &book{DB: db, t: t, clock: ck}
	b.who = b.tenant("Örnek Ticaret A.Ş.", "1234567890")
	return b
}

// tenant makes an account that can issue documents.
func (b *book) tenant(name, taxNumber string) store.Who {
	b.t.Helper()
	who := store.Who{Actor: "operator", Interface: 'A'}
	b.write(store.Who{Actor: "operator"}, func(tx *store.Tx) error {
		t, err := tx.CreateTenant(trade.Tenant{Name: name, TaxNumber: taxNumber, District: "Kadıköy", City: "İstanbul", TaxOffice: "Kadıköy"})
		who.Tenant = t.ID
		return err
	})
	return who
}

func (b *book) write(who store.Who, fn func(*store.Tx) error) {
	b.t.Helper()
	if err := b.Write(context.Background(), who, fn); err != nil {
		b.t.Fatal(err)
	}
}

func (b *book) company(who store.Who, c trade.Company) trade.Company {
	b.t.Helper()
	var out trade.Company
	b.write(who, func(tx *store.Tx) error { return into(&out)(tx.CreateCompany(c)) })
	return out
}

func (b *book) product(who store.Who, p trade.Product) trade.Product {
	b.t.Helper()
	var out trade.Product
	b.write(who, func(tx *store.Tx) error { return into(&out)(tx.CreateProduct(p)) })
	return out
}

func (b *book) invoice(who store.Who, v trade.Invoice) trade.Invoice {
	b.t.Helper()
	var out trade.Invoice
	b.write(who, func(tx *store.Tx) error { return into(&out)(tx.CreateInvoice(v)) })
	return out
}

func (b *book) send(who store.Who, id string) trade.Invoice {
	b.t.Helper()
	var out trade.Invoice
	b.write(who, func(tx *store.Tx) error { return into(&out)(tx.SendInvoice(id)) })
	return out
}

// sale is an invoice of one line to a buyer that documents can be sent to.
func (b *book) sale(who store.Who) trade.Invoice {
	b.t.Helper()
	return draft(b.company(who, buyer()).ID)
}

// read runs fn on a snapshot.
func (b *book) read(who store.Who, fn func(*store.View) error) {
	b.t.Helper()
	if err := b.Read(context.Background(), who, fn); err != nil {
		b.t.Fatal(err)
	}
}

// refused runs a change that must fail with an error for the caller.
func (b *book) refused(who store.Who, fn func(*store.Tx) error) *trade.Error {
	b.t.Helper()
	err := b.Write(context.Background(), who, fn)
	var e *trade.Error
	if !errors.As(err, &e) {
		b.t.Fatalf("got %v, want an error for the caller", err)
	}
	return e
}

// sqlRows reads one value of every row straight from the file.
func sqlRows[T any](b *book, text string, args ...any) (out []T) {
	b.t.Helper()
	if b.file == nil {
		b.file = file(b.t, b.Dir())
	}
	rows, err := b.file.Query(text, args...)
	if err != nil {
		b.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var v T
		if err := rows.Scan(&v); err != nil {
			b.t.Fatal(err)
		}
		out = append(out, v)
	}
	if err := rows.Err(); err != nil {
		b.t.Fatal(err)
	}
	return out
}

// sqlRow is sqlRows for one row.
func sqlRow[T any](b *book, text string, args ...any) T {
	b.t.Helper()
	rows := sqlRows[T](b, text, args...)
	if len(rows) != 1 {
		b.t.Fatalf("%s: %d rows, want one", text, len(rows))
	}
	return rows[0]
}

// into decodes the document of an operation.
func into[T any](rec *T) func(store.Doc, error) error {
	return func(d store.Doc, err error) error {
		if err != nil {
			return err
		}
		*rec = *new(T) // of what it was before nothing stays
		return json.Unmarshal(d.JSON, rec)
	}
}

// list reads one page and returns its records.
func list[T any](b *book, who store.Who, rules *store.ListRules, q trade.Query) (recs []T, page store.Page) {
	b.t.Helper()
	if q.Limit == 0 {
		q.Limit = 200
	}
	err := b.Read(context.Background(), who, func(v *store.View) (err error) {
		page, err = rules.Page(v, q, nil)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	if err := json.Unmarshal(fmt.Appendf(nil, "[%s]", page.Docs), &recs); err != nil {
		b.t.Fatal(err)
	}
	return recs, page
}
