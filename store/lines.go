package store

import (
	"fmt"

	"esnaf/store/trade"
)

// buyerOf reads the company that a caller names; nil when there is none, which is
// a fault.
func (tx *Tx) buyerOf(id string) (*trade.Company, error) { return tx.companyOf(id, false) }

// companyOf is buyerOf for a document; made says that it was made from an order, whose
// references were live then: they go on working, whatever was deleted since.
func (tx *Tx) companyOf(id string, made bool) (*trade.Company, error) {
	if id == "" {
		tx.Check().Required("companyId", "")
		return nil, nil
	}
	c, ok, err := Companies.refer(tx, "companyId", id, made)
	if !ok {
		return nil, err
	}
	return &c, nil
}

// productsOf reads the products that lines name, each once, and looks for their
// warehouses. Too many lines are wrong anyway, and must not keep the writer busy. made
// is that of companyOf.
func (tx *Tx) productsOf(lines []trade.Line, made bool) (map[string]*trade.Product, error) {
	products := map[string]*trade.Product{}
	if len(lines) > trade.MaxLines {
		return products, nil
	}
	places := map[string]bool{"": true}
	for i := range lines {
		if at := lines[i].WarehouseID; !places[at] {
			if _, ok, err := Warehouses.refer(tx, fmt.Sprintf("lines[%d].warehouseId", i), at, made); err != nil {
				return nil, err
			} else if ok {
				places[at] = true
			}
		}
		id := lines[i].ProductID
		if id == "" || products[id] != nil {
			continue
		}
		p, ok, err := Products.refer(tx, fmt.Sprintf("lines[%d].productId", i), id, made)
		if err != nil {
			return nil, err
		}
		if ok {
			products[id] = &p
		}
	}
	return products, nil
}
