package trade

import (
	"fmt"
	"strings"
	"time"
)

// The receiver of the notes whose buyer takes no e-İrsaliye: the tax office's own
// mailbox, from which nobody answers (GİB e-İrsaliye guide, "sanal alıcı"). The note
// itself still names its real buyer.
const (
	VirtualReceiver      = "3900892152"
	VirtualReceiverAlias = "urn:mail:irsaliyepk@gib.gov.tr"
)

// Freeze copies seller and buyer onto the note: it must not follow later edits of
// either. Whether a buyer takes e-İrsaliye is listed apart from e-Fatura.
func (s *Shipment) Freeze(seller Party, buyer *Company) {
	b := buyer.Party()
	b.Alias = buyer.EDespatch.Alias
	s.Seller, s.Buyer = &seller, &b
	s.CompanyName, s.BuyerRegistered = buyer.Name, buyer.EDespatch.Registered
}

// Receiver is the tax number and the mailbox (etiket) that the note is sent to. The
// shipment must be frozen.
func (s *Shipment) Receiver() (taxNumber, alias string) {
	if !s.BuyerRegistered {
		return VirtualReceiver, VirtualReceiverAlias
	}
	return s.Buyer.TaxNumber, s.Buyer.Alias
}

// Issue dates the note at now, in the account's zone. Goods leave now unless
// DespatchAt says otherwise.
func (s *Shipment) Issue(now time.Time) {
	s.IssueDate, s.IssueTime = DateOf(now), now.Format(time.TimeOnly)
	if s.DespatchAt == 0 {
		s.DespatchAt = At(now)
	}
	leaves := s.DespatchAt.Time().In(now.Location())
	s.DespatchDate, s.DespatchTime = DateOf(leaves), leaves.Format(time.TimeOnly)
}

// CheckNote finds what the despatch note needs and the shipment, its seller or its
// buyer lacks (VUK 230/5; schematron of DespatchAdvice). It is asked after Take,
// Freeze and Issue. lenient lets tax numbers with wrong check digits through.
func (s *Shipment) CheckNote(f *Check, lenient bool) {
	s.Seller.checkForDocument(f.In("seller"))
	s.Buyer.checkForDocument(f.In("buyer"))
	s.checkType(f)
	s.checkDates(f)
	s.checkDelivery(f)
	s.checkTransport(f, lenient)
	if s.GoodsValue != nil {
		checkCurrency(f, "currency", s.Currency)
		if *s.GoodsValue < 0 {
			f.Add("goodsValue", MustNotBeNegative)
		}
	}
}

// checkType judges the printed note, which a MATBUDAN must name and no other may
// (rule DespatchAdviceTypeCodeCheck-2).
func (s *Shipment) checkType(f *Check) {
	OneOf(f, "despatchType", s.DespatchType, Sevk, Matbudan)
	p := s.Printed
	switch {
	case s.DespatchType == Matbudan && p == nil:
		f.Add("printed", NeededForDocument)
	case s.DespatchType == Matbudan:
		in := f.In("printed")
		checkLabel(in, "number", &p.Number)
		checkLabel(in, "series", &p.Series)
		in.Required("number", p.Number)
		in.Max("number", p.Number, 30)
		in.Max("series", p.Series, 10)
		in.Required("date", string(p.Date))
		checkNameable(in, "date", p.Date, s.IssueDate)
	case p != nil:
		f.Add("printed", Exclusive, "despatchType "+string(s.DespatchType))
	}
}

// checkDates sees to it that the note is there before the goods leave (VUK 230/5), and
// that they leave soon: a note is written for goods that are about to go. The goods of
// a printed note left with that one, and when its date is wrong nobody knows when.
func (s *Shipment) checkDates(f *Check) {
	first, last := s.IssueDate, s.IssueDate.AddDays(despatchDays)
	if s.DespatchType == Matbudan && s.Printed != nil {
		if first = s.Printed.Date; f.Has("printed.date") {
			return
		}
	}
	if s.DespatchDate < first || s.DespatchDate > last {
		f.Add("despatchAt", OutOfRange, string(first), string(last))
	}
}

// despatchDays is how long after its note goods may leave. The tax office's rules set
// no limit; a month is more than anybody plans a note ahead.
const despatchDays = 30

// checkDelivery judges where the goods go: the rules want district, province and a
// Turkish postal code (DespatchAddressCheck-1 to -4).
func (s *Shipment) checkDelivery(f *Check) {
	a := s.DeliveryAddress
	if a == nil {
		f.Add("deliveryAddress", NeededForDocument)
		return
	}
	in := f.In("deliveryAddress")
	a.check(in)
	for _, needed := range []struct{ field, value string }{{"district", a.District}, {"city", a.City}, {"postalCode", a.PostalCode}} {
		if strings.TrimSpace(needed.value) == "" {
			in.Add(needed.field, NeededForDocument)
		}
	}
	if !ValidPostalCode(a.PostalCode) {
		in.Add("postalCode", BadCode, a.PostalCode, Phrase{"5 digits that begin with a province, 01 to 81", "01-81 arası il koduyla başlayan 5 hane"})
	}
}

