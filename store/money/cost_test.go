package money

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// However often goods leave, the last of them take the last kuruş along, and what one
// of them costs is what all cost by their number.
func TestCostsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		worth := Amount(rapid.Int64Range(0, 1e15).Draw(t, "worth"))
		there := Quantity(rapid.Int64Range(1, 1e16).Draw(t, "there"))
		each := worth.Each(there)
		exact := new(big.Rat).Quo(fraction(t, worth), fraction(t, there))
		off := new(big.Rat).Sub(fraction(t, each), exact)
		if each < maxPrice && off.Abs(off).Cmp(big.NewRat(1, 2e8)) > 0 {
			t.Fatalf("%s by %s is %s", worth, there, each)
		}
		for left, rest := worth, there; rest > 0; {
			n := Quantity(rapid.Int64Range(max(1, int64(rest)/3), int64(rest)).Draw(t, "leaves"))
			share := left.Share(n, rest)
			if share < 0 || share > left || n == rest && share != left {
				t.Fatalf("%s of %s, which cost %s, cost %s", n, rest, left, share)
			}
			left, rest = left-share, rest-n
		}
	})
	if Amount(100).Each(0) != 0 || Amount(-300).Each(3_000_000) != -1_00000000 {
		t.Error("nothing costs nothing, and what is taken back costs less than nothing")
	}
}
