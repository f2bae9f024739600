package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// RepairStock tells where stock of any tenant is not what its movements and
// reservations say, and where what it holds for orders is not what these say, a sentence
// each. With mend it puts that right, with an audit row for each product and warehouse
// and a movement for what is held no longer, and left is what it could not.
func (db *DB) RepairStock(ctx context.Context, who Who, mend bool) (found, left []string, err error) {
	if found, err = db.stockFaults(ctx, who); err != nil || !mend || len(found) == 0 {
		return found, found, err
	}
	var diffs []stockDiff
	err = db.survey(ctx, who, func(v *View) (err error) { diffs, err = v.stockDiffs(); return err })
	if err != nil {
		return found, found, err
	}
	tenants := map[string]bool{}
	for _, d := range diffs {
		tenants[d.tenant] = true
	}
	for _, tenant := range slices.Sorted(maps.Keys(tenants)) {
		who.Tenant = tenant
		if err := db.Write(ctx, who, (*Tx).mendStock); err != nil {
			return found, found, err
		}
	}
	if err := db.levelHolds(ctx, who); err != nil {
		return found, found, err
	}
	left, err = db.stockFaults(ctx, who)
	return found, left, err
}

// stockFaults are the sentences of checkStock, and those of what orders hold.
func (db *DB) stockFaults(ctx context.Context, who Who) (all []string, err error) {
	err = db.survey(ctx, who, func(v *View) error {
		err := checkStock(v, func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) })
		if err != nil {
			return err
		}
		holds, err := v.unevenHolds()
		for i := range holds {
			all = append(all, holds[i].String())
		}
		return err
	})
	return all, err
}

// mended is one product in one warehouse as it should be.
type mended struct {
	product   *trade.Product
	warehouse string
	is        shelf
	held      money.Quantity // how much more movements should hold
	lots      map[string]lot // those that are wrong now
	said      []string
}

// can tells whether the figures can be at all: what the rows that they are made of come
// to may be nonsense too.
func (m *mended) can() bool {
	return m.is.reserved >= 0 && m.is.reserved <= m.is.onHand && m.is.value >= 0 && (m.is.onHand > 0 || m.is.value == 0)
}

// canBe tells whether a lot, or a serial number of one piece, can be so.
func (m *mended) canBe(l *lot) bool {
	whole := m.product.Tracking != trade.BySerial || l.onHand == 0 || l.onHand == trade.Piece
	return whole && l.reserved >= 0 && l.reserved <= l.onHand
}

// mendStock puts right what is not as it should be in one tenant's stock. Where orders
// hold more than there is, nobody but a person can say which of them is to wait: it
// stays. All that is wrong goes before what is right comes, since a serial number may
// have been in another warehouse.
func (tx *Tx) mendStock() error {
	diffs, err := tx.stockDiffs()
	if err != nil {
		return err
	}
	places := map[[2]string]*mended{}
	for i := range diffs {
		d := &diffs[i]
		if d.tenant != tx.who.Tenant {
			continue
		}
		at := [2]string{d.product, d.warehouse}
		if places[at] == nil {
			if places[at], err = tx.mendedAt(d.product, d.warehouse); err != nil {
				return err
			}
		}
		if err := tx.mendFigure(places[at], d); err != nil {
			return err
		}
	}
	maps.DeleteFunc(places, func(_ [2]string, m *mended) bool {
		maps.DeleteFunc(m.lots, func(_ string, l lot) bool { return !m.canBe(&l) })
		return !m.can()
	})
	order := slices.SortedFunc(maps.Keys(places), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, at := range order {
		for no := range places[at].lots {
			if _, err := tx.exec("DELETE FROM lots WHERE tenant = ? AND product = ? AND warehouse = ? AND lot = ?", tx.who.Tenant, at[0], at[1], no); err != nil {
				return err
			}
		}
	}
	for _, at := range order {
		if err := tx.putMended(places[at]); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) mendedAt(product, warehouse string) (*mended, error) {
	m := &mended{warehouse: warehouse, lots: map[string]lot{}}
	var err error
	if m.product, err = tx.evenDeleted(product); err != nil {
		return nil, err
	}
	m.is, err = tx.shelf(product, warehouse)
	return m, err
}

// mendFigure takes over what one figure should be.
func (tx *Tx) mendFigure(m *mended, d *stockDiff) error {
	m.said = append(m.said, d.String())
	switch d.figure {
	case "onHand":
		m.is.onHand = money.Quantity(d.want)
	case "value":
		m.is.value = money.Amount(d.want)
	case "reserved":
		m.is.reserved = money.Quantity(d.want)
	case "held":
		m.held = money.Quantity(d.want - d.have)
	default:
		return tx.mendedLot(m.lots, d)
	}
	return nil
}

// mendedLot counts a difference on the lot that it is of.
func (tx *Tx) mendedLot(lots map[string]lot, d *stockDiff) error {
	l, known := lots[d.lot]
	if !known {
		var err error
		if l, err = tx.lot(d.product, d.warehouse, d.lot); err != nil {
			return err
		}
	}
	switch d.figure {
	case "lot":
		l.onHand = money.Quantity(d.want)
	case "lotReserved":
		l.reserved = money.Quantity(d.want)
	}
	day, err := tx.oneText(`SELECT coalesce(iif(json_valid(doc), doc, '{}') ->> '$.expiresAt', '') FROM movements
		WHERE tenant = ? AND product = ? AND lot = ? AND quantity <> 0 ORDER BY n DESC LIMIT 1`, tx.who.Tenant, d.product, d.lot)
	l.expires = trade.Date(day)
	lots[d.lot] = l
	return err
}

// putMended stores a product in a warehouse as it should be, and says so in the audit
// log.
func (tx *Tx) putMended(m *mended) error {
	if err := tx.putShelf(m.product.ID, m.warehouse, m.is); err != nil {
		return err
	}
	for _, no := range slices.Sorted(maps.Keys(m.lots)) {
		l := m.lots[no]
		err := tx.putLot(m.product, m.warehouse, lot{}, l)
		if err != nil && codeOf(err) != codeUnique { // a serial number that movements have in two places
			return err
		}
	}
	if err := tx.bookHeld(m); err != nil {
		return err
	}
	detail, err := json.Marshal(m.said)
	if err != nil {
		return err
	}
	return tx.audit("stock.repair", m.product.ID, string(detail))
}

// bookHeld books what movements should hold more, or less: reservations are what
// orders go by.
func (tx *Tx) bookHeld(m *mended) error {
	if m.held == 0 {
		return nil
	}
	kind := trade.MoveReservation
	if m.held < 0 {
		kind = trade.MoveRelease
	}
	before := m.is
	before.reserved -= m.held
	_, err := tx.record(&move{kind: kind, product: m.product, warehouse: m.warehouse, held: m.held, about: trade.Movement{Note: "esnaf repair stock"}}, &before, &m.is, 0)
	return err
}

// evenDeleted reads a product that may have been deleted. Of one that is not there at
// all, only its id is known.
func (tx *Tx) evenDeleted(id string) (*trade.Product, error) {
	p, err := Products.Ever(&tx.View, id)
	if k := trade.KindOf(err); k == trade.NotFound || k == trade.Forbidden {
		return &trade.Product{Meta: trade.Meta{ID: id}}, nil
	}
	return &p, err
}
