package store

import (
	"errors"
	"slices"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// part is how much of a product an order's line wants, ships or gets back, in the
// product's unit.
type part struct {
	field     string // of the line, for faults: lines[0]
	line      int    // of the order, from 1
	product   string
	warehouse string
	quantity  money.Quantity
	lot       string   // "": first expired, first out
	serials   []string // nil: any
}

// taken is what left of one part, or came back: one element a lot. Of a product that
// is not tracked by lots, lot is "".
type taken struct {
	line      int
	warehouse string
	lot       string
	expires   trade.Date
	serials   []string
	quantity  money.Quantity
}

// issue takes parts out of stock for a shipment: what the order holds first, then
// what is free. Too little is Conflict insufficient_stock, one fault a part, by its
// field.
func (tx *Tx) issue(order, shipment string, parts []part) (out []taken, err error) {
	var faults []trade.Fault
	about := trade.Movement{OrderID: order, ShipmentID: shipment}
	lines := map[int]*heldLine{}
	for i := range parts {
		w, err := tx.wishOf(&parts[i], false)
		if err != nil {
			return nil, err
		}
		if w == nil {
			continue
		}
		l := lines[parts[i].line]
		if l == nil {
			if l, err = tx.heldFor(order, parts[i].line, w.product.ID); err != nil {
				return nil, err
			}
			lines[parts[i].line] = l
		}
		moved, err := tx.issueOne(order, l, w, about)
		if faults, err = gathered(faults, err); err != nil {
			return nil, err
		}
		for _, mv := range moved {
			out = append(out, taken{parts[i].line, mv.WarehouseID, mv.LotNo, mv.ExpiresAt, mv.SerialNos, -mv.Quantity})
		}
	}
	return out, tx.refused(faults)
}

// issueOne takes one part out of stock, and off what its line holds. Where the line holds
// other lots, or elsewhere, it needs as much less of those, which others may have.
func (tx *Tx) issueOne(order string, l *heldLine, w *wish, about trade.Movement) ([]trade.Movement, error) {
	rows := l.rows
	w.own = holds{}
	for _, h := range rows {
		if h.warehouse == w.warehouse && w.takes(h.lot) {
			w.own[h.lot] = h.quantity
		}
	}
	for _, h := range l.named {
		if h.warehouse == w.warehouse && w.own[h.no] > 0 {
			w.ownLots = append(w.ownLots, h.no)
		}
	}
	needless := max(w.quantity-w.own.sum(), 0)
	for i := len(rows) - 1; i >= 0; i-- {
		h := &rows[i]
		if h.warehouse == w.warehouse && w.takes(h.lot) {
			continue
		}
		n := min(needless, h.quantity)
		needless -= n
		if err := tx.giveBack(order, h, n); err != nil {
			return nil, err
		}
		h.quantity -= n
	}
	moved, err := tx.takeOut(trade.MoveShipment, w, about)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		h := &rows[i]
		if left, own := w.own[h.lot]; own && h.warehouse == w.warehouse && left != h.quantity {
			if err := tx.putHeld(order, h, left); err != nil {
				return nil, err
			}
			h.quantity = left
		}
	}
	return moved, nil
}

// takes tells whether a wish may be served from what is held of a lot or serial number,
// "" being any.
func (w *wish) takes(no string) bool {
	return no == "" || w.lot == no || slices.Contains(w.serials, no) || w.lot == "" && len(w.serials) == 0
}

// wishOf is a part with its product; nil for a service, which has no stock, and where
// the part itself is at fault. named says that lots and serial numbers must be given.
func (tx *Tx) wishOf(p *part, named bool) (*wish, error) {
	f := tx.Check().In(p.field)
	product, err := Products.Ever(&tx.View, p.product) // of an order, from when it was live
	if err != nil || product.Type != trade.Goods {
		return nil, err
	}
	if product.CheckTracked(f, p.quantity, p.lot, "", p.serials, named); f.Has("lotNo", "serialNos", "quantity") {
		return nil, nil
	}
	return &wish{field: p.field, product: &product, warehouse: p.warehouse, quantity: p.quantity, lot: p.lot, serials: p.serials}, nil
}

// putBack takes parts of a shipment back into stock at the cost they left with: where
// they came from, or into the default warehouse when that was deleted meanwhile, which
// the part then says. A part of a tracked product names its lot or its serial numbers.
func (tx *Tx) putBack(order, shipment string, parts []part) error {
	var faults []trade.Fault
	loads := map[string]*load{}
	for i := range parts {
		var err error
		if parts[i].warehouse, err = tx.liveOrMain(parts[i].warehouse); err != nil {
			return err
		}
		w, err := tx.wishOf(&parts[i], true)
		if err != nil {
			return err
		}
		if w == nil {
			continue
		}
		l := loads[w.product.ID]
		if l == nil {
			if l, err = tx.leftWith(shipment, w.product.ID); err != nil {
				return err
			}
			loads[w.product.ID] = l
		}
		_, err = tx.bringIn(trade.MoveReturn, w, l.expires[w.lot], l.costOf(w.quantity), trade.Movement{OrderID: order, ShipmentID: shipment})
		if faults, err = gathered(faults, err); err != nil {
			return err
		}
	}
	return tx.refused(faults)
}

// liveOrMain is the warehouse, or the default one when that was deleted.
func (tx *Tx) liveOrMain(warehouse string) (string, error) {
	there, err := tx.isLive(warehouse)
	if err != nil || there {
		return warehouse, err
	}
	main, err := tx.mainWarehouse()
	if err == nil && main == "" {
		err = trade.Fail(trade.Conflict, trade.WarehouseGone)
	}
	return main, err
}

// load is what left of a product with a shipment.
type load struct {
	quantity money.Quantity
	worth    money.Amount
	expires  map[string]trade.Date // by lot
}

// leftWith is what left of a product with a shipment.
func (tx *Tx) leftWith(shipment, product string) (*load, error) {
	l := &load{expires: map[string]trade.Date{}}
	var row [4]any
	err := tx.each(row[:], "SELECT quantity, value, lot, doc ->> '$.expiresAt' FROM movements WHERE tenant = ? AND source = ? AND product = ? AND type = 'SHIPMENT'",
		[]any{tx.who.Tenant, shipment, product}, func() bool {
			l.quantity -= money.Quantity(row[0].(int64))
			l.worth -= money.Amount(row[1].(int64))
			if day, ok := row[3].(string); ok {
				l.expires[row[2].(string)] = trade.Date(day)
			}
			return true
		})
	return l, err
}

// costOf is what so much of the goods had cost when they left; nil when none did.
func (l *load) costOf(quantity money.Quantity) *money.Amount {
	if l.quantity == 0 {
		return nil
	}
	return new(l.worth.Share(min(quantity, l.quantity), l.quantity))
}

// gathered puts the faults of a Conflict to those of the parts before, so that a
// caller sees all that is short at once. Any other error stays one.
func gathered(faults []trade.Fault, err error) ([]trade.Fault, error) {
	var e *trade.Error
	if errors.As(err, &e) && e.Kind == trade.Conflict && len(e.Faults) > 0 {
		return append(faults, e.Faults...), nil
	}
	return faults, err
}

// refused is the error of what a change of stock has found wrong, nil for nothing: the
// faults of the request come first.
func (tx *Tx) refused(faults []trade.Fault) error {
	if err := tx.Check().Err(); err != nil {
		return err
	}
	if len(faults) > 0 {
		return trade.Refused(faults)
	}
	return nil
}
