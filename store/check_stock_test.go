package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"esnaf/store/trade"
)

// A sheet whose warehouse was deleted under it, as older versions let happen, books
// nothing there; goods that come back to a deleted warehouse go to the default one.
func TestNothingComesIntoADeletedWarehouse(t *testing.T) {
	s := openShop(t, t.TempDir())
	defer s.Close()
	goods, gone := s.products[0].ID, s.houses[1]
	sheet := s.made(t, func(tx *Tx) (Doc, error) {
		return tx.CreateCount(trade.Count{WarehouseID: gone, Lines: []trade.CountLine{{ProductID: goods, Counted: new(5 * trade.Piece)}}})
	})
	err := s.do(func(tx *Tx) error { return tx.DeleteWarehouse(gone, Any) })
	if e, ok := err.(*trade.Error); !ok || e.Code != trade.CountOpenAlready || !strings.Contains(e.Error(), sheet) {
		t.Errorf("deleted while it is counted: %v", err)
	}
	s.must(t, func(tx *Tx) error { return Warehouses.Remove(tx, gone, Any) })
	err = s.do(func(tx *Tx) error { _, err := tx.CloseCount(sheet); return err })
	if e, ok := err.(*trade.Error); !ok || e.Code != trade.WarehouseGone {
		t.Errorf("closed onto a deleted warehouse: %v", err)
	}
	s.must(t, func(tx *Tx) error { _, err := tx.CancelCount(sheet); return err })
	s.must(t, func(tx *Tx) error {
		return tx.putBack("ord_1", "shp_1", []part{{field: "lines", line: 1, product: goods, warehouse: gone, quantity: 2 * trade.Piece}})
	})
	s.must(t, func(tx *Tx) error {
		main, err := tx.shelf(goods, s.houses[0])
		if main.onHand != 2*trade.Piece {
			t.Errorf("%s came back into the default warehouse", main.onHand)
		}
		return err
	})
	s.sound(t)
}

// The default warehouse hands that over when it is deleted, and says so itself.
func TestADeletedWarehouseIsNoDefault(t *testing.T) {
	s := openShop(t, t.TempDir())
	defer s.Close()
	s.must(t, func(tx *Tx) error { return tx.DeleteWarehouse(s.houses[0], Any) })
	s.must(t, func(tx *Tx) error {
		main, err := tx.mainWarehouse()
		if main != s.houses[1] {
			t.Errorf("the default one is %s", main)
		}
		old, _ := tx.oneText("SELECT doc FROM warehouses WHERE id = ?", s.houses[0])
		if !strings.Contains(old, `"isDefault":false`) {
			t.Errorf("deleted: %s", old)
		}
		return err
	})
}

// A row that belongs to nothing is a difference of its own and ends no check.
func TestOrdersAreCheckedToTheEnd(t *testing.T) {
	s := openShop(t, t.TempDir())
	defer s.Close()
	s.who.Actor = "operator"
	s.sellSome(t)
	for _, test := range []struct{ damage, says string }{
		{"UPDATE reservations SET line = 9", "is of line 9 of the order"},
		{"UPDATE reservations SET line = 1; INSERT INTO reservations (tenant, order_id, line, product, warehouse, lot, quantity) SELECT tenant, 'ord_none', 1, product, warehouse, lot, 1000000 FROM reservations", "held for the order ord_none"},
		{"DELETE FROM reservations WHERE order_id = 'ord_none'; UPDATE orders SET doc = json_set(doc, '$.shipmentIds[1]', 'shp_none')", "shp_none, which the order"},
		{"UPDATE orders SET doc = '{'", ""},
	} {
		s.must(t, func(tx *Tx) error { return tx.script(test.damage) })
		if got := s.orderFaults(t); !strings.Contains(got, test.says) || test.says == "" && got != "" {
			t.Errorf("%s: %s", test.damage, got)
		}
	}
}

// A movement is held against its row, and a lot's last day against its movements.
func TestStockIsCheckedByItsMovements(t *testing.T) {
	s := openShop(t, t.TempDir())
	defer s.Close()
	s.must(t, func(tx *Tx) error {
		_, err := tx.ReceiveGoods(trade.GoodsSlip{Lines: []trade.GoodsLine{{ProductID: s.products[1].ID, Quantity: trade.Piece, LotNo: "L1", ExpiresAt: "2027-01-01"}}})
		return err
	})
	for _, test := range []struct{ damage, says string }{
		{"UPDATE movements SET value = 3", "value of "},
		{"UPDATE lots SET expires = '2027-02-01'", `expires on "2027-02-01", by its movements on "2027-01-01"`},
		{"UPDATE movements SET doc = '{'", "in movements is unreadable"},
	} {
		s.must(t, func(tx *Tx) error { return tx.script(test.damage) })
		checks, err := s.CheckData(context.Background())
		if got := fmt.Sprint(checks, err); !strings.Contains(got, test.says) || strings.Contains(got, "could not be looked at") {
			t.Errorf("%s: %s", test.damage, got)
		}
	}
}

// What is named and not there is told by its name, of an order too.
func TestNamedLotsAreToldByName(t *testing.T) {
	s := openShop(t, t.TempDir())
	defer s.Close()
	for _, p := range []part{
		{"lines[0]", 1, s.products[1].ID, s.houses[0], trade.Piece, "KAYIP", nil},
		{"lines[0]", 1, s.products[2].ID, s.houses[0], 2 * trade.Piece, "", []string{"S8", "S9"}},
	} {
		s.must(t, func(tx *Tx) error {
			short, err := tx.reserve("ord_1", []part{p})
			name := p.lot + strings.Join(p.serials, ", ")
			if err == nil && (len(short) != 1 || !strings.Contains(trade.Insufficient(short).Error(), name)) {
				t.Errorf("%s: %v", name, short)
			}
			return err
		})
	}
}
