package store

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// move is one change of what there is of a product in a warehouse, on its way into
// the books.
type move struct {
	kind      trade.MovementType
	product   *trade.Product
	warehouse string
	quantity  money.Quantity // how much comes; negative for what leaves
	held      money.Quantity // how much more is held for orders; negative for less
	lots      []lotMove      // of a tracked product: one lot, or serial numbers; none where any will do
	value     *money.Amount  // cost of what comes, in TRY; nil: the average
	field     string         // for faults
	about     trade.Movement // reason, note, and what it is moved for
}

// lotMove is the part of a move that one lot or serial number has.
type lotMove struct {
	no             string
	expires        trade.Date // of a lot that comes and is not there yet
	quantity, held money.Quantity
}

// The room of a shelf: what lies on it, and what that has cost. Sums over all
// warehouses of an account stay far from the end of an int64.
const (
	maxOnHand money.Quantity = 9_999_999_999_999_999
	maxValue  money.Amount   = 999_999_999_999_999
)

// bookMove writes a move: the movement, its audit row, and what there is now. It is the
// only place that changes stock. Less than nothing, or less than is held, is Conflict
// insufficient_stock; nothing is written of a move that is refused, since others of the
// same change are looked at after it, for their faults.
func (tx *Tx) bookMove(m move) (mv trade.Movement, err error) {
	before, err := tx.shelf(m.product.ID, m.warehouse)
	if err != nil {
		return mv, err
	}
	if err := tx.watch(m.product); err != nil {
		return mv, err
	}
	after := before
	after.onHand += m.quantity
	after.reserved += m.held
	free, past, err := tx.spare(&m, &before)
	if err != nil {
		return mv, err
	}
	if after.onHand < 0 || m.held-m.quantity > max(free, 0) {
		faults, err := tx.shortLots(&m)
		if len(faults) == 0 {
			own := min(m.held, 0)
			faults = []trade.Fault{m.tooLittle("", free-own, before.reserved+own, past)}
		}
		return mv, cmp.Or(err, trade.Refused(faults))
	}
	value, err := tx.valueOf(&m, &before)
	if err != nil {
		return mv, err
	}
	after.value += value
	switch {
	case after.onHand > maxOnHand:
		tx.Check().Add(m.field, trade.OutOfRange, 0, maxOnHand-before.onHand)
		return mv, tx.Check().Err()
	case after.value > maxValue:
		tx.Check().Add(m.field, trade.AmountTooLarge)
		return mv, tx.Check().Err()
	}
	lots, err := tx.movedLots(&m)
	if err != nil {
		return mv, err
	}
	if err := tx.putShelf(m.product.ID, m.warehouse, after); err != nil {
		return mv, err
	}
	if err := tx.putLots(&m, lots); err != nil {
		return mv, err
	}
	return tx.record(&m, &before, &after, value)
}

// spare is how much more of a shelf a move may take or hold. What is held of any lot is
// held of those not past their day, so whoever takes of one of these leaves as much: past
// is how much of what is free does not count for that reason.
func (tx *Tx) spare(m *move, s *shelf) (free, past money.Quantity, err error) {
	if m.product.Tracking != trade.ByLot || m.held <= m.quantity {
		return s.free(), 0, nil
	}
	if past, err = tx.pastTheirDay(m.product.ID, m.warehouse); err != nil || past == 0 {
		return s.free(), 0, err
	}
	for i := range m.lots {
		if own, err := tx.isPast(m.product.ID, m.warehouse, m.lots[i].no); err != nil || own {
			return s.free(), 0, err
		}
	}
	return s.free() - past, past, nil
}

