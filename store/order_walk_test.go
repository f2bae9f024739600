package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// trading is a random sequence of all that orders do to stock, and others meanwhile.
type trading struct {
	walk
	company       string
	sales, loaded []string // ids of orders and of shipments
}

// TestWhatIsHeldIsShipped walks at random through orders that name lots, serial numbers
// and warehouses, or none; that are shipped as they were held, or otherwise; while goods
// come, leave and go past their day and another warehouse becomes the default one. What
// orders say is what is held for them, no more; and whatever is held for one can be
// shipped by just saying so.
func TestWhatIsHeldIsShipped(t *testing.T) {
	s := openShop(t, t.TempDir())
	defer s.Close()
	s.who.Actor = "operator"
	for i, tracking := range []trade.Tracking{trade.Untracked, trade.ByLot, trade.BySerial} {
		t.Run(string(tracking), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				if err := cmp.Or(s.empty(), s.settle()); err != nil {
					rt.Fatal(err)
				}
				s.products = slices.Repeat(s.products[i:i+1], 3) // of one, so that all get into each other's way
				w := &trading{walk: walk{shop: s, T: rt}}
				w.trade(rt)
			})
		})
	}
}

// trade does all of it to a new account with some goods.
func (w *trading) trade(rt *rapid.T) {
	err := w.do(func(tx *Tx) error {
		doc, err := tx.CreateCompany(ada())
		w.company = idOf(doc.JSON)
		return err
	})
	if err != nil {
		rt.Fatal(err)
	}
	for range 4 {
		w.receive(rt)
	}
	rt.Repeat(map[string]func(*rapid.T){
		"receive": w.receive, "issue": w.take, "transfer": w.transfer, "adjust": w.adjustOnce, "count": w.count,
		"order": w.order, "order more": w.order, "order still more": w.order, "ship": w.shipAll, "ship more": w.shipAll,
		"ship otherwise": w.shipOtherwise, "ship still otherwise": w.shipOtherwise,
		"cancel shipment": w.recall, "return": w.sendBack, "cancel": w.giveUp, "main": w.moveMain, "rebuild": w.rebuild, "": w.promised,
	})
	w.steps = 4 // the next look is a thorough one
	w.promised(rt)
}

// named draws lots or serial numbers of a product that lie anywhere, with how much that
// is, or none.
func (w *trading) named(p *trade.Product) (much money.Quantity, lot string, serials []string) {
	much = w.quantity()
	var all []string
	err := w.Read(context.Background(), w.who, func(v *View) error {
		var row [1]any
		return v.each(row[:], "SELECT lot FROM lots WHERE tenant = ? AND product = ? ORDER BY lot", []any{w.who.Tenant, p.ID}, func() bool {
			all = append(all, row[0].(string))
			return true
		})
	})
	switch {
	case err != nil:
		w.Fatal(err)
	case len(all) == 0 || rapid.IntRange(0, 2).Draw(w.T, "any") == 0:
	case p.Tracking == trade.ByLot:
		lot = rapid.SampledFrom(all).Draw(w.T, "lot")
	default:
		serials = rapid.Permutation(all).Draw(w.T, "serials")[:rapid.IntRange(1, min(3, len(all))).Draw(w.T, "pieces")]
		much = pieces(serials)
	}
	return much, lot, serials
}

// order takes an order of a product and confirms it.
func (w *trading) order(*rapid.T) {
	o := trade.Order{CompanyID: w.company, Backorder: rapid.IntRange(0, 3).Draw(w.T, "backorder") == 0}
	for range rapid.IntRange(1, 2).Draw(w.T, "lines") {
		p := w.product()
		l := trade.Line{ProductID: p.ID, UnitPrice: new(money.Price(100_000_000)), VATRate: new(money.Percent(20))}
		l.Quantity, l.LotNo, l.SerialNos = w.named(p)
		if rapid.IntRange(0, 3).Draw(w.T, "of its own") == 0 {
			l.WarehouseID = w.house()
		}
		o.Lines = append(o.Lines, trade.OrderLine{Line: l})
	}
	if rapid.IntRange(0, 3).Draw(w.T, "from") == 0 {
		o.WarehouseID = w.house()
	}
	w.try(0, 0, func(tx *Tx) error {
		doc, err := tx.CreateOrder(o)
		if err != nil {
			return err
		}
		id := idOf(doc.JSON)
		if _, err = tx.ConfirmOrder(id); err == nil {
			w.sales = append(w.sales, id)
		}
		return err
	})
}

func (w *trading) one(of []string) string {
	if len(of) == 0 {
		w.Skip("there is none yet")
	}
	return rapid.SampledFrom(of).Draw(w.T, "of")
}

func (w *trading) carried(order string, in trade.Shipping) bool {
	in.Carrier = &trade.Carrier{Name: "Kargo", TaxNumber: trade.CompleteVKN("123456789")}
	return w.try(0, 0, func(tx *Tx) error {
		doc, err := tx.ShipOrder(order, in)
		if err == nil {
			w.loaded = append(w.loaded, idOf(doc.JSON))
		}
		return err
	})
}

// shipAll ships what is left of an order, naming nothing. Where all of it is held that
// goes well, whatever happened since.
func (w *trading) shipAll(*rapid.T) {
	id := w.one(w.sales)
	ready := w.ready(id)
	if !w.carried(id, trade.Shipping{}) && ready {
		w.Fatalf("all that is left of %s is held for it, and cannot be shipped", id)
	}
}

