package store_test

import (
	"testing"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// What a company owes is never more than an amount holds, in its currency and in lira, in
// no row of a statement: what would make it so is a fault.
func TestACompanyOwesNoMoreThanAnAmountHolds(t *testing.T) {
	const most = money.Amount(999_999_999_999_999_99)
	type move struct {
		d       trade.PaymentDirection
		amount  money.Amount
		date    trade.Date
		rate    string
		refused bool
	}
	for about, moves := range map[string][]move{
		"what it is owed":           {{trade.PaymentIn, most, "", "", false}, {trade.PaymentIn, 1, "", "", true}, {trade.PaymentOut, 1, "", "", false}, {trade.PaymentIn, 1, "", "", false}},
		"what it owes":              {{trade.PaymentOut, most, "", "", false}, {trade.PaymentOut, 1, "", "", true}, {trade.PaymentIn, most, "", "", false}},
		"in lira":                   {{trade.PaymentIn, most / 50, "", "49", false}, {trade.PaymentIn, most / 50, "", "1.1", true}, {trade.PaymentIn, 1, "", "1.1", false}},
		"on a day before":           {{trade.PaymentIn, most, "2026-09-10", "", false}, {trade.PaymentOut, most, "2026-09-12", "", false}, {trade.PaymentIn, 1, "2026-09-11", "", true}, {trade.PaymentIn, 1, "2026-09-12", "", false}},
		"within a day, from before": {{trade.PaymentIn, most, "2026-09-10", "", false}, {trade.PaymentOut, most, "2026-09-10", "", false}, {trade.PaymentIn, 1, "2026-09-09", "", true}, {trade.PaymentOut, 1, "2026-09-09", "", false}},
	} {
		t.Run(about, func(t *testing.T) {
			b := open(t)
			company := b.company(b.who, buyer()).ID
			for i, m := range moves {
				currency := "TRY"
				if m.rate != "" {
					currency = "USD"
				}
				p := trade.Payment{CompanyID: company, AccountID: b.purse(b.who, false, currency, 0), Direction: m.d, Amount: m.amount, Date: m.date}
				if m.rate != "" {
					p.ExchangeRate = must(money.ParseExchange(m.rate))
				}
				if !m.refused {
					b.write(b.who, func(tx *store.Tx) error { _, err := tx.CreatePayment(p); return err })
				} else if e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.CreatePayment(p); return err }); fields(e) != "amount amount_too_large" {
					t.Errorf("payment %d: %s", i+1, fields(e))
				}
				b.read(b.who, func(v *store.View) error { _, err := v.Statement(company, "", ""); return err })
			}
		})
	}
}

// Whether there is room for an invoice is asked at send, those on their way to the tax
// office counted; what that has taken is booked, and what it has rejected is taken back.
func TestRoomForAnInvoice(t *testing.T) {
	b := open(t)
	company, bank := b.company(b.who, buyer()).ID, b.purse(b.who, false, "TRY", 0)
	large := func() trade.Invoice {
		v := draft(company)
		v.Lines[0].Quantity, v.Lines[0].UnitPrice = must(money.ParseQuantity("500000000")), new(must(money.ParsePrice("1000000"))) // 600,000,000,000,000.00 with VAT
		return b.invoice(b.who, v)
	}
	first, second := large(), large()
	b.send(b.who, first.ID)
	send := func(tx *store.Tx) error { _, err := tx.SendInvoice(second.ID); return err }
	for _, step := range []string{"it is on its way", "it is taken"} {
		if e := b.refused(b.who, send); fields(e) != "payable amount_too_large" {
			t.Errorf("a second invoice when the first is %s: %s", step, fields(e))
		}
		out := trade.Payment{CompanyID: company, AccountID: bank, Direction: trade.PaymentOut, Amount: 400_000_000_000_000_00}
		if e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.CreatePayment(out); return err }); fields(e) != "amount amount_too_large" {
			t.Errorf("money to the company when the first is %s: %s", step, fields(e))
		}
		if step == "it is on its way" {
			b.answer(b.who, first.ID, store.Answer{Outcome: trade.Taken, Code: "1300", Envelope: "env"})
		}
	}
	b.paid(company, bank, trade.PaymentIn, 600_000_000_000_000_00, "1", trade.Allocation{InvoiceID: first.ID, Amount: 600_000_000_000_000_00})
	b.write(b.who, send)
}

// What the tax office decides is booked even where there is no room, from where changes
// lead back but not further.
func TestWhatIsDecidedIsBooked(t *testing.T) {
	b := open(t)
	b.register(buyer().TaxNumber)
	v := brought(b, trade.InvoiceSent, trade.EFatura)
	banks := []string{b.purse(b.who, false, "TRY", 0), b.purse(b.who, false, "TRY", 0)}
	b.paid(v.CompanyID, banks[0], trade.PaymentIn, 999_999_999_999_999_99, "1")
	b.paid(v.CompanyID, banks[1], trade.PaymentIn, v.Payable, "1")
	b.answer(b.who, v.ID, store.Answer{Outcome: trade.Rejected})
	owed := books{v.CompanyID + " TRY": 0}
	if got := b.now(b.who, owed)[v.CompanyID+" TRY"]; got != -999_999_999_999_999_99-v.Payable {
		t.Errorf("the company owes %s after the rejection", got)
	}
	in := trade.Payment{CompanyID: v.CompanyID, AccountID: banks[1], Direction: trade.PaymentIn, Amount: 1}
	if e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.CreatePayment(in); return err }); fields(e) != "amount amount_too_large" {
		t.Errorf("further: %s", fields(e))
	}
	b.paid(v.CompanyID, banks[1], trade.PaymentOut, 1, "1")
}
