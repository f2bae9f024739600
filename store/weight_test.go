package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// wordy are a thousand lines with n bytes of description each.
func wordy(n int) []trade.Line {
	lines := make([]trade.Line, trade.MaxLines)
	for i := range lines {
		lines[i] = line("Danışmanlık", "10")
		lines[i].Description = strings.Repeat("a", n)
	}
	return lines
}

// orderLines are lines as an order has them.
func orderLines(lines []trade.Line) []trade.OrderLine {
	of := make([]trade.OrderLine, len(lines))
	for i := range lines {
		of[i].Line = lines[i]
	}
	return of
}

// alter changes what is stored behind the store's back.
func alter(b *book, text string, args ...any) {
	b.t.Helper()
	if _, err := file(b.t, b.Dir()).Exec(text, args...); err != nil {
		b.t.Fatal(err)
	}
}

// What callers write on a document's lines has a bound, wherever they write it.
func TestTextsOfADocumentAreBounded(t *testing.T) {
	b := open(t)
	c := b.company(b.who, buyer())
	fits, over := wordy(450), wordy(600)
	q := b.quoted(trade.Quote{CompanyID: c.ID, Lines: fits})
	o := b.order(b.who, trade.Order{CompanyID: c.ID, Lines: orderLines(fits)})
	v := b.invoice(b.who, trade.Invoice{CompanyID: c.ID, Lines: fits})
	slip := trade.GoodsSlip{}
	for range 20 {
		slip.Lines = append(slip.Lines, trade.GoodsLine{SerialNos: strings.Fields(strings.Repeat("ABCDEFGHIJKLMNOPQRSTUVWXYZABCD ", 1000))})
	}
	for about, try := range map[string]func(*store.Tx) error{
		"a new quote": func(tx *store.Tx) error {
			_, err := tx.CreateQuote(trade.Quote{CompanyID: c.ID, Lines: over})
			return err
		},
		"a new order": func(tx *store.Tx) error {
			_, err := tx.CreateOrder(trade.Order{CompanyID: c.ID, Lines: orderLines(over)})
			return err
		},
		"a new invoice": func(tx *store.Tx) error {
			_, err := tx.CreateInvoice(trade.Invoice{CompanyID: c.ID, Lines: over})
			return err
		},
		"a quote": func(tx *store.Tx) error {
			_, err := tx.UpdateQuote(q.ID, store.Any, trade.Quote{CompanyID: c.ID, Lines: over})
			return err
		},
		"an order": func(tx *store.Tx) error {
			_, err := tx.UpdateOrder(o.ID, store.Any, trade.Order{CompanyID: c.ID, Lines: orderLines(over)})
			return err
		},
		"an invoice": func(tx *store.Tx) error {
			_, err := tx.UpdateInvoice(v.ID, store.Any, trade.Invoice{CompanyID: c.ID, Lines: over})
			return err
		},
		"goods": func(tx *store.Tx) error { _, err := tx.ReceiveGoods(slip); return err },
	} {
		e := b.refused(b.who, try)
		found := false
		for _, f := range e.Faults {
			found = found || f.Field == "lines" && f.Code == trade.TextsTooLong
		}
		if !found {
			t.Errorf("%s: %v", about, e.Faults)
		}
	}
}

// What was stored before there was a bound goes on its way: it is made into the next
// document, edited and sent, but grows no further.
func TestDocumentsBeyondTheBoundGoOn(t *testing.T) {
	b := open(t)
	c := b.company(b.who, buyer())
	q := b.quoted(trade.Quote{CompanyID: c.ID, Lines: wordy(10)}, trade.SendQuote, trade.AcceptQuote)
	v := b.invoice(b.who, trade.Invoice{CompanyID: c.ID, Lines: wordy(10)})
	alter(b, "UPDATE quotes SET doc = replace(doc, 'aaaaaaaaaa', ?)", strings.Repeat("a", 900))
	alter(b, "UPDATE invoices SET doc = replace(doc, 'aaaaaaaaaa', ?)", strings.Repeat("a", 900))
	var o trade.Order
	b.write(b.who, func(tx *store.Tx) error { return into(&o)(tx.ConvertQuote(q.ID)) })
	if len(o.Lines[999].Description) != 900 {
		t.Errorf("the order says %q", o.Lines[999].Description)
	}
	v = b.getInvoice(b.who, v.ID)
	v.Notes = "düzeltildi"
	b.write(b.who, func(tx *store.Tx) error { return into(&v)(tx.UpdateInvoice(v.ID, store.Any, v)) })
	v.Lines[0].Description += "a"
	e := b.refused(b.who, func(tx *store.Tx) error { return into(&v)(tx.UpdateInvoice(v.ID, store.Any, v)) })
	if len(e.Faults) != 1 || e.Faults[0].Code != trade.TextsTooLong {
		t.Errorf("more text: %v", e.Faults)
	}
	if sent := b.send(b.who, v.ID); len(sent.Lines[999].Description) != 900 {
		t.Errorf("the invoice says %q", sent.Lines[999].Description)
	}
}

