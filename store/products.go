package store

import "esnaf/store/trade"

// CreateProduct adds a product; a code is drawn when none is given.
func (tx *Tx) CreateProduct(p trade.Product) (Doc, error) {
	p.Defaults()
	p.Check(tx.Check())
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	return Products.Create(tx, &p)
}

// UpdateProduct replaces what a caller may set of a product whose version match
// allows.
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
	return Products.Replace(tx, was, &old, &p)
}

// DeleteProduct marks a product deleted, whatever documents refer to it.
func (tx *Tx) DeleteProduct(id string, match Match) error { return Products.Remove(tx, id, match) }
