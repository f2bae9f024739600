package store

import (
	"strings"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// AdjustStock changes what there is of one product in one warehouse, and answers with
// the movement. Services are a fault. Below zero, or below what is held for orders, is
// Conflict insufficient_stock.
func (tx *Tx) AdjustStock(in trade.Adjustment) (Doc, error) {
	f := tx.Check()
	in.Check(f)
	p, err := tx.goodsOf(f, in.ProductID, false)
	if err != nil {
		return Doc{}, err
	}
	house, err := tx.warehouseOf("warehouseId", in.WarehouseID)
	if err != nil {
		return Doc{}, err
	}
	if p == nil || house == nil || f.Has("quantity", "countedQuantity") {
		return Doc{}, f.Err()
	}
	w := wish{field: "quantity", product: p, warehouse: house.ID, lot: in.LotNo, serials: in.SerialNos}
	delta, err := tx.deltaOf(&w, &in)
	if err != nil {
		return Doc{}, err
	}
	mv, err := tx.adjust(&w, delta, in)
	if err != nil {
		return Doc{}, err
	}
	return tx.adjusted(mv, mv.ID, mv.Version)
}

// deltaOf is how much more an adjustment wants there to be.
func (tx *Tx) deltaOf(w *wish, in *trade.Adjustment) (money.Quantity, error) {
	if in.CountedQuantity == nil {
		return *in.Quantity, nil
	}
	w.field = "countedQuantity"
	if w.product.Tracking == trade.ByLot {
		tx.Check().Required("lotNo", in.LotNo) // what is counted is a lot
		l, err := tx.lot(w.product.ID, w.warehouse, in.LotNo)
		return *in.CountedQuantity - l.onHand, err
	}
	s, err := tx.shelf(w.product.ID, w.warehouse)
	return *in.CountedQuantity - s.onHand, err
}

// adjust books an adjustment by delta as one movement.
func (tx *Tx) adjust(w *wish, delta money.Quantity, in trade.Adjustment) (mv trade.Movement, err error) {
	f := tx.Check()
	w.quantity = max(delta, -delta)
	comes := delta > 0
	in.CheckReason(f, delta)
	w.product.CheckTracked(f, w.quantity, w.lot, in.ExpiresAt, w.serials, comes)
	if delta < 0 && in.UnitCost != nil {
		f.Add("unitCost", trade.CostNotTaken)
	}
	if w.product.Tracking == trade.BySerial && delta < 0 {
		f.Required("serialNos", strings.Join(w.serials, "")) // by hand, nobody guesses which
	}
	if err := tx.fitsLot(f, w, in.ExpiresAt, earlier{}); err != nil {
		return mv, err
	}
	var value *money.Amount
	if comes && in.UnitCost != nil {
		value = new(tx.costOf("unitCost", *in.UnitCost, w.quantity))
	}
	if err := f.Err(); err != nil {
		return mv, err
	}
	kind := trade.MoveAdjustment
	if in.Reason == trade.ReasonCount {
		kind = trade.MoveCount
	}
	about := trade.Movement{Reason: in.Reason, Note: in.Note}
	if delta >= 0 {
		about.LotNo = w.lot // that it was counted is worth a row, even if it was right
		return tx.bringIn(kind, w, in.ExpiresAt, value, about)
	}
	if w.product.Tracking == trade.ByLot && w.lot == "" {
		if w.lot, err = tx.firstLot(w); err != nil {
			return mv, err
		}
	}
	all, err := tx.takeOut(kind, w, about)
	if err != nil {
		return mv, err
	}
	return all[0], nil
}

// firstLot is the lot of which a wish that names none takes: the first to expire, of
// those not past their day. One adjustment is one movement, so one lot has to do.
func (tx *Tx) firstLot(w *wish) (string, error) {
	one := *w
	one.quantity = 1
	picks, short, err := tx.pick(&one)
	if err == nil && short != nil {
		short.Wanted = w.quantity
		err = trade.Insufficient([]trade.Shortage{*short})
	}
	if err != nil {
		return "", err
	}
	return picks[0].no, nil
}
