package store

import (
	"database/sql/driver"
	"fmt"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// bookInvoice books what the buyer owes once the tax office has taken the invoice,
// and takes it back when the invoice is rejected or cancelled: what was paid on it is
// the company's credit then. It goes before the invoice is stored.
func (tx *Tx) bookInvoice(v *trade.Invoice) error {
	switch v.Status {
	case trade.InvoiceSent:
		today, err := tx.today()
		if err != nil {
			return err
		}
		v.Pay(0, today) // its due date may have gone by on the way
		lira := v.Payable
		if v.Currency != "TRY" {
			lira, _ = v.ExchangeRate.Of(v.Payable) // beyond what an amount holds: no value, for the office has taken it
		}
		return tx.book(voucher{source: v.ID, number: v.Number, date: v.IssueDate},
			side{sideCompany, v.CompanyID, v.Currency, v.Payable, lira}, side{sideSales, "", v.Currency, -v.Payable, -lira})
	case trade.InvoiceRejected, trade.InvoiceCancelled:
		today, err := tx.today()
		if err != nil {
			return err
		}
		if err := tx.unbook(v.ID, today); err != nil {
			return err
		}
		return tx.refund(v, today)
	}
	return nil
}

// refund gives back to its payments what they have paid of an invoice that is owed
// no longer.
func (tx *Tx) refund(v *trade.Invoice, today trade.Date) error {
	payments, err := tx.paymentsOf(v)
	if err != nil {
		return err
	}
	for _, id := range payments {
		was, p, err := current(tx, Payments, id, Any)
		if err != nil {
			return err
		}
		old := p
		freed := p.Release(v.ID)
		if freed == 0 {
			continue // its text names the invoice, but it pays others
		}
		if err := p.Move(trade.ReleasePayment, trade.At(tx.now)); err != nil {
			return err
		}
		change := &paidInvoice{old: *v}
		v.Pay(-freed, today)
		change.now = *v
		if err := tx.bookGain(&p, old.Unallocated, []*paidInvoice{change}, today); err != nil {
			return err
		}
		if _, err := Payments.Move(tx, string(trade.ReleasePayment), "", was, &old, &p); err != nil {
			return err
		}
	}
	v.Pay(0, today) // nobody is late with it any more
	return nil
}

// paymentsOf lists the payments that say anything of an invoice, oldest first. They
// are of its company, so only those are looked through; and only for an invoice on
// which something was paid.
func (tx *Tx) paymentsOf(v *trade.Invoice) (ids []string, err error) {
	if v.PaidTotal == 0 {
		return nil, nil
	}
	var row [1]driver.Value
	err = tx.each(row[:], "SELECT id FROM payments WHERE tenant = ? AND company_id = ? AND status = 'BOOKED' AND instr(doc, ?) > 0 ORDER BY id",
		[]any{tx.who.Tenant, v.CompanyID, v.ID}, func() bool { ids = append(ids, row[0].(string)); return true })
	return ids, err
}

// paidInvoice is an invoice before and after it was paid, or a payment was taken
// back.
type paidInvoice struct{ old, now trade.Invoice }

// lira is what the change is worth at the invoice's own rate. Parts are valued as
// differences of rounded sums, so that all of them together are the whole.
func (v *paidInvoice) lira() money.Amount {
	if v.now.Currency == "TRY" {
		return v.now.PaidTotal - v.old.PaidTotal
	}
	after, _ := v.now.ExchangeRate.Of(v.now.PaidTotal) // at most what the invoice is worth
	before, _ := v.now.ExchangeRate.Of(v.old.PaidTotal)
	return after - before
}

// allocate judges what the payment is to pay and counts it on the invoices, each of
// which comes back once.
func (tx *Tx) allocate(p *trade.Payment, parts []trade.Allocation, today trade.Date) (paid []*paidInvoice, err error) {
	if len(parts) > trade.MaxAllocations {
		return nil, nil // a fault already
	}
	known := map[string]*paidInvoice{}
	for i, a := range parts {
		f := tx.Check().In(fmt.Sprintf("allocations[%d]", i))
		v := known[a.InvoiceID]
		if v == nil {
			if f.Required("invoiceId", a.InvoiceID); a.InvoiceID == "" {
				continue
			}
			inv, ok, err := Invoices.Find(tx, f, "invoiceId", a.InvoiceID)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			v = &paidInvoice{inv, inv}
			known[a.InvoiceID], paid = v, append(paid, v)
		}
		p.Pays(f, &v.now, a.Amount)
		v.now.Pay(a.Amount, today)
	}
	return paid, nil
}

// paymentSides are what a payment books: the account gets its amount at the rate
// of the day, the company owes what it paid at the rates of the invoices, and the
// difference is gain or loss (kur farkı; VUK art. 280 values foreign currency at the
// rate of the day).
func (tx *Tx) paymentSides(p *trade.Payment, account *purse, paid []*paidInvoice) []side {
	worth := tx.inLira("amount", p.Amount, p.Currency, p.ExchangeRate)
	amount, gain := p.Amount, tx.gain(p, p.Amount, paid)
	if p.Direction == trade.PaymentOut {
		amount, worth = -amount, -worth
	}
	return []side{
		account.side(amount, worth),
		{sideCompany, p.CompanyID, p.Currency, -amount, gain - worth},
		{sideExchange, "", p.Currency, 0, -gain},
	}
}

// gain is what is won, or lost when it is negative, by the rates of the payment and
// of the invoices it has paid out of unallocated, which was left of it before.
func (tx *Tx) gain(p *trade.Payment, unallocated money.Amount, paid []*paidInvoice) money.Amount {
	if p.Currency == "TRY" {
		return 0
	}
	gain := tx.inLira("amount", unallocated, p.Currency, p.ExchangeRate) - tx.inLira("amount", max(p.Unallocated, 0), p.Currency, p.ExchangeRate)
	for _, v := range paid {
		gain -= v.lira()
	}
	if p.Direction == trade.PaymentOut { // to pay less lira than was owed is a gain
		return -gain
	}
	return gain
}

// bookGain books what a payment that has been spent on other invoices than before has
// won or lost by that; the account is not touched.
func (tx *Tx) bookGain(p *trade.Payment, unallocated money.Amount, paid []*paidInvoice, today trade.Date) error {
	gain := tx.gain(p, unallocated, paid)
	if err := tx.Check().Err(); err != nil || gain == 0 {
		return err
	}
	return tx.book(voucher{source: p.ID, number: p.Number, date: today},
		side{sideCompany, p.CompanyID, p.Currency, 0, gain}, side{sideExchange, "", p.Currency, 0, -gain})
}

// putPaid stores an invoice on which a payment was counted or taken back. It tells when
// nothing is left to pay, and when something is owed again: a payment that is reversed
// has no event of its own.
func (tx *Tx) putPaid(v *paidInvoice, action string) error {
	was, err := encode(&v.old)
	if err != nil {
		return err
	}
	doc, err := Invoices.Put(tx, &v.old, &v.now)
	if err != nil {
		return err
	}
	previous := changed(was, doc.JSON)
	if err := tx.audit(action, v.now.ID, previous); err != nil {
		return err
	}
	switch {
	case v.now.PaidTotal < v.old.PaidTotal:
		c := invoiceChange(trade.EventInvoiceUpdated, v.now.ID, doc)
		c.previous = previous
		return tx.emit(c)
	case v.now.PaymentStatus == trade.Paid && v.old.PaymentStatus != trade.Paid:
		return tx.emit(invoiceChange(trade.EventInvoicePaid, v.now.ID, doc))
	}
	return nil
}
