package trade

import (
	"fmt"
	"strings"
)

// DocumentNumber is the legal number of an invoice or a despatch note (cbc:ID):
// the series, the year of the document and its place n in that year, 16
// characters in all. "" when a part is out of its range (year 2000 to 2099, n 1 to
// 999,999,999), so that no wrong number can be printed.
func DocumentNumber(series string, year, n int) string {
	number := fmt.Sprintf("%s%04d%09d", series, year, n)
	if !ValidDocumentNumber(number) || n == 0 {
		return ""
	}
	return number
}

// ValidDocumentNumber tells whether s has the form the tax office wants of every
// document's number (schematron InvoiceIDCheck): 3 characters of the series, a
// year of this century, 9 digits.
func ValidDocumentNumber(s string) bool {
	return len(s) == 16 && ValidSeries(s[:3]) && s[3:5] == "20" && eachByte(s[5:], decimal)
}

// ValidSeries tells whether s can be a series (seri): 3 capitals from A to Z or
// digits, no Turkish letters.
func ValidSeries(s string) bool { return len(s) == 3 && eachByte(s, upperOrDecimal) }

// ValidUUID tells whether s has the form 8-4-4-4-12 of hexadecimal digits in
// either case (schematron UUIDCheck), as an ETTN must.
func ValidUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (s[i] == '-') || !dash && !hexadecimal(s[i]) {
			return false
		}
	}
	return true
}

// ValidAlias tells whether s can be the electronic address (etiket) of a
// registered user, such as urn:mail:defaultpk@firma.com.tr: a URN of at most 250
// characters by the schematron's pattern. The words reserved for the tax office's
// own use, such as GIB, are no URNs and therefore not valid.
func ValidAlias(s string) bool {
	rest, isURN := strings.CutPrefix(s, "urn:")
	space, name, found := strings.Cut(rest, ":")
	if !isURN || !found || len(s) > 250 || space == "" || len(space) > 32 || name == "" {
		return false
	}
	if space[0] == '-' || !eachByte(space, func(c byte) bool { return alphanumeric(c) || c == '-' }) {
		return false
	}
	for i := range len(name) {
		switch {
		case alphanumeric(name[i]) || strings.IndexByte("()+,-.:=@;$_!*", name[i]) >= 0:
		case name[i] == '%' && i+2 < len(name) && hexadecimal(name[i+1]) && hexadecimal(name[i+2]):
		default:
			return false
		}
	}
	return true
}

// The classes of characters that identifiers are made of; all of them are ASCII,
// whatever letters Turkish has besides.

func decimal(c byte) bool        { return '0' <= c && c <= '9' }
func upper(c byte) bool          { return 'A' <= c && c <= 'Z' }
func upperOrDecimal(c byte) bool { return upper(c) || decimal(c) }
func alphanumeric(c byte) bool   { return upperOrDecimal(c) || 'a' <= c && c <= 'z' }
func hexadecimal(c byte) bool    { return decimal(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// eachByte tells whether every byte of s is in the class; none in "" is not.
func eachByte(s string, class func(byte) bool) bool {
	for i := range len(s) {
		if !class(s[i]) {
			return false
		}
	}
	return true
}
