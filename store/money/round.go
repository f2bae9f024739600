package money

import (
	"math"
	"math/bits"
)

// round is a times b over d to the nearest whole number, a half away from zero
// (2.665 -> 2.67, -2.665 -> -2.67): the commercial rounding of the tax office's
// own samples. It is the only place where esnaf rounds money. d must be positive.
//
// The product has 128 bits, so nothing is lost on the way. Where the result does
// not fit, ok is false and n is the largest number of its sign, so that no later
// bound can mistake it for a small one.
func round(a, b, d int64) (n int64, ok bool) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	// Half of d more, then cut: the same as half up, since the sign is put aside.
	lo, carry := bits.Add64(lo, uint64(d)/2, 0)
	hi += carry

	n = math.MaxInt64
	if hi < uint64(d) { // otherwise the quotient has more than 64 bits, and Div64 panics
		if q, _ := bits.Div64(hi, lo, uint64(d)); q <= math.MaxInt64 {
			n, ok = int64(q), true
		}
	}
	if (a < 0) != (b < 0) {
		n = -n
	}
	return n, ok
}

// magnitude is |v|, right for the smallest int64 too.
func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// bounded is n as an Amount; ok stays true only when n has at most AmountDigits
// digits before the point.
func bounded(n int64, ok bool) (Amount, bool) {
	if !ok || !Amount(n).fits() {
		return 0, false
	}
	return Amount(n), true
}
