package trade

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// alphabet is the Turkish one with q, w and x where names that have them are
// filed.
const alphabet = "abcçdefgğhıijklmnoöpqrsştuüvwxyz"

// SortKey is s rewritten so that comparing bytes (SQLite's BINARY) puts texts in
// Turkish order: spaces, then other signs, digits, the letters of the alphabet
// (ç after c, ı before i), then letters of other scripts. Capitals count as small
// letters, â î û as a i u. Texts that differ in nothing else have the same key;
// lists break such ties by id. Digits are compared one by one: S10 is before S2.
//
// The key is valid UTF-8 without control characters, about as long as s.
func SortKey(s string) string {
	key := make([]byte, 0, len(s))
	for _, r := range s {
		key = appendRank(key, r)
	}
	return string(key)
}

// small is the small letter of r in Turkish: unicode.TurkishCase, without its search for
// letters of ASCII.
func small(r rune) rune {
	switch {
	case r == 'I':
		return 'ı'
	case 'A' <= r && r <= 'Z':
		return r + ('a' - 'A')
	case r < utf8.RuneSelf:
		return r
	}
	return unicode.ToLower(r)
}

// appendRank appends the place of r in the order. A letter's place is 'A' plus
// its offset in the alphabet in bytes: not every number in between is used, but
// they rise with the letters and end before the lower-case z.
func appendRank(key []byte, r rune) []byte {
	r = small(r)
	switch r {
	case 'â':
		r = 'a'
	case 'î':
		r = 'i'
	case 'û':
		r = 'u'
	}
	if at := strings.IndexRune(alphabet, r); at >= 0 {
		return append(key, 'A'+byte(at))
	}
	switch {
	case '0' <= r && r <= '9':
		return append(key, byte(r))
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return utf8.AppendRune(key, r) // beyond ASCII, thus after the alphabet
	case unicode.IsMark(r):
		return key // an accent of its own does not set a letter apart
	case unicode.IsSpace(r):
		return append(key, ' ')
	}
	return append(key, '!')
}
