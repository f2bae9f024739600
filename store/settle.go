package store

import (
	"esnaf/store/money"
	"esnaf/store/trade"
)

// bookInvoice books what the buyer owes once the tax office has taken the invoice,
// and takes it back when the invoice is rejected or cancelled: what was paid on it is
// the company's credit then. It goes before the invoice is stored. What the tax office
// has decided is booked whatever it comes to: whether there is room was asked at send.
func (tx *Tx) bookInvoice(v *trade.Invoice) error {
	switch v.Status {
	case trade.InvoiceSent:
		today, err := tx.today()
		if err != nil {
			return err
		}
		v.Pay(0, today)       // its due date may have gone by on the way
		lira, _ := v.InLira() // beyond what an amount holds it has none, and was not sent
		return tx.book(voucher{source: v.ID, number: v.Number, date: v.IssueDate, decided: true},
			side{sideCompany, v.CompanyID, v.Currency, v.Payable, lira}, side{sideSales, "", v.Currency, -v.Payable, -lira})
	case trade.InvoiceRejected, trade.InvoiceCancelled:
		today, err := tx.today()
		if err != nil {
			return err
		}
		if err := tx.unbook(voucher{source: v.ID, date: today, decided: v.Status == trade.InvoiceRejected}); err != nil {
			return err
		}
		return tx.unpay(v, today)
	}
	return nil
}

// unpay gives back to its payments what they have paid of an invoice that is owed
// no longer.
func (tx *Tx) unpay(v *trade.Invoice, today trade.Date) error {
	payments, err := tx.spentOnBy(v.ID)
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
		if err := p.Move(trade.ReleasePayment, trade.At(tx.now)); err != nil {
			return err
		}
		change := paidInvoice{&lean{old: *v}}
		v.Pay(-freed, today)
		change.now = *v
		if err := tx.bookGain(&p, old.Unallocated, []spent{change}, today); err != nil {
			return err
		}
		if _, err := Payments.Move(tx, string(trade.ReleasePayment), "", was, &old, &p); err != nil {
			return err
		}
		if err := tx.putAllocation(&p, v.ID, false); err != nil {
			return err
		}
	}
	v.Pay(0, today) // nobody is late with it any more
	return nil
}

// paymentSides are what amount of a payment books, all of it or, taken back, less than
// nothing: the account gets it at the rate of the day, the company owes what it was spent
// on at the rates of that, and the difference is gain or loss (kur farkı; VUK art. 280
// values foreign currency at the rate of the day).
func (tx *Tx) paymentSides(p *trade.Payment, account *purse, amount, gain money.Amount) []side {
	worth := tx.inLira("amount", amount, p.Currency, p.ExchangeRate)
	if p.Direction == trade.PaymentOut {
		amount, worth = -amount, -worth
	}
	return []side{
		account.side(amount, worth),
		{sideCompany, p.CompanyID, p.Currency, -amount, gain - worth},
		{sideExchange, "", p.Currency, 0, -gain},
	}
}

// gain is what is won, or lost when it is negative, by the rates of the payment and of
// what it was spent on when what is left of it went from before to after.
func (tx *Tx) gain(p *trade.Payment, before, after money.Amount, on []spent) money.Amount {
	if p.Currency == "TRY" {
		return 0
	}
	gain := between(p.Currency, p.ExchangeRate, max(after, 0), before) // less than nothing left is a fault already
	for _, s := range on {
		var ok bool
		if gain, ok = gain.Add(-s.lira()); !ok {
			tx.Check().Add("allocations", trade.AmountTooLarge)
			return 0
		}
	}
	if p.Direction == trade.PaymentOut { // to pay less lira than was owed is a gain
		return -gain
	}
	return gain
}

// bookGain books what a payment that has been spent on other things than before has won
// or lost by that; the account is not touched.
func (tx *Tx) bookGain(p *trade.Payment, before money.Amount, on []spent, today trade.Date) error {
	gain := tx.gain(p, before, p.Unallocated, on)
	if err := tx.Check().Err(); err != nil || gain == 0 {
		return err
	}
	return tx.book(voucher{source: p.ID, number: p.Number, date: today},
		side{sideCompany, p.CompanyID, p.Currency, 0, gain}, side{sideExchange, "", p.Currency, 0, -gain})
}
