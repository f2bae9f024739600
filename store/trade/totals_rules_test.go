package trade

import (
	"errors"
	"math/big"
	"testing"

	"esnaf/store/money"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSumLineErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		qty    money.Quantity
		price  money.Price
		incl   bool
		rate   *money.Rate
		amount *money.Amount
		vat    money.Rate
		want   error
	}{
		{"largest amount", 1e6, 9_999_999_999_99999999, false, nil, nil, money.Percent(20), nil},
		{"gross too large", 999_999_999_999_000000, 1001_00000000, false, nil, nil, 0, ErrTooLarge},
		{"gross of 36 digits", 1e18 - 1, 1e18 - 1, false, nil, nil, 0, ErrTooLarge},
		{"gross fits, with VAT it does not", 900_000_000_000_000000, 1000_00000000, false, nil, nil, money.Percent(20), ErrTooLarge},
		{"the same where the price includes it", 900_000_000_000_000000, 1000_00000000, true, nil, nil, money.Percent(20), nil},
		{"all of it off", 1e6, 10_00000000, false, nil, new(money.Amount(10_00)), 0, nil},
		{"more than all", 1e6, 10_00000000, false, nil, new(money.Amount(10_01)), 0, ErrDiscountTooLarge},
		{"more than all of a price with VAT", 1e6, 10_00000000, true, nil, new(money.Amount(10_01)), money.Percent(20), ErrDiscountTooLarge},
		{"less than nothing", 1e6, 10_00000000, false, nil, new(money.Amount(-1)), 0, ErrDiscountTooLarge},
		{"100 percent", 1e6, 10_00000000, false, new(money.Percent(100)), nil, 0, nil},
		{"over 100 percent", 1e6, 10_00000000, false, new(money.Percent(101)), nil, 0, ErrDiscountTooLarge},
		{"negative percent", 1e6, 10_00000000, false, new(money.Percent(-1)), nil, 0, ErrDiscountTooLarge},
	} {
		l, err := SumLine(c.qty, c.price, c.incl, c.rate, c.amount, c.vat)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err != nil && l != (LineSum{}) {
			t.Errorf("%s: %v, and yet %+v", c.name, err, l)
		}
	}
}

