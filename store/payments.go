package store

import (
	"cmp"
	"fmt"
	"strings"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// CreatePayment books money from or to a company and counts it on the invoices it
// pays and the payments it gives back of. All of it is one change: payment, ledger,
// invoices, other payments, events.
func (tx *Tx) CreatePayment(p trade.Payment) (Doc, error) {
	account, err := tx.purseOf("accountId", p.AccountID)
	if err != nil {
		return Doc{}, err
	}
	var k kept
	if p.Settles() {
		k = keeping(nil, p.CompanyID) // one that was deleted still owes its invoices, and is owed its credit
	}
	company, err := tx.companyOf(p.CompanyID, k)
	if err != nil {
		return Doc{}, err
	}
	if company != nil {
		p.CompanyName = company.Name
	}
	return tx.pay(p, account)
}

// PayInvoice books a payment of one invoice; what is more than remains of it stays
// as the company's credit. A company that was deleted still owes its invoices.
func (tx *Tx) PayInvoice(id string, in trade.InvoicePayment) (Doc, error) {
	v, err := Invoices.Get(&tx.View, id)
	if err != nil {
		return Doc{}, err
	}
	p, err := v.PaidBy(in, trade.At(tx.now))
	if err != nil {
		return Doc{}, err
	}
	account, err := tx.purseOf("accountId", in.AccountID)
	if err != nil {
		return Doc{}, err
	}
	if account != nil && account.currency != v.Currency {
		tx.Check().Add("accountId", trade.OtherCurrency, account.currency, v.Currency)
		account = nil
	}
	p.CompanyName = v.BuyerName
	company, err := Companies.Get(&tx.View, v.CompanyID)
	switch {
	case err == nil:
		p.CompanyName = company.Name // it may have another name since
	case trade.KindOf(err) != trade.NotFound:
		return Doc{}, err
	}
	return tx.pay(p, account)
}

// pay books a payment through account, which is nil when it is a fault already.
func (tx *Tx) pay(p trade.Payment, account *purse) (Doc, error) {
	today, err := tx.today()
	if err != nil {
		return Doc{}, err
	}
	if account == nil {
		account = &purse{}
	}
	p.Status, p.ReversedAt = trade.PaymentBooked, 0
	p.Defaults(account.currency, today)
	if p.Currency != account.currency {
		if account.currency != "" {
			trade.OneOf(tx.Check(), "currency", p.Currency, account.currency)
		}
		p.ExchangeRate = anyRate(p.Currency, p.ExchangeRate)
	}
	p.Check(tx.Check())
	trade.CheckBooked(tx.Check(), "date", p.Date, account.opened, today)
	on, err := tx.allocate(&p, p.Allocations, today)
	if err != nil {
		return Doc{}, err
	}
	sides := tx.paymentSides(&p, account, p.Amount, tx.gain(&p, p.Amount, p.Unallocated, on))
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	n, err := tx.draw("payments")
	if err != nil {
		return Doc{}, err
	}
	p.Number = fmt.Sprintf("PAY-%06d", n)
	return tx.addPayment(&p, on, sides)
}

// anyRate stands for the rate while the currency itself is wrong, or not known since the
// account is not: none is asked for then, and none is refused.
func anyRate(currency string, rate money.Exchange) money.Exchange {
	if currency == "TRY" {
		return 0
	}
	return cmp.Or(rate, 1)
}

// addPayment writes a payment that has been judged. Its own event comes last: an
// answer kept for repeats shares the event's bytes.
func (tx *Tx) addPayment(p *trade.Payment, on []spent, sides []side) (Doc, error) {
	doc, err := Payments.Add(tx, p)
	if err != nil {
		return doc, err
	}
	if err := tx.book(voucher{source: p.ID, number: p.Number, date: p.Date}, sides...); err != nil {
		return doc, err
	}
	if err := tx.putSpent(p, on); err != nil {
		return doc, err
	}
	event := trade.EventPaymentReceived
	if p.Direction == trade.PaymentOut {
		event = trade.EventPaymentMade
	}
	return doc, Payments.tell(tx, "create", p, change{event: event, object: doc.JSON})
}

// AllocatePayment spends what is left of a payment on more. The account is not touched; a
// difference of rates is booked today.
func (tx *Tx) AllocatePayment(id string, more trade.Allocations) (Doc, error) {
	was, p, err := current(tx, Payments, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := p
	if err := p.Move(trade.AllocatePayment, trade.At(tx.now)); err != nil {
		return Doc{}, err
	}
	today, err := tx.today()
	if err != nil {
		return Doc{}, err
	}
	trade.CheckSome(tx.Check(), "allocations", more.Allocations)
	p.Allocate(tx.Check(), more.Allocations)
	on, err := tx.allocate(&p, more.Allocations, today)
	if err != nil {
		return Doc{}, err
	}
	if err := tx.bookGain(&p, old.Unallocated, on, today); err != nil {
		return Doc{}, err
	}
	if err := tx.putSpent(&p, on); err != nil {
		return Doc{}, err
	}
	return Payments.Move(tx, string(trade.AllocatePayment), "", was, &old, &p)
}

// ReversePayment books a payment the other way round and takes it off what it was spent
// on; each invoice is told of. A second time is a Conflict, and so is a payment of which
// something was given back, or whose account was deleted.
func (tx *Tx) ReversePayment(id string) (Doc, error) {
	was, p, err := current(tx, Payments, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := p
	if err := p.Move(trade.ReversePayment, trade.At(tx.now)); err != nil {
		return Doc{}, err
	}
	if err := tx.notRefunded(&old); err != nil {
		return Doc{}, err
	}
	account, err := tx.purseOf("accountId", p.AccountID)
	if err != nil {
		return Doc{}, err
	}
	if account == nil {
		return Doc{}, trade.Fail(trade.Conflict, trade.AccountGone, p.AccountID)
	}
	today, err := tx.today()
	if err != nil {
		return Doc{}, err
	}
	on, err := tx.takeBack(&p, today)
	if err != nil {
		return Doc{}, err
	}
	// What it was spent on may be worth a kuruş more or less by now than when it was, for
	// parts round: that stays as gain or loss, so that nothing is left over on the company.
	sides := tx.paymentSides(&p, account, -p.Amount, tx.gain(&p, old.Unallocated, p.Amount, on))
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	// Not before the payment itself, should the clock have been set back since: a till
	// would give back what it did not have yet.
	if err := tx.book(voucher{source: p.ID, number: p.Number, date: max(today, p.Date)}, sides...); err != nil {
		return Doc{}, err
	}
	if err := tx.putSpent(&p, on); err != nil {
		return Doc{}, err
	}
	return Payments.Move(tx, string(trade.ReversePayment), "", was, &old, &p)
}

// notRefunded is a Conflict while something of a payment has been given back, which it
// names.
func (tx *Tx) notRefunded(p *trade.Payment) error {
	if p.Refunded == 0 {
		return nil
	}
	by, err := tx.spentOnBy(p.ID)
	if err != nil {
		return err
	}
	numbers := make([]string, len(by))
	for i, id := range by {
		other, err := Payments.Get(&tx.View, id)
		if err != nil {
			return err
		}
		numbers[i] = other.Number
	}
	return trade.Fail(trade.Conflict, trade.RefundedAlready, p.Refunded, p.Currency, strings.Join(numbers, ", "))
}
