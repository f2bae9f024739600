package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// trading is a folder in which much has happened: documents that were taken, rejected
// and cancelled, money of two currencies that was paid, moved, allocated and reversed.
func trading(t *testing.T) *book {
	b := open(t)
	b.register(buyer().TaxNumber)
	company := b.company(b.who, buyer()).ID
	b.webhook(b.who, trade.Webhook{Event: "payment.*", URL: "https://example.com/"})
	lira, dollars, cash := b.purse(b.who, false, "TRY", 50000), b.purse(b.who, false, "USD", 10000), b.purse(b.who, true, "TRY", 100)
	var invoices []trade.Invoice
	for _, currency := range []string{"TRY", "TRY", "USD", "TRY"} {
		v := draft(company)
		v.Currency, v.ExchangeRate = currency, must(money.ParseExchange("40.5"))
		if currency == "TRY" {
			v.ExchangeRate = 0
		}
		v = b.invoice(b.who, v)
		b.send(b.who, v.ID)
		e := store.Errand{Owner: v.ID, Step: store.StepSubmit}
		b.write(b.who, func(tx *store.Tx) error { return tx.Post(e, v.Number, []byte("<Invoice/>"), "env") })
		b.write(b.who, func(tx *store.Tx) error {
			return tx.Answer(store.Errand{Owner: v.ID, Step: store.StepHandOver, Envelope: "env"}, store.Answer{Outcome: trade.Taken, Envelope: "env", Wait: b.clock.Now()})
		})
		invoices = append(invoices, v)
	}
	var paid []trade.Payment
	for _, p := range []trade.Payment{
		{AccountID: lira, Amount: 30000, Allocations: []trade.Allocation{{InvoiceID: invoices[0].ID, Amount: 24000}, {InvoiceID: invoices[1].ID, Amount: 1000}}},
		{AccountID: dollars, Amount: 24000, ExchangeRate: must(money.ParseExchange("41")), Allocations: []trade.Allocation{{InvoiceID: invoices[2].ID, Amount: 20000}}},
		{AccountID: cash, Amount: 5000, Allocations: []trade.Allocation{{InvoiceID: invoices[3].ID, Amount: 5000}}},
	} {
		p.CompanyID, p.Direction = company, trade.PaymentIn
		b.write(b.who, func(tx *store.Tx) error { return into(&p)(tx.CreatePayment(p)) })
		paid = append(paid, p)
	}
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(paid[2].ID); return err })
	b.write(b.who, func(tx *store.Tx) error {
		_, err := tx.CreatePayment(trade.Payment{
			CompanyID: company, AccountID: lira, Direction: trade.PaymentOut, Amount: 6000,
			Allocations: []trade.Allocation{{PaymentID: paid[0].ID, Amount: 5000}},
		})
		return err
	})
	b.write(b.who, func(tx *store.Tx) error {
		_, err := tx.CreateTransfer(trade.Transfer{FromAccountID: dollars, ToAccountID: lira, Amount: 1000, ToAmount: 41000})
		return err
	})
	b.write(b.who, func(tx *store.Tx) error {
		return tx.Answer(store.Errand{Owner: invoices[1].ID, Step: store.StepAnswer, Envelope: "env"}, store.Answer{Outcome: trade.Rejected})
	})
	return b
}

// found are the differences that the checks find, each after the name of its check.
func (b *book) found() (all []string) {
	b.t.Helper()
	checks, err := b.CheckData(context.Background())
	if err != nil {
		b.t.Fatal(err)
	}
	for _, c := range checks {
		for _, d := range c.Differences {
			all = append(all, c.Name+": "+d)
		}
	}
	return all
}

