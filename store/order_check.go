package store

import (
	"esnaf/store/money"
	"esnaf/store/trade"
)

// checkOrders says where an order does not say of its lines what reservations,
// shipments and invoices do. It looks at every tenant.
func checkOrders(v *View, differ differ) error {
	var orders [][2]string
	var row [2]any
	err := v.each(row[:], "SELECT tenant, id FROM orders WHERE deleted_at IS NULL ORDER BY n", nil, func() bool {
		orders = append(orders, [2]string{row[0].(string), row[1].(string)})
		return true
	})
	if err != nil {
		return err
	}
	var lost [4]any
	err = v.each(lost[:], `SELECT order_id, tenant, product, quantity FROM reservations r WHERE NOT EXISTS (
		SELECT 1 FROM orders o WHERE o.tenant = r.tenant AND o.id = r.order_id AND o.deleted_at IS NULL) ORDER BY n`, nil, func() bool {
		differ("%s of %v is held for the order %v of %v, which is not there", money.Quantity(lost[3].(int64)), lost[2], lost[0], lost[1])
		return true
	})
	if err != nil {
		return err
	}
	if err := checkWanted(v, differ); err != nil {
		return err
	}
	for _, o := range orders {
		own := *v
		own.who.Tenant = o[0]
		if err := own.checkOrder(o[1], differ); err != nil {
			return err
		}
	}
	return nil
}

// checkWanted holds what orders that are to be shipped are found by against their lines.
func checkWanted(v *View, differ differ) error {
	return v.compared(`WITH readable AS (SELECT tenant, id, status, doc FROM orders WHERE json_valid(doc) AND deleted_at IS NULL), both AS (
			SELECT DISTINCT o.tenant, o.id, l.value ->> 'productId' AS product, 1 AS want, 0 AS have
			FROM readable o, json_each(iif(json_valid(o.doc), o.doc, '{}'), '$.lines') l WHERE o.status IN ('CONFIRMED', 'PARTIALLY_SHIPPED')
			UNION ALL SELECT tenant, order_id, product, 0, 1 FROM wanted WHERE order_id NOT IN (SELECT id FROM orders WHERE NOT json_valid(doc))
		) SELECT id || ' of ' || tenant || ' by its product ' || product, sum(want), sum(have) FROM both WHERE product IS NOT NULL
		GROUP BY tenant, id, product HAVING sum(want) <> sum(have)`,
		func(called string, want, _ money.Amount) {
			if want > 0 {
				differ("the order %s is not found, though it is to be shipped", called)
			} else {
				differ("the order %s is found, which is not to be shipped, or not of that", called)
			}
		})
}

// progress is how far the delivery of a line has come.
type progress struct{ reserved, shipped, returned, invoiced money.Quantity }

// checkOrder compares one order with what is made of it.
func (v *View) checkOrder(id string, differ differ) error {
	o, err := Orders.Get(v, id)
	if err != nil {
		return unlessUnreadable(err)
	}
	want := make([]progress, len(o.Lines))
	if err := v.progressOf(&o, want, differ); err != nil {
		return unlessUnreadable(err)
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		if l.Service {
			want[i].shipped = l.Quantity
			if o.Status == trade.OrderCancelled {
				want[i].shipped = 0
			}
		}
		for _, figure := range []struct {
			name       string
			want, have money.Quantity
		}{
			{"reserved", want[i].reserved, l.Reserved},
			{"shipped", want[i].shipped, l.Shipped},
			{"returned", want[i].returned, l.Returned},
			{"invoiced", want[i].invoiced, l.Invoiced},
		} {
			if figure.want != figure.have {
				differ("line %d of the order %s: %s is %s, by what is made of it %s", i+1, o.ID, figure.name, figure.have, figure.want)
			}
		}
	}
	return nil
}

// progressOf sums up what reservations, shipments and invoices have of an order.
func (v *View) progressOf(o *trade.Order, lines []progress, differ differ) error {
	// of is the line that something is of; what is of none counts nowhere.
	of := func(line int, what string) *progress {
		if line < 1 || line > len(lines) {
			differ("%s is of line %d of the order %s, which has %d", what, line, o.ID, len(lines))
			return &progress{}
		}
		return &lines[line-1]
	}
	held, err := v.heldWhere("tenant = ? AND order_id = ?", v.who.Tenant, o.ID)
	if err != nil {
		return err
	}
	for _, h := range held {
		of(h.line, "what is held of "+h.product).reserved += h.quantity
	}
	for _, id := range o.ShipmentIDs {
		s, err := Shipments.Get(v, id)
		if err := missingMade(o, id, err, differ); err != nil {
			return err
		}
		for _, l := range s.Lines {
			if s.Status != trade.ShipmentCancelled {
				line := of(l.OrderLine, "the shipment "+id)
				line.shipped += l.Quantity
				line.returned += l.Returned
			}
		}
	}
	for _, id := range o.InvoiceIDs {
		inv, err := Invoices.Get(v, id)
		if err := missingMade(o, id, err, differ); err != nil {
			return err
		}
		for _, l := range inv.OrderLines {
			if l.OrderID == o.ID {
				of(l.Line, "the invoice "+id).invoiced += l.Quantity
			}
		}
	}
	return nil
}

// missingMade tells that what an order says was made of it is not there.
func missingMade(o *trade.Order, id string, err error, differ differ) error {
	if trade.KindOf(err) == trade.NotFound {
		differ("%s, which the order %s says is made of it, is not there", id, o.ID)
		return nil
	}
	return err
}
