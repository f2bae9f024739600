package money

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
)

// number is what the five types have in common, so that one table tests all.
type number struct {
	name            string
	whole, decimals int
	parse           func(string) (int64, error)
	print           func(int64) string
}

func numberOf[T ~int64](name string, whole, decimals int, parse func(string) (T, error), print func(T) string) number {
	return number{
		name, whole, decimals,
		func(s string) (int64, error) { n, err := parse(s); return int64(n), err },
		func(n int64) string { return print(T(n)) },
	}
}

func numbers() []number {
	return []number{
		numberOf("Amount", 15, 2, ParseAmount, Amount.String),
		numberOf("Price", 10, 8, ParsePrice, Price.String),
		numberOf("Quantity", 12, 6, ParseQuantity, Quantity.String),
		numberOf("Rate", 3, 4, ParseRate, Rate.String),
		numberOf("Exchange", 9, 6, ParseExchange, Exchange.String),
	}
}

func TestParseRefuses(t *testing.T) {
	syntax := []string{
		"", "-", ".", "-.", "--1", "+1", "1e3", "1E3", "1e400", "1e999999999", "0x10", "NaN", "Infinity", "-inf", ".5", "5.", "-.5",
		"00.5", "01", "-01", "00", " 1", "1 ", "1 000", "1,5", "1_000", "1.2.3", "1.-2", "١٢", "1\x00", "null", "true", `"1"`, "½",
		strings.Repeat("9", 1<<20) + "x",
	}
	for _, n := range numbers() {
		for _, s := range syntax {
			if _, err := n.parse(s); !errors.Is(err, ErrSyntax) {
				t.Errorf("Parse%s(%.30q) = %v, want ErrSyntax", n.name, s, err)
			}
		}
		full, part := strings.Repeat("9", n.whole), strings.Repeat("9", n.decimals)
		for _, c := range []struct {
			s    string
			want error
		}{
			{full + "." + part, nil},
			{"-" + full + "." + part, nil},
			{"1" + full, ErrTooManyDigits},
			{"-1" + full + "." + part, ErrTooManyDigits},
			{"9223372036854775808", ErrTooManyDigits},
			{strings.Repeat("9", 1<<20), ErrTooManyDigits},
			{"1." + part + "1", ErrTooManyDecimals},
			{"1." + part + "0", ErrTooManyDecimals}, // a written zero counts
			{"0." + strings.Repeat("0", 1<<20), ErrTooManyDecimals},
		} {
			if _, err := n.parse(c.s); !errors.Is(err, c.want) {
				t.Errorf("Parse%s(%.30q) = %v, want %v", n.name, c.s, err, c.want)
			}
		}
	}
}

func TestPrint(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"Amount", "0", "0.00"},
		{"Amount", "-0", "0.00"},
		{"Amount", "-0.00", "0.00"},
		{"Amount", "0.5", "0.50"},
		{"Amount", "-0.05", "-0.05"},
		{"Amount", "1234.5", "1234.50"},
		{"Amount", "999999999999999.99", "999999999999999.99"},
		{"Amount", "-999999999999999.99", "-999999999999999.99"},
		{"Price", "0", "0.00"},
		{"Price", "9.99", "9.99"},
		{"Price", "8.3250", "8.325"},
		{"Price", "50", "50.00"},
		{"Price", "0.00000001", "0.00000001"},
		{"Price", "-174.65", "-174.65"},
		{"Price", "9999999999.99999999", "9999999999.99999999"},
		{"Quantity", "0", "0"},
		{"Quantity", "3", "3"},
		{"Quantity", "2.50", "2.5"},
		{"Quantity", "100", "100"},
		{"Quantity", "0.000001", "0.000001"},
		{"Quantity", "999999999999.999999", "999999999999.999999"},
		{"Rate", "20", "20"},
		{"Rate", "0.0", "0"},
		{"Rate", "9.975", "9.975"},
		{"Rate", "999.9999", "999.9999"},
		{"Exchange", "40", "40.0000"},
		{"Exchange", "40.123456", "40.123456"},
		{"Exchange", "5.71530", "5.7153"},
	} {
		for _, n := range numbers() {
			if n.name != c.name {
				continue
			}
			v, err := n.parse(c.in)
			if err != nil {
				t.Errorf("Parse%s(%q): %v", c.name, c.in, err)
			}
			if got := n.print(v); got != c.want {
				t.Errorf("%s %q prints %q, want %q", c.name, c.in, got, c.want)
			}
		}
	}
	// No parser makes it, but a sum gone wrong must still be printed as it is.
	if got, want := Amount(math.MinInt64).String(), "-92233720368547758.08"; got != want {
		t.Errorf("smallest int64 prints %q, want %q", got, want)
	}
}

