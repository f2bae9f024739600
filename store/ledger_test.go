package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// unbalanced counts the entries that do not come to nothing: in lira, and in each
// currency unless they change one into another.
const unbalanced = `SELECT (SELECT count(*) FROM (SELECT 1 FROM postings GROUP BY tenant, entry HAVING sum(lira) <> 0))
	+ (SELECT count(*) FROM (SELECT tenant, entry FROM postings p GROUP BY tenant, entry, currency
		HAVING sum(amount) <> 0 AND (SELECT count(DISTINCT currency) FROM postings q WHERE q.tenant = p.tenant AND q.entry = p.entry) = 1))`

// books are what a model knows of one account's money: what its bank and cash
// accounts hold and what its company owes in each currency.
type books map[string]money.Amount

// purse makes a bank account, or a cash account when cash is set, that holds amount.
func (b *book) purse(who store.Who, cash bool, currency string, amount money.Amount) (id string) {
	b.t.Helper()
	var rec trade.Meta
	b.write(who, func(tx *store.Tx) error {
		if cash {
			return into(&rec)(tx.CreateCashAccount(trade.CashAccount{Name: "Kasa", Currency: currency, OpeningBalance: amount, OpeningDate: "2026-09-01"}))
		}
		return into(&rec)(tx.CreateBankAccount(trade.BankAccount{Name: "Vadesiz", Currency: currency, OpeningBalance: amount, OpeningDate: "2026-09-01"}))
	})
	return rec.ID
}

// taken is an invoice that the tax office has taken: 240.00 in currency.
func (b *book) taken(who store.Who, company, currency, rate string) trade.Invoice {
	b.t.Helper()
	v := draft(company)
	v.Currency, v.ExchangeRate = currency, must(money.ParseExchange(rate))
	v = b.invoice(who, v)
	b.send(who, v.ID)
	b.answer(who, v.ID, store.Answer{Outcome: trade.Taken, Code: "1300", Envelope: "env"})
	return v
}

// now reads the balances of what the model knows.
func (b *book) now(who store.Who, model books) books {
	b.t.Helper()
	out := books{}
	b.read(who, func(v *store.View) error {
		for key := range model {
			var id, currency string
			fmt.Sscan(key, &id, &currency)
			all, err := v.Balances(id)
			if err != nil {
				return err
			}
			out[key] = 0
			for _, x := range all {
				if x.Currency == currency {
					out[key] = x.Amount
				}
			}
		}
		return nil
	})
	return out
}

// Whatever is paid, moved and taken back: every entry comes to nothing, every
// balance is what a plain sum says, no cash account is below zero, and an invoice
// has been paid what its payments say.
func TestTheLedgerBalances(t *testing.T) {
	b := open(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		who := b.tenant(fmt.Sprintf("Firma %d", n), "1234567890")
		r := &teller{b: b, t: t, who: who, model: books{}, company: b.company(who, buyer()).ID}
		for _, currency := range []string{"TRY", "USD"} {
			for _, cash := range []bool{false, true} {
				id := b.purse(who, cash, currency, 10000)
				r.accounts = append(r.accounts, account{id, currency, cash})
				r.model[id+" "+currency] = 10000
			}
			r.model[r.company+" "+currency] = 0
		}
		for range 2 {
			r.invoices = append(r.invoices, b.taken(who, r.company, "TRY", "1"), b.taken(who, r.company, "USD", "40.123456"))
		}
		r.model[r.company+" TRY"], r.model[r.company+" USD"] = 48000, 48000
		r.begin(t)
		for range rapid.IntRange(4, 14).Draw(t, "changes") {
			rapid.SampledFrom([]func(*rapid.T){r.pay, r.pay, r.refund, r.transfer, r.allocate, r.reverse, r.cancel}).Draw(t, "change")(t)
		}
		r.check(t)
	})
	if n := sqlRow[int](b, unbalanced); n != 0 {
		t.Errorf("%d entries are left with something over", n)
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM postings WHERE kind = 'EXCHANGE'"); n == 0 {
		t.Error("no rate of exchange has differed: the test tries nothing")
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM payments WHERE doc ->> 'refunded' <> '0.00'"); n == 0 {
		t.Error("nothing was given back of a payment: the test tries nothing")
	}
	// the invoices went no further than the books: they have no documents
	if all := slices.DeleteFunc(b.found(), func(d string) bool { return strings.HasPrefix(d, "documents: ") }); len(all) > 0 {
		t.Errorf("the books differ:\n%s", strings.Join(all, "\n"))
	}
}

