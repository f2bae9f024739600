package trade

import (
	"fmt"
	"slices"

	"esnaf/store/money"
)

// PaymentDirection tells what a company paid from what it was paid.
type PaymentDirection string

// The directions: from a company (tahsilat), to a company (tediye), which is also
// how what it paid too much goes back.
const (
	PaymentIn  PaymentDirection = "IN"
	PaymentOut PaymentDirection = "OUT"
)

// Values lists the directions.
func (PaymentDirection) Values() []string { return []string{"IN", "OUT"} }

// PaymentMethod is how money changes hands.
type PaymentMethod string

// The methods.
const (
	ByTransfer PaymentMethod = "TRANSFER"
	ByCash     PaymentMethod = "CASH"
	ByCard     PaymentMethod = "CARD"
	ByCheque   PaymentMethod = "CHEQUE"
	ByOther    PaymentMethod = "OTHER"
)

// Values lists the methods.
func (PaymentMethod) Values() []string {
	return []string{"TRANSFER", "CASH", "CARD", "CHEQUE", "OTHER"}
}

// PaymentState tells a payment that counts from one that was taken back.
type PaymentState string

// The states of a payment. What is booked is never changed or deleted; a reversal
// books it the other way round.
const (
	PaymentBooked   PaymentState = "BOOKED"
	PaymentReversed PaymentState = "REVERSED"
)

// Values lists the states of a payment.
func (PaymentState) Values() []string { return []string{"BOOKED", "REVERSED"} }

// PaymentAction is what can happen to a payment.
type PaymentAction string

// The actions on a payment. Allocate spends what is left of it, Release gives back what
// it spent on an invoice that is owed no longer; Refund counts what another payment has
// given back of it, Unrefund takes that back. All of them keep the state.
const (
	AllocatePayment PaymentAction = "allocate"
	ReleasePayment  PaymentAction = "release"
	RefundPayment   PaymentAction = "refund"
	UnrefundPayment PaymentAction = "unrefund"
	ReversePayment  PaymentAction = "reverse"
)

// Inner tells whether nobody asks for the action: it follows from something else.
func (a PaymentAction) Inner() bool {
	return a == ReleasePayment || a == RefundPayment || a == UnrefundPayment
}

// PaymentMoves is the whole life of a payment.
var PaymentMoves = Moves[PaymentState, PaymentAction]{
	PaymentBooked: {
		AllocatePayment: PaymentBooked, ReleasePayment: PaymentBooked, RefundPayment: PaymentBooked, UnrefundPayment: PaymentBooked,
		ReversePayment: PaymentReversed,
	},
}

// Payment is money from or to a company (tahsilat, tediye).
type Payment struct {
	Meta
	Number       string           `json:"number" api:"readonly"`
	CompanyID    string           `json:"companyId" api:"required"`
	CompanyName  string           `json:"companyName" api:"readonly"`
	AccountID    string           `json:"accountId" api:"required" doc:"the bank or cash account it goes through"`
	Direction    PaymentDirection `json:"direction" api:"required" doc:"IN from the company, OUT to it"`
	Status       PaymentState     `json:"status" api:"readonly"`
	Date         Date             `json:"date" doc:"today when absent; not later, and not before the account's openingDate"`
	Amount       money.Amount     `json:"amount" api:"required,positive" doc:"greater than zero"`
	Currency     string           `json:"currency" doc:"the account's, which it is when absent"`
	ExchangeRate money.Exchange   `json:"exchangeRate" api:"positive" doc:"TRY for one unit of currency on that day; 1 for TRY. What it differs from an invoice's rate is booked as gain or loss (kur farkı)"`
	Method       PaymentMethod    `json:"method" doc:"TRANSFER when absent"`
	Allocations  []Allocation     `json:"allocations" doc:"what it pays and what it gives back, each named once, at most 200, of invoices that have at most 64 MiB together; the rest stays as the company's credit, and so does what was paid of an invoice that is rejected or cancelled. Of a REVERSED payment they tell what it had been spent on"`
	Unallocated  money.Amount     `json:"unallocated" api:"readonly" doc:"the rest: amount less allocations and refunded; 0.00 once it is REVERSED"`
	Refunded     money.Amount     `json:"refunded" api:"readonly" doc:"what was given back of it, by payments the other way that name it in their allocations"`
	ReversedAt   Instant          `json:"reversedAt,omitzero" api:"readonly"`
}

