package store

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// conn is one connection with its prepared statements, kept by their text, so
// that a statement is parsed once. It is used by one goroutine at a time. It must not be
// asked anything while a row of its is being read.
type conn struct {
	c      *sqlite.Conn
	stmts  map[string]*sqlite.Stmt
	open   []*rows // that query began and that are not closed
	lent   bool    // to each: no other statement can run
	closed bool
	done   work
}

// work is how many statements were run, and how many rows were read by them.
type work struct{ runs, rows int }

// newConn opens a database, how as the parameters of a URI of SQLite's say. The pragmas
// are those of the connection.
func newConn(path, how string, pragmas ...string) (*conn, error) {
	at := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: how}
	s, err := sqlite.OpenConn(at.String(), sqlite.OpenReadWrite, sqlite.OpenCreate, sqlite.OpenURI)
	if err != nil {
		return nil, failed(err)
	}
	s.SetBusyTimeout(5 * time.Second) // also for switching to WAL
	c := &conn{c: s, stmts: map[string]*sqlite.Stmt{}}
	for _, p := range append([]string{"foreign_keys(1)", "temp_store(MEMORY)"}, pragmas...) {
		if err := sqlitex.ExecuteTransient(s, "PRAGMA "+p, nil); err != nil {
			c.close()
			return nil, failed(err)
		}
	}
	return c, nil
}

// close gives the connection up for good, with whatever transaction it was left in.
func (c *conn) close() {
	if !c.closed {
		c.closed = true
		c.c.Close()
	}
}

// endsBy has whatever is asked of c fail once done is closed; nil: nothing does. A
// statement at work keeps SQLite from forgetting an interrupt when it begins with another.
func (c *conn) endsBy(done <-chan struct{}) {
	if c.closed {
		return
	}
	c.finish()
	c.c.SetInterrupt(done)
	if done == nil {
		return
	}
	if atWork, err := c.query("SELECT 1 UNION ALL SELECT 2"); err == nil {
		atWork.Next()
	}
}

// maxStatements is how many prepared statements a connection keeps. The program
// has fewer; only lists searched for many words make ever new ones.
const maxStatements = 400

// tidy forgets the statements once there are too many. It is called between
// transactions, when nobody reads rows.
func (c *conn) tidy() {
	if len(c.stmts) <= maxStatements {
		return
	}
	for _, s := range c.stmts {
		s.Finalize()
	}
	clear(c.stmts)
}

// sqlError is what SQLite says, with its (extended) result code.
type sqlError struct {
	code int
	err  error
}

func (e *sqlError) Error() string { return e.err.Error() }

func failed(err error) error {
	if err == nil {
		return nil
	}
	e := &sqlError{int(sqlite.ErrCode(err)), err}
	if e.code == codeError && strings.HasSuffix(err.Error(), "malformed JSON") { // only records are JSON
		return unreadable(e)
	}
	return e
}

var errConnClosed = errors.New("the connection is closed")

// stmt is a prepared statement with its arguments. It never takes the caller's context:
// a client that leaves must neither cut a write short nor interrupt a connection that
// others share. What reads for long is a survey.
func (c *conn) stmt(text string, args []any) (s *sqlite.Stmt, err error) {
	if c.lent {
		panic("store: a statement inside another one of the same connection")
	}
	if c.closed {
		return nil, errConnClosed
	}
	if s = c.stmts[text]; s == nil {
		if s, err = c.c.Prepare(text); err != nil {
			return nil, failed(err)
		}
		c.stmts[text] = s
	} else if slices.ContainsFunc(c.open, func(r *rows) bool { return r.s == s }) { // it would begin anew
		return nil, fmt.Errorf("the rows of this are being read: %s", text)
	}
	if n := s.BindParamCount(); len(args) != n {
		return nil, fmt.Errorf("%d arguments for the %d of %s", len(args), n, text)
	}
	c.done.runs++
	for i, a := range args {
		if err := bind(s, i+1, a); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func bind(s *sqlite.Stmt, i int, a any) error {
	switch a := a.(type) {
	case string:
		s.BindText(i, a)
	case int64:
		s.BindInt64(i, a)
	case []byte:
		if a == nil {
			s.BindNull(i)
		} else {
			s.BindBytes(i, a)
		}
	case int:
		s.BindInt64(i, int64(a))
	case bool:
		s.BindBool(i, a)
	case nil:
		s.BindNull(i)
	default: // a type of its own, or a pointer
		v := reflect.ValueOf(a)
		switch {
		case v.Kind() == reflect.String:
			s.BindText(i, v.String())
		case v.CanInt():
			s.BindInt64(i, v.Int())
		case v.Kind() == reflect.Slice:
			return bind(s, i, v.Bytes())
		case v.Kind() == reflect.Pointer && v.IsNil():
			s.BindNull(i)
		case v.Kind() == reflect.Pointer:
			return bind(s, i, v.Elem().Interface())
		default:
			return fmt.Errorf("argument %d: %T is nothing that SQLite keeps", i, a)
		}
	}
	return nil
}

// ended puts a statement back to its beginning. Its arguments stay until the next ones,
// but for large ones. (ClearBindings would have SQLite plan anew what it planned with a
// look at them.)
func ended(s *sqlite.Stmt, args []any, err error) error {
	if e := s.Reset(); err == nil {
		err = e
	}
	for i, a := range args {
		if size(a) > largeArgument {
			s.BindNull(i + 1)
		}
	}
	return failed(err)
}

// largeArgument is how many bytes of one argument a statement may keep.
const largeArgument = 4 << 10

func size(a any) int {
	switch a := a.(type) {
	case string:
		return len(a)
	case []byte:
		return len(a)
	}
	return 0
}

// exec runs a statement that gives no rows and tells how many it changed.
func (c *conn) exec(text string, args ...any) (int64, error) {
	if err := c.run(text, args); err != nil {
		return 0, err
	}
	return int64(c.c.Changes()), nil
}

// run executes a statement to its end, whatever rows it gives.
func (c *conn) run(text string, args []any) error {
	s, err := c.stmt(text, args)
	if err != nil {
		return err
	}
	more := true
	for more && err == nil {
		more, err = s.Step()
	}
	return ended(s, args, err)
}

// insert is exec for one new row; it returns the row's number.
func (c *conn) insert(text string, args ...any) (int64, error) {
	if err := c.run(text, args); err != nil {
		return 0, err
	}
	return c.c.LastInsertRowID(), nil
}

// script runs several statements at once; they are not kept.
func (c *conn) script(text string) error {
	if c.closed {
		return errConnClosed
	}
	return failed(sqlitex.ExecuteScript(c.c, text, nil))
}
