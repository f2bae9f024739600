package store_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// paid books a payment of an amount at a rate.
func (b *book) paid(company, account string, d trade.PaymentDirection, amount money.Amount, rate string, parts ...trade.Allocation) (p trade.Payment) {
	b.t.Helper()
	in := trade.Payment{CompanyID: company, AccountID: account, Direction: d, Amount: amount, Allocations: parts, ExchangeRate: must(money.ParseExchange(rate))}
	b.write(b.who, func(tx *store.Tx) error { return into(&p)(tx.CreatePayment(in)) })
	return p
}

// payment reads a payment again.
func (b *book) payment(id string) (p trade.Payment) {
	b.t.Helper()
	b.read(b.who, func(v *store.View) (err error) { p, err = store.Payments.Get(v, id); return err })
	return p
}

// inBooks is what is booked in lira where.
func (b *book) inBooks(where string) money.Amount {
	b.t.Helper()
	return sqlRow[money.Amount](b, "SELECT coalesce(sum(lira), 0) FROM postings WHERE "+where)
}

// What the rates of a payment and of what gives it back differ by is gain (negative) or
// loss, either way; once all of it has gone back the company owes nothing in lira either.
// Reversed, all is as it was.
func TestTheDifferenceOfRatesOfARefund(t *testing.T) {
	type part struct {
		amount money.Amount
		rate   string
		later  bool // allocated after it was made
	}
	for about, test := range map[string]struct {
		first trade.PaymentDirection
		parts []part
		gain  money.Amount
	}{
		"the same rate":                  {trade.PaymentIn, []part{{10000, "40", false}}, 0},
		"more lira go back than came":    {trade.PaymentIn, []part{{10000, "41", false}}, 10000},
		"fewer":                          {trade.PaymentIn, []part{{10000, "39.5", false}}, -5000},
		"allocated later":                {trade.PaymentIn, []part{{10000, "41", true}}, 10000},
		"in parts":                       {trade.PaymentIn, []part{{4000, "41", true}, {6000, "39", false}}, -2000},
		"a supplier returns what it got": {trade.PaymentOut, []part{{10000, "41", false}}, -10000},
		"a supplier returns fewer lira":  {trade.PaymentOut, []part{{9999, "39", true}, {1, "39", false}}, 10000},
		"parts that round":               {trade.PaymentIn, []part{{1, "40.123456", false}, {1, "40.123456", true}, {9998, "40", false}}, 0},
	} {
		t.Run(about, func(t *testing.T) {
			b := open(t)
			company, bank := b.company(b.who, buyer()).ID, b.purse(b.who, false, "USD", 0)
			back := map[trade.PaymentDirection]trade.PaymentDirection{trade.PaymentIn: trade.PaymentOut, trade.PaymentOut: trade.PaymentIn}[test.first]
			first := b.paid(company, bank, test.first, 10000, "40")
			was := b.inBooks("kind = 'COMPANY'")
			var refunds []trade.Payment
			for _, x := range test.parts {
				parts := []trade.Allocation{{PaymentID: first.ID, Amount: x.amount}}
				if x.later {
					p := b.paid(company, bank, back, x.amount, x.rate)
					b.write(b.who, func(tx *store.Tx) error {
						_, err := tx.AllocatePayment(p.ID, trade.Allocations{Allocations: parts})
						return err
					})
					refunds = append(refunds, p)
				} else {
					refunds = append(refunds, b.paid(company, bank, back, x.amount, x.rate, parts...))
				}
			}
			is := b.payment(first.ID)
			got := []money.Amount{b.inBooks("kind = 'EXCHANGE'"), b.inBooks("kind = 'COMPANY'"), is.Unallocated, is.Refunded}
			if diff := gocmp.Diff([]money.Amount{test.gain, 0, 0, 10000}, got); diff != "" {
				t.Errorf("gain or loss, owed, unallocated and refunded (-want +got):\n%s", diff)
			}
			for _, p := range refunds { // in another order than they were made
				b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(p.ID); return err })
			}
			is = b.payment(first.ID)
			if owed := b.inBooks("kind = 'COMPANY'"); owed != was || is.Unallocated != 10000 || is.Refunded != 0 {
				t.Errorf("reversed: %s owed, %s before; %s unallocated, %s refunded", owed, was, is.Unallocated, is.Refunded)
			}
			if n := sqlRow[int](b, unbalanced); n != 0 {
				t.Errorf("%d entries are left with something over", n)
			}
		})
	}
}

