package standin

import (
	"time"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/ubl"
	"esnaf/ubl/gib"
)

// carry takes a draft as far as status, by the steps that the courier takes, but
// with answers of its own: the documents, numbers and events are real.
func (l *ledger) carry(id string, status trade.InvoiceState) error {
	if status == trade.InvoiceDraft {
		return nil
	}
	v, err := stored[trade.Invoice](l.tx.SendInvoice(id))
	if err != nil {
		return err
	}
	if status == trade.InvoiceQueued {
		l.waiting = append(l.waiting, v.Number)
		return nil
	}
	xml, err := ubl.Invoice(nil, &v)
	if err != nil {
		return err
	}
	e := store.Errand{Tenant: l.tenant, Owner: id, Step: store.StepSubmit}
	envelope := l.ids.UUID()
	if err := l.tx.Post(e, v.Number, xml, envelope); err != nil {
		return err
	}
	e.Step, e.Envelope = store.StepHandOver, envelope
	return l.answer(e, &v, status)
}

// answer says what the tax office says, and then what the buyer says. A
// TICARIFATURA without an answer waits for one until the term is over, as the
// courier would let it.
func (l *ledger) answer(e store.Errand, v *trade.Invoice, status trade.InvoiceState) error {
	if status == trade.InvoiceFailed {
		code := refusal(v.DocumentType)
		return l.tx.Answer(e, said(trade.Failed, e, code, gib.NewStatus(code).Text))
	}
	taken := said(trade.Taken, e, "1300", gib.NewStatus("1300").Text)
	if v.Profile == trade.TicariFatura {
		taken.Wait = l.tx.Now().AddDate(0, 0, trade.AnswerDays)
	}
	if err := l.tx.Answer(e, taken); err != nil {
		return err
	}
	e.Step = store.StepAnswer
	switch status {
	case trade.InvoiceAccepted:
		return l.tx.Answer(e, said(trade.Accepted, e, "1300", "the buyer accepted the invoice (KABUL)"))
	case trade.InvoiceRejected:
		return l.tx.Answer(e, said(trade.Rejected, e, "1300", "the buyer rejected the invoice (RED): teslim edilen miktar faturadakinden az"))
	case trade.InvoiceCancelled:
		_, err := l.tx.CancelInvoice(e.Owner)
		return err
	}
	return nil
}

// refusal is a code that says nothing against the document, which is faultless: the
// buyer's system was away (1215), or, as an e-Arşiv goes to nobody, the signer had
// no right to sign (1176).
func refusal(kind trade.DocumentType) string {
	if kind == trade.EArsiv {
		return "1176"
	}
	return "1215"
}

// said is an answer whose text shows that nobody has really given it.
func said(o trade.Outcome, e store.Errand, code, text string) store.Answer {
	return store.Answer{Outcome: o, Code: code, Text: "demo: " + text, Envelope: e.Envelope}
}

// patience is how long the tax office keeps what the demo left on the way: long enough
// to be seen, and then it is taken, as a caller who waits for that may expect.
const patience = 15 * time.Minute

// holdUp tells the simulator to let what was left on the way wait, so that the state
// QUEUED can be seen.
func (l *ledger) holdUp(sim *gib.Simulator) {
	if sim == nil {
		return
	}
	for _, number := range l.waiting {
		sim.Script(gib.Rule{Tenant: l.tenant, NumberPrefix: number, After: patience})
	}
}
