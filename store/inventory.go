package store

import (
	"maps"
	"slices"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// withStock shows what there is of a product in all warehouses.
func withStock(v *View, id string, dst []byte) ([]byte, error) {
	onHand, reserved, available, err := v.totals(id)
	if err != nil {
		return nil, err
	}
	dst = append(onHand.Append(append(dst, `,"onHand":"`...)), `","reserved":"`...)
	dst = append(reserved.Append(dst), `","available":"`...)
	return append(available.Append(dst), '"'), nil
}

// stockCard reads a product, also a deleted one as long as something of it lies
// anywhere, as what a customer sent back may: that is seen, counted and used up.
func (v *View) stockCard(id string) (trade.Product, error) {
	p, err := Products.Ever(v, id)
	if err != nil || p.DeletedAt == 0 {
		return p, err
	}
	stocked, err := v.stocked(id)
	if err == nil && !stocked {
		err = v.missing(Products.One, id)
	}
	return p, err
}

// Inventory is what there is of a product, by warehouse. An id that is no product's is
// NotFound, and so is that of a deleted one of which there is nothing; a service has
// nothing anywhere.
func (v *View) Inventory(id string) (inv trade.Inventory, err error) {
	p, err := v.stockCard(id)
	if err != nil {
		return inv, err
	}
	inv = trade.Inventory{ProductID: id, Warehouses: []trade.WarehouseStock{}}
	rows, err := v.query(`SELECT w.id, w.doc ->> '$.code', w.doc ->> '$.name', s.on_hand, s.reserved FROM stock s JOIN warehouses w ON w.id = s.warehouse
		WHERE s.tenant = ? AND s.product = ? AND s.on_hand > 0 ORDER BY w.code`, v.who.Tenant, id)
	if err != nil {
		return inv, err
	}
	defer rows.Close()
	for rows.Next() {
		w := trade.WarehouseStock{Lots: []trade.LotStock{}, Serials: []string{}}
		if err := rows.Scan(&w.WarehouseID, &w.Code, &w.Name, &w.OnHand, &w.Reserved); err != nil {
			return inv, err
		}
		w.Available = w.OnHand - w.Reserved
		inv.OnHand += w.OnHand
		inv.Reserved += w.Reserved
		inv.Warehouses = append(inv.Warehouses, w)
	}
	inv.Available = inv.OnHand - inv.Reserved
	if err := rows.Err(); err != nil || p.Tracking == trade.Untracked {
		return inv, err
	}
	for i := range inv.Warehouses {
		if err := v.showLots(&p, &inv.Warehouses[i]); err != nil {
			return inv, err
		}
	}
	return inv, nil
}

// showLots fills in the lots or serial numbers of a product in a warehouse.
func (v *View) showLots(p *trade.Product, w *trade.WarehouseStock) error {
	lots, err := v.lots(p.ID, w.WarehouseID)
	for _, l := range lots {
		if p.Tracking == trade.BySerial {
			w.Serials = append(w.Serials, l.no)
		} else {
			w.Lots = append(w.Lots, trade.LotStock{LotNo: l.no, ExpiresAt: l.expires, OnHand: l.onHand, Reserved: l.reserved})
		}
	}
	return err
}

// Valuation is what all that is in stock has cost, or what lies in one warehouse; ""
// is all of them.
func (v *View) Valuation(warehouse string) (out trade.Valuation, err error) {
	out = trade.Valuation{Currency: "TRY", Warehouses: []trade.WarehouseValue{}, Rows: []trade.ValuationRow{}}
	if warehouse != "" {
		if _, err := Warehouses.Get(v, warehouse); err != nil {
			return out, err
		}
	}
	rows, err := v.query(`SELECT p.id, p.code, p.doc ->> '$.name', p.doc ->> '$.unit', w.id, w.code, s.on_hand, s.value
		FROM stock s JOIN products p ON p.id = s.product JOIN warehouses w ON w.id = s.warehouse
		WHERE s.tenant = ? AND s.on_hand > 0 AND (? = '' OR s.warehouse = ?) ORDER BY p.code, w.code`, v.who.Tenant, warehouse, warehouse)
	if err != nil {
		return out, err
	}
	defer rows.Close()
	sums, codes := map[string]money.Amount{}, map[string]string{}
	for rows.Next() {
		var r trade.ValuationRow
		if err := rows.Scan(&r.ProductID, &r.Code, &r.Name, &r.Unit, &r.WarehouseID, &r.WarehouseCode, &r.OnHand, &r.Value); err != nil {
			return out, err
		}
		r.UnitCost = r.Value.Each(r.OnHand)
		out.Total += r.Value
		sums[r.WarehouseCode] += r.Value
		codes[r.WarehouseCode] = r.WarehouseID
		out.Rows = append(out.Rows, r)
	}
	for _, code := range slices.Sorted(maps.Keys(sums)) {
		out.Warehouses = append(out.Warehouses, trade.WarehouseValue{WarehouseID: codes[code], Code: code, Value: sums[code]})
	}
	return out, rows.Err()
}
