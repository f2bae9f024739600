package store_test

import (
	"strings"
	"testing"

	"esnaf/store"
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
