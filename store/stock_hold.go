package store

import (
	"database/sql/driver"
	"slices"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// reserve holds all parts for an order, or nothing: then short tells what there is
// too little of. Services are passed over.
func (tx *Tx) reserve(order string, parts []part) (short []trade.Shortage, err error) {
	claims := claims{}
	wishes := make([]*wish, len(parts))
	for i := range parts {
		w, err := tx.wishOf(&parts[i], false)
		if err != nil {
			return nil, err
		}
		if wishes[i] = w; w == nil {
			continue
		}
		lack, err := tx.claim(claims, w)
		if err != nil {
			return nil, err
		}
		if lack != nil {
			lack.Line = parts[i].line
			short = append(short, *lack)
		}
	}
	if err := tx.Check().Err(); err != nil || len(short) > 0 {
		return short, err
	}
	for i, w := range wishes {
		if w == nil {
			continue
		}
		if err := tx.hold(order, parts[i].line, w); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// claims is what the parts of an order before have claimed already: of a product in
// a warehouse, and of a lot or serial number there.
type claims map[[3]string]money.Quantity

// claim counts a wish on what is free, without holding it, and tells what is short.
func (tx *Tx) claim(c claims, w *wish) (*trade.Shortage, error) {
	s, err := tx.shelf(w.product.ID, w.warehouse)
	if err != nil {
		return nil, err
	}
	past, err := tx.unpromised(c, w)
	if err != nil {
		return nil, err
	}
	all := [3]string{w.product.ID, w.warehouse, ""}
	free := s.free() - c[all] - past
	named := w.named()
	var missing []string
	for _, l := range named {
		there, err := tx.lot(w.product.ID, w.warehouse, l.no)
		if err != nil {
			return nil, err
		}
		if left := there.free() - c[[3]string{w.product.ID, w.warehouse, l.no}]; left < l.held {
			free = min(free, w.quantity-l.held+max(left, 0))
			missing = append(missing, l.no)
		}
	}
	if free < w.quantity {
		lack := w.short(free, s.reserved, past)
		lack.Lots = missing
		return lack, nil
	}
	c[all] += w.quantity
	for _, l := range named {
		c[[3]string{w.product.ID, w.warehouse, l.no}] += l.held
	}
	return nil, nil
}

// named are the lots or serial numbers that a wish names, to be held.
func (w *wish) named() (all []lotMove) {
	if w.lot != "" {
		return []lotMove{{no: w.lot, held: w.quantity}}
	}
	for _, s := range w.serials {
		all = append(all, lotMove{no: s, held: trade.Piece})
	}
	return all
}

// unpromised is how much is free of lots past their day and not claimed by name: it is
// no good to anybody who does not name such a lot.
func (tx *Tx) unpromised(c claims, w *wish) (sum money.Quantity, err error) {
	if w.product.Tracking != trade.ByLot {
		return 0, nil
	}
	lots, err := tx.pastTheirDay(w.product.ID, w.warehouse)
	for i := range lots {
		if lots[i].no == w.lot {
			return 0, err
		}
		sum += lots[i].free() - c[[3]string{w.product.ID, w.warehouse, lots[i].no}]
	}
	return sum, err
}

// pastTheirDay are the lots of a product that have expired.
func (tx *Tx) pastTheirDay(product, warehouse string) ([]lot, error) {
	today, err := tx.today()
	if err != nil {
		return nil, err
	}
	lots, err := tx.lots(product, warehouse)
	return slices.DeleteFunc(lots, func(l lot) bool { return !l.expired(today) }), err
}

// hold books what a line of an order holds from now on.
func (tx *Tx) hold(order string, line int, w *wish) error {
	m := move{kind: trade.MoveReservation, product: w.product, warehouse: w.warehouse, held: w.quantity, lots: w.named(), field: w.field, about: trade.Movement{OrderID: order}}
	if _, err := tx.bookMove(m); err != nil {
		return err
	}
	if m.lots == nil {
		m.lots = []lotMove{{held: w.quantity}}
	}
	for _, l := range m.lots {
		h := held{line, w.product.ID, w.warehouse, l.no, 0}
		rows, err := tx.heldWhere("tenant = ? AND order_id = ? AND line = ? AND product = ? AND warehouse = ? AND lot = ?", tx.who.Tenant, order, line, h.product, h.warehouse, h.lot)
		if err != nil {
			return err
		}
		for _, r := range rows { // held before: it is more now
			h.quantity = r.quantity
		}
		if err := tx.putHeld(order, &h, h.quantity+l.held); err != nil {
			return err
		}
	}
	return nil
}

// release gives back whatever an order still holds.
func (tx *Tx) release(order string) error {
	return tx.trimWhere(order, "", 0, 0)
}

// trim gives back what a line of an order holds beyond most, wherever it does.
func (tx *Tx) trim(order string, line int, most money.Quantity) error {
	return tx.trimWhere(order, " AND line = ?", line, most)
}

// held is one row of what orders hold.
type held struct {
	line                    int
	product, warehouse, lot string
	quantity                money.Quantity
}

// trimWhere gives back what an order holds beyond most in the rows that cond with its
// argument chooses, the last held first.
func (tx *Tx) trimWhere(order, cond string, arg int, most money.Quantity) error {
	args := []any{tx.who.Tenant, order}
	if cond != "" {
		args = append(args, arg)
	}
	rows, err := tx.heldWhere("tenant = ? AND order_id = ?"+cond, args...)
	if err != nil {
		return err
	}
	for i := range rows {
		keep := min(most, rows[i].quantity)
		most -= keep
		if err := tx.giveBack(order, &rows[i], rows[i].quantity-keep); err != nil {
			return err
		}
	}
	return nil
}

func (v *View) heldWhere(cond string, args ...any) (rows []held, err error) {
	var row [5]driver.Value
	err = v.each(row[:], "SELECT line, product, warehouse, lot, quantity FROM reservations WHERE "+cond+" ORDER BY n", args, func() bool {
		rows = append(rows, held{int(row[0].(int64)), row[1].(string), row[2].(string), row[3].(string), money.Quantity(row[4].(int64))})
		return true
	})
	return rows, err
}

// heldOf are what a line of an order holds, the first held first.
func (v *View) heldOf(order string, line int) ([]held, error) {
	return v.heldWhere("tenant = ? AND order_id = ? AND line = ?", v.who.Tenant, order, line)
}

// giveBack books that an order no longer holds quantity of what it held.
func (tx *Tx) giveBack(order string, h *held, quantity money.Quantity) error {
	if quantity == 0 {
		return nil
	}
	p, err := Products.Ever(&tx.View, h.product)
	if err != nil {
		return err
	}
	m := move{kind: trade.MoveRelease, product: &p, warehouse: h.warehouse, held: -quantity, about: trade.Movement{OrderID: order}}
	if h.lot != "" {
		m.lots = []lotMove{{no: h.lot, held: -quantity}}
	}
	if _, err := tx.bookMove(m); err != nil {
		return err
	}
	return tx.putHeld(order, h, h.quantity-quantity)
}

// putHeld stores how much a line of an order holds.
func (tx *Tx) putHeld(order string, h *held, quantity money.Quantity) (err error) {
	key := []any{tx.who.Tenant, order, h.line, h.product, h.warehouse, h.lot}
	if quantity == 0 {
		_, err = tx.exec("DELETE FROM reservations WHERE tenant = ? AND order_id = ? AND line = ? AND product = ? AND warehouse = ? AND lot = ?", key...)
		return err
	}
	_, err = tx.exec(`INSERT INTO reservations (tenant, order_id, line, product, warehouse, lot, quantity) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (tenant, order_id, line, product, warehouse, lot) DO UPDATE SET quantity = excluded.quantity`, append(key, int64(quantity))...)
	return err
}
