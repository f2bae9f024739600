package sheet

import (
	"errors"
	"io"

	"github.com/xuri/excelize/v2"
)

// The bounds of a workbook's insides: how large they may be unpacked, from which
// size on a part waits on disk instead of in memory, and the rows that Excel has.
const (
	maxUnpacked = 1 << 30
	maxInMemory = 16 << 20
	excelRows   = 1 << 20
)

// readXLSX reads the first sheet of a workbook. Numbers are taken as they are
// stored, not as they are shown: how many decimals are seen, and with which signs
// between them, is a matter of taste.
func readXLSX(file io.ReaderAt, size int64) (t *Table, err error) {
	if size > maxXLSX {
		return nil, bad("it is larger than 64 MB", "64 MB'tan büyük")
	}
	// The library gives up on some damaged files by a panic.
	defer func() {
		if recover() != nil {
			t, err = nil, damaged()
		}
	}()
	book, err := excelize.OpenReader(io.NewSectionReader(file, 0, size), excelize.Options{RawCellValue: true, UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxInMemory})
	if err != nil {
		return nil, damaged()
	}
	defer func() { _ = book.Close() }() // what it kept on disk goes, or lies in the system's own folder for that
	rows, err := book.Rows(book.GetSheetName(0))
	if err != nil {
		return nil, damaged()
	}
	t = &Table{}
	for n := 1; rows.Next(); n++ {
		cells, err := rows.Columns()
		if err != nil || n > excelRows {
			return nil, damaged()
		}
		if err := t.add(n, cells); err != nil {
			return nil, err
		}
	}
	return t, errors.Join(rows.Error(), rows.Close())
}

func damaged() error {
	return bad("it is no workbook (XLSX) that can be read, or is damaged", "okunabilir bir çalışma kitabı (XLSX) değil ya da bozuk")
}
