package store

import (
	"cmp"
	"fmt"

	"esnaf/store/trade"
)

// ConfirmOrder makes a draft ready for shipment and holds its goods back in stock: all
// of them, or the Conflict insufficient_stock names the lines that are short. An order
// whose price somebody has to approve first waits for that (PENDING_APPROVAL), and
// nothing is held back.
func (tx *Tx) ConfirmOrder(id string) (Doc, error) {
	was, o, err := current(tx, Orders, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := o
	if _, err := o.Next(trade.ConfirmOrder); err != nil {
		return Doc{}, err
	}
	products, err := tx.productsOf(o.Goods(), kept{})
	if err != nil {
		return Doc{}, err
	}
	o.CheckUnits(tx.Check(), products)
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	if o.PriceApproval.ApprovedBy == "" {
		limit, err := tx.discountLimit()
		if err != nil {
			return Doc{}, err
		}
		if a := o.JudgePrices(products, limit); a.Required {
			if err := o.Hold(a); err != nil {
				return Doc{}, err
			}
			return Orders.Move(tx, string(trade.HoldOrder), "", was, &old, &o)
		}
		o.PriceApproval = trade.PriceApproval{} // of an earlier try, whose reasons are gone
	}
	if err := o.Confirm(products); err != nil {
		return Doc{}, err
	}
	if err := tx.holdBack(&o); err != nil {
		return Doc{}, err
	}
	return Orders.Move(tx, string(trade.ConfirmOrder), trade.EventOrderConfirmed, was, &old, &o)
}

// holdBack reserves what is left of an order and not held back yet. What stock does not
// cover is a Conflict, unless the order may be confirmed without it.
func (tx *Tx) holdBack(o *trade.Order) error {
	var parts []part
	for i := range o.Lines {
		l := &o.Lines[i]
		if missing := l.Left() - l.Reserved; l.ProductID != "" && missing > 0 {
			p, err := tx.partOf(o, i+1)
			if err != nil {
				return err
			}
			p.quantity = missing
			parts = append(parts, p)
		}
	}
	if err := tx.Check().Err(); err != nil {
		return err
	}
	short, err := tx.reserve(o.ID, parts)
	switch {
	case err != nil:
		return err
	case len(short) > 0 && !o.Backorder:
		return trade.Insufficient(short)
	case len(short) > 0:
		return tx.holdSome(o, parts)
	}
	for _, p := range parts {
		o.Lines[p.line-1].Reserved += p.quantity
	}
	return nil
}

// holdSome reserves what there is of parts, one after the other: lines of the same
// product share it in their order.
func (tx *Tx) holdSome(o *trade.Order, parts []part) error {
	for _, p := range parts {
		short, err := tx.reserve(o.ID, []part{p})
		if err != nil {
			return err
		}
		if len(short) > 0 {
			if p.quantity = short[0].Available; p.quantity <= 0 {
				continue
			}
			p.serials = nil // those that are there are chosen when they leave
			switch short, err = tx.reserve(o.ID, []part{p}); {
			case err != nil:
				return err
			case len(short) > 0:
				return trade.Insufficient(short)
			}
		}
		o.Lines[p.line-1].Reserved += p.quantity
	}
	return nil
}

// partOf is a line of an order as stock sees it: all of it, from the line's own
// warehouse, the order's or the default one. A warehouse that is not there is a fault.
func (tx *Tx) partOf(o *trade.Order, line int) (part, error) {
	l := &o.Lines[line-1]
	field := fmt.Sprintf("lines[%d]", line-1)
	w, err := tx.warehouseOf(field+".warehouseId", cmp.Or(l.WarehouseID, o.WarehouseID))
	if err != nil || w == nil {
		return part{}, err
	}
	return part{
		field: field, line: line, product: l.ProductID, warehouse: w.ID,
		quantity: l.Quantity, lot: l.LotNo, serials: l.SerialNos,
	}, nil
}