// Allocation is the part of a payment that pays one invoice, or that gives back what was
// left of one other payment (iade); it names exactly one of both.
type Allocation struct {
	InvoiceID string       `json:"invoiceId,omitempty" doc:"what is paid: of the same company and currency, SENT or ACCEPTED; required unless paymentId is given"`
	PaymentID string       `json:"paymentId,omitempty" doc:"what is given back: a payment the other way, of the same company and currency, BOOKED, made and dated no later; not together with invoiceId"`
	Amount    money.Amount `json:"amount" api:"required,positive" doc:"at most what remains of the invoice, or is unallocated of the payment"`
}

// Allocations are what more a payment is to pay.
type Allocations struct {
	Allocations []Allocation `json:"allocations" api:"required" doc:"each invoice or payment named once, together at most what is unallocated; a payment has at most 200 allocations, of invoices that have at most 64 MiB together"`
}

// MaxAllocations is how many parts one payment is spent in at most.
const MaxAllocations = 200

// Defaults fills what a caller may leave out; currency is the account's, "" when
// it is not known.
func (p *Payment) Defaults(currency string, today Date) {
	defaultTo(&p.Currency, currency)
	defaultTo(&p.Currency, "TRY")
	defaultTo(&p.Date, today)
	defaultTo(&p.Method, ByTransfer)
	if p.Allocations == nil {
		p.Allocations = []Allocation{}
	}
}

// Check finds what is wrong with the payment itself and sums up its allocations.
func (p *Payment) Check(f *Check) {
	p.Meta.check(f)
	f.Required("direction", string(p.Direction))
	OneOf(f, "direction", p.Direction, PaymentIn, PaymentOut)
	OneOf(f, "method", p.Method, ByTransfer, ByCash, ByCard, ByCheque, ByOther)
	checkCurrency(f, "currency", p.Currency)
	var rateDate Date // a payment's is its own date
	checkExchange(f, p.Currency, &p.ExchangeRate, &rateDate)
	checkGiven(f, "amount", p.Amount)
	all := p.Allocations
	p.Allocations, p.Unallocated, p.Refunded = []Allocation{}, p.Amount, 0
	p.Allocate(f, all)
}

// Settles tells whether the allocations take up all of the payment: it adds nothing to
// what was booked before then.
func (p *Payment) Settles() bool {
	left := p.Amount
	for _, a := range p.Allocations {
		if a.Amount <= 0 || a.Amount > left {
			return false
		}
		left -= a.Amount
	}
	return left == 0
}

// Allocate spends what is left of the payment on more.
func (p *Payment) Allocate(f *Check, more []Allocation) {
	left := p.Unallocated
	p.Allocations = slices.Concat(p.Allocations, more)
	if len(p.Allocations) > MaxAllocations {
		f.Add("allocations", TooMany, MaxAllocations)
		return
	}
	for i, a := range more {
		if a.Amount <= 0 {
			checkGiven(f, fmt.Sprintf("allocations[%d].amount", i), a.Amount)
		} else if p.Unallocated >= 0 { // else a sum could outgrow its type
			p.Unallocated -= a.Amount
		}
	}
	if p.Unallocated < 0 && p.Amount > 0 {
		f.Add("allocations", ExceedsRest, left)
	}
}

// checkGiven judges an amount that a caller must give. One of nothing was left out:
// where a body says zero, that is a fault already.
func checkGiven(f *Check, field string, amount money.Amount) {
	switch {
	case amount == 0:
		f.Add(field, Required)
	case amount < 0:
		f.Add(field, MustBePositive)
	}
}

// CheckBooked judges the day on which money moved: not after today, for it would count
// before it is there, and not before opened, the day from which the account is kept, ""
// for none.
func CheckBooked(f *Check, field string, day, opened, today Date) {
	if day == "" || opened <= day && day <= today {
		return
	}
	if opened == "" {
		f.Add(field, OutOfRange, string(firstDate), string(today))
		return
	}
	f.Add(field, OutOfRange, string(opened), string(today), Aside{"The first is the openingDate of the account.", "İlki hesabın açılış günüdür (openingDate)."})
}

