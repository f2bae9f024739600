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
	"strings"

	"golang.org/x/text/unicode/norm"

	"esnaf/store/trade"
)

// MaxRows is how many rows a file may have; larger ones are to be split.
const MaxRows = 200_000

// The other bounds of a file.
const (
	maxCSV     = 256 << 20 // bytes
	maxXLSX    = 64 << 20  // bytes, packed
	maxColumns = 200
	maxRow     = 1 << 20 // bytes of one row
)

// Table is a file read whole.
type Table struct {
	Rows  []Row
	comma rune // what parts the cells of a CSV file; 0 for a workbook
}

// Row is one row that is not empty.
type Row struct {
	N     int      // as spreadsheets count: the first row of the file is 1
	Cells []string // in NFC, without the spaces around them
}

// Read reads a file of size bytes; which kind it is its content tells. The error
// is a Malformed: the file is of no kind that is read here, is damaged, or has
// more than the bounds allow. A Table has at least one row.
func Read(file io.ReaderAt, size int64) (*Table, error) {
	t, err := read(file, size)
	if err == nil && len(t.Rows) == 0 {
		return nil, bad("it is empty", "boş")
	}
	return t, err
}

func read(file io.ReaderAt, size int64) (*Table, error) {
	begin := make([]byte, 8)
	n, err := file.ReadAt(begin, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, bad("it cannot be read", "okunamıyor")
	}
	switch begin = begin[:n]; {
	case bytes.HasPrefix(begin, []byte("PK\x03\x04")):
		return readXLSX(file, size)
	case bytes.HasPrefix(begin, []byte("\xd0\xcf\x11\xe0")):
		return nil, bad("it is an old workbook (XLS) or one with a password: save it as XLSX without a password", "eski bir çalışma kitabı (XLS) ya da parolalı: parolasız XLSX olarak kaydedin")
	}
	return readCSV(io.NewSectionReader(file, 0, size), size)
}

// add takes a row in, unless nothing stands in it.
func (t *Table) add(n int, cells []string) error {
	empty := true
	for i, c := range cells {
		cells[i] = norm.NFC.String(strings.TrimSpace(c))
		empty = empty && cells[i] == ""
	}
	switch {
	case empty:
		return nil
	case len(cells) > maxColumns:
		return inRow(n, fmt.Sprintf("it has more than %d columns", maxColumns), fmt.Sprintf("%d sütundan fazla var", maxColumns))
	case len(t.Rows) > MaxRows: // the first one is the head
		return bad(fmt.Sprintf("it has more than %d rows: split it", MaxRows), fmt.Sprintf("%d satırdan fazla: bölün", MaxRows))
	}
	t.Rows = append(t.Rows, Row{n, cells})
	return nil
}

// bad says why a file is not taken.
func bad(english, turkish string) error {
	return trade.Fail(trade.Malformed, trade.BadFile, trade.Phrase{english, turkish})
}

func inRow(n int, english, turkish string) error {
	return bad(fmt.Sprintf("row %d: %s", n, english), fmt.Sprintf("%d. satır: %s", n, turkish))
}
