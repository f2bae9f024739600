package trade

import (
	"math/big"
	"testing"

	"esnaf/store/money"
)

// tenLines is a document of ten lines with discounts and three rates.
func tenLines() *Invoice {
	v := &Invoice{}
	rates := []money.Rate{money.Percent(20), money.Percent(10), money.Percent(1)}
	for i := range 10 {
		price, discount := money.Price(1_234_000_000+int64(i)*7_310_000), money.Percent(i)
		v.Lines = append(v.Lines, Line{Quantity: money.Quantity(1_500_000 + i), UnitPrice: &price, DiscountRate: &discount, VATRate: &rates[i%3]})
	}
	return v
}

// BenchmarkTotals computes a ten-line invoice; BenchmarkTotalsRational is the
// yardstick, the same arithmetic in math/big.
func BenchmarkTotals(b *testing.B) {
	v := tenLines()
	for b.Loop() {
		var f Check
		v.Sum(&f)
		if f.Err() != nil || v.Total == 0 {
			b.Fatal("no total")
		}
	}
}

func BenchmarkTotalsRational(b *testing.B) {
	v := tenLines()
	for b.Loop() {
		total := new(big.Rat)
		for i := range v.Lines {
			l := &v.Lines[i]
			gross := cents(new(big.Rat).Mul(big.NewRat(int64(l.Quantity), 1_000_000), big.NewRat(int64(*l.UnitPrice), 100_000_000)))
			net := gross.Sub(gross, cents(new(big.Rat).Mul(gross, big.NewRat(int64(*l.DiscountRate), 1_000_000))))
			vat := cents(new(big.Rat).Mul(net, big.NewRat(int64(*l.VATRate), 1_000_000)))
			total.Add(total, net.Add(net, vat))
		}
		if total.Sign() <= 0 {
			b.Fatal("no total")
		}
	}
}

// cents rounds x half up to two decimals.
func cents(x *big.Rat) *big.Rat {
	n := new(big.Int).Mul(x.Num(), big.NewInt(200))
	n.Add(n, x.Denom())
	n.Quo(n, new(big.Int).Mul(x.Denom(), big.NewInt(2)))
	return new(big.Rat).SetFrac(n, big.NewInt(100))
}
