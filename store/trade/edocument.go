package trade

import "strings"

// EDocument is how an electronic document fares at the tax office.
type EDocument struct {
	Status           EDocumentStatus `json:"status"`
	StatusCode       string          `json:"statusCode,omitempty" doc:"the tax office's own code, such as 1300"`
	StatusText       string          `json:"statusText,omitempty"`
	EnvelopeID       string          `json:"envelopeId,omitempty"`
	SentAt           Instant         `json:"sentAt,omitzero"`
	AnsweredAt       Instant         `json:"answeredAt,omitzero"`
	Attempts         int             `json:"attempts"`
	LastError        string          `json:"lastError,omitempty"`
	CancellableUntil Instant         `json:"cancellableUntil,omitzero" doc:"an e-Arşiv invoice may be cancelled until then"`
	Registered       bool            `json:"registered,omitzero" doc:"the tax office has said of a try that it has a document of this number or ETTN already: it may have been delivered"`
}

// EDocumentStatus is the state of the electronic document alone.
type EDocumentStatus string

// The states of an electronic document.
const (
	EDocumentNone      EDocumentStatus = "NONE"
	EDocumentQueued    EDocumentStatus = "QUEUED"
	EDocumentSent      EDocumentStatus = "SENT"
	EDocumentAccepted  EDocumentStatus = "ACCEPTED"
	EDocumentRejected  EDocumentStatus = "REJECTED"
	EDocumentFailed    EDocumentStatus = "FAILED"
	EDocumentCancelled EDocumentStatus = "CANCELLED"
)

// Values lists the states of an electronic document.
func (EDocumentStatus) Values() []string {
	return []string{"NONE", "QUEUED", "SENT", "ACCEPTED", "REJECTED", "FAILED", "CANCELLED"}
}

// Outcome is what the tax office or the buyer says of a document. The words are those
// of the actions that follow from it.
type Outcome string

// The outcomes: taken or refused by the office, accepted or rejected by the buyer.
const (
	Taken    Outcome = "take"
	Failed   Outcome = "fail"
	Accepted Outcome = "accept"
	Rejected Outcome = "reject"
)

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

// MayBeThere tells whether the tax office, which has refused the document, may have it all
// the same: it has said so, of this try or of an earlier one, and never took it back.
func (e *EDocument) MayBeThere() bool { return e.Registered || registeredCode(e.StatusCode) }

// registeredCode tells whether a code of the tax office says that the number or the ETTN
// of a document is registered there.
func registeredCode(code string) bool { return code == "1163" || code == "1164" }

// settles is the operator's command that says of a document what a person has seen of it.
func (o Outcome) settles() string {
	if o == Taken {
		return "document settle --as taken"
	}
	return "document settle --as refused"
}

// settling lists by which commands a person can say what became of the document: it waits
// at the tax office, or was refused as one that is there already. Else that is certain.
func (e *EDocument) settling() []string {
	switch {
	case e.handedOver():
		return []string{Taken.settles(), Failed.settles()}
	case e.Status == EDocumentFailed && e.MayBeThere():
		return []string{Failed.settles()}
	}
	return nil
}

// handedOver tells whether the document has gone to the tax office, which has said nothing
// final yet.
func (e *EDocument) handedOver() bool { return e.Status == EDocumentQueued && e.EnvelopeID != "" }

// Settle records that a person has seen that the tax office has not got a document which it
// said it has already: that is another one, which bears the number. It is false where nobody
// doubts what became of the document. Of one that waits there, see Answered.
func (e *EDocument) Settle(o Outcome) bool {
	if o != Failed || e.Status != EDocumentFailed || !e.MayBeThere() {
		return false
	}
	said := e.SettledText(o)
	e.Registered, e.StatusCode, e.StatusText, e.LastError = false, "", said, said
	return true
}

// Late records an outcome that the tax office told of envelope after a person had settled
// the document, where it is not what that person found. What the office has taken after all
// is not given up any more, also when it has been sent once more meanwhile.
func (e *EDocument) Late(o Outcome, code, text, envelope string) {
	gone := e.Refused() || e.EnvelopeID != envelope
	if o != Taken && o != Failed || gone == (o == Failed) {
		return
	}
	e.Registered = e.Registered || e.Status == EDocumentFailed || e.Status == EDocumentQueued
	e.LastError = "after the operator had settled the document, the tax office said otherwise: " + strings.TrimSpace(code+" "+text)
}

// SettledText is said of a document of which a person, not the tax office, says what became
// of it. What the office has said of it before does not hold any more.
func (e *EDocument) SettledText(o Outcome) string {
	text := "the operator has found that the tax office has not got the document"
	if o == Taken {
		text = "the operator has found that the tax office took the document"
	}
	if e.StatusCode != "" {
		text += "; before that, the tax office said: " + strings.TrimSpace(e.StatusCode+" "+e.StatusText)
	}
	return text
}

// Looked follows the outcome of a document that a person has settled, who has looked for it
// at the tax office; at is when it was handed over. When the office took it is not known:
// an e-Arşiv is cancelled in its term from the hand-over, and no buyer's is cut short.
func (e *EDocument) Looked(at Instant) {
	e.Registered = false
	if e.CancellableUntil != 0 {
		e.CancellableUntil = at + AnswerDays*day
	}
}

// Refused tells whether the tax office has refused what was handed over, so that it is no
// document; also of one that was given up after that.
func (e *EDocument) Refused() bool {
	return e.Status == EDocumentFailed || e.Status == EDocumentCancelled && e.SentAt == 0
}

// Requeue forgets what was said of the document before it is handed over again. One that
// may be there goes as it was, under a new envelope: what became of it is asked for first.
func (e *EDocument) Requeue(envelope func() string) {
	e.Status, e.Registered = EDocumentQueued, e.MayBeThere()
	e.LastError, e.StatusCode, e.StatusText, e.EnvelopeID = "", "", "", ""
	if e.Registered {
		e.EnvelopeID = envelope()
	}
}

// answered records an outcome at the moment at.
func (e *EDocument) answered(o Outcome, code, text, envelope string, at Instant) {
	e.StatusCode, e.StatusText = code, text
	switch o {
	case Taken:
		e.Status, e.SentAt, e.EnvelopeID, e.LastError = EDocumentSent, at, envelope, ""
		e.Registered = false
		e.Attempts++
	case Failed:
		e.Status, e.EnvelopeID, e.LastError = EDocumentFailed, envelope, text
		e.Registered = e.MayBeThere()
		e.Attempts++
	case Accepted:
		e.Status, e.AnsweredAt = EDocumentAccepted, at
	case Rejected:
		e.Status, e.AnsweredAt = EDocumentRejected, at
	}
}
