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

// Decimal is a cell with an amount, a price or a rate, in the column at, as a plain
// decimal: 1.234,50 TL and 1,234.50 are both 1234.50. Where only the writer knows whether
// 1.234 is a thousand or one and a bit, ok is false. What is no number comes back as it
// is.
func (t *Table) Decimal(at int, cell string) (plain string, ok bool) {
	if !t.IsCSV() && !strings.Contains(cell, ",") { // else it is a text
		return stored(cell), true
	}
	sign, body := bare(cell)
	if doubtful(body) && (!t.customary(body) || t.isMixed(at)) {
		return cell, false
	}
	point := pointOf(body)
	if point == 0 { // neither sign stands in it as the decimal one
		return sign + strings.NewReplacer(".", "", ",", "").Replace(body), true
	}
	end := strings.LastIndexByte(body, point)
	if strings.IndexByte(body, point) != end || !grouped(body[:end], other(point)) {
		return cell, true
	}
	return sign + strings.NewReplacer(".", "", ",", "").Replace(body[:end]) + "." + body[end+1:], true
}

var around = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "%", "", "₺", "", "TL", "", "TRY", "")

// bare is a number without what stands around it, its sign apart.
func bare(cell string) (sign, body string) {
	body = around.Replace(cell)
	if rest, negative := strings.CutPrefix(body, "-"); negative {
		return "-", rest
	}
	return "", body
}

// doubtful tells that one sign stands alone before exactly three digits, which may part
// thousands or begin the decimals.
func doubtful(body string) bool {
	at := strings.IndexAny(body, ".,")
	return at >= 1 && at <= 3 && body[0] != '0' && len(body)-at == 4 && isNumber(body) && strings.LastIndexAny(body, ".,") == at
}

func isNumber(body string) bool { return strings.Trim(body, "0123456789.,") == "" }

// customary tells whether the last sign in a number is the decimal one of the file's
// customs, which the file's own commas tell.
func (t *Table) customary(body string) bool {
	return (body[strings.LastIndexAny(body, ".,")] == ',') == (t.comma != ',')
}

// isMixed tells whether a number in a column goes against the file's customs, so that
// there they tell nothing.
func (t *Table) isMixed(at int) bool {
	mixed, known := t.mixed[at]
	if known {
		return mixed
	}
	for i := 0; i < t.Len() && !mixed; i++ {
		if r := t.Row(i); at < len(r.Cells) {
			_, body := bare(r.Cells[at])
			mixed = t.contrary(body)
		}
	}
	if t.mixed == nil {
		t.mixed = map[int]bool{}
	}
	t.mixed[at] = mixed
	return mixed
}

// contrary tells that a number has decimals after the other sign than is customary, or
// its thousands parted by the customary one.
func (t *Table) contrary(body string) bool {
	last := strings.LastIndexAny(body, ".,")
	if last < 0 || !isNumber(body) {
		return false
	}
	parting := strings.Count(body, body[last:last+1]) > 1
	return t.customary(body) == parting
}

// pointOf finds which of . and , is the decimal sign; 0 when neither is. Where both
// stand it is the last, and what stands several times parts thousands.
func pointOf(s string) byte {
	last := strings.LastIndexAny(s, ".,")
	if last < 0 {
		return 0
	}
	if alike := s[last]; strings.Count(s, string(alike)) > 1 && strings.IndexByte(s, other(alike)) < 0 && grouped(s, alike) {
		return 0
	}
	return s[last] // where it is no number, it is told so
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
