package store_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// wish is an order of 2 pieces at 100.00 with 20 percent VAT.
func wish(company string) trade.Order {
	return trade.Order{CompanyID: company, Lines: []trade.OrderLine{{Line: line("Danışmanlık", "100")}}}
}

func (b *book) order(who store.Who, o trade.Order) (out trade.Order) {
	b.t.Helper()
	b.write(who, func(tx *store.Tx) error { return into(&out)(tx.CreateOrder(o)) })
	return out
}

func (b *book) getOrder(who store.Who, id string) (o trade.Order) {
	b.t.Helper()
	b.read(who, func(v *store.View) (err error) { o, err = store.Orders.Get(v, id); return err })
	return o
}

// depot is a store with a customer, a warehouse and goods in it.
type depot struct {
	*book
	customer trade.Company
	house    trade.Warehouse
	goods    trade.Product // sold for 100.00 with 20 percent VAT, not below 80.00
	service  trade.Product
}

func openDepot(t testing.TB, onHand string) *depot {
	t.Helper()
	d := &depot{book: open(t)}
	c := buyer()
	c.PostalCode, c.Address = "06690", "Atatürk Bulvarı 1"
	d.customer = d.company(d.who, c)
	d.write(d.who, func(tx *store.Tx) error { return into(&d.house)(tx.CreateWarehouse(trade.Warehouse{Name: "Merkez"})) })
	d.goods = d.product(d.who, trade.Product{Name: "Defter", SalePrice: 100 * lira, MinimumPrice: new(80 * lira)})
	d.service = d.product(d.who, trade.Product{Name: "Montaj", Type: trade.Service, SalePrice: 50 * lira})
	d.put(trade.Adjustment{ProductID: d.goods.ID, Quantity: quantity(onHand)})
	return d
}

const lira = money.Price(100_000_000)

func quantity(s string) *money.Quantity { return new(must(money.ParseQuantity(s))) }

// put brings goods into stock.
func (d *depot) put(a trade.Adjustment) {
	d.t.Helper()
	a.Reason = trade.ReasonOpening
	d.write(d.who, func(tx *store.Tx) error { _, err := tx.AdjustStock(a); return err })
}

// wants is an order of so much of the goods.
func (d *depot) wants(much string) trade.Order { return d.wantsOf(d.goods.ID, much) }

func (d *depot) wantsOf(product, much string) trade.Order {
	return trade.Order{CompanyID: d.customer.ID, Lines: []trade.OrderLine{{Line: trade.Line{ProductID: product, Quantity: *quantity(much)}}}}
}

// confirmed makes an order and confirms it.
func (d *depot) confirmed(o trade.Order) (out trade.Order) {
	d.t.Helper()
	out = d.order(d.who, o)
	d.write(d.who, func(tx *store.Tx) error { return into(&out)(tx.ConfirmOrder(out.ID)) })
	return out
}

// van is our own driver with a plate.
func van(lines ...trade.ShippingLine) trade.Shipping {
	return trade.Shipping{Lines: lines, Plate: "34 ABC 123", Drivers: []trade.Driver{{FirstName: "Ali", LastName: "Veli", NationalID: trade.CompleteTCKN("123456789")}}}
}

func (d *depot) ship(order string, in trade.Shipping) (s trade.Shipment) {
	d.t.Helper()
	d.write(d.who, func(tx *store.Tx) error { return into(&s)(tx.ShipOrder(order, in)) })
	return s
}

// stands compares what there is of the goods with "on hand, reserved".
func (d *depot) stands(about, want string) {
	d.t.Helper()
	got := sqlRow[string](d.book, "SELECT printf('%g, %g', on_hand / 1e6, reserved / 1e6) FROM stock WHERE product = ?", d.goods.ID)
	if got != want {
		d.t.Errorf("%s: %s on hand and reserved, want %s", about, got, want)
	}
}

// ordered makes an order and brings it to a state the way it gets there.
func (d *depot) ordered(state trade.OrderState) trade.Order {
	d.t.Helper()
	o := d.wants("2")
	if state == trade.OrderPendingApproval {
		o.Lines[0].UnitPrice = new(79 * lira)
	}
	o = d.order(d.who, o)
	do := func(op func(*store.Tx) (store.Doc, error)) {
		d.t.Helper()
		d.write(d.who, func(tx *store.Tx) error { _, err := op(tx); return err })
	}
	switch state {
	case trade.OrderDraft:
	case trade.OrderCancelled:
		do(func(tx *store.Tx) (store.Doc, error) { return tx.CancelOrder(o.ID) })
	default:
		do(func(tx *store.Tx) (store.Doc, error) { return tx.ConfirmOrder(o.ID) })
	}
	switch state {
	case trade.OrderPartiallyShipped:
		d.ship(o.ID, van(trade.ShippingLine{Line: 1, Quantity: quantity("1")}))
	case trade.OrderShipped:
		d.ship(o.ID, van())
	}
	if o = d.getOrder(d.who, o.ID); o.Status != state {
		d.t.Fatalf("brought to %s, want %s", o.Status, state)
	}
	return o
}

