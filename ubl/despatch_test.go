package ubl

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"esnaf/store/trade"
)

func writeNote(t testing.TB, s *trade.Shipment) []byte {
	t.Helper()
	doc, err := Despatch(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// faulty is the fields of the faults of err, which must be an Invalid.
func faulty(t *testing.T, doc []byte, err error) (fields []string) {
	t.Helper()
	if string(doc) != "before" {
		t.Errorf("the buffer became %.60q", doc)
	}
	var e *trade.Error
	if !errors.As(err, &e) || e.Kind != trade.Invalid {
		t.Fatalf("got %v, want an Invalid", err)
	}
	for _, f := range e.Faults {
		fields = append(fields, f.Field)
		if said := f.Text(trade.English); strings.Contains(said, "%!") || !strings.Contains(said, f.Field) {
			t.Errorf("said as %q", said)
		}
	}
	return fields
}

// TestDespatchRefuses names every field that keeps a note from being written, and
// leaves the buffer alone.
func TestDespatchRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*trade.Shipment)
		fields []string
	}{
		{"not frozen", func(s *trade.Shipment) { s.Seller, s.Buyer = nil, nil }, []string{"seller", "buyer"}},
		{"not numbered", func(s *trade.Shipment) { s.Number, s.ETTN, s.IssueDate, s.IssueTime = "", "", "", "" }, []string{"number", "ettn", "issueDate", "issueTime"}},
		{"no day of despatch", func(s *trade.Shipment) { s.DespatchDate, s.DespatchTime = "", "" }, []string{"despatchDate", "despatchTime"}},
		{"nothing and nowhere", func(s *trade.Shipment) { s.Lines, s.DeliveryAddress = nil, nil }, []string{"lines", "deliveryAddress"}},
		{"nobody", func(s *trade.Shipment) { s.Drivers, s.Carrier = nil, nil }, []string{"drivers"}},
		{"unknown codes", func(s *trade.Shipment) {
			s.Profile, s.DespatchType, s.Currency, s.Lines[1].Unit = "HKSIRSALIYE", "IADE", "TL", `x"y`
		}, []string{"profile", "despatchType", "currency", "lines[1].unit"}},
		{"copy of nothing", func(s *trade.Shipment) { s.DespatchType = trade.Matbudan }, []string{"printed"}},
		{"an address without district", func(s *trade.Shipment) { s.DeliveryAddress.District, s.DeliveryAddress.Country = " ", "" }, []string{"deliveryAddress.district", "deliveryAddress.country"}},
		{"a driver without name", func(s *trade.Shipment) { s.Drivers[1] = trade.Driver{} }, []string{"drivers[1].firstName", "drivers[1].lastName", "drivers[1].nationalId"}},
		{"plates that are none", func(s *trade.Shipment) { s.Plate, s.TrailerPlates[1] = "34ABC", `06"A1` }, []string{"plate", "trailerPlates[1]"}},
		{"a nameless carrier", func(s *trade.Shipment) { *s.Carrier = trade.Carrier{} }, []string{"carrier.taxNumber", "carrier.name"}},
		{"nameless goods", func(s *trade.Shipment) { s.Lines[3].Name, s.Lines[2].SerialNos[1] = "", "" }, []string{"lines[2].serialNos", "lines[3].name"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := shipment(t, "temelirsaliye/everything")
			c.change(s)
			doc, err := Despatch([]byte("before"), s)
			if diff := cmp.Diff(c.fields, faulty(t, doc, err)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDespatchRefusesCharacters puts what XML cannot carry into every text that a
// person writes.
func TestDespatchRefusesCharacters(t *testing.T) {
	texts := map[string]func(s *trade.Shipment) *string{
		"notes":                    func(s *trade.Shipment) *string { return &s.Notes },
		"order.number":             func(s *trade.Shipment) *string { return &s.OrderNumber },
		"seller.name":              func(s *trade.Shipment) *string { return &s.Seller.Name },
		"buyer.district":           func(s *trade.Shipment) *string { return &s.Buyer.District },
		"deliveryAddress.name":     func(s *trade.Shipment) *string { return &s.DeliveryAddress.Name },
		"deliveryAddress.address":  func(s *trade.Shipment) *string { return &s.DeliveryAddress.Address },
		"carrier.name":             func(s *trade.Shipment) *string { return &s.Carrier.Name },
		"carrier.city":             func(s *trade.Shipment) *string { return &s.Carrier.City },
		"drivers[1].firstName":     func(s *trade.Shipment) *string { return &s.Drivers[1].FirstName },
		"lines[2].name":            func(s *trade.Shipment) *string { return &s.Lines[2].Name },
		"lines[2].code":            func(s *trade.Shipment) *string { return &s.Lines[2].Code },
		"lines[2].serialNos":       func(s *trade.Shipment) *string { return &s.Lines[2].SerialNos[0] },
		"lines[0].lotNo":           func(s *trade.Shipment) *string { return &s.Lines[0].LotNo },
		"deliveryAddress.district": func(s *trade.Shipment) *string { return &s.DeliveryAddress.District },
	}
	for field, text := range texts {
		for _, bad := range []string{"\x00", "\x1b", "\uffff", "\xff"} {
			s := shipment(t, "temelirsaliye/everything")
			*text(s) = "Kalem " + bad + " <b>"
			doc, err := Despatch([]byte("before"), s)
			if diff := cmp.Diff([]string{field}, faulty(t, doc, err)); diff != "" {
				t.Errorf("%q in %s (-want +got):\n%s", bad, field, diff)
			}
		}
	}
}

// TestDespatchNamesTheRealBuyer keeps the buyer on the note whose envelope goes to the
// tax office's own mailbox.
func TestDespatchNamesTheRealBuyer(t *testing.T) {
	s := shipment(t, "temelirsaliye/carrier")
	number, alias := s.Receiver()
	if number != "3900892152" || alias != "urn:mail:irsaliyepk@gib.gov.tr" {
		t.Errorf("it goes to %s at %s", number, alias)
	}
	if doc := string(writeNote(t, s)); !strings.Contains(doc, `schemeID="TCKN">24681357994<`) || strings.Contains(doc, number) {
		t.Error("the note does not name its buyer")
	}
}

// FuzzDespatch puts any text into a note: either it is refused, or the note is clean
// and the text comes back as it was.
func FuzzDespatch(f *testing.F) {
	for _, s := range []string{"", "34 ABC 123", "&<>\"'", "]]>", "\r\n\t", "😀", "\u00a0", "\ufffe", "\xff", "ŞOFÖR"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := shipment(t, "temelirsaliye/everything")
		s.Plate, s.Lines[2].Name = text, "x"+text
		_, _, plate := trade.LicensePlate(text)
		doc, err := Despatch(nil, s)
		if err != nil {
			if carries(text) && plate {
				t.Errorf("%q is refused: %v", text, err)
			}
			return
		}
		if found := Check(doc); len(found) > 0 {
			t.Fatal(found)
		}
		root, err := parse(doc)
		if err != nil {
			t.Fatal(err)
		}
		if got := root.all("cac:DespatchLine")[2].get("cac:Item", "cbc:Name"); got != "x"+text {
			t.Errorf("%q came back as %q", "x"+text, got)
		}
	})
}