type account struct {
	id, currency string
	cash         bool
}

// teller makes random payments and transfers and keeps count of them.
type teller struct {
	b        *book
	t        *rapid.T
	who      store.Who
	company  string
	accounts []account
	invoices []trade.Invoice
	payments []trade.Payment
	model    books
}

// try does a change that may only be refused for a reason; whether it was done.
func (r *teller) try(t *rapid.T, fn func(*store.Tx) error) bool {
	err := r.b.Write(context.Background(), r.who, fn)
	if err != nil && trade.KindOf(err) != trade.Conflict && trade.KindOf(err) != trade.Invalid {
		t.Fatal(err)
	}
	return err == nil
}

// begin sees to it that in every walk something is won by a rate, and given back.
func (r *teller) begin(t *rapid.T) {
	dollars := r.accounts[2].id
	r.book(t, trade.Payment{
		CompanyID: r.company, AccountID: dollars, Direction: trade.PaymentIn, Amount: 5000, ExchangeRate: 41_000_000,
		Allocations: []trade.Allocation{{InvoiceID: r.invoices[1].ID, Amount: 3000}},
	})
	r.book(t, trade.Payment{
		CompanyID: r.company, AccountID: dollars, Direction: trade.PaymentOut, Amount: 500, ExchangeRate: 42_000_000,
		Allocations: []trade.Allocation{{PaymentID: r.payments[0].ID, Amount: 500}},
	})
}

func (r *teller) account(t *rapid.T, name string) account {
	return rapid.SampledFrom(r.accounts).Draw(t, name)
}

// day is today, or one before.
func (r *teller) day(t *rapid.T) trade.Date {
	return rapid.SampledFrom([]trade.Date{"", "2026-09-01", "2026-09-08", "2026-09-14"}).Draw(t, "day")
}

func (r *teller) pay(t *rapid.T) {
	a := r.account(t, "account")
	p := trade.Payment{
		CompanyID: r.company, AccountID: a.id, Direction: rapid.SampledFrom([]trade.PaymentDirection{trade.PaymentIn, trade.PaymentOut}).Draw(t, "direction"),
		Amount: money.Amount(rapid.IntRange(1, 30000).Draw(t, "amount")), Date: r.day(t),
	}
	if a.currency != "TRY" {
		p.ExchangeRate = money.Exchange(rapid.IntRange(30_000_000, 50_000_000).Draw(t, "rate"))
	}
	if rapid.Bool().Draw(t, "allocated") {
		p.Allocations = r.parts(t, p.Direction, a.currency)
	}
	r.book(t, p)
}

func (r *teller) count(id, currency string, d trade.PaymentDirection, amount money.Amount) {
	if d == trade.PaymentOut {
		amount = -amount
	}
	r.model[id+" "+currency] += amount
	r.model[r.company+" "+currency] -= amount
}

// parts are what a payment in currency may be spent on: invoices when it is IN, and the
// payments the other way. Now and then they are of any currency and direction, which is
// refused.
func (r *teller) parts(t *rapid.T, d trade.PaymentDirection, currency string) (parts []trade.Allocation) {
	anything := rapid.IntRange(0, 9).Draw(t, "anything") == 9
	var from []trade.Allocation
	for _, v := range r.invoices {
		if anything || v.Currency == currency && d == trade.PaymentIn {
			from = append(from, trade.Allocation{InvoiceID: v.ID})
		}
	}
	for _, p := range r.payments {
		if anything || p.Currency == currency && p.Direction != d {
			from = append(from, trade.Allocation{PaymentID: p.ID})
		}
	}
	if len(from) == 0 {
		return nil
	}
	for range rapid.IntRange(1, 3).Draw(t, "allocations") {
		a := rapid.SampledFrom(from).Draw(t, "on")
		a.Amount = money.Amount(rapid.IntRange(1, 10000).Draw(t, "part"))
		parts = append(parts, a)
	}
	return parts
}

