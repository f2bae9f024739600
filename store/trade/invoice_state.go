package trade

import "slices"

// InvoiceState is where an invoice stands on its way to the tax office.
type InvoiceState string

// The states of an invoice.
const (
	InvoiceDraft     InvoiceState = "DRAFT"
	InvoiceQueued    InvoiceState = "QUEUED"
	InvoiceSent      InvoiceState = "SENT"
	InvoiceAccepted  InvoiceState = "ACCEPTED"
	InvoiceRejected  InvoiceState = "REJECTED"
	InvoiceFailed    InvoiceState = "FAILED"
	InvoiceCancelled InvoiceState = "CANCELLED"
)

// Values lists the invoice states.
func (InvoiceState) Values() []string {
	return []string{"DRAFT", "QUEUED", "SENT", "ACCEPTED", "REJECTED", "FAILED", "CANCELLED"}
}

// InvoiceAction is what can happen to an invoice.
type InvoiceAction string

// The actions on an invoice. Edit keeps the state, Discard is for one that has no legal
// number yet; Take and Fail are the authority's answer, Accept and Reject the buyer's.
const (
	EditInvoice    InvoiceAction = "edit"
	DiscardInvoice InvoiceAction = "delete"
	SendInvoice    InvoiceAction = "send"
	TakeInvoice    InvoiceAction = "take"
	FailInvoice    InvoiceAction = "fail"
	AcceptInvoice  InvoiceAction = "accept"
	RejectInvoice  InvoiceAction = "reject"
	CancelInvoice  InvoiceAction = "cancel"
)

// Inner tells whether nobody asks for the action: the tax office or the buyer answers.
func (a InvoiceAction) Inner() bool {
	return a == TakeInvoice || a == FailInvoice || a == AcceptInvoice || a == RejectInvoice
}

// InvoiceMoves is the whole life of an invoice. One that failed is given up by cancelling
// it. What the table cannot say is in barred; that only TICARIFATURA is answered, in
// Answered.
var InvoiceMoves = Moves[InvoiceState, InvoiceAction]{
	InvoiceDraft:  {EditInvoice: InvoiceDraft, DiscardInvoice: InvoiceDraft, SendInvoice: InvoiceQueued},
	InvoiceQueued: {TakeInvoice: InvoiceSent, FailInvoice: InvoiceFailed},
	InvoiceFailed: {EditInvoice: InvoiceFailed, SendInvoice: InvoiceQueued, CancelInvoice: InvoiceCancelled},
	InvoiceSent:   {AcceptInvoice: InvoiceAccepted, RejectInvoice: InvoiceRejected, CancelInvoice: InvoiceCancelled},
}

// Next is the state after action at the moment at, or the Conflict that says why it may
// not be.
func (v *Invoice) Next(a InvoiceAction, at Instant) (InvoiceState, error) {
	if slices.Contains(v.barred(at), a) {
		if v.Status == InvoiceFailed {
			return v.Status, Fail(Conflict, RegisteredAlready, v.Number)
		}
		return v.Status, Fail(Conflict, NotCancellable)
	}
	to, err := InvoiceMoves.Next(v.Status, a)
	if err != nil {
		return to, v.refuse(string(a), at)
	}
	return to, nil
}

// barred are the actions that some invoice may be asked for, but not this one at the moment
// at: what the tax office may have is neither changed nor given up, and of what it has only
// an e-Arşiv is cancelled, in its term.
func (v *Invoice) barred(at Instant) []InvoiceAction {
	switch v.Status {
	case InvoiceFailed:
		if v.EDocument.MayBeThere() {
			return []InvoiceAction{EditInvoice, CancelInvoice}
		}
	case InvoiceSent, InvoiceAccepted, InvoiceRejected:
		if v.DocumentType != EArsiv || at > v.EDocument.CancellableUntil {
			return []InvoiceAction{CancelInvoice}
		}
	}
	return nil
}

// refuse is the Conflict of something that cannot be done as the invoice stands.
func (v *Invoice) refuse(action string, at Instant) *Error {
	return NotPossible(action, string(v.Status), v.possible(at)...)
}

// payInvoice is what a payment does to an invoice, of which the table does not know: the
// state stays.
const payInvoice = "pay"

// possible lists what can be done with the invoice as it stands at the moment at.
func (v *Invoice) possible(at Instant) []string {
	can := append(InvoiceMoves.possible(v.Status, v.barred(at)...), v.EDocument.settling()...)
	if v.Owed() && v.Remaining > 0 {
		can = append(can, payInvoice)
	}
	return can
}

// Move applies action at the moment at, or reports why it may not. The electronic
// document follows.
func (v *Invoice) Move(a InvoiceAction, at Instant) error {
	to, err := v.Next(a, at)
	if err != nil {
		return err
	}
	v.Status = to
	if to != InvoiceDraft {
		v.EDocument.Status = EDocumentStatus(to)
	}
	return nil
}

// Document is how the electronic document fares at the tax office.
func (v *Invoice) Document() *EDocument { return &v.EDocument }

// Answered records what the tax office or the buyer said at the moment at, and
// returns the event that tells of it. Only the buyer of a TICARIFATURA answers.
func (v *Invoice) Answered(o Outcome, code, text, envelope string, at Instant) (Event, error) {
	if (o == Accepted || o == Rejected) && v.Profile != TicariFatura {
		return "", v.refuse(string(o), at)
	}
	if err := v.Move(InvoiceAction(o), at); err != nil {
		return "", err
	}
	v.EDocument.answered(o, code, text, envelope, at)
	switch o {
	case Taken:
		if v.DocumentType == EArsiv {
			v.EDocument.CancellableUntil = at + AnswerDays*day
		}
		return EventInvoiceSent, nil
	case Failed:
		return EventInvoiceFailed, nil
	case Accepted:
		return EventInvoiceAccepted, nil
	default:
		return EventInvoiceRejected, nil
	}
}

// Settle records what a person has seen at the tax office of an invoice that has failed, as
// EDocument.Settle does, or reports that nobody need say so.
func (v *Invoice) Settle(o Outcome, at Instant) error {
	if !v.EDocument.Settle(o) {
		return v.refuse(o.settles(), at)
	}
	return nil
}
