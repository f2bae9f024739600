package trade

import (
	"fmt"

	"esnaf/store/money"
)

// CountState is where a counting sheet stands.
type CountState string

// The states of a counting sheet.
const (
	CountOpen      CountState = "OPEN"
	CountClosed    CountState = "CLOSED"
	CountCancelled CountState = "CANCELLED"
)

// Values lists the states of a counting sheet.
func (CountState) Values() []string { return []string{"OPEN", "CLOSED", "CANCELLED"} }

// CountAction is what can happen to a counting sheet.
type CountAction string

// The actions on a counting sheet.
const (
	EditCount   CountAction = "update"
	CloseCount  CountAction = "close"
	CancelCount CountAction = "cancel"
)

// CountMoves is the whole life of a counting sheet.
var CountMoves = Moves[CountState, CountAction]{
	CountOpen: {EditCount: CountOpen, CloseCount: CountClosed, CancelCount: CountCancelled},
}

// Count is a counting sheet (sayım fişi) of one warehouse: what was expected when it
// was opened, and what was found. Goods may move while it is open: closing it books
// the differences, not what was counted.
type Count struct {
	Meta
	WarehouseID string      `json:"warehouseId" doc:"the default one when absent; it stays"`
	Status      CountState  `json:"status" api:"readonly"`
	Date        Date        `json:"date" api:"readonly" doc:"the day it was opened in the account's zone"`
	Whole       bool        `json:"whole,omitzero" api:"readonly" doc:"opened for all that lay in the warehouse: no other sheet is opened there meanwhile"`
	Lines       []CountLine `json:"lines" doc:"at most 3000, which expect at most 10000 serial numbers together and find as many; more is counted in parts, on several sheets; all that lies in the warehouse when absent at the opening; a product is on one open sheet of a warehouse only"`
}

// CountLine is one product, or one lot of it, on a counting sheet.
type CountLine struct {
	ProductID  string          `json:"productId" api:"required"`
	Code       string          `json:"code" api:"readonly"`
	Name       string          `json:"name" api:"readonly"`
	LotNo      string          `json:"lotNo,omitempty" doc:"required for products tracked by lot"`
	ExpiresAt  Date            `json:"expiresAt,omitempty" doc:"of a lot that was not in stock"`
	Expected   money.Quantity  `json:"expected" api:"readonly" doc:"what the books had when the line was opened"`
	SerialNos  []string        `json:"serialNos,omitempty" api:"readonly" doc:"the serial numbers expected"`
	Counted    *money.Quantity `json:"counted,omitempty" doc:"what was found; a line without it is not counted, and nothing is booked for it"`
	FoundNos   []string        `json:"foundNos,omitempty" doc:"the serial numbers found, as many as counted"`
	Difference *money.Quantity `json:"difference,omitempty" api:"readonly" doc:"counted without expected"`
}

// Key is what a line of a sheet counts.
func (l *CountLine) Key() [2]string { return [2]string{l.ProductID, l.LotNo} }

// MaxCounted and MaxCountedSerials bound a sheet: closing it holds the writer, for a tenth
// of a millisecond a line and a fiftieth for each serial number that is missing or new.
const (
	MaxCounted        = 3_000
	MaxCountedSerials = 10_000
)

// Fits tells whether the lines, and the serial numbers found, are few enough to be looked
// at; more are a fault, unless the sheet has had as many since before there was this bound.
func (c *Count) Fits(f *Check, before []CountLine) bool {
	if len(c.Lines) > max(MaxCounted, len(before)) {
		f.Add("lines", TooMany, MaxCounted, Aside{inParts, inPartsTR})
		return false
	}
	most := 0
	for i := range before {
		most += len(before[i].FoundNos)
	}
	most = max(MaxCountedSerials, most)
	for i := range c.Lines {
		if most -= len(c.Lines[i].FoundNos); most < 0 {
			tooManySerials(f, fmt.Sprintf("lines[%d].foundNos", i))
			return false
		}
	}
	return true
}

