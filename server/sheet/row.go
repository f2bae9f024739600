package sheet

import "encoding/binary"

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

// Plain cells are texts, as all are in CSV.
const (
	Plain   Kind = iota
	Boolean      // TRUE or FALSE
	Failed       // an error such as #REF!, or a formula without its value
	Number       // as it is stored
)

// kindBits is how much of a cell's length is taken by its kind.
const kindBits = 2

// pack appends a row as a Table keeps it: its number, then the length of each cell,
// with its kind in the last bits, and its text.
func (r *Row) pack(to []byte) []byte {
	to = binary.AppendUvarint(to, uint64(r.N))
	for i, c := range r.Cells {
		to = binary.AppendUvarint(to, uint64(len(c))<<kindBits|uint64(r.Kind(i)))
		to = append(to, c...)
	}
	return to
}

// Row is the row at a place, from 0: the first that is not empty.
func (t *Table) Row(at int) Row {
	n, rest := uvarint(t.rows[at])
	r := Row{N: int(n)}
	for rest != "" {
		n, rest = uvarint(rest)
		size, kind := n>>kindBits, Kind(n&(1<<kindBits-1))
		if r.Cells = append(r.Cells, rest[:size]); kind != Plain {
			r.kinds = append(r.kinds, make([]Kind, len(r.Cells)-len(r.kinds))...)
			r.kinds[len(r.Cells)-1] = kind
		}
		rest = rest[size:]
	}
	return r
}

// uvarint reads what AppendUvarint has written.
func uvarint(s string) (n uint64, rest string) {
	for i := 0; ; i++ {
		n |= uint64(s[i]&0x7f) << (7 * i)
		if s[i] < 0x80 {
			return n, s[i+1:]
		}
	}
}
