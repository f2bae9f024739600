package store

import (
	"cmp"
	"context"
	"fmt"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// unowed is what stock holds for a line of an order beyond what the order says of it.
// Older versions left that behind where another lot or warehouse was shipped than the one
// that had been held.
type unowed struct {
	tenant, order string
	line          int
	held, owed    money.Quantity
}

// String tells it in a sentence.
func (u *unowed) String() string {
	return fmt.Sprintf("%s is held for line %d of the order %s of %s, which says %s", u.held, u.line, u.order, u.tenant, u.owed)
}

// unowedHolds finds what is held and not owed in every tenant. An order that cannot be
// read is passed over; that of one that is not there is owed to nobody.
func (v *View) unowedHolds() (all []unowed, err error) {
	var held []unowed
	var row [4]any
	err = v.each(row[:], "SELECT tenant, order_id, line, sum(quantity) FROM reservations GROUP BY 1, 2, 3 ORDER BY 1, 2, 3", nil, func() bool {
		held = append(held, unowed{tenant: row[0].(string), order: row[1].(string), line: int(row[2].(int64)), held: money.Quantity(row[3].(int64))})
		return true
	})
	if err != nil {
		return nil, err
	}
	for _, u := range held {
		own := *v
		own.who.Tenant = u.tenant
		o, err := Orders.Get(&own, u.order)
		if kind := trade.KindOf(err); err != nil && kind != trade.NotFound && kind != trade.Forbidden {
			if err := unlessUnreadable(err); err != nil {
				return nil, err
			}
			continue
		}
		if u.line >= 1 && u.line <= len(o.Lines) {
			u.owed = o.Lines[u.line-1].Reserved
		}
		if u.held > u.owed {
			all = append(all, u)
		}
	}
	return all, nil
}

// giveBackUnowed gives back what is held and not owed, line by line, each a change of its
// own: what stock does not allow, since its figures could not be mended, stays.
func (db *DB) giveBackUnowed(ctx context.Context, who Who) error {
	var all []unowed
	err := db.Read(ctx, who, func(v *View) (err error) { all, err = v.unowedHolds(); return err })
	for i := range all {
		who.Tenant = all[i].tenant
		undo := db.Write(ctx, who, func(tx *Tx) error { return tx.trim(all[i].order, all[i].line, all[i].owed) })
		if trade.KindOf(undo) != trade.Conflict {
			err = cmp.Or(err, undo)
		}
	}
	return err
}