// Each check finds what it is there for in a real file that was damaged by SQL, and
// says what it found; together they find nothing in one that is sound.
func TestChecksFindWhatIsDamaged(t *testing.T) {
	sound := trading(t)
	onTheWay := draft(sqlRow[string](sound, "SELECT id FROM companies"))
	onTheWay.Currency, onTheWay.ExchangeRate = "USD", must(money.ParseExchange("40.123456"))
	sound.send(sound.who, sound.invoice(sound.who, onTheWay).ID)
	if all := sound.found(); len(all) > 0 {
		t.Fatalf("sound data has differences:\n%s", strings.Join(all, "\n"))
	}
	for about, test := range map[string]struct {
		damage string
		want   []string // the beginning of each difference, % for an id
	}{
		"a posting too large":         {"UPDATE postings SET amount = amount + 1, lira = lira + 1 WHERE n = (SELECT min(n) FROM postings WHERE kind = 'BANK')", []string{"entries: the sides of entry 1 of % leave 0.01 TRY over", "entries: the sides of entry 1 of % in TRY leave 0.01 over", "postings: the ledger has moved % by % of % in TRY by 500.01, the record says 500.00", "sums: the balance of % of % in TRY is kept as 1150.00, its postings come to 1150.01", "sums: the day of % of % in TRY on 2026-09-01 is kept otherwise than it was booked"}},
		"an entry that is gone":       {"DELETE FROM postings WHERE source = (SELECT id FROM transfers)", []string{"postings: the ledger has moved % by % of % in TRY by 0.00, the record says 410.00", "postings: the ledger has moved % by % of % in USD by 0.00, the record says -10.00", "sums: %", "sums: %", "sums: %", "sums: %", "sums: %"}},
		"an entry of nothing":         {"INSERT INTO postings (tenant, entry, date, source, number, kind, account, currency, amount, lira) SELECT tenant, 99, date, 'inv_x', '', kind, account, 'TRY', 7, 7 FROM postings WHERE kind = 'COMPANY' LIMIT 1", []string{"entries: the sides of entry 99 of % leave 0.07 TRY over", "entries: the sides of entry 99 of % in TRY leave 0.07 over", "postings: the ledger has moved % by inv_x of % in TRY by 0.07, the record says 0.00"}},
		"an empty till":               {"INSERT INTO postings (tenant, entry, date, source, number, kind, account, currency, amount, lira) SELECT tenant, entry, date, source, number, kind, account, currency, -999, 0 FROM postings WHERE kind = 'CASH' LIMIT 1", []string{"entries: the sides of entry % in TRY leave -9.99 over", "postings: the ledger has moved % by % of % in TRY by -8.99, the record says 1.00", "cash: cash account % of % in TRY on 2026-09-01 holds -8.99"}},
		"a till before its money":     {"UPDATE postings SET date = '2026-09-16' WHERE entry = (SELECT entry FROM postings WHERE kind = 'CASH' AND amount = 5000)", []string{"sums: %", "sums: %", "sums: %", "sums: %", "cash: cash account % of % in TRY on 2026-09-15 holds -49.00"}},
		"a balance":                   {"UPDATE balances SET lira = lira + 1 WHERE currency = 'USD' AND account LIKE 'bnk%'", []string{"sums: the balance of % of % in USD worth TRY is kept as 9430.01, its postings come to 9430.00"}},
		"a day":                       {"UPDATE days SET least = least - 1 WHERE account LIKE 'csh%' AND date = '2026-09-01'", []string{"sums: the day of % of % in TRY on 2026-09-01 is kept otherwise than it was booked"}},
		"what is at the tax office":   {"UPDATE queued SET amount = amount + 1 WHERE currency = 'USD'", []string{"sums: what is at the tax office for % of % in USD is kept as 0.01, the invoices come to 0.00"}},
		"its worth in lira":           {"UPDATE queued SET lira = lira + 1 WHERE currency = 'USD'", []string{"sums: what is at the tax office for % of % in USD worth TRY is kept as 0.01, the invoices come to 0.00"}},
		"an unreadable one there":     {"UPDATE invoices SET status = 'QUEUED', doc = '[' WHERE number = 'EFA2026000000004'; UPDATE queued SET amount = 24000, lira = 24000 WHERE currency = 'TRY'", []string{"records: the record of % in invoices is unreadable"}},
		"a payment that is not found": {"DELETE FROM allocations WHERE target LIKE 'pay%'", []string{"allocations: payment % of % by % is not found, which it says to be spent on"}},
		"a payment that is found":     {"INSERT INTO allocations (tenant, target, payment) SELECT tenant, 'inv_x', id FROM payments WHERE status = 'REVERSED'", []string{"allocations: payment % of % by inv_x is found, which it does not say to be spent on"}},
		"what is owed no longer":      {`UPDATE invoices SET doc = json_set(doc, '$.remaining', '240.00') WHERE status = 'REJECTED'`, []string{"invoices: invoice % of % says that 240.00 remains, by what is paid it is 0.00"}},
		"paid more than its payments": {`UPDATE invoices SET doc = json_set(doc, '$.paidTotal', '240.50', '$.remaining', '-0.50') WHERE number = 'EFA2026000000001'`, []string{"invoices: invoice % of % says that 240.50 is paid, its payments say 240.00"}},
		"what remains":                {`UPDATE invoices SET doc = json_set(doc, '$.remaining', '9.00') WHERE number = 'EFA2026000000001'`, []string{"invoices: invoice % of % says that 9.00 remains, by what is paid it is 0.00"}},
		"a payment that pays more":    {`UPDATE payments SET doc = json_set(doc, '$.unallocated', '70.00') WHERE doc ->> 'number' = 'PAY-000001'`, []string{"payments: payment % of % says that 70.00 of it is unallocated, what it was spent on leaves 10.00"}},
		"more given back than was":    {`UPDATE payments SET doc = json_set(doc, '$.refunded', '51.00', '$.unallocated', '9.00') WHERE doc ->> 'number' = 'PAY-000001'`, []string{"payments: payment % of % says that 51.00 of it was given back, the others say 50.00"}},
		"what is left of no payment":  {`UPDATE payments SET doc = json_set(doc, '$.unallocated', '50.00') WHERE status = 'REVERSED'`, []string{"payments: payment % of % says that 50.00 of it is unallocated, what it was spent on leaves 0.00"}},
		"a number that is missing":    {`UPDATE invoices SET number = 'EFA2026000000009' WHERE number = 'EFA2026000000002'`, []string{"records: number of % in invoices is EFA2026000000009, its record says EFA2026000000002", "numbers: number 2 of the series EFA2026 of % is missing", "numbers: numbers 5 to 8 of the series EFA2026 of % are missing", "numbers: the series EFA2026 of % was drawn up to 4, but number 9 is used"}},
		"a payment that is gone":      {`DELETE FROM payments WHERE doc ->> 'number' = 'PAY-000003'`, []string{"numbers: number 3 of the series payments of % is missing"}},
		"a series without an end":     {`DELETE FROM numbers WHERE series = 'transfers'`, []string{"numbers: the end of the series transfers of % is not written down; its last number is 1"}},
		"a row of the audit":          {`UPDATE audit SET actor = 'usr_other' WHERE seq = 5`, []string{"audit: row 5 of the audit of %, % of %, is not what was written"}},
		"a row of the audit is gone":  {`DELETE FROM audit WHERE seq = 5`, []string{"audit: the audit of % goes from row 4 to row 6: what was between is gone"}},
		"a row of the audit twice":    {`INSERT INTO audit (tenant, seq, at, actor, action, object, request, addr, detail, hash) SELECT tenant, seq, at, actor, action, object, request, addr, detail, hash FROM audit WHERE seq = 5`, []string{"audit: in the audit of %, row 5 comes after row %"}},
		"the last row of the audit":   {`DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)`, []string{"audit: the audit of % ends with row %, its end was written down as row %"}},
		"an audit without an end":     {`DELETE FROM heads`, []string{"audit: the end of the audit of % is not written down"}},
		"a secret":                    {`UPDATE webhooks SET secret = x'00'`, []string{"secrets: the secret of webhook % of % cannot be opened: nothing is delivered to it"}},
		"a document":                  {`UPDATE documents SET xml = CAST('<Other/>' AS BLOB) WHERE n = 1`, []string{"documents: the document of % is not the one that was kept"}},
		"a document that is gone":     {`DELETE FROM documents WHERE n = 1`, []string{"documents: the document of invoice EFA2026000000001 (%), which the tax office has taken, is not there"}},
		"a record of another version": {`UPDATE companies SET version = 7`, []string{"records: the record of % in companies is % of version 1"}},
		"a record that is no JSON":    {`UPDATE contacts SET doc = '{' WHERE 0; UPDATE bank_accounts SET doc = '{' WHERE code = 'B000002'`, []string{"records: the record of % in bank_accounts is unreadable"}},
		"an invoice that is no JSON":  {`UPDATE invoices SET doc = '[' WHERE number = 'EFA2026000000004'; UPDATE postings SET amount = amount + 1, lira = lira + 1 WHERE kind = 'CASH' AND amount = 100`, []string{"records: the record of % in invoices is unreadable", "entries: the sides of entry % of % leave 0.01 TRY over", "entries: the sides of entry % of % in TRY leave 0.01 over", "postings: the ledger has moved % by % of % in TRY by 1.01, the record says 1.00", "sums: %", "sums: %"}},
		"an amount that is none":      {`UPDATE transfers SET doc = json_set(doc, '$.amount', 'much')`, []string{"records: the record of % in transfers is unreadable", "postings: the ledger has moved % by % of % in USD by -10.00, the record says 0.00"}},
		"a state":                     {`UPDATE invoices SET status = 'ACCEPTED' WHERE number = 'EFA2026000000001'`, []string{"records: status of % in invoices is ACCEPTED, its record says SENT"}},
		"a payment's state":           {`UPDATE payments SET status = 'BOOKED' WHERE status = 'REVERSED'`, []string{"records: status of % in payments is BOOKED, its record says REVERSED", "postings: %", "postings: %", "invoices: %", "allocations: payment % of % by % is not found, which it says to be spent on"}},
		"a deletion":                  {`UPDATE companies SET deleted_at = 7, code = 'X'`, []string{"records: deleted_at of % in companies is 7, its record says nothing", "records: code of % in companies is X, its record says C000001"}},
		"a number given up":           {`INSERT INTO void_numbers (tenant, number, owner, reason, at) SELECT tenant, number, id, 'x', 0 FROM invoices WHERE number = 'EFA2026000000002'`, nil},
		"a number given up and taken": {`INSERT INTO void_numbers (tenant, number, owner, reason, at) SELECT tenant, number, 'inv_x', 'x', 0 FROM invoices WHERE number = 'EFA2026000000002'`, []string{"numbers: number 2 of the series EFA2026 of % is used twice"}},
		"a row without its event":     {`PRAGMA foreign_keys = OFF; INSERT INTO deliveries (tenant, id, webhook, event, state, created_at) VALUES ('', 'dlv_1', '', 9999, 'failed', 0)`, []string{"file: row % of deliveries refers to a row of events that is not there"}},
	} {
		t.Run(about, func(t *testing.T) {
			b := trading(t)
			db := file(t, b.Dir())
			if _, err := db.Exec(test.damage); err != nil {
				t.Fatal(err)
			}
			got := b.found()
			if !sameSentences(got, test.want) {
				t.Errorf("found is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// sameSentences tells whether there is a sentence of each form and no other; which
// comes first is a matter of ids.
func sameSentences(got, forms []string) bool {
	rest := slices.Clone(got)
	for _, form := range forms {
		i := slices.IndexFunc(rest, func(s string) bool { return likes(s, form) })
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return len(rest) == 0
}

// likes tells whether a sentence is of a form, in which % stands for some words.
func likes(s, form string) bool {
	for i, part := range strings.Split(form, "%") {
		at := strings.Index(s, part)
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		s = s[at+len(part):]
	}
	return true
}

// A page of the file that was overwritten is found, whatever else can be read.
func TestCheckFindsADamagedPage(t *testing.T) {
	b := trading(t)
	root := sqlRow[int64](b, "SELECT rootpage FROM sqlite_schema WHERE name = 'payments_date'")
	size := sqlRow[int64](b, "PRAGMA page_size")
	if err := b.Close(); err != nil { // which folds the log into the file
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(b.Dir(), "esnaf.db"), os.O_RDWR, 0)
	if err == nil {
		_, err = f.WriteAt(bytes.Repeat([]byte{0xee}, int(size)), (root-1)*size)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	db, err := reopen(b.Dir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := (&book{DB: db, t: t}).found()
	if !slices.ContainsFunc(all, func(d string) bool { return strings.HasPrefix(d, "file: the database file is damaged") }) {
		t.Errorf("found is %s", strings.Join(all, "\n"))
	}
}

// One look through the whole file waits for another, so that requests are read meanwhile.
func TestOneCheckAtATime(t *testing.T) {
	b := open(t)
	began, let, first, second := make(chan struct{}), make(chan struct{}), make(chan error), make(chan error)
	go func() {
		first <- store.Survey(b.DB, func(*store.View) error { close(began); <-let; return nil })
	}()
	<-began
	go func() { _, err := b.CheckData(context.Background()); second <- err }()
	select {
	case err := <-second:
		t.Errorf("the second does not wait: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	b.read(b.who, func(*store.View) error { return nil })
	close(let)
	if err := errors.Join(<-first, <-second); err != nil {
		t.Error(err)
	}
}
