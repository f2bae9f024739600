package store

import "esnaf/store/trade"

// CreateProduct adds a product; a code is drawn when none is given.
func (tx *Tx) CreateProduct(p trade.Product) (Doc, error) {
	p.Defaults()
	p.Check(tx.Check())
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	if p.Code == "" {
		var err error
		if p.Code, err = tx.drawCode("products", "P"); err != nil {
			return Doc{}, err
		}
	}
	doc, err := Products.Add(tx, &p)
	if err != nil {
		return doc, err
	}
	return doc, tx.tell("product.create", p.ID, change{event: trade.EventProductCreated, object: doc.JSON, url: "/api/products/" + p.ID})
}
