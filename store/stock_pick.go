package store

import (
	"esnaf/store/money"
	"esnaf/store/trade"
)

// wish is what is to leave a warehouse.
type wish struct {
	field     string // for faults
	product   *trade.Product
	warehouse string
	quantity  money.Quantity
	lot       string   // "": first expired, first out
	serials   []string // nil: the oldest
	own       holds    // what the taker holds already
	ownLots   []string // those of own that have a name, in the order they leave
}

// holds is how much of the product the line of an order holds, by lot or serial
// number; "" is what it holds of any.
type holds map[string]money.Quantity

// pick finds the lots, or serial numbers, that a wish takes, none for a product that
// has neither. Of a lot past its day nothing is taken unless the lot is named, or held.
// short is set when there is not enough.
func (tx *Tx) pick(w *wish) (picks []lotMove, short *trade.Shortage, err error) {
	switch {
	case w.product.Tracking == trade.Untracked:
		return []lotMove{{quantity: w.quantity}}, nil, nil
	case w.lot != "":
		return []lotMove{{no: w.lot, quantity: w.quantity}}, nil, nil
	case len(w.serials) > 0:
		for _, s := range w.serials {
			picks = append(picks, lotMove{no: s, quantity: trade.Piece})
		}
		return picks, nil, nil
	}
	s, err := tx.shelf(w.product.ID, w.warehouse)
	if err != nil {
		return nil, nil, err
	}
	past, err := tx.pastTheirDay(w.product.ID, w.warehouse)
	if err != nil {
		return nil, nil, err
	}
	if picks, err = tx.unnamed(w); err != nil {
		return nil, nil, err
	}
	var have money.Quantity
	for _, l := range picks {
		have += l.quantity
	}
	own := w.own.sum()
	if have = min(have, s.free()-past+own); have < w.quantity { // others hold of any lot, too
		short = w.short(have, s.reserved-own, past)
	}
	return picks, short, nil
}

// short tells that there is less than w wants: of what lies there, others hold some, and
// some is in lots past their day.
func (w *wish) short(available, held, past money.Quantity) *trade.Shortage {
	return &trade.Shortage{
		Field: w.field, ProductID: w.product.ID, Code: w.product.Code, Name: w.product.Name,
		WarehouseID: w.warehouse, Wanted: w.quantity, Available: max(available, 0), Held: held, PastTheirDay: past,
	}
}

// perMovement puts picks into the movements that they become: one a lot, one for all
// serial numbers together.
func perMovement(p *trade.Product, picks []lotMove) (groups [][]lotMove) {
	if p.Tracking == trade.BySerial && len(picks) > 0 {
		return [][]lotMove{picks}
	}
	for i := range picks {
		groups = append(groups, picks[i:i+1])
	}
	return groups
}

// takeOut books what a wish takes and tells what that was: one movement a lot. What
// the taker holds is used up first. Too little is Conflict insufficient_stock.
func (tx *Tx) takeOut(kind trade.MovementType, w *wish, about trade.Movement) ([]trade.Movement, error) {
	picks, short, err := tx.pick(w)
	if err != nil {
		return nil, err
	}
	if short != nil {
		return nil, trade.Insufficient([]trade.Shortage{*short})
	}
	var all []trade.Movement
	for _, group := range perMovement(w.product, picks) {
		m := move{kind: kind, product: w.product, warehouse: w.warehouse, field: w.field, about: about}
		for i := range group {
			l := &group[i]
			named := w.own.use(l.no, l.quantity)
			m.held -= named + w.own.use("", l.quantity-named)
			m.quantity -= l.quantity
			l.quantity, l.held = -l.quantity, -named
		}
		if w.product.Tracking != trade.Untracked {
			m.lots = group
		}
		mv, err := tx.bookMove(m)
		if err != nil {
			return nil, err
		}
		all = append(all, mv)
	}
	return all, nil
}

// use takes at most want of what is held of a lot, and tells how much that was.
func (h holds) use(no string, want money.Quantity) money.Quantity {
	n := min(h[no], want)
	if n > 0 {
		h[no] -= n
	}
	return n
}

// sum is all that is held.
func (h holds) sum() (all money.Quantity) {
	for _, n := range h {
		all += n
	}
	return all
}

// bringIn books what comes, one movement for a lot or for all serial numbers. value is
// its cost, nil for the average.
func (tx *Tx) bringIn(kind trade.MovementType, w *wish, expires trade.Date, value *money.Amount, about trade.Movement) (trade.Movement, error) {
	m := move{kind: kind, product: w.product, warehouse: w.warehouse, quantity: w.quantity, value: value, field: w.field, about: about}
	switch {
	case w.quantity == 0:
	case w.product.Tracking == trade.ByLot:
		m.lots = []lotMove{{no: w.lot, expires: expires, quantity: w.quantity}}
	case w.product.Tracking == trade.BySerial:
		for _, s := range w.serials {
			m.lots = append(m.lots, lotMove{no: s, quantity: trade.Piece})
		}
	}
	return tx.bookMove(m)
}