// Every state and every action that a caller has: one that is possible leads where
// the table says, any other changes nothing and is refused for the state's sake.
func TestEveryMoveOfAnOrder(t *testing.T) {
	d := openDepot(t, "1000")
	for _, state := range trade.OrderState("").Values() {
		from := trade.OrderState(state)
		for action, do := range map[trade.OrderAction]func(*store.Tx, string) error{
			trade.EditOrder: func(tx *store.Tx, id string) error {
				_, err := tx.UpdateOrder(id, store.Any, d.wants("2"))
				return err
			},
			trade.ConfirmOrder: func(tx *store.Tx, id string) error { _, err := tx.ConfirmOrder(id); return err },
			trade.ApproveOrder: func(tx *store.Tx, id string) error { _, err := tx.ApproveOrder(id); return err },
			trade.RejectOrder:  func(tx *store.Tx, id string) error { _, err := tx.RejectOrder(id, "çok düşük"); return err },
			trade.ShipOrder:    func(tx *store.Tx, id string) error { _, err := tx.ShipOrder(id, van()); return err },
			trade.CloseOrder:   func(tx *store.Tx, id string) error { _, err := tx.CloseOrder(id); return err },
			trade.CancelOrder:  func(tx *store.Tx, id string) error { _, err := tx.CancelOrder(id); return err },
			trade.DiscardOrder: func(tx *store.Tx, id string) error { return tx.DeleteOrder(id, store.Any) },
		} {
			o := d.ordered(from)
			to, allowed := trade.OrderMoves[from][action]
			if from == trade.OrderConfirmed && action == trade.CloseOrder {
				allowed = false // of this one nothing was shipped
			}
			if !allowed {
				e := d.refused(d.who, func(tx *store.Tx) error { return do(tx, o.ID) })
				if e.Kind != trade.Conflict || e.Code != trade.InvalidState {
					t.Errorf("%s in %s: %v", action, from, e)
				}
				if diff := gocmp.Diff(o, d.getOrder(d.who, o.ID)); diff != "" {
					t.Errorf("%s in %s changed it:\n%s", action, from, diff)
				}
				continue
			}
			d.write(d.who, func(tx *store.Tx) error { return do(tx, o.ID) })
			if action == trade.DiscardOrder {
				if n := sqlRow[int](d.book, "SELECT count(*) FROM orders WHERE id = ? AND deleted_at IS NOT NULL", o.ID); n != 1 {
					t.Errorf("%s is not deleted", from)
				}
				continue
			}
			now := d.getOrder(d.who, o.ID)
			held := action == trade.ConfirmOrder
			if now.Status != to || now.Version != o.Version+1 || (now.Lines[0].Reserved == now.Lines[0].Quantity) != held {
				t.Errorf("%s in %s leads to %s, version %d, %s reserved", action, from, now.Status, now.Version, now.Lines[0].Reserved)
			}
		}
	}
}

// Numbers are drawn past those that callers took, and are free again once their
// order is deleted.
func TestOrderNumbers(t *testing.T) {
	b := open(t)
	company := b.company(b.who, buyer()).ID
	own := wish(company)
	own.Number = "O000002"
	taken := b.order(b.who, own)
	first, second := b.order(b.who, wish(company)), b.order(b.who, wish(company))
	if first.Number != "O000001" || second.Number != "O000003" {
		t.Errorf("drawn: %s and %s", first.Number, second.Number)
	}
	if e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.CreateOrder(own); return err }); e.Code != trade.Duplicate || fields(e) != "number duplicate" {
		t.Errorf("a second %s: %v", own.Number, e)
	}
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteOrder(taken.ID, store.Any) })
	b.order(b.who, own)
}

// An order that a quote becomes keeps the quote, whatever its callers write; states
// and links are nobody's to set.
func TestWhatACallerCannotSetOfAnOrder(t *testing.T) {
	b := open(t)
	company := b.company(b.who, buyer()).ID
	from := wish(company)
	from.QuoteID, from.Status, from.ShipmentIDs = "quo_1", trade.OrderShipped, []string{"shp_1"}
	from.PriceApproval = trade.PriceApproval{Required: true, ApprovedBy: "usr_1"}
	o := b.order(b.who, from)
	if o.QuoteID != "quo_1" || o.Status != trade.OrderDraft || len(o.ShipmentIDs) > 0 || o.PriceApproval.Required {
		t.Errorf("made: %+v", o)
	}
}
