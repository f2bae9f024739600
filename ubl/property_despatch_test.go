package ubl

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// TestAnyDespatch draws shipments that are fit to leave: the note of each is found
// clean, and what a person wrote stands in it to the letter.
func TestAnyDespatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shipments().Draw(t, "shipment")
		root, same := cleanly(t, Despatch, s)
		same("notes", s.Notes, root.find("cbc:Note"))
		sameParty(same, "seller", s.Seller, root.find("cac:DespatchSupplierParty", "cac:Party"))
		sameParty(same, "buyer", s.Buyer, root.find("cac:DeliveryCustomerParty", "cac:Party"))
		sameJourney(same, s, root.find("cac:Shipment"))
		for i, n := range root.all("cac:DespatchLine") {
			l, item := &s.Lines[i], n.find("cac:Item")
			same(fmt.Sprintf("lines[%d].name", i), l.Name, item.find("cbc:Name"))
			same(fmt.Sprintf("lines[%d].code", i), l.Code, item.find("cac:SellersItemIdentification", "cbc:ID"))
			same(fmt.Sprintf("lines[%d].quantity", i), l.Quantity.String(), n.find("cbc:DeliveredQuantity"))
			same(fmt.Sprintf("lines[%d].lotNo", i), l.LotNo, item.find("cac:ItemInstance", "cac:LotIdentification", "cbc:LotNumberID"))
			for j, instance := range item.all("cac:ItemInstance") {
				if len(l.SerialNos) > 0 {
					same(fmt.Sprintf("lines[%d].serialNos[%d]", i, j), l.SerialNos[j], instance.find("cbc:SerialID"))
				}
			}
		}
	})
}

func sameJourney(same func(string, string, *node), s *trade.Shipment, n *node) {
	delivery := n.find("cac:Delivery")
	same("deliveryAddress.address", s.DeliveryAddress.Address, delivery.find("cac:DeliveryAddress", "cbc:StreetName"))
	same("deliveryAddress.district", s.DeliveryAddress.District, delivery.find("cac:DeliveryAddress", "cbc:CitySubdivisionName"))
	if s.Carrier != nil {
		same("carrier.name", s.Carrier.Name, delivery.find("cac:CarrierParty", "cac:PartyName", "cbc:Name"))
		same("carrier.city", s.Carrier.City, delivery.find("cac:CarrierParty", "cac:PostalAddress", "cbc:CityName"))
	}
	for i, d := range stages(n, "cac:DriverPerson") {
		same(fmt.Sprintf("drivers[%d].firstName", i), s.Drivers[i].FirstName, d.find("cbc:FirstName"))
		same(fmt.Sprintf("drivers[%d].lastName", i), s.Drivers[i].LastName, d.find("cbc:FamilyName"))
	}
}

// TestAnyReceipt draws answers: each is found clean and read back as it was.
func TestAnyReceipt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := answers().Draw(t, "answer")
		doc, err := Receipt(nil, a)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Check(doc) {
			t.Errorf("%s at %s: %s", f.Rule, f.Path, f.Message)
		}
		got, err := ParseReceipt(doc)
		if diff := cmp.Diff(*a, got); diff != "" || err != nil {
			t.Errorf("%v (-written +read):\n%s", err, diff)
		}
	})
}

func shippedLines() *rapid.Generator[trade.ShipmentLine] {
	return rapid.Custom(func(t *rapid.T) trade.ShipmentLine {
		return trade.ShipmentLine{
			OrderLine: rapid.IntRange(1, 1000).Draw(t, "order line"), Name: words().Draw(t, "name"), Code: maybe(words()).Draw(t, "code"),
			Quantity: money.Quantity(rapid.Int64Range(1, 1e15).Draw(t, "quantity")),
			Unit:     rapid.SampledFrom([]string{"C62", "KGM", "MTR", "BX"}).Draw(t, "unit"),
			LotNo:    maybe(words()).Draw(t, "lot"), ExpiryDate: rapid.SampledFrom([]trade.Date{"", "2027-01-31"}).Draw(t, "expiry"),
			SerialNos: rapid.SliceOfN(words(), 0, 3).Draw(t, "serials"),
		}
	})
}

