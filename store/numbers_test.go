package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
)

// answer lets the tax office, or the buyer, answer an invoice that is on its way.
func (b *book) answer(who store.Who, invoice string, a store.Answer) {
	b.t.Helper()
	b.write(who, func(tx *store.Tx) error {
		step := sqlRow[string](b, "SELECT step FROM courier WHERE owner = ?", invoice)
		envelope := sqlRow[string](b, "SELECT envelope FROM courier WHERE owner = ?", invoice)
		return tx.Answer(store.Errand{Owner: invoice, Step: store.Step(step), Envelope: envelope}, a)
	})
}

func (b *book) getInvoice(who store.Who, id string) (v trade.Invoice) {
	b.t.Helper()
	b.read(who, func(view *store.View) (err error) {
		v, err = store.Invoices.Get(view, id)
		return err
	})
	return v
}

// register puts a buyer on the tax office's list.
func (b *book) register(taxNumber string) {
	b.t.Helper()
	b.write(store.Who{Actor: "operator"}, func(tx *store.Tx) error {
		return tx.PutTaxpayers([]store.Taxpayer{registered(taxNumber, b.clock.Now())})
	})
}

// Acceptance M4: sixteen writers send at once, a third of them what cannot be
// sent. The numbers have no gap, none is there twice, and they rise in the order
// of the commits.
func TestLegalNumbersHaveNoGapsAndNoDoubles(t *testing.T) {
	b := open(t)
	good := b.company(b.who, buyer()).ID
	bad := b.company(b.who, named(1)).ID // without an address: nothing can be sent to it
	var wg sync.WaitGroup
	for w := range 16 {
		wg.Go(func() {
			for i := range 12 {
				company, fails := good, (w+i)%3 == 0
				if fails {
					company = bad
				}
				err := b.Write(context.Background(), b.who, func(tx *store.Tx) error { return createAndSend(tx, draft(company)) })
				if (err != nil) != fails {
					t.Errorf("writer %d: %v", w, err)
				}
			}
		})
	}
	wg.Wait()
	queued := b.events(b.who)
	queued = slices.DeleteFunc(queued, func(e eventBody) bool { return e.Event != "invoice.queued" })
	if len(queued) != 128 {
		t.Errorf("%d sent, want 128", len(queued))
	}
	for i, e := range queued {
		if want := fmt.Sprintf(`"number":"EAR2026%09d"`, i+1); !strings.Contains(string(e.Data.Object), want) {
			t.Errorf("commit %d has no %s", i+1, want)
		}
	}
	drafts := sqlRows[string](b, "SELECT number FROM invoices WHERE number LIKE 'DRAFT%'")
	if n := sqlRow[int](b, "SELECT last FROM numbers WHERE series = 'EAR2026'"); n != 128 || len(drafts) != 0 {
		t.Errorf("%d numbers drawn, %d drafts left over", n, len(drafts))
	}
}

func TestTheDatesOfASeriesRise(t *testing.T) {
	b := open(t)
	sale := b.sale(b.who)
	on := func(d trade.Date) trade.Invoice { v := sale; v.IssueDate = d; return v }
	send := func(v trade.Invoice) error {
		return b.Write(context.Background(), b.who, func(tx *store.Tx) error { return createAndSend(tx, v) })
	}
	for _, step := range []struct {
		about string
		date  trade.Date
		code  trade.Code // "" when it is taken
	}{
		{"before the tax office began", "2004-12-31", trade.OutOfRange},
		{"long before", "1950-01-01", trade.OutOfRange},
		{"some days ago", "2026-09-10", ""},
		{"the day before the last", "2026-09-09", trade.IssueDateOrder},
		{"the same day", "2026-09-10", ""},
		{"tomorrow", "2026-09-16", trade.IssueDateFuture},
		{"today", "2026-09-15", ""},
		{"today, left out", "", ""},
		{"the day of an earlier one", "2026-09-10", trade.IssueDateOrder},
		{"another year has a series of its own", "2025-12-31", ""},
	} {
		err := send(on(step.date))
		if got := faultsOf(err)["issueDate"]; got != step.code || (err == nil) != (step.code == "") {
			t.Errorf("%s (%s): %v, want %q", step.about, step.date, err, step.code)
		}
	}
	numbers := sqlRows[string](b, "SELECT number FROM invoices WHERE status = 'QUEUED' ORDER BY id")
	slices.Sort(numbers)
	want := []string{"EAR2025000000001", "EAR2026000000001", "EAR2026000000002", "EAR2026000000003", "EAR2026000000004"}
	if !slices.Equal(numbers, want) {
		t.Errorf("numbers %q, want %q", numbers, want)
	}
}

