package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// An order on its way says of its lines what is made of it; every figure that somebody
// changes is found.
func TestOrdersAreCheckedAgainstWhatIsMadeOfThem(t *testing.T) {
	s := openShop(t, t.TempDir())
	s.who.Actor = "operator"
	s.sellSome(t)
	if got := s.orderFaults(t); got != "" {
		t.Fatalf("nothing is wrong, but: %s", got)
	}
	for figure, has := range map[string]string{"reserved": "2", "shipped": "3", "returned": "1", "invoiced": "2"} {
		s.must(t, func(tx *Tx) error {
			_, err := tx.exec(`UPDATE orders SET doc = replace(doc, ?, ?)`, `"`+figure+`":"`+has+`"`, `"`+figure+`":"9"`)
			return err
		})
		if got := s.orderFaults(t); !strings.Contains(got, figure+" is 9, by what is made of it "+has) {
			t.Errorf("%s is wrong, but: %s", figure, got)
		}
	}
}

// sellSome takes an order of 5 pieces as far as 3 shipped, 1 of them back and 2
// invoiced.
func (s *shop) sellSome(t *testing.T) {
	t.Helper()
	goods := s.products[0].ID
	s.made(t, func(tx *Tx) (Doc, error) {
		return tx.AdjustStock(trade.Adjustment{ProductID: goods, Quantity: new(10 * trade.Piece), Reason: trade.ReasonOpening})
	})
	company := s.made(t, func(tx *Tx) (Doc, error) { return tx.CreateCompany(ada()) })
	order := s.made(t, func(tx *Tx) (Doc, error) {
		line := trade.Line{ProductID: goods, Quantity: 5 * trade.Piece, UnitPrice: new(money.Price(100_000_000)), VATRate: new(money.Percent(20))}
		return tx.CreateOrder(trade.Order{CompanyID: company, Lines: []trade.OrderLine{{Line: line}}})
	})
	s.made(t, func(tx *Tx) (Doc, error) { return tx.ConfirmOrder(order) })
	in := trade.Shipping{Carrier: &trade.Carrier{Name: "Kargo", TaxNumber: trade.CompleteVKN("123456789")}, Lines: []trade.ShippingLine{{Line: 1, Quantity: new(3 * trade.Piece)}}}
	shipment := s.made(t, func(tx *Tx) (Doc, error) { return tx.ShipOrder(order, in) })
	s.must(t, func(tx *Tx) error {
		return tx.Answer(Errand{Tenant: s.who.Tenant, Owner: shipment, Step: StepSubmit}, Answer{Outcome: trade.Taken})
	})
	s.made(t, func(tx *Tx) (Doc, error) {
		return tx.ReturnShipment(shipment, trade.Return{Lines: []trade.ReturnLine{{Line: 1, Quantity: new(trade.Piece)}}})
	})
	s.made(t, func(tx *Tx) (Doc, error) { return tx.InvoiceOrder(order) })
}

// ada is a customer.
func ada() trade.Company {
	return trade.Company{Name: "Ada", TaxNumber: trade.CompleteVKN("987654321"), District: "Çankaya", City: "Ankara", PostalCode: "06690"}
}

func (s *shop) must(t *testing.T, fn func(*Tx) error) {
	t.Helper()
	if err := s.do(fn); err != nil {
		t.Fatal(err)
	}
}

// made is the id of what an operation makes, or works on.
func (s *shop) made(t *testing.T, fn func(*Tx) (Doc, error)) (id string) {
	t.Helper()
	s.must(t, func(tx *Tx) error {
		d, err := fn(tx)
		if err == nil {
			id = idOf(d.JSON)
		}
		return err
	})
	return id
}

// orderFaults is what checkOrders says.
func (s *shop) orderFaults(t *testing.T) string {
	t.Helper()
	var all []string
	err := s.Read(context.Background(), s.who, func(v *View) error {
		return checkOrders(v, func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) })
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "\n")
}