// shipments draws what CheckNote finds nothing wrong with.
func shipments() *rapid.Generator[*trade.Shipment] {
	return rapid.Custom(func(t *rapid.T) *trade.Shipment {
		text, some := words(), maybe(words())
		s := &trade.Shipment{
			Number: "IRS2026000000001", ETTN: "3f0c1b1e-7a54-4c3b-9a77-0d6f0f2f6a01", Profile: trade.TemelIrsaliye, DespatchType: trade.Sevk,
			IssueDate: "2026-09-15", IssueTime: "10:15:00", DespatchDate: "2026-09-15", DespatchTime: "10:20:00",
			Seller: parties(rapid.SampledFrom([]string{"4810058891", "10000000146"}).Draw(t, "seller")).Draw(t, "seller"),
			Buyer:  parties(rapid.SampledFrom([]string{"1234567890", "24681357994", "11111111111"}).Draw(t, "buyer")).Draw(t, "buyer"),
			DeliveryAddress: &trade.Address{
				Name: some.Draw(t, "consignee"), Address: some.Draw(t, "street"), District: text.Draw(t, "district"), City: text.Draw(t, "city"),
				PostalCode: rapid.SampledFrom([]string{"01000", "34710", "81999"}).Draw(t, "postal"), Country: "TR",
			},
			Lines: rapid.SliceOfN(shippedLines(), 1, 5).Draw(t, "lines"),
		}
		s.Notes, s.OrderNumber, s.OrderDate = some.Draw(t, "notes"), some.Draw(t, "order"), "2026-09-01"
		if rapid.Bool().Draw(t, "printed") {
			s.DespatchType, s.DespatchDate = trade.Matbudan, "2026-09-12"
			s.Printed = &trade.PrintedNote{Series: rapid.SampledFrom([]string{"", "A", "<ş>"}).Draw(t, "series"), Number: rapid.StringMatching("[0-9A-Z<&ş]{1,12}").Draw(t, "number"), Date: "2026-09-12"}
		}
		if rapid.Bool().Draw(t, "carried") {
			s.Carrier = &trade.Carrier{Name: text.Draw(t, "carrier"), TaxNumber: "7351042864", City: some.Draw(t, "carrier's city")}
		}
		if s.Carrier == nil || rapid.Bool().Draw(t, "driven") {
			s.Plate = rapid.SampledFrom([]string{"34 ABC 123", "81a1", "CB 1234 AB", "XY-12"}).Draw(t, "plate")
			for range rapid.IntRange(1, 3).Draw(t, "drivers") {
				s.Drivers = append(s.Drivers, trade.Driver{FirstName: text.Draw(t, "first"), LastName: text.Draw(t, "last"), NationalID: "10000000146"})
			}
		}
		s.TrailerPlates = rapid.SliceOfN(rapid.SampledFrom([]string{"06 D 1", "99-AB"}), 0, 2).Draw(t, "trailers")
		if rapid.Bool().Draw(t, "valued") {
			s.GoodsValue, s.Currency = new(money.Amount(rapid.Int64Range(0, 1e15).Draw(t, "value"))), "EUR"
		}
		var f trade.Check
		if s.CheckNote(&f, false); f.Err() != nil {
			t.Fatalf("this shipment cannot leave: %v", f.Err())
		}
		return s
	})
}

// answers draws answers as they are read: a line says what came, and why not all.
func answers() *rapid.Generator[*trade.ReceiptAnswer] {
	return rapid.Custom(func(t *rapid.T) *trade.ReceiptAnswer {
		a := &trade.ReceiptAnswer{
			Number: "IRY2026000000001", ETTN: "3f0c1b1e-7a54-4c3b-9a77-0d6f0f2f7a01", IssueDate: "2026-09-15", IssueTime: "12:00:00",
			DespatchETTN: "3f0c1b1e-7a54-4c3b-9a77-0d6f0f2f6a01", DespatchNumber: "IRS2026000000001", DespatchDate: "2026-09-15",
			DeliveryDate: "2026-09-15", DeliveryTime: rapid.SampledFrom([]string{"", "11:00:00"}).Draw(t, "time"),
			Buyer:  *parties("1234567890").Draw(t, "buyer"),
			Seller: *parties("10000000146").Draw(t, "seller"),
			Notes:  rapid.SliceOfN(words(), 0, 2).Draw(t, "notes"),
		}
		a.Buyer.PersonType, a.Buyer.FirstName, a.Buyer.LastName = trade.LegalPerson, "", ""
		a.Seller.PersonType = trade.NaturalPerson
		if len(a.Notes) == 0 {
			a.Notes = nil
		}
		for i := range rapid.IntRange(1, 4).Draw(t, "lines") {
			received := rapid.Int64Range(0, 1e12).Draw(t, "received")
			a.Lines = append(a.Lines, trade.ReceiptLine{
				Line: i + 1, Name: words().Draw(t, "name"), Unit: "KGM", Received: money.Quantity(received),
				Rejected:     money.Quantity(rapid.Int64Range(0, received).Draw(t, "rejected")),
				Short:        money.Quantity(rapid.Int64Range(0, 1e12).Draw(t, "short")),
				Oversupply:   money.Quantity(rapid.Int64Range(0, 1e12).Draw(t, "more")),
				RejectReason: maybe(words()).Draw(t, "reason"), TimingComplaint: maybe(words()).Draw(t, "complaint"),
			})
		}
		return a
	})
}
