package trade

import (
	"fmt"
	"strings"

	"esnaf/store/money"
)

// DespatchProfile is the UBL-TR ProfileID of a despatch note.
type DespatchProfile string

// TemelIrsaliye is the ordinary note (TEMELIRSALIYE), the profile this version makes.
const TemelIrsaliye DespatchProfile = "TEMELIRSALIYE"

// Values lists the profiles of notes that this version makes.
func (DespatchProfile) Values() []string { return []string{"TEMELIRSALIYE"} }

// DespatchType is the UBL-TR DespatchAdviceTypeCode: a note of its own, or the
// electronic copy of one that was written on a printed form (matbu irsaliye).
type DespatchType string

// The types of despatch notes.
const (
	Sevk     DespatchType = "SEVK"
	Matbudan DespatchType = "MATBUDAN"
)

// Values lists the types of despatch notes.
func (DespatchType) Values() []string { return []string{"SEVK", "MATBUDAN"} }

// Shipment is goods on their way to a customer, and the despatch note (sevk
// irsaliyesi) that travels with them (VUK 230/5). Seller and buyer are frozen when
// it is made.
type Shipment struct {
	Meta
	Number          string          `json:"number" api:"readonly" doc:"legal number of the despatch note"`
	ETTN            string          `json:"ettn" api:"readonly" doc:"the document's UUID"`
	Profile         DespatchProfile `json:"profile" api:"readonly"`
	DespatchType    DespatchType    `json:"despatchType" api:"readonly" doc:"SEVK, or MATBUDAN for the copy of a note on a printed form"`
	Printed         *PrintedNote    `json:"printed,omitempty" api:"readonly" doc:"the printed note of which a MATBUDAN is the copy"`
	IssueDate       Date            `json:"issueDate,omitempty" api:"readonly" doc:"of the note, in the account's zone, but none that has not begun in Türkiye"`
	IssueTime       string          `json:"issueTime,omitempty" api:"readonly" doc:"HH:MM:SS in the zone of issueDate: the account's, or Türkiye's where the account's is a day ahead"`
	OrderID         string          `json:"orderId" api:"readonly"`
	OrderNumber     string          `json:"orderNumber,omitempty" api:"readonly"`
	OrderDate       Date            `json:"orderDate,omitempty" api:"readonly"`
	CompanyID       string          `json:"companyId" api:"readonly"`
	CompanyName     string          `json:"companyName" api:"readonly"`
	Seller          *Party          `json:"seller,omitempty" api:"readonly" doc:"frozen when the shipment is made"`
	Buyer           *Party          `json:"buyer,omitempty" api:"readonly" doc:"frozen when the shipment is made"`
	BuyerRegistered bool            `json:"buyerRegistered" api:"readonly" doc:"whether the buyer takes e-İrsaliye; if not, the note goes to the tax office's virtual receiver"`
	WarehouseID     string          `json:"warehouseId,omitempty" api:"readonly" doc:"where it was shipped from"`
	Status          ShipmentState   `json:"status" api:"readonly"`
	DespatchAt      Instant         `json:"despatchAt" api:"readonly" doc:"when the goods leave"`
	DespatchDate    Date            `json:"despatchDate" api:"readonly" doc:"the day of despatchAt in the account's zone"`
	DespatchTime    string          `json:"despatchTime,omitempty" api:"readonly" doc:"HH:MM:SS of despatchAt in the account's zone"`
	DeliveryAddress *Address        `json:"deliveryAddress,omitempty"`
	Carrier         *Carrier        `json:"carrier,omitempty" doc:"who carries the goods for us"`
	Plate           string          `json:"plate,omitempty" doc:"of the vehicle"`
	TrailerPlates   []string        `json:"trailerPlates"`
	Drivers         []Driver        `json:"drivers"`
	GoodsValue      *money.Amount   `json:"goodsValue,omitempty" api:"readonly" doc:"what the goods are worth, in currency"`
	Currency        string          `json:"currency,omitempty" api:"readonly" doc:"ISO 4217, of goodsValue"`
	Lines           []ShipmentLine  `json:"lines" api:"readonly"`
	EDocument       EDocument       `json:"eDocument" api:"readonly" doc:"the e-İrsaliye"`
}

// PrintedNote is a despatch note written by hand on a form of a licensed printer.
type PrintedNote struct {
	Series string `json:"series,omitempty" doc:"letters before the number, such as A"`
	Number string `json:"number" api:"required" doc:"copied into one shipment only, with its series; that of a cancelled one may be used again"`
	Date   Date   `json:"date" api:"required"`
}

// FullNumber is series and number as they stand on the form, such as A-963403.
func (p *PrintedNote) FullNumber() string {
	if p.Series == "" {
		return p.Number
	}
	return p.Series + "-" + p.Number
}

