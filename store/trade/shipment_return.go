package trade

import (
	"fmt"
	"slices"

	"esnaf/store/money"
)

// Return is what a caller says of goods that come back (iade).
type Return struct {
	Lines []ReturnLine `json:"lines,omitempty" doc:"all that is with the customer when absent; at least one"`
}

// ReturnLine is how much of a shipment's line comes back, and which pieces.
type ReturnLine struct {
	Line      int             `json:"line" api:"required" doc:"number of the shipment's line, from 1 on"`
	Quantity  *money.Quantity `json:"quantity,omitempty" doc:"as many as serialNos, else all that is with the customer, when absent"`
	SerialNos []string        `json:"serialNos,omitempty" doc:"needed where a part of a line with serial numbers comes back"`
}

// Out is how much of a line is with the customer.
func (l *ShipmentLine) Out() money.Quantity { return l.Quantity - l.Returned }

// Return records at the moment at that goods of a despatched or delivered shipment have come back, and
// tells which: its lines, with what of them came. More than is with the customer is a
// fault.
func (s *Shipment) Return(f *Check, in Return, at Instant) ([]ShipmentLine, error) {
	if _, err := s.Next(ReturnShipment, at); err != nil {
		return nil, err
	}
	wanted := in.Lines
	if wanted == nil {
		for i := range s.Lines {
			if s.Lines[i].Out() > 0 {
				wanted = append(wanted, ReturnLine{Line: i + 1})
			}
		}
	}
	if !checkNamed(f, len(wanted)) {
		return nil, f.Err()
	}
	var back []ShipmentLine
	for i := range wanted {
		if l := s.takeBack(f.In(fmt.Sprintf("lines[%d]", i)), &wanted[i]); l != nil {
			back = append(back, *l)
		}
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(s.Lines, func(l ShipmentLine) bool { return l.Out() > 0 }) {
		return back, s.Move(ReturnPartShipment, at)
	}
	return back, s.Move(ReturnShipment, at)
}

// takeBack records what of one line comes back; nil when that cannot be.
func (s *Shipment) takeBack(f *Check, w *ReturnLine) *ShipmentLine {
	if w.Line < 1 || w.Line > len(s.Lines) {
		f.Add("line", OutOfRange, 1, len(s.Lines))
		return nil
	}
	of := &s.Lines[w.Line-1]
	checkLabels(f, "serialNos", w.SerialNos, MaxSerials)
	back := *of
	back.Quantity, back.Returned = (&ShippingLine{Quantity: w.Quantity, SerialNos: w.SerialNos}).much(of.Out()), 0
	switch {
	case back.Quantity <= 0:
		f.Add("quantity", MustBePositive)
		return nil
	case back.Quantity > of.Out():
		f.Add("quantity", ExceedsRest, of.Out())
		return nil
	}
	switch {
	case len(of.SerialNos) == 0 && len(w.SerialNos) > 0:
		f.Add("serialNos", NotTracked, tracked[Untracked])
		return nil
	case len(of.SerialNos) > 0:
		back.SerialNos = w.SerialNos
		if !of.comeBack(f, w.SerialNos, &back) {
			return nil
		}
	}
	of.Returned += back.Quantity
	return &back
}

// comeBack judges the serial numbers of what comes back: those that are named, one a
// piece, or all that are out.
func (l *ShipmentLine) comeBack(f *Check, named []string, back *ShipmentLine) bool {
	out := slices.DeleteFunc(slices.Clone(l.SerialNos), func(s string) bool { return slices.Contains(l.ReturnedSerialNos, s) })
	if len(named) == 0 && back.Quantity == l.Out() {
		back.SerialNos = out
	}
	if money.Quantity(len(back.SerialNos))*Piece != back.Quantity {
		f.Add("serialNos", SerialCount, back.Quantity)
		return false
	}
	for i, s := range back.SerialNos {
		if !slices.Contains(out, s) || slices.Contains(back.SerialNos[:i], s) {
			f.Add(fmt.Sprintf("serialNos[%d]", i), RecordNotFound)
			return false
		}
	}
	l.ReturnedSerialNos = append(l.ReturnedSerialNos, back.SerialNos...)
	return true
}
