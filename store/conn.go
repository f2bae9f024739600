package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
)

// conn is one connection with its prepared statements, kept by their text, so
// that a statement is parsed once. It must not be run again while its rows are
// being read: text and statement are one.
type conn struct {
	c      *sql.Conn
	stmts  map[string]*sql.Stmt
	quick  map[string]driver.Stmt // those of exec and first
	args   []driver.NamedValue
	rows   []*sql.Rows     // that were asked for since the last finish
	lent   bool            // to the driver: no other statement can run
	ends   context.Context // ends what each reads; nil: nothing does
	closed bool
}

func newConn(pool *sql.DB) (*conn, error) {
	c, err := pool.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	return &conn{c: c, stmts: map[string]*sql.Stmt{}, quick: map[string]driver.Stmt{}}, nil
}

// close gives the connection up for good. database/sql would keep it and hand it
// out again, with whatever transaction it was left in; that a connection is bad
// is what makes it close one. SQLite keeps its files open as long as there are
// statements; those of a connection that database/sql closed by itself are gone
// with it and must not be touched.
func (c *conn) close() {
	if c.c.Raw(func(any) error { return nil }) == nil {
		c.forget()
	}
	c.closed = true
	c.c.Raw(func(any) error { return driver.ErrBadConn })
}

func (c *conn) forget() {
	for _, s := range c.stmts {
		s.Close()
	}
	clear(c.stmts)
	c.c.Raw(func(any) error {
		for _, s := range c.quick {
			s.Close()
		}
		return nil
	})
	clear(c.quick)
}

// maxStatements is how many prepared statements a connection keeps. The program
// has fewer; only lists searched for many words make ever new ones.
const maxStatements = 400

// tidy forgets the statements once there are too many. It is called between
// transactions, when nobody reads rows.
func (c *conn) tidy() {
	if len(c.stmts)+len(c.quick) > maxStatements {
		c.forget()
	}
}

// stmt never takes the caller's context: a client that leaves must neither cut a
// write short nor interrupt a connection that others share. Who reads for long sets ends.
func (c *conn) stmt(text string) (*sql.Stmt, error) {
	if s := c.stmts[text]; s != nil {
		return s, nil
	}
	s, err := c.c.PrepareContext(context.Background(), text)
	if err != nil {
		return nil, err
	}
	c.stmts[text] = s
	return s, nil
}

// exec runs a statement that gives no rows and tells how many it changed.
func (c *conn) exec(text string, args ...any) (int64, error) {
	r, err := c.run(text, args)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (c *conn) query(text string, args ...any) (*sql.Rows, error) {
	s, err := c.stmt(text)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(context.Background(), args...)
	if err == nil {
		c.rows = append(c.rows, rows)
	}
	return rows, err
}

// finish closes the rows that whoever had the connection has left open, in a
// panic say: they would keep its snapshot for whoever comes next.
func (c *conn) finish() {
	for _, r := range c.rows {
		r.Close()
	}
	clear(c.rows)
	c.rows = c.rows[:0]
}

// row is a query for one row; its error comes out of Scan.
func (c *conn) row(text string, args ...any) scanner {
	s, err := c.stmt(text)
	if err != nil {
		return failedRow{err}
	}
	return s.QueryRowContext(context.Background(), args...)
}

type scanner interface{ Scan(...any) error }

type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }

// script runs several statements at once, unprepared.
func (c *conn) script(text string) error {
	_, err := c.c.ExecContext(context.Background(), text)
	return err
}
