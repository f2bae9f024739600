package trade

import (
	"testing"

	"pgregory.net/rapid"

	"esnaf/store/money"
)

// However an order is shipped in parts, invoiced and given back, what is on its
// invoices in the end is what was ordered, the discount to the kuruş: unless a part
// would get more off than it costs.
func TestPartsOfAnOrderAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quantity := money.Quantity(rapid.Int64Range(1, 5000).Draw(t, "quantity")) * 1000
		price := money.Price(rapid.Int64Range(100, 100_000).Draw(t, "price")) * 1_000_000
		gross, _ := price.Times(quantity)
		discount := gross.Share(money.Quantity(rapid.Int64Range(0, 90).Draw(t, "percent")), 100)
		o := &Order{Status: OrderConfirmed, Lines: []OrderLine{{Line: Line{Quantity: quantity, UnitPrice: &price, DiscountAmount: &discount}}}}
		o.Lines[0].Shipped = quantity
		l := &o.Lines[0]
		var live []*Invoice
		for l.Due() > 0 {
			if len(live) > 0 && rapid.IntRange(0, 3).Draw(t, "back") == 0 {
				i := rapid.IntRange(0, len(live)-1).Draw(t, "which")
				o.Unbill(live[i])
				live = append(live[:i], live[i+1:]...)
				if len(live) == 0 && (l.Invoiced != 0 || l.InvoicedDiscount != 0) {
					t.Fatalf("all is given back, but %s and %s are invoiced", l.Invoiced, l.InvoicedDiscount)
				}
				continue
			}
			l.Shipped = min(quantity, l.Invoiced+money.Quantity(rapid.Int64Range(1, int64(quantity)).Draw(t, "part")))
			v, err := o.Bill("2026-09-15")
			if err != nil {
				t.Fatal(err)
			}
			live = append(live, &v)
			l.Shipped = quantity
		}
		var much money.Quantity
		var off money.Amount
		full := false // something got all off that it costs: a crumb of a line cannot take its share
		for _, v := range live {
			part, _ := price.Times(v.Lines[0].Quantity)
			got := *v.Lines[0].DiscountAmount
			if got < 0 || got > part {
				t.Fatalf("%s off a part of %s", got, part)
			}
			much, off, full = much+v.Lines[0].Quantity, off+got, full || got == part
		}
		if much != quantity || l.Invoiced != quantity || off != l.InvoicedDiscount || off > discount || off < discount && !full {
			t.Fatalf("%s with %s off, ordered %s with %s", much, off, quantity, discount)
		}
	})
}
