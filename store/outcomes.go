package store

import (
	"strings"
	"time"

	"esnaf/store/trade"
)

// carried is a record whose electronic document the courier carries.
type carried[T any] interface {
	Record[T]
	Document() *trade.EDocument
	Answered(o trade.Outcome, code, text, envelope string, at trade.Instant) (trade.Event, error)
	Settle(o trade.Outcome, at trade.Instant) error
}

// isNote tells whether the document of an errand is a despatch note and no invoice.
func (e *Errand) isNote() bool { return strings.HasPrefix(e.Owner, Shipments.Prefix+"_") }

// Pause is why an errand waits, and until when. Without a code and a problem the
// document says nothing of it.
type Pause struct {
	Until   time.Time
	Code    string // the tax office's, who has said nothing final yet
	Text    string
	Problem string // why nothing could be learned; "" when it merely takes its time
}

// Postpone lets an errand wait without an outcome. What was handed over is asked for next.
func (tx *Tx) Postpone(e Errand, p Pause) error {
	if err := tx.holds(e); err != nil {
		return err
	}
	if e.Step == StepHandOver {
		e.Step = StepAsk
	}
	if _, err := tx.exec("UPDATE courier SET step = ?, due_at = ?, tries = tries + 1 WHERE owner = ?", string(e.Step), int64(trade.At(p.Until)), e.Owner); err != nil {
		return err
	}
	if p.Code == "" && p.Problem == "" {
		return nil
	}
	_, err := tx.amend(e, func(doc *trade.EDocument) { doc.Pending(e.Envelope, p.Code, p.Text, p.Problem) })
	return err
}

// amend records news of the document of an errand that move its owner no further, and tells
// whether they are any: the same again are no change of the record.
func (tx *Tx) amend(e Errand, news func(*trade.EDocument)) (changed bool, err error) {
	if e.isNote() {
		return amend(tx, Shipments, e, news)
	}
	return amend(tx, Invoices, e, news)
}

func amend[T any, P carried[T]](tx *Tx, t *Table[T, P], e Errand, news func(*trade.EDocument)) (changed bool, err error) {
	_, rec, err := current(tx, t, e.Owner, Any)
	if err != nil {
		return false, err
	}
	old, doc := rec, P(&rec).Document()
	before := *doc
	if news(doc); *doc == before {
		return false, nil
	}
	_, err = t.Put(tx, &old, &rec)
	return true, err
}

// Answer is what the tax office or the buyer said.
type Answer struct {
	Outcome  trade.Outcome
	Code     string // the tax office's
	Text     string
	Envelope string    // under which the office has the document
	Wait     time.Time // when to ask for the buyer's answer; zero when none is awaited

	// handed is when the document was handed over of which a person has said what became
	// of it; zero where the office or the buyer has answered.
	handed trade.Instant
}

// Answer records an answer and ends the errand, or lets it wait for the buyer, at
// StepAnswer.
func (tx *Tx) Answer(e Errand, a Answer) (err error) {
	if err := tx.holds(e); err != nil {
		return err
	}
	if a.Wait.IsZero() {
		err = tx.EndErrand(e)
	} else {
		_, err = tx.exec("UPDATE courier SET step = ?, due_at = ?, tries = 0 WHERE owner = ?", string(StepAnswer), int64(trade.At(a.Wait)), e.Owner)
	}
	if err != nil {
		return err
	}
	tx.queued = true // whoever waits for the outcome may look
	if e.isNote() {
		return answered(tx, Shipments, e, a, func(*trade.Shipment) error { return nil })
	}
	return answered(tx, Invoices, e, a, func(v *trade.Invoice) error {
		switch a.Outcome {
		case trade.Taken, trade.Failed:
			if err := tx.queue(v, -1); err != nil {
				return err
			}
		case trade.Rejected:
			if err := tx.unbill(v); err != nil {
				return err
			}
		}
		return tx.bookInvoice(v)
	})
}

// Settle records what a person has seen at the tax office of a document, where the program
// learns nothing final: whether the office has taken it. It may wait there for ever, or bear
// a number that the office knows of another document. What the office says is not asked for
// any more: whoever settles a document decides.
func (tx *Tx) Settle(owner string, o trade.Outcome) error {
	e := Errand{Owner: owner}
	if e.isNote() {
		return settle(tx, Shipments, e, Answer{Outcome: o})
	}
	v, err := Invoices.Get(&tx.View, owner)
	if err != nil {
		return err
	}
	a := Answer{Outcome: o}
	if o == trade.Taken && v.Profile == trade.TicariFatura {
		a.Wait = tx.now
	}
	return settle(tx, Invoices, e, a)
}

// settle is Settle of a record of t, of which e names the owner.
func settle[T any, P carried[T]](tx *Tx, t *Table[T, P], e Errand, a Answer) error {
	was, rec, err := current(tx, t, e.Owner, Any)
	if err != nil {
		return err
	}
	old, doc := rec, P(&rec).Document()
	if doc.Status == trade.EDocumentQueued {
		a.Text = doc.SettledText(a.Outcome)
		return tx.settleQueued(e, a)
	}
	if err := P(&rec).Settle(a.Outcome, trade.At(tx.now)); err != nil {
		return err
	}
	_, err = t.Move(tx, "settle", t.Tells.Updated, was, &old, &rec)
	return err
}

// settleQueued is settle of a document that was handed over and of which nothing final is
// known.
func (tx *Tx) settleQueued(e Errand, a Answer) error {
	err := tx.row("SELECT c.step, c.envelope, d.at FROM courier c JOIN documents d ON d.owner = c.owner WHERE c.owner = ? AND c.tenant = ?",
		e.Owner, tx.who.Tenant).Scan(&e.Step, &e.Envelope, &a.handed)
	if noRows(err) || err == nil && e.Step != StepAsk {
		return trade.Fail(trade.Conflict, trade.OnTheWay)
	}
	if err != nil {
		return err
	}
	a.Envelope = e.Envelope
	return tx.Answer(e, a)
}

// Late keeps what the tax office said of a document that a person has settled meanwhile,
// where the two contradict each other, and tells whether they do.
func (tx *Tx) Late(e Errand, a Answer) (contradicts bool, err error) {
	return tx.amend(e, func(doc *trade.EDocument) { doc.Late(a.Outcome, a.Code, a.Text, e.Envelope) })
}

// answered records an answer on the owner of an errand, with what follows from it, and
// tells of it.
func answered[T any, P carried[T]](tx *Tx, t *Table[T, P], e Errand, a Answer, follow func(P) error) error {
	was, rec, err := current(tx, t, e.Owner, Any)
	if err != nil {
		return err
	}
	old := rec
	event, err := P(&rec).Answered(a.Outcome, a.Code, a.Text, a.Envelope, trade.At(tx.now))
	if err != nil {
		return err
	}
	if a.handed != 0 {
		P(&rec).Document().Looked(a.handed)
	}
	if err := follow(&rec); err != nil {
		return err
	}
	_, err = t.Move(tx, string(a.Outcome), event, was, &old, &rec)
	return err
}
