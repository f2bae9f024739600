package store

import "esnaf/store/trade"

// AddShipment stores a shipment of an order, which it takes the customer and, where
// the shipment has none, the address from. It draws the number of its despatch note
// and tells of it, but moves neither the order nor the stock. The zero DespatchAt is
// now.
func (tx *Tx) AddShipment(s trade.Shipment) (Doc, error) {
	o, err := Orders.Get(&tx.View, s.OrderID)
	if err != nil {
		return Doc{}, err
	}
	t, err := tx.Settings()
	if err != nil {
		return Doc{}, err
	}
	if s.DespatchAt == 0 {
		s.DespatchAt = trade.At(tx.now)
	}
	s.DespatchDate = trade.DateOf(s.DespatchAt.Time().In(t.Zone()))
	s.Take(tx.Check(), &o)
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	if s.Number, err = tx.drawLegal(t.Series.Despatch, s.DespatchDate); err != nil {
		return Doc{}, err
	}
	s.ETTN = tx.db.ids.UUID()
	return Shipments.Create(tx, &s)
}