func TestDiscountOnPriceWithVAT(t *testing.T) {
	rate := func(n int) *money.Rate { return new(money.Percent(n)) }
	for _, c := range []struct {
		name     string
		qty      money.Quantity
		price    money.Price
		discount *money.Rate
		amount   *money.Amount
		want     LineSum
	}{
		// 29.97 less 10 percent (3.00) is 26.97 to pay.
		{"rate", 3e6, 9_99000000, rate(10), nil, LineSum{Gross: 24_98, Discount: 2_50, Net: 22_48, VAT: 4_49, Total: 26_97}},
		{"amount", 3e6, 9_99000000, nil, new(money.Amount(3_00)), LineSum{Gross: 24_98, Discount: 2_50, Net: 22_48, VAT: 4_49, Total: 26_97}},
		{"all", 3e6, 9_99000000, rate(100), nil, LineSum{Gross: 24_98, Discount: 24_98}},
		{"none", 3e6, 9_99000000, rate(0), nil, LineSum{Gross: 24_98, Net: 24_98, VAT: 4_99, Total: 29_97}},
		// A discount too small to show in the figures without VAT.
		{"one kuruş", 1e6, 1_20000000, nil, new(money.Amount(1)), LineSum{Gross: 1_00, Discount: 1, Net: 99, VAT: 20, Total: 1_19}},
		{"one kuruş that vanishes", 1e6, 5000000, nil, new(money.Amount(1)), LineSum{Gross: 4, Discount: 1, Net: 3, VAT: 1, Total: 4}},
	} {
		got, err := SumLine(c.qty, c.price, true, c.discount, c.amount, money.Percent(20))
		if got != c.want || err != nil {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
}

func TestTaxGroups(t *testing.T) {
	line := func(net, vat money.Amount, rate int, code string) SummedLine {
		return SummedLine{LineSum: LineSum{Gross: net, Net: net, VAT: vat, Total: net + vat}, Rate: money.Percent(rate), ExemptionCode: code}
	}
	got, err := SumDocument([]SummedLine{
		line(100_00, 10_00, 10, ""),
		line(50_00, 0, 0, "351"),
		line(100_00, 20_00, 20, ""),
		line(1_00, 0, 0, "301"),
		line(33_33, 3_33, 10, ""),
		line(2, 0, 20, "351"), // VAT that rounds to zero needs a reason: a group of its own
	})
	want := []TaxSum{
		{Rate: money.Percent(10), Base: 133_33, Tax: 13_33},
		{Rate: 0, ExemptionCode: "351", Base: 50_00},
		{Rate: money.Percent(20), Base: 100_00, Tax: 20_00},
		{Rate: 0, ExemptionCode: "301", Base: 1_00},
		{Rate: money.Percent(20), ExemptionCode: "351", Base: 2},
	}
	if diff := cmp.Diff(want, got.Taxes); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got.Total != 317_68 || got.VATTotal != 33_33 {
		t.Errorf("VAT %s, total %s", got.VATTotal, got.Total)
	}
	if d, err := SumDocument(nil); err != nil || d.Total != 0 || len(d.Taxes) != 0 {
		t.Errorf("no lines: %+v, %v", d, err)
	}
	most := line(999_999_999_999_999_99, 0, 0, "")
	if _, err := SumDocument([]SummedLine{most, line(1, 0, 0, "")}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	// A later line must not bring a sum back that was once too large.
	if _, err := SumDocument([]SummedLine{most, most, line(-1, 0, 0, "")}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large for a while: %v", err)
	}
}

// drawLine draws a line as callers may write one, and its sum.
func drawLine(t *rapid.T) (SummedLine, bool) {
	qty := money.Quantity(rapid.OneOf(rapid.Int64Range(1, 1e9), rapid.Int64Range(1, 1e14)).Draw(t, "qty"))
	price := money.Price(rapid.OneOf(rapid.Int64Range(0, 1e9), rapid.Int64Range(0, 1e13)).Draw(t, "price"))
	vat := money.Rate(rapid.OneOf(rapid.SampledFrom([]int64{0, 1_0000, 10_0000, 20_0000}), rapid.Int64Range(0, 100_0000)).Draw(t, "vat"))
	includes := rapid.Bool().Draw(t, "includes")
	var rate *money.Rate
	var amount *money.Amount
	switch rapid.IntRange(0, 2).Draw(t, "discount") {
	case 1:
		rate = new(money.Rate(rapid.Int64Range(0, 100_0000).Draw(t, "rate")))
	case 2:
		gross, _ := price.Times(qty)
		amount = new(money.Amount(rapid.Int64Range(0, int64(gross)).Draw(t, "amount")))
	}
	l, err := SumLine(qty, price, includes, rate, amount, vat)
	if err != nil {
		t.Fatal(err)
	}
	code := rapid.SampledFrom([]string{"", "351", "301"}).Draw(t, "code")
	return SummedLine{LineSum: l, Rate: vat, ExemptionCode: code}, includes
}

func TestSumsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := make([]SummedLine, rapid.IntRange(0, 12).Draw(t, "lines"))
		var want DocumentSum
		for i := range lines {
			l, includes := drawLine(t)
			lines[i] = l
			if l.Gross-l.Discount != l.Net || l.Net+l.VAT != l.Total || l.Discount < 0 || l.Net < 0 || l.VAT < 0 {
				t.Fatalf("line %+v", l)
			}
			if !nearVAT(l, includes) {
				t.Fatalf("VAT of %+v", l)
			}
			want.Subtotal += l.Gross
			want.DiscountTotal += l.Discount
			want.Net += l.Net
			want.VATTotal += l.VAT
			want.Total += l.Total
		}
		got, err := SumDocument(lines)
		if err != nil {
			t.Fatal(err)
		}
		if got.Net+got.VATTotal != got.Total || got.Subtotal-got.DiscountTotal != got.Net {
			t.Fatalf("document %+v", got)
		}
		var base, tax money.Amount
		seen := map[TaxSum]bool{}
		for _, x := range got.Taxes {
			base += x.Base
			tax += x.Tax
			group := TaxSum{Rate: x.Rate, ExemptionCode: x.ExemptionCode}
			if seen[group] {
				t.Fatalf("two subtotals for %+v", group)
			}
			seen[group] = true
		}
		if base != got.Net || tax != got.VATTotal {
			t.Fatalf("subtotals add up to %s and %s in %+v", base, tax, got)
		}
		got.Taxes = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("document against its lines:\n%s", diff)
		}
	})
}

// nearVAT tells whether the VAT is the rate of the net within half a kuruş; where
// the price includes VAT it is the rest of a total, and a whole kuruş is allowed.
func nearVAT(l SummedLine, includes bool) bool {
	off := new(big.Int).Mul(big.NewInt(int64(l.Net)), big.NewInt(int64(l.Rate)))
	off.Sub(off, new(big.Int).Mul(big.NewInt(int64(l.VAT)), big.NewInt(100_0000)))
	allowed := int64(50_0000)
	if includes {
		allowed = 100_0000
	}
	return off.CmpAbs(big.NewInt(allowed)) <= 0
}
