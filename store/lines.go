package store

import (
	"fmt"

	"esnaf/store/trade"
)

// kept is what a record has already, or the one that it is made from: the ids that it
// refers to, how many bytes the texts of its lines have, and their reasons for no VAT. They
// were judged then and go on working, whatever was deleted or has moved since: who changes
// something else, or sends a record back as it was read, has not touched them.
type kept struct {
	ids     map[string]bool
	texts   int
	reasons map[string]bool
}

// keeping are these ids and what lines have.
func keeping(lines []trade.Line, ids ...string) kept {
	k := kept{map[string]bool{}, trade.Texts(lines), map[string]bool{}}
	for _, l := range lines {
		k.ids[l.ProductID], k.ids[l.WarehouseID], k.reasons[l.ExemptionCode] = true, true, true
	}
	for _, id := range ids {
		k.ids[id] = true
	}
	delete(k.ids, "")
	return k
}

// check judges what lines, which are summed up, may have only where the record has it
// already.
func (k *kept) check(f *trade.Check, lines []trade.Line) {
	trade.CheckTexts(f, lines, k.texts)
	trade.CheckReasons(f, lines, k.reasons)
}

// companyOf reads the company that a record names; nil when there is none, which is a
// fault.
func (tx *Tx) companyOf(id string, k kept) (*trade.Company, error) {
	if id == "" {
		tx.Check().Required("companyId", "")
		return nil, nil
	}
	c, ok, err := Companies.refer(tx, "companyId", id, k)
	if !ok {
		return nil, err
	}
	return &c, nil
}

// productsOf reads the products that lines name, each once, and looks for their
// warehouses. Too many lines are wrong anyway, and must not keep the writer busy.
func (tx *Tx) productsOf(lines []trade.Line, k kept) (map[string]*trade.Product, error) {
	products := map[string]*trade.Product{}
	if len(lines) > trade.MaxLines {
		return products, nil
	}
	places := map[string]bool{"": true}
	for i := range lines {
		if at := lines[i].WarehouseID; !places[at] {
			if _, ok, err := Warehouses.refer(tx, fmt.Sprintf("lines[%d].warehouseId", i), at, k); err != nil {
				return nil, err
			} else if ok {
				places[at] = true
			}
		}
		id := lines[i].ProductID
		if id == "" || products[id] != nil {
			continue
		}
		p, ok, err := Products.refer(tx, fmt.Sprintf("lines[%d].productId", i), id, k)
		if err != nil {
			return nil, err
		}
		if ok {
			products[id] = &p
		}
	}
	return products, nil
}
