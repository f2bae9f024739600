package store

import (
	"fmt"

	"esnaf/store/trade"
)

// CreatePayment books money from or to a company and counts it on the invoices it
// pays. All of it is one change: payment, ledger, invoices, events.
func (tx *Tx) CreatePayment(p trade.Payment) (Doc, error) {
	account, err := tx.purseOf("accountId", p.AccountID)
	if err != nil {
		return Doc{}, err
	}
	company, err := tx.buyerOf(p.CompanyID)
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
	p, err := v.PaidBy(in)
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
	p.Check(tx.Check())
	trade.CheckBooked(tx.Check(), "date", p.Date, account.opened, today)
	if account.currency != "" && p.Currency != account.currency {
		trade.OneOf(tx.Check(), "currency", p.Currency, account.currency)
	}
	paid, err := tx.allocate(&p, p.Allocations, today)
	if err != nil {
		return Doc{}, err
	}
	sides := tx.paymentSides(&p, account, paid)
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	n, err := tx.draw("payments")
	if err != nil {
		return Doc{}, err
	}
	p.Number = fmt.Sprintf("PAY-%06d", n)
	return tx.addPayment(&p, paid, sides)
}

// addPayment writes a payment that has been judged. Its own event comes last: an
// answer kept for repeats shares the event's bytes.
func (tx *Tx) addPayment(p *trade.Payment, paid []*paidInvoice, sides []side) (Doc, error) {
	doc, err := Payments.Add(tx, p)
	if err != nil {
		return doc, err
	}
	if err := tx.book(voucher{source: p.ID, number: p.Number, date: p.Date}, sides...); err != nil {
		return doc, err
	}
	for _, v := range paid {
		if err := tx.putPaid(v, "invoice.pay"); err != nil {
			return doc, err
		}
	}
	event := trade.EventPaymentReceived
	if p.Direction == trade.PaymentOut {
		event = trade.EventPaymentMade
	}
	return doc, Payments.tell(tx, "create", p, change{event: event, object: doc.JSON})
}

// AllocatePayment spends what is left of a payment on more invoices. The account is
// not touched; a difference of rates is booked today.
func (tx *Tx) AllocatePayment(id string, more trade.Allocations) (Doc, error) {
	was, p, err := current(tx, Payments, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := p
	if err := p.Move(trade.AllocatePayment, trade.At(tx.now)); err != nil {
		return Doc{}, err
	}
	if len(more.Allocations) == 0 {
		tx.Check().Add("allocations", trade.Required)
	}
	today, err := tx.today()
	if err != nil {
		return Doc{}, err
	}
	p.Allocate(tx.Check(), more.Allocations)
	paid, err := tx.allocate(&p, more.Allocations, today)
	if err != nil {
		return Doc{}, err
	}
	if err := tx.bookGain(&p, old.Unallocated, paid, today); err != nil {
		return Doc{}, err
	}
	for _, v := range paid {
		if err := tx.putPaid(v, "invoice.pay"); err != nil {
			return Doc{}, err
		}
	}
	return Payments.Move(tx, string(trade.AllocatePayment), "", was, &old, &p)
}

// ReversePayment books a payment the other way round and takes it off the invoices
// it paid, each of which is told of. A second time is a Conflict.
func (tx *Tx) ReversePayment(id string) (Doc, error) {
	was, p, err := current(tx, Payments, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := p
	if err := p.Move(trade.ReversePayment, trade.At(tx.now)); err != nil {
		return Doc{}, err
	}
	today, err := tx.today()
	if err != nil {
		return Doc{}, err
	}
	// Not before the payment itself, should the clock have been set back since: a till
	// would give back what it did not have yet.
	if err := tx.unbook(id, max(today, p.Date)); err != nil {
		return Doc{}, err
	}
	for _, a := range p.Allocations {
		inv, err := Invoices.Get(&tx.View, a.InvoiceID)
		if err != nil {
			return Doc{}, err
		}
		v := &paidInvoice{inv, inv}
		v.now.Pay(-a.Amount, today)
		if err := tx.putPaid(v, "invoice.unpay"); err != nil {
			return Doc{}, err
		}
	}
	return Payments.Move(tx, string(trade.ReversePayment), "", was, &old, &p)
}
