package wire

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// csvWriter writes a table as RFC 4180 has it: lines end in CRLF, cells with a
// separator, a quotation mark or a line end in them stand in quotation marks.
type csvWriter struct {
	w     io.Writer
	comma byte // between cells
	point byte // in decimals
	line  []byte
}

// newCSV is a writer of what Excel opens right in Turkey when turkish is set: it
// splits at semicolons there, takes a comma for the decimal sign, and knows UTF-8
// by the mark at its beginning.
func newCSV(w io.Writer, turkish bool) *csvWriter {
	if turkish {
		return &csvWriter{w: w, comma: ';', point: ',', line: []byte("\ufeff")}
	}
	return &csvWriter{w: w, comma: ',', point: '.'}
}

func (c *csvWriter) head(columns []column) error {
	for i, col := range columns {
		c.cell(i, []byte(col.name))
	}
	return c.end()
}

func (c *csvWriter) row(columns []column, cells [][]byte) error {
	for i, v := range cells {
		switch columns[i].kind {
		case decimal:
			if at := bytes.IndexByte(v, '.'); at >= 0 {
				v[at] = c.point
			}
		case text:
			v = harmlessText(v)
		case labels, array, anything:
			v = harmlessJSON(v)
		}
		c.cell(i, v)
	}
	return c.end()
}

func (c *csvWriter) close() error { return nil }

func (c *csvWriter) cell(i int, v []byte) {
	if i > 0 {
		c.line = append(c.line, c.comma)
	}
	if !bytes.ContainsAny(v, parting+`"`) {
		c.line = append(c.line, v...)
		return
	}
	c.line = append(c.line, '"')
	c.line = append(c.line, bytes.ReplaceAll(v, []byte(`"`), []byte(`""`))...)
	c.line = append(c.line, '"')
}

func (c *csvWriter) end() error {
	_, err := c.w.Write(append(c.line, "\r\n"...))
	c.line = c.line[:0]
	return err
}

// parting is what one reader or another takes for the end of a cell: a program
// that splits at semicolons does not see that a cell with one is quoted.
const parting = ",;\t\r\n"

// signs are what spreadsheets begin a formula at, in both widths.
const signs = "=+-@＝＋－＠"

// harmlessText keeps a spreadsheet from taking a text that came from outside for a
// formula (CSV injection). A text that begins with one of signs, a tab or a line
// end, or has one of them behind a comma or semicolon, gets an apostrophe before
// it; one more stands before each sign inside that follows a separator. Quotation
// marks and white space before a sign hide it from nobody, and neither does an
// apostrophe: such a text gets another, so that what was there comes back. What is
// a plain number or a telephone number stays as it is.
func harmlessText(v []byte) []byte {
	if !suspect(v) {
		return v
	}
	out, risky, before := []byte("'"), false, byte(';')
	for s := string(v); s != ""; {
		if i := strings.IndexByte(parting, s[0]); i >= 0 {
			blank := i > 1
			risky = risky || blank && (before == ',' || before == ';')
			before, out, s = s[0], append(out, s[0]), s[1:]
			continue
		}
		piece := upToParting(s)
		if isFormula(piece) {
			if risky = true; len(out) > 1 {
				out = append(out, '\'')
			}
		}
		if strings.TrimLeftFunc(piece, passedOver) != "" {
			before = 'x'
		}
		out, s = append(out, piece...), s[len(piece):]
	}
	if !risky {
		return v
	}
	return out
}

// Unguarded is the text of a cell without the apostrophes that an export put into
// it against formulas. A text that no export would have written so stays as it is.
func Unguarded(cell string) string {
	rest, guarded := strings.CutPrefix(cell, "'")
	if !guarded {
		return cell
	}
	out, before := make([]byte, 0, len(rest)), byte('x')
	for i := range len(rest) {
		if rest[i] != '\'' || !strings.ContainsRune(parting, rune(before)) || !isFormula(upToParting(rest[i+1:])) {
			out = append(out, rest[i])
		}
		before = rest[i]
	}
	if text := string(out); string(harmlessText(out)) == cell {
		return text
	}
	return cell
}

// upToParting is the beginning of a text that nothing parts.
func upToParting(s string) string {
	if end := strings.IndexAny(s, parting); end >= 0 {
		return s[:end]
	}
	return s
}

// suspect tells whether v may need a second look, as few cells do.
func suspect(v []byte) bool {
	return bytes.ContainsAny(v, "=+-@\t\r\n") || bytes.Contains(v, []byte("\xef\xbc")) // those of full width begin so
}

// passedOver tells of what may stand before a sign: some programs drop it.
func passedOver(r rune) bool {
	return r == '"' || r == '\'' || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
}

// isFormula tells whether a text that nothing parts may be taken for a formula.
func isFormula(s string) bool {
	s = strings.TrimLeftFunc(s, passedOver)
	for _, sign := range s { // the first
		return strings.ContainsRune(signs, sign) && !isPlainNumber(s) && !isTelephone(s)
	}
	return false
}

// isPlainNumber tells whether s is a negative number, such as -12.50.
func isPlainNumber(s string) bool {
	whole, part, broken := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	return allDigits(whole) && (!broken || allDigits(part))
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// isTelephone tells whether s is a telephone number in the international form: a +
// and 7 to 15 digits (E.164), in groups parted by single spaces, one of which may
// stand in brackets, as in +90 (212) 555 00 00. With nothing to reckon among them
// that is no formula; with hyphens it would be a subtraction.
func isTelephone(s string) bool {
	s, plus := strings.CutPrefix(s, "+")
	if open, rest, bracket := strings.Cut(s, " ("); bracket {
		code, rest, _ := strings.Cut(rest, ") ")
		s = open + " " + code + " " + rest
	}
	digits := strings.ReplaceAll(s, " ", "")
	return plus && len(digits) >= 7 && len(digits) <= 15 && allDigits(digits) && !strings.Contains(s, "  ") && strings.Trim(s, " ") == s
}

// harmlessJSON does the same for a value of JSON, which stays one: it begins with
// a bracket, and a sign behind a separator in one of its texts is written as its
// code (\u003d).
func harmlessJSON(v []byte) []byte {
	if !suspect(v) {
		return v
	}
	out := make([]byte, 0, len(v)+16)
	inText, before := false, rune(0)
	for _, r := range string(v) {
		switch {
		case r == '"' && before != '\\':
			out = append(out, '"')
			if inText = !inText; inText && before == ',' { // which its mark hides from nobody
				continue
			}
		case inText && (before == ',' || before == ';') && strings.ContainsRune(signs, r):
			out = fmt.Appendf(out, `\u%04x`, r)
		case inText && (before == ',' || before == ';') && passedOver(r):
			out = utf8.AppendRune(out, r)
			continue
		default:
			out = utf8.AppendRune(out, r)
		}
		if before == '\\' && r == '\\' { // one that is escaped escapes nothing
			r = 0
		}
		before = r
	}
	return out
}
