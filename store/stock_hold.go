package store

import (
	"esnaf/store/money"
	"esnaf/store/trade"
)

// reserve holds all parts for an order, or nothing: then short tells what there is
// too little of. Services are passed over.
func (tx *Tx) reserve(order string, parts []part) (short []trade.Shortage, err error) {
	claims := newClaims()
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

// claims is what the parts of an order before have claimed already, of a product in a
// warehouse: in all, of lots past their day, and of each lot or serial number.
type claims struct {
	all, past map[[2]string]money.Quantity
	lots      map[[3]string]money.Quantity
}

func newClaims() *claims {
	return &claims{map[[2]string]money.Quantity{}, map[[2]string]money.Quantity{}, map[[3]string]money.Quantity{}}
}

// claim counts a wish on what is free, without holding it, and tells what is short.
func (tx *Tx) claim(c *claims, w *wish) (*trade.Shortage, error) {
	s, err := tx.shelf(w.product.ID, w.warehouse)
	if err != nil {
		return nil, err
	}
	past, err := tx.unpromised(c, w)
	if err != nil {
		return nil, err
	}
	today, err := tx.today()
	if err != nil {
		return nil, err
	}
	at := [2]string{w.product.ID, w.warehouse}
	free := s.free() - c.all[at] - past
	named := w.named()
	var missing []string
	var expired money.Quantity
	for _, l := range named {
		there, err := tx.lot(w.product.ID, w.warehouse, l.no)
		if err != nil {
			return nil, err
		}
		if there.expired(today) {
			expired += l.held
		}
		if left := there.free() - c.lots[[3]string{w.product.ID, w.warehouse, l.no}]; left < l.held {
			free = min(free, w.quantity-l.held+max(left, 0))
			missing = append(missing, l.no)
		}
	}
	if free < w.quantity {
		lack := w.short(free, s.reserved, past)
		lack.Lots = missing
		return lack, nil
	}
	c.all[at] += w.quantity
	c.past[at] += expired
	for _, l := range named {
		c.lots[[3]string{w.product.ID, w.warehouse, l.no}] += l.held
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
func (tx *Tx) unpromised(c *claims, w *wish) (money.Quantity, error) {
	past, err := tx.pastTheirDay(w.product.ID, w.warehouse)
	if err != nil || past == 0 {
		return 0, err
	}
	if w.lot != "" {
		if own, err := tx.isPast(w.product.ID, w.warehouse, w.lot); err != nil || own {
			return 0, err
		}
	}
	return past - c.past[[2]string{w.product.ID, w.warehouse}], nil
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
	var row [5]any
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

// heldLine is what a line of an order holds of its product: read once for all the parts
// that it leaves in, which may be as many as its lots.
type heldLine struct {
	rows  []held    // the first held first
	named []heldLot // in the order the lots leave
}

// heldLot is a lot of which something is held by name.
type heldLot struct{ warehouse, no string }

// heldFor is what a line of an order holds of a product.
func (v *View) heldFor(order string, line int, product string) (*heldLine, error) {
	l := &heldLine{}
	var err error
	args := []any{v.who.Tenant, order, line, product}
	if l.rows, err = v.heldWhere("tenant = ? AND order_id = ? AND line = ? AND product = ?", args...); err != nil {
		return nil, err
	}
	var row [2]any
	err = v.each(row[:], heldLotsText, args, func() bool {
		l.named = append(l.named, heldLot{row[0].(string), row[1].(string)})
		return true
	})
	return l, err
}

// heldLotsText reads the lots that a line of an order holds by reservations_line and
// lots_lot.
const heldLotsText = `SELECT r.warehouse, r.lot FROM reservations r JOIN lots l ON l.tenant = r.tenant AND l.product = r.product AND l.warehouse = r.warehouse AND l.lot = r.lot
	WHERE r.tenant = ? AND r.order_id = ? AND r.line = ? AND r.product = ? ORDER BY l.good_until, l.n`

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
