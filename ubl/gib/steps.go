package gib

import (
	"context"
	"errors"
	"fmt"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/ubl"
)

// submit makes the document, stores it, and hands it over. One with a defect is not
// handed over: it fails at once.
func (c *Courier) submit(ctx context.Context, t *trip) error {
	if defect := c.render(t); defect != "" {
		return c.answer(ctx, t, store.Answer{Outcome: trade.Failed, Text: defect})
	}
	if err := c.post(ctx, t); err != nil {
		return err
	}
	return c.handOver(ctx, t)
}

// render makes the document and judges it as the office would. It returns what is
// wrong with it, "" when nothing is.
func (c *Courier) render(t *trip) (defect string) {
	var found []ubl.Finding
	err := safely(func() (err error) {
		if t.xml, err = t.render(); err == nil {
			found = ubl.CheckOn(t.xml, turkishDay(c.DB.Clock().Now()))
		}
		return err
	})
	if t.testNumbers {
		found = ubl.Official(found)
	}
	if err != nil && trade.KindOf(err) != trade.Invalid {
		c.Log.Error("a document could not be made", "tenant", t.Tenant, "document", t.Owner, "error", err)
	}
	return defectOf(err, found)
}

// defectOf says in a sentence what kept a document from being handed over. An
// error that is not about the invoice's own fields is none of its reader's business.
func defectOf(err error, found []ubl.Finding) string {
	switch {
	case trade.KindOf(err) == trade.Invalid:
		return "the document could not be made: " + err.Error()
	case err != nil:
		return "the document could not be made because of an internal error, which has been logged"
	case len(found) > 0:
		return "the document was not handed over, since the tax office would refuse it: " + inWords(found)
	}
	return ""
}

// post stores the document under a new envelope. Only then may it be handed over.
func (c *Courier) post(ctx context.Context, t *trip) error {
	envelope := c.DB.IDs().UUID()
	err := c.write(ctx, t, func(tx *store.Tx) error { return tx.Post(t.Errand, t.to.Number, t.xml, envelope) })
	if err == nil {
		t.Step, t.Envelope = store.StepHandOver, envelope
	}
	return err
}

// announce says that the stored document is handed over again under its envelope, which
// nobody may have settled meanwhile.
func (c *Courier) announce(ctx context.Context, t *trip) error {
	err := c.write(ctx, t, func(tx *store.Tx) error { return tx.HandOver(t.Errand) })
	if err == nil {
		t.Step = store.StepHandOver
	}
	return err
}

// handOver submits the stored document. Of one that the office has already, it
// asks what that is instead of sending it again.
func (c *Courier) handOver(ctx context.Context, t *trip) error {
	st, err := c.call(ctx, t, c.Authority.Submit)
	if err == nil && st.Class == Registered {
		st, err = c.call(ctx, t, c.Authority.Status)
	}
	return c.record(ctx, t, st, err)
}

// ask finds out what became of a document that was, or may have been, handed
// over. The very same bytes are handed over again when the office has not got
// them: in the same envelope if it never saw that, in a new one if it spoiled it.
func (c *Courier) ask(ctx context.Context, t *trip) error {
	st, err := c.call(ctx, t, c.Authority.Status)
	switch {
	case err == nil && st.Class == Unknown:
		if err := c.announce(ctx, t); err != nil {
			return err
		}
		return c.handOver(ctx, t)
	case err == nil && st.Class == Retry:
		if err := c.post(ctx, t); err != nil {
			return err
		}
		return c.handOver(ctx, t)
	}
	return c.record(ctx, t, st, err)
}

// call asks the office for something about the envelope of t.
func (c *Courier) call(ctx context.Context, t *trip, what func(context.Context, Envelope) (Status, error)) (st Status, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	err = safely(func() (err error) {
		st, err = what(ctx, t.envelope())
		return err
	})
	if err != nil {
		c.Log.Warn("the tax office could not be asked", "tenant", t.Tenant, "document", t.Owner, "envelope", t.Envelope, "error", err)
	}
	return st, err
}

func (t *trip) envelope() Envelope {
	e := t.to
	e.ID, e.Tenant, e.XML = t.Errand.Envelope, t.Tenant, t.xml
	return e
}

