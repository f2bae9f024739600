package store

import (
	"cmp"
	"fmt"

	"esnaf/store/trade"
)

// CreateInvoice adds a draft. Its kind is chosen from the buyer's registration,
// and chosen again when it is sent.
func (tx *Tx) CreateInvoice(v trade.Invoice) (Doc, error) { return tx.createInvoice(v, kept{}) }

func (tx *Tx) createInvoice(v trade.Invoice, k kept) (Doc, error) {
	v.Status, v.Direction, v.PaymentStatus = trade.InvoiceDraft, trade.Sales, trade.Unpaid
	v.EDocument = trade.EDocument{Status: trade.EDocumentNone}
	if err := tx.prepareInvoice(&v, k); err != nil {
		return Doc{}, err
	}
	n, err := tx.draw("invoice drafts")
	if err != nil {
		return Doc{}, err
	}
	v.Number, v.ETTN = fmt.Sprintf("DRAFT-%06d", n), tx.db.ids.UUID()
	return Invoices.Create(tx, &v)
}

// UpdateInvoice replaces what a caller may set of an invoice that is not at the
// tax office. One that failed there keeps number, ETTN and date.
func (tx *Tx) UpdateInvoice(id string, match Match, v trade.Invoice) (Doc, error) {
	was, old, err := current(tx, Invoices, id, match)
	if err != nil {
		return Doc{}, err
	}
	if err := old.Move(trade.EditInvoice, trade.At(tx.now)); err != nil {
		return Doc{}, err
	}
	v.CheckIssued(tx.Check(), &old)
	v.Keep(&old)
	v.CheckBilled(tx.Check(), &old)
	if err := tx.prepareInvoice(&v, keeping(old.Lines, old.CompanyID)); err != nil {
		return Doc{}, err
	}
	return Invoices.Replace(tx, was, &old, &v)
}

// prepareInvoice fills, judges and computes an invoice, and chooses its kind.
func (tx *Tx) prepareInvoice(v *trade.Invoice, k kept) error {
	f := tx.Check()
	buyer, err := tx.companyOf(v.CompanyID, k)
	if err != nil {
		return err
	}
	products, err := tx.productsOf(v.Lines, k)
	if err != nil {
		return err
	}
	today, err := tx.documentDay()
	if err != nil {
		return err
	}
	v.Defaults(buyer)
	v.Check(f, products)
	v.CheckDates(f, today)
	v.Sum(f)
	k.check(f, v.Lines)
	if err := f.Err(); err != nil {
		return err
	}
	v.BuyerName = buyer.Name
	if v.Status == trade.InvoiceFailed {
		return nil // it keeps the kind its number was drawn for, until it is sent again
	}
	_, err = tx.chooseKind(v, buyer)
	return cmp.Or(err, f.Err())
}

// chooseKind decides which electronic document the invoice becomes, and under
// which alias the buyer receives it. A kind that is not made yet is a fault.
func (tx *Tx) chooseKind(v *trade.Invoice, buyer *trade.Company) (alias string, err error) {
	t, err := tx.Settings()
	if err != nil {
		return "", err
	}
	boxes, public, err := tx.mailboxes(buyer.TaxNumber)
	if err != nil {
		return "", err
	}
	wish := v.Profile
	if wish == "" || wish == trade.EArsivFatura {
		wish = t.DefaultProfile
	}
	choice := trade.ChooseDocument(trade.KindQuery{
		SellerRegistered: true, InvoiceType: string(v.InvoiceType), DefaultProfile: string(wish),
		BuyerTaxNumber: buyer.TaxNumber, BuyerCountry: buyer.Country, BuyerIsPerson: buyer.PersonType == trade.NaturalPerson,
		BuyerIsPublic: public, BuyerAlias: buyer.EInvoice.Alias, Mailboxes: boxes, Now: tx.now,
	})
	v.DocumentType, v.Profile = trade.DocumentType(choice.DocumentType), trade.Profile(choice.Profile)
	if buyer.PersonType == trade.NaturalPerson || buyer.Country != "TR" {
		buyer.TaxNumber = choice.BuyerTaxNumber // the customary number of a consumer or a foreigner who gave none
	}
	switch {
	case !v.Profile.Supported():
		tx.Check().Add("companyId", trade.NotSupported, choice.Profile)
	case trade.IsCustoms(buyer.TaxNumber): // a defect of any document that this version makes
		tx.Check().Add("companyId", trade.NotSupported, trade.Phrase{"an invoice to the customs ministry", "Gümrük Bakanlığına fatura"})
	case choice.InvoiceType != string(v.InvoiceType): // the social security institution's own
		tx.Check().Add("companyId", trade.NotSupported, choice.InvoiceType)
	}
	return choice.ReceiverAlias, nil
}

