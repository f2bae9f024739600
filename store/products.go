package store

import (
	"cmp"

	"esnaf/store/trade"
)

// CreateProduct adds a product; a code is drawn when none is given.
func (tx *Tx) CreateProduct(p trade.Product) (Doc, error) {
	p.Defaults()
	p.Check(tx.Check())
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	if _, err := Products.Create(tx, &p); err != nil {
		return Doc{}, err
	}
	return Products.Shown(&tx.View, p.ID)
}

// UpdateProduct replaces what a caller may set of a product whose version match
// allows. While it is in stock or with customers, who may send it back, or orders that
// are to be shipped want it, type, unit and tracking stay: Conflict stock_fixed.
func (tx *Tx) UpdateProduct(id string, match Match, p trade.Product) (Doc, error) {
	was, old, err := current(tx, Products, id, match)
	if err != nil {
		return Doc{}, err
	}
	p.Keep(&old)
	p.Defaults()
	p.Check(tx.Check())
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	if err := p.StockFixed(&old); err != nil {
		for _, holds := range []func(string) (bool, error){tx.stocked, tx.wanted, tx.withCustomers} {
			if held, e := holds(id); e != nil || held {
				return Doc{}, cmp.Or(e, err)
			}
		}
	}
	if _, err := Products.Replace(tx, was, &old, &p); err != nil {
		return Doc{}, err
	}
	return Products.Shown(&tx.View, id)
}

// DeleteProduct marks a product deleted, whatever documents refer to it, unless it is
// in stock: Conflict holds_stock.
func (tx *Tx) DeleteProduct(id string, match Match) error {
	if _, _, err := current(tx, Products, id, match); err != nil {
		return err
	}
	stocked, err := tx.stocked(id)
	if err != nil {
		return err
	}
	if stocked {
		return trade.Fail(trade.Conflict, trade.HoldsStock)
	}
	return Products.Remove(tx, id, match)
}

// wanted tells whether an order that is to be shipped, or a part of which is, has a line
// of a product.
func (v *View) wanted(product string) (bool, error) {
	return v.any("SELECT 1 FROM wanted WHERE tenant = ? AND product = ? LIMIT 1", v.who.Tenant, product)
}

// withCustomers tells whether a shipment took something of a product along that may still
// come back: it is neither cancelled nor returned as a whole.
func (v *View) withCustomers(product string) (bool, error) {
	return v.any(withCustomersText, v.who.Tenant, product)
}

// withCustomersText reads nothing but the shipments of one product, by movements_shipped.
const withCustomersText = `SELECT 1 FROM movements m JOIN shipments s ON s.id = m.source
	WHERE m.tenant = ? AND m.product = ? AND m.type = 'SHIPMENT' AND s.status NOT IN ('RETURNED', 'CANCELLED') LIMIT 1`

// stocked tells whether anything of a product lies anywhere.
func (v *View) stocked(product string) (bool, error) {
	return v.any("SELECT 1 FROM stock WHERE tenant = ? AND product = ? AND on_hand > 0 LIMIT 1", v.who.Tenant, product)
}
