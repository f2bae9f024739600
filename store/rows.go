package store

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"zombiezen.com/go/sqlite"
)

// each reads one row after the other into dest and calls fn for it, until fn wants
// no more. fn must not ask the same connection for anything.
func (c *conn) each(dest []any, text string, args []any, fn func() bool) (err error) {
	s, err := c.stmt(text, args)
	if err != nil {
		return err
	}
	c.lent = true
	defer func() {
		c.lent = false
		err = ended(s, args, err)
	}()
	for {
		found, err := s.Step()
		if err != nil || !found {
			return err
		}
		c.done.rows++
		read(s, dest)
		if !fn() {
			return nil
		}
	}
}

// read takes the row s is at.
func read(s *sqlite.Stmt, dest []any) {
	for i := range dest {
		switch s.ColumnType(i) {
		case sqlite.TypeText:
			dest[i] = s.ColumnText(i)
		case sqlite.TypeInteger:
			dest[i] = s.ColumnInt64(i)
		case sqlite.TypeBlob:
			b := make([]byte, s.ColumnLen(i))
			s.ColumnBytes(i, b)
			dest[i] = b
		case sqlite.TypeFloat:
			dest[i] = s.ColumnFloat(i)
		default:
			dest[i] = nil
		}
	}
}

var errNoRows = errors.New("no rows")

// first reads the first row of a query into dest, which has a place for each
// column; errNoRows says that there is none.
func (c *conn) first(dest []any, text string, args ...any) error {
	found := false
	err := c.each(dest, text, args, func() bool { found = true; return false })
	if err == nil && !found {
		err = errNoRows
	}
	return err
}

// any tells whether a query has a row.
func (c *conn) any(text string, args ...any) (bool, error) {
	err := c.first(nil, text, args...)
	if noRows(err) {
		return false, nil
	}
	return err == nil, err
}

// oneText is the text that a query finds, "" when it finds none.
func (c *conn) oneText(text string, args ...any) (string, error) {
	var row [1]any
	err := c.first(row[:], text, args...)
	if noRows(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return row[0].(string), nil
}

// rows are what a query finds, read one by one. Other queries may run meanwhile, not the
// same.
type rows struct {
	c    *conn
	s    *sqlite.Stmt // nil once it is closed
	args []any
	err  error
}

// query begins to read rows.
func (c *conn) query(text string, args ...any) (*rows, error) {
	s, err := c.stmt(text, args)
	if err != nil {
		return nil, err
	}
	r := &rows{c: c, s: s, args: args}
	c.open = append(c.open, r)
	return r, nil
}

// finish closes the rows that whoever had the connection has left open, in a
// panic say: they would keep its snapshot for whoever comes next.
func (c *conn) finish() {
	for len(c.open) > 0 {
		c.open[0].Close()
	}
}

// Next goes to the next row; false says that there is none, or that Err says why not.
func (r *rows) Next() bool {
	if r.s == nil {
		return false
	}
	var found bool
	if found, r.err = r.s.Step(); found {
		r.c.done.rows++
		return true
	}
	r.Close()
	return false
}

// Err is what broke the reading.
func (r *rows) Err() error { return r.err }

// Close ends the reading. Closing again does nothing.
func (r *rows) Close() {
	if r.s != nil && !r.c.closed {
		r.err = ended(r.s, r.args, r.err)
	}
	r.s = nil
	r.c.open = slices.DeleteFunc(r.c.open, func(o *rows) bool { return o == r })
}

// Scan reads the columns of the row into what dest points at.
func (r *rows) Scan(dest ...any) error {
	if n := r.s.ColumnCount(); len(dest) != n {
		return fmt.Errorf("%d columns, %d are asked for", n, len(dest))
	}
	row := make([]any, len(dest))
	read(r.s, row)
	for i, v := range row {
		if err := assign(reflect.ValueOf(dest[i]).Elem(), v); err != nil {
			return fmt.Errorf("column %d: %w", i, err)
		}
	}
	return nil
}

// row is a query for one row; its error comes out of Scan.
func (c *conn) row(text string, args ...any) scanner { return oneRow{c, text, args} }

type scanner interface{ Scan(...any) error }

type oneRow struct {
	c    *conn
	text string
	args []any
}

// Scan runs the query.
func (o oneRow) Scan(dest ...any) error {
	r, err := o.c.query(o.text, o.args...)
	if err != nil {
		return err
	}
	defer r.Close()
	if !r.Next() {
		if r.err == nil {
			r.err = errNoRows
		}
		return r.err
	}
	return r.Scan(dest...)
}

// assign puts a value of SQLite's into one of Go's that it fits into.
func assign(to reflect.Value, v any) error {
	if to.Kind() == reflect.Pointer && v != nil {
		to.Set(reflect.New(to.Type().Elem()))
		return assign(to.Elem(), v)
	}
	switch v := v.(type) {
	case nil:
		if to.Kind() == reflect.Pointer || to.Kind() == reflect.Slice {
			to.SetZero()
			return nil
		}
	case int64:
		if to.Kind() == reflect.Bool {
			to.SetBool(v != 0)
			return nil
		}
		if to.CanInt() && !to.OverflowInt(v) {
			to.SetInt(v)
			return nil
		}
	case string:
		if to.Kind() == reflect.String {
			to.SetString(v)
			return nil
		}
		if to.Kind() == reflect.Slice {
			to.SetBytes([]byte(v))
			return nil
		}
	case []byte:
		if to.Kind() == reflect.Slice {
			to.SetBytes(v)
			return nil
		}
	}
	return fmt.Errorf("%T does not fit into %s", v, to.Type())
}
