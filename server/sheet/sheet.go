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

// Limits bound what of one file is held in memory. Larger files are to be split.
type Limits struct {
	Rows  int // below the first
	Bytes int // bytes that the rows and the texts they name take
}

// The bounds that are the same for every file.
const (
	maxColumns = 200
	maxRow     = 1 << 20 // bytes of one row
	header     = 16      // bytes that a string takes beside its text
)

// tooMuch refuses a file with more in its cells than is held.
func (l Limits) tooMuch() error {
	mega := l.Bytes >> 20
	return bad(fmt.Sprintf("its cells take more than %d MB: split it", mega), fmt.Sprintf("hücreleri %d MB'tan fazla tutuyor: bölün", mega))
}

// Table is a file read whole. Each row is kept as one text: most cells are short,
// and a string for each would take more than they hold.
type Table struct {
	rows  []string
	comma rune // what parts the cells of a CSV file; 0 for a workbook

	limits Limits
	held   int    // bytes so far
	packed []byte // the last row
}

// Len is how many rows there are that are not empty.
func (t *Table) Len() int { return len(t.rows) }

// Read reads a file of size bytes; which kind it is its content tells. charset is what
// a text is said to be in, one of Charsets or nothing. The error
// is a Malformed: the file is of no kind that is read here, is damaged, or has
// more than the bounds allow. A Table has at least one row.
func Read(file io.ReaderAt, size int64, charset string, limits Limits) (*Table, error) {
	t, err := read(file, size, charset, limits)
	if err == nil && t.Len() == 0 {
		return nil, bad("it is empty", "boş")
	}
	return t, err
}

func read(file io.ReaderAt, size int64, charset string, limits Limits) (*Table, error) {
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
	return readCSV(io.NewSectionReader(file, 0, size), charset, limits)
}

// add takes a copy of a row in, unless nothing stands in it. Empty cells at its end
// are left out: spreadsheets write as many as they like.
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
	r.Cells = r.Cells[:last]
	switch {
	case last > maxColumns:
		return inRow(r.N, fmt.Sprintf("it has more than %d columns", maxColumns), fmt.Sprintf("%d sütundan fazla var", maxColumns))
	case size > maxRow:
		return inRow(r.N, "it has more than 1 MB", "1 MB'tan uzun")
	case t.Len() > t.limits.Rows: // the first one is the head
		return bad(fmt.Sprintf("it has more than %d rows: split it", t.limits.Rows), fmt.Sprintf("%d satırdan fazla: bölün", t.limits.Rows))
	}
	t.packed = r.pack(t.packed[:0])
	if t.held += len(t.packed) + header; t.held > t.limits.Bytes {
		return t.limits.tooMuch()
	}
	t.rows = append(t.rows, string(t.packed))
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
