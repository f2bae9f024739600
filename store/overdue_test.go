package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// due is an invoice of 240.00 that is due on a day, brought to a state of life.
func (b *book) due(who store.Who, day trade.Date, to trade.InvoiceState) trade.Invoice {
	b.t.Helper()
	v := b.sale(who)
	v.DueDate = day
	v = b.invoice(who, v)
	if to != trade.InvoiceDraft {
		b.send(who, v.ID)
	}
	if to != trade.InvoiceDraft && to != trade.InvoiceQueued {
		b.answer(who, v.ID, store.Answer{Outcome: trade.Taken, Code: "1300", Envelope: "env"})
	}
	if to == trade.InvoiceCancelled {
		b.write(who, func(tx *store.Tx) error { _, err := tx.CancelInvoice(v.ID); return err })
	}
	return b.getInvoice(who, v.ID)
}

// pay pays an amount of an invoice in cash.
func (b *book) pay(who store.Who, cash, invoice, amount string) (p trade.Payment) {
	b.t.Helper()
	in := trade.InvoicePayment{AccountID: cash, Amount: must(money.ParseAmount(amount))}
	b.write(who, func(tx *store.Tx) error { return into(&p)(tx.PayInvoice(invoice, in)) })
	return p
}

// marked lets the worker go round once and tells how many invoices it marked.
func (b *book) marked() int {
	b.t.Helper()
	n, err := b.MarkOverdue(context.Background())
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// The worker marks what is owed and was due before today, and nothing else; each of
// them once, with the next version, an event that tells what it was, and a row of the
// audit.
func TestInvoicesBecomeOverdue(t *testing.T) {
	b := open(t) // 15 September, 12:00 in İstanbul
	cash := b.purse(b.who, true, "TRY", 0)
	invoices := map[string]trade.Invoice{
		"unpaid":        b.due(b.who, "2026-09-15", trade.InvoiceSent),
		"partly paid":   b.due(b.who, "2026-09-15", trade.InvoiceSent),
		"paid":          b.due(b.who, "2026-09-15", trade.InvoiceSent),
		"due later":     b.due(b.who, "2026-09-16", trade.InvoiceSent),
		"without a day": b.due(b.who, "", trade.InvoiceDraft),
		"draft":         b.due(b.who, "2026-09-15", trade.InvoiceDraft),
		"queued":        b.due(b.who, "2026-09-15", trade.InvoiceQueued),
		"cancelled":     b.due(b.who, "2026-09-15", trade.InvoiceCancelled),
	}
	b.pay(b.who, cash, invoices["partly paid"].ID, "40")
	b.pay(b.who, cash, invoices["paid"].ID, "240")
	versions := map[string]int64{}
	for about, v := range invoices {
		versions[about] = b.getInvoice(b.who, v.ID).Version
	}
	b.clock.Set(time.Date(2026, 9, 15, 20, 59, 59, 0, time.UTC)) // one second before midnight in İstanbul
	if n := b.marked(); n != 0 {
		t.Errorf("%d were marked on their due date", n)
	}
	b.clock.Advance(time.Second)
	if n := b.marked(); n != 2 {
		t.Errorf("%d were marked, want 2", n)
	}
	if n := b.marked(); n != 0 {
		t.Errorf("%d were marked a second time", n)
	}
	got := map[string]string{}
	for about, v := range invoices {
		now := b.getInvoice(b.who, v.ID)
		got[about] = fmt.Sprintf("%s +%d", now.PaymentStatus, now.Version-versions[about])
	}
	want := map[string]string{
		"unpaid": "OVERDUE +1", "partly paid": "OVERDUE +1", "paid": "PAID +0", "due later": "UNPAID +0",
		"without a day": "UNPAID +0", "draft": "UNPAID +0", "queued": "UNPAID +0", "cancelled": "UNPAID +0",
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("after midnight (-want +got):\n%s", diff)
	}
	told := sqlRows[string](b, "SELECT body ->> '$.data.object.paymentStatus' || ' after ' || (body ->> '$.data.previous.paymentStatus') FROM events WHERE event = 'invoice.updated' ORDER BY 1")
	if want := []string{"OVERDUE after PARTIALLY_PAID", "OVERDUE after UNPAID"}; !slices.Equal(told, want) {
		t.Errorf("told was %v, want %v", told, want)
	}
	if rows := sqlRows[string](b, "SELECT actor FROM audit WHERE action = 'invoice.overdue'"); !slices.Equal(rows, []string{"overdue", "overdue"}) {
		t.Errorf("the audit says who marked: %v", rows)
	}
}

// Whatever happens to an overdue invoice afterwards, its status is what its payments
// and the day say.
func TestWhatHappensToAnOverdueInvoice(t *testing.T) {
	b := open(t)
	cash := b.purse(b.who, true, "TRY", 0)
	v := b.due(b.who, "2026-09-15", trade.InvoiceSent)
	b.clock.Advance(24 * time.Hour)
	var part, rest trade.Payment
	for _, step := range []struct {
		about string
		do    func()
		want  trade.PaymentStatus
		marks int
	}{
		{"the day is over", func() {}, trade.Overdue, 1},
		{"a part is paid", func() { part = b.pay(b.who, cash, v.ID, "40") }, trade.Overdue, 0},
		{"the rest is paid", func() { rest = b.pay(b.who, cash, v.ID, "200") }, trade.Paid, 0},
		{"the rest is taken back", func() { b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(rest.ID); return err }) }, trade.Overdue, 0},
		{"all is taken back", func() { b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(part.ID); return err }) }, trade.Overdue, 0},
		{"it is cancelled", func() { b.write(b.who, func(tx *store.Tx) error { _, err := tx.CancelInvoice(v.ID); return err }) }, trade.Unpaid, 0},
	} {
		step.do()
		if n := b.marked(); n != step.marks {
			t.Errorf("%s: %d were marked, want %d", step.about, n, step.marks)
		}
		if got := b.getInvoice(b.who, v.ID).PaymentStatus; got != step.want {
			t.Errorf("%s: %s, want %s", step.about, got, step.want)
		}
	}
	// What is paid in time and taken back too late is overdue at the next midnight.
	late := b.due(b.who, "2026-09-16", trade.InvoiceSent)
	paid := b.pay(b.who, cash, late.ID, "240")
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(paid.ID); return err })
	b.clock.Advance(24 * time.Hour)
	if n := b.marked(); n != 1 {
		t.Errorf("%d were marked after the reversal, want 1", n)
	}
}

