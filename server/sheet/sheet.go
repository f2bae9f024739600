// Package sheet reads the tables of text that spreadsheets and other programs
// write: CSV files of every common kind, and the first sheet of XLSX workbooks.
// What a cell means is the caller's business, except how numbers are written:
// that depends on the file.
package sheet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"esnaf/store/trade"
)

// Limits bound what of one file is held in memory. Larger files are to be split.
type Limits struct {
	Rows  int // below the first
	Bytes int // in all cells, with cellRoom for each
}

// The bounds that are the same for every file.
const (
	maxColumns = 200
	maxRow     = 1 << 20 // bytes of one row
	cellRoom   = 24      // bytes that a cell takes beside its text: empty ones take room as well
)

// tooMuch refuses a file with more in its cells than is held.
func (l Limits) tooMuch() error {
	mega := l.Bytes >> 20
	return bad(fmt.Sprintf("its cells take more than %d MB: split it", mega), fmt.Sprintf("hücreleri %d MB'tan fazla tutuyor: bölün", mega))
}

// Table is a file read whole.
type Table struct {
	Rows  []Row
	comma rune // what parts the cells of a CSV file; 0 for a workbook

	limits      Limits
	held, width int // bytes so far, and cells of the last row
}

// Row is one row that is not empty.
type Row struct {
	N     int      // as spreadsheets count: the first row of the file is 1
	Cells []string // in NFC, without the spaces around them; the last is not empty
	kinds []Kind   // of the cells, as far as any is not Plain
}

// Kind tells what the cell at a place holds.
func (r *Row) Kind(at int) Kind {
	if at < len(r.kinds) {
		return r.kinds[at]
	}
	return Plain
}

// Kind tells what a cell of a workbook holds.
type Kind uint8

// Plain cells are texts and numbers.
const (
	Plain   Kind = iota
	Boolean      // TRUE or FALSE
	Failed       // an error such as #REF!, or a formula without its value
)

// Read reads a file of size bytes; which kind it is its content tells. The error
// is a Malformed: the file is of no kind that is read here, is damaged, or has
// more than the bounds allow. A Table has at least one row.
func Read(file io.ReaderAt, size int64, limits Limits) (*Table, error) {
	t, err := read(file, size, limits)
	if err == nil && len(t.Rows) == 0 {
		return nil, bad("it is empty", "boş")
	}
	return t, err
}

func read(file io.ReaderAt, size int64, limits Limits) (*Table, error) {
	begin := make([]byte, 8)
	n, err := file.ReadAt(begin, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, bad("it cannot be read", "okunamıyor")
	}
	switch begin = begin[:n]; {
	case bytes.HasPrefix(begin, []byte("PK\x03\x04")):
		return readXLSX(file, size, limits)
	case bytes.HasPrefix(begin, []byte("\xd0\xcf\x11\xe0")):
		return nil, bad("it is an old workbook (XLS) or one with a password: save it as XLSX without a password", "eski bir çalışma kitabı (XLS) ya da parolalı: parolasız XLSX olarak kaydedin")
	}
	return readCSV(io.NewSectionReader(file, 0, size), limits)
}

// add takes a row in, unless nothing stands in it. Empty cells at its end are left
// out: spreadsheets write as many as they like.
func (t *Table) add(r Row) error {
	size, last := 0, 0
	for i, c := range r.Cells {
		if r.Cells[i] = clean(c); r.Cells[i] != "" {
			last = i + 1
		}
		size += len(r.Cells[i])
	}
	if last == 0 {
		return nil
	}
	if last < len(r.Cells) {
		r.Cells = slices.Clone(r.Cells[:last]) // else they would be kept
	}
	t.held, t.width = t.held+size+last*cellRoom, last
	switch {
	case last > maxColumns:
		return inRow(r.N, fmt.Sprintf("it has more than %d columns", maxColumns), fmt.Sprintf("%d sütundan fazla var", maxColumns))
	case size > maxRow:
		return inRow(r.N, "it has more than 1 MB", "1 MB'tan uzun")
	case len(t.Rows) > t.limits.Rows: // the first one is the head
		return bad(fmt.Sprintf("it has more than %d rows: split it", t.limits.Rows), fmt.Sprintf("%d satırdan fazla: bölün", t.limits.Rows))
	case t.held > t.limits.Bytes:
		return t.limits.tooMuch()
	}
	t.Rows = append(t.Rows, r)
	return nil
}

// clean is a text as tables have it.
func clean(s string) string { return norm.NFC.String(strings.TrimSpace(s)) }

// bad says why a file is not taken.
func bad(english, turkish string) error {
	return trade.Fail(trade.Malformed, trade.BadFile, trade.Phrase{english, turkish})
}

func inRow(n int, english, turkish string) error {
	return bad(fmt.Sprintf("row %d: %s", n, english), fmt.Sprintf("%d. satır: %s", n, turkish))
}
