package gib

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"go.uber.org/goleak"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/money"
	"esnaf/store/trade"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var start = time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)

// tester is what testing and rapid have in common.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// town is a store, a tax office and a courier between the two, under one clock.
type town struct {
	t       tester
	dir     string
	clock   *clock.Manual
	db      *store.DB
	raw     *sql.DB // the same file by other means
	office  *Simulator
	door    *door
	courier *Courier
}

// door stands between courier and office: it sees what is handed over, and can
// fail before or after the office has got it.
type door struct {
	Authority
	mu            sync.Mutex
	before, after func(Envelope) error
	seen          []Envelope
}

func (d *door) Submit(ctx context.Context, e Envelope) (Status, error) {
	d.mu.Lock()
	d.seen = append(d.seen, e)
	d.mu.Unlock()
	if d.before != nil {
		if err := d.before(e); err != nil {
			return Status{}, err
		}
	}
	st, err := d.Authority.Submit(ctx, e)
	if err == nil && d.after != nil {
		err = d.after(e)
	}
	return st, err
}

// found lays out a town in an empty folder.
func found(t *testing.T) *town {
	t.Helper()
	ck := clock.NewManual(start)
	return settle(t, t.TempDir(), ck, NewSimulator(ck))
}

// settle opens the folder dir for a courier to office.
func settle(t *testing.T, dir string, ck *clock.Manual, office *Simulator) *town {
	t.Helper()
	db, err := store.Open(store.Options{Dir: dir, Clock: ck, IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "esnaf.db")+"?_pragma=busy_timeout(20000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { raw.Close(); db.Close() })
	w := &town{t: t, dir: dir, clock: ck, db: db, raw: raw, office: office, door: &door{Authority: office}}
	w.courier = w.hire(0)
	return w
}

func (w *town) hire(workers int) *Courier {
	return New(Config{DB: w.db, Authority: w.door, Log: slog.New(slog.DiscardHandler), Workers: workers})
}

// copyTo is the town as a crash right now would leave it: same office, same clock,
// a copy of the folder.
func (w *town) copyTo(t *testing.T) *town {
	t.Helper()
	dir := t.TempDir()
	files, err := os.ReadDir(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(w.dir, f.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, f.Name()), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return settle(t, dir, w.clock, w.office)
}

func (w *town) write(who store.Who, fn func(*store.Tx) error) {
	w.t.Helper()
	if err := w.db.Write(context.Background(), who, fn); err != nil {
		w.t.Fatal(err)
	}
}

// drain lets the courier work and returns how many errands it carried.
func (w *town) drain() int {
	w.t.Helper()
	n, err := w.courier.Drain(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// pass lets time go by and the courier work.
func (w *town) pass(d time.Duration) {
	w.t.Helper()
	w.clock.Advance(d)
	w.drain()
}

// query reads the database by other means than the store, a row a string.
func (w *town) query(text string, args ...any) (out []string) {
	w.t.Helper()
	rows, err := w.raw.Query(text, args...)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			w.t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// exec changes the database behind the store's back.
func (w *town) exec(text string, args ...any) {
	w.t.Helper()
	if _, err := w.raw.Exec(text, args...); err != nil {
		w.t.Fatal(err)
	}
}

// events are the names of what was told about an invoice, in order.
func (w *town) events(invoice string) string {
	w.t.Helper()
	return strings.Join(w.query(`SELECT substr(event, 9) FROM events
		WHERE json_extract(CAST(body AS TEXT), '$.data.object.id') = ? ORDER BY seq`, invoice), " ")
}

// taken is how many documents of a tenant the office has, each counted once.
func (s *Simulator) taken(tenant string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.envelopes {
		if r.Tenant == tenant && r.status(s.clock.Now()).Class == Taken {
			n++
		}
	}
	return n
}

// shop is an account with a customer of each kind.
type shop struct {
	*town
	who          store.Who
	temel        string // registered; invoices to it are sent as TEMELFATURA
	ticari       string // registered
	consumer     string // not registered
	consumerNo   string
	sellerNumber string
}

// taxNumber is a VKN with the right check digit, different for every n.
func taxNumber(n int) string {
	for digit := range 10 {
		if s := fmt.Sprintf("%09d%d", 100_000_000+n, digit); trade.ValidTaxNumber(s) {
			return s
		}
	}
	panic("no check digit fits")
}

// shop opens an account; those of different n differ in their tax numbers.
func (w *town) shop(n int) *shop {
	w.t.Helper()
	s := &shop{town: w, who: store.Who{Actor: "test"}, sellerNumber: taxNumber(10 * n), consumerNo: taxNumber(10*n + 3)}
	w.write(store.Who{Actor: "operator"}, func(tx *store.Tx) error {
		t, err := tx.CreateTenant(trade.Tenant{Name: "Satıcı A.Ş.", TaxNumber: s.sellerNumber, TaxOffice: "Kadıköy", District: "Kadıköy", City: "İstanbul", SenderAlias: "urn:mail:defaultgb@satici.com.tr"})
		s.who.Tenant = t.ID
		return err
	})
	s.register(taxNumber(10*n+1), taxNumber(10*n+2))
	s.temel, s.ticari, s.consumer = s.company(taxNumber(10*n+1)), s.company(taxNumber(10*n+2)), s.company(s.consumerNo)
	return s
}

// register puts tax numbers on the list of registered users.
func (s *shop) register(taxNumbers ...string) {
	s.t.Helper()
	s.write(s.who, func(tx *store.Tx) error {
		var list []store.Taxpayer
		for _, no := range taxNumbers {
			list = append(list, store.Taxpayer{TaxNumber: no, Document: "Invoice", Alias: "urn:mail:defaultpk@alici.com.tr", Title: "Alıcı", Type: "OZEL", Since: start.AddDate(-1, 0, 0)})
		}
		return tx.PutTaxpayers(list)
	})
}

func (s *shop) company(taxNumber string) string {
	s.t.Helper()
	return s.do(func(tx *store.Tx) (store.Doc, error) {
		return tx.CreateCompany(trade.Company{Name: "Alıcı Ltd. Şti.", TaxNumber: taxNumber, TaxOffice: "Çankaya", District: "Çankaya", City: "Ankara"})
	}).ID
}

// do runs an operation and returns the record it made, read as an invoice.
func (s *shop) do(fn func(*store.Tx) (store.Doc, error)) (v trade.Invoice) {
	s.t.Helper()
	s.write(s.who, func(tx *store.Tx) error {
		d, err := fn(tx)
		if err != nil {
			return err
		}
		return json.Unmarshal(d.JSON, &v)
	})
	return v
}

// draft writes an invoice of 100 TRY and VAT.
func (s *shop) draft(company string) trade.Invoice {
	s.t.Helper()
	price, err := money.ParsePrice("100")
	if err != nil {
		s.t.Fatal(err)
	}
	v := trade.Invoice{CompanyID: company, Lines: []trade.Line{{Name: "Kalem", Quantity: 1_000_000, UnitPrice: &price, VATRate: new(money.Percent(20))}}}
	if company == s.temel {
		v.Profile = trade.TemelFatura
	}
	return s.do(func(tx *store.Tx) (store.Doc, error) { return tx.CreateInvoice(v) })
}

func (s *shop) send(id string) trade.Invoice {
	s.t.Helper()
	return s.do(func(tx *store.Tx) (store.Doc, error) { return tx.SendInvoice(id) })
}

// queue writes an invoice and sends it.
func (s *shop) queue(company string) trade.Invoice {
	s.t.Helper()
	return s.send(s.draft(company).ID)
}

func (s *shop) invoice(id string) (v trade.Invoice) {
	s.t.Helper()
	err := s.db.Read(context.Background(), s.who, func(r *store.View) (err error) {
		v, err = store.Invoices.Get(r, id)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return v
}

// is fails the test unless the invoice is in the state, its document following.
func (s *shop) is(id string, want trade.InvoiceState) trade.Invoice {
	s.t.Helper()
	v := s.invoice(id)
	if v.Status != want || string(v.EDocument.Status) != string(want) {
		s.t.Fatalf("invoice is %s, its document %s, want %s: %+v", v.Status, v.EDocument.Status, want, v.EDocument)
	}
	return v
}

// gapless fails the test unless the numbers of a series that invoices carry or
// that are void count 1, 2, 3, ...; one that was given up with its invoice is both.
func (s *shop) gapless(series string) int {
	s.t.Helper()
	got := s.query(`SELECT number FROM (SELECT number, id FROM invoices WHERE tenant = ?1 AND number LIKE ?2
		UNION SELECT number, owner FROM void_numbers WHERE tenant = ?1 AND number LIKE ?2) ORDER BY 1`, s.who.Tenant, series+"2%")
	for i, number := range slices.Sorted(slices.Values(got)) {
		if want := trade.DocumentNumber(series, 2026, i+1); number != want {
			s.t.Fatalf("number %d of %s is %s, want %s", i+1, series, number, want)
		}
	}
	return len(got)
}
