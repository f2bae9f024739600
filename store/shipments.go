package store

import (
	"fmt"

	"esnaf/store/trade"
)

// UpdateShipment corrects a despatch note that the tax office refused, and whose version
// match allows. It keeps number, ETTN and date, and is sent again by SendShipment.
func (tx *Tx) UpdateShipment(id string, match Match, in trade.Shipment) (Doc, error) {
	was, old, err := current(tx, Shipments, id, match)
	if err != nil {
		return Doc{}, err
	}
	t, err := tx.Settings()
	if err != nil {
		return Doc{}, err
	}
	s := old
	if err := s.Correct(tx.Check(), &in, t.TaxNumberCheck == trade.CheckWarn, trade.At(tx.now)); err != nil {
		return Doc{}, err
	}
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	return Shipments.Replace(tx, was, &old, &s)
}

// SendShipment hands a despatch note that the tax office refused over once more, under
// the same number and ETTN. Seller and buyer are read anew, since what was wrong may
// have been theirs; but what the office may have goes as it was.
func (tx *Tx) SendShipment(id string) (Doc, error) {
	was, s, err := current(tx, Shipments, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := s
	if err := s.Resend(tx.db.ids.UUID, trade.At(tx.now)); err != nil {
		return Doc{}, err
	}
	if !old.EDocument.MayBeThere() {
		if err := tx.freezeNote(&s); err != nil {
			return Doc{}, err
		}
	}
	doc, err := Shipments.Move(tx, string(trade.SendShipment), "", was, &old, &s)
	if err != nil {
		return doc, err
	}
	return doc, tx.addErrand(s.ID, s.EDocument.EnvelopeID)
}

// freezeNote puts on a note what it will say of seller and buyer, and judges whether it is
// complete.
func (tx *Tx) freezeNote(s *trade.Shipment) error {
	t, err := tx.Settings()
	if err != nil {
		return err
	}
	buyer, err := tx.companyOf(s.CompanyID, keeping(nil, s.CompanyID))
	if err != nil {
		return err
	}
	if buyer != nil {
		s.Freeze(t.Party(), buyer)
		s.CheckNote(tx.Check(), t.TaxNumberCheck == trade.CheckWarn)
	}
	return tx.Check().Err()
}

// DeliverShipment records that the goods have reached the customer.
func (tx *Tx) DeliverShipment(id string) (Doc, error) {
	was, s, err := current(tx, Shipments, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := s
	if err := s.Move(trade.DeliverShipment, trade.At(tx.now)); err != nil {
		return Doc{}, err
	}
	return Shipments.Move(tx, string(trade.DeliverShipment), trade.EventShipmentDelivered, was, &old, &s)
}

// ReceiveShipment takes up the buyer's answer to a despatch note (irsaliye yanıtı).
// Unless everything was refused, the goods have reached the customer. Stock does not
// follow: what was refused comes back by a return.
func (tx *Tx) ReceiveShipment(id string, a *trade.ReceiptAnswer) (Doc, error) {
	was, s, err := current(tx, Shipments, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := s
	today, err := tx.today()
	if err != nil {
		return Doc{}, err
	}
	verdict, err := s.Receive(a, trade.At(tx.now), today)
	if err != nil {
		return Doc{}, err
	}
	event := trade.Event("")
	if verdict != trade.VerdictRejected && s.Status == trade.ShipmentDespatched {
		if err := s.Move(trade.DeliverShipment, trade.At(tx.now)); err != nil {
			return Doc{}, err
		}
		event = trade.EventShipmentDelivered
	}
	return Shipments.Move(tx, "receipt", event, was, &old, &s)
}

// ReturnShipment takes goods of a despatched or delivered shipment back into stock,
// into the lots they came from. The order keeps what was shipped of it, and says what
// came back: that is not invoiced any more. What is on the draft of an invoice is a
// Conflict.
func (tx *Tx) ReturnShipment(id string, in trade.Return) (Doc, error) {
	was, s, err := current(tx, Shipments, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := s
	back, err := s.Return(tx.Check(), in, trade.At(tx.now))
	if err != nil {
		return Doc{}, err
	}
	if _, err := tx.unload(&s, back); err != nil {
		return Doc{}, err
	}
	orderWas, o, err := current(tx, Orders, s.OrderID, Any)
	if err != nil {
		return Doc{}, err
	}
	oldOrder := o
	drafts, err := tx.draftsOf(&o)
	if err != nil {
		return Doc{}, err
	}
	if err := o.Return(back, drafts); err != nil {
		return Doc{}, err
	}
	if _, err := Orders.Move(tx, string(trade.ReturnShipment), "", orderWas, &oldOrder, &o); err != nil {
		return Doc{}, err
	}
	action := trade.ReturnPartShipment
	if s.Status == trade.ShipmentReturned {
		action = trade.ReturnShipment
	}
	return Shipments.Move(tx, string(action), "", was, &old, &s)
}

// CancelShipment cancels a shipment that never left: its goods are in stock again and
// held back there for their order, which is to be shipped anew. One of which something
// came back, or that the buyer has answered, has left: a Conflict. A note that is on its
// way to the tax office must be answered first. The number of one that the office has
// certainly not got is void.
func (tx *Tx) CancelShipment(id string) (Doc, error) {
	was, s, err := current(tx, Shipments, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := s
	if err := s.Cancel(trade.At(tx.now)); err != nil {
		return Doc{}, err
	}
	if old.Status == trade.ShipmentPrepared {
		if err := tx.recallNote(&s); err != nil {
			return Doc{}, err
		}
	}
	back, err := tx.unload(&s, s.Lines)
	if err != nil {
		return Doc{}, err
	}
	if err := tx.recallOrder(&s, back); err != nil {
		return Doc{}, err
	}
	return Shipments.Move(tx, string(trade.CancelShipment), "", was, &old, &s)
}

// recallNote takes a note away from the courier and gives its number up.
func (tx *Tx) recallNote(s *trade.Shipment) error {
	onTheWay, err := tx.any("SELECT 1 FROM courier WHERE owner = ? AND step <> ?", s.ID, string(StepSubmit))
	if err != nil {
		return err
	}
	if onTheWay {
		return trade.Fail(trade.Conflict, trade.OnTheWay)
	}
	if err := tx.EndErrand(Errand{Owner: s.ID, Step: StepSubmit}); err != nil {
		return err
	}
	if s.EDocument.MayBeThere() {
		return nil
	}
	return tx.void(s.Number, s.ID, "the shipment was cancelled before the tax office had its note")
}

// recallOrder puts the order of a cancelled shipment back to where it was before, and
// holds what came back for it where that lies now. Lots and serial numbers are held by
// name only if the order names some; of those past their day by now, nothing else is.
func (tx *Tx) recallOrder(s *trade.Shipment, back []part) error {
	was, o, err := current(tx, Orders, s.OrderID, Any)
	if err != nil {
		return err
	}
	old := o
	invoices, err := tx.invoicesOf(&o)
	if err != nil {
		return err
	}
	if err := o.Recall(s.Lines, invoices); err != nil {
		return err
	}
	for i := range back {
		l := &o.Lines[back[i].line-1]
		if l.LotNo == "" {
			back[i].lot = ""
		}
		if len(l.SerialNos) == 0 {
			back[i].serials = nil
		}
	}
	if err := tx.holdSome(&o, back); err != nil {
		return err
	}
	_, err = Orders.Move(tx, string(trade.RecallOrder), "", was, &old, &o)
	return err
}

// unload takes lines of a shipment back into the stock they were taken from, and tells
// what came into which warehouse.
func (tx *Tx) unload(s *trade.Shipment, lines []trade.ShipmentLine) (parts []part, err error) {
	for i := range lines {
		l := &lines[i]
		if l.WarehouseID == "" {
			continue
		}
		parts = append(parts, part{
			field: fmt.Sprintf("lines[%d].quantity", i), line: l.OrderLine, product: l.ProductID, warehouse: l.WarehouseID,
			quantity: l.Quantity, lot: l.LotNo, serials: l.SerialNos,
		})
	}
	return parts, tx.putBack(s.OrderID, s.ID, parts)
}