// valueOf is the change of value that a move makes. What leaves takes its share along,
// and the last of it all that is left.
func (tx *Tx) valueOf(m *move, s *shelf) (money.Amount, error) {
	switch {
	case m.quantity == 0:
		return 0, nil
	case m.quantity < 0:
		return -s.value.Share(-m.quantity, s.onHand), nil
	case m.value != nil:
		return *m.value, nil
	case s.onHand > 0 && m.quantity <= s.onHand:
		return s.value.Share(m.quantity, s.onHand), nil
	}
	cost, err := tx.averageCost(m.product, s)
	if err != nil {
		return 0, err
	}
	return tx.costOf(m.field, cost, m.quantity), nil
}

// costOf is what quantity has cost at cost each; too much is a fault of field.
func (tx *Tx) costOf(field string, cost money.Price, quantity money.Quantity) money.Amount {
	value, ok := cost.Times(quantity)
	if !ok {
		tx.Check().Add(field, trade.AmountTooLarge)
	}
	return value
}

// tooLittle is the fault of a move that takes more than there is; of names a lot or a
// serial number. held is what others hold, past what lies in lots past their day.
func (m *move) tooLittle(of string, available, held, past money.Quantity) trade.Fault {
	s := trade.Shortage{
		Field: m.field, Code: m.product.Code, Name: m.product.Name,
		Wanted: max(-m.quantity, m.held), Available: max(available, 0), Held: held, PastTheirDay: past,
	}
	if of != "" {
		s.Lots = []string{of}
	}
	return s.Fault()
}

// tooLittleOf is the fault of how much of a lot or serial number is taken: more than
// there is of l.
func (m *move) tooLittleOf(lm *lotMove, l *lot) trade.Fault {
	one, own := *m, min(lm.held, 0)
	one.quantity, one.held = lm.quantity, lm.held
	return one.tooLittle(lm.no, l.free()-own, l.reserved+own, 0)
}

// shortLots are the faults of the lots and serial numbers of a move that are not there,
// or too little: what the caller has named is told by its name.
func (tx *Tx) shortLots(m *move) (faults []trade.Fault, err error) {
	for _, lm := range m.lots {
		l, err := tx.lot(m.product.ID, m.warehouse, lm.no)
		if err != nil {
			return nil, err
		}
		if l.free()-min(lm.held, 0) < max(-lm.quantity, lm.held) {
			faults = append(faults, m.tooLittleOf(&lm, &l))
		}
	}
	return faults, nil
}

// movedLot is a lot or serial number before and after a move.
type movedLot struct {
	was, is lot
	known   trade.Date // when what is there already expires, in whichever warehouse
	there   bool
}

// movedLots are the lots of a move. It finds all that are not there, or there already.
func (tx *Tx) movedLots(m *move) (all []movedLot, err error) {
	var faults []trade.Fault
	for i := range m.lots {
		lm := &m.lots[i]
		was, err := tx.lot(m.product.ID, m.warehouse, lm.no)
		if err != nil {
			return nil, err
		}
		l := movedLot{was: was, is: was}
		l.is.onHand += lm.quantity
		l.is.reserved += lm.held
		if lm.quantity > 0 {
			if l.there, l.known, err = tx.lotAnywhere(m.product.ID, lm.no); err != nil {
				return nil, err
			}
		}
		switch {
		case l.is.onHand < 0 || l.is.reserved > l.is.onHand:
			faults = append(faults, m.tooLittleOf(lm, &was))
		case l.there && m.product.Tracking == trade.BySerial:
			faults = append(faults, trade.Fault{Field: m.fieldOf(i), Code: trade.SerialInStock, Args: []any{lm.no}})
		}
		all = append(all, l)
	}
	if len(faults) > 0 {
		return nil, trade.Refused(faults)
	}
	return all, nil
}

// putLots writes what a move changes of lots and serial numbers.
func (tx *Tx) putLots(m *move, all []movedLot) (err error) {
	for i := range all {
		l, lm := &all[i], &m.lots[i]
		if lm.quantity > 0 {
			if l.is.expires = lm.expires; l.there {
				if l.is.expires, err = tx.oneDay(m.product.ID, lm, l.known); err != nil {
					return err
				}
			}
		}
		lm.expires = l.is.expires
		if err := tx.putLot(m.product, m.warehouse, l.was, l.is); err != nil {
			return err
		}
	}
	return nil
}

