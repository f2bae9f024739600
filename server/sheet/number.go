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

// Decimals are how a file writes its amounts, prices and rates: whether 1.234 is a thousand
// or one and a bit only the other numbers of the file tell, or what its cells are parted by.
type Decimals struct {
	point byte // the decimal sign; 0 when nothing tells
	shown bool // by numbers of the file
	// Both are two numbers of the file that tell the one and the other; empty when it has
	// no such two.
	Both [2]string
}

// Decimals looks through the columns that hold amounts, prices or rates.
func (t *Table) Decimals(columns []int) Decimals {
	shown := map[byte]string{} // the first number that shows a sign
	for i := 1; i < t.Len() && len(columns) > 0; i++ {
		r := t.Row(i)
		for _, at := range columns {
			if at < len(r.Cells) && r.Kind(at) == Plain {
				_, body := bare(r.Cells[at])
				if point := pointShown(body); shown[point] == "" {
					shown[point] = r.Cells[at]
				}
			}
		}
	}
	switch comma, point := shown[','], shown['.']; {
	case comma != "" && point != "":
		return Decimals{Both: [2]string{comma, point}}
	case comma != "":
		return Decimals{point: ',', shown: true}
	case point != "":
		return Decimals{point: '.', shown: true}
	}
	return Decimals{point: map[rune]byte{',': '.', ';': ','}[t.comma]} // as Excel writes both, in English and in Turkish
}

// Read is a cell with an amount, a price or a rate as a plain decimal: 1.234,50 TL and
// 1,234.50 are both 1234.50. Where only the writer knows whether 1.234 is a thousand, ok is
// false. What is no number comes back as it is.
func (d Decimals) Read(cell string, kind Kind) (plain string, ok bool) {
	if kind == Number {
		return stored(cell), true
	}
	sign, body := bare(cell)
	point := pointOf(body)
	if doubtful(body) && point != d.point {
		if !d.shown {
			return cell, false
		}
		point = 0
	}
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

// pointShown is the decimal sign that a number shows beyond doubt; 0 when it shows none.
func pointShown(body string) byte {
	last := strings.LastIndexAny(body, ".,")
	if last < 0 || last == len(body)-1 || !isNumber(body) || doubtful(body) {
		return 0
	}
	point := pointOf(body)
	switch {
	case point == 0: // 1.234.567
		return other(body[last])
	case strings.IndexByte(body, point) == last && grouped(body[:last], other(point)):
		return point
	}
	return 0
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