// The year of a number is the account's: in Istanbul it begins at 21:00 UTC.
func TestTheYearChangesAtMidnightOfTheAccount(t *testing.T) {
	b := open(t)
	sale := b.sale(b.who)
	for _, step := range []struct {
		at, number, time string
		date             trade.Date
	}{
		{"2026-12-31T20:59:59Z", "EAR2026000000001", "23:59:59", "2026-12-31"},
		{"2026-12-31T21:00:00Z", "EAR2027000000001", "00:00:00", "2027-01-01"},
		{"2027-01-01T10:00:00Z", "EAR2027000000002", "13:00:00", "2027-01-01"},
	} {
		b.clock.Set(must(time.Parse(time.RFC3339, step.at)))
		v := b.send(b.who, b.invoice(b.who, sale).ID)
		if v.Number != step.number || v.IssueDate != step.date || v.IssueTime != step.time {
			t.Errorf("at %s: %s of %s %s, want %s of %s %s", step.at, v.Number, v.IssueDate, v.IssueTime, step.number, step.date, step.time)
		}
	}
}

// What failed at the tax office is sent again as the same document, even in the
// next year.
func TestAFailedInvoiceKeepsNumberAndETTN(t *testing.T) {
	b := open(t)
	v := b.send(b.who, b.invoice(b.who, b.sale(b.who)).ID)
	b.answer(b.who, v.ID, store.Answer{Outcome: trade.Failed, Code: "1160", Text: "şema hatası", Envelope: "env"})
	b.clock.Set(start.AddDate(1, 0, 0))
	edited := b.getInvoice(b.who, v.ID)
	edited.Lines[0].Name, edited.IssueDate = "Düzeltildi", ""
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.UpdateInvoice(v.ID, store.Any, edited); return err })
	again := b.send(b.who, v.ID)
	if again.Number != v.Number || again.ETTN != v.ETTN || again.IssueDate != v.IssueDate || again.Lines[0].Name != "Düzeltildi" {
		t.Errorf("sent again as %s %s of %s, was %s %s of %s", again.Number, again.ETTN, again.IssueDate, v.Number, v.ETTN, v.IssueDate)
	}
	if e := again.EDocument; e.LastError != "" || e.StatusCode != "" || e.EnvelopeID != "" || e.Status != "QUEUED" {
		t.Errorf("it still tells of the failure: %+v", e)
	}
	if next := b.send(b.who, b.invoice(b.who, b.sale(b.who)).ID); next.Number != "EAR2027000000001" {
		t.Errorf("the next one is %s", next.Number)
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM void_numbers"); n != 0 {
		t.Errorf("%d numbers given up", n)
	}
}

// When the buyer has registered meanwhile, the document becomes one of another
// series: the old number is given up and kept as void, whether the invoice was
// edited in between or not.
func TestAKindThatFlipsVoidsTheNumber(t *testing.T) {
	for _, edit := range []bool{false, true} {
		t.Run(fmt.Sprintf("edited %v", edit), func(t *testing.T) {
			b := open(t)
			v := b.send(b.who, b.invoice(b.who, b.sale(b.who)).ID)
			b.answer(b.who, v.ID, store.Answer{Outcome: trade.Failed, Code: "1150"})
			b.register(buyer().TaxNumber)
			b.clock.Advance(48 * time.Hour)
			if edit {
				b.write(b.who, func(tx *store.Tx) error {
					_, err := tx.UpdateInvoice(v.ID, store.Any, b.getInvoice(b.who, v.ID))
					return err
				})
			}
			again := b.send(b.who, v.ID)
			if again.Number != "EFA2026000000001" || again.DocumentType != trade.EFatura || again.Profile != trade.TicariFatura || again.ETTN != v.ETTN || again.IssueDate != "2026-09-17" {
				t.Errorf("sent again as %s, a %s %s of %s", again.Number, again.DocumentType, again.Profile, again.IssueDate)
			}
			if got := sqlRow[string](b, "SELECT number || ' ' || owner FROM void_numbers WHERE tenant = ?", b.who.Tenant); got != v.Number+" "+v.ID {
				t.Errorf("given up: %s, want %s", got, v.Number)
			}
			b.answer(b.who, v.ID, store.Answer{Outcome: trade.Failed})
			if third := b.send(b.who, v.ID); third.Number != again.Number {
				t.Errorf("the third time as %s, want %s", third.Number, again.Number)
			}
		})
	}
}

// Each kind, each account and each set of letters has a series of its own.
func TestSeriesStandApart(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	receiver := buyer()
	receiver.TaxNumber = trade.CompleteVKN("444555666")
	b.register(receiver.TaxNumber)
	send := func(who store.Who, c trade.Company) string {
		return b.send(who, b.invoice(who, draft(b.company(who, c).ID)).ID).Number
	}
	got := []string{send(b.who, buyer()), send(b.who, receiver), send(other, buyer()), send(b.who, buyer())}
	b.write(b.who, func(tx *store.Tx) error {
		t, err := store.Tenants.Get(&tx.View, b.who.Tenant)
		if err != nil {
			return err
		}
		t.Series.EArsiv = "ARS"
		_, err = tx.UpdateTenant(store.Any, t)
		return err
	})
	got = append(got, send(b.who, buyer()))
	want := []string{"EAR2026000000001", "EFA2026000000001", "EAR2026000000001", "EAR2026000000002", "ARS2026000000001"}
	if !slices.Equal(got, want) {
		t.Errorf("numbers %q, want %q", got, want)
	}
}
