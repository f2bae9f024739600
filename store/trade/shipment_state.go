package trade

import "slices"

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

// The actions on a shipment. Edit corrects a note that was refused, Send hands it over
// again. Take and Fail are the tax office's: it has taken the note, or refused it. What a
// caller asks for as return is ReturnPart as long as something stays with the customer.
const (
	EditShipment       ShipmentAction = "edit"
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
// where the action is done: only a note that was refused is corrected and sent again, and
// one that is on its way to the tax office is not cancelled, since nobody knows yet whether
// it is there.
var ShipmentMoves = Moves[ShipmentState, ShipmentAction]{
	ShipmentPrepared: {
		EditShipment: ShipmentPrepared, SendShipment: ShipmentPrepared, TakeShipment: ShipmentDespatched, FailShipment: ShipmentPrepared, CancelShipment: ShipmentCancelled,
	},
	ShipmentDespatched: {
		DeliverShipment: ShipmentDelivered, ReturnShipment: ShipmentReturned, ReturnPartShipment: ShipmentDespatched, CancelShipment: ShipmentCancelled,
	},
	ShipmentDelivered: {ReturnShipment: ShipmentReturned, ReturnPartShipment: ShipmentDelivered},
}

// barred are the actions that some shipment in its state may be asked for, but not this
// one.
func (s *Shipment) barred() (not []ShipmentAction) {
	if s.EDocument.Status != EDocumentFailed {
		not = append(not, EditShipment, SendShipment)
	} else if s.EDocument.MayBeThere() {
		not = append(not, EditShipment)
	}
	if s.EDocument.handedOver() || s.left() {
		not = append(not, CancelShipment)
	}
	return not
}

// Next is the state after action at the moment at, or the Conflict that says why it may not be.
func (s *Shipment) Next(a ShipmentAction, at Instant) (ShipmentState, error) {
	to, err := ShipmentMoves.Next(s.Status, a)
	if err != nil {
		return to, NotPossible(string(a), string(s.Status), s.possible(at)...)
	}
	return to, nil
}

// answerShipment is what the buyer's answer does to a shipment, of which the table does not
// know: the state stays, or is moved by delivery.
const answerShipment = "receipt"

// possible lists what can be done with the shipment as it stands at the moment at.
func (s *Shipment) possible(at Instant) []string {
	can := append(ShipmentMoves.possible(s.Status, s.barred()...), s.EDocument.settling()...)
	if s.answerable(at) {
		can = append(can, answerShipment)
	}
	return can
}

// left tells whether the goods are known to have left: some came back, or the buyer has
// answered.
func (s *Shipment) left() bool {
	return s.EDocument.AnsweredAt != 0 || slices.ContainsFunc(s.Lines, func(l ShipmentLine) bool { return l.Returned > 0 })
}

// Move applies action at the moment at, or reports why it may not.
func (s *Shipment) Move(a ShipmentAction, at Instant) error {
	to, err := s.Next(a, at)
	if err != nil {
		return err
	}
	s.Status = to
	return nil
}

// Cancel cancels a shipment that never left; one that has is a Conflict. The tax office
// keeps a note that it has taken; the electronic document says what became of it.
func (s *Shipment) Cancel(at Instant) error {
	if err := s.Move(CancelShipment, at); err != nil {
		return err
	}
	if s.left() {
		return Fail(Conflict, GoodsHaveLeft)
	}
	e := &s.EDocument
	if e.Status == EDocumentSent || e.Status == EDocumentFailed && e.MayBeThere() {
		e.StatusText = cancelledText
	}
	e.Status = EDocumentCancelled
	return nil
}

// cancelledText is said of the note of a cancelled shipment, in Turkish like all that
// stands there.
const cancelledText = "Sevkiyat iptal edildi; mallar yola çıkmadı."

// Document is how the despatch note fares at the tax office.
func (s *Shipment) Document() *EDocument { return &s.EDocument }

// Answered records what the tax office said of the note at the moment at. No event
// tells of it: the shipment was told of when it was made.
func (s *Shipment) Answered(o Outcome, code, text, envelope string, at Instant) (Event, error) {
	if o != Taken && o != Failed {
		return "", NotPossible(string(o), string(s.Status), s.possible(at)...)
	}
	if err := s.Move(ShipmentAction(o), at); err != nil {
		return "", err
	}
	s.EDocument.answered(o, code, text, envelope, at)
	return "", nil
}

// Settle records what a person has seen at the tax office of a note that was refused, as
// EDocument.Settle does, or reports that nobody need say so.
func (s *Shipment) Settle(o Outcome, at Instant) error {
	if !s.EDocument.Settle(o) {
		return NotPossible(o.settles(), string(s.EDocument.Status), s.possible(at)...)
	}
	return nil
}

// Resend makes a note that was refused ready at the moment at to be handed over again, under the same
// number and ETTN; see EDocument.Requeue.
func (s *Shipment) Resend(envelope func() string, at Instant) error {
	if s.EDocument.Status != EDocumentFailed {
		return NotPossible(string(SendShipment), string(s.EDocument.Status), s.possible(at)...)
	}
	if err := s.Move(SendShipment, at); err != nil {
		return err
	}
	s.EDocument.Requeue(envelope)
	return nil
}
