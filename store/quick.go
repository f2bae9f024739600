package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
)

// The statements of the commit path and the reading of one record go to the driver
// past database/sql's own: that costs as much as SQLite takes for a small
// statement, and a change has a dozen of them.

// run executes a statement that gives no rows.
func (c *conn) run(text string, args []any) (r driver.Result, err error) {
	err = c.past(text, args, func(s driver.Stmt) (err error) {
		r, err = s.(driver.StmtExecContext).ExecContext(context.Background(), c.args)
		return err
	})
	return r, err
}

// insert is exec for one new row; it returns the row's number.
func (c *conn) insert(text string, args ...any) (int64, error) {
	r, err := c.run(text, args)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// first reads the first row of a query into dest, which has a place for each
// column; sql.ErrNoRows says that there is none.
func (c *conn) first(dest []driver.Value, text string, args ...any) error {
	found := false
	err := c.each(dest, text, args, func() bool { found = true; return false })
	if err == nil && !found {
		err = sql.ErrNoRows
	}
	return err
}

// any tells whether a query has a row.
func (c *conn) any(text string, args ...any) (bool, error) {
	var row [1]driver.Value
	err := c.first(row[:], text, args...)
	if noRows(err) {
		return false, nil
	}
	return err == nil, err
}

// oneText is the text that a query finds, "" when it finds none.
func (c *conn) oneText(text string, args ...any) (string, error) {
	var row [1]driver.Value
	err := c.first(row[:], text, args...)
	if noRows(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return row[0].(string), nil
}

// each reads one row after the other into dest and calls fn for it, until fn wants
// no more. fn must not ask the same connection for anything.
func (c *conn) each(dest []driver.Value, text string, args []any, fn func() bool) error {
	ctx := c.ends
	if ctx == nil {
		ctx = context.Background()
	}
	return c.past(text, args, func(s driver.Stmt) (err error) {
		rows, err := s.(driver.StmtQueryContext).QueryContext(ctx, c.args)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for err = rows.Next(dest); err == nil && ctx.Err() == nil && fn(); err = rows.Next(dest) {
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return err
	})
}

// past gives fn the driver's own prepared statement, its arguments in c.args. Inside
// fn the connection would wait for itself for ever, so that panics. No panic gets into
// database/sql: that would give the connection up, and the transaction it was in would
// keep the file locked.
func (c *conn) past(text string, args []any, fn func(driver.Stmt) error) error {
	if c.lent {
		panic("store: a statement inside another one of the same connection")
	}
	var broken any
	err := c.c.Raw(func(dc any) (err error) {
		c.lent = true
		defer func() {
			c.lent = false
			if p := recover(); p != nil {
				broken = fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
		}()
		s := c.quick[text]
		if s == nil {
			if s, err = dc.(driver.ConnPrepareContext).PrepareContext(context.Background(), text); err != nil {
				return err
			}
			c.quick[text] = s
		}
		c.args = c.args[:0]
		for i, a := range args {
			v, err := driver.DefaultParameterConverter.ConvertValue(a)
			if err != nil {
				return err
			}
			c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: v})
		}
		return fn(s)
	})
	if broken != nil {
		panic(broken)
	}
	return err
}
