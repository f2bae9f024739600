package store

import (
	"fmt"
	"slices"

	"esnaf/store/trade"
)

// ShipOrder makes a shipment of a confirmed order, all in one change: the goods leave
// the stock, the despatch note gets its legal number, seller and buyer are frozen on
// it, and the courier is given the e-İrsaliye. Errors: Invalid with every fault of the
// note, Conflict insufficient_stock naming the lines.
func (tx *Tx) ShipOrder(id string, in trade.Shipping) (Doc, error) {
	was, o, err := current(tx, Orders, id, Any)
	if err != nil {
		return Doc{}, err
	}
	if _, err := o.Next(trade.ShipOrder); err != nil {
		return Doc{}, err
	}
	old, f := o, tx.Check()
	s := in.Shipment(f, &o)
	if s.Lines, err = o.Pick(f, in.Lines); err != nil {
		return Doc{}, err
	}
	if in.WarehouseID != "" {
		if _, err := tx.warehouseOf("warehouseId", in.WarehouseID); err != nil {
			return Doc{}, err
		}
	}
	if err := tx.writeNote(&s, &o); err != nil {
		return Doc{}, err
	}
	if err := tx.load(&s, &o, &in); err != nil {
		return Doc{}, err
	}
	if err := o.Ship(s.Lines); err != nil {
		return Doc{}, err
	}
	if err := tx.trimTo(&o, s.Lines); err != nil {
		return Doc{}, err
	}
	o.ShipmentIDs = append(slices.Clone(o.ShipmentIDs), s.ID)
	doc, err := Shipments.createAs(tx, &s)
	if err != nil {
		return Doc{}, err
	}
	if _, err := Orders.Move(tx, string(trade.ShipOrder), trade.EventOrderShipped, was, &old, &o); err != nil {
		return Doc{}, err
	}
	return doc, tx.addErrand(s.ID, "")
}

// writeNote completes the despatch note of a shipment, judges it, and gives it the next
// number of its series and an id.
func (tx *Tx) writeNote(s *trade.Shipment, o *trade.Order) error {
	f := tx.Check()
	t, err := tx.Settings()
	if err != nil {
		return err
	}
	if err := tx.fillNote(s, o, t); err != nil {
		return err
	}
	series := legalSeries(t.Series.Despatch, s.IssueDate)
	last, err := tx.lastOf(series)
	if err != nil {
		return err
	}
	if last.lastDate > s.IssueDate {
		f.Add("issueDate", trade.IssueDateOrder, string(last.lastDate))
	}
	if err := f.Err(); err != nil {
		return err
	}
	if err := tx.copiedOnce(s); err != nil {
		return err
	}
	if s.Number, err = tx.drawLegal(t.Series.Despatch, s.IssueDate); err != nil {
		return err
	}
	at := trade.At(tx.now)
	s.ID, s.Version, s.CreatedAt, s.UpdatedAt = tx.db.ids.New(Shipments.Prefix, tx.now), 1, at, at
	s.ETTN = tx.db.ids.UUID()
	return nil
}

// copiedOnce refuses the copy of a printed note of which there is another: the goods of
// one note leave once.
func (tx *Tx) copiedOnce(s *trade.Shipment) error {
	if s.Printed == nil {
		return nil
	}
	var row [2]any
	err := tx.first(row[:], copiedText, tx.who.Tenant, s.Printed.Key())
	if noRows(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return trade.Refused([]trade.Fault{{Field: "printed.number", Code: trade.Duplicate, Args: []any{trade.Aside{
		fmt.Sprintf("It is the shipment %v (%v); cancel that first if it never left.", row[0], row[1]),
		fmt.Sprintf("O kayıt %v sevkiyatı (%v); mallar yola çıkmadıysa önce onu iptal edin.", row[0], row[1]),
	}}}})
}

// copiedText finds a printed note by shipments_printed.
const copiedText = "SELECT number, id FROM shipments WHERE tenant = ? AND printed = ? AND printed <> '' AND status <> 'CANCELLED' LIMIT 1"

// fillNote takes over from order, seller and buyer what the note says of them.
func (tx *Tx) fillNote(s *trade.Shipment, o *trade.Order, t *trade.Tenant) error {
	f := tx.Check()
	buyer, err := tx.companyOf(o.CompanyID, keeping(nil, o.CompanyID))
	if err != nil {
		return err
	}
	if buyer == nil {
		return f.Err()
	}
	s.Take(f, o)
	s.Freeze(t.Party(), buyer)
	s.Issue(t.DocumentTime(tx.now))
	s.CheckNote(f, t.TaxNumberCheck == trade.CheckWarn)
	return nil
}

// load takes the goods of a shipment out of stock, from the warehouse that the caller
// names or else from where they are held, and says on its lines which lots and pieces
// they are. What is no product of ours leaves without. Faults count the lines as the
// caller does, or as the order does where all of it is to leave.
func (tx *Tx) load(s *trade.Shipment, o *trade.Order, in *trade.Shipping) error {
	var parts []part
	held := map[int][]held{}
	for i := range s.Lines {
		l := &s.Lines[i]
		if l.ProductID == "" {
			continue
		}
		rows, known := held[l.OrderLine]
		if !known {
			var err error
			if rows, err = tx.heldOf(o.ID, l.OrderLine); err != nil {
				return err
			}
			held[l.OrderLine] = rows
		}
		at := i
		if in.Lines == nil {
			at = l.OrderLine - 1
		}
		of, err := tx.partsOf(o, part{
			field: fmt.Sprintf("lines[%d]", at), line: l.OrderLine, product: l.ProductID, warehouse: in.WarehouseID,
			quantity: l.Quantity, lot: l.LotNo, serials: l.SerialNos,
		}, rows)
		if err != nil {
			return err
		}
		parts = append(parts, of...)
	}
	if err := tx.Check().Err(); err != nil {
		return err
	}
	left, err := tx.issue(o.ID, s.ID, parts)
	if err != nil {
		return err
	}
	s.Lines = byLot(s.Lines, left)
	s.WarehouseID = onlyWarehouse(s.Lines)
	return nil
}

// byLot puts what has left in the place of the lines it left for: one line a lot and
// warehouse.
func byLot(lines []trade.ShipmentLine, left []taken) []trade.ShipmentLine {
	out := make([]trade.ShipmentLine, 0, len(lines))
	for _, l := range lines {
		for l.ProductID != "" && l.Quantity > 0 && len(left) > 0 && left[0].line == l.OrderLine {
			t := left[0]
			left = left[1:]
			one := l
			one.WarehouseID, one.Quantity, one.LotNo, one.ExpiryDate, one.SerialNos = t.warehouse, t.quantity, t.lot, t.expires, t.serials
			out = append(out, one)
			l.Quantity -= t.quantity
		}
		if l.Quantity > 0 {
			out = append(out, l)
		}
	}
	return out
}

// onlyWarehouse is the warehouse that all goods are taken from, "" when there are
// several.
func onlyWarehouse(lines []trade.ShipmentLine) (only string) {
	for i := range lines {
		w := lines[i].WarehouseID
		if only != "" && w != "" && w != only {
			return ""
		}
		if w != "" {
			only = w
		}
	}
	return only
}

// trimTo gives back what stock holds for lines beyond what the order says, as older
// versions may have left it.
func (tx *Tx) trimTo(o *trade.Order, lines []trade.ShipmentLine) error {
	for i := range lines {
		n := lines[i].OrderLine
		if err := tx.trim(o.ID, n, o.Lines[n-1].Reserved); err != nil {
			return err
		}
	}
	return nil
}
