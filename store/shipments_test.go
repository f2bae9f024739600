package store_test

import (
	"context"
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

func (d *depot) getShipment(id string) (s trade.Shipment) {
	d.t.Helper()
	d.read(d.who, func(v *store.View) (err error) { s, err = store.Shipments.Get(v, id); return err })
	return s
}

// sent makes a shipment of 2 pieces and brings it to a state the way it gets there.
func (d *depot) sent(state trade.ShipmentState) trade.Shipment {
	d.t.Helper()
	s := d.ship(d.confirmed(d.wants("2")).ID, van())
	do := func(op func(*store.Tx) (store.Doc, error)) {
		d.t.Helper()
		d.write(d.who, func(tx *store.Tx) error { _, err := op(tx); return err })
	}
	switch state {
	case trade.ShipmentCancelled:
		do(func(tx *store.Tx) (store.Doc, error) { return tx.CancelShipment(s.ID) })
	case trade.ShipmentDespatched, trade.ShipmentDelivered, trade.ShipmentReturned:
		d.take(s.ID)
	}
	switch state {
	case trade.ShipmentDelivered:
		do(func(tx *store.Tx) (store.Doc, error) { return tx.DeliverShipment(s.ID) })
	case trade.ShipmentReturned:
		do(func(tx *store.Tx) (store.Doc, error) { return tx.ReturnShipment(s.ID, trade.Return{}) })
	}
	if s = d.getShipment(s.ID); s.Status != state {
		d.t.Fatalf("brought to %s, want %s", s.Status, state)
	}
	return s
}

// Every state of a shipment and every action that a caller has.
func TestEveryMoveOfAShipment(t *testing.T) {
	d := openDepot(t, "1000")
	for _, state := range trade.ShipmentState("").Values() {
		from := trade.ShipmentState(state)
		for action, do := range map[trade.ShipmentAction]func(*store.Tx, string) error{
			trade.DeliverShipment: func(tx *store.Tx, id string) error { _, err := tx.DeliverShipment(id); return err },
			trade.ReturnShipment:  func(tx *store.Tx, id string) error { _, err := tx.ReturnShipment(id, trade.Return{}); return err },
			trade.ReturnPartShipment: func(tx *store.Tx, id string) error {
				_, err := tx.ReturnShipment(id, trade.Return{Lines: []trade.ReturnLine{{Line: 1, Quantity: quantity("1")}}})
				return err
			},
			trade.CancelShipment: func(tx *store.Tx, id string) error { _, err := tx.CancelShipment(id); return err },
			trade.SendShipment:   func(tx *store.Tx, id string) error { _, err := tx.SendShipment(id); return err },
		} {
			s := d.sent(from)
			to, allowed := trade.ShipmentMoves[from][action]
			if action == trade.SendShipment {
				allowed = false // only a note that was refused is sent again
			}
			err := d.Write(context.Background(), d.who, func(tx *store.Tx) error { return do(tx, s.ID) })
			now := d.getShipment(s.ID)
			switch {
			case allowed && (err != nil || now.Status != to || now.Version != s.Version+1):
				t.Errorf("%s in %s leads to %s, version %d: %v", action, from, now.Status, now.Version, err)
			case !allowed && (asError(err).Code != trade.InvalidState || now.Version != s.Version):
				t.Errorf("%s in %s: %v, version %d", action, from, err, now.Version)
			}
		}
	}
}

// A shipment that never left gives back what it took, to the order it was for.
func TestCancellingAShipment(t *testing.T) {
	d := openDepot(t, "10")
	o := d.confirmed(d.wants("4"))
	d.ship(o.ID, van(trade.ShippingLine{Line: 1, Quantity: quantity("1")}))
	s := d.ship(o.ID, van())
	d.stands("shipped", "6, 0")
	cancel := func(tx *store.Tx) error { return into(&s)(tx.CancelShipment(s.ID)) }
	d.write(d.who, func(tx *store.Tx) error {
		return tx.Post(store.Errand{Tenant: d.who.Tenant, Owner: s.ID, Step: store.StepSubmit}, s.Number, []byte("<x/>"), "env")
	})
	if e := d.refused(d.who, cancel); e.Code != trade.OnTheWay {
		t.Errorf("on its way: %v", e)
	}
	d.write(d.who, func(tx *store.Tx) error {
		e := store.Errand{Tenant: d.who.Tenant, Owner: s.ID, Step: store.StepHandOver, Envelope: "env"}
		return tx.Answer(e, store.Answer{Outcome: trade.Failed, Code: "1150", Text: "şema hatası", Envelope: "env"})
	})
	if s = d.getShipment(s.ID); s.Status != trade.ShipmentPrepared || s.EDocument.Status != trade.EDocumentFailed || s.EDocument.LastError != "şema hatası" {
		t.Errorf("refused: %s %+v", s.Status, s.EDocument)
	}
	d.write(d.who, cancel)
	d.stands("cancelled", "9, 3")
	if s.Status != trade.ShipmentCancelled || s.EDocument.Status != trade.EDocumentCancelled {
		t.Errorf("cancelled: %s %+v", s.Status, s.EDocument)
	}
	if o = d.getOrder(d.who, o.ID); o.Status != trade.OrderPartiallyShipped || o.Lines[0].Shipped != 1_000_000 || o.Lines[0].Reserved != 3_000_000 {
		t.Errorf("the order: %s %+v", o.Status, o.Lines[0])
	}
	if void := sqlRow[string](d.book, "SELECT number || ' ' || owner FROM void_numbers"); void != s.Number+" "+s.ID {
		t.Errorf("void: %s", void)
	}
	if again := d.ship(o.ID, van()); again.Number != "IRS2026000000003" {
		t.Errorf("shipped again as %s", again.Number)
	}
	d.stands("shipped again", "6, 0")
}

// A refused note goes out again as the same note, with what the company says by now.
func TestSendingANoteAgain(t *testing.T) {
	d := openDepot(t, "10")
	s := d.sent(trade.ShipmentPrepared)
	d.answer(d.who, s.ID, store.Answer{Outcome: trade.Failed, Code: "1150", Envelope: "env"})
	d.write(d.who, func(tx *store.Tx) error {
		c := buyer()
		c.Name = "Yeni Ünvan A.Ş."
		_, err := tx.UpdateCompany(d.customer.ID, store.Any, c)
		return err
	})
	var again trade.Shipment
	d.write(d.who, func(tx *store.Tx) error { return into(&again)(tx.SendShipment(s.ID)) })
	if again.Number != s.Number || again.ETTN != s.ETTN || again.EDocument.Status != trade.EDocumentQueued || again.Buyer.Name != "Yeni Ünvan A.Ş." {
		t.Errorf("%+v", again)
	}
	d.take(s.ID)
	if again = d.getShipment(s.ID); again.Status != trade.ShipmentDespatched || again.EDocument.Status != trade.EDocumentSent || again.EDocument.Attempts != 2 {
		t.Errorf("%s %+v", again.Status, again.EDocument)
	}
}

// The buyer's answer delivers the shipment unless everything was refused. Stock stays
// as it is until goods come back.
func TestTheBuyersAnswer(t *testing.T) {
	for about, test := range map[string]struct {
		lines  []trade.ReceiptLine
		status trade.ShipmentState
		doc    trade.EDocumentStatus
		events int
	}{
		"all":     {nil, trade.ShipmentDelivered, trade.EDocumentAccepted, 1},
		"a part":  {[]trade.ReceiptLine{{Line: 1, Unit: "C62", Received: 2_000_000, Rejected: 1_000_000}}, trade.ShipmentDelivered, trade.EDocumentAccepted, 1},
		"nothing": {[]trade.ReceiptLine{{Line: 1, Unit: "C62", Received: 2_000_000, Rejected: 2_000_000}}, trade.ShipmentDespatched, trade.EDocumentRejected, 0},
	} {
		d := openDepot(t, "10")
		s := d.sent(trade.ShipmentDespatched)
		a := &trade.ReceiptAnswer{DespatchETTN: s.ETTN, Seller: *s.Seller, Buyer: trade.Party{TaxNumber: d.customer.TaxNumber}, Lines: test.lines}
		d.write(d.who, func(tx *store.Tx) error { return into(&s)(tx.ReceiveShipment(s.ID, a)) })
		if s.Status != test.status || s.EDocument.Status != test.doc || s.EDocument.AnsweredAt != trade.At(start) {
			t.Errorf("%s: %s %+v", about, s.Status, s.EDocument)
		}
		d.stands(about, "8, 0")
		if n := sqlRow[int](d.book, "SELECT count(*) FROM events WHERE event = 'shipment.delivered'"); n != test.events {
			t.Errorf("%s: %d events", about, n)
		}
		if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.ReceiveShipment(s.ID, a); return err }); e.Kind != trade.Conflict {
			t.Errorf("%s: a second answer: %v", about, e)
		}
	}
}
