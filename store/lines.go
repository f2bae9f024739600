package store

import (
	"fmt"

	"esnaf/store/trade"
)

// buyerOf reads the company that a document names; nil when there is none, which is
// a fault.
func (tx *Tx) buyerOf(id string) (*trade.Company, error) {
	if id == "" {
		tx.Check().Required("companyId", "")
		return nil, nil
	}
	c, ok, err := Companies.Find(tx, tx.Check(), "companyId", id)
	if !ok {
		return nil, err
	}
	return &c, nil
}

// productsOf reads the products that lines name, each once. Too many lines are
// wrong anyway, and must not keep the writer busy.
func (tx *Tx) productsOf(lines []trade.Line) (map[string]*trade.Product, error) {
	products := map[string]*trade.Product{}
	if len(lines) > trade.MaxLines {
		return products, nil
	}
	for i := range lines {
		id := lines[i].ProductID
		if id == "" || products[id] != nil {
			continue
		}
		p, ok, err := Products.Find(tx, tx.Check(), fmt.Sprintf("lines[%d].productId", i), id)
		if err != nil {
			return nil, err
		}
		if ok {
			products[id] = &p
		}
	}
	return products, nil
}
