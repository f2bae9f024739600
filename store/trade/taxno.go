package trade

// Tax numbers are text: a leading zero is legal and must survive. The checksums
// are public knowledge, not published rules; the tax office's own schematron
// tests lengths only, so that documents of others are never judged by them.

// ValidTaxNumber tells whether s is a VKN, a TCKN or one of the numbers that
// stand for a buyer without either.
func ValidTaxNumber(s string) bool { return IsVKN(s) || IsTCKN(s) || IsDummyTaxNumber(s) }

// HasTaxNumberForm tells whether s has the length of a VKN or a TCKN and digits
// alone; its check digits may be wrong.
func HasTaxNumberForm(s string) bool { return (len(s) == 10 || len(s) == 11) && eachByte(s, decimal) }

// The numbers that by custom stand for a buyer who has none in Turkey. Their
// checksums are wrong.
const (
	unknownConsumer = "11111111111" // retail customer (nihai tüketici)
	foreignPerson   = "22222222222"
	foreignCompany  = "2222222222"
)

// IsDummyTaxNumber tells whether s is one of the numbers used for an unknown
// consumer, a foreign person or a foreign company.
func IsDummyTaxNumber(s string) bool {
	return s == unknownConsumer || s == foreignPerson || s == foreignCompany
}

// IsVKN tells whether s is a tax number of a legal person (vergi kimlik
// numarası): 10 digits, the last of which is a check digit.
func IsVKN(s string) bool { return len(s) == 10 && s == CompleteVKN(s[:9]) }

// CompleteVKN appends the check digit to the first nine digits of a VKN; "" when
// nine is anything but nine digits.
func CompleteVKN(nine string) string {
	if len(nine) != 9 || !eachByte(nine, decimal) {
		return ""
	}
	sum := 0
	for i := range 9 {
		t := (int(nine[i]-'0') + 9 - i) % 10
		if t == 9 {
			sum += 9 // 9 times a power of 2 is 0 mod 9, and counts as 9
			continue
		}
		sum += (t << (9 - i)) % 9
	}
	return nine + string(rune('0'+(10-sum%10)%10))
}

// IsTCKN tells whether s is an identity number of a citizen (T.C. kimlik
// numarası), which is also the tax number of a sole trader: 11 digits, the first
// not 0, the last two check digits.
func IsTCKN(s string) bool { return len(s) == 11 && s == CompleteTCKN(s[:9]) }

// CompleteTCKN appends the two check digits to the first nine digits of a TCKN;
// "" when nine is anything but nine digits or begins with 0.
func CompleteTCKN(nine string) string {
	if len(nine) != 9 || !eachByte(nine, decimal) || nine[0] == '0' {
		return ""
	}
	odd, even := 0, 0 // by position, counted from 1
	for i := range 9 {
		d := int(nine[i] - '0')
		if i%2 == 0 {
			odd += d
		} else {
			even += d
		}
	}
	tenth := (7*odd + 9*even) % 10 // 7 x odd - even, kept positive
	eleventh := (odd + even + tenth) % 10
	return nine + string(rune('0'+tenth)) + string(rune('0'+eleventh))
}
