package store

import (
	"slices"

	"esnaf/store/trade"
)

// InvoiceOrder makes the draft of an invoice for all of an order that is shipped and
// on no invoice yet. It names the order and the despatch notes of its goods, which the
// document must (VUK 230/5).
func (tx *Tx) InvoiceOrder(id string) (Doc, error) {
	was, o, err := current(tx, Orders, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := o
	notes, err := tx.notesOf(&o)
	if err != nil {
		return Doc{}, err
	}
	today, err := tx.documentDay()
	if err != nil {
		return Doc{}, err
	}
	v, err := o.Bill(today)
	if err != nil {
		return Doc{}, err
	}
	v.Refer([]trade.DocumentRef{o.Ref()}, notes)
	doc, err := tx.createInvoice(v, keeping(v.Lines, v.CompanyID))
	if err != nil {
		return doc, err
	}
	o.InvoiceIDs = append(slices.Clone(o.InvoiceIDs), idOf(doc.JSON))
	_, err = Orders.Move(tx, "invoice", "", was, &old, &o)
	return doc, err
}

// notesOf are the despatch notes of an order's goods that no invoice names yet.
func (tx *Tx) notesOf(o *trade.Order) ([]trade.DocumentRef, error) {
	named := map[string]bool{}
	for _, id := range o.InvoiceIDs {
		v, err := Invoices.Get(&tx.View, id)
		if err != nil {
			return nil, err
		}
		for _, d := range v.DespatchIDs {
			named[d] = true
		}
	}
	notes := []trade.DocumentRef{}
	for _, id := range o.ShipmentIDs {
		s, err := Shipments.Get(&tx.View, id)
		if err != nil {
			return nil, err
		}
		if !named[id] && s.Status != trade.ShipmentCancelled && s.Status != trade.ShipmentReturned {
			notes = append(notes, s.Ref())
		}
	}
	return notes, nil
}

// invoicesOf are the invoices of an order.
func (tx *Tx) invoicesOf(o *trade.Order) ([]trade.Invoice, error) {
	all := make([]trade.Invoice, 0, len(o.InvoiceIDs))
	for _, id := range o.InvoiceIDs {
		v, err := Invoices.Get(&tx.View, id)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// draftsOf are the invoices of an order that are drafts.
func (tx *Tx) draftsOf(o *trade.Order) ([]trade.Invoice, error) {
	all, err := tx.invoicesOf(o)
	return slices.DeleteFunc(all, func(v trade.Invoice) bool { return v.Status != trade.InvoiceDraft }), err
}

// unbill gives back to its orders what an invoice took of them.
func (tx *Tx) unbill(v *trade.Invoice) error {
	for _, id := range v.OrderIDs {
		was, o, err := current(tx, Orders, id, Any)
		if err != nil {
			return err
		}
		old := o
		if err := o.Unbill(v); err != nil {
			return err
		}
		if _, err := Orders.Move(tx, "uninvoice", "", was, &old, &o); err != nil {
			return err
		}
	}
	return nil
}
