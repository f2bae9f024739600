package money

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"testing"

	"pgregory.net/rapid"
)

// vectors reads a table of facts that are shared by the tests of several packages.
func vectors(t *testing.T, name string, to any) {
	t.Helper()
	b, err := os.ReadFile("../../testdata/vectors/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func TestRoundingVectors(t *testing.T) {
	var rows []struct{ Value, Rounded string }
	vectors(t, "rounding", &rows)
	for _, r := range rows {
		p, err := ParsePrice(r.Value)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := p.Times(1e6); got.String() != r.Rounded || !ok {
			t.Errorf("1 x %s = %s, %v; want %s", r.Value, got, ok, r.Rounded)
		}
	}
	if len(rows) == 0 {
		t.Error("no rows")
	}
}

func TestSplitVectors(t *testing.T) {
	var v struct {
		Totals []struct {
			Total, Net, VAT Amount
			Rate            Rate
		}
	}
	vectors(t, "prices-including-vat", &v)
	for _, r := range v.Totals {
		if net, vat := r.Rate.Split(r.Total); net != r.Net || vat != r.VAT {
			t.Errorf("%s including %s%%: %s + %s, want %s + %s", r.Total, r.Rate, net, vat, r.Net, r.VAT)
		}
	}
	if len(v.Totals) == 0 {
		t.Error("no rows")
	}
}

// PITFALLS tell of validators that did these in floats or rounded a negative
// amount towards zero.
func TestKnownTraps(t *testing.T) {
	for _, c := range []struct {
		rate Rate
		base Amount
		want Amount
	}{
		{Percent(25), 128062, 32016},  // 320.155
		{Rate(9_9750), 818000, 81596}, // 815.955
		{Percent(15), 109150, 16373},  // 163.725
		{Percent(-20), 2, 0},
		{Percent(50), -1, -1},
	} {
		if got := c.rate.Of(c.base); got != c.want {
			t.Errorf("%s%% of %s = %s, want %s", c.rate, c.base, got, c.want)
		}
	}
	if got, ok := Price(-174_65000000).Times(61_500000); got != -1074098 || !ok {
		t.Errorf("61.5 x -174.65 = %s, %v; want -10740.98", got, ok)
	}
}

// exact is a times b over d by big.Rat, half away from zero: the same rule,
// written another way.
func exact(a, b, d int64) *big.Int {
	r := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(a), big.NewInt(b)), big.NewInt(d))
	half := big.NewRat(1, 2)
	if r.Sign() < 0 {
		half.Neg(half)
	}
	r.Add(r, half)
	return new(big.Int).Quo(r.Num(), r.Denom()) // Quo cuts towards zero
}

func TestRoundIsExact(t *testing.T) {
	edges := rapid.SampledFrom([]int64{
		0, 1, -1, 2, 5, 50, 100, 1e6, 1e12, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, MaxAmount, -MaxAmount,
	})
	factor := rapid.OneOf(edges, rapid.Int64(), rapid.Int64Range(-1e6, 1e6))
	rapid.Check(t, func(t *rapid.T) {
		a, b := factor.Draw(t, "a"), factor.Draw(t, "b")
		d := rapid.OneOf(rapid.Int64Range(1, math.MaxInt64), rapid.SampledFrom([]int64{1, 2, 3, 1e6, 1e12, hundred})).Draw(t, "d")
		got, ok := round(a, b, d)
		want := exact(a, b, d)
		fits := want.CmpAbs(big.NewInt(math.MaxInt64)) <= 0
		if ok != fits {
			t.Fatalf("round(%d, %d, %d) ok = %v, want %v of %v", a, b, d, ok, fits, want)
		}
		if fits && got != want.Int64() {
			t.Fatalf("round(%d, %d, %d) = %d, want %v", a, b, d, got, want)
		}
		if !fits && (got < MaxAmount && got > -MaxAmount || (got < 0) != (want.Sign() < 0)) {
			t.Fatalf("round(%d, %d, %d) = %d, not out of every bound with the sign of %v", a, b, d, got, want)
		}
	})
}

