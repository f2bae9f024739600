package store

import (
	"cmp"
	"slices"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// partsOf is a line of a shipment as it leaves stock: all of it from the warehouse that
// it names, or when that is "" from where rows hold it for the order, and the rest from
// the order's own.
func (tx *Tx) partsOf(o *trade.Order, p part, rows []held) ([]part, error) {
	if p.warehouse != "" {
		return []part{p}, nil
	}
	var err error
	if p.warehouse, err = tx.homeOf(o, p.line, rows); err != nil {
		return nil, err
	}
	return tx.split(p, rows)
}

// homeOf is the warehouse that a line of an order leaves from as far as nothing is held
// for it: the line's own, the order's, else where rows hold something for it, else the
// default one; that too when the one that was named is deleted by now. Which warehouse is
// the default one may have changed since the order was confirmed.
func (tx *Tx) homeOf(o *trade.Order, line int, rows []held) (string, error) {
	home := cmp.Or(o.Lines[line-1].WarehouseID, o.WarehouseID)
	if home == "" && len(rows) > 0 {
		home = rows[0].warehouse
	}
	return tx.liveOrMain(home)
}

// split makes of a part one for each warehouse where rows, what its line holds, have
// something of it, and leaves the rest to the warehouse that it names. What it takes is
// off the rows, so that another part of the line does not count on it.
func (tx *Tx) split(p part, rows []held) (parts []part, err error) {
	slices.SortStableFunc(rows, func(a, b held) int { return elsewhere(&a, &p) - elsewhere(&b, &p) })
	open := p // what no row has yet
	for i := range rows {
		h := &rows[i]
		one := part{field: p.field, line: p.line, product: p.product, warehouse: h.warehouse, lot: p.lot}
		if one.quantity, one.serials, err = tx.usable(&open, h); err != nil {
			return nil, err
		}
		h.quantity -= one.quantity
		open.quantity -= one.quantity
		open.serials = without(open.serials, one.serials)
		if one.quantity == 0 || h.warehouse == p.warehouse {
			continue
		}
		p.quantity -= one.quantity
		p.serials = without(p.serials, one.serials)
		if last := len(parts) - 1; last >= 0 && parts[last].warehouse == h.warehouse {
			parts[last].quantity += one.quantity
			parts[last].serials = append(parts[last].serials, one.serials...)
			continue
		}
		parts = append(parts, one)
	}
	if p.quantity > 0 {
		parts = append([]part{p}, parts...)
	}
	return parts, nil
}

// elsewhere puts what is held in the warehouse of a part before all other.
func elsewhere(h *held, p *part) int {
	if h.warehouse == p.warehouse {
		return 0
	}
	return 1
}

// usable is how much of a part can be taken of what is held, and where the part names
// serial numbers, which of them: those held by name, or lying where any are held.
func (tx *Tx) usable(p *part, h *held) (much money.Quantity, serials []string, err error) {
	switch {
	case len(p.serials) == 0 && (p.lot == "" || h.lot == "" || h.lot == p.lot):
		return min(h.quantity, p.quantity), nil, nil
	case h.lot != "" && slices.Contains(p.serials, h.lot) && h.quantity > 0:
		return h.quantity, []string{h.lot}, nil
	case h.lot != "":
		return 0, nil, nil
	}
	for _, s := range p.serials {
		l, err := tx.lot(p.product, h.warehouse, s)
		if err != nil {
			return 0, nil, err
		}
		if l.onHand > 0 && pieces(serials) < h.quantity {
			serials = append(serials, s)
		}
	}
	return pieces(serials), serials, nil
}

// without is all but those that are taken; nil when none are left.
func without(all, taken []string) (rest []string) {
	for _, s := range all {
		if !slices.Contains(taken, s) {
			rest = append(rest, s)
		}
	}
	return rest
}
