package store_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// cancel takes an invoice back, whatever has been paid on it.
func (r *teller) cancel(t *rapid.T) {
	v := rapid.SampledFrom(r.invoices).Draw(t, "cancelled") // perhaps one that is cancelled already
	if r.try(t, func(tx *store.Tx) error { _, err := tx.CancelInvoice(v.ID); return err }) {
		r.model[r.company+" "+v.Currency] -= v.Payable
	}
}

// checkPayments checks that a payment is spent on what is owed and on nothing else,
// and that in lira the company owes what its invoices and its credit are worth: each
// at its own rate, whatever way led there.
func (r *teller) checkPayments(t *rapid.T) {
	var worth money.Amount
	for _, v := range r.invoices {
		is := r.b.getInvoice(r.who, v.ID)
		if !is.Owed() {
			if is.PaidTotal != 0 || is.PaymentStatus != trade.Unpaid {
				t.Fatalf("%s is %s and still paid %s, %s", is.Number, is.Status, is.PaidTotal, is.PaymentStatus)
			}
			continue
		}
		worth += at(is.ExchangeRate, is.Payable) - at(is.ExchangeRate, is.PaidTotal)
	}
	for _, p := range r.payments {
		var is trade.Payment
		r.b.read(r.who, func(v *store.View) (err error) { is, err = store.Payments.Get(v, p.ID); return err })
		left := is.Amount - is.Refunded
		for _, a := range is.Allocations {
			left -= a.Amount
		}
		if is.Status == trade.PaymentReversed {
			left = is.Refunded // of what is reversed nothing is left, nor was any of it given back
		}
		if left != is.Unallocated || left < 0 {
			t.Fatalf("%s of %s: %s unallocated, its allocations and %s given back leave %s", is.Number, is.Amount, is.Unallocated, is.Refunded, left)
		}
		switch {
		case is.Status == trade.PaymentReversed:
		case is.Direction == trade.PaymentIn:
			worth -= at(is.ExchangeRate, is.Unallocated)
		default:
			worth += at(is.ExchangeRate, is.Unallocated)
		}
	}
	if got := sqlRow[money.Amount](r.b, "SELECT coalesce(sum(lira), 0) FROM postings WHERE account = ?", r.company); got != worth {
		t.Fatalf("the company owes %s in lira, its invoices and payments are worth %s", got, worth)
	}
}

// at is what an amount is worth in lira.
func at(rate money.Exchange, a money.Amount) money.Amount {
	lira, _ := rate.Of(a)
	return lira
}

