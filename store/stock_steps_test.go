package store

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// The steps of the walk through stock.

func (w *walk) receive(*rapid.T) {
	l, house, cost := w.line(false), w.house(), money.Price(rapid.Int64Range(0, 1_000_000_000).Draw(w.T, "cost"))
	l.UnitCost = &cost
	w.try(l.Quantity, 0, func(tx *Tx) error {
		_, err := tx.ReceiveGoods(trade.GoodsSlip{WarehouseID: house, Lines: []trade.GoodsLine{l}})
		return err
	})
}

func (w *walk) take(*rapid.T) {
	l, house := w.line(true), w.house()
	w.try(-l.Quantity, 0, func(tx *Tx) error {
		_, err := tx.IssueGoods(trade.GoodsSlip{WarehouseID: house, Lines: []trade.GoodsLine{l}})
		return err
	})
}

func (w *walk) transfer(*rapid.T) {
	l, from := w.line(true), rapid.IntRange(0, 1).Draw(w.T, "from")
	w.try(0, 0, func(tx *Tx) error {
		_, err := tx.TransferGoods(trade.GoodsTransfer{FromWarehouseID: w.houses[from], ToWarehouseID: w.houses[1-from], Lines: []trade.GoodsLine{l}})
		return err
	})
}

func (w *walk) adjustOnce(*rapid.T) {
	l, house := w.line(true), w.house()
	delta, day := l.Quantity, lotDays[l.LotNo]
	if rapid.Bool().Draw(w.T, "less") {
		delta, day = -delta, ""
	}
	w.try(delta, 0, func(tx *Tx) error {
		_, err := tx.AdjustStock(trade.Adjustment{
			ProductID: l.ProductID, WarehouseID: house, Quantity: &delta, Reason: trade.ReasonCorrection, LotNo: l.LotNo, SerialNos: l.SerialNos, ExpiresAt: day,
		})
		return err
	})
}

// count opens a sheet of one warehouse, counts one thing on it wrong and closes it.
func (w *walk) count(*rapid.T) {
	l, house := w.line(false), w.house()
	var differs money.Quantity
	w.try(0, 0, func(tx *Tx) error {
		doc, err := tx.CreateCount(trade.Count{WarehouseID: house, Lines: []trade.CountLine{{ProductID: l.ProductID, LotNo: l.LotNo, ExpiresAt: l.ExpiresAt}}})
		if err != nil {
			return err
		}
		c, err := Counts.Get(&tx.View, idOf(doc.JSON))
		if err != nil {
			return err
		}
		c.Lines[0].Counted, c.Lines[0].FoundNos = &l.Quantity, l.SerialNos
		differs = l.Quantity - c.Lines[0].Expected
		if _, err := tx.UpdateCount(c.ID, Any, c); err != nil {
			return err
		}
		if _, err = tx.CloseCount(c.ID); err == nil {
			w.onHand += differs
		}
		return err
	})
}

func (w *walk) hold(*rapid.T) {
	w.n++
	p, order := w.part(), fmt.Sprint("ord_", w.n)
	w.try(0, 0, func(tx *Tx) error {
		short, err := tx.reserve(order, []part{p})
		if err == nil && len(short) == 0 {
			w.orders[order] = p.quantity
			w.reserved += p.quantity
		}
		return err
	})
}

// free gives back all that one order holds, or all but a piece.
func (w *walk) free(*rapid.T) {
	order := w.anOrder()
	keep := min(w.orders[order], trade.Piece*money.Quantity(rapid.IntRange(0, 1).Draw(w.T, "keep")))
	w.try(0, keep-w.orders[order], func(tx *Tx) error { return tx.trim(order, 1, keep) })
	w.orders[order] = keep
}

func (w *walk) anOrder() string {
	if len(w.orders) == 0 {
		return "ord_none"
	}
	return rapid.SampledFrom(slices.Sorted(maps.Keys(w.orders))).Draw(w.T, "order")
}

// ship takes for an order that may hold some of it, all of it or nothing.
func (w *walk) ship(*rapid.T) {
	w.n++
	order, p, id := w.anOrder(), w.part(), fmt.Sprint("shp_", w.n)
	var left []taken
	var rest money.Quantity
	done := w.try(-p.quantity, 0, func(tx *Tx) (err error) {
		if left, err = tx.issue(order, id, []part{p}); err != nil {
			return err
		}
		rows, err := tx.heldWhere("tenant = ? AND order_id = ?", tx.who.Tenant, order)
		for _, h := range rows {
			rest += h.quantity
		}
		return err
	})
	if !done {
		return
	}
	if _, known := w.orders[order]; known {
		w.reserved += rest - w.orders[order]
		w.orders[order] = rest
	}
	w.shipments = append(w.shipments, shipped{id, p, left})
	sum := money.Quantity(0)
	for _, t := range left {
		sum += t.quantity
	}
	if sum != p.quantity {
		w.Fatalf("of %s, %s was taken", p.quantity, sum)
	}
}

// comeBack returns one lot of a shipment, once.
func (w *walk) comeBack(*rapid.T) {
	if len(w.shipments) == 0 {
		return
	}
	last := len(w.shipments) - 1
	s := &w.shipments[last]
	t := s.left[0]
	p := s.part
	p.quantity, p.lot, p.serials = t.quantity, t.lot, t.serials
	w.try(p.quantity, 0, func(tx *Tx) error { return tx.putBack("", s.id, []part{p}) })
	if s.left = s.left[1:]; len(s.left) == 0 {
		w.shipments = w.shipments[:last]
	}
}
