package trade

import "esnaf/store/money"

// QuoteState is where a quote stands.
type QuoteState string

// The states of a quote.
const (
	QuoteDraft     QuoteState = "DRAFT"
	QuoteSent      QuoteState = "SENT"
	QuoteAccepted  QuoteState = "ACCEPTED"
	QuoteRejected  QuoteState = "REJECTED"
	QuoteExpired   QuoteState = "EXPIRED"
	QuoteConverted QuoteState = "CONVERTED"
)

// Values lists the states of a quote.
func (QuoteState) Values() []string {
	return []string{"DRAFT", "SENT", "ACCEPTED", "REJECTED", "EXPIRED", "CONVERTED"}
}

// QuoteAction is what can happen to a quote.
type QuoteAction string

// The actions on a quote. Edit and Discard are the caller's on a draft. Revert follows
// when the draft order that the quote was converted to is deleted.
const (
	EditQuote    QuoteAction = "edit"
	DiscardQuote QuoteAction = "delete"
	SendQuote    QuoteAction = "send"
	AcceptQuote  QuoteAction = "accept"
	RejectQuote  QuoteAction = "reject"
	ExpireQuote  QuoteAction = "expire"
	ConvertQuote QuoteAction = "convert"
	RevertQuote  QuoteAction = "revert"
)

// Inner tells whether nobody asks for the action: it follows from something else.
func (a QuoteAction) Inner() bool { return a == RevertQuote }

// QuoteMoves is the whole life of a quote. The sum of a quote that the customer has
// seen does not change any more.
var QuoteMoves = Moves[QuoteState, QuoteAction]{
	QuoteDraft:     {EditQuote: QuoteDraft, DiscardQuote: QuoteDraft, SendQuote: QuoteSent},
	QuoteSent:      {AcceptQuote: QuoteAccepted, RejectQuote: QuoteRejected, ExpireQuote: QuoteExpired},
	QuoteAccepted:  {ConvertQuote: QuoteConverted},
	QuoteConverted: {RevertQuote: QuoteAccepted},
}

// Quote is an offer to a customer (teklif).
type Quote struct {
	Meta
	Number           string         `json:"number" doc:"unique among live quotes; drawn as Q000001 on when absent"`
	CompanyID        string         `json:"companyId" api:"required"`
	CompanyName      string         `json:"companyName" api:"readonly"`
	ContactID        string         `json:"contactId,omitempty" doc:"a contact of that company"`
	OpportunityID    string         `json:"opportunityId,omitempty" doc:"an opportunity of that company"`
	IssueDate        Date           `json:"issueDate" doc:"today in the account's zone when absent"`
	ValidUntil       Date           `json:"validUntil,omitempty" doc:"the last day it can be accepted on"`
	Currency         string         `json:"currency" doc:"ISO 4217, the company's when absent"`
	ExchangeRate     money.Exchange `json:"exchangeRate" api:"positive" doc:"TRY for one unit of currency; 1 for TRY"`
	ExchangeRateDate Date           `json:"exchangeRateDate,omitempty" doc:"of the rate, for the order made of it; not after today, and from 2005-01-01 on"`
	Lines            []Line         `json:"lines" api:"required" doc:"1 to 1000 lines, of at most 524288 bytes of text together"`
	Totals
	Status       QuoteState `json:"status" api:"readonly" doc:"moved by the actions send, accept, reject, expire and convert"`
	RejectReason string     `json:"rejectReason,omitempty" api:"readonly"`
	OrderID      string     `json:"orderId,omitempty" api:"readonly" doc:"the order it has become"`
}

// Defaults fills what a caller may leave out; company may be nil.
func (q *Quote) Defaults(company *Company, today Date) {
	defaultTo(&q.Status, QuoteDraft)
	defaultTo(&q.IssueDate, today)
	if company != nil {
		q.CompanyName = company.Name
		defaultTo(&q.Currency, company.Currency)
	}
	defaultTo(&q.Currency, "TRY")
}

// Check finds what is wrong with the fields that a caller sets, and computes the
// sums. products gives the product of a productId that is known; lines are filled
// from it first.
func (q *Quote) Check(f *Check, products map[string]*Product) {
	q.Meta.check(f)
	checkCode(f, "number", &q.Number)
	checkCurrency(f, "currency", q.Currency)
	checkExchange(f, q.Currency, &q.ExchangeRate, &q.ExchangeRateDate)
	if q.ValidUntil != "" && q.ValidUntil < q.IssueDate {
		f.Add("validUntil", OutOfRange, string(q.IssueDate), string(lastDate))
	}
	if !checkLines(f, q.Lines, products, q.Currency) {
		return
	}
	q.Totals = sumLines(f, q.Lines)
}

// CheckDate refuses the day of a rate that no document may name: the invoice will say it.
func (q *Quote) CheckDate(f *Check, today Date) {
	checkNameable(f, "exchangeRateDate", q.ExchangeRateDate, today)
}

// Keep carries over from old what a caller may not set.
func (q *Quote) Keep(old *Quote) {
	q.Meta.keep(old.Meta)
	q.Status, q.RejectReason, q.OrderID = old.Status, old.RejectReason, old.OrderID
	defaultTo(&q.Number, old.Number)
	forgetRate(q.Currency, old.Currency, &q.ExchangeRate, &q.ExchangeRateDate, old.ExchangeRate, old.ExchangeRateDate)
}

// Next is the state after action on the day today, or the Conflict that says why it may not
// be: a quote is not accepted after its last day, and does not expire before.
func (q *Quote) Next(a QuoteAction, today Date) (QuoteState, error) {
	barred := ExpireQuote
	if q.over(today) {
		barred = AcceptQuote
	}
	switch to, ok := QuoteMoves[q.Status][a]; {
	case !ok:
		return q.Status, NotPossible(string(a), string(q.Status), QuoteMoves.possible(q.Status, barred)...)
	case a != barred:
		return to, nil
	case a == AcceptQuote:
		return q.Status, Fail(Conflict, ValidityOver, string(q.ValidUntil))
	default:
		until := Phrase{"it is valid until " + string(q.ValidUntil), string(q.ValidUntil) + " gününe kadar geçerli"}
		if q.ValidUntil == "" {
			until = Phrase{"it has no validUntil", "validUntil verilmemiş"}
		}
		return q.Status, Fail(Conflict, StillValid, until)
	}
}

// Move applies action on the day today, or reports why it may not.
func (q *Quote) Move(a QuoteAction, today Date) error {
	to, err := q.Next(a, today)
	if err != nil {
		return err
	}
	q.Status = to
	return nil
}

// over tells whether the last day on which the quote can be accepted has gone by.
func (q *Quote) over(today Date) bool { return q.ValidUntil != "" && q.ValidUntil < today }

// CheckSend refuses a quote that nobody could accept any more.
func (q *Quote) CheckSend(f *Check, today Date) {
	if q.over(today) {
		f.Add("validUntil", OutOfRange, string(today), string(lastDate))
	}
}

// SearchText is what q finds a quote by.
func (q *Quote) SearchText() string { return q.Number + " " + q.CompanyName }
