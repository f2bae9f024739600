package trade

import "strconv"

// ValidIBAN tells whether s is an international bank account number (ISO 13616)
// in its electronic form, without spaces and in upper case: a country, two check
// digits and 11 to 30 letters or digits, 1 by the mod-97 rule. A Turkish one has
// 26 characters, of which the bank's code is digits. Which banks exist, and how
// long other countries' numbers are, it does not know.
func ValidIBAN(s string) bool {
	if len(s) < 15 || len(s) > 34 || !eachByte(s[:2], upper) || !eachByte(s[2:4], decimal) || !eachByte(s[4:], upperOrDecimal) {
		return false
	}
	if s[:2] == "TR" && (len(s) != 26 || !eachByte(s[2:9], decimal)) {
		return false
	}
	// 00, 01 and 99 leave the same remainder as 97, 98 and 02, but are never issued.
	if s[2:4] < "02" || s[2:4] > "98" {
		return false
	}
	return mod97(s[4:]+s[:4]) == 1
}

// CompleteIBAN puts country and the check digits before bban, the part that the
// country itself defines (for TR 5 digits of the bank, a reserved 0 and 16 of the
// account); "" when that makes no valid IBAN.
func CompleteIBAN(country, bban string) string {
	if !eachByte(country+bban, upperOrDecimal) {
		return ""
	}
	check := strconv.Itoa(198 - mod97(bban+country+"00"))[1:] // the 1 keeps a leading zero
	if iban := country + check + bban; ValidIBAN(iban) {
		return iban
	}
	return ""
}

// mod97 is the remainder of s read as a number, in which A counts 10 and Z 35.
func mod97(s string) int {
	rest := 0
	for i := range len(s) {
		if upper(s[i]) {
			rest = (rest*100 + int(s[i]-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(s[i]-'0')) % 97
		}
	}
	return rest
}
