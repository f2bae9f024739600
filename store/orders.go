package store

import "esnaf/store/trade"

// CreateOrder adds a draft; a number is drawn when none is given. QuoteID is taken
// as it is: no body can hold one, so it comes from a quote that becomes an order.
func (tx *Tx) CreateOrder(o trade.Order) (Doc, error) { return tx.createOrder(o, kept{}) }

func (tx *Tx) createOrder(o trade.Order, k kept) (Doc, error) {
	o.Status, o.PriceApproval, o.ShipmentIDs, o.InvoiceIDs = trade.OrderDraft, trade.PriceApproval{}, nil, nil
	if err := tx.prepareOrder(&o, k); err != nil {
		return Doc{}, err
	}
	return Orders.Create(tx, &o)
}

// UpdateOrder replaces what a caller may set of a draft whose version match allows.
func (tx *Tx) UpdateOrder(id string, match Match, o trade.Order) (Doc, error) {
	was, old, err := current(tx, Orders, id, match)
	if err != nil {
		return Doc{}, err
	}
	if _, err := old.Next(trade.EditOrder); err != nil {
		return Doc{}, err
	}
	o.Keep(&old)
	if err := tx.prepareOrder(&o, keeping(old.Goods(), old.CompanyID, old.WarehouseID)); err != nil {
		return Doc{}, err
	}
	o.KeepApproval(&old)
	return Orders.Replace(tx, was, &old, &o)
}

// DeleteOrder marks a draft deleted. The quote that it was made of is accepted again.
func (tx *Tx) DeleteOrder(id string, match Match) error {
	o, err := Orders.Get(&tx.View, id)
	if err != nil {
		return err
	}
	if err := Orders.Remove(tx, id, match); err != nil || o.QuoteID == "" {
		return err
	}
	return tx.revertQuote(o.QuoteID)
}

// CancelOrder cancels an order of which nothing has been shipped, and gives back what
// stock holds for it.
func (tx *Tx) CancelOrder(id string) (Doc, error) {
	was, o, err := current(tx, Orders, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := o
	invoices, err := tx.invoicesOf(&o)
	if err != nil {
		return Doc{}, err
	}
	if err := o.Cancel(invoices); err != nil {
		return Doc{}, err
	}
	if err := tx.release(o.ID); err != nil {
		return Doc{}, err
	}
	return Orders.Move(tx, string(trade.CancelOrder), trade.EventOrderCancelled, was, &old, &o)
}

// CloseOrder ends an order of which something was shipped: the rest is given up, and
// stock holds nothing back for it any more.
func (tx *Tx) CloseOrder(id string) (Doc, error) {
	was, o, err := current(tx, Orders, id, Any)
	if err != nil {
		return Doc{}, err
	}
	old := o
	if err := o.Close(); err != nil {
		return Doc{}, err
	}
	if err := tx.release(o.ID); err != nil {
		return Doc{}, err
	}
	return Orders.Move(tx, string(trade.CloseOrder), "", was, &old, &o)
}

// prepareOrder fills, judges and computes an order.
func (tx *Tx) prepareOrder(o *trade.Order, k kept) error {
	f := tx.Check()
	company, err := tx.companyOf(o.CompanyID, k)
	if err != nil {
		return err
	}
	if o.WarehouseID != "" {
		if _, _, err := Warehouses.refer(tx, "warehouseId", o.WarehouseID, k); err != nil {
			return err
		}
	}
	products, err := tx.productsOf(o.Goods(), k)
	if err != nil {
		return err
	}
	today, err := tx.documentDay()
	if err != nil {
		return err
	}
	o.Defaults(company, today)
	o.CheckDate(f, today)
	o.Check(f, products)
	k.check(f, o.Goods())
	return f.Err()
}