func (r *teller) allocate(t *rapid.T) {
	if len(r.payments) > 0 {
		p := rapid.SampledFrom(r.payments).Draw(t, "payment")
		more := trade.Allocations{Allocations: r.parts(t, p.Direction, p.Currency)}
		r.try(t, func(tx *store.Tx) error { _, err := tx.AllocatePayment(p.ID, more); return err })
	}
}

// refund gives back of a payment, now and then more than is left of it.
func (r *teller) refund(t *rapid.T) {
	if len(r.payments) == 0 {
		r.pay(t)
		return
	}
	of := rapid.SampledFrom(r.payments).Draw(t, "of")
	p := trade.Payment{CompanyID: r.company, AccountID: of.AccountID, Direction: trade.PaymentOut, Amount: money.Amount(rapid.Int64Range(1, int64(of.Amount)).Draw(t, "back"))}
	if of.Direction == trade.PaymentOut {
		p.Direction = trade.PaymentIn
	}
	p.Allocations = []trade.Allocation{{PaymentID: of.ID, Amount: p.Amount}}
	if of.Currency != "TRY" {
		p.ExchangeRate = money.Exchange(rapid.IntRange(30_000_000, 50_000_000).Draw(t, "rate"))
	}
	r.book(t, p)
}

// book books a payment and keeps count of it.
func (r *teller) book(t *rapid.T, p trade.Payment) {
	var out trade.Payment
	if r.try(t, func(tx *store.Tx) error { return into(&out)(tx.CreatePayment(p)) }) {
		r.count(p.AccountID, out.Currency, out.Direction, out.Amount)
		r.payments = append(r.payments, out)
	}
}

func (r *teller) reverse(t *rapid.T) {
	if len(r.payments) == 0 {
		return
	}
	p := rapid.SampledFrom(r.payments).Draw(t, "payment") // perhaps one that is reversed already
	if r.try(t, func(tx *store.Tx) error { _, err := tx.ReversePayment(p.ID); return err }) {
		r.count(p.AccountID, p.Currency, p.Direction, -p.Amount)
	}
}

func (r *teller) transfer(t *rapid.T) {
	from, to := r.account(t, "from"), r.account(t, "to")
	x := trade.Transfer{FromAccountID: from.id, ToAccountID: to.id, Amount: money.Amount(rapid.IntRange(1, 20000).Draw(t, "amount")), Date: r.day(t)}
	if x.ToAmount = x.Amount; from.currency != to.currency {
		x.ToAmount = money.Amount(rapid.IntRange(1, 20000).Draw(t, "other amount"))
	}
	if r.try(t, func(tx *store.Tx) error { _, err := tx.CreateTransfer(x); return err }) {
		r.model[from.id+" "+from.currency] -= x.Amount
		r.model[to.id+" "+to.currency] += x.ToAmount
	}
}

// lowest is the least that an account holds at the end of a day, and the day.
func (b *book) lowest(account string) (day string, least money.Amount) {
	b.t.Helper()
	var held money.Amount
	days := sqlRows[string](b, "SELECT date || ' ' || sum(amount) FROM postings WHERE account = ? GROUP BY date ORDER BY date", account)
	for _, row := range days {
		var amount int64
		var on string
		fmt.Sscan(row, &on, &amount)
		if held += money.Amount(amount); held < least {
			day, least = on, held
		}
	}
	return day, least
}

