package trade

import (
	"fmt"

	"esnaf/store/money"
)

// ShipmentState is where a shipment stands.
type ShipmentState string

// The states of a shipment.
const (
	ShipmentPrepared   ShipmentState = "PREPARED"
	ShipmentDespatched ShipmentState = "DESPATCHED"
	ShipmentDelivered  ShipmentState = "DELIVERED"
	ShipmentReturned   ShipmentState = "RETURNED"
	ShipmentCancelled  ShipmentState = "CANCELLED"
)

// Values lists the states of a shipment.
func (ShipmentState) Values() []string {
	return []string{"PREPARED", "DESPATCHED", "DELIVERED", "RETURNED", "CANCELLED"}
}

// ShipmentAction is what can happen to a shipment.
type ShipmentAction string

// The actions on a shipment. Despatch is the tax office's: it has taken the note.
const (
	DespatchShipment ShipmentAction = "despatch"
	DeliverShipment  ShipmentAction = "deliver"
	ReturnShipment   ShipmentAction = "return"
	CancelShipment   ShipmentAction = "cancel"
)

// ShipmentMoves is the whole life of a shipment. One whose note the tax office has
// not taken may be cancelled too, or a refused note would stand for ever.
var ShipmentMoves = Moves[ShipmentState, ShipmentAction]{
	ShipmentPrepared:   {DespatchShipment: ShipmentDespatched, CancelShipment: ShipmentCancelled},
	ShipmentDespatched: {DeliverShipment: ShipmentDelivered, ReturnShipment: ShipmentReturned, CancelShipment: ShipmentCancelled},
}

// Shipment is goods on their way to a customer, and the despatch note (sevk
// irsaliyesi) that travels with them (VUK 230/5).
type Shipment struct {
	Meta
	Number          string         `json:"number" api:"readonly" doc:"legal number of the despatch note"`
	ETTN            string         `json:"ettn" api:"readonly" doc:"the document's UUID"`
	OrderID         string         `json:"orderId" api:"readonly"`
	CompanyID       string         `json:"companyId" api:"readonly"`
	CompanyName     string         `json:"companyName" api:"readonly"`
	WarehouseID     string         `json:"warehouseId,omitempty" api:"readonly" doc:"where it was shipped from"`
	Status          ShipmentState  `json:"status" api:"readonly"`
	DespatchAt      Instant        `json:"despatchAt" api:"readonly" doc:"when the goods leave"`
	DespatchDate    Date           `json:"despatchDate" api:"readonly" doc:"the day of despatchAt in the account's zone"`
	DeliveryAddress *Address       `json:"deliveryAddress,omitempty" api:"readonly"`
	Carrier         *Carrier       `json:"carrier,omitempty" api:"readonly" doc:"who carries the goods for us"`
	Plate           string         `json:"plate,omitempty" api:"readonly" doc:"of the vehicle"`
	TrailerPlates   []string       `json:"trailerPlates" api:"readonly"`
	Drivers         []Driver       `json:"drivers" api:"readonly"`
	Lines           []ShipmentLine `json:"lines" api:"readonly"`
	EDocument       EDocument      `json:"eDocument" api:"readonly" doc:"the e-İrsaliye"`
}

// Carrier is a company that carries goods for others (taşıyıcı).
type Carrier struct {
	Name      string `json:"name"`
	TaxNumber string `json:"taxNumber" doc:"VKN (10 digits) or TCKN (11 digits)"`
}

// Driver is who drives the vehicle (şoför).
type Driver struct {
	FirstName  string `json:"firstName"`
	LastName   string `json:"lastName"`
	NationalID string `json:"nationalId" doc:"citizen number (TCKN)"`
}

// ShipmentLine is what is shipped of one line of an order, in that line's unit.
type ShipmentLine struct {
	OrderLine int            `json:"orderLine" doc:"number of the order's line, from 1 on"`
	ProductID string         `json:"productId,omitempty"`
	Code      string         `json:"code,omitempty"`
	Name      string         `json:"name"`
	Quantity  money.Quantity `json:"quantity"`
	Unit      string         `json:"unit"`
	LotNo     string         `json:"lotNo,omitempty"`
	SerialNos []string       `json:"serialNos,omitempty"`
}

// Take fills from order o what its shipment leaves out: customer, address, and what
// the goods of a line are called. A line that the order does not have is a fault,
// and so is one of nothing.
func (s *Shipment) Take(f *Check, o *Order) {
	defaultTo(&s.Status, ShipmentPrepared)
	defaultTo(&s.EDocument.Status, EDocumentNone)
	s.CompanyID, s.CompanyName = o.CompanyID, o.CompanyName
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

// Move applies action, or reports why it may not.
func (s *Shipment) Move(a ShipmentAction) error {
	to, err := ShipmentMoves.Next(s.Status, a)
	if err != nil {
		return err
	}
	s.Status = to
	return nil
}

// SearchText is what q finds a shipment by.
func (s *Shipment) SearchText() string { return s.Number + " " + s.CompanyName + " " + s.Plate }
