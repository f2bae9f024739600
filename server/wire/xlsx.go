package wire

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"

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

// bookWriter writes a table as an Excel workbook: numbers as numbers, dates as
// dates (moments in UTC), the titles frozen. A text is stored as a text, never as
// a formula. What is written waits on disk, since a workbook is packed at its end.
type bookWriter struct {
	w       io.Writer
	name    string // of the first sheet, and with a number of those that follow
	maxRows int    // of a sheet
	dir     string // where what is written waits
	file    *excelize.File
	sheet   *excelize.StreamWriter
	titles  []any
	values  []any // of the row being written
	rows    int   // of the sheet so far
	sheets  int

	amount, day, moment int // styles
}

// newBook begins a workbook; unless there is an error, drop must be called in the
// end.
func newBook(w io.Writer, name string) (*bookWriter, error) {
	// Where the library finds no place on disk it keeps all in memory, and says nothing.
	dir, err := os.MkdirTemp("", "esnaf-xlsx-")
	if err != nil {
		return nil, err
	}
	b := &bookWriter{w: w, name: name, maxRows: maxSheetRows, dir: dir, file: excelize.NewFile(excelize.Options{TmpDir: dir})}
	// The library packs into memory unless it is given another place to pack into.
	b.file.SetZipWriter(func(io.Writer) excelize.ZipWriter { return zip.NewWriter(w) })
	for _, s := range []struct {
		id     *int
		format string
	}{{&b.amount, "#,##0.00"}, {&b.day, "yyyy-mm-dd"}, {&b.moment, "yyyy-mm-dd hh:mm:ss"}} {
		var e error
		*s.id, e = b.file.NewStyle(&excelize.Style{CustomNumFmt: &s.format})
		err = errors.Join(err, e)
	}
	if err != nil {
		b.drop()
	}
	return b, err
}

// drop removes what waits on disk.
func (b *bookWriter) drop() {
	_ = b.file.Close() // what cannot be removed lies in the system's own folder for that
	_ = os.RemoveAll(b.dir)
}

func (b *bookWriter) head(columns []column) error {
	b.titles, b.values = make([]any, len(columns)), make([]any, len(columns))
	for i, col := range columns {
		b.titles[i] = col.name
	}
	return b.next()
}

// next begins a sheet.
func (b *bookWriter) next() error {
	name := b.name
	if b.sheets++; b.sheets == 1 {
		if err := b.file.SetSheetName(b.file.GetSheetName(0), name); err != nil {
			return err
		}
	} else {
		name += " " + strconv.Itoa(b.sheets)
		if _, err := b.file.NewSheet(name); err != nil {
			return err
		}
		if err := b.sheet.Flush(); err != nil {
			return err
		}
	}
	var err error
	if b.sheet, err = b.file.NewStreamWriter(name); err != nil {
		return err
	}
	if err := errors.Join(
		b.sheet.SetColWidth(1, len(b.titles), columnWidth),
		b.sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}),
	); err != nil {
		return err
	}
	b.rows = 1
	return b.sheet.SetRow("A1", b.titles)
}

func (b *bookWriter) row(columns []column, cells [][]byte) error {
	if b.rows == b.maxRows {
		if err := b.next(); err != nil {
			return err
		}
	}
	for i, v := range cells {
		if b.values[i] = nil; len(v) > 0 {
			b.values[i] = b.value(&columns[i], string(v))
		}
	}
	b.rows++
	return b.sheet.SetRow("A"+strconv.Itoa(b.rows), b.values)
}

// close packs the workbook into the writer.
func (b *bookWriter) close() error {
	if err := b.sheet.Flush(); err != nil {
		return err
	}
	return b.file.Write(io.Discard)
}

// value is a cell as the library wants it. What Excel could not hold exactly, it
// gets as a text.
func (b *bookWriter) value(col *column, s string) any {
	switch col.kind {
	case boolean:
		return s == "true"
	case integer, decimal:
		return b.number(col, s)
	case date:
		if at, err := time.Parse(time.DateOnly, s); err == nil {
			return excelize.Cell{StyleID: b.day, Value: at}
		}
	case instant:
		var at trade.Instant
		if at.UnmarshalText([]byte(s)) == nil {
			return excelize.Cell{StyleID: b.moment, Value: at.Time()}
		}
	}
	return cut(s)
}

func (b *bookWriter) number(col *column, s string) any {
	n, err := strconv.ParseFloat(s, 64) // as Excel holds numbers: it is the last to see it
	if err != nil || len(strings.TrimLeft(strings.NewReplacer("-", "", ".", "").Replace(s), "0")) > maxCellDigits {
		return s
	}
	if col.of.of == reflect.TypeFor[money.Amount]() {
		return excelize.Cell{StyleID: b.amount, Value: n}
	}
	return n
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