func (r *teller) check(t *rapid.T) {
	now := r.b.now(r.who, r.model)
	if diff := gocmp.Diff(r.model, now); diff != "" {
		t.Fatalf("balances (-want +got):\n%s", diff)
	}
	for _, a := range r.accounts {
		if day, held := r.b.lowest(a.id); a.cash && held < 0 {
			t.Fatalf("a cash account holds %s %s on %s", held, a.currency, day)
		}
	}
	for _, v := range r.invoices {
		paid := sqlRow[int64](r.b, `SELECT coalesce(sum(round(100 * (a.value ->> 'amount'))), 0) FROM payments, json_each(doc, '$.allocations') a
			WHERE tenant = ? AND company_id = ? AND status = 'BOOKED' AND a.value ->> 'invoiceId' = ?`, r.who.Tenant, r.company, v.ID)
		is := r.b.getInvoice(r.who, v.ID)
		left := is.Payable - is.PaidTotal
		if is.Status == trade.InvoiceCancelled {
			left = 0
		}
		if is.PaidTotal != money.Amount(paid) || is.Remaining != left || left < 0 || is.Owed() && (left == 0) != (is.PaymentStatus == trade.Paid) {
			t.Fatalf("%s: paid %s, left %s, %s; its payments say %d", is.Number, is.PaidTotal, is.Remaining, is.PaymentStatus, paid)
		}
	}
	r.checkPayments(t)
}

// M1 without the kills: many move money at the same time, and none of it is made or
// lost.
func TestManyTransfersAtOnce(t *testing.T) {
	b := open(t)
	ids := []string{b.purse(b.who, false, "TRY", 100000), b.purse(b.who, true, "TRY", 50000), b.purse(b.who, true, "TRY", 0)}
	var done, refused atomic.Int64
	var all sync.WaitGroup
	for w := range 16 {
		all.Go(func() {
			dice := rand.New(rand.NewPCG(1, uint64(w)))
			for range 50 {
				from := dice.IntN(3)
				x := trade.Transfer{FromAccountID: ids[from], ToAccountID: ids[(from+1+dice.IntN(2))%3], Amount: money.Amount(1 + dice.IntN(40000))}
				err := b.Write(context.Background(), b.who, func(tx *store.Tx) error { _, err := tx.CreateTransfer(x); return err })
				switch {
				case err == nil:
					done.Add(1)
				case asError(err).Code == trade.InsufficientFunds:
					refused.Add(1)
				default:
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	checkTill(t, b, 150000)
	if n := sqlRow[int64](b, "SELECT count(*) FROM transfers"); n != done.Load() || refused.Load() == 0 {
		t.Errorf("%d transfers for %d that were answered for; %d were refused", n, done.Load(), refused.Load())
	}
}

// checkTill checks that all accounts together hold total, no cash account less than
// nothing, and that each transfer is booked once on both sides.
func checkTill(t *testing.T, b *book, total int64) {
	t.Helper()
	if got := sqlRow[int64](b, "SELECT sum(amount) FROM postings WHERE kind IN ('BANK', 'CASH')"); got != total {
		t.Errorf("all accounts hold %d, want %d", got, total)
	}
	for text, want := range map[string]int{
		unbalanced: 0,
		"SELECT count(*) FROM (SELECT 1 FROM postings WHERE kind = 'CASH' GROUP BY account HAVING sum(amount) < 0)":          0,
		"SELECT count(*) FROM transfers WHERE (SELECT count(*) FROM postings WHERE source = transfers.id) <> 2":              0,
		"SELECT count(*) FROM transfers WHERE (SELECT count(DISTINCT entry) FROM postings WHERE source = transfers.id) <> 1": 0,
	} {
		if got := sqlRow[int](b, text); got != want {
			t.Errorf("%s is %d, want %d", text, got, want)
		}
	}
}

// An invoice of nothing moves nothing: it uses up no number of an entry.
func TestAnInvoiceOfNothingIsNoEntry(t *testing.T) {
	b := open(t)
	v := draft(b.company(b.who, buyer()).ID)
	v.Lines[0].UnitPrice, v.Lines[0].ExemptionCode = new(money.Price(0)), "351"
	v = b.invoice(b.who, v)
	b.send(b.who, v.ID)
	b.answer(b.who, v.ID, store.Answer{Outcome: trade.Taken, Code: "1300", Envelope: "env"})
	if v = b.getInvoice(b.who, v.ID); v.Status != trade.InvoiceSent || v.PaymentStatus != trade.Paid {
		t.Errorf("%s, %s", v.Status, v.PaymentStatus)
	}
	b.taken(b.who, v.CompanyID, "TRY", "1")
	if entries := sqlRow[string](b, "SELECT group_concat(DISTINCT entry) FROM postings"); entries != "1" {
		t.Errorf("entries %s", entries)
	}
}
