// Package money holds amounts, prices, quantities and rates as whole numbers of
// their smallest part, so that no sum ever passes through a float. Numbers are
// read digit by digit, and every rounding is done by one function: half up, away
// from zero.
package money

import (
	"encoding/json"
	"errors"
	"strings"
)

// What can be wrong with a number, told apart with errors.Is. The words are
// plain, but the sentence a user reads is the caller's: it knows the field.
var (
	ErrSyntax          = errors.New("not a plain decimal number")
	ErrTooManyDigits   = errors.New("too many digits before the decimal point")
	ErrTooManyDecimals = errors.New("too many digits after the decimal point")
)

// parse reads an optional minus, digits and optionally a point with digits, and
// nothing else: no exponent, plus sign, space, leading zero or bare point. The
// written digits are counted, so that 1.500 has three decimals and not one.
//
// A number is refused on its form before any of it is computed; the cost grows
// with the length of s alone, whatever s says ("1e999999999", a megabyte of
// nines). Callers pass at most 18 digits in all, which always fit.
func parse[T ~int64](s string, whole, decimals int) (T, error) {
	unsigned, negative := strings.CutPrefix(s, "-")
	before, after, point := strings.Cut(unsigned, ".")
	switch {
	case !digits(before), point && !digits(after), len(before) > 1 && before[0] == '0':
		return 0, ErrSyntax
	case len(before) > whole:
		return 0, ErrTooManyDigits
	case len(after) > decimals:
		return 0, ErrTooManyDecimals
	}
	var n T
	for i := range len(before) {
		n = n*10 + T(before[i]-'0')
	}
	for i := range decimals {
		n *= 10
		if i < len(after) {
			n += T(after[i] - '0')
		}
	}
	if negative {
		n = -n
	}
	return n, nil
}

// digits tells whether s is one decimal digit or more.
func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// decode reads a JSON string or a JSON number into to, from its digits; null and
// everything else are refused, and to is then left alone.
func decode[T ~int64](to *T, b []byte, whole, decimals int) error {
	s := string(b)
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		s = s[1 : len(s)-1]
		if strings.IndexByte(s, '\\') >= 0 {
			s = unescape(b)
		}
	}
	n, err := parse[T](s, whole, decimals)
	if err == nil {
		*to = n
	}
	return err
}

// unescape is what the JSON string b says, "" when that cannot be read. An escaped
// digit is legal JSON, though nobody writes one; apart from decode, which then
// needs no memory of its own.
func unescape(b []byte) (s string) {
	if json.Unmarshal(b, &s) != nil {
		return ""
	}
	return s
}

// write appends v, which counts 1/10^decimals, with its trailing zeros cut down
// to atLeast decimals. The digits come from the right, so they are laid into a
// buffer from its end: 20 digits of a uint64 and the point.
func write(dst []byte, v int64, decimals, atLeast int) []byte {
	n := uint64(v)
	if v < 0 {
		dst = append(dst, '-')
		n = -n // right for the smallest int64 too, which has no positive twin
	}
	var buf [21]byte
	at := len(buf)
	for k := 0; k <= decimals || n > 0; k++ {
		digit := byte('0' + n%10)
		n /= 10
		if at == len(buf) && digit == '0' && k < decimals-atLeast {
			continue
		}
		if k == decimals && at < len(buf) {
			at--
			buf[at] = '.'
		}
		at--
		buf[at] = digit
	}
	return append(dst, buf[at:]...)
}