// A payment that is reversed between others leaves nothing over in lira, though what it
// paid is worth a kuruş more by then.
func TestAReversalOfAPartThatRounds(t *testing.T) {
	b := open(t)
	company, bank := b.company(b.who, buyer()).ID, b.purse(b.who, false, "USD", 0)
	v := b.taken(b.who, company, "USD", "40.123456")
	first := b.paid(company, bank, trade.PaymentIn, 4, "40.123456", trade.Allocation{InvoiceID: v.ID, Amount: 4})
	b.paid(company, bank, trade.PaymentIn, 1, "40.123456", trade.Allocation{InvoiceID: v.ID, Amount: 1})
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(first.ID); return err })
	b.paid(company, bank, trade.PaymentIn, 23999, "40.123456", trade.Allocation{InvoiceID: v.ID, Amount: 23999})
	if owed := b.inBooks("kind = 'COMPANY'"); owed != 0 {
		t.Errorf("the invoice is paid and the company owes %s in lira", owed)
	}
}

// Money that went back is not there to be spent, and a record that two parts name changes
// once when they are taken back.
func TestARefundIsOneChange(t *testing.T) {
	b := open(t)
	company, cash := b.company(b.who, buyer()).ID, b.purse(b.who, true, "TRY", 0)
	v := b.taken(b.who, company, "TRY", "1")
	in := b.paid(company, cash, trade.PaymentIn, 24000, "1")
	out := b.paid(company, cash, trade.PaymentOut, 24000, "1", trade.Allocation{PaymentID: in.ID, Amount: 20000})
	more := trade.Allocations{Allocations: []trade.Allocation{{PaymentID: in.ID, Amount: 4000}}}
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.AllocatePayment(out.ID, more); return err })
	spend := trade.Allocations{Allocations: []trade.Allocation{{InvoiceID: v.ID, Amount: 24000}}}
	if e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.AllocatePayment(in.ID, spend); return err }); fields(e) != "allocations exceeds_rest" {
		t.Errorf("spending what went back: %s", fields(e))
	}
	if is := b.payment(in.ID); is.Version != 3 || is.Refunded != 24000 {
		t.Errorf("version %d, %s given back", is.Version, is.Refunded)
	}
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(out.ID); return err })
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.AllocatePayment(in.ID, spend); return err })
	got := sqlRows[string](b, "SELECT action FROM audit WHERE action LIKE 'payment.%' ORDER BY seq")
	want := []string{"payment.create", "payment.refund", "payment.create", "payment.refund", "payment.allocate", "payment.unrefund", "payment.reverse", "payment.allocate"}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("the audit (-want +got):\n%s", diff)
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM events WHERE event LIKE 'payment.%'"); n != 2 {
		t.Errorf("%d events of payments, want one for each", n)
	}
}

// Payments of before there were refunds have given back nothing, and of those that were
// reversed nothing is left; who keeps a copy comes to know of that.
func TestPaymentsOfBeforeRefunds(t *testing.T) {
	b := open(t)
	company, cash := b.company(b.who, buyer()).ID, b.purse(b.who, true, "TRY", 0)
	kept, gone := b.paid(company, cash, trade.PaymentIn, 100, "1"), b.paid(company, cash, trade.PaymentIn, 200, "1")
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(gone.ID); return err })
	again := b.aged(11, `UPDATE payments SET doc = json_remove(doc, '$.refunded');
		UPDATE payments SET doc = json_set(doc, '$.unallocated', '2.00') WHERE status = 'REVERSED'`)
	if all := again.found(); len(all) > 0 {
		t.Errorf("differences: %s", all)
	}
	if is := again.payment(gone.ID); is.Version != 3 || is.Unallocated != 0 {
		t.Errorf("reversed: version %d, %s unallocated", is.Version, is.Unallocated)
	}
	if is := again.payment(kept.ID); is.Version != 1 || is.Unallocated != 100 {
		t.Errorf("booked: version %d, %s unallocated", is.Version, is.Unallocated)
	}
	if n := sqlRow[int](again, "SELECT count(*) FROM payments WHERE doc ->> 'refunded' = '0.00'"); n != 2 {
		t.Errorf("%d payments say what was given back of them, want 2", n)
	}
}