// One damaged invoice is told of, and the others are marked.
func TestADamagedInvoiceKeepsNoOtherFromBeingMarked(t *testing.T) {
	b := open(t)
	bad, good := b.due(b.who, "2026-09-15", trade.InvoiceSent), b.due(b.who, "2026-09-15", trade.InvoiceSent)
	if _, err := file(t, b.Dir()).Exec("UPDATE invoices SET doc = substr(doc, 1, 50) WHERE id = ?", bad.ID); err != nil {
		t.Fatal(err)
	}
	b.clock.Advance(24 * time.Hour)
	n, err := b.MarkOverdue(context.Background())
	if n != 1 || err == nil || !strings.Contains(err.Error(), bad.ID) {
		t.Errorf("%d were marked: %v", n, err)
	}
	if got := b.getInvoice(b.who, good.ID).PaymentStatus; got != trade.Overdue {
		t.Errorf("the good one is %s", got)
	}
}

// Many invoices of many accounts in different zones are marked in batches, each at its
// own midnight: through restarts, when the clock jumps over days and when two are at it.
func TestOverdueInZonesAndInBatches(t *testing.T) {
	ck := clock.NewManual(start)
	dir := t.TempDir()
	b := openIn(t, dir, ck)
	zones := map[string]store.Who{}
	for i, zone := range []string{"Pacific/Kiritimati", "Asia/Kathmandu", "Europe/Istanbul", "America/St_Johns"} {
		who := b.tenant("Firma", trade.CompleteVKN(fmt.Sprintf("98765430%d", i)))
		b.write(who, func(tx *store.Tx) error {
			s, err := tx.Settings()
			if err != nil {
				return err
			}
			in := *s
			in.Timezone = zone
			_, err = tx.UpdateTenant(store.Any, in)
			return err
		})
		zones[zone] = who
		for range 60 {
			b.due(who, "2026-09-17", trade.InvoiceSent)
		}
	}
	for _, step := range []struct{ at, zones string }{
		{"2026-09-17T09:59:59Z", ""},
		{"2026-09-17T10:00:00Z", "Pacific/Kiritimati"},
		{"2026-09-17T18:14:59Z", ""},
		{"2026-09-17T18:15:00Z", "Asia/Kathmandu"},
		{"2026-09-25T00:00:00Z", "Europe/Istanbul America/St_Johns"}, // days later
	} {
		ck.Set(must(time.Parse(time.RFC3339, step.at)))
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		db, err := store.Open(store.Options{Dir: dir, Clock: ck, IDs: clock.RandomIDs(), NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		b.DB = db
		before := b.overdueOf(zones)
		var n atomic.Int64
		var both sync.WaitGroup
		for range 2 { // which find the same invoices
			both.Go(func() {
				came, err := b.MarkOverdue(context.Background())
				if n.Add(int64(came)); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		if want := len(strings.Fields(step.zones)) * 60; int(n.Load()) != want {
			t.Errorf("%s: %d were marked, want %d", step.at, n.Load(), want)
		}
		for zone, now := range b.overdueOf(zones) {
			if came := now - before[zone]; (came == 60) != strings.Contains(step.zones, zone) || came%60 != 0 {
				t.Errorf("%s: %d invoices of %s were marked", step.at, came, zone)
			}
		}
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM audit WHERE action = 'invoice.overdue'"); n != 240 {
		t.Errorf("the audit tells of %d, want each of 240 once", n)
	}
}

// overdueOf counts the overdue invoices of each account.
func (b *book) overdueOf(zones map[string]store.Who) map[string]int {
	n := map[string]int{}
	for zone, who := range zones {
		n[zone] = sqlRow[int](b, "SELECT count(*) FROM invoices WHERE tenant = ? AND doc ->> 'paymentStatus' = 'OVERDUE'", who.Tenant)
	}
	return n
}
