package store_test

import (
	"fmt"
	"strings"
	"testing"

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
		if got := c.Fits(&f, trade.MaxCounted+1); got != fits || (f.Err() == nil) != fits {
			t.Errorf("%d lines where there were %d: fits %v, %v", lines, trade.MaxCounted+1, got, f.Err())
		}
	}
}