// oneDay is the day on which a lot expires of which more comes: of one lot, all goes off
// on the same day. That is known's, of what is in stock, unless what comes back from a
// customer goes off earlier: then all of it does.
func (tx *Tx) oneDay(product string, lm *lotMove, known trade.Date) (trade.Date, error) {
	if lm.expires == "" || known != "" && known <= lm.expires {
		return known, nil
	}
	tx.past = nil // it is another sum in every warehouse where some of the lot lies
	_, err := tx.exec("UPDATE lots SET expires = ? WHERE tenant = ? AND product = ? AND lot = ?", string(lm.expires), tx.who.Tenant, product, lm.no)
	return lm.expires, err
}

// fieldOf is where the request names the lot or serial number i of a move: beside the
// quantity, or in its place.
func (m *move) fieldOf(i int) string {
	if beside, ok := strings.CutSuffix(m.field, "quantity"); ok {
		return fmt.Sprintf("%sserialNos[%d]", beside, i)
	}
	return m.field
}

// record writes the movement and its audit row.
func (tx *Tx) record(m *move, before, after *shelf, value money.Amount) (trade.Movement, error) {
	mv := m.about
	today, err := tx.today()
	if err != nil {
		return mv, err
	}
	h, err := tx.theHead()
	if err != nil {
		return mv, err
	}
	mv.Date, mv.Type, mv.WarehouseID, mv.Actor, mv.AuditID = today, m.kind, m.warehouse, tx.who.Actor, h.auditSeq+1
	mv.ProductID, mv.Code, mv.Name = m.product.ID, m.product.Code, m.product.Name
	mv.Quantity, mv.OnHandBefore, mv.OnHandAfter = m.quantity, before.onHand, after.onHand
	mv.Held, mv.ReservedBefore, mv.ReservedAfter = m.held, before.reserved, after.reserved
	mv.Value, mv.UnitCost = value, max(value, -value).Each(m.quantity)
	for _, l := range m.lots {
		if m.product.Tracking == trade.BySerial {
			mv.SerialNos = append(mv.SerialNos, l.no)
		} else {
			mv.LotNo, mv.ExpiresAt = l.no, l.expires
		}
	}
	if _, err := Movements.Add(tx, &mv); err != nil {
		return mv, err
	}
	detail, err := json.Marshal(audited{mv.ProductID, mv.WarehouseID, mv.LotNo, mv.SerialNos, mv.Quantity, mv.Held, mv.Value, mv.Reason}, json.Deterministic(true))
	if err != nil {
		return mv, err
	}
	return mv, tx.audit("stock."+strings.ToLower(string(m.kind)), mv.ID, string(detail))
}

// audited is what the audit log says of a movement, so that stock can be told from
// the log alone.
type audited struct {
	ProductID   string         `json:"productId"`
	WarehouseID string         `json:"warehouseId"`
	LotNo       string         `json:"lotNo,omitempty"`
	SerialNos   []string       `json:"serialNos,omitempty"`
	Quantity    money.Quantity `json:"quantity"`
	Held        money.Quantity `json:"held"`
	Value       money.Amount   `json:"value"`
	Reason      trade.Reason   `json:"reason,omitempty"`
}

// lotAnywhere tells whether something of a lot lies in any warehouse, and when it
// expires.
func (v *View) lotAnywhere(product, no string) (there bool, expires trade.Date, err error) {
	var row [1]any
	err = v.first(row[:], "SELECT expires FROM lots WHERE tenant = ? AND product = ? AND lot = ? LIMIT 1", v.who.Tenant, product, no)
	if noRows(err) {
		return false, "", nil
	}
	if err != nil {
		return false, "", err
	}
	return true, trade.Date(row[0].(string)), nil
}