// An invoice that is paid or becomes overdue is, byte for byte, what it would be had its
// lines been read and written anew.
func TestPaidInvoicesKeepTheirLines(t *testing.T) {
	b := open(t)
	c := b.company(b.who, buyer())
	cash := b.purse(b.who, true, "TRY", 0)
	v := trade.Invoice{Meta: trade.Meta{Notes: `"lines":[1,2]`}, CompanyID: c.ID, DueDate: "2026-09-15", Lines: []trade.Line{line(`A "b" \ [c] {d}, "lines":[`, "10")}}
	v = b.invoice(b.who, v)
	b.send(b.who, v.ID)
	b.answer(b.who, v.ID, store.Answer{Outcome: trade.Taken, Code: "1300", Envelope: "env"})
	sent := b.getInvoice(b.who, v.ID)
	same := func(about string, status trade.PaymentStatus) {
		t.Helper()
		doc := sqlRows[string](b, "SELECT doc FROM invoices")[0]
		now := b.getInvoice(b.who, v.ID)
		anew, err := json.Marshal(&now, json.Deterministic(true))
		if err != nil || string(anew) != doc {
			t.Errorf("%s: %v\n%s\nhad it been written anew:\n%s", about, err, doc, anew)
		}
		if diff := gocmp.Diff(sent.Lines, now.Lines); diff != "" || now.PaymentStatus != status {
			t.Errorf("%s: %s %s", about, now.PaymentStatus, diff)
		}
	}
	p := b.pay(b.who, cash, v.ID, "1")
	same("paid in part", trade.PartiallyPaid)
	b.clock.Advance(24 * time.Hour)
	if n := b.marked(); n != 1 {
		t.Errorf("%d are overdue", n)
	}
	same("overdue", trade.Overdue)
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(p.ID); return err })
	same("taken back", trade.Overdue)
}

// What one payment makes the writer write has a bound; what was paid before there was one
// can still be taken back.
func TestPaymentsOfLargeInvoicesAreBounded(t *testing.T) {
	b := open(t)
	c := b.company(b.who, buyer())
	cash := b.purse(b.who, true, "TRY", 0)
	p := trade.Payment{CompanyID: c.ID, AccountID: cash, Direction: trade.PaymentIn, Amount: 300}
	for range 2 {
		v := b.invoice(b.who, trade.Invoice{CompanyID: c.ID, Lines: wordy(10)})
		b.send(b.who, v.ID)
		b.answer(b.who, v.ID, store.Answer{Outcome: trade.Taken, Code: "1300", Envelope: "env"})
		p.Allocations = append(p.Allocations, trade.Allocation{InvoiceID: v.ID, Amount: 100})
	}
	var paid trade.Payment
	b.write(b.who, func(tx *store.Tx) error { return into(&paid)(tx.CreatePayment(p)) })
	alter(b, "UPDATE invoices SET doc = replace(doc, 'aaaaaaaaaa', ?)", strings.Repeat("a", 34_000))
	more := trade.Allocations{Allocations: []trade.Allocation{{InvoiceID: p.Allocations[0].InvoiceID, Amount: 50}}}
	for about, try := range map[string]func(*store.Tx) error{
		"a new payment": func(tx *store.Tx) error { _, err := tx.CreatePayment(p); return err },
		"an old one":    func(tx *store.Tx) error { _, err := tx.AllocatePayment(paid.ID, more); return err },
	} {
		if e := b.refused(b.who, try); len(e.Faults) != 1 || e.Faults[0].Field != "allocations" || e.Faults[0].Code != trade.TooMuchToSettle {
			t.Errorf("%s: %v", about, e.Faults)
		}
	}
	p.Allocations = p.Allocations[:1]
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.CreatePayment(p); return err })
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(paid.ID); return err })
}

// ticking is a clock on which each look takes a millisecond, so that changes are told
// apart by their time.
type ticking struct{ *clock.Manual }

func (c ticking) Now() time.Time {
	c.Advance(time.Millisecond)
	return c.Manual.Now()
}

// Where documents are large, fewer become overdue in one change.
func TestOverdueIsBoundedByWeight(t *testing.T) {
	b := open(t)
	c := b.company(b.who, buyer())
	for range 5 {
		v := b.invoice(b.who, trade.Invoice{CompanyID: c.ID, DueDate: "2026-09-15", Lines: wordy(10)})
		b.send(b.who, v.ID)
		b.answer(b.who, v.ID, store.Answer{Outcome: trade.Taken, Code: "1300", Envelope: "env"})
	}
	alter(b, "UPDATE invoices SET doc = replace(doc, 'aaaaaaaaaa', ?)", strings.Repeat("a", 2500))
	b.clock.Advance(24 * time.Hour)
	dir := b.Dir()
	b.Close()
	db, err := store.Open(store.Options{Dir: dir, Clock: ticking{b.clock}, IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	b.DB = db
	if n := b.marked(); n != 5 {
		t.Errorf("%d of 5 became overdue", n)
	}
	changes := sqlRows[int64](b, "SELECT count(DISTINCT at) FROM audit WHERE action = 'invoice.overdue'")[0]
	if changes != 3 { // two of some 2.7 MB are more than 4 MiB
		t.Errorf("in %d changes, want 3", changes)
	}
}

// A page ends where it has some 4 MiB of documents, and the next goes on behind it.
func TestPagesAreBoundedByWeight(t *testing.T) {
	b := open(t)
	c := b.company(b.who, buyer())
	var ids []string
	for range 12 {
		ids = append(ids, b.invoice(b.who, trade.Invoice{CompanyID: c.ID, Lines: wordy(500)}).ID)
	}
	var read []string
	q := trade.Query{Limit: 500}
	for more := true; more; {
		b.read(b.who, func(v *store.View) error {
			p, err := store.Invoices.List.Page(v, q, []byte{'['})
			if len(p.Docs) > 5<<20 || p.Cut != p.More {
				t.Errorf("%d bytes, %d rows, cut %t", len(p.Docs), p.Count, p.Cut)
			}
			var docs []trade.Invoice
			if err := json.Unmarshal(append(p.Docs, ']'), &docs); err != nil {
				t.Fatal(err)
			}
			for _, d := range docs {
				read = append(read, d.ID)
			}
			q.After, more = p.Last, p.More
			return err
		})
	}
	slices.Sort(ids)
	if diff := gocmp.Diff(ids, read); diff != "" {
		t.Error(diff)
	}
}
