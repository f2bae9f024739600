package trade

import (
	"cmp"
	"fmt"
	"strings"

	"esnaf/store/money"
)

// MovementType says what changed the stock.
type MovementType string

// The kinds of movement: goods in (mal kabul), goods out (sarf), between warehouses
// (depolar arası transfer), by counting (sayım), by hand (düzeltme), held for an order
// (rezervasyon) and given back by it, shipped (sevk), and returned (iade).
const (
	MoveReceipt     MovementType = "RECEIPT"
	MoveIssue       MovementType = "ISSUE"
	MoveTransfer    MovementType = "TRANSFER"
	MoveCount       MovementType = "COUNT"
	MoveAdjustment  MovementType = "ADJUSTMENT"
	MoveReservation MovementType = "RESERVATION"
	MoveRelease     MovementType = "RELEASE"
	MoveShipment    MovementType = "SHIPMENT"
	MoveReturn      MovementType = "RETURN"
)

// Values lists the kinds of movement.
func (MovementType) Values() []string {
	return []string{"RECEIPT", "ISSUE", "TRANSFER", "COUNT", "ADJUSTMENT", "RESERVATION", "RELEASE", "SHIPMENT", "RETURN"}
}

// Reason says why stock was adjusted by hand.
type Reason string

// The reasons of an adjustment: counted (sayım), damaged (fire), lost (zayi), found,
// there from the beginning (devir), and wrong before (düzeltme).
const (
	ReasonCount      Reason = "COUNT"
	ReasonDamage     Reason = "DAMAGE"
	ReasonLoss       Reason = "LOSS"
	ReasonFound      Reason = "FOUND"
	ReasonOpening    Reason = "OPENING"
	ReasonCorrection Reason = "CORRECTION"
)

// Values lists the reasons.
func (Reason) Values() []string {
	return []string{"COUNT", "DAMAGE", "LOSS", "FOUND", "OPENING", "CORRECTION"}
}

// Movement is one change of what lies of one product in one warehouse, or is held
// there for orders (stok hareketi). It is never changed: what was wrong is moved the
// other way round.
type Movement struct {
	Meta
	Date             Date           `json:"date" doc:"day of the movement in the account's zone"`
	Type             MovementType   `json:"type"`
	ProductID        string         `json:"productId"`
	Code             string         `json:"code" doc:"of the product, as it was then"`
	Name             string         `json:"name"`
	WarehouseID      string         `json:"warehouseId"`
	OtherWarehouseID string         `json:"otherWarehouseId,omitempty" doc:"of a transfer: where the goods went to, or came from"`
	LotNo            string         `json:"lotNo,omitempty"`
	ExpiresAt        Date           `json:"expiresAt,omitempty"`
	SerialNos        []string       `json:"serialNos,omitempty"`
	Quantity         money.Quantity `json:"quantity" doc:"how much came, negative for what left; 0 where goods were only held or given back"`
	OnHandBefore     money.Quantity `json:"onHandBefore"`
	OnHandAfter      money.Quantity `json:"onHandAfter"`
	Held             money.Quantity `json:"held" doc:"how much more is held for orders, negative for what is no longer"`
	ReservedBefore   money.Quantity `json:"reservedBefore"`
	ReservedAfter    money.Quantity `json:"reservedAfter"`
	UnitCost         money.Price    `json:"unitCost" doc:"cost of one unit of quantity in TRY"`
	Value            money.Amount   `json:"value" doc:"cost of quantity in TRY, negative for what left"`
	Reason           Reason         `json:"reason,omitempty"`
	Note             string         `json:"note,omitempty"`
	OrderID          string         `json:"orderId,omitempty"`
	ShipmentID       string         `json:"shipmentId,omitempty"`
	CountID          string         `json:"countId,omitempty"`
	Actor            string         `json:"actor" doc:"user or key that moved it"`
	AuditID          int64          `json:"auditId" doc:"number of the row in the account's audit log"`
}

// Source is the record that the goods were moved for, "" for none.
func (m *Movement) Source() string { return cmp.Or(m.ShipmentID, m.OrderID, m.CountID) }

// Movements is what a change of several lines answers with.
type Movements struct {
	Movements []Movement `json:"movements"`
}

// Shortage is a line of an order that stock does not cover.
type Shortage struct {
	Field        string         `json:"-"` // of the line, for faults
	Line         int            `json:"line" doc:"of the order, from 1 on"`
	ProductID    string         `json:"productId"`
	Code         string         `json:"code"`
	Name         string         `json:"name"`
	WarehouseID  string         `json:"warehouseId"`
	Lots         []string       `json:"lots,omitempty" doc:"the lots or serial numbers that were named and are short"`
	Wanted       money.Quantity `json:"wanted"`
	Available    money.Quantity `json:"available"`
	Held         money.Quantity `json:"held" doc:"of what lies there, how much is held for other orders"`
	PastTheirDay money.Quantity `json:"pastTheirDay" doc:"of what lies there, how much is in lots past their day, which leave only by name"`
}

// Fault is the shortage as a fault of the line.
func (s *Shortage) Fault() Fault {
	what := strings.TrimSpace(s.Code + " " + s.Name + " " + strings.Join(s.Lots, ", "))
	args := []any{what, s.Wanted, s.Available}
	if s.Held > 0 {
		args = append(args, Aside{
			fmt.Sprintf("Held for orders: %s; to take of those, cancel or close orders first.", s.Held),
			fmt.Sprintf("Siparişlere ayrılan: %s; onlardan almak için önce sipariş iptal edin ya da kapatın.", s.Held),
		})
	}
	if s.PastTheirDay > 0 && len(s.Lots) == 0 { // who names a lot is not helped by others
		args = append(args, Aside{
			fmt.Sprintf("In lots past their day: %s; those leave only where lotNo names them.", s.PastTheirDay),
			fmt.Sprintf("Son kullanma günü geçmiş partilerde: %s; onlar yalnızca lotNo ile belirtilince çıkar.", s.PastTheirDay),
		})
	}
	return Fault{Field: s.Field, Code: InsufficientStock, Args: args}
}

// Insufficient is the Conflict that tells what is short, one fault a line.
func Insufficient(short []Shortage) error {
	faults := make([]Fault, len(short))
	for i := range short {
		faults[i] = short[i].Fault()
	}
	return Refused(faults)
}

// Refused is the Conflict of what stock does not allow, one fault at least.
func Refused(faults []Fault) error {
	e := Fail(Conflict, faults[0].Code, append([]any{faults[0].Field}, faults[0].Args...)...)
	e.Faults = faults
	return e
}
