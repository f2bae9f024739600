package trade

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

// The actions on an invoice. Edit keeps the state; Take and Fail are the
// authority's answer, Accept and Reject the buyer's.
const (
	EditInvoice   InvoiceAction = "edit"
	SendInvoice   InvoiceAction = "send"
	TakeInvoice   InvoiceAction = "take"
	FailInvoice   InvoiceAction = "fail"
	AcceptInvoice InvoiceAction = "accept"
	RejectInvoice InvoiceAction = "reject"
	CancelInvoice InvoiceAction = "cancel"
)

// InvoiceMoves is the whole life of an invoice. What the table cannot say (only
// TICARIFATURA is answered, only e-Arşiv is cancelled, and only in time) is
// judged where the action is done.
var InvoiceMoves = Moves[InvoiceState, InvoiceAction]{
	InvoiceDraft:  {EditInvoice: InvoiceDraft, SendInvoice: InvoiceQueued},
	InvoiceQueued: {TakeInvoice: InvoiceSent, FailInvoice: InvoiceFailed},
	InvoiceFailed: {EditInvoice: InvoiceFailed, SendInvoice: InvoiceQueued},
	InvoiceSent:   {AcceptInvoice: InvoiceAccepted, RejectInvoice: InvoiceRejected, CancelInvoice: InvoiceCancelled},
}

// EDocumentStatus is the state of the electronic document alone.
type EDocumentStatus string

// The states of an electronic document; the others carry the invoice's names.
const (
	EDocumentNone EDocumentStatus = "NONE"
)

// Values lists the states of an electronic document.
func (EDocumentStatus) Values() []string {
	return []string{"NONE", "QUEUED", "SENT", "ACCEPTED", "REJECTED", "FAILED", "CANCELLED"}
}

// Move applies action, or reports why it may not. The electronic document
// follows.
func (v *Invoice) Move(a InvoiceAction) error {
	to, err := InvoiceMoves.Next(v.Status, a)
	if err != nil {
		return err
	}
	v.Status = to
	if to != InvoiceDraft {
		v.EDocument.Status = EDocumentStatus(to)
	}
	return nil
}

// Pending records that the document waits at the tax office or on the way there,
// handed over under envelope: with the code and text of an office that has said
// nothing final yet, or with the problem that one try more has met.
func (e *EDocument) Pending(envelope, code, text, problem string) {
	e.EnvelopeID, e.LastError = envelope, problem
	if code != "" {
		e.StatusCode, e.StatusText = code, text
	}
	if problem != "" {
		e.Attempts++
	}
}

// Answered records what the tax office or the buyer said at the moment at, and
// returns the event that tells of it. Only the buyer of a TICARIFATURA answers.
func (v *Invoice) Answered(a InvoiceAction, code, text, envelope string, at Instant) (Event, error) {
	if (a == AcceptInvoice || a == RejectInvoice) && v.Profile != TicariFatura {
		return "", Fail(Conflict, InvalidState, string(a), string(v.Status))
	}
	if err := v.Move(a); err != nil {
		return "", err
	}
	e := &v.EDocument
	e.StatusCode, e.StatusText = code, text
	switch a {
	case TakeInvoice:
		e.SentAt, e.EnvelopeID, e.LastError = at, envelope, ""
		e.Attempts++
		if v.DocumentType == EArsiv {
			e.CancellableUntil = at + AnswerDays*day
		}
		return EventInvoiceSent, nil
	case FailInvoice:
		e.EnvelopeID, e.LastError = envelope, text
		e.Attempts++
		return EventInvoiceFailed, nil
	case AcceptInvoice:
		e.AnsweredAt = at
		return EventInvoiceAccepted, nil
	default:
		e.AnsweredAt = at
		return EventInvoiceRejected, nil
	}
}

// Kept is why the invoice may not be deleted: once it was sent it has its number.
func (v *Invoice) Kept() error {
	if v.Status != InvoiceDraft {
		return Fail(Conflict, InvalidState, "delete", string(v.Status))
	}
	return nil
}

// Cancel cancels an e-Arşiv invoice that may still be cancelled at the moment at.
func (v *Invoice) Cancel(at Instant) error {
	if v.DocumentType != EArsiv || at > v.EDocument.CancellableUntil && v.Status == InvoiceSent {
		return Fail(Conflict, NotCancellable)
	}
	return v.Move(CancelInvoice)
}
