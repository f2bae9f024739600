package wire

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"esnaf/store"
)

// A table shows records in rows: a column for each field, in the order of the
// type. Those of an object inside stand under its name and a dot
// (eInvoice.registered); lists and labels stand as JSON in one cell.

// column is one of a table's.
type column struct {
	name string
	kind kind
	of   *shape
}

// cellWriter writes a table in one kind of file. Cells are texts without quotation
// marks and JSON where the column's kind is no single value; nil is an empty one.
// They are the writer's until the next row.
type cellWriter interface {
	head([]column) error
	row([]column, [][]byte) error
	close() error // ends the file
}

// place is where a member of a record goes: into a column, or, as an object, into
// those of its own members.
type place struct {
	column  int
	members places
}

// places are those of the members of an object, by their names in quotes.
type places map[string]place

// table turns records in JSON into rows of a file.
type table struct {
	out     cellWriter
	columns []column
	places  places
	cells   [][]byte
	text    []byte // what the cells hold
	d       jsontext.Decoder
}

// newTable begins a file of records of one type with the names of its columns.
func newTable(out cellWriter, of *Type) (*table, error) {
	t := &table{out: out}
	t.places = t.layOut(of.shape(), "")
	t.cells = make([][]byte, len(t.columns))
	return t, out.head(t.columns)
}

func (t *table) layOut(s *shape, prefix string) places {
	all := places{}
	for _, f := range s.fields {
		p := place{column: -1}
		if f.shape.kind == object {
			p.members = t.layOut(f.shape, prefix+f.name+".")
		} else {
			p.column = len(t.columns)
			t.columns = append(t.columns, column{prefix + f.name, f.shape.kind, f.shape})
		}
		all[`"`+f.name+`"`] = p
	}
	return all
}

// ReadOnly are the titles of a table of T's records whose fields no caller can set.
// Whoever reads such a table is to pass them over, as they are in a body.
func ReadOnly[T any]() []string { return Of[T]().shape().readOnly("", false) }

func (s *shape) readOnly(prefix string, whole bool) (titles []string) {
	for _, f := range s.fields {
		switch {
		case f.shape.kind == object:
			titles = append(titles, f.shape.readOnly(prefix+f.name+".", whole || f.readonly)...)
		case whole || f.readonly:
			titles = append(titles, prefix+f.name)
		}
	}
	return titles
}

// add writes one record, given as JSON.
func (t *table) add(doc []byte) error {
	t.d.Reset(bytes.NewReader(doc), jsontext.AllowDuplicateNames(true)) // stored, so it has none
	clear(t.cells)
	t.text = t.text[:0]
	if err := t.object(t.places); err != nil {
		return store.Unreadable(err)
	}
	return t.out.row(t.columns, t.cells)
}

// object fills the cells of an object's members. What no column is for is passed
// over.
func (t *table) object(members places) error {
	if _, err := t.d.ReadToken(); err != nil {
		return err
	}
	for t.d.PeekKind() == '"' {
		name, err := t.d.ReadValue()
		if err != nil {
			return err
		}
		p, known := members[string(name)]
		switch {
		case known && p.members != nil && t.d.PeekKind() == '{':
			err = t.object(p.members)
		case known && p.members == nil:
			err = t.cell(p.column)
		default:
			err = t.d.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := t.d.ReadToken()
	return err
}

func (t *table) cell(i int) error {
	v, err := t.d.ReadValue()
	if err != nil || v.Kind() == 'n' {
		return err
	}
	from := len(t.text)
	if v.Kind() == '"' {
		t.text, err = jsontext.AppendUnquote(t.text, v)
	} else {
		t.text = append(t.text, v...)
	}
	t.cells[i] = t.text[from:len(t.text):len(t.text)] // growing, t.text leaves behind what the cells before hold
	return err
}

// lines writes records as they are, one a line (NDJSON).
type lines struct{ w *output }

func (l lines) add(doc []byte) error {
	if _, err := l.w.Write(doc); err != nil {
		return err
	}
	_, err := l.w.Write([]byte{'\n'})
	return err
}
