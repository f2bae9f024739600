package trade

import "strings"

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

// The actions on a shipment. Take and Fail are the tax office's: it has taken the note,
// or refused it. Send hands a refused note over again. What a caller asks for as return
// is ReturnPart as long as something stays with the customer.
const (
	SendShipment       ShipmentAction = "send"
	TakeShipment       ShipmentAction = "take"
	FailShipment       ShipmentAction = "fail"
	DeliverShipment    ShipmentAction = "deliver"
	ReturnShipment     ShipmentAction = "return"
	ReturnPartShipment ShipmentAction = "return-part"
	CancelShipment     ShipmentAction = "cancel"
)

// Inner tells whether nobody asks for the action: it follows from something else.
func (a ShipmentAction) Inner() bool {
	return a == TakeShipment || a == FailShipment || a == ReturnPartShipment
}

// ShipmentMoves is the whole life of a shipment. What the table cannot say is judged
// where the action is done: only a note that was refused is sent again, and one that is
// on its way to the tax office is not cancelled, since nobody knows yet whether it is
// there.
var ShipmentMoves = Moves[ShipmentState, ShipmentAction]{
	ShipmentPrepared: {
		SendShipment: ShipmentPrepared, TakeShipment: ShipmentDespatched, FailShipment: ShipmentPrepared, CancelShipment: ShipmentCancelled,
	},
	ShipmentDespatched: {
		DeliverShipment: ShipmentDelivered, ReturnShipment: ShipmentReturned, ReturnPartShipment: ShipmentDespatched, CancelShipment: ShipmentCancelled,
	},
	ShipmentDelivered: {ReturnShipment: ShipmentReturned, ReturnPartShipment: ShipmentDelivered},
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

// Cancel cancels a shipment that never left. The tax office keeps a note that it has
// taken; the electronic document says what became of it, before anything that the
// buyer had said.
func (s *Shipment) Cancel() error {
	if err := s.Move(CancelShipment); err != nil {
		return err
	}
	e := &s.EDocument
	if e.Status == EDocumentSent || e.Status == EDocumentRejected {
		e.StatusText = cancelledText + e.StatusText
		if e.AnsweredAt == 0 {
			e.StatusText = strings.TrimSuffix(cancelledText, " ")
		}
	}
	e.Status = EDocumentCancelled
	return nil
}

// cancelledText is said of the note of a cancelled shipment, in Turkish like all that
// stands there.
const cancelledText = "Sevkiyat iptal edildi; mallar yola çıkmadı. "

// Document is how the despatch note fares at the tax office.
func (s *Shipment) Document() *EDocument { return &s.EDocument }

// Answered records what the tax office said of the note at the moment at. No event
// tells of it: the shipment was told of when it was made.
func (s *Shipment) Answered(o Outcome, code, text, envelope string, at Instant) (Event, error) {
	if o != Taken && o != Failed {
		return "", ShipmentMoves.Refuse(s.Status, string(o))
	}
	if err := s.Move(ShipmentAction(o)); err != nil {
		return "", err
	}
	s.EDocument.answered(o, code, text, envelope, at)
	return "", nil
}

// Resend makes a note that was refused ready to be handed over again, under the same
// number and ETTN.
func (s *Shipment) Resend() error {
	if s.EDocument.Status != EDocumentStatus(InvoiceFailed) {
		return NotPossible(string(SendShipment), string(s.EDocument.Status), ShipmentMoves.possible(s.Status)...)
	}
	if err := s.Move(SendShipment); err != nil {
		return err
	}
	s.EDocument.requeue()
	return nil
}