// all has every type as a value and as a pointer, as records carry them.
type all struct {
	Amount   Amount
	Price    Price
	Quantity Quantity
	Rate     *Rate
	Exchange Exchange
}

func TestJSON(t *testing.T) {
	const (
		asNumbers = `{"Amount":1234.5,"Price":8.325,"Quantity":2.50,"Rate":-0.5,"Exchange":40}`
		asStrings = `{"Amount":"\u0031234.5","Price":"8.325","Quantity":"2.50","Rate":"-0.5","Exchange":"40"}`
		want      = `{"Amount":"1234.50","Price":"8.325","Quantity":"2.5","Rate":"-0.5","Exchange":"40.0000"}`
	)
	for name, lib := range map[string]struct {
		read  func([]byte, any) error
		write func(any) ([]byte, error)
	}{
		"encoding/json": {json.Unmarshal, json.Marshal},
		"v2": {
			func(b []byte, to any) error { return jsonv2.Unmarshal(b, to) },
			func(v any) ([]byte, error) { return jsonv2.Marshal(v) },
		},
	} {
		for _, in := range []string{asNumbers, asStrings, want} {
			var v all
			if err := lib.read([]byte(in), &v); err != nil {
				t.Errorf("%s: read %s: %v", name, in, err)
			}
			if got, err := lib.write(v); string(got) != want || err != nil {
				t.Errorf("%s: %s is written %s, %v; want %s", name, in, got, err, want)
			}
		}
		for in, want := range map[string]error{
			`{"Amount":"12\/3"}`:      ErrSyntax,
			`{"Amount":1e3}`:          ErrSyntax,
			`{"Amount":1e999999999}`:  ErrSyntax,
			`{"Amount":""}`:           ErrSyntax,
			`{"Amount":" 1"}`:         ErrSyntax,
			`{"Amount":null}`:         ErrSyntax,
			`{"Amount":true}`:         ErrSyntax,
			`{"Amount":[1]}`:          ErrSyntax,
			`{"Amount":{"a":1}}`:      ErrSyntax,
			`{"Amount":0.125}`:        ErrTooManyDecimals,
			`{"Price":"0.123456789"}`: ErrTooManyDecimals,
			`{"Quantity":1.0000000}`:  ErrTooManyDecimals,
			`{"Rate":1000}`:           ErrTooManyDigits,
			`{"Exchange":1234567890}`: ErrTooManyDigits,
		} {
			v := all{Amount: 7, Price: 7, Quantity: 7, Exchange: 7}
			err := lib.read([]byte(in), &v)
			if !errors.Is(err, want) {
				t.Errorf("%s: %s: %v, want %v", name, in, err, want)
			}
			if v.Amount != 7 || v.Price != 7 || v.Quantity != 7 || v.Exchange != 7 {
				t.Errorf("%s: %s was refused, yet left %+v", name, in, v)
			}
		}
		// A pointer is how a record says "not given"; null stays that.
		v := all{Rate: new(Rate)}
		if err := lib.read([]byte(`{"Rate":null}`), &v); err != nil || v.Rate != nil {
			t.Errorf("%s: null left %v, %v", name, v.Rate, err)
		}
	}
}

func TestUsualPathAllocatesNothing(t *testing.T) {
	buf, in := make([]byte, 0, 128), []byte(`"1234.50"`)
	var a Amount
	if n := testing.AllocsPerRun(100, func() {
		_ = a.UnmarshalJSON(in)
		buf = a.Append(buf[:0])
		buf = Price(832500000).Append(buf)
		buf = Quantity(2500000).Append(buf)
		buf = Rate(99750).Append(buf)
		buf = Exchange(40123456).Append(buf)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
	if got, want := string(buf), "1234.508.3252.59.97540.123456"; got != want {
		t.Errorf("appended %q, want %q", got, want)
	}
}