// Pays judges whether the payment may pay amount of v; faults are of the
// allocation that f is In.
func (p *Payment) Pays(f *Check, v *Invoice, amount money.Amount) {
	switch {
	case v.CompanyID != p.CompanyID:
		f.Add("invoiceId", OtherCompany)
	case v.Currency != p.Currency:
		f.Add("invoiceId", OtherCurrency, v.Currency, p.Currency)
	case (v.Direction == Sales) != (p.Direction == PaymentIn):
		f.Add("invoiceId", NotPayable, Phrase{"IN pays sales invoices, OUT purchase invoices", "IN satış, OUT alış faturası öder"})
	case !v.Owed():
		f.Add("invoiceId", NotPayable, Phrase{"it is " + string(v.Status) + ", not SENT or ACCEPTED", "durumu " + string(v.Status) + ", SENT ya da ACCEPTED değil"})
	case amount > v.Remaining:
		f.Add("amount", ExceedsRest, v.Remaining)
	}
}

// Repays judges whether the payment may give back amount of q; faults are of the
// allocation that f is In. Only what was made before is given back: so two payments never
// hold each other, and one of them can always be reversed.
func (p *Payment) Repays(f *Check, q *Payment, amount money.Amount) {
	switch {
	case q.CompanyID != p.CompanyID:
		f.Add("paymentId", OtherCompany)
	case q.Currency != p.Currency:
		f.Add("paymentId", OtherCurrency, q.Currency, p.Currency)
	case q.Direction == p.Direction:
		f.Add("paymentId", NotRefundable, Phrase{"IN gives back of OUT payments, OUT of IN", "IN, OUT ödemelerini geri verir; OUT, IN ödemelerini"})
	case q.Status != PaymentBooked:
		f.Add("paymentId", NotRefundable, Phrase{"it is " + string(q.Status) + ", not BOOKED", "durumu " + string(q.Status) + ", BOOKED değil"})
	case p.before(q) && p.Number == "":
		f.Add("paymentId", NotRefundable, Phrase{"its date " + string(q.Date) + " is after that of this payment, " + string(p.Date), "tarihi " + string(q.Date) + ", bu ödemenin tarihinden (" + string(p.Date) + ") sonra"})
	case p.before(q):
		f.Add("paymentId", NotRefundable, Phrase{q.Number + " was made later; allocate that to " + p.Number + " instead", q.Number + " sonra yapılmış; bunun yerine onu " + p.Number + " için dağıtın"})
	case amount > q.Unallocated:
		f.Add("amount", ExceedsRest, q.Unallocated)
	}
}

// before tells whether the payment was made before q, by their dates, and on one day by
// their numbers; one that has no number yet is the last of its day.
func (p *Payment) before(q *Payment) bool {
	switch {
	case p.Date != q.Date:
		return p.Date < q.Date
	case len(p.Number) != len(q.Number): // beyond six digits numbers grow longer
		return p.Number != "" && len(p.Number) < len(q.Number)
	}
	return p.Number < q.Number
}

// Refund counts amount as given back of the payment, or as not given back after all when
// it is negative.
func (p *Payment) Refund(amount money.Amount) {
	p.Refunded += amount
	p.Unallocated -= amount
}

// Release takes an invoice off the allocations and returns what the payment had
// spent on it, which is unallocated again.
func (p *Payment) Release(invoice string) (freed money.Amount) {
	kept := []Allocation{} // a slice of its own: the payment before the change keeps its allocations
	for _, a := range p.Allocations {
		if a.InvoiceID == invoice {
			freed += a.Amount
		} else {
			kept = append(kept, a)
		}
	}
	p.Allocations = kept
	p.Unallocated += freed
	return freed
}

// Move applies action at the moment at, or reports why it may not. Nothing is left of
// what is reversed; its allocations stay to tell what it had been spent on.
func (p *Payment) Move(a PaymentAction, at Instant) (err error) {
	if p.Status, err = PaymentMoves.Next(p.Status, a); err == nil && a == ReversePayment {
		p.ReversedAt, p.Unallocated = at, 0
	}
	return err
}

// SearchText is what q finds a payment by.
func (p *Payment) SearchText() string { return p.Number + " " + p.CompanyName }
