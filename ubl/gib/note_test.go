package gib

import (
	"context"
	"strings"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// despatch ships an order to a company and returns the id of the shipment.
func (s *shop) despatch(company string) string {
	s.t.Helper()
	line := trade.Line{Name: "Defter", Quantity: 1_000_000, UnitPrice: new(money.Price(100_000_000)), VATRate: new(money.Percent(20))}
	order := s.do(func(tx *store.Tx) (store.Doc, error) {
		return tx.CreateOrder(trade.Order{CompanyID: company, Lines: []trade.OrderLine{{Line: line}}})
	}).ID
	s.do(func(tx *store.Tx) (store.Doc, error) { return tx.ConfirmOrder(order) })
	in := trade.Shipping{
		Plate: "34 ABC 123", Drivers: []trade.Driver{{FirstName: "Ali", LastName: "Veli", NationalID: trade.CompleteTCKN("123456789")}},
		DeliveryAddress: &trade.Address{Address: "Moda Cd. 5", District: "Kadıköy", City: "İstanbul", PostalCode: "34710"},
	}
	return s.do(func(tx *store.Tx) (store.Doc, error) { return tx.ShipOrder(order, in) }).ID
}

func (s *shop) shipment(id string) (out trade.Shipment) {
	s.t.Helper()
	err := s.db.Read(context.Background(), s.who, func(v *store.View) (err error) {
		out, err = store.Shipments.Get(v, id)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

// A despatch note travels like an invoice; where its buyer takes none, it goes to the
// tax office's own mailbox.
func TestDespatchNotesAreCarried(t *testing.T) {
	s := found(t).shop(1)
	id := s.despatch(s.company(taxNumber(77)))
	s.drain()
	got := s.shipment(id)
	if got.Status != trade.ShipmentDespatched || got.EDocument.Status != trade.EDocumentSent || got.EDocument.StatusCode != "1300" {
		t.Fatalf("%s %+v", got.Status, got.EDocument)
	}
	e := s.door.seen[0]
	if e.Owner != id || e.DocumentType != EIrsaliye || e.Profile != "TEMELIRSALIYE" || e.ReceiverTaxNumber != trade.VirtualReceiver || e.Number != got.Number {
		t.Errorf("%+v", e)
	}
	if xml := s.document(id); string(xml) != string(e.XML) || !strings.Contains(string(xml), "<DespatchAdvice") {
		t.Errorf("stored %.80s", xml)
	}
	if n := s.drain(); n != 0 {
		t.Errorf("%d errands are left", n)
	}
}

// A note that the office refuses stays with its goods and goes out again as itself.
func TestARefusedNoteGoesOutAgain(t *testing.T) {
	s := found(t).shop(1)
	s.office.Script(Rule{Code: "1160", Times: 1})
	id := s.despatch(s.company(taxNumber(77)))
	s.drain()
	first := s.shipment(id)
	if first.Status != trade.ShipmentPrepared || first.EDocument.Status != trade.EDocumentFailed || first.EDocument.LastError == "" {
		t.Fatalf("%s %+v", first.Status, first.EDocument)
	}
	s.write(s.who, func(tx *store.Tx) error { _, err := tx.SendShipment(id); return err })
	s.drain()
	if got := s.shipment(id); got.Status != trade.ShipmentDespatched || got.Number != first.Number || got.ETTN != first.ETTN {
		t.Errorf("%s %s %+v", got.Status, got.Number, got.EDocument)
	}
}

// When the office cannot be reached, the note waits and says so.
func TestANoteWaitsForTheOffice(t *testing.T) {
	s := found(t).shop(1)
	s.office.Script(Rule{Unreachable: true, Times: 1})
	id := s.despatch(s.company(taxNumber(77)))
	s.drain()
	if got := s.shipment(id); got.EDocument.Status != trade.EDocumentQueued || !strings.Contains(got.EDocument.LastError, "could not be reached") {
		t.Fatalf("%+v", got.EDocument)
	}
	s.pass(20 * time.Second)
	if got := s.shipment(id); got.Status != trade.ShipmentDespatched || got.EDocument.LastError != "" {
		t.Errorf("%s %+v", got.Status, got.EDocument)
	}
}