// ready tells whether all that is left of an order is held for it, of the lots and serial
// numbers that it names.
func (w *trading) ready(id string) (ready bool) {
	err := w.Read(context.Background(), w.who, func(v *View) error {
		o, err := Orders.Get(v, id)
		if err != nil {
			return err
		}
		for i := range o.Lines {
			l := &o.Lines[i]
			rows, err := v.heldOf(id, i+1)
			if err != nil {
				return err
			}
			asked := func(h held) bool {
				return h.lot == l.LotNo && len(l.SerialNos) == 0 || slices.Contains(l.SerialNos, h.lot)
			}
			if l.Reserved != l.Left() || slices.ContainsFunc(rows, func(h held) bool { return !asked(h) }) {
				ready = false
				return nil
			}
			ready = ready || l.Left() > 0
		}
		return nil
	})
	if err != nil {
		w.Fatal(err)
	}
	return ready && !w.closed(id)
}

// closed tells whether nothing is shipped of an order any more.
func (w *trading) closed(id string) (closed bool) {
	err := w.Read(context.Background(), w.who, func(v *View) error {
		o, err := Orders.Get(v, id)
		_, refused := o.Next(trade.ShipOrder)
		closed = refused != nil
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return closed
}

// shipOtherwise ships something of a line, maybe of lots and from a warehouse that nobody
// spoke of before.
func (w *trading) shipOtherwise(*rapid.T) {
	id := w.one(w.sales)
	var o trade.Order
	if err := w.Read(context.Background(), w.who, func(v *View) (err error) { o, err = Orders.Get(v, id); return err }); err != nil {
		w.Fatal(err)
	}
	n := rapid.IntRange(1, len(o.Lines)).Draw(w.T, "line")
	at := slices.IndexFunc(w.products, func(p trade.Product) bool { return p.ID == o.Lines[n-1].ProductID })
	much, lot, serials := w.named(&w.products[at])
	if len(serials) == 0 {
		much = min(much, max(o.Lines[n-1].Left(), trade.Piece))
	}
	in := trade.Shipping{Lines: []trade.ShippingLine{{Line: n, Quantity: &much, LotNo: lot, SerialNos: serials}}}
	if rapid.Bool().Draw(w.T, "from") {
		in.WarehouseID = w.house()
	}
	w.carried(id, in)
}

func (w *trading) recall(*rapid.T) {
	id := w.one(w.loaded)
	w.try(0, 0, func(tx *Tx) error { _, err := tx.CancelShipment(id); return err })
}

// sendBack lets goods come back of a shipment whose note the tax office has.
func (w *trading) sendBack(*rapid.T) {
	id := w.one(w.loaded)
	in := trade.Return{}
	if rapid.Bool().Draw(w.T, "a line") {
		in.Lines = []trade.ReturnLine{{Line: 1}}
	}
	w.try(0, 0, func(tx *Tx) error {
		s, err := Shipments.Get(&tx.View, id)
		if err == nil && s.Status == trade.ShipmentPrepared {
			err = tx.Answer(Errand{Tenant: w.who.Tenant, Owner: id, Step: StepSubmit}, Answer{Outcome: trade.Taken})
		}
		if err == nil {
			_, err = tx.ReturnShipment(id, in)
		}
		return err
	})
}

// giveUp cancels an order, or closes one that cannot be cancelled any more.
func (w *trading) giveUp(*rapid.T) {
	id := w.one(w.sales)
	if !w.try(0, 0, func(tx *Tx) error { _, err := tx.CancelOrder(id); return err }) {
		w.try(0, 0, func(tx *Tx) error { _, err := tx.CloseOrder(id); return err })
	}
}

func (w *trading) moveMain(*rapid.T) {
	id := w.house()
	w.try(0, 0, func(tx *Tx) error {
		house, err := Warehouses.Get(&tx.View, id)
		if err == nil {
			house.IsDefault = new(true)
			_, err = tx.UpdateWarehouse(id, Any, house)
		}
		return err
	})
}

// rebuild puts another warehouse in the place of one that is empty.
func (w *trading) rebuild(*rapid.T) {
	i := rapid.IntRange(0, 1).Draw(w.T, "warehouse")
	w.try(0, 0, func(tx *Tx) error {
		if err := tx.DeleteWarehouse(w.houses[i], Any); err != nil {
			return err
		}
		doc, err := tx.CreateWarehouse(trade.Warehouse{Name: fmt.Sprint("Yeni ", w.steps)})
		if err == nil {
			w.houses[i] = idOf(doc.JSON)
		}
		return err
	})
}

// promised finds what is held of any lot where there is not as much of those that are not
// past their day, and now and then all that esnaf check does of stock and orders.
func (w *trading) promised(*rapid.T) {
	w.steps++
	err := w.Read(context.Background(), w.who, func(v *View) error {
		for _, house := range w.houses {
			s, err := v.shelf(w.products[1].ID, house)
			if err != nil {
				return err
			}
			lots, err := v.lots(w.products[1].ID, house)
			free := s.free()
			for i := range lots {
				if lots[i].expired("2026-09-15") {
					free -= lots[i].free()
				}
			}
			if err != nil || free < 0 {
				w.Fatalf("%s more is promised than can be kept (%v)", -free, err)
			}
		}
		if w.steps%5 > 0 {
			return nil
		}
		wrong := func(format string, args ...any) { w.Errorf(format, args...) }
		if err := checkStock(v, wrong); err != nil {
			return err
		}
		return checkOrders(v, wrong)
	})
	if err != nil {
		w.Fatal(err)
	}
}
