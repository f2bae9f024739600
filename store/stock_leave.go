package store

import (
	"esnaf/store/money"
	"esnaf/store/trade"
)

// What is asked for every line of a document reads no more lots than the line takes: with
// all lots of a product for each of its lines, one request would hold the writer for as
// long as both numbers multiplied.

const (
	// lotsText reads lots for eachLot.
	lotsText = "SELECT lot, expires, on_hand, reserved FROM lots WHERE tenant = ? AND product = ? AND warehouse = ?"
	// inOrder is the order in which lots leave: first expired, first out (FEFO), those that
	// never expire after all others; equal ones as they came.
	inOrder = " ORDER BY good_until, n"
	// freeText reads what leaves by itself by lots_leave.
	freeText = lotsText + " AND reserved < on_hand AND good_until >= ?" + inOrder
	// pastText sums up what is past its day by lots_leave.
	pastText = `SELECT coalesce(sum(on_hand - reserved), 0) FROM lots WHERE tenant = ? AND product = ? AND warehouse = ?
		AND reserved < on_hand AND good_until < ?`
)

// eachLot calls fn for one lot after the other that text reads, until fn wants no more.
func (v *View) eachLot(text string, args []any, fn func(*lot) bool) error {
	var row [4]any
	return v.each(row[:], text, args, func() bool {
		return fn(&lot{row[0].(string), trade.Date(row[1].(string)), money.Quantity(row[2].(int64)), money.Quantity(row[3].(int64))})
	})
}

// unnamed are the lots, or serial numbers, that a wish takes which names none, as far as
// there are any: first those that its taker holds, then those that leave first.
func (tx *Tx) unnamed(w *wish) (picks []lotMove, err error) {
	today, err := tx.today()
	if err != nil {
		return nil, err
	}
	rest := w.quantity
	take := func(l *lot, free money.Quantity) bool {
		if n := min(free, rest); n > 0 {
			picks = append(picks, lotMove{no: l.no, expires: l.expires, quantity: n})
			rest -= n
		}
		return rest > 0
	}
	for _, no := range w.ownLots {
		l, err := tx.lot(w.product.ID, w.warehouse, no)
		if err != nil {
			return nil, err
		}
		free := w.own[no]
		if !l.expired(today) {
			free += l.free()
		}
		if !take(&l, free) {
			return picks, nil
		}
	}
	return picks, tx.eachLot(freeText, []any{tx.who.Tenant, w.product.ID, w.warehouse, string(today)}, func(l *lot) bool {
		return w.own[l.no] > 0 || take(l, l.free())
	})
}

// pastTheirDay is how much is free of the lots of a product that have expired. It is
// summed up once in a change; putLot keeps it.
func (tx *Tx) pastTheirDay(product, warehouse string) (money.Quantity, error) {
	at := [2]string{product, warehouse}
	if past, known := tx.past[at]; known {
		return past, nil
	}
	today, err := tx.today()
	if err != nil {
		return 0, err
	}
	var row [1]any
	if err := tx.first(row[:], pastText, tx.who.Tenant, product, warehouse, string(today)); err != nil {
		return 0, err
	}
	if tx.past == nil {
		tx.past = map[[2]string]money.Quantity{}
	}
	tx.past[at] = money.Quantity(row[0].(int64))
	return tx.past[at], nil
}

// keepPast counts on what is past its day that a lot which was so is now another way.
func (tx *Tx) keepPast(product, warehouse string, was, l *lot) error {
	at := [2]string{product, warehouse}
	past, known := tx.past[at]
	if !known {
		return nil
	}
	today, err := tx.today()
	if err != nil {
		return err
	}
	if was.expired(today) {
		past -= was.free()
	}
	if l.expired(today) {
		past += l.free()
	}
	tx.past[at] = past
	return nil
}

// isPast tells whether a lot is past its day.
func (tx *Tx) isPast(product, warehouse, no string) (bool, error) {
	today, err := tx.today()
	if err != nil {
		return false, err
	}
	l, err := tx.lot(product, warehouse, no)
	return l.expired(today), err
}
