package trade

import (
	"fmt"
	"slices"

	"esnaf/store/money"
)

// Shipping is what a caller says of a shipment of an order (sevk). A driver with the
// plate of the vehicle, or a carrier, is required (schematron of DespatchAdvice).
type Shipping struct {
	Lines           []ShippingLine    `json:"lines,omitempty" doc:"all that is left when absent; at least one"`
	WarehouseID     string            `json:"warehouseId,omitempty" doc:"where all of it is taken from; when absent what is held for a line from where it is held, and the rest from the line's own, the order's, else where its goods are held, else the default one (that too for one deleted since)"`
	DespatchAt      Instant           `json:"despatchAt,omitzero" doc:"when the goods leave, now when absent; from today to 30 days ahead in the account's zone"`
	DeliveryAddress *Address          `json:"deliveryAddress,omitempty" doc:"the order's when absent; when given, all of it"`
	Carrier         *Carrier          `json:"carrier,omitempty"`
	Plate           string            `json:"plate,omitempty" doc:"of the vehicle, such as 34 ABC 123"`
	TrailerPlates   []string          `json:"trailerPlates,omitempty"`
	Drivers         []Driver          `json:"drivers,omitempty"`
	DespatchType    DespatchType      `json:"despatchType,omitempty" doc:"SEVK when absent"`
	Printed         *PrintedNote      `json:"printed,omitempty" doc:"the printed note of which a MATBUDAN is the copy"`
	ExternalID      string            `json:"externalId,omitempty"`
	Notes           string            `json:"notes,omitempty"`
	Metadata        map[string]string `json:"metadata,omitempty"`
}

// ShippingLine is how much of an order's line is to be shipped, and of which lot or
// pieces.
type ShippingLine struct {
	Line      int             `json:"line" api:"required" doc:"number of the order's line, from 1 on"`
	Quantity  *money.Quantity `json:"quantity,omitempty" doc:"as many as serialNos, else all that is left, when absent"`
	LotNo     string          `json:"lotNo,omitempty" doc:"the order's when absent, else the first to expire"`
	SerialNos []string        `json:"serialNos,omitempty" doc:"the order's when absent, else any"`
}

// Shipment is the shipment of o as the caller describes it, without its lines.
func (in *Shipping) Shipment(f *Check, o *Order) Shipment {
	s := Shipment{
		Meta:       Meta{ExternalID: in.ExternalID, Notes: in.Notes, Metadata: in.Metadata},
		DespatchAt: in.DespatchAt, DeliveryAddress: in.DeliveryAddress, Carrier: in.Carrier,
		Plate: in.Plate, TrailerPlates: in.TrailerPlates, Drivers: in.Drivers, DespatchType: in.DespatchType, Printed: in.Printed,
		EDocument: EDocument{Status: EDocumentQueued},
	}
	s.Meta.check(f)
	if s.DeliveryAddress != nil {
		defaultTo(&s.DeliveryAddress.Country, "TR")
	}
	return s
}

// Left is how much of a line is still to be shipped.
func (l *OrderLine) Left() money.Quantity { return l.Quantity - l.Shipped - l.Cancelled }

// Pick is what of an order leaves by a shipment: what is wanted, or all that is left
// when that is nil. More than is left is a fault. Nothing at all is a Conflict.
func (o *Order) Pick(f *Check, wanted []ShippingLine) ([]ShipmentLine, error) {
	if wanted == nil {
		if wanted = o.rest(); len(wanted) == 0 {
			return nil, Fail(Conflict, NothingLeft, Phrase{"shipped", "Sevk edilecek"})
		}
	}
	if !checkNamed(f, len(wanted)) {
		return nil, nil
	}
	picked, texts := make([]money.Quantity, len(o.Lines)), 0
	lines := make([]ShipmentLine, 0, len(wanted))
	for i := range wanted {
		w, in := &wanted[i], f.In(fmt.Sprintf("lines[%d]", i))
		checkTracking(in, &w.LotNo, w.SerialNos)
		texts += labels(w.LotNo, w.SerialNos)
		if w.Line < 1 || w.Line > len(o.Lines) {
			in.Add("line", OutOfRange, 1, len(o.Lines))
			continue
		}
		of := &o.Lines[w.Line-1]
		left := of.Left() - picked[w.Line-1]
		l := ShipmentLine{OrderLine: w.Line, Quantity: w.much(left), LotNo: w.LotNo, SerialNos: w.SerialNos}
		switch {
		case l.Quantity > left, left == 0:
			in.Add("quantity", ExceedsRest, left)
			continue
		case l.Quantity <= 0:
			in.Add("quantity", MustBePositive)
			continue
		}
		picked[w.Line-1] += l.Quantity
		defaultTo(&l.LotNo, of.LotNo)
		if len(l.SerialNos) == 0 && l.Quantity == of.Quantity {
			l.SerialNos = of.SerialNos
		}
		lines = append(lines, l)
	}
	checkTexts(f, texts, Texts(o.Goods()))
	return lines, nil
}

// checkNamed bounds the lines that a caller names of something.
func checkNamed(f *Check, n int) bool {
	switch {
	case n == 0:
		NamesNone(f, "lines")
	case n > MaxLines:
		f.Add("lines", TooMany, MaxLines)
	}
	return 0 < n && n <= MaxLines
}

// rest is all that is left of an order.
func (o *Order) rest() []ShippingLine {
	var all []ShippingLine
	for i := range o.Lines {
		if o.Lines[i].Left() > 0 {
			all = append(all, ShippingLine{Line: i + 1})
		}
	}
	return all
}

func (w *ShippingLine) much(left money.Quantity) money.Quantity {
	switch {
	case w.Quantity != nil:
		return *w.Quantity
	case len(w.SerialNos) > 0:
		return Piece * money.Quantity(len(w.SerialNos))
	}
	return left
}

// Ship records that lines have left. What was held back for them is so no longer.
func (o *Order) Ship(lines []ShipmentLine) error {
	for i := range lines {
		l := &o.Lines[lines[i].OrderLine-1]
		l.Shipped += lines[i].Quantity
		l.Reserved -= min(l.Reserved, lines[i].Quantity)
	}
	if len(o.rest()) > 0 {
		return o.Move(ShipPartOrder)
	}
	return o.Move(ShipOrder)
}

// Recall records that lines of a cancelled shipment never left. What is invoiced of them
// is a Conflict: the customer would pay for what is not on its way. invoices are those
// of the order.
func (o *Order) Recall(lines []ShipmentLine, invoices []Invoice) error {
	for i := range lines {
		l := &o.Lines[lines[i].OrderLine-1]
		l.Shipped -= lines[i].Quantity
		if l.over() > 0 {
			return o.billedBy(invoices, lines[i].OrderLine)
		}
	}
	if o.onNotes() {
		return o.Move(RecallPart)
	}
	return o.Move(RecallOrder)
}

// onNotes tells whether anything of the order has left with a despatch note, which
// services do not.
func (o *Order) onNotes() bool {
	return slices.ContainsFunc(o.Lines, func(l OrderLine) bool { return l.Shipped > 0 && !l.Service })
}
