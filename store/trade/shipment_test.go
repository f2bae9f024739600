package trade

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"esnaf/store/money"
)

// leaving is a shipment ready to leave on 15 September 2026 at half past eleven.
func leaving(change func(*Shipment)) *Shipment {
	s := &Shipment{
		DeliveryAddress: &Address{District: "Çankaya", City: "Ankara", PostalCode: "06420", Country: "TR"},
		Plate:           "34 YKM 214", Drivers: []Driver{{"Hasan", "Karadağ", "10000000146"}},
		Lines: []ShipmentLine{{OrderLine: 1, Quantity: 20_000_000}},
	}
	o := &Order{Meta: Meta{ID: "ord_1"}, Number: "O000001", OrderDate: "2026-09-10", Lines: []OrderLine{{Line: Line{Name: "Kâğıt", Unit: "BX"}}}}
	s.Take(&Check{}, o)
	seller := Party{Name: "Yıldız Ltd. Şti.", TaxNumber: "4810058891", District: "Kadıköy", City: "İstanbul", Country: "TR"}
	s.Freeze(seller, &Company{
		Name: "Güneş A.Ş.", TaxNumber: "1234567890", District: "Çankaya", City: "Ankara", Country: "TR",
		EInvoice:  Registration{Registered: true, Alias: "urn:mail:defaultpk@gunes.example"},
		EDespatch: Registration{Registered: true, Alias: "urn:mail:irsaliyepk@gunes.example"},
	})
	s.Issue(time.Date(2026, 9, 15, 11, 30, 0, 0, time.FixedZone("", 3*3600)))
	if change != nil {
		change(s)
	}
	return s
}

// faultsOf is what f found, as field and code.
func faultsOf(f *Check) (faults []string) {
	for _, fault := range f.top().faults {
		faults = append(faults, fault.Field+" "+string(fault.Code))
	}
	return faults
}

func TestShipmentIsFrozen(t *testing.T) {
	s := leaving(nil)
	if s.Profile != TemelIrsaliye || s.DespatchType != Sevk || s.OrderID != "ord_1" || s.OrderNumber != "O000001" || s.OrderDate != "2026-09-10" {
		t.Errorf("%+v", s)
	}
	if s.IssueDate != "2026-09-15" || s.IssueTime != "11:30:00" || s.DespatchDate != "2026-09-15" || s.DespatchTime != "11:30:00" ||
		s.DespatchAt.String() != "2026-09-15T08:30:00.000Z" {
		t.Errorf("%+v", s)
	}
	if number, alias := s.Receiver(); number != "1234567890" || alias != "urn:mail:irsaliyepk@gunes.example" {
		t.Errorf("it goes to %s at %s", number, alias)
	}
	s.BuyerRegistered = false
	if number, alias := s.Receiver(); number != VirtualReceiver || alias != VirtualReceiverAlias || s.Buyer.TaxNumber != "1234567890" {
		t.Errorf("it goes to %s at %s", number, alias)
	}
	// The day of the despatch is that of the account's zone.
	late := &Shipment{DespatchAt: At(time.Date(2026, 9, 30, 21, 30, 0, 0, time.UTC))}
	if late.Issue(time.Date(2026, 9, 15, 11, 30, 0, 0, time.FixedZone("", 3*3600))); late.DespatchDate != "2026-10-01" || late.DespatchTime != "00:30:00" {
		t.Errorf("%+v", late)
	}
}