// record writes down what the office said of a document that was handed over, or
// lets it wait.
func (c *Courier) record(ctx context.Context, t *trip, st Status, err error) error {
	if err == nil {
		switch st.Class {
		case Taken:
			return c.taken(ctx, t, st)
		case Refused, Registered:
			return c.answer(ctx, t, store.Answer{Outcome: trade.Failed, Code: st.Code, Text: st.Text, Envelope: t.Envelope})
		}
	}
	p := store.Pause{Until: c.later(c.Waits, t.Tries), Code: st.Code, Text: st.Text}
	switch again := "; the next try is at " + trade.At(p.Until).String(); {
	case err != nil:
		p.Code, p.Text, p.Problem = "", "", "the tax office could not be reached"+again
	case st.Class != Pending:
		p.Problem = st.Text + again
	}
	return c.write(ctx, t, func(tx *store.Tx) error { return tx.Postpone(t.Errand, p) })
}

// taken records that the office has the document. A TICARIFATURA then waits for
// its buyer, who may have answered already.
func (c *Courier) taken(ctx context.Context, t *trip, st Status) error {
	a := store.Answer{Outcome: trade.Taken, Code: st.Code, Text: st.Text, Envelope: t.Envelope}
	if st.Envelope != "" {
		a.Envelope = st.Envelope
	}
	if t.to.Profile == trade.TicariFatura {
		a.Wait = c.later(c.AnswerWaits, 0)
	}
	if err := c.answer(ctx, t, a); err != nil || a.Wait.IsZero() || st.Answer.Verdict == Unanswered {
		return err
	}
	t.Step = store.StepAnswer
	return c.answered(ctx, t, st)
}

// awaitAnswer asks for the buyer's answer until the term for it is over. Nothing
// is wrong with the document meanwhile, so the invoice does not tell of it when
// the office cannot be reached; and the term ends no earlier than the office was
// asked after it, since an answer may lie there.
func (c *Courier) awaitAnswer(ctx context.Context, t *trip) error {
	st, err := c.call(ctx, t, c.Authority.Status)
	end := t.stands.SentAt.Time().AddDate(0, 0, trade.AnswerDays)
	inTime := st.Answer.Verdict != Unanswered && !st.Answer.At.After(end)
	over := !c.DB.Clock().Now().Before(end)
	switch {
	case err == nil && inTime:
		return c.answered(ctx, t, st)
	case err == nil && over:
		return c.answer(ctx, t, store.Answer{
			Outcome: trade.Accepted, Code: t.stands.StatusCode,
			Text: fmt.Sprintf("accepted automatically: the buyer did not answer within %d days (Turkish Commercial Code 21/2)", trade.AnswerDays),
		})
	}
	until := c.later(c.AnswerWaits, t.Tries)
	if !over {
		until = earlier(until, end)
	}
	return c.write(ctx, t, func(tx *store.Tx) error { return tx.Postpone(t.Errand, store.Pause{Until: until}) })
}

// answered records the buyer's answer.
func (c *Courier) answered(ctx context.Context, t *trip, st Status) error {
	a := store.Answer{Outcome: trade.Accepted, Code: st.Code, Text: "the buyer accepted the invoice (KABUL)"}
	if st.Answer.Verdict == Rejected {
		a.Outcome, a.Text = trade.Rejected, "the buyer rejected the invoice (RED)"
	}
	if st.Answer.Reason != "" {
		a.Text += ": " + st.Answer.Reason
	}
	return c.answer(ctx, t, a)
}

func (c *Courier) answer(ctx context.Context, t *trip, a store.Answer) error {
	err := c.write(ctx, t, func(tx *store.Tx) error { return tx.Answer(t.Errand, a) })
	if errors.Is(err, store.ErrOvertaken) {
		return c.late(ctx, t, a)
	}
	if err == nil {
		c.Log.Info("a document has its answer", "tenant", t.Tenant, "document", t.Owner, "number", t.to.Number, "answer", a.Outcome, "code", a.Code)
	}
	return err
}

// late keeps an answer to an errand that somebody else has ended: a person, who has
// settled its document.
func (c *Courier) late(ctx context.Context, t *trip, a store.Answer) error {
	return c.write(ctx, t, func(tx *store.Tx) error {
		contradicts, err := tx.Late(t.Errand, a)
		if contradicts {
			c.Log.Error("the tax office says otherwise of a document than the operator, who has settled it", "tenant", t.Tenant, "document", t.Owner, "envelope", t.Envelope, "answer", a.Outcome, "code", a.Code)
		}
		return err
	})
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
