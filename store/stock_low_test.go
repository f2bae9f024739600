package store_test

import (
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// What nobody orders more of is not low: a service that an older version let have a
// level, and a deleted product of which a customer sent something back.
func TestWhatIsNeverLow(t *testing.T) {
	d := openDepot(t, "1")
	low := func() (ids []string) {
		d.read(d.who, func(v *store.View) error {
			rows, _, err := v.LowStock("", trade.Query{Limit: 50})
			for _, r := range rows {
				ids = append(ids, r.ProductID)
			}
			return err
		})
		return ids
	}
	p := d.product(d.who, trade.Product{Name: "Kalem", CriticalStock: quantity("5")})
	if ids := low(); len(ids) != 1 || ids[0] != p.ID {
		t.Fatalf("%q are low", ids)
	}
	sqlRow[int](d.book, "UPDATE products SET doc = json_set(doc, '$.type', 'SERVICE') WHERE id = ? RETURNING 1", p.ID)
	if ids := low(); len(ids) != 0 {
		t.Errorf("services are low: %q", ids)
	}

	p = d.product(d.who, trade.Product{Name: "Silgi", CriticalStock: quantity("5")})
	d.put(trade.Adjustment{ProductID: p.ID, Quantity: quantity("9")})
	sqlRow[int](d.book, "UPDATE products SET doc = json_set(doc, '$.deletedAt', '2026-09-15T09:00:00.000Z'), deleted_at = 1 WHERE id = ? RETURNING 1", p.ID)
	d.write(d.who, func(tx *store.Tx) error {
		_, err := tx.IssueGoods(trade.GoodsSlip{Lines: []trade.GoodsLine{{ProductID: p.ID, Quantity: *quantity("8")}}})
		return err
	})
	if n := sqlRow[int](d.book, "SELECT count(*) FROM events WHERE event = 'stock.low'"); n != 0 {
		t.Errorf("%d events tell of a deleted product", n)
	}
}
