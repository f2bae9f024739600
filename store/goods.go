package store

import (
	"fmt"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// fitsLot refuses another expiry for a lot that is in stock.
func (tx *Tx) fitsLot(f *trade.Check, w *wish, expires trade.Date) error {
	if w.lot == "" || expires == "" {
		return nil
	}
	there, known, err := tx.lotAnywhere(w.product.ID, w.lot)
	if there && known != expires {
		day := trade.Phrase{string(known), string(known)}
		if known == "" {
			day = trade.Phrase{"no day", "hiçbir gün"}
		}
		f.Add("expiresAt", trade.LotExpiry, w.lot, day)
	}
	return err
}

// goodsOf finds the product of an id for stock: nil when there is none, or it is a
// service, which is a fault.
func (tx *Tx) goodsOf(f *trade.Check, id string) (*trade.Product, error) {
	if id == "" {
		f.Required("productId", "")
		return nil, nil
	}
	p, ok, err := Products.Find(tx, f, "productId", id)
	if !ok {
		return nil, err
	}
	if p.Type != trade.Goods {
		f.Add("productId", trade.NotStocked)
		return nil, nil
	}
	return &p, nil
}

// ReceiveGoods brings goods into a warehouse and answers with the movements, one a
// lot, as trade.Movements.
func (tx *Tx) ReceiveGoods(in trade.GoodsSlip) (Doc, error) {
	return tx.slip(in, func(w *wish, l *trade.GoodsLine, about trade.Movement) ([]trade.Movement, error) {
		var value *money.Amount
		if l.UnitCost != nil {
			value = new(tx.costOf(w.field, *l.UnitCost, l.Quantity))
		}
		mv, err := tx.bringIn(trade.MoveReceipt, w, l.ExpiresAt, value, about)
		return []trade.Movement{mv}, err
	}, true)
}

// IssueGoods takes goods out of a warehouse other than for an order (sarf), and answers
// with the movements, one a lot, as trade.Movements.
func (tx *Tx) IssueGoods(in trade.GoodsSlip) (Doc, error) {
	return tx.slip(in, func(w *wish, _ *trade.GoodsLine, about trade.Movement) ([]trade.Movement, error) {
		return tx.takeOut(trade.MoveIssue, w, about)
	}, false)
}

// mover books one line of a slip.
type mover func(*wish, *trade.GoodsLine, trade.Movement) ([]trade.Movement, error)

// slip books the lines of goods that come or leave.
func (tx *Tx) slip(in trade.GoodsSlip, book mover, comes bool) (Doc, error) {
	house, err := tx.warehouseOf("warehouseId", in.WarehouseID)
	if err != nil {
		return Doc{}, err
	}
	if house == nil {
		house = &trade.Warehouse{}
	}
	return tx.moveAll(in.Note, in.Lines, house.ID, comes, trade.Movement{Note: in.Note}, book)
}

// TransferGoods moves goods from one warehouse to another, cost, lots and serial
// numbers and all. Each line is two movements a lot.
func (tx *Tx) TransferGoods(in trade.GoodsTransfer) (Doc, error) {
	f := tx.Check()
	f.Required("fromWarehouseId", in.FromWarehouseID)
	f.Required("toWarehouseId", in.ToWarehouseID)
	for _, end := range []struct{ field, id string }{{"fromWarehouseId", in.FromWarehouseID}, {"toWarehouseId", in.ToWarehouseID}} {
		if end.id == "" {
			continue
		}
		if _, _, err := Warehouses.Find(tx, f, end.field, end.id); err != nil {
			return Doc{}, err
		}
	}
	if in.FromWarehouseID == in.ToWarehouseID {
		f.Add("toWarehouseId", trade.SameWarehouse, "fromWarehouseId")
	}
	about := trade.Movement{Note: in.Note, OtherWarehouseID: in.ToWarehouseID}
	return tx.moveAll(in.Note, in.Lines, in.FromWarehouseID, false, about, func(w *wish, _ *trade.GoodsLine, about trade.Movement) ([]trade.Movement, error) {
		left, err := tx.takeOut(trade.MoveTransfer, w, about)
		all := left
		about.OtherWarehouseID = in.FromWarehouseID
		for _, mv := range left {
			to := wish{field: w.field, product: w.product, warehouse: in.ToWarehouseID, quantity: -mv.Quantity, lot: mv.LotNo, serials: mv.SerialNos}
			came, err := tx.bringIn(trade.MoveTransfer, &to, mv.ExpiresAt, new(-mv.Value), about)
			if err != nil {
				return nil, err
			}
			all = append(all, came)
		}
		return all, err
	})
}

// moveAll judges lines and books each of them. What is short of any is told at once.
func (tx *Tx) moveAll(note string, lines []trade.GoodsLine, warehouse string, comes bool, about trade.Movement, book mover) (Doc, error) {
	f := tx.Check()
	if !trade.CheckGoods(f, note, lines) {
		return Doc{}, f.Err()
	}
	wishes := make([]*wish, len(lines))
	for i := range lines {
		l, in := &lines[i], f.In(fmt.Sprintf("lines[%d]", i))
		p, err := tx.goodsOf(in, l.ProductID)
		if err != nil {
			return Doc{}, err
		}
		if p == nil {
			continue
		}
		wishes[i] = &wish{field: fmt.Sprintf("lines[%d].quantity", i), product: p, warehouse: warehouse, quantity: l.Quantity, lot: l.LotNo, serials: l.SerialNos}
		p.CheckTracked(in, l.Quantity, l.LotNo, l.ExpiresAt, l.SerialNos, comes)
		if !comes && l.UnitCost != nil {
			in.Add("unitCost", trade.CostNotTaken)
		}
		if err := tx.fitsLot(in, wishes[i], l.ExpiresAt); err != nil {
			return Doc{}, err
		}
	}
	if err := f.Err(); err != nil {
		return Doc{}, err
	}
	var out trade.Movements
	var faults []trade.Fault
	for i, w := range wishes {
		moved, err := book(w, &lines[i], about)
		if faults, err = gathered(faults, err); err != nil {
			return Doc{}, err
		}
		out.Movements = append(out.Movements, moved...)
	}
	if err := tx.refused(faults); err != nil {
		return Doc{}, err
	}
	return tx.adjusted(out, "", 0)
}

// adjusted tells that stock was adjusted. The event's object is what the change answers
// with.
func (tx *Tx) adjusted(out any, id string, version int64) (Doc, error) {
	doc, err := encode(out)
	if err != nil {
		return Doc{}, err
	}
	url := "/api/inventory/movements"
	if id != "" {
		url += "/" + id
	}
	return Doc{version, doc}, tx.emit(change{event: trade.EventStockAdjusted, object: doc, url: url})
}
