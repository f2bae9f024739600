// Package gib carries documents to the tax office (Gelir İdaresi Başkanlığı,
// GİB), real or simulated, and brings back what became of them.
//
// The courier keeps everything it needs to know in the store and the document
// itself is stored before it is handed over. So whatever breaks in between, the
// question "what became of it?" can be asked, and no document is taken twice.
package gib

import (
	"context"
	"time"

	"esnaf/store/trade"
)

// Authority is the tax office, or a service that stands between it and us (özel
// entegratör). Its methods may be called at the same time. An error of either
// means that nothing was learned, also not whether the document arrived.
type Authority interface {
	// Submit hands a document over. The same envelope handed over again changes
	// nothing and is answered with its state.
	Submit(ctx context.Context, e Envelope) (Status, error)

	// Status tells what became of an envelope. Where the office has refused it
	// because the document is registered already (1163), and that is this very
	// document, the state is that of the document and names the envelope that
	// brought it.
	Status(ctx context.Context, e Envelope) (Status, error)
}

// Envelope (zarf) holds one document and says from whom it goes to whom. One bad
// document fails its whole envelope, so each travels alone.
type Envelope struct {
	ID     string // UUID of the envelope; a document may need several
	Tenant string // ten_ whose document it is
	Owner  string // inv_ or shp_ it was made from

	Number       string // legal number
	ETTN         string // UUID of the document
	DocumentType trade.DocumentType
	Profile      trade.Profile

	SenderTaxNumber   string
	SenderAlias       string // sender unit (gönderici birim); may be empty for an e-Arşiv
	ReceiverTaxNumber string
	ReceiverAlias     string // mailbox (posta kutusu); empty for an e-Arşiv, which is only reported

	XML []byte // the document, never changed once it was handed over
}

// EIrsaliye is the document type of a despatch note, which an invoice never has.
const EIrsaliye trade.DocumentType = "E_IRSALIYE"

// Status is what the tax office says of an envelope.
type Status struct {
	Code     string // the office's own, such as 1300
	Text     string
	Class    Class  // what the code means for us
	Envelope string // that brought the document, when it was not the one asked about
	Answer   Answer // the buyer's, once the document is taken
}

// Answer is the buyer's answer (uygulama yanıtı) to a TICARIFATURA. It may be given
// within 8 days (trade.AnswerDays) of the receipt; the first one counts.
type Answer struct {
	Verdict Verdict
	Reason  string    // always given with Rejected
	At      time.Time // when it was given; zero when that is not told
}

// Verdict is what a buyer says to an invoice.
type Verdict string

// The verdicts, by their response codes.
const (
	Unanswered Verdict = ""
	Accepted   Verdict = "KABUL"
	Rejected   Verdict = "RED"
)
