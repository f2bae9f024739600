package money

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plain is the form a number must have, said another way than parse says it.
var plain = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// judge compares one parser with plain, the digit counts and big.Rat.
func judge(t interface{ Errorf(string, ...any) }, n number, s string) {
	v, err := n.parse(s)
	before, after, _ := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	var want error
	switch {
	case !plain.MatchString(s):
		want = ErrSyntax
	case len(before) > n.whole:
		want = ErrTooManyDigits
	case len(after) > n.decimals:
		want = ErrTooManyDecimals
	}
	if err != want {
		t.Errorf("Parse%s(%.40q): %v, want %v", n.name, s, err, want)
	}
	if err != nil {
		return
	}
	in, _ := new(big.Rat).SetString(s)
	out, ok := new(big.Rat).SetString(n.print(v))
	if !ok || in.Cmp(out) != 0 {
		t.Errorf("%s %q is printed %q", n.name, s, n.print(v))
	}
	if again, err := n.parse(n.print(v)); again != v || err != nil {
		t.Errorf("%s %q printed and read again is %d, %v; want %d", n.name, s, again, err, v)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"0", "-0", "1234.50", "-0.01", "00.5", "1e999999999", "NaN", "+1", ".5", "5.", "999999999999999.99", "1000000000000000",
		"0.123456789", "9223372036854775808", "1 000", "1,5", "١", "-", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, n := range numbers() {
			judge(t, n, s)
		}
	})
}

func FuzzUnmarshalJSON(f *testing.F) {
	for _, s := range []string{`1.5`, `"1.5"`, `"\u0031"`, `"\u003"`, `null`, `true`, `"`, `""`, `"1"1"`, `[1]`, `1e5`, ``} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		const untouched = -7
		a := Amount(untouched)
		err := a.UnmarshalJSON(b)
		if err != nil && a != untouched {
			t.Errorf("%q: %v, yet the amount became %s", b, err, a)
		}
		if err != nil || !json.Valid(b) {
			return
		}
		text := string(b)
		if text[0] == '"' {
			if err := json.Unmarshal(b, &text); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := ParseAmount(text); a != want || err != nil {
			t.Errorf("%q is read as %s, want %s, %v", b, a, want, err)
		}
	})
}

// Random bytes are rarely numbers; these nearly always are, at the edges too.
func TestParseNearNumbers(t *testing.T) {
	shape := rapid.StringMatching(`-?[0-9]{0,19}(\.[0-9]{0,9})?`)
	rapid.Check(t, func(t *rapid.T) {
		s := shape.Draw(t, "s")
		for _, n := range numbers() {
			judge(t, n, s)
		}
	})
}
