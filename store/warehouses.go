package store

import "esnaf/store/trade"

// CreateWarehouse adds a warehouse; a code is drawn when none is given. The first one
// is the default one.
func (tx *Tx) CreateWarehouse(w trade.Warehouse) (Doc, error) {
	if err := tx.prepareWarehouse(&w); err != nil {
		return Doc{}, err
	}
	return Warehouses.Create(tx, &w)
}

// UpdateWarehouse replaces what a caller may set of a warehouse whose version match
// allows.
func (tx *Tx) UpdateWarehouse(id string, match Match, w trade.Warehouse) (Doc, error) {
	was, old, err := current(tx, Warehouses, id, match)
	if err != nil {
		return Doc{}, err
	}
	w.Keep(tx.Check(), &old)
	if err := tx.prepareWarehouse(&w); err != nil {
		return Doc{}, err
	}
	return Warehouses.Replace(tx, was, &old, &w)
}

// DeleteWarehouse marks a warehouse deleted, unless stock lies in it, some of it held
// for orders maybe, or it is being counted: Conflict holds_stock or count_open. If it was
// the default one, the oldest of the others takes over.
func (tx *Tx) DeleteWarehouse(id string, match Match) error {
	_, w, err := current(tx, Warehouses, id, match)
	if err != nil {
		return err
	}
	held, err := tx.any("SELECT 1 FROM stock WHERE tenant = ? AND warehouse = ? AND on_hand > 0 LIMIT 1", tx.who.Tenant, id)
	if err != nil {
		return err
	}
	if held {
		return trade.Fail(trade.Conflict, trade.HoldsStock)
	}
	open, err := tx.openCounts(id)
	if err != nil {
		return err
	}
	if len(open) > 0 {
		return trade.Fail(trade.Conflict, trade.CountOpenAlready, w.Code, open[0].ID)
	}
	if !w.Default() {
		return Warehouses.Remove(tx, id, match)
	}
	if err := tx.setDefault(id, false); err != nil {
		return err
	}
	if err := Warehouses.Remove(tx, id, Any); err != nil {
		return err
	}
	heir, err := tx.oneText("SELECT id FROM warehouses WHERE tenant = ? AND deleted_at IS NULL ORDER BY n LIMIT 1", tx.who.Tenant)
	if err != nil || heir == "" {
		return err
	}
	return tx.setDefault(heir, true)
}

// prepareWarehouse judges a warehouse; one that is to be the default one takes that
// from whichever it was.
func (tx *Tx) prepareWarehouse(w *trade.Warehouse) error {
	w.Defaults()
	w.Check(tx.Check())
	if err := tx.Check().Err(); err != nil {
		return err
	}
	main, err := tx.mainWarehouse()
	if err != nil {
		return err
	}
	w.IsDefault = new(w.Default() || main == "")
	if !w.Default() || main == "" || main == w.ID {
		return nil
	}
	return tx.setDefault(main, false)
}

// setDefault makes a warehouse the default one, or no longer.
func (tx *Tx) setDefault(id string, is bool) error {
	was, old, err := current(tx, Warehouses, id, Any)
	if err != nil {
		return err
	}
	w := old
	w.IsDefault = &is
	_, err = Warehouses.Replace(tx, was, &old, &w)
	return err
}

// mainWarehouse is the id of the default warehouse, "" while there is none at all.
func (v *View) mainWarehouse() (string, error) {
	return v.oneText("SELECT id FROM warehouses WHERE tenant = ? AND main = 1 AND deleted_at IS NULL", v.who.Tenant)
}

// warehouseOf finds the warehouse that field refers to, the default one when id is
// ""; nil when there is none, which is a fault of field.
func (tx *Tx) warehouseOf(field, id string) (*trade.Warehouse, error) {
	if id == "" {
		main, err := tx.mainWarehouse()
		if err != nil {
			return nil, err
		}
		if main == "" {
			tx.Check().Add(field, trade.Required, trade.Aside{"There is no warehouse yet: make one first; it becomes the default one.", "Henüz hiç depo yok: önce bir depo oluşturun; varsayılan depo o olur."})
			return nil, nil
		}
		id = main
	}
	w, ok, err := Warehouses.Find(tx, tx.Check(), field, id)
	if !ok {
		return nil, err
	}
	return &w, nil
}

// isLive tells whether a warehouse is there and not deleted.
func (v *View) isLive(warehouse string) (bool, error) {
	return v.any("SELECT 1 FROM warehouses WHERE tenant = ? AND id = ? AND deleted_at IS NULL", v.who.Tenant, warehouse)
}
