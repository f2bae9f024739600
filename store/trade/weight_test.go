package trade

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"esnaf/store/money"
)

// Serial numbers that a shipment names are bounded too, but by no less than its order has.
func TestPickBoundsTexts(t *testing.T) {
	serials := make([]string, MaxSerials)
	for i := range serials {
		serials[i] = fmt.Sprintf("%030d", i)
	}
	var o Order
	var wanted []ShippingLine
	for i := range 20 {
		o.Lines = append(o.Lines, OrderLine{Line: Line{Name: "Telefon", Quantity: MaxSerials * Piece}})
		wanted = append(wanted, ShippingLine{Line: i + 1, SerialNos: serials})
	}
	f := &Check{}
	if _, err := o.Pick(f, wanted); err != nil || len(faultsOf(f)) != 1 || faultsOf(f)[0] != "lines texts_too_long" {
		t.Errorf("%v %v", err, faultsOf(f))
	}
	for i := range o.Lines {
		o.Lines[i].SerialNos = serials
	}
	f = &Check{}
	if _, err := o.Pick(f, wanted); err != nil || f.Err() != nil {
		t.Errorf("as the order has them: %v %v", err, faultsOf(f))
	}
}

// A plan names only so many lines, whatever it is of.
func TestPlanIsBounded(t *testing.T) {
	o := Order{OrderDate: "2026-09-15", Lines: make([]OrderLine, MaxLines)}
	for i := range o.Lines {
		o.Lines[i].Quantity = 1000
	}
	part := PlannedShipment{Date: "2026-09-15"}
	for i := range MaxLines {
		part.Lines = append(part.Lines, PlannedLine{Line: i + 1, Quantity: money.Quantity(1)})
	}
	for n, want := range map[int]string{10: "", 11: "plannedShipments too_many"} {
		f := &Check{}
		o.PlannedShipments = slices.Repeat([]PlannedShipment{part}, n)
		if o.checkPlan(f); strings.Join(faultsOf(f), ", ") != want {
			t.Errorf("%d of %d lines: %v", n, MaxLines, faultsOf(f))
		}
	}
}
