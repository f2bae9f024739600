package store

import (
	"esnaf/store/money"
	"esnaf/store/trade"
)

// shelf is what there is of one product in one warehouse.
type shelf struct {
	onHand, reserved money.Quantity
	value            money.Amount // in TRY
	isNew            bool         // nothing was ever there
}

// free is what no order holds.
func (s *shelf) free() money.Quantity { return s.onHand - s.reserved }

func (v *View) shelf(product, warehouse string) (s shelf, err error) {
	var row [3]any
	err = v.first(row[:], "SELECT on_hand, reserved, value FROM stock WHERE tenant = ? AND product = ? AND warehouse = ?", v.who.Tenant, product, warehouse)
	if noRows(err) {
		return shelf{isNew: true}, nil
	}
	if err != nil {
		return s, err
	}
	return shelf{money.Quantity(row[0].(int64)), money.Quantity(row[1].(int64)), money.Amount(row[2].(int64)), false}, nil
}

func (tx *Tx) putShelf(product, warehouse string, s shelf) error {
	text := "UPDATE stock SET on_hand = ?, reserved = ?, value = ? WHERE tenant = ? AND product = ? AND warehouse = ?"
	if s.isNew {
		text = "INSERT INTO stock (on_hand, reserved, value, tenant, product, warehouse) VALUES (?, ?, ?, ?, ?, ?)"
	}
	_, err := tx.exec(text, int64(s.onHand), int64(s.reserved), int64(s.value), tx.who.Tenant, product, warehouse)
	return err
}

// lot is what there is of one lot in one warehouse; of a serial number, one piece.
type lot struct {
	no               string
	expires          trade.Date // "" for never
	onHand, reserved money.Quantity
}

func (l *lot) free() money.Quantity { return l.onHand - l.reserved }

// expired tells whether goods of the lot are past their day: then they leave only by
// name.
func (l *lot) expired(today trade.Date) bool { return l.expires != "" && l.expires < today }

// lots are all of one product in one warehouse in the order they are to leave.
func (v *View) lots(product, warehouse string) (all []lot, err error) {
	err = v.eachLot(lotsText+inOrder, []any{v.who.Tenant, product, warehouse}, func(l *lot) bool {
		all = append(all, *l)
		return true
	})
	return all, err
}

func (v *View) lot(product, warehouse, no string) (l lot, err error) {
	var row [3]any
	err = v.first(row[:], "SELECT expires, on_hand, reserved FROM lots WHERE tenant = ? AND product = ? AND warehouse = ? AND lot = ?", v.who.Tenant, product, warehouse, no)
	if noRows(err) {
		return lot{no: no}, nil
	}
	if err != nil {
		return l, err
	}
	return lot{no, trade.Date(row[0].(string)), money.Quantity(row[1].(int64)), money.Quantity(row[2].(int64))}, nil
}

// putLot stores what is there of a lot after a change of was; what is gone has no row.
func (tx *Tx) putLot(p *trade.Product, warehouse string, was, l lot) (err error) {
	if err := tx.keepPast(p.ID, warehouse, &was, &l); err != nil {
		return err
	}
	switch {
	case l.onHand == 0 && l.reserved == 0:
		_, err = tx.exec("DELETE FROM lots WHERE tenant = ? AND product = ? AND warehouse = ? AND lot = ?", tx.who.Tenant, p.ID, warehouse, l.no)
	case was.onHand == 0:
		_, err = tx.exec("INSERT INTO lots (tenant, product, warehouse, lot, serial, expires, on_hand, reserved) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			tx.who.Tenant, p.ID, warehouse, l.no, p.Tracking == trade.BySerial, string(l.expires), int64(l.onHand), int64(l.reserved))
	default:
		_, err = tx.exec("UPDATE lots SET on_hand = ?, reserved = ? WHERE tenant = ? AND product = ? AND warehouse = ? AND lot = ?",
			int64(l.onHand), int64(l.reserved), tx.who.Tenant, p.ID, warehouse, l.no)
	}
	return err
}

// totals are what there is of a product in all warehouses together.
func (v *View) totals(product string) (onHand, reserved, available money.Quantity, err error) {
	var row [2]any
	err = v.first(row[:], "SELECT coalesce(sum(on_hand), 0), coalesce(sum(reserved), 0) FROM stock WHERE tenant = ? AND product = ?", v.who.Tenant, product)
	if err != nil {
		return 0, 0, 0, err
	}
	onHand, reserved = money.Quantity(row[0].(int64)), money.Quantity(row[1].(int64))
	return onHand, reserved, onHand - reserved, nil
}

// averageCost is what one unit of a product costs: on average where it lies in this
// warehouse, else in all of them, else its purchase price where that is in TRY.
func (v *View) averageCost(p *trade.Product, s *shelf) (money.Price, error) {
	if s.onHand > 0 {
		return s.value.Each(s.onHand), nil
	}
	var row [2]any
	err := v.first(row[:], "SELECT coalesce(sum(value), 0), coalesce(sum(on_hand), 0) FROM stock WHERE tenant = ? AND product = ?", v.who.Tenant, p.ID)
	if err != nil {
		return 0, err
	}
	if onHand := row[1].(int64); onHand > 0 {
		return money.Amount(row[0].(int64)).Each(money.Quantity(onHand)), nil
	}
	if p.PurchasePrice != nil && p.SaleCurrency == "TRY" {
		return *p.PurchasePrice, nil
	}
	return 0, nil
}
