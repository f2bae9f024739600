package trade

import (
	"fmt"
	"slices"
	"strings"

	"esnaf/store/money"
)

// ReceiptAnswer is what the buyer says of a delivery (irsaliye yanıtı, UBL-TR
// ReceiptAdvice). What the document does not say is empty.
type ReceiptAnswer struct {
	Number         string // of the answer itself, 16 characters
	ETTN           string
	IssueDate      Date
	IssueTime      string // HH:MM:SS
	DespatchETTN   string // of the note that is answered
	DespatchNumber string
	DespatchDate   Date // when that note was issued
	DeliveryDate   Date // when the goods came
	DeliveryTime   string
	Buyer, Seller  Party
	Notes          []string
	Lines          []ReceiptLine
}

// ReceiptLine is what came of one line of the note, in that line's unit.
type ReceiptLine struct {
	Line            int // of the note, from 1 on
	Name            string
	Unit            string
	Received        money.Quantity // what came, the rejected included
	Rejected        money.Quantity // of the received
	Short           money.Quantity // what did not come
	Oversupply      money.Quantity // what came beyond the note
	RejectReason    string
	TimingComplaint string // what the buyer says of a late delivery
}

// Verdict is an answer as a whole.
type Verdict string

// The verdicts. Both of the first are ACCEPTED as an electronic document.
const (
	VerdictAccepted Verdict = "ACCEPTED"
	VerdictPartly   Verdict = "PARTLY"
	VerdictRejected Verdict = "REJECTED"
)

// ReceiptDays is how long a note may be answered after the goods left; the sender is
// to refuse later answers, and every one but the first (GİB e-İrsaliye guide).
const ReceiptDays = 7

// Receive takes up the buyer's answer, which came at the moment at, a day that is today
// in the account's zone: the quantities
// go to the lines, the verdict to the electronic document, and nothing is moved. A
// line that the answer does not name came as it was sent.
//
// A second answer, a late one and one to a note that is not with its buyer are a
// Conflict. One that does not fit the note is Invalid and names the lines.
func (s *Shipment) Receive(a *ReceiptAnswer, at Instant, today Date) (Verdict, error) {
	e := &s.EDocument
	if !s.answerable(at) {
		return "", NotPossible(answerShipment, string(e.Status), s.possible(at)...)
	}
	var f Check
	a.checkDates(&f, today)
	s.checkAnswer(&f, a)
	if err := f.Err(); err != nil {
		return "", err
	}
	for i := range s.Lines {
		whole, none := s.Lines[i].Quantity, money.Quantity(0)
		s.Lines[i].ReceivedQuantity, s.Lines[i].RejectedQuantity = &whole, &none
	}
	for _, l := range a.Lines {
		of := &s.Lines[l.Line-1]
		*of.ReceivedQuantity, *of.RejectedQuantity = l.Received, l.Rejected
	}
	verdict := s.verdict()
	e.AnsweredAt, e.Status = at, EDocumentAccepted
	if verdict == VerdictRejected {
		e.Status = EDocumentRejected
	}
	e.StatusText = a.text()
	return verdict, nil
}

// answerable tells whether the note can be answered at the moment at.
func (s *Shipment) answerable(at Instant) bool {
	e := &s.EDocument
	return s.Status != ShipmentCancelled && e.Status == EDocumentSent && e.AnsweredAt == 0 && at <= s.DespatchAt+ReceiptDays*day
}

// checkDates refuses an answer of a day that is not there yet, and goods that came then.
func (a *ReceiptAnswer) checkDates(f *Check, today Date) {
	for _, day := range []struct {
		field string
		date  Date
	}{{"issueDate", a.IssueDate}, {"deliveryDate", a.DeliveryDate}} {
		if day.date > today {
			f.Add(day.field, IssueDateFuture, string(today))
		}
	}
}

// checkAnswer finds what does not fit the note. Some answer by the note's UUID, some
// by its number; either must be right where it stands.
func (s *Shipment) checkAnswer(f *Check, a *ReceiptAnswer) {
	switch {
	case a.DespatchETTN != "" && !strings.EqualFold(a.DespatchETTN, s.ETTN):
		f.Add("despatch", BadCode, a.DespatchETTN, s.ETTN)
	case a.DespatchNumber != s.Number && (a.DespatchNumber != "" || a.DespatchETTN == ""):
		f.Add("despatch", BadCode, a.DespatchNumber, s.Number)
	}
	if s.Seller != nil && a.Seller.TaxNumber != s.Seller.TaxNumber {
		f.Add("seller.taxNumber", BadCode, a.Seller.TaxNumber, s.Seller.TaxNumber)
	}
	if s.Buyer != nil && a.Buyer.TaxNumber != s.Buyer.TaxNumber {
		f.Add("buyer.taxNumber", BadCode, a.Buyer.TaxNumber, s.Buyer.TaxNumber)
	}
	seen := map[int]bool{}
	for i, l := range a.Lines {
		in := f.In(fmt.Sprintf("lines[%d]", i))
		if l.Line < 1 || l.Line > len(s.Lines) {
			in.Add("line", OutOfRange, 1, len(s.Lines))
			continue
		}
		if seen[l.Line] {
			in.Add("line", GivenTwice)
			continue
		}
		seen[l.Line] = true
		if l.Unit != s.Lines[l.Line-1].Unit {
			in.Add("unit", BadCode, l.Unit, s.Lines[l.Line-1].Unit)
		}
		if l.Received < 0 || l.Received > s.Lines[l.Line-1].Quantity { // what came beyond the note stands apart
			in.Add("received", OutOfRange, 0, s.Lines[l.Line-1].Quantity)
		} else if l.Rejected < 0 || l.Rejected > l.Received {
			in.Add("rejected", OutOfRange, 0, l.Received)
		}
	}
}

// verdict is what the lines come to: everything kept, nothing kept, or less than all.
func (s *Shipment) verdict() Verdict {
	all, some := true, false
	for i := range s.Lines {
		kept := *s.Lines[i].ReceivedQuantity - *s.Lines[i].RejectedQuantity
		all = all && kept >= s.Lines[i].Quantity
		some = some || kept > 0
	}
	switch {
	case all:
		return VerdictAccepted
	case some:
		return VerdictPartly
	}
	return VerdictRejected
}

// text is everything that the buyer says in words, for people.
func (a *ReceiptAnswer) text() string {
	said := append([]string{}, a.Notes...)
	for _, l := range a.Lines {
		said = append(said, l.RejectReason, l.TimingComplaint)
	}
	var out []string
	for _, s := range said {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	text := slices.DeleteFunc([]rune(strings.Join(out, "; ")), TurnsText)
	return string(text[:min(len(text), maxAnswerText)])
}

// maxAnswerText bounds, in characters, what is kept of the buyer's words.
const maxAnswerText = 500
