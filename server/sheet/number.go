package sheet

import (
	"math/big"
	"strings"
)

// IsCSV tells that the file is a text, where a cell cannot say of itself that it is
// no formula.
func (t *Table) IsCSV() bool { return t.comma != 0 }

// Digits is a cell that is a number by name alone, such as a tax number: workbooks
// may store one as 1.23456789E9 or 1234567890.0. In CSV it stays as it is, since
// what Excel writes there in that form has lost its last digits.
func (t *Table) Digits(cell string) string {
	if t.IsCSV() {
		return cell
	}
	return stored(cell)
}

// Decimal is a cell with an amount, a price or a rate as a plain decimal: 1.234,50
// TL and 1,234.50 are both 1234.50. Where only the writer knows whether 1.234 is a
// thousand or one and a bit, ok is false. What is no number comes back as it is.
func (t *Table) Decimal(cell string) (plain string, ok bool) {
	if !t.IsCSV() && !strings.Contains(cell, ",") { // else it is a text
		return stored(cell), true
	}
	s := strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "%", "", "₺", "", "TL", "", "TRY", "").Replace(cell)
	sign, body := "", s
	if strings.HasPrefix(s, "-") {
		sign, body = "-", s[1:]
	}
	point, ok := pointOf(body, t.comma)
	if point == 0 { // neither sign stands in it as the decimal one
		return sign + strings.NewReplacer(".", "", ",", "").Replace(body), ok
	}
	at := strings.LastIndexByte(body, point)
	if strings.IndexByte(body, point) != at || !grouped(body[:at], other(point)) {
		return cell, true
	}
	return sign + strings.NewReplacer(".", "", ",", "").Replace(body[:at]) + "." + body[at+1:], ok
}

// pointOf finds which of . and , is the decimal sign; 0 when neither is. Where both
// stand it is the last, and what stands several times parts thousands. One alone
// before exactly three digits may be either, unless the file's own commas tell
// which customs it follows.
func pointOf(s string, comma rune) (point byte, ok bool) {
	dots, commas := strings.Count(s, "."), strings.Count(s, ",")
	last := max(strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ','))
	switch {
	case last < 0:
		return 0, true
	case dots > 0 && commas > 0:
		return s[last], true
	case dots+commas > 1:
		if grouped(s, s[last]) {
			return 0, true
		}
		return s[last], true // not a number: it is told so
	}
	doubtful := len(s)-last == 4 && last >= 1 && last <= 3 && s[0] != '0'
	customary := s[last] == ',' == (comma != ',')
	return s[last], !doubtful || customary
}

// grouped tells whether sep parts s into thousands, or does not stand in it.
func grouped(s string, sep byte) bool {
	parts := strings.Split(s, string(sep))
	for i, p := range parts {
		if i > 0 && len(p) != 3 || i == 0 && len(parts) > 1 && (len(p) == 0 || len(p) > 3) {
			return false
		}
	}
	return true
}

func other(point byte) byte {
	if point == '.' {
		return ','
	}
	return '.'
}

// storedDecimals is how many decimals of a workbook's number are looked at: it is
// a binary fraction, whose digits behind that are not what was typed.
const storedDecimals = 10

// stored is a number as a workbook stores it, written plainly. What is no number,
// or too long for one, comes back as it is.
func stored(cell string) string {
	_, exponent, scientific := strings.Cut(strings.ToUpper(cell), "E")
	if len(cell) > 30 || scientific && len(strings.TrimLeft(exponent, "+-")) > 2 || strings.Trim(cell, "0123456789.+-eE") != "" {
		return cell
	}
	if !scientific && !strings.Contains(cell, ".") {
		return cell // leading zeros stay
	}
	n, ok := new(big.Rat).SetString(cell)
	if !ok {
		return cell
	}
	return strings.TrimSuffix(strings.TrimRight(n.FloatString(storedDecimals), "0"), ".")
}