// SendInvoice queues an invoice for the tax office: its kind is chosen again,
// seller and buyer are frozen, and its legal number is drawn, all in this one
// transaction, so that a refused send uses up no number. What the office may have goes
// once more as it was: anything else would be a second document of one sale.
func (tx *Tx) SendInvoice(id string) (Doc, error) {
	_, v, err := current(tx, Invoices, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := v
	if err := v.Move(trade.SendInvoice, trade.At(tx.now)); err != nil {
		return Doc{}, err
	}
	if !old.EDocument.MayBeThere() {
		if err := tx.freeze(&v); err != nil {
			return Doc{}, err
		}
		if err := tx.number(&v, &old); err != nil {
			return Doc{}, err
		}
	}
	v.EDocument.Requeue(tx.db.ids.UUID)
	doc, err := Invoices.Put(tx, &old, &v)
	if err != nil {
		return doc, err
	}
	if err := tx.queue(&v, 1); err != nil {
		return doc, err
	}
	if err := tx.addErrand(v.ID, v.EDocument.EnvelopeID); err != nil {
		return doc, err
	}
	return doc, tx.tell("invoice.send", id, invoiceChange(trade.EventInvoiceQueued, id, doc))
}

// freeze puts on the invoice what the document will say of seller and buyer, and
// judges whether it is complete.
func (tx *Tx) freeze(v *trade.Invoice) error {
	f := tx.Check()
	t, err := tx.Settings()
	if err != nil {
		return err
	}
	buyer, err := tx.companyOf(v.CompanyID, keeping(nil, v.CompanyID))
	if err != nil || buyer == nil {
		return cmp.Or(err, f.Err())
	}
	if buyer.EInvoice.Alias, err = tx.chooseKind(v, buyer); err != nil {
		return err
	}
	v.Freeze(t.Party(), buyer.Party())
	v.CheckSend(f)
	return tx.checkRoom(v)
}

// number dates the invoice and draws its legal number, unless it failed with one
// that still fits: then number and date stay.
func (tx *Tx) number(v, old *trade.Invoice) error {
	t, err := tx.Settings()
	if err != nil {
		return err
	}
	numbered := old.Status == trade.InvoiceFailed
	local := t.DocumentTime(tx.now)
	if numbered && v.DocumentType == old.DocumentType {
		v.Issue(local)
		v.CheckDate(tx.Check(), trade.DateOf(local), "") // it may have been edited; its place in the series is its own
		return tx.Check().Err()
	}
	letters := t.Series.Of(v.DocumentType)
	if numbered { // the kind has flipped: another series, dated anew
		v.IssueDate, v.IssueTime = "", ""
		if v.DueDate < trade.DateOf(local) {
			v.DueDate = ""
		}
	}
	v.Issue(local)
	last, err := tx.lastOf(legalSeries(letters, v.IssueDate))
	if err != nil {
		return err
	}
	v.CheckDate(tx.Check(), trade.DateOf(local), last.lastDate)
	if err := tx.Check().Err(); err != nil {
		return err
	}
	if v.Number, err = tx.drawLegal(letters, v.IssueDate); err != nil || !numbered {
		return err
	}
	return tx.void(old.Number, v.ID, "the document's kind changed before it was sent")
}

// CancelInvoice cancels an e-Arşiv invoice while that is possible, or gives up one that
// the tax office has refused. Its number stays used; that of a refused one is void.
func (tx *Tx) CancelInvoice(id string) (Doc, error) {
	_, v, err := current(tx, Invoices, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := v
	if err := v.Move(trade.CancelInvoice, trade.At(tx.now)); err != nil {
		return Doc{}, err
	}
	if old.Status == trade.InvoiceFailed {
		if err := tx.void(v.Number, v.ID, "the invoice was cancelled after the tax office had refused it"); err != nil {
			return Doc{}, err
		}
	}
	if err := tx.bookInvoice(&v); err != nil {
		return Doc{}, err
	}
	if err := tx.unbill(&v); err != nil {
		return Doc{}, err
	}
	doc, err := Invoices.Put(tx, &old, &v)
	if err != nil {
		return doc, err
	}
	return doc, tx.tell("invoice.cancel", id, invoiceChange(trade.EventInvoiceCanceled, id, doc))
}

// DeleteInvoice marks a draft deleted, and what it took of an order is due again. A
// numbered invoice is never deleted.
func (tx *Tx) DeleteInvoice(id string, match Match) error {
	v, err := Invoices.Get(&tx.View, id)
	if err != nil {
		return err
	}
	if err := Invoices.Remove(tx, id, match); err != nil {
		return err
	}
	return tx.unbill(&v)
}

// PreviewInvoice is a draft as it would be sent now: completed, but neither
// numbered nor judged.
func (v *View) PreviewInvoice(id string) (inv trade.Invoice, err error) {
	if inv, err = Invoices.Get(v, id); err != nil || inv.Seller != nil {
		return inv, err
	}
	t, err := v.Settings()
	if err != nil {
		return inv, err
	}
	read := Companies.Get
	if inv.Billed() {
		read = Companies.Ever
	}
	var buyer trade.Company
	if buyer, err = read(v, inv.CompanyID); err != nil && trade.KindOf(err) != trade.NotFound {
		return inv, err
	}
	inv.Freeze(t.Party(), buyer.Party())
	inv.Issue(t.DocumentTime(v.Now()))
	return inv, nil
}

func invoiceChange(e trade.Event, id string, doc Doc) change {
	return change{event: e, object: doc.JSON, url: "/api/invoices/" + id}
}
