package standin_test

import (
	"context"
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// TestStock looks at what lies in the warehouses of both accounts: there are lots and
// serial numbers, movements of the kinds that orders make, and all of it adds up.
func TestStock(t *testing.T) {
	db := open(t, noon, 1)
	d := seed(t, db, nil)
	kinds := map[trade.MovementType]int{}
	lots, serials := 0, 0
	for _, te := range d.Tenants {
		if n := len(all[trade.Warehouse](t, db, te.ID, &store.Warehouses.List, "code")); n != 2 {
			t.Errorf("%s has %d warehouses", te.Name, n)
		}
		for _, m := range all[trade.Movement](t, db, te.ID, &store.Movements.List, "date") {
			kinds[m.Type]++
			if m.Quantity > 0 && m.Value == 0 {
				t.Errorf("%s: %s came for nothing", te.Name, m.Name)
			}
		}
		for _, p := range all[trade.Product](t, db, te.ID, &store.Products.List, "code") {
			err := db.Read(context.Background(), store.Who{Tenant: te.ID, Actor: "test"}, func(v *store.View) error {
				inv, err := v.Inventory(p.ID)
				for _, w := range inv.Warehouses {
					lots, serials = lots+len(w.Lots), serials+len(w.Serials)
				}
				if (inv.OnHand > 0) != (p.Type == trade.Goods) {
					t.Errorf("%s: of %s, a %s, there is %s", te.Name, p.Name, p.Type, inv.OnHand)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, kind := range []trade.MovementType{trade.MoveReceipt, trade.MoveTransfer, trade.MoveReservation, trade.MoveShipment, trade.MoveReturn} {
		if kinds[kind] == 0 {
			t.Errorf("no movement is a %s", kind)
		}
	}
	if lots < 4 || serials < 10 {
		t.Errorf("there are %d lots and %d serial numbers", lots, serials)
	}
	checked, err := db.CheckData(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checked {
		if len(c.Differences) > 0 {
			t.Errorf("%s: %q", c.Name, c.Differences)
		}
	}
}
