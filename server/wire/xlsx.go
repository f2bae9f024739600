package wire

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// What Excel can hold.
const (
	maxSheetRows  = 1 << 20 // of a sheet, the one of titles among them
	maxCellText   = 32_767  // UTF-16 units of a cell
	maxCellDigits = 15      // of a number; more become zeros
)

// columnWidth shows a moment whole, in Excel's characters.
const columnWidth = 20

// The attributes of cells that show a value in a style, as bookParts has them.
const (
	amountStyle = ` s="1"`
	dayStyle    = ` s="2"`
	momentStyle = ` s="3"`
)

// bookWriter writes a table as an Excel workbook, row by row: numbers as numbers, dates as
// dates (moments in UTC), the titles frozen. A text is stored as a text, never as a
// formula.
type bookWriter struct {
	zip     *zip.Writer
	sheet   io.Writer // the part that is being written
	name    string    // of the first sheet, and with a number of those that follow: plain ASCII
	maxRows int       // of a sheet
	columns []column
	letters []string // of the columns
	sheets  []string // their names
	rows    int      // of the sheet so far
	line    bytes.Buffer
}

func newBook(w io.Writer, name string) *bookWriter {
	return &bookWriter{zip: newPacker(w), name: name, maxRows: maxSheetRows}
}

func (b *bookWriter) head(columns []column) error {
	b.columns = columns
	for i := range columns {
		b.letters = append(b.letters, lettersOf(i))
	}
	return b.next()
}

// lettersOf is what the column at a place, from 0 on, is called: Z is followed by AA.
func lettersOf(at int) (name string) {
	for at++; at > 0; at /= 26 {
		at--
		name = string(rune('A'+at%26)) + name
	}
	return name
}

// next begins a sheet.
func (b *bookWriter) next() (err error) {
	if err := b.endSheet(); err != nil {
		return err
	}
	name := b.name
	if n := len(b.sheets) + 1; n > 1 {
		name += " " + strconv.Itoa(n)
	}
	b.sheets, b.rows = append(b.sheets, name), 0
	if b.sheet, err = newPart(b.zip, fmt.Sprintf("xl/worksheets/sheet%d.xml", len(b.sheets))); err != nil {
		return err
	}
	fmt.Fprintf(&b.line, sheetHead, len(b.columns), columnWidth)
	b.beginRow()
	for i := range b.columns {
		b.text(i, b.columns[i].name)
	}
	return b.endRow()
}

func (b *bookWriter) row(columns []column, cells [][]byte) error {
	if b.rows == b.maxRows {
		if err := b.next(); err != nil {
			return err
		}
	}
	b.beginRow()
	for i, v := range cells {
		if len(v) > 0 {
			b.cell(i, &columns[i], string(v))
		}
	}
	return b.endRow()
}

// close ends the workbook.
func (b *bookWriter) close() error {
	if err := b.endSheet(); err != nil {
		return err
	}
	return packRest(b.zip, b.sheets)
}

func (b *bookWriter) endSheet() error {
	if b.sheet == nil {
		return nil
	}
	_, err := io.WriteString(b.sheet, sheetTail)
	return err
}

func (b *bookWriter) beginRow() {
	b.rows++
	b.line.WriteString(`<row r="`)
	b.count()
	b.line.WriteString(`">`)
}

func (b *bookWriter) endRow() error {
	b.line.WriteString("</row>")
	_, err := b.line.WriteTo(b.sheet)
	return err
}

// cell writes a value. What Excel could not hold exactly, it gets as a text.
func (b *bookWriter) cell(i int, col *column, s string) {
	switch col.kind {
	case boolean:
		if s == "true" {
			b.value(i, ` t="b"`, "1")
		} else {
			b.value(i, ` t="b"`, "0")
		}
		return
	case integer, decimal:
		number, ok := numberOf(s)
		switch {
		case ok && col.of.of == reflect.TypeFor[money.Amount]():
			b.value(i, amountStyle, number)
			return
		case ok:
			b.value(i, "", number)
			return
		}
	case date:
		if at, err := time.Parse(time.DateOnly, s); err == nil && !at.Before(firstDay) {
			b.value(i, dayStyle, serial(at))
			return
		}
	case instant:
		var at trade.Instant
		if at.UnmarshalText([]byte(s)) == nil && !at.Time().Before(firstDay) {
			b.value(i, momentStyle, serial(at.Time()))
			return
		}
	}
	b.text(i, cut(s))
}

func (b *bookWriter) value(i int, attributes, v string) {
	b.begin(i, attributes)
	b.line.WriteString("<v>" + v + "</v></c>")
}

// begin begins a cell of the row.
func (b *bookWriter) begin(i int, attributes string) {
	b.line.WriteString(`<c r="`)
	b.line.WriteString(b.letters[i])
	b.count()
	b.line.WriteString(`"` + attributes + ">")
}

// count writes the number of the row.
func (b *bookWriter) count() {
	b.line.Write(strconv.AppendInt(b.line.AvailableBuffer(), int64(b.rows), 10))
}

func (b *bookWriter) text(i int, s string) {
	b.begin(i, ` t="inlineStr"`)
	b.line.WriteString(`<is><t xml:space="preserve">`)
	_ = xml.EscapeText(&b.line, []byte(literal(s))) // a buffer takes everything
	b.line.WriteString("</t></is></c>")
}

// literal keeps what looks like the escape of a character, such as _x0041_, from being
// read as one (ECMA-376 part 1, 22.9.2.19).
func literal(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var out strings.Builder
	for i := range len(s) {
		if at := s[i:]; len(at) >= 7 && at[0] == '_' && at[1] == 'x' && at[6] == '_' && strings.Trim(at[2:6], "0123456789abcdefABCDEF") == "" {
			out.WriteString("_x005F")
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// numberOf is a number as Excel, the last to see it, holds it.
func numberOf(s string) (string, bool) {
	n, err := strconv.ParseFloat(s, 64)
	if n == 0 {
		n = 0 // of either sign
	}
	if strings.Contains(s, ".") {
		s = strings.TrimRight(s, "0")
	}
	digits := strings.TrimLeft(s, "-0.")
	if err != nil || len(digits)-strings.Count(digits, ".") > maxCellDigits {
		return "", false
	}
	return strconv.FormatFloat(n, 'f', -1, 64), true
}

// firstDay is the first from which on Excel counts days as the calendar does: it takes
// 1900 for a leap year.
var firstDay = time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC)

// serial is a moment in days, the way Excel counts them.
func serial(at time.Time) string {
	const beforeFirst, day = 61, 24 * 60 * 60 * 1000
	days := float64(at.UnixMilli()-firstDay.UnixMilli())/day + beforeFirst
	return strconv.FormatFloat(days, 'f', -1, 64)
}

// cut shortens a text that is too long for a cell, and shows that it did.
func cut(s string) string {
	if len(s) <= maxCellText {
		return s
	}
	units, keep := 0, 0
	for i, r := range s {
		if units < maxCellText {
			keep = i // up to here there is room for the sign of the cut
		}
		if units += utf16.RuneLen(r); units > maxCellText {
			return s[:keep] + "…"
		}
	}
	return s
}
