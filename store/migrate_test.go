package store_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// ofSchema1 is a folder as the program of schema 1 left it, opened by this one on 28
// November. Its accounts were one and two.
func ofSchema1(t *testing.T) (b *book, one, two store.Who) {
	t.Helper()
	return ofSchema(t, 1, "UPDATE taxpayers SET type = 'Ozel'") // as the office writes it
}

// ofSchema is ofSchema1 of a folder that the programs up to that of a later schema have
// opened; the last one did what text says.
func ofSchema(t *testing.T, number int, text string) (b *book, one, two store.Who) {
	t.Helper()
	dir := t.TempDir()
	made, err := reopen(dir) // it makes the folder's keys
	if err != nil {
		t.Fatal(err)
	}
	if err := made.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "esnaf.db")); err != nil {
		t.Fatal(err)
	}
	old := file(t, dir)
	paths, err := filepath.Glob("schema/*.sql")
	for _, path := range slices.Insert(paths[:number], 1, "testdata/schema1.sql") {
		step, e := os.ReadFile(path)
		if err = cmp.Or(err, e); err == nil {
			_, err = old.Exec(string(step))
		}
	}
	if err == nil {
		_, err = old.Exec(fmt.Sprintf("%s; PRAGMA user_version = %d", text, number))
	}
	if err != nil {
		t.Fatal(err)
	}
	old.Close()
	ck := clock.NewManual(time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC))
	db, err := store.Open(store.Options{Dir: dir, Clock: ck, IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	b = &book{DB: db, t: t, clock: ck}
	tenants := sqlRows[string](b, "SELECT id FROM tenants ORDER BY n")
	return b, store.Who{Tenant: tenants[0], Actor: "usr_1"}, store.Who{Tenant: tenants[1], Actor: "usr_2"}
}

// What the first version wrote is all there, is found, and agrees with itself.
func TestOldDataIsReadable(t *testing.T) {
	b, one, two := ofSchema1(t)
	if all := b.found(); len(all) > 0 {
		t.Errorf("differences: %v", all)
	}
	companies, _ := list[trade.Company](b, one, &store.Companies.List, trade.Query{Sort: "name"})
	products, _ := list[trade.Product](b, one, &store.Products.List, trade.Query{Sort: "code"})
	invoices, _ := list[trade.Invoice](b, one, &store.Invoices.List, trade.Query{})
	others, _ := list[trade.Invoice](b, two, &store.Invoices.List, trade.Query{Status: "SENT"})
	yildiz, _ := list[trade.Company](b, one, &store.Companies.List, trade.Query{Search: "yildiz insaat"})
	number, _ := list[trade.Invoice](b, one, &store.Invoices.List, trade.Query{Search: "EFA2026000000002"})
	if got, want := fmt.Sprint(len(companies), len(products), len(invoices), len(others), len(yildiz), len(number)), "3 2 10 1 1 1"; got != want {
		t.Errorf("companies, products, invoices, those of the other, found by words: %s, want %s", got, want)
	}
	b.read(one, func(v *store.View) error {
		keys, err := v.ListKeys(store.LiveKey)
		if err != nil || len(keys) != 1 || keys[0].Name != "web shop" {
			t.Errorf("keys: %+v, %v", keys, err)
		}
		users, err := v.Users()
		if err != nil || len(users) != 1 || users[0].Email != "usta@ornek.example" {
			t.Errorf("users: %+v, %v", users, err)
		}
		if listed, err := v.Taxpayer("9876543217"); err != nil || listed.Type != "OZEL" {
			t.Errorf("a registered user: %+v, %v", listed, err)
		}
		return err
	})
	late, _ := list[trade.Invoice](b, one, &store.Invoices.List, trade.Query{Where: map[string]string{"paymentStatus": "UNPAID"}})
	if len(late) != len(invoices) {
		t.Errorf("%d of %d are found by what is paid of them", len(late), len(invoices))
	}
	for _, v := range append(invoices, others...) {
		if gone := v.Status == trade.InvoiceRejected || v.Status == trade.InvoiceCancelled; gone && (v.Remaining != 0 || v.UpdatedAt <= v.CreatedAt) {
			t.Errorf("of %s, which is %s, %s remain since %s", v.Number, v.Status, v.Remaining, v.UpdatedAt)
		}
		if v.Status == trade.InvoiceSent {
			b.read(store.Who{Tenant: sqlRow[string](b, "SELECT tenant FROM invoices WHERE id = ?", v.ID)}, func(view *store.View) error {
				if xml, ok, err := view.Document(v.ID); !ok || err != nil || string(xml) != "<Invoice/>" {
					t.Errorf("the document of %s: %q, %v", v.Number, xml, err)
				}
				return nil
			})
		}
	}
}

// What was owed before there was a ledger is in it once, at its own rate, and everything
// goes on from there: it falls due, is paid and is taken back.
func TestOldInvoicesAreBooked(t *testing.T) {
	b, one, two := ofSchema1(t)
	got, want := map[string]string{}, map[string]string{}
	for _, who := range []store.Who{one, two} {
		all, _ := list[trade.Invoice](b, who, &store.Invoices.List, trade.Query{})
		for _, v := range all {
			if v.Owed() {
				lira, _ := v.ExchangeRate.Of(v.Payable) // none for what is too large
				want[v.ID] = fmt.Sprintf("%s owes %d %s, %d TRY, since %s", v.CompanyID, v.Payable, v.Currency, lira, v.IssueDate)
			}
		}
	}
	for _, row := range sqlRows[string](b, `SELECT source || ' ' || account || ' owes ' || amount || ' ' || currency || ', ' || lira || ' TRY, since ' || date FROM postings WHERE kind = 'COMPANY'`) {
		got[row[:30]] = row[31:]
	}
	if diff := gocmp.Diff(want, got); diff != "" || len(got) != 6 {
		t.Errorf("what is booked (-want +got):\n%s", diff)
	}
	if entries := sqlRows[string](b, "SELECT tenant || count(DISTINCT entry) || max(entry) || (SELECT last FROM numbers n WHERE n.tenant = p.tenant AND series = 'entries') FROM postings p GROUP BY tenant ORDER BY min(n)"); fmt.Sprint(entries) != fmt.Sprint([]string{one.Tenant + "555", two.Tenant + "111"}) {
		t.Errorf("entries are numbered %v", entries)
	}
	if n := b.marked(); n != 6 {
		t.Errorf("%d are overdue, want all 6", n)
	}
	bill := sqlRow[string](b, "SELECT id FROM invoices WHERE tenant = ? AND status = 'SENT'", two.Tenant)
	p := b.pay(two, b.purse(two, true, "TRY", 0), bill, "120")
	if v := b.getInvoice(two, bill); v.PaymentStatus != trade.Paid {
		t.Errorf("after a payment it is %s", v.PaymentStatus)
	}
	if owed := b.now(two, books{p.CompanyID + " TRY": 0}); owed[p.CompanyID+" TRY"] != 0 {
		t.Errorf("the company owes %v", owed)
	}
	postings := sqlRow[int](b, "SELECT count(*) FROM postings")
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := reopen(b.Dir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	again := &book{DB: db, t: t}
	if n := sqlRow[int](again, "SELECT count(*) FROM postings"); n != postings {
		t.Errorf("another start has booked %d sides more", n-postings)
	}
	if err := db.Write(context.Background(), two, func(tx *store.Tx) error { _, err := tx.ReversePayment(p.ID); return err }); err != nil {
		t.Error(err)
	}
	if all := again.found(); len(all) > 0 {
		t.Errorf("differences: %v", all)
	}
}

// An order that is older than stock says that goods are held for it, which nothing holds:
// a repair has it say what is, and it goes on from there.
func TestOldOrdersHoldNothing(t *testing.T) {
	const line = `{"productId":"prd_01m2j4psm0ec3r4v9jv5wssrn0","code":"P000001","name":"Çay bardağı","quantity":"5","unit":"C62","unitPrice":"10.00","priceIncludesVat":false,
		"vatRate":"20","gross":"50.00","discount":"0.00","net":"50.00","vat":"10.00","total":"60.00","reserved":"5","shipped":"0","invoiced":"0"}`
	b, one, _ := ofSchema(t, 5, `INSERT INTO orders (tenant, id, version, updated_at, search, number, company_id, status, order_date, doc)
		SELECT tenant, 'ord_1', 1, 1789462800000, '', 'O000001', id, 'CONFIRMED', '2026-09-15', replace(json('{"id":"ord_1","version":1,"createdAt":"2026-09-15T09:00:00.000Z","updatedAt":"2026-09-15T09:00:00.000Z",
			"number":"O000001","companyId":"#","companyName":"Ada","orderDate":"2026-09-15","currency":"TRY","exchangeRate":"1.0000","lines":[`+line+","+line+`],
			"taxes":[{"rate":"20","base":"100.00","amount":"20.00"}],"subtotal":"100.00","discountTotal":"0.00","vatTotal":"20.00","total":"120.00","status":"CONFIRMED",
			"priceApproval":{"required":false,"reasons":[]},"plannedShipments":[],"shipmentIds":[],"invoiceIds":[]}'), '#', id)
		FROM companies WHERE id = 'cmp_01m2j4psm0eck8tyqtgekdmcsv'`)
	const found = "0 is held for line 1 of the order ord_1 of "
	all, left, err := b.RepairStock(context.Background(), store.Who{Actor: "operator"}, true)
	if err != nil || len(all) != 2 || len(left) > 0 || all[0] != found+one.Tenant+", which says 5" {
		t.Errorf("found %q, left %q, %v", all, left, err)
	}
	if all := b.found(); len(all) > 0 {
		t.Errorf("differences: %v", all)
	}
	b.read(one, func(v *store.View) error {
		o, err := store.Orders.Get(v, "ord_1")
		if err != nil || o.Version != 3 || o.Lines[0].Reserved != 0 || o.Lines[1].Reserved != 0 {
			t.Errorf("%+v, %v", o, err)
		}
		return err
	})
	b.write(one, func(tx *store.Tx) error { _, err := tx.CancelOrder("ord_1"); return err })
}

// What was booked, sent and spent before sums were kept of it is in them to the kuruş.
func TestOldRowsAreSummedUp(t *testing.T) {
	b := trading(t)
	for _, rate := range []string{"40.123456", "0.333333", "99999.999999"} {
		v := draft(b.company(b.who, buyer()).ID)
		v.Currency, v.ExchangeRate = "USD", must(money.ParseExchange(rate))
		b.send(b.who, b.invoice(b.who, v).ID)
	}
	kept := func(b *book) (all []string) {
		for _, text := range []string{
			"SELECT account || currency || amount || ' ' || lira FROM balances ORDER BY 1",
			"SELECT account || currency || date || amount || ' ' || least || ' ' || most FROM days ORDER BY 1",
			"SELECT company || currency || amount || ' ' || lira FROM queued WHERE amount <> 0 ORDER BY 1",
			"SELECT target || payment FROM allocations ORDER BY 1",
		} {
			rows := sqlRows[string](b, text)
			if len(rows) == 0 {
				t.Errorf("nothing is there to be summed up: %s", text)
			}
			all = append(all, rows...)
		}
		return all
	}
	before := kept(b)
	if diff := gocmp.Diff(before, kept(b.aged(16, "SELECT 1"))); diff != "" {
		t.Errorf("summed up anew (-as it was kept +now):\n%s", diff)
	}
}

// undone is what takes a later schema back, by its number.
var undone = map[int]string{
	14: "DROP INDEX invoices_queued",
	15: "DROP TABLE seal",
	16: "DROP INDEX lots_leave; ALTER TABLE lots DROP COLUMN good_until; DROP INDEX contacts_email; ALTER TABLE contacts DROP COLUMN email",
	17: `DROP TRIGGER posted; DROP TABLE balances; DROP TABLE days; DROP TABLE queued; DROP TABLE allocations; DROP INDEX webhooks_active; DROP INDEX postings_account;
		CREATE INDEX postings_account ON postings (tenant, account, date, n, currency, amount, lira);
		CREATE INDEX invoices_queued ON invoices (tenant, company_id, total) WHERE status = 'QUEUED'`,
	18: "DROP TRIGGER opened; DROP TRIGGER ended; DROP TABLE wanted",
	19: `ALTER TABLE audit RENAME TO rows_in_order;
		CREATE TABLE audit (
			tenant TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
			object TEXT NOT NULL, request TEXT NOT NULL, addr TEXT NOT NULL, detail TEXT NOT NULL, hash BLOB NOT NULL,
			PRIMARY KEY (tenant, seq)
		) STRICT, WITHOUT ROWID;
		INSERT INTO audit SELECT tenant, seq, at, actor, action, object, request, addr, detail, hash FROM rows_in_order;
		DROP TABLE rows_in_order`,
}

// aged gives the file what text does to it, takes it back to an earlier schema and lets the
// store bring it up again.
func (b *book) aged(schema int, text string, args ...any) *book {
	b.t.Helper()
	dir := b.Dir()
	err := b.Close()
	old := file(b.t, dir)
	if err == nil {
		_, err = old.Exec(text, args...)
	}
	for _, number := range slices.Backward(slices.Sorted(maps.Keys(undone))) {
		if err == nil && number > schema {
			_, err = old.Exec(undone[number])
		}
	}
	if err == nil {
		_, err = old.Exec(fmt.Sprint("PRAGMA user_version = ", schema))
	}
	if err != nil {
		b.t.Fatal(err)
	}
	db, err := reopen(dir)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { db.Close() })
	return &book{DB: db, t: b.t, who: b.who}
}

// A record that is not what the program writes is left to check; it does not keep the
// server from starting.
func TestAStrangeRecordDoesNotStopAnUpgrade(t *testing.T) {
	for about, text := range map[string]string{
		"no currency":      "UPDATE invoices SET doc = json_remove(doc, '$.currency') WHERE status = 'QUEUED'",
		"no rate":          "UPDATE invoices SET doc = json_remove(doc, '$.exchangeRate') WHERE status = 'QUEUED'",
		"nothing":          "UPDATE invoices SET doc = '{}' WHERE status = 'QUEUED'",
		"no JSON":          "UPDATE invoices SET doc = '{' WHERE status = 'QUEUED'",
		"an order of air":  `INSERT INTO orders (tenant, id, version, updated_at, search, number, company_id, status, order_date, doc) SELECT tenant, 'ord_x', 1, 0, '', 'x', id, 'CONFIRMED', '2026-09-01', '{"lines":["x"]}' FROM companies LIMIT 1`,
		"allocated to air": "UPDATE payments SET doc = json_set(doc, '$.allocations', json('[\"x\"]'))",
	} {
		t.Run(about, func(t *testing.T) {
			b := trading(t)
			v := draft(b.company(b.who, buyer()).ID)
			v.Currency, v.ExchangeRate = "USD", must(money.ParseExchange("40.1"))
			b.send(b.who, b.invoice(b.who, v).ID)
			b.aged(16, text)
		})
	}
}