// Every operation is compared with fractions of the printed numbers, so that a
// wrong power of ten shows too.
func TestOperationsAreExact(t *testing.T) {
	amounts := rapid.Int64Range(-MaxAmount, MaxAmount)
	rapid.Check(t, func(t *rapid.T) {
		price := Price(rapid.Int64Range(-1e18+1, 1e18-1).Draw(t, "price"))
		quantity := Quantity(rapid.Int64Range(-1e18+1, 1e18-1).Draw(t, "quantity"))
		amount := Amount(amounts.Draw(t, "amount"))
		rate := Rate(rapid.Int64Range(0, maxRate).Draw(t, "rate"))
		exchange := Exchange(rapid.Int64Range(0, 1e15-1).Draw(t, "exchange"))

		product := new(big.Rat).Mul(fraction(t, price), fraction(t, quantity))
		got, ok := price.Times(quantity)
		same(t, "Times", got, ok, product)

		share := new(big.Rat).Quo(fraction(t, rate), big.NewRat(100, 1))
		of := rate.Of(amount)
		same(t, "Of", of, of.fits(), new(big.Rat).Mul(fraction(t, amount), share))

		net, vat := rate.Split(amount)
		same(t, "Split", net, true, new(big.Rat).Quo(fraction(t, amount), share.Add(share, big.NewRat(1, 1))))
		if net+vat != amount {
			t.Fatalf("Split(%s) = %s + %s", amount, net, vat)
		}

		lira, ok := exchange.Of(amount)
		same(t, "Exchange.Of", lira, ok, new(big.Rat).Mul(fraction(t, amount), fraction(t, exchange)))

		if foreign, ok := exchange.Into(amount); exchange == 0 {
			same(t, "Exchange.Into", foreign, !ok, new(big.Rat)) // nothing, and not ok
		} else {
			same(t, "Exchange.Into", foreign, ok, new(big.Rat).Quo(fraction(t, amount), fraction(t, exchange)))
		}

		other := Amount(amounts.Draw(t, "other"))
		sum, ok := amount.Add(other)
		same(t, "Add", sum, ok, new(big.Rat).Add(fraction(t, amount), fraction(t, other)))
	})
}

func fraction(t *rapid.T, n interface{ String() string }) *big.Rat {
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		t.Fatalf("%s is no number", n)
	}
	return r
}

// same wants got to be exact rounded to two decimals, or ok to be false where
// that has more than 15 digits. FloatString rounds a half away from zero.
func same(t *rapid.T, what string, got Amount, ok bool, exact *big.Rat) {
	want := exact.FloatString(2)
	if want == "-0.00" {
		want = "0.00"
	}
	rounded, _ := new(big.Rat).SetString(want)
	fits := rounded.Abs(rounded).Cmp(big.NewRat(MaxAmount, 100)) <= 0
	if ok != fits || fits && got.String() != want {
		t.Fatalf("%s = %s, %v; want %s, %v", what, got, ok, want, fits)
	}
}

func TestOutOfBounds(t *testing.T) {
	if a, ok := Amount(MaxAmount).Add(1); ok {
		t.Errorf("the largest amount and 0.01 more is %s", a)
	}
	if a, ok := Amount(MaxAmount + 5).Add(-10); ok {
		t.Errorf("an amount out of bounds came back as %s", a)
	}
	// What Of could not hold must not come back into bounds by an addition.
	huge := Rate(math.MaxInt64).Of(MaxAmount)
	if a, ok := huge.Add(-MaxAmount); ok {
		t.Errorf("an overflown tax and an amount add up to %s", a)
	}
	if a, ok := huge.Add(huge); ok {
		t.Errorf("two overflown taxes add up to %s", a)
	}
	// Rates no parser lets through still leave the total whole.
	for _, r := range []Rate{Percent(-100), Percent(-150), math.MinInt64, math.MaxInt64} {
		if net, vat := r.Split(120_00); net+vat != 120_00 || net < 0 || vat < 0 {
			t.Errorf("Split at %d = %s + %s", int64(r), net, vat)
		}
	}
}

func TestStrip(t *testing.T) {
	for _, c := range []struct {
		price, want string
		rate        Rate
	}{
		{"9.99", "8.325", Percent(20)},
		{"1", "0.84745763", Percent(18)},
		{"9999999999.99999999", "9999999999.99999999", 0},
		{"-12", "-10.00", Percent(20)},
	} {
		p, err := ParsePrice(c.price)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.rate.Strip(p).String(); got != c.want {
			t.Errorf("%s without %s%% = %s, want %s", c.price, c.rate, got, c.want)
		}
	}
}
