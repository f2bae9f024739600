package store

import (
	"cmp"
	"fmt"
	"slices"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// CreateCount opens a counting sheet of what lies in a warehouse, or of the products
// that its lines name. What another open sheet counts there is Conflict count_open.
func (tx *Tx) CreateCount(c trade.Count) (Doc, error) {
	house, err := tx.warehouseOf("warehouseId", c.WarehouseID)
	if err != nil {
		return Doc{}, err
	}
	today, err := tx.today()
	if err != nil {
		return Doc{}, err
	}
	if house == nil {
		house = &trade.Warehouse{}
	}
	c.WarehouseID, c.Date, c.Status = house.ID, today, trade.CountOpen
	if c.Whole = c.Lines == nil; c.Whole {
		if c.Lines, err = tx.allIn(house.ID); err != nil {
			return Doc{}, err
		}
	} else if len(c.Lines) == 0 {
		trade.NamesNone(tx.Check(), "lines")
	}
	if err := tx.prepareCount(&c, nil); err != nil {
		return Doc{}, err
	}
	if err := tx.countedOnce(&c); err != nil {
		return Doc{}, err
	}
	return Counts.Create(tx, &c)
}

// UpdateCount replaces the lines and notes of an open counting sheet whose version
// match allows. What was expected of a line stays; a line that is new is expected as
// the books have it now. Naming another warehouse is a fault.
func (tx *Tx) UpdateCount(id string, match Match, c trade.Count) (Doc, error) {
	was, old, err := current(tx, Counts, id, match)
	if err != nil {
		return Doc{}, err
	}
	if _, err := trade.CountMoves.Next(old.Status, trade.EditCount); err != nil {
		return Doc{}, err
	}
	if err := tx.sameWarehouse(c.WarehouseID, old.WarehouseID); err != nil {
		return Doc{}, err
	}
	c.Keep(&old)
	if err := tx.prepareCount(&c, old.Lines); err != nil {
		return Doc{}, err
	}
	if err := tx.countedOnce(&c); err != nil {
		return Doc{}, err
	}
	return Counts.Replace(tx, was, &old, &c)
}

// countedOnce refuses a sheet that counts what another open one of its warehouse counts.
func (tx *Tx) countedOnce(c *trade.Count) error {
	open, err := tx.openCounts(c.WarehouseID)
	if err != nil {
		return err
	}
	for i := range open {
		if field := c.Meets(&open[i]); open[i].ID != c.ID && field != "" {
			return trade.Refused([]trade.Fault{{Field: field, Code: trade.CountOpenAlready, Args: []any{open[i].ID}}})
		}
	}
	return nil
}

// openCounts are the open sheets of a warehouse, the oldest first.
func (v *View) openCounts(warehouse string) (all []trade.Count, err error) {
	var row [1]any
	var wrong error
	err = v.each(row[:], "SELECT doc FROM counts WHERE tenant = ? AND warehouse = ? AND status = 'OPEN' AND deleted_at IS NULL ORDER BY n", []any{v.who.Tenant, warehouse}, func() bool {
		var c trade.Count
		wrong = decode([]byte(row[0].(string)), &c)
		all = append(all, c)
		return wrong == nil
	})
	return all, cmp.Or(err, wrong)
}

// sameWarehouse finds fault with a warehouse other than the sheet's own.
func (tx *Tx) sameWarehouse(id, own string) error {
	if id == "" || id == own {
		return nil
	}
	w, err := tx.warehouseOf("warehouseId", id)
	if w != nil {
		tx.Check().Add("warehouseId", trade.BadCode, id, own)
	}
	return err
}

// prepareCount judges the lines of a sheet and fills what was expected of them.
func (tx *Tx) prepareCount(c *trade.Count, known []trade.CountLine) error {
	f := tx.Check()
	if !c.Fits(f, known) {
		return f.Err()
	}
	c.Trim(f)
	before := map[[2]string]*trade.CountLine{}
	for i := range known {
		before[known[i].Key()] = &known[i]
	}
	products := map[string]*trade.Product{}
	serials, room := map[string][]string{}, trade.Expectable(known)
	for i := range c.Lines {
		l, in := &c.Lines[i], f.In(fmt.Sprintf("lines[%d]", i))
		if products[l.ProductID] == nil {
			p, err := tx.goodsOf(in, l.ProductID, false)
			if err != nil {
				return err
			}
			if p == nil {
				continue
			}
			products[l.ProductID] = p
		}
		p := products[l.ProductID]
		n, err := tx.serialsOf(c.WarehouseID, p, before[l.Key()], serials)
		if err != nil {
			return err
		}
		if room -= n; room < 0 { // before they are read
			trade.TooManyExpected(f, i)
			return f.Err()
		}
		if err := tx.expect(c.WarehouseID, l, p, before[l.Key()], serials); err != nil {
			return err
		}
		if l.Expected > 0 {
			continue
		}
		if err := tx.fitsLot(in, &wish{product: p, lot: l.LotNo}, l.ExpiresAt, earlier{}); err != nil {
			return err
		}
	}
	c.Check(f, products)
	return f.Err()
}

// serialsOf is how many serial numbers a line expects that no line before it did.
func (tx *Tx) serialsOf(warehouse string, p *trade.Product, before *trade.CountLine, serials map[string][]string) (int, error) {
	switch _, again := serials[p.ID]; {
	case before != nil:
		return len(before.SerialNos), nil
	case again || p.Tracking != trade.BySerial:
		return 0, nil
	}
	s, err := tx.shelf(p.ID, warehouse)
	return int(s.onHand / trade.Piece), err
}

// expect fills what the books have of a line, or had when it was opened. serials are the
// serial numbers by product that were read before: a sheet that names a product on every
// line is refused only once all of them were looked at.
func (tx *Tx) expect(warehouse string, l *trade.CountLine, p *trade.Product, before *trade.CountLine, serials map[string][]string) error {
	if before != nil {
		l.Expected, l.SerialNos = before.Expected, before.SerialNos
		if l.Expected > 0 {
			l.ExpiresAt = before.ExpiresAt
		}
		return nil
	}
	l.Expected, l.SerialNos = 0, nil
	switch p.Tracking {
	case trade.ByLot:
		there, err := tx.lot(p.ID, warehouse, l.LotNo)
		if l.Expected = there.onHand; there.onHand > 0 {
			l.ExpiresAt = there.expires
		}
		return err
	case trade.BySerial:
		nos, known := serials[p.ID]
		if !known {
			lots, err := tx.lots(p.ID, warehouse)
			if err != nil {
				return err
			}
			for _, s := range lots {
				nos = append(nos, s.no)
			}
			serials[p.ID] = nos
		}
		l.SerialNos, l.Expected = nos, pieces(nos)
		return nil
	}
	s, err := tx.shelf(p.ID, warehouse)
	l.Expected = s.onHand
	return err
}

// allIn are lines for all that lies in a warehouse: one a product, or one a lot.
func (tx *Tx) allIn(warehouse string) (lines []trade.CountLine, err error) {
	rows, err := tx.query(`SELECT p.id, coalesce(l.lot, '') FROM stock s JOIN products p ON p.id = s.product
		LEFT JOIN lots l ON l.tenant = s.tenant AND l.product = s.product AND l.warehouse = s.warehouse AND l.serial = 0
		WHERE s.tenant = ? AND s.warehouse = ? AND s.on_hand > 0 ORDER BY p.code, l.lot LIMIT ?`, tx.who.Tenant, warehouse, trade.MaxCounted+1)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var l trade.CountLine
		if err := rows.Scan(&l.ProductID, &l.LotNo); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, rows.Err()
}

// CancelCount gives a counting sheet up; nothing is booked.
func (tx *Tx) CancelCount(id string) (Doc, error) {
	return tx.endCount(id, trade.CancelCount, func(*trade.Count) error { return nil })
}

// CloseCount books the differences of what was counted as COUNT movements, and tells
// of them once. What would leave less than is held for orders is Conflict
// insufficient_stock, and a warehouse that was deleted warehouse_deleted.
func (tx *Tx) CloseCount(id string) (Doc, error) {
	return tx.endCount(id, trade.CloseCount, func(c *trade.Count) error {
		if there, err := tx.isLive(c.WarehouseID); err != nil || !there {
			return cmp.Or(err, error(trade.Fail(trade.Conflict, trade.WarehouseGone)))
		}
		var out trade.Movements
		var faults []trade.Fault
		for i := range c.Lines {
			moved, err := tx.closeLine(c, i)
			if faults, err = gathered(faults, err); err != nil {
				return err
			}
			out.Movements = append(out.Movements, moved...)
		}
		if err := tx.refused(faults); err != nil || len(out.Movements) == 0 {
			return err
		}
		_, err := tx.adjusted(out, "", 0)
		return err
	})
}

func (tx *Tx) endCount(id string, action trade.CountAction, book func(*trade.Count) error) (Doc, error) {
	was, c, err := current(tx, Counts, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := c
	if err := c.Move(action); err != nil {
		return Doc{}, err
	}
	if err := book(&c); err != nil {
		return Doc{}, err
	}
	return Counts.Move(tx, string(action), "", was, &old, &c)
}

// closeLine books the difference of one line: what is missing leaves, what is too much
// comes at the average cost. Of serial numbers both can be.
func (tx *Tx) closeLine(c *trade.Count, i int) (all []trade.Movement, err error) {
	l := &c.Lines[i]
	if l.Counted == nil {
		return nil, nil
	}
	in := tx.Check().In(fmt.Sprintf("lines[%d]", i))
	p, err := tx.goodsOf(in, l.ProductID, false)
	if p == nil {
		return nil, err
	}
	w := wish{field: fmt.Sprintf("lines[%d].counted", i), product: p, warehouse: c.WarehouseID, lot: l.LotNo}
	about := trade.Movement{Reason: trade.ReasonCount, CountID: c.ID}
	less, more := w, w
	less.quantity, more.quantity = max(-*l.Difference, 0), max(*l.Difference, 0)
	if p.Tracking == trade.BySerial {
		less.serials, more.serials = l.Missing()
		less.quantity, more.quantity = pieces(less.serials), pieces(more.serials)
	}
	leave, come := inParts(less), inParts(more)
	for _, part := range leave {
		p.CheckTracked(in, part.quantity, l.LotNo, "", part.serials, part.quantity > 0) // tracking may have changed
	}
	for _, part := range come {
		p.CheckTracked(in, part.quantity, l.LotNo, l.ExpiresAt, part.serials, part.quantity > 0)
	}
	if in.Has("lotNo", "serialNos", "expiresAt", "quantity") {
		return nil, nil
	}
	for _, part := range leave {
		if part.quantity == 0 {
			break
		}
		moved, err := tx.takeOut(trade.MoveCount, &part, about)
		if err != nil {
			return nil, err
		}
		all = append(all, moved...)
	}
	for _, part := range come {
		if part.quantity == 0 {
			break
		}
		mv, err := tx.bringIn(trade.MoveCount, &part, l.ExpiresAt, nil, about)
		if err != nil {
			return nil, err
		}
		all = append(all, mv)
	}
	return all, nil
}

// inParts are wishes of as many serial numbers as a movement has.
func inParts(w wish) []wish {
	if len(w.serials) <= trade.MaxSerials {
		return []wish{w}
	}
	var parts []wish
	for part := range slices.Chunk(w.serials, trade.MaxSerials) {
		w.serials, w.quantity = part, pieces(part)
		parts = append(parts, w)
	}
	return parts
}

func pieces(serials []string) money.Quantity {
	return trade.Piece * money.Quantity(len(serials))
}