// When an invoice is rejected or cancelled, what was paid on it is the company's
// credit: each payment has it unallocated again, one version on, and may pay others.
func TestWhatWasPaidOfAnInvoiceThatFallsAway(t *testing.T) {
	for about, test := range map[string]struct {
		kind   trade.DocumentType
		fall   func(b *book, id string)
		status trade.InvoiceState
	}{
		"rejected": {trade.EFatura, func(b *book, id string) { b.answer(b.who, id, store.Answer{Outcome: trade.Rejected}) }, trade.InvoiceRejected},
		"cancelled": {trade.EArsiv, func(b *book, id string) {
			b.write(b.who, func(tx *store.Tx) error { _, err := tx.CancelInvoice(id); return err })
		}, trade.InvoiceCancelled},
	} {
		t.Run(about, func(t *testing.T) {
			b := open(t)
			if test.kind == trade.EFatura {
				b.register(buyer().TaxNumber)
			}
			v := brought(b, trade.InvoiceSent, test.kind)
			cash, other := b.purse(b.who, true, "TRY", 0), b.taken(b.who, v.CompanyID, "TRY", "1")
			pay := func(notes string, parts ...trade.Allocation) (p trade.Payment) {
				in := trade.Payment{CompanyID: v.CompanyID, AccountID: cash, Direction: trade.PaymentIn, Amount: 10000, Allocations: parts}
				in.Notes = notes
				b.write(b.who, func(tx *store.Tx) error { return into(&p)(tx.CreatePayment(in)) })
				return p
			}
			both := pay("", trade.Allocation{InvoiceID: v.ID, Amount: 3000}, trade.Allocation{InvoiceID: other.ID, Amount: 2000})
			more := trade.Allocations{Allocations: []trade.Allocation{{InvoiceID: v.ID, Amount: 1000}}}
			b.write(b.who, func(tx *store.Tx) error { _, err := tx.AllocatePayment(both.ID, more); return err })
			whole := pay("", trade.Allocation{InvoiceID: v.ID, Amount: 10000})
			none := pay("for " + v.ID)
			gone := pay("", trade.Allocation{InvoiceID: v.ID, Amount: 5000})
			b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(gone.ID); return err })

			before := b.getInvoice(b.who, v.ID)
			test.fall(b, v.ID)
			after := b.getInvoice(b.who, v.ID)
			if after.Status != test.status || after.Version != before.Version+1 || after.PaidTotal != 0 || after.Remaining != 0 || after.PaymentStatus != trade.Unpaid {
				t.Errorf("the invoice: %s, version %d after %d, paid %s, %s left, %s", after.Status, after.Version, before.Version, after.PaidTotal, after.Remaining, after.PaymentStatus)
			}
			type state struct {
				Version     int64
				Unallocated money.Amount
				Allocations []trade.Allocation
			}
			got := map[string]state{}
			for _, p := range []trade.Payment{both, whole, none, gone} {
				b.read(b.who, func(view *store.View) (err error) { p, err = store.Payments.Get(view, p.ID); return err })
				got[p.ID] = state{p.Version, p.Unallocated, p.Allocations}
			}
			want := map[string]state{
				both.ID:  {3, 8000, []trade.Allocation{{InvoiceID: other.ID, Amount: 2000}}},
				whole.ID: {2, 10000, []trade.Allocation{}},
				none.ID:  {1, 10000, []trade.Allocation{}},
				gone.ID:  {2, 0, []trade.Allocation{{InvoiceID: v.ID, Amount: 5000}}}, // what is reversed stays as it was
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("payments (-want +got):\n%s", diff)
			}
			if n := sqlRow[int](b, "SELECT count(*) FROM audit WHERE action = 'payment.release'"); n != 2 {
				t.Errorf("%d rows of the audit tell of a release, want 2", n)
			}
			b.write(b.who, func(tx *store.Tx) error {
				_, err := tx.AllocatePayment(whole.ID, trade.Allocations{Allocations: []trade.Allocation{{InvoiceID: other.ID, Amount: 10000}}})
				return err
			})
			owed := books{v.CompanyID + " TRY": 0}
			if got := b.now(b.who, owed)[v.CompanyID+" TRY"]; got != 24000-30000 {
				t.Errorf("the company owes %s, want 240.00 less what it has paid, 300.00", got)
			}
		})
	}
}

// The gain or loss that was booked with what was paid falls away with the invoice: the
// company is owed what it gave, at the rates of its payments.
func TestTheDifferenceOfRatesFallsAway(t *testing.T) {
	b := open(t)
	company, bank := b.company(b.who, buyer()).ID, b.purse(b.who, false, "USD", 0)
	v := b.taken(b.who, company, "USD", "40.123456")
	var worth money.Amount
	for _, x := range []struct {
		rate              string
		amount, allocated money.Amount
	}{{"41", 10000, 9999}, {"39.5", 1, 1}, {"42.777777", 5001, 4000}} {
		rate := must(money.ParseExchange(x.rate))
		worth -= at(rate, x.amount)
		b.write(b.who, func(tx *store.Tx) error {
			_, err := tx.CreatePayment(trade.Payment{
				CompanyID: company, AccountID: bank, Direction: trade.PaymentIn, Amount: x.amount, ExchangeRate: rate,
				Allocations: []trade.Allocation{{InvoiceID: v.ID, Amount: x.allocated}},
			})
			return err
		})
	}
	lira := func(where string) money.Amount {
		return sqlRow[money.Amount](b, "SELECT coalesce(sum(lira), 0) FROM postings WHERE "+where)
	}
	if lira("kind = 'EXCHANGE'") == 0 {
		t.Error("no difference was booked: the test tries nothing")
	}
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.CancelInvoice(v.ID); return err })
	if gain, owed := lira("kind = 'EXCHANGE'"), lira("kind = 'COMPANY'"); gain != 0 || owed != worth {
		t.Errorf("%s of gain or loss are left, and the company owes %s, want %s", gain, owed, worth)
	}
	if n := sqlRow[int](b, unbalanced); n != 0 {
		t.Errorf("%d entries are left with something over", n)
	}
}
