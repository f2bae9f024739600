package store

import (
	"fmt"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// earlier is what the lines of a slip before one have said.
type earlier struct {
	days    map[[2]string]trade.Date // of the lots that are not in stock yet, by product and number
	serials map[[2]string]bool
}

// fitsLot refuses another expiry for a lot that is in stock, or that the slip has named
// before: of one lot, all goes off on the same day.
func (tx *Tx) fitsLot(f *trade.Check, w *wish, expires trade.Date, said earlier) error {
	if w.lot == "" || expires == "" && said.days == nil {
		return nil
	}
	there, known, err := tx.lotAnywhere(w.product.ID, w.lot)
	if err != nil {
		return err
	}
	if !there {
		key := [2]string{w.product.ID, w.lot}
		if known, there = said.days[key]; !there && said.days != nil {
			said.days[key] = expires
		}
	}
	if there && expires != "" && known != expires {
		day := trade.Phrase{string(known), string(known)}
		if known == "" {
			day = trade.Phrase{"none", "yok"}
		}
		f.Add("expiresAt", trade.LotExpiry, w.lot, day)
	}
	return nil
}

// fitsSerials refuses a serial number that the slip has named before: it is on one piece.
func fitsSerials(f *trade.Check, w *wish, said earlier) {
	if w.product.Tracking != trade.BySerial {
		return
	}
	for i, s := range w.serials {
		key := [2]string{w.product.ID, s}
		if said.serials[key] {
			f.Add(fmt.Sprintf("serialNos[%d]", i), trade.GivenTwice)
		}
		said.serials[key] = true
	}
}

// goodsOf finds the product of an id for stock: nil when there is none, or it is a
// service, which is a fault. Nothing more is received of a deleted one.
func (tx *Tx) goodsOf(f *trade.Check, id string, received bool) (*trade.Product, error) {
	if id == "" {
		f.Required("productId", "")
		return nil, nil
	}
	find := tx.stockCard
	if received {
		find = func(id string) (trade.Product, error) { return Products.Get(&tx.View, id) }
	}
	p, err := find(id)
	if err != nil {
		return nil, amiss(f, "productId", err)
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
	said := earlier{map[[2]string]trade.Date{}, map[[2]string]bool{}}
	for i := range lines {
		l, in := &lines[i], f.In(fmt.Sprintf("lines[%d]", i))
		p, err := tx.goodsOf(in, l.ProductID, comes)
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
		if err := tx.fitsLot(in, wishes[i], l.ExpiresAt, said); err != nil {
			return Doc{}, err
		}
		fitsSerials(in, wishes[i], said)
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