// Expectable is how many serial numbers the lines of a sheet may expect, which had those
// of before.
func Expectable(before []CountLine) int {
	had := 0
	for i := range before {
		had += len(before[i].SerialNos)
	}
	return max(MaxCountedSerials, had)
}

// TooManyExpected finds fault with the line that expects more serial numbers than may be.
func TooManyExpected(f *Check, line int) { tooManySerials(f, fmt.Sprintf("lines[%d].serialNos", line)) }

func tooManySerials(f *Check, field string) {
	f.Add(field, TooMany, MaxCountedSerials, Aside{"The serial numbers of all lines count. " + inParts, "Bütün satırların seri numaraları sayılır. " + inPartsTR})
}

// What to do where a sheet is too large.
const (
	inParts   = "Count in parts: on each of several sheets name some of the products in lines."
	inPartsTR = "Bölerek sayın: birkaç sayım fişinin her birinde ürünlerin bir kısmını lines içinde belirtin."
)

// Trim puts the lots and serial numbers of all lines as they are kept, and finds what is
// wrong with them.
func (c *Count) Trim(f *Check) {
	for i := range c.Lines {
		l, in := &c.Lines[i], f.In(fmt.Sprintf("lines[%d]", i))
		checkLabel(in, "lotNo", &l.LotNo)
		checkLabels(in, "foundNos", l.FoundNos, MaxCountedSerials)
	}
}

// Meets is the field of c that counts what the open sheet other of the same warehouse
// counts too, "" for none: closing both would book one difference twice.
func (c *Count) Meets(other *Count) (field string) {
	if c.Whole || other.Whole {
		return "warehouseId"
	}
	counted := map[string]bool{}
	for i := range other.Lines {
		counted[other.Lines[i].ProductID] = true
	}
	for i := range c.Lines {
		if counted[c.Lines[i].ProductID] {
			return fmt.Sprintf("lines[%d].productId", i)
		}
	}
	return ""
}

// Check finds what is wrong with the lines that a caller sets; products gives the
// product of each id that is known.
func (c *Count) Check(f *Check, products map[string]*Product) {
	c.Meta.check(f)
	seen := map[[2]string]bool{}
	for i := range c.Lines {
		l, in := &c.Lines[i], f.In(fmt.Sprintf("lines[%d]", i))
		if seen[l.Key()] {
			in.Add("productId", GivenTwice)
		}
		seen[l.Key()] = true
		if p := products[l.ProductID]; p != nil {
			l.check(in, p)
		}
	}
}

func (l *CountLine) check(f *Check, p *Product) {
	l.Code, l.Name, l.Difference = p.Code, p.Name, nil
	p.checkLot(f, l.LotNo, l.ExpiresAt, true)
	if l.Counted == nil {
		l.FoundNos = nil
		return
	}
	if *l.Counted < 0 {
		f.Add("counted", MustNotBeNegative)
	}
	p.checkSerials(f, "foundNos", l.FoundNos, MaxCountedSerials, *l.Counted, true)
	l.Difference = new(*l.Counted - l.Expected)
}

// Keep carries over from old, an open sheet, what a caller may not set.
func (c *Count) Keep(old *Count) {
	c.Meta.keep(old.Meta)
	c.WarehouseID, c.Status, c.Date, c.Whole = old.WarehouseID, old.Status, old.Date, old.Whole
}

// Missing are the serial numbers that were expected and not found, and those that were
// found and not expected.
func (l *CountLine) Missing() (less, more []string) {
	return without(l.SerialNos, l.FoundNos), without(l.FoundNos, l.SerialNos)
}

// without is all that is not in the others.
func without(all, others []string) (rest []string) {
	known := map[string]bool{}
	for _, s := range others {
		known[s] = true
	}
	for _, s := range all {
		if !known[s] {
			rest = append(rest, s)
		}
	}
	return rest
}

// Move applies action, or reports why it may not.
func (c *Count) Move(a CountAction) error {
	to, err := CountMoves.Next(c.Status, a)
	if err != nil {
		return err
	}
	c.Status = to
	return nil
}
