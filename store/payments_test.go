package store_test

import (
	"context"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// What the rates of an invoice and of its payments differ by is gain (negative, as
// income is) or loss; parts are together worth exactly the invoice.
func TestTheDifferenceOfRates(t *testing.T) {
	type part struct{ amount, allocated, rate, later string }
	for about, test := range map[string]struct {
		rate  string
		parts []part
		gain  money.Amount // what is booked as gain or loss in all, in kuruş
		owed  money.Amount // what the company owes in lira afterwards
	}{
		"the same rate":                  {"40", []part{{"240", "240", "40", ""}}, 0, 0},
		"gain":                           {"40", []part{{"240", "240", "41.5", ""}}, -36000, 0},
		"loss":                           {"40", []part{{"240", "240", "39.5", ""}}, 12000, 0},
		"of a part":                      {"40", []part{{"100", "100", "41", ""}}, -10000, 560000},
		"in parts, one up and one down":  {"40", []part{{"100", "100", "41", ""}, {"140", "140", "39", ""}}, 4000, 0},
		"parts that round":               {"40.123456", []part{{"0.01", "0.01", "40.123456", ""}, {"0.01", "0.01", "40.123456", ""}, {"239.98", "239.98", "40.123456", ""}}, 0, 0},
		"what is over has no difference": {"40", []part{{"300", "240", "41", ""}}, -24000, -246000},
		"nothing is allocated":           {"40", []part{{"240", "", "45", ""}}, 0, 960000 - 1080000},
		"allocated later":                {"40", []part{{"240", "", "45", "240"}}, -120000, 0},
		"one part later":                 {"40", []part{{"240", "100", "41", "140"}}, -24000, 0},
		"later, in parts that round":     {"40.123456", []part{{"240", "0.01", "40.123456", "0.01"}, {"239.98", "", "40.123456", "239.98"}}, 0, -962883},
	} {
		t.Run(about, func(t *testing.T) {
			b := open(t)
			company, bank := b.company(b.who, buyer()).ID, b.purse(b.who, false, "USD", 0)
			v := b.taken(b.who, company, "USD", test.rate)
			for _, x := range test.parts {
				p := trade.Payment{CompanyID: company, AccountID: bank, Direction: trade.PaymentIn, Amount: must(money.ParseAmount(x.amount)), ExchangeRate: must(money.ParseExchange(x.rate))}
				if x.allocated != "" {
					p.Allocations = []trade.Allocation{{InvoiceID: v.ID, Amount: must(money.ParseAmount(x.allocated))}}
				}
				b.write(b.who, func(tx *store.Tx) error { return into(&p)(tx.CreatePayment(p)) })
				if x.later != "" {
					more := trade.Allocations{Allocations: []trade.Allocation{{InvoiceID: v.ID, Amount: must(money.ParseAmount(x.later))}}}
					b.write(b.who, func(tx *store.Tx) error { _, err := tx.AllocatePayment(p.ID, more); return err })
				}
			}
			got := []money.Amount{
				sqlRow[money.Amount](b, "SELECT coalesce(sum(lira), 0) FROM postings WHERE kind = 'EXCHANGE'"),
				sqlRow[money.Amount](b, "SELECT sum(lira) FROM postings WHERE account = ?", company),
			}
			if diff := gocmp.Diff([]money.Amount{test.gain, test.owed}, got); diff != "" {
				t.Errorf("gain or loss, and owed (-want +got):\n%s", diff)
			}
			if n := sqlRow[int](b, unbalanced); n != 0 {
				t.Errorf("%d entries are left with something over", n)
			}
		})
	}
}

// A rejected invoice is owed no longer; what was paid on it is the company's credit.
func TestARejectedInvoiceIsNotOwed(t *testing.T) {
	b := open(t)
	b.write(store.Who{Actor: "operator"}, func(tx *store.Tx) error {
		return tx.PutTaxpayers([]store.Taxpayer{registered(buyer().TaxNumber, start.AddDate(-1, 0, 0))})
	})
	v := brought(b, trade.InvoiceSent, trade.EFatura)
	cash := b.purse(b.who, true, "TRY", 0)
	pay := trade.Payment{CompanyID: v.CompanyID, AccountID: cash, Direction: trade.PaymentIn, Amount: 10000, Allocations: []trade.Allocation{{InvoiceID: v.ID, Amount: 10000}}}
	var p trade.Payment
	b.write(b.who, func(tx *store.Tx) error { return into(&p)(tx.CreatePayment(pay)) })
	b.answer(b.who, v.ID, store.Answer{Outcome: trade.Rejected})
	owed := books{v.CompanyID + " TRY": 0}
	if got := b.now(b.who, owed)[v.CompanyID+" TRY"]; got != -10000 {
		t.Errorf("the company owes %s after the rejection, want its credit of 100.00", got)
	}
	if e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.CreatePayment(pay); return err }); fields(e) != "allocations[0].invoiceId not_payable" {
		t.Errorf("paying a rejected invoice: %s", fields(e))
	}
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(p.ID); return err })
	if got := b.now(b.who, owed)[v.CompanyID+" TRY"]; got != 0 {
		t.Errorf("the company owes %s after its money went back", got)
	}
}