// Key is what a printed note is told apart by: series and number, whatever letters they
// are typed in; "" for none.
func (p *PrintedNote) Key() string {
	if p == nil {
		return ""
	}
	return strings.ToUpper(p.FullNumber())
}

// Carrier is a company that carries goods for others (taşıyıcı).
type Carrier struct {
	Name      string `json:"name"`
	TaxNumber string `json:"taxNumber" doc:"VKN (10 digits) or TCKN (11 digits)"`
	District  string `json:"district,omitempty" doc:"ilçe"`
	City      string `json:"city,omitempty" doc:"province (il)"`
}

// Driver is who drives the vehicle (şoför).
type Driver struct {
	FirstName  string `json:"firstName"`
	LastName   string `json:"lastName"`
	NationalID string `json:"nationalId" doc:"citizen number (TCKN); 22222222222 for a foreigner"`
}

// ShipmentLine is what is shipped of one line of an order, in that line's unit. The
// buyer's answer to the note says what came of it.
type ShipmentLine struct {
	OrderLine        int             `json:"orderLine" doc:"number of the order's line, from 1 on"`
	ProductID        string          `json:"productId,omitempty"`
	Code             string          `json:"code,omitempty"`
	Name             string          `json:"name"`
	Quantity         money.Quantity  `json:"quantity"`
	Unit             string          `json:"unit"`
	LotNo            string          `json:"lotNo,omitempty"`
	ExpiryDate       Date            `json:"expiryDate,omitempty" doc:"of the lot"`
	SerialNos        []string        `json:"serialNos,omitempty"`
	ReceivedQuantity *money.Quantity `json:"receivedQuantity,omitempty" api:"readonly" doc:"what reached the buyer by the buyer's answer"`
	RejectedQuantity *money.Quantity `json:"rejectedQuantity,omitempty" api:"readonly" doc:"what the buyer refused of the received"`
	WarehouseID      string          `json:"warehouseId,omitempty" doc:"from which stock it was taken; none where the line is no product of ours"`
	Returned         money.Quantity  `json:"returned" api:"readonly" doc:"what of it has come back"`

	ReturnedSerialNos []string `json:"returnedSerialNos,omitempty" api:"readonly"`
}

// Take fills from order o what its shipment leaves out: customer, address, and what
// the goods of a line are called. A line that the order does not have is a fault,
// and so is one of nothing.
func (s *Shipment) Take(f *Check, o *Order) {
	defaultTo(&s.Status, ShipmentPrepared)
	defaultTo(&s.EDocument.Status, EDocumentNone)
	defaultTo(&s.Profile, TemelIrsaliye)
	defaultTo(&s.DespatchType, Sevk)
	s.CompanyID, s.CompanyName = o.CompanyID, o.CompanyName
	s.OrderID, s.OrderNumber, s.OrderDate = o.ID, o.Number, o.OrderDate
	if s.DeliveryAddress == nil {
		s.DeliveryAddress = o.DeliveryAddress
	}
	for i := range s.Lines {
		l, in := &s.Lines[i], f.In(fmt.Sprintf("lines[%d]", i))
		if l.Quantity <= 0 {
			in.Add("quantity", MustBePositive)
		}
		if l.OrderLine < 1 || l.OrderLine > len(o.Lines) {
			in.Add("orderLine", OutOfRange, 1, len(o.Lines))
			continue
		}
		of := &o.Lines[l.OrderLine-1]
		l.ProductID, l.Code, l.Name, l.Unit = of.ProductID, of.Code, of.Name, of.Unit
	}
}

// Correct takes over from in what of a note can be corrected that the tax office has
// refused: who carries the goods, in what and where to. What it may have stays as it was
// handed over. at is now; lenient lets tax numbers with wrong check digits through.
func (s *Shipment) Correct(f *Check, in *Shipment, lenient bool, at Instant) error {
	switch e := &s.EDocument; {
	case e.Status != EDocumentFailed:
		return NotPossible(string(EditShipment), string(e.Status), s.possible(at)...)
	case e.MayBeThere():
		return Fail(Conflict, RegisteredAlready, s.Number)
	}
	if err := s.Move(EditShipment, at); err != nil {
		return err
	}
	s.ExternalID, s.Notes, s.Metadata = in.ExternalID, in.Notes, in.Metadata
	s.DeliveryAddress, s.Carrier, s.Plate, s.TrailerPlates, s.Drivers = in.DeliveryAddress, in.Carrier, in.Plate, in.TrailerPlates, in.Drivers
	if s.DeliveryAddress != nil {
		defaultTo(&s.DeliveryAddress.Country, "TR")
	}
	s.Meta.check(f)
	s.checkDelivery(f)
	s.checkTransport(f, lenient)
	return nil
}

// SearchText is what q finds a shipment by.
func (s *Shipment) SearchText() string { return s.Number + " " + s.CompanyName + " " + s.Plate }
