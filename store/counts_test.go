package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"esnaf/store"
	"esnaf/store/trade"
)

// stockUp makes n products of which 7 lie in the default warehouse.
func (d *depot) stockUp(n int) {
	d.t.Helper()
	d.write(d.who, func(tx *store.Tx) error {
		for i := range n {
			var p trade.Product
			if err := into(&p)(tx.CreateProduct(trade.Product{Name: fmt.Sprint("Ürün ", i), Code: fmt.Sprintf("X%05d", i)})); err != nil {
				return err
			}
			if _, err := tx.AdjustStock(trade.Adjustment{ProductID: p.ID, Quantity: quantity("7"), Reason: trade.ReasonOpening}); err != nil {
				return err
			}
		}
		return nil
	})
}

// A whole warehouse is more than the lines of a document, and counted on one sheet.
func TestCountingAWholeWarehouse(t *testing.T) {
	d := openDepot(t, "1")
	d.stockUp(trade.MaxLines)
	var c trade.Count
	d.write(d.who, func(tx *store.Tx) error { return into(&c)(tx.CreateCount(trade.Count{})) })
	if len(c.Lines) != trade.MaxLines+1 || !c.Whole {
		t.Fatalf("%d lines, whole %v", len(c.Lines), c.Whole)
	}
	for i := range c.Lines {
		c.Lines[i].Counted = &c.Lines[i].Expected
	}
	c.Lines[len(c.Lines)-1].Counted = quantity("6")
	d.write(d.who, func(tx *store.Tx) error { return into(&c)(tx.UpdateCount(c.ID, store.Any, c)) })
	d.write(d.who, func(tx *store.Tx) error { return into(&c)(tx.CloseCount(c.ID)) })
	d.lies("the last of them", c.Lines[len(c.Lines)-1].ProductID, "6, 0")

	many := trade.Count{Lines: make([]trade.CountLine, trade.MaxCounted+1)}
	err := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.CreateCount(many); return err })
	if fields(err) != "lines too_many" || !strings.Contains(err.Error(), "Count in parts") {
		t.Errorf("%v", err)
	}
}

// A sheet that was opened when more lines were allowed is counted on to its end.
func TestASheetOfMoreLinesThanMayBe(t *testing.T) {
	var c trade.Count
	for lines, fits := range map[int]bool{trade.MaxCounted: true, trade.MaxCounted + 1: true, trade.MaxCounted + 2: false} {
		var f trade.Check
		c.Lines = make([]trade.CountLine, lines)
		if got := c.Fits(&f, make([]trade.CountLine, trade.MaxCounted+1)); got != fits || (f.Err() == nil) != fits {
			t.Errorf("%d lines where there were %d: fits %v, %v", lines, trade.MaxCounted+1, got, f.Err())
		}
	}
}

// serials puts a product into stock whose serial numbers are from up to, but not, to.
func (d *depot) serials(name string, from, to int) (p trade.Product, nos []string) {
	d.t.Helper()
	p = d.product(d.who, trade.Product{Name: name, Tracking: trade.BySerial})
	for i := from; i < to; i++ {
		nos = append(nos, fmt.Sprintf("SN%06d", i))
	}
	d.write(d.who, func(tx *store.Tx) error {
		for part := range slices.Chunk(nos, trade.MaxSerials) {
			in := trade.Adjustment{ProductID: p.ID, Quantity: quantity(fmt.Sprint(len(part))), SerialNos: part, Reason: trade.ReasonOpening}
			if _, err := tx.AdjustStock(in); err != nil {
				return err
			}
		}
		return nil
	})
	return p, nos
}

// A sheet expects and finds only so many serial numbers, of whatever products; as many as
// that can be missing or new, of one product too.
func TestSerialNumbersOfASheetAreBounded(t *testing.T) {
	d := openDepot(t, "1")
	phones, _ := d.serials("Telefon", 0, trade.MaxCountedSerials)
	d.serials("Tablet", 20000, 20001)
	whole := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.CreateCount(trade.Count{}); return err })
	if fields(whole) != "lines[2].serialNos too_many" || !strings.HasSuffix(whole.Error(), "lines[2].serialNos has more than 10000 entries. The serial numbers of all lines count. Count in parts: on each of several sheets name some of the products in lines.") {
		t.Errorf("the whole warehouse: %v", whole)
	}
	var c trade.Count
	d.write(d.who, func(tx *store.Tx) error {
		return into(&c)(tx.CreateCount(trade.Count{Lines: []trade.CountLine{{ProductID: phones.ID}}}))
	})
	found := func(from, to int) (nos []string) {
		for i := from; i < to; i++ {
			nos = append(nos, fmt.Sprintf("SN%06d", i))
		}
		return nos
	}
	c.Lines[0].FoundNos = found(0, trade.MaxCountedSerials+1)
	c.Lines[0].Counted = quantity(fmt.Sprint(len(c.Lines[0].FoundNos)))
	if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.UpdateCount(c.ID, store.Any, c); return err }); fields(e) != "lines[0].foundNos too_many" {
		t.Errorf("found: %v", e)
	}
	c.Lines[0].FoundNos = found(2500, trade.MaxCountedSerials+1500) // 2,500 are missing, 1,500 are new
	c.Lines[0].Counted = quantity(fmt.Sprint(len(c.Lines[0].FoundNos)))
	d.write(d.who, func(tx *store.Tx) error { return into(&c)(tx.UpdateCount(c.ID, store.Any, c)) })
	d.write(d.who, func(tx *store.Tx) error { return into(&c)(tx.CloseCount(c.ID)) })
	d.lies("what was found", phones.ID, "9000, 0")
	d.clean(t)
}

// What a sheet had before there was a bound it keeps, and nothing comes to it.
func TestASheetOfMoreSerialNumbersThanMayBe(t *testing.T) {
	d := openDepot(t, "1")
	phones, nos := d.serials("Telefon", 0, 3)
	tablets, _ := d.serials("Tablet", 3, 4)
	var c trade.Count
	d.write(d.who, func(tx *store.Tx) error {
		return into(&c)(tx.CreateCount(trade.Count{Lines: []trade.CountLine{{ProductID: phones.ID}}}))
	})
	for i := len(nos); i <= trade.MaxCountedSerials; i++ {
		nos = append(nos, fmt.Sprint(i))
	}
	c.Lines[0].SerialNos = nos
	alter(d.book, "UPDATE counts SET doc = json_set(doc, '$.lines[0].serialNos', json(?))", string(must(json.Marshal(nos))))
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.UpdateCount(c.ID, store.Any, c); return err })
	c.Lines = append(c.Lines, trade.CountLine{ProductID: tablets.ID})
	if e := d.refused(d.who, func(tx *store.Tx) error { _, err := tx.UpdateCount(c.ID, store.Any, c); return err }); fields(e) != "lines[1].serialNos too_many" {
		t.Errorf("one more: %v", e)
	}
}
