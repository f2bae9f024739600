package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// uneven is a line of an order for which stock holds another quantity than the order says.
// Older versions left more behind where another lot or warehouse was shipped than the one
// that had been held; orders that are older than stock say more.
type uneven struct {
	tenant, order string
	line          int
	held, owed    money.Quantity
}

// String tells it in a sentence.
func (u *uneven) String() string {
	return fmt.Sprintf("%s is held for line %d of the order %s of %s, which says %s", u.held, u.line, u.order, u.tenant, u.owed)
}

// unevenHolds finds such lines in every tenant. An order that cannot be read is passed
// over; what is held for one that is not there is owed to nobody.
func (v *View) unevenHolds() (all []uneven, err error) {
	var held []uneven
	var row [4]any
	err = v.each(row[:], `SELECT tenant, order_id, line, sum(quantity) FROM (
		SELECT tenant, order_id, line, quantity FROM reservations
		UNION ALL SELECT o.tenant, o.id, l.key + 1, 0 FROM orders o, json_each(iif(json_valid(o.doc), o.doc, '{}'), '$.lines') l
			WHERE o.deleted_at IS NULL AND iif(l.type = 'object', l.value, '{}') ->> 'reserved' <> '0'
	) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`, nil, func() bool {
		held = append(held, uneven{tenant: row[0].(string), order: row[1].(string), line: int(row[2].(int64)), held: money.Quantity(row[3].(int64))})
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
		if u.held != u.owed {
			all = append(all, u)
		}
	}
	return all, nil
}

// levelHolds makes stock and orders say the same, line by line, each a change of its own:
// what is held and not owed is given back, and an order says of a line no more than is held.
// What stock does not allow, since its figures could not be mended, stays.
func (db *DB) levelHolds(ctx context.Context, who Who) error {
	var all []uneven
	err := db.Read(ctx, who, func(v *View) (err error) { all, err = v.unevenHolds(); return err })
	for i := range all {
		who.Tenant = all[i].tenant
		undo := db.Write(ctx, who, func(tx *Tx) error { return tx.levelHold(&all[i]) })
		if trade.KindOf(undo) != trade.Conflict {
			err = cmp.Or(err, undo)
		}
	}
	return err
}

func (tx *Tx) levelHold(u *uneven) error {
	if u.held > u.owed {
		return tx.trim(u.order, u.line, u.owed)
	}
	was, o, err := current(tx, Orders, u.order, Any)
	if err != nil {
		return err
	}
	old := o
	o.Lines = slices.Clone(o.Lines)
	o.Lines[u.line-1].Reserved = u.held
	_, err = Orders.Move(tx, "repair", "", was, &old, &o)
	return err
}