func TestCheckNote(t *testing.T) {
	for about, test := range map[string]struct {
		change func(*Shipment)
		want   []string
	}{
		"nothing": {func(*Shipment) {}, nil},
		"a carrier instead of a driver": {func(s *Shipment) {
			s.Plate, s.Drivers, s.Carrier = "", nil, &Carrier{Name: "Poyraz", TaxNumber: "7351042864"}
		}, nil},
		"neither":                    {func(s *Shipment) { s.Drivers = nil }, []string{"drivers driver_or_carrier_required"}},
		"a driver without vehicle":   {func(s *Shipment) { s.Plate = "" }, []string{"plate needed_for_document"}},
		"a foreign driver":           {func(s *Shipment) { s.Drivers[0].NationalID = "22222222222"; s.Plate = "CB 1234 AB" }, nil},
		"an unknown driver":          {func(s *Shipment) { s.Drivers[0] = Driver{" ", "", "11111111111"} }, []string{"drivers[0].firstName required", "drivers[0].lastName required", "drivers[0].nationalId tax_number_invalid"}},
		"a company drives":           {func(s *Shipment) { s.Drivers[0].NationalID = "1234567890" }, []string{"drivers[0].nationalId tax_number_invalid"}},
		"an unknown carrier":         {func(s *Shipment) { s.Carrier = &Carrier{} }, []string{"carrier.name required", "carrier.taxNumber required"}},
		"a carrier without a number": {func(s *Shipment) { s.Carrier = &Carrier{Name: "P", TaxNumber: "2222222222"} }, []string{"carrier.taxNumber tax_number_invalid"}},
		"a carrier mistyped":         {func(s *Shipment) { s.Carrier = &Carrier{Name: "P", TaxNumber: "7351042865"} }, []string{"carrier.taxNumber tax_number_invalid"}},
		"plates mistyped":            {func(s *Shipment) { s.Plate, s.TrailerPlates = "99 A 1", []string{"34 D 1", "34 Ş 1"} }, []string{"plate code_invalid", "trailerPlates[1] code_invalid"}},
		"too many trailers":          {func(s *Shipment) { s.TrailerPlates = make([]string, 11) }, []string{"trailerPlates too_many"}},
		"too many drivers":           {func(s *Shipment) { s.Drivers = make([]Driver, 11) }, []string{"drivers too_many"}},
		"nowhere":                    {func(s *Shipment) { s.DeliveryAddress = nil }, []string{"deliveryAddress needed_for_document"}},
		"half an address":            {func(s *Shipment) { *s.DeliveryAddress = Address{City: "Ankara", Country: "TR"} }, []string{"deliveryAddress.district needed_for_document", "deliveryAddress.postalCode needed_for_document"}},
		"abroad":                     {func(s *Shipment) { s.DeliveryAddress.PostalCode = "10115" + "x" }, []string{"deliveryAddress.postalCode code_invalid"}},
		"it left before":             {func(s *Shipment) { s.DespatchDate = "2026-09-14" }, []string{"despatchAt out_of_range"}},
		"it leaves in a month":       {func(s *Shipment) { s.DespatchDate = "2026-10-15" }, nil},
		"it leaves later than that":  {func(s *Shipment) { s.DespatchDate = "2026-10-16" }, []string{"despatchAt out_of_range"}},
		"a made-up plate":            {func(s *Shipment) { s.Plate = "ABC" }, []string{"plate code_invalid"}},
		"a plate of digits":          {func(s *Shipment) { s.Plate = "1234" }, []string{"plate code_invalid"}},
		"a plate with too much":      {func(s *Shipment) { s.Plate = "34 ABC 123456789" }, []string{"plate code_invalid"}},
		"a plate too long":           {func(s *Shipment) { s.Plate = "AB-1234567890-C" }, []string{"plate code_invalid"}},
		"a trailer with a letter":    {func(s *Shipment) { s.TrailerPlates = []string{"x"} }, []string{"trailerPlates[0] code_invalid"}},
		"foreign plates":             {func(s *Shipment) { s.Plate, s.TrailerPlates = "B-AB 12", []string{"AB12", "A12345678901"} }, nil},
		"a copy of a printed note":   {func(s *Shipment) { s.print(&PrintedNote{"A", "963403", "2026-09-12"}, "2026-09-12") }, nil},
		"a copy, and it left before": {func(s *Shipment) { s.print(&PrintedNote{"", "963403", "2026-09-12"}, "2026-09-11") }, []string{"despatchAt out_of_range"}},
		"a copy of a note to come":   {func(s *Shipment) { s.print(&PrintedNote{"", "1", "2026-09-16"}, "2026-09-16") }, []string{"printed.date out_of_range"}},
		"a copy, no such day":        {func(s *Shipment) { s.print(&PrintedNote{"", "1", "2004-12-31"}, "2004-01-01") }, []string{"printed.date out_of_range"}},
		"a copy of a nameless note":  {func(s *Shipment) { s.print(&PrintedNote{}, "2026-09-15") }, []string{"printed.number required", "printed.date required"}},
		"a copy of nothing":          {func(s *Shipment) { s.DespatchType = Matbudan }, []string{"printed needed_for_document"}},
		"no copy, yet of a note":     {func(s *Shipment) { s.Printed = &PrintedNote{} }, []string{"printed mutually_exclusive"}},
		"another type":               {func(s *Shipment) { s.DespatchType = "IADE" }, []string{"despatchType invalid_value"}},
		"parties without address":    {func(s *Shipment) { s.Seller.District, s.Buyer.City = "", "" }, []string{"seller.district needed_for_document", "buyer.city needed_for_document"}},
		"a value in no currency":     {func(s *Shipment) { s.GoodsValue = new(money.Amount(100)) }, []string{"currency code_invalid"}},
		"a value less than nothing":  {func(s *Shipment) { s.GoodsValue, s.Currency = new(money.Amount(-1)), "TRY" }, []string{"goodsValue must_not_be_negative"}},
	} {
		var f Check
		leaving(test.change).CheckNote(&f, false)
		if diff := cmp.Diff(test.want, faultsOf(&f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", about, diff)
		}
	}
	var f Check
	s := leaving(func(s *Shipment) { s.Carrier = &Carrier{Name: "P", TaxNumber: "7351042865"} })
	if s.CheckNote(&f, true); f.Err() != nil {
		t.Errorf("made-up numbers are not let through: %v", f.Err())
	}
}

// print makes s the copy of a printed note, whose goods left on day.
func (s *Shipment) print(p *PrintedNote, day Date) {
	s.DespatchType, s.Printed, s.DespatchDate = Matbudan, p, day
}

func TestLicensePlate(t *testing.T) {
	for _, c := range []struct {
		plate, id   string
		foreign, ok bool
	}{
		{"34 ABC 123", "34ABC123", false, true},
		{"01A0001", "01A0001", false, true},
		{"81 zz 99", "81ZZ99", false, true},
		{"82 A 1", "82A1", false, false},
		{"00 A 1", "00A1", false, false},
		{"34ABC", "34ABC", false, false},
		{"34A1B2", "34A1B2", false, false},
		{"34A-1", "34A-1", false, false},
		{"34 Ş 1", "34Ş1", false, false},
		{"34.ABC.1", "34.ABC.1", false, false},
		{"CB 1234 AB", "CB1234AB", true, true},
		{"12-AB-34", "12-AB-34", true, true},
		{"B_1", "B_1", true, true},
		{"34", "34", true, true},
		{"", "", false, false},
		{"  ", "", false, false},
		{strings.Repeat("A", 21), strings.Repeat("A", 21), false, false},
	} {
		if id, foreign, ok := LicensePlate(c.plate); id != c.id || ok != c.ok || ok && foreign != c.foreign {
			t.Errorf("%q is %q, foreign %v, valid %v", c.plate, id, foreign, ok)
		}
	}
}

func TestPostalCode(t *testing.T) {
	for code, want := range map[string]bool{
		"01000": true, "34710": true, "81999": true, "00100": false, "82000": false, "0100": false, "010000": false, "O1000": false, "": false, "3471٠": false,
	} {
		if ValidPostalCode(code) != want {
			t.Errorf("%q is valid: %v", code, !want)
		}
	}
}

// The note of a cancelled shipment says so. One that is known to have left is not
// cancelled, and no refusal offers that; nor what is on its way to the tax office.
func TestCancelledNotes(t *testing.T) {
	for _, c := range []struct {
		status     EDocumentStatus
		registered bool
		want       string
	}{
		{EDocumentQueued, false, "text"},
		{EDocumentFailed, false, "text"},
		{EDocumentFailed, true, "Sevkiyat iptal edildi; mallar yola çıkmadı."},
		{EDocumentSent, false, "Sevkiyat iptal edildi; mallar yola çıkmadı."},
	} {
		s := Shipment{Status: ShipmentDespatched, EDocument: EDocument{Status: c.status, StatusText: "text", Registered: c.registered}}
		if err := s.Cancel(1_000); err != nil || s.EDocument.Status != EDocumentCancelled || s.EDocument.StatusText != c.want {
			t.Errorf("%s: %v, %+v", c.status, err, s.EDocument)
		}
	}
	answered := EDocument{Status: EDocumentRejected, AnsweredAt: 5}
	for _, c := range []struct {
		about string
		s     Shipment
		can   string
		left  bool
	}{
		{"nothing known", Shipment{Status: ShipmentDespatched, EDocument: EDocument{Status: EDocumentSent}}, "cancel, deliver, receipt, return", false},
		{"some came back", Shipment{Status: ShipmentDespatched, EDocument: EDocument{Status: EDocumentSent}, Lines: []ShipmentLine{{Quantity: 2, Returned: 1}}}, "deliver, receipt, return", true},
		{"too late to answer", Shipment{Status: ShipmentDespatched, DespatchAt: 999 - ReceiptDays*day, EDocument: EDocument{Status: EDocumentSent}}, "cancel, deliver, return", false},
		{"answered", Shipment{Status: ShipmentDespatched, EDocument: answered}, "deliver, return", true},
		{"queued", Shipment{Status: ShipmentPrepared, EDocument: EDocument{Status: EDocumentQueued}}, "cancel", false},
		{"on the way", Shipment{Status: ShipmentPrepared, EDocument: EDocument{Status: EDocumentQueued, EnvelopeID: "env"}}, "document settle --as refused, document settle --as taken", false},
		{"refused", Shipment{Status: ShipmentPrepared, EDocument: EDocument{Status: EDocumentFailed, EnvelopeID: "env"}}, "cancel, edit, send", false},
		{"there already", Shipment{Status: ShipmentPrepared, EDocument: EDocument{Status: EDocumentFailed, Registered: true}}, "cancel, document settle --as refused, send", false},
	} {
		if err := c.s.Move("fly", 1_000); err == nil || !strings.HasSuffix(err.Error(), "possible there: "+c.can+".") {
			t.Errorf("%s: %v", c.about, err)
		}
		if err := c.s.Cancel(1_000); c.left != (err != nil) || c.left && err.(*Error).Code != GoodsHaveLeft {
			t.Errorf("%s: cancelled: %v", c.about, err)
		}
	}
}