// Bounds of a note, so that it can be printed: nobody has more.
const (
	maxDrivers  = 10
	maxTrailers = 10
)

// checkTransport judges who carries the goods and in what: a driver with the plate of
// the vehicle, or a carrier (DespatchCarrierDriverCheck-1 to -4, LicensePlateIDCheck-1).
func (s *Shipment) checkTransport(f *Check, lenient bool) {
	if len(s.Drivers) == 0 && s.Carrier == nil {
		f.Add("drivers", DriverOrCarrier)
	}
	if len(s.Drivers) > 0 && s.Plate == "" {
		f.Add("plate", NeededForDocument)
	}
	if s.Plate != "" {
		checkPlate(f, "plate", s.Plate)
	}
	if len(s.Drivers) > maxDrivers {
		f.Add("drivers", TooMany, maxDrivers)
		return
	}
	if len(s.TrailerPlates) > maxTrailers {
		f.Add("trailerPlates", TooMany, maxTrailers)
		return
	}
	for i, plate := range s.TrailerPlates {
		checkPlate(f, fmt.Sprintf("trailerPlates[%d]", i), plate)
	}
	for i := range s.Drivers {
		s.Drivers[i].check(f.In(fmt.Sprintf("drivers[%d]", i)))
	}
	if s.Carrier != nil {
		s.Carrier.check(f.In("carrier"), lenient)
	}
}

// check judges a driver. The rules only want the number to be there; a wrong check
// digit would name somebody else.
func (d *Driver) check(f *Check) {
	f.Required("firstName", strings.TrimSpace(d.FirstName))
	f.Required("lastName", strings.TrimSpace(d.LastName))
	f.Max("firstName", d.FirstName, 100)
	f.Max("lastName", d.LastName, 100)
	if !IsTCKN(d.NationalID) && d.NationalID != foreignPerson {
		f.Add("nationalId", BadTaxNumber)
	}
}

// check judges a carrier; where its house is need not be said.
func (c *Carrier) check(f *Check, lenient bool) {
	f.Required("name", strings.TrimSpace(c.Name))
	f.Max("name", c.Name, 250)
	f.Required("taxNumber", c.TaxNumber)
	checkOwnNumber(f, "taxNumber", c.TaxNumber, lenient)
	f.Max("district", c.District, 100)
	f.Max("city", c.City, 100)
}

func checkPlate(f *Check, field, plate string) {
	if id, foreign, ok := LicensePlate(plate); !ok || !plausiblePlate(id, foreign) {
		f.Add(field, BadCode, plate, Phrase{
			"a plate such as 34 ABC 123, or a foreign one of 4 to 12 letters A-Z and digits, both among them, that does not begin like a Turkish one",
			"34 ABC 123 gibi bir plaka ya da 4-12 harf (A-Z) ve rakamdan oluşan, ikisini de içeren, Türk plakası gibi başlamayan yabancı bir plaka",
		})
	}
}

// plausiblePlate tells whether a plate that the tax office would take can be one: on
// the road a note with a made-up plate is as good as none. A Turkish plate has at most
// 3 letters and 5 digits after its province.
func plausiblePlate(id string, foreign bool) bool {
	letters, digits := 0, 0
	for i := range len(id) {
		switch {
		case upper(id[i]):
			letters++
		case decimal(id[i]):
			digits++
		}
	}
	if !foreign {
		return letters <= 3 && digits <= 2+5
	}
	return letters > 0 && digits > 0 && letters+digits >= 4 && letters+digits <= 12
}

// LicensePlate is a plate (plaka) as documents have it, without spaces and in
// capitals, and whether it is a foreign one (rules LicensePlateIDSchemeIDCheck-2 and
// -3). Two digits followed by a letter are always meant as a Turkish plate, so that a
// mistyped one does not pass for foreign.
func LicensePlate(s string) (id string, foreign, ok bool) {
	id = strings.ToUpper(strings.ReplaceAll(s, " ", ""))
	if id == "" || len(id) > 20 || !eachByte(id, func(c byte) bool { return upperOrDecimal(c) || c == '-' || c == '_' }) {
		return id, false, false
	}
	if len(id) < 3 || !decimal(id[0]) || !decimal(id[1]) || !upper(id[2]) {
		return id, true, true
	}
	letters := strings.TrimRight(id[2:], "0123456789")
	return id, false, validProvince(id[:2]) && eachByte(letters, upper) && len(letters) < len(id)-2
}

// ValidPostalCode tells whether s is a Turkish postal code: 5 digits, the first two
// of them a province (rule DespatchAddressCheck-4).
func ValidPostalCode(s string) bool {
	return len(s) == 5 && eachByte(s, decimal) && validProvince(s[:2])
}

// validProvince tells whether two digits are the number of a province (il kodu).
func validProvince(digits string) bool { return "01" <= digits && digits <= "81" }