// An amount that is too large for the books is a fault, not a breakdown: of one
// account no more can ever come together than an amount holds.
func TestAmountsBeyondTheBooks(t *testing.T) {
	b := open(t)
	const most = money.Amount(999_999_999_999_999_99)
	bank, dollars := b.purse(b.who, false, "TRY", most), b.purse(b.who, false, "USD", 0)
	company := b.company(b.who, buyer()).ID
	for about, p := range map[string]trade.Payment{
		"an account beyond what an amount holds": {CompanyID: company, AccountID: bank, Direction: trade.PaymentIn, Amount: 1},
		"a value in lira beyond it":              {CompanyID: company, AccountID: dollars, Direction: trade.PaymentIn, Amount: most, ExchangeRate: must(money.ParseExchange("40"))},
	} {
		if e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.CreatePayment(p); return err }); fields(e) != "amount amount_too_large" {
			t.Errorf("%s: %s", about, fields(e))
		}
	}
}

// Whoever listens hears of each invoice that is owed again when a payment is taken back.
func TestAReversalTellsOfItsInvoices(t *testing.T) {
	b := open(t)
	company, cash := b.company(b.who, buyer()).ID, b.purse(b.who, true, "TRY", 0)
	one, two := b.taken(b.who, company, "TRY", "1"), b.taken(b.who, company, "TRY", "1")
	p := trade.Payment{
		CompanyID: company, AccountID: cash, Direction: trade.PaymentIn, Amount: 34000,
		Allocations: []trade.Allocation{{InvoiceID: one.ID, Amount: 24000}, {InvoiceID: two.ID, Amount: 10000}},
	}
	b.write(b.who, func(tx *store.Tx) error { return into(&p)(tx.CreatePayment(p)) })
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.ReversePayment(p.ID); return err })
	told := sqlRows[string](b, `SELECT body ->> '$.data.object.id' || ' ' || (body ->> '$.data.object.paymentStatus') || ' after ' || (body ->> '$.data.previous.paymentStatus')
		FROM events WHERE event = 'invoice.updated' ORDER BY n`)
	if diff := gocmp.Diff([]string{one.ID + " UNPAID after PAID", two.ID + " UNPAID after PARTIALLY_PAID"}, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

// A statement is whole or refused: one row more than it may have is too many.
func TestAStatementThatIsTooLong(t *testing.T) {
	b := open(t)
	bank := b.purse(b.who, false, "TRY", 1)
	fill := `WITH RECURSIVE k (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < ?)
		INSERT INTO postings (tenant, entry, date, source, number, kind, account, currency, amount, lira)
		SELECT tenant, entry, '2026-09-02', source, number, kind, account, currency, 1, 1 FROM k, (SELECT * FROM postings WHERE kind = 'BANK' LIMIT 1)`
	read := func(from trade.Date) (n int, err error) {
		err = b.Read(context.Background(), b.who, func(v *store.View) error {
			s, err := v.Statement(bank, from, "")
			n = len(s.Rows)
			return err
		})
		return n, err
	}
	for _, step := range []struct {
		more, rows int
		from       trade.Date
		code       trade.Code
	}{
		{trade.MaxStatementRows - 1, trade.MaxStatementRows, "", ""},
		{1, 0, "", trade.StatementTooLong},
		{0, trade.MaxStatementRows, "2026-09-02", ""},
	} {
		if step.more > 0 {
			if _, err := file(t, b.Dir()).Exec(fill, step.more); err != nil {
				t.Fatal(err)
			}
		}
		n, err := read(step.from)
		if step.code != "" {
			if e := asError(err); e.Code != step.code || e.Kind != trade.Malformed || e.Error() != "The statement has more than 10000 rows; give from and to, or a shorter period between them." {
				t.Errorf("%d rows more: %v", step.more, err)
			}
		} else if n != step.rows || err != nil {
			t.Errorf("%d rows more: %d rows, %v", step.more, n, err)
		}
	}
}
