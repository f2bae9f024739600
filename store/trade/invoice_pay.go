package trade

import "esnaf/store/money"

// InvoicePayment is money that changes hands for one invoice.
type InvoicePayment struct {
	Meta
	AccountID    string         `json:"accountId" api:"required" doc:"the bank or cash account it goes through, of the invoice's currency"`
	Date         Date           `json:"date,omitempty" doc:"today when absent"`
	Amount       money.Amount   `json:"amount" api:"required,positive" doc:"greater than zero; what is more than remains of the invoice stays as the company's credit"`
	ExchangeRate money.Exchange `json:"exchangeRate,omitzero" api:"positive" doc:"TRY for one unit of the currency on that day; 1 for TRY"`
	Method       PaymentMethod  `json:"method,omitempty" doc:"TRANSFER when absent"`
}

// InLira is what the invoice is worth in lira; not ok when no amount holds that.
func (v *Invoice) InLira() (lira money.Amount, ok bool) {
	if v.Currency == "TRY" {
		return v.Payable, true
	}
	return v.ExchangeRate.Of(v.Payable)
}

// Owed tells whether the invoice stands, so that it can be paid: the tax office
// has taken it, and it was neither rejected nor cancelled.
func (v *Invoice) Owed() bool { return v.Status == InvoiceSent || v.Status == InvoiceAccepted }

// PaidBy is the payment of the invoice by in, at the moment at. Conflict invalid_state when the
// invoice cannot be paid, or is paid already.
func (v *Invoice) PaidBy(in InvoicePayment, at Instant) (p Payment, err error) {
	switch {
	case !v.Owed():
		return p, v.refuse(payInvoice, at)
	case v.Remaining <= 0:
		return p, NotPossible(payInvoice, string(v.PaymentStatus), v.possible(at)...)
	}
	p = Payment{
		Meta: in.Meta, CompanyID: v.CompanyID, AccountID: in.AccountID, Direction: PaymentIn, Date: in.Date, Amount: in.Amount,
		Currency: v.Currency, ExchangeRate: in.ExchangeRate, Method: in.Method,
	}
	if v.Direction == Purchase {
		p.Direction = PaymentOut
	}
	if in.Amount > 0 { // else a fault of the amount, which is enough
		p.Allocations = []Allocation{{InvoiceID: v.ID, Amount: min(in.Amount, v.Remaining)}}
	}
	return p, nil
}

// Pay counts amount as paid, or as taken back when it is negative, and says anew what
// remains: nothing of an invoice that was rejected or cancelled.
func (v *Invoice) Pay(amount money.Amount, today Date) {
	v.PaidTotal += amount
	v.Remaining = v.Payable - v.PaidTotal
	due := v.DueDate
	if !v.Owed() {
		due = "" // nobody is late with what is not owed
	}
	if v.Status == InvoiceRejected || v.Status == InvoiceCancelled {
		v.Remaining = 0
	}
	v.PaymentStatus = PaymentStatusOf(v.Payable, v.PaidTotal, due, today)
}

// PaymentStatusOf is how much of payable is paid on the day today of the tenant's
// zone. On its due date an invoice may still be paid in time: it is overdue from the
// day after. An empty due date never comes.
func PaymentStatusOf(payable, paid money.Amount, due, today Date) PaymentStatus {
	switch {
	case paid >= payable:
		return Paid
	case due != "" && due < today:
		return Overdue
	case paid > 0:
		return PartiallyPaid
	}
	return Unpaid
}

// FallsDue is the due date (vade) of an invoice that becomes overdue once it has gone
// by: it is owed, not paid, and not said to be overdue yet. Else it is empty.
func (v *Invoice) FallsDue() Date {
	if v.Owed() && (v.PaymentStatus == Unpaid || v.PaymentStatus == PartiallyPaid) {
		return v.DueDate
	}
	return ""
}
