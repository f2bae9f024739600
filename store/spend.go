package store

import (
	"fmt"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// spent is what a payment is spent on, before and after: an invoice of which it pays, or
// a payment the other way of which it gives back.
type spent interface {
	judge(f *trade.Check, by *trade.Payment, amount money.Amount) // whether that may be
	count(amount money.Amount, today trade.Date)                  // taken back when negative
	lira() money.Amount                                           // what the change is worth at its own rate
	put(tx *Tx) error
	id() string
}

// paidInvoice is an invoice before and after it was paid, or a payment was taken
// back.
type paidInvoice struct{ *lean }

func (v paidInvoice) judge(f *trade.Check, by *trade.Payment, amount money.Amount) {
	by.Pays(f, &v.now, amount)
}

func (v paidInvoice) count(amount money.Amount, today trade.Date) { v.now.Pay(amount, today) }

func (v paidInvoice) lira() money.Amount {
	return between(v.now.Currency, v.now.ExchangeRate, v.old.PaidTotal, v.now.PaidTotal)
}

// put stores an invoice on which a payment was counted or taken back. It tells when
// nothing is left to pay, and when something is owed again: a payment that is reversed
// has no event of its own.
func (v paidInvoice) put(tx *Tx) error {
	doc, previous, err := v.store(tx)
	if err != nil {
		return err
	}
	back := v.now.PaidTotal < v.old.PaidTotal
	action := "invoice.pay"
	if back {
		action = "invoice.unpay"
	}
	if err := tx.audit(action, v.now.ID, previous); err != nil {
		return err
	}
	switch {
	case back:
		c := invoiceChange(trade.EventInvoiceUpdated, v.now.ID, doc)
		c.previous = previous
		return tx.emit(c)
	case v.now.PaymentStatus == trade.Paid && v.old.PaymentStatus != trade.Paid:
		return tx.emit(invoiceChange(trade.EventInvoicePaid, v.now.ID, doc))
	}
	return nil
}

func (v paidInvoice) id() string { return v.now.ID }

// repaid is a payment before and after another one has given back of it, or that was
// taken back.
type repaid struct{ old, now trade.Payment }

func (q *repaid) judge(f *trade.Check, by *trade.Payment, amount money.Amount) {
	by.Repays(f, &q.now, amount)
}

func (q *repaid) count(amount money.Amount, _ trade.Date) { q.now.Refund(amount) }

func (q *repaid) lira() money.Amount {
	return between(q.now.Currency, q.now.ExchangeRate, q.now.Unallocated, q.old.Unallocated)
}

// put stores a payment of which something was given back. It has no event: money moved by
// the other payment, which tells of itself.
func (q *repaid) put(tx *Tx) error {
	action := trade.RefundPayment
	if q.now.Refunded < q.old.Refunded {
		action = trade.UnrefundPayment
	}
	if err := q.now.Move(action, trade.At(tx.now)); err != nil {
		return err
	}
	was, err := encode(&q.old)
	if err != nil {
		return err
	}
	_, err = Payments.Move(tx, string(action), "", was, &q.old, &q.now)
	return err
}

func (q *repaid) id() string { return q.now.ID }

// between is what an amount that has grown from before to after has grown by in lira.
// Parts are valued as differences of rounded sums, so that all of them together are the
// whole.
func between(currency string, rate money.Exchange, before, after money.Amount) money.Amount {
	if currency == "TRY" {
		return after - before
	}
	last, _ := rate.Of(after) // at most what the whole is worth
	first, _ := rate.Of(before)
	return last - first
}

// allocate judges what the payment is to be spent on and counts it there. What one
// request spends on a record is one part; later ones may spend more on it.
func (tx *Tx) allocate(p *trade.Payment, parts []trade.Allocation, today trade.Date) (all []spent, err error) {
	if len(p.Allocations) > trade.MaxAllocations {
		return nil, nil // a fault already
	}
	if fit, err := tx.fitTogether(p.Allocations); err != nil || !fit {
		return nil, err
	}
	known := map[string]bool{}
	for i, a := range parts {
		path := fmt.Sprintf("allocations[%d]", i)
		switch f := tx.Check().In(path); {
		case known[a.InvoiceID]:
			f.Add("invoiceId", trade.GivenTwice)
			continue
		case known[a.PaymentID]:
			f.Add("paymentId", trade.GivenTwice)
			continue
		}
		s, err := tx.spentOn(path, a)
		if err != nil {
			return nil, err
		}
		if s == nil {
			continue
		}
		known[s.id()], all = true, append(all, s)
		s.judge(tx.Check().In(path), p, a.Amount)
		s.count(a.Amount, today)
	}
	return all, nil
}

// maxSettled bounds the documents of the invoices that one payment is spent on, in bytes:
// each of them is written anew, and by a reversal once more, while nobody else can write.
// Two hundred of a thousand lines of the usual length fit.
const maxSettled = 64 << 20

// fitTogether tells whether the invoices of all that a payment is spent on are small
// enough for one change; more is a fault. Their sizes are found without reading them.
func (tx *Tx) fitTogether(parts []trade.Allocation) (bool, error) {
	var row [1]any
	size := int64(0)
	seen := map[string]bool{"": true}
	for _, a := range parts {
		if seen[a.InvoiceID] {
			continue
		}
		seen[a.InvoiceID] = true
		switch err := tx.first(row[:], "SELECT octet_length(doc) FROM invoices"+byID, a.InvoiceID, tx.who.Tenant); {
		case noRows(err): // another fault
		case err != nil:
			return false, err
		default:
			size += row[0].(int64)
		}
	}
	if size > maxSettled {
		tx.Check().Add("allocations", trade.TooMuchToSettle, size, maxSettled)
	}
	return size <= maxSettled, nil
}

// spentOn finds what an allocation names; nil when there is none, which is a fault. Where
// it names both, which it must not, both are looked at: that one is another tenant's
// outweighs that.
func (tx *Tx) spentOn(path string, a trade.Allocation) (s spent, err error) {
	f := tx.Check().In(path)
	if a.InvoiceID != "" {
		v, err := tx.leanInvoice(a.InvoiceID)
		if err := amiss(f, "invoiceId", err); err != nil {
			return nil, err
		}
		if err == nil {
			s = paidInvoice{v}
		}
	}
	if a.PaymentID != "" {
		q, ok, err := Payments.Find(tx, f, "paymentId", a.PaymentID)
		if err != nil {
			return nil, err
		}
		if ok {
			s = &repaid{q, q}
		}
	}
	if (a.InvoiceID == "") == (a.PaymentID == "") {
		tx.Check().Add(path, trade.OneOfRequired, "invoiceId, paymentId")
		return nil, nil
	}
	return s, nil
}

// takeBack takes a payment off all that it was spent on, each once.
func (tx *Tx) takeBack(p *trade.Payment, today trade.Date) (all []spent, err error) {
	known := map[string]spent{}
	for _, a := range p.Allocations {
		id := a.InvoiceID + a.PaymentID
		s := known[id]
		if s == nil {
			if s, err = tx.spentBefore(a); err != nil {
				return nil, err
			}
			known[id], all = s, append(all, s)
		}
		s.count(-a.Amount, today)
	}
	return all, nil
}

// spentBefore reads what an allocation that was judged long ago names.
func (tx *Tx) spentBefore(a trade.Allocation) (spent, error) {
	if a.PaymentID != "" {
		q, err := Payments.Get(&tx.View, a.PaymentID)
		return &repaid{q, q}, err
	}
	v, err := tx.leanInvoice(a.InvoiceID)
	return paidInvoice{v}, err
}

// putSpent stores all that a payment was spent on, or taken off when it was reversed.
func (tx *Tx) putSpent(p *trade.Payment, all []spent) error {
	for _, s := range all {
		if err := s.put(tx); err != nil {
			return err
		}
		if err := tx.putAllocation(p, s.id(), p.Status == trade.PaymentBooked); err != nil {
			return err
		}
	}
	return nil
}

// putAllocation notes that a payment which counts is spent on what target names, or is so
// no longer: it is found by that among however many the company has made.
func (tx *Tx) putAllocation(p *trade.Payment, target string, counts bool) error {
	text := "DELETE FROM allocations WHERE tenant = ? AND target = ? AND payment = ?"
	if counts {
		text = "INSERT INTO allocations (tenant, target, payment) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
	}
	_, err := tx.exec(text, tx.who.Tenant, target, p.ID)
	return err
}

// spentOnBy lists the payments that are spent on an invoice, or on a payment the other
// way, the oldest first.
func (v *View) spentOnBy(target string) (ids []string, err error) {
	var row [1]any
	err = v.each(row[:], "SELECT payment FROM allocations WHERE tenant = ? AND target = ? ORDER BY payment",
		[]any{v.who.Tenant, target}, func() bool { ids = append(ids, row[0].(string)); return true })
	return ids, err
}
