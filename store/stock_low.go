package store

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// watched is a product with a critical level whose stock this change moves, and what
// was available of it before.
type watched struct {
	product *trade.Product
	before  money.Quantity
}

// watch remembers what is available of a product before its stock first moves. Nobody
// orders more of a deleted one.
func (tx *Tx) watch(p *trade.Product) error {
	if p.CriticalStock == nil || p.DeletedAt != 0 || tx.levels[p.ID].product != nil {
		return nil
	}
	_, _, before, err := tx.totals(p.ID)
	if err != nil {
		return err
	}
	if tx.levels == nil {
		tx.levels = map[string]watched{}
	}
	tx.levels[p.ID] = watched{p, before}
	return nil
}

// tellLow tells of the products whose stock this change has brought below their
// critical level, all in one event. Those that were below it before are known.
func (tx *Tx) tellLow() error {
	var low []trade.LowStock
	for _, id := range slices.Sorted(maps.Keys(tx.levels)) {
		w := tx.levels[id]
		onHand, reserved, available, err := tx.totals(id)
		if err != nil {
			return err
		}
		if level := *w.product.CriticalStock; available < level && w.before >= level {
			low = append(low, lowStock(w.product, onHand, reserved))
		}
	}
	if len(low) == 0 {
		return nil
	}
	object, err := json.Marshal(trade.LowStocks{Products: low}, json.Deterministic(true))
	if err != nil {
		return err
	}
	return tx.emit(change{event: trade.EventStockLow, object: object, url: "/api/inventory/low"})
}

func lowStock(p *trade.Product, onHand, reserved money.Quantity) trade.LowStock {
	return trade.LowStock{
		ProductID: p.ID, Code: p.Code, Name: p.Name, Unit: p.Unit,
		OnHand: onHand, Reserved: reserved, Available: onHand - reserved, CriticalStock: *p.CriticalStock,
	}
}

// critical is the critical level of a product for its column, nil where it has none.
func critical(p *trade.Product) any {
	if p.CriticalStock == nil {
		return nil
	}
	return int64(*p.CriticalStock)
}

// LowStock lists the products of which less is available than their critical level,
// by id, and tells whether there are more.
func (v *View) LowStock(_ string, q trade.Query) (rows []trade.LowStock, more bool, err error) {
	after := ""
	if len(q.After) > 0 {
		after = q.After[0]
	}
	found, err := v.query(`SELECT p.doc, coalesce(sum(s.on_hand), 0), coalesce(sum(s.reserved), 0) FROM products p
		LEFT JOIN stock s ON s.tenant = p.tenant AND s.product = p.id
		WHERE p.tenant = ? AND p.critical IS NOT NULL AND p.deleted_at IS NULL AND p.id > ? AND p.doc ->> '$.type' = 'GOODS'
		GROUP BY p.id HAVING coalesce(sum(s.on_hand - s.reserved), 0) < p.critical ORDER BY p.id LIMIT ?`, v.who.Tenant, after, q.Limit+1)
	if err != nil {
		return nil, false, err
	}
	defer found.Close()
	for found.Next() {
		var doc []byte
		var onHand, reserved money.Quantity
		var p trade.Product
		if err := found.Scan(&doc, &onHand, &reserved); err != nil {
			return nil, false, err
		}
		if len(rows) == q.Limit {
			more = true
			break
		}
		if err := decode(doc, &p); err != nil {
			return nil, false, err
		}
		rows = append(rows, lowStock(&p, onHand, reserved))
	}
	return rows, more, found.Err()
}
