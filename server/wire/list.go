package wire

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// listing is a list being served: where its rows come from, and what it may be
// asked.
type listing struct {
	name   string // the cursors' word for it
	params func() []Param
	page   func(v *store.View, id string, q trade.Query, dst []byte) (store.Page, error)
	single func(q *trade.Query) bool // whether a page is one query of the store
	narrow func(auth.Principal, *trade.Query) error
}

// List serves the pages of a table, its documents as they are stored.
func List[T any, P store.Record[T]](path, scope string, t *store.Table[T, P]) Route {
	return NarrowedList(path, scope, t, nil)
}

// NarrowedList is List for records of which a caller may see but some: narrow says
// which, or refuses.
func NarrowedList[T any, P store.Record[T]](path, scope string, t *store.Table[T, P], narrow func(auth.Principal, *trade.Query) error) Route {
	record := Of[T]()
	l := listing{
		name: t.Name,
		page: func(v *store.View, _ string, q trade.Query, dst []byte) (store.Page, error) {
			return t.List.Page(v, q, dst)
		},
		single: func(q *trade.Query) bool { return q.Page == 0 && q.Search == "" && t.Joined == nil },
		narrow: narrow,
		params: sync.OnceValue(func() []Param { return tableParams(t, record) }),
	}
	return l.route(path, scope, record)
}

// tableParams are the parameters of the list of a table.
func tableParams[T any, P store.Record[T]](t *store.Table[T, P], record *Type) []Param {
	var status *shape
	for _, name := range []string{"status", "stage"} { // an opportunity calls it stage
		if f := record.shape().field(name); f != nil {
			status = f.shape
		}
	}
	return listParams(&t.List, t.Search != nil, status, record.shape())
}

// ListOf serves pages of rows that op reads, for what is no table of records: op
// is given the id in the path ("" when there is none) and tells whether there
// are more rows. The rows stand in one order, the one that key ascends or
// descends in. name is the list's own, status lists the values that it can be
// filtered by.
func ListOf[T any](path, scope, name string, status []string, op func(v *store.View, id string, q trade.Query) (rows []T, more bool, err error), key func(T) string) Route {
	l := listing{
		name: name,
		page: func(v *store.View, id string, q trade.Query, dst []byte) (p store.Page, err error) {
			var rows []T
			if rows, p.More, err = op(v, id, q); err != nil || len(rows) == 0 {
				p.Docs = dst
				return p, err
			}
			array, err := json.Marshal(rows, json.Deterministic(true))
			if err != nil {
				return p, err
			}
			p.Docs = append(dst, array[1:len(array)-1]...)
			p.Count, p.Last = len(rows), []string{key(rows[len(rows)-1])}
			return p, nil
		},
		single: func(*trade.Query) bool { return false },
		params: sync.OnceValue(func() []Param {
			known := []Param{limitParam(), cursorParam()}
			if status != nil {
				known = append(known, statusParam("rows in this state", status))
			}
			return known
		}),
	}
	return l.route(path, scope, Of[T]())
}

func (l *listing) route(path, scope string, record *Type) Route {
	rt := Route{
		Method: http.MethodGet, Path: path, Scope: scope, status: http.StatusOK, list: true,
		out: record, media: jsonMedia, params: l.params, serve: l.serve,
	}
	return rt.named("list", "List")
}

func (l *listing) serve(c *Call, w http.ResponseWriter, r *http.Request) error {
	q, cursor, err := readQuery(c.given)
	if err != nil {
		return err
	}
	if l.narrow != nil {
		if err := l.narrow(c.Principal, &q); err != nil {
			return err
		}
	}
	sign := cursors{key: c.cursorKey, tenant: c.Principal.Tenant, list: l.name + " " + r.PathValue("id")}
	if cursor != "" {
		if q.After, err = sign.after(&q, cursor); err != nil {
			return err
		}
	}
	buf := c.buffers.get()
	defer c.buffers.put(buf)
	*buf = append(*buf, `{"data":[`...)
	p, err := l.read(c, r, q, buf)
	if err != nil {
		return err
	}
	if p.Cut {
		out := c.output(w, jsonMedia)
		return c.flow(r, out, func() error { return l.parts(c, out, r, q, p, sign, buf) })
	}
	*buf = appendMeta(append(*buf, ']'), &q, &p, sign)
	return c.Send(w, r, store.Reply{Status: http.StatusOK, ContentType: jsonMedia, Body: *buf})
}

// read appends the documents of a page to buf.
func (l *listing) read(c *Call, r *http.Request, q trade.Query, buf *[]byte) (p store.Page, err error) {
	read := c.DB.Read
	if l.single(&q) {
		read = c.DB.Peek
	}
	err = read(r.Context(), c.Who(r), func(v *store.View) (err error) {
		if p, err = l.page(v, r.PathValue("id"), q, *buf); err == nil {
			*buf = p.Docs
		}
		return err
	})
	return p, err
}

// parts sends the page of q, of which buf holds the first part, p, and reads the others on
// the way: large documents are not in memory all at once. Each part is a read of its own,
// so that none is held while the client takes its time.
func (l *listing) parts(c *Call, out *output, r *http.Request, q trade.Query, p store.Page, sign cursors, buf *[]byte) (err error) {
	rest, total := q, p.Total
	for p.Cut {
		if _, err := out.Write(*buf); err != nil {
			return err
		}
		rest.Limit, rest.Page, rest.After = rest.Limit-p.Count, 0, p.Last
		*buf = append((*buf)[:0], ',')
		if p, err = l.read(c, r, rest, buf); err != nil {
			return err
		}
		if p.Count == 0 { // deleted meanwhile
			*buf = (*buf)[:0]
		}
	}
	p.Total = total
	_, err = out.Write(appendMeta(append(*buf, ']'), &q, &p, sign))
	return err
}

// appendMeta ends the body of a list: how large its pages are and where the next
// one begins. total is counted only for who asked by page number.
func appendMeta(b []byte, q *trade.Query, p *store.Page, sign cursors) []byte {
	b = append(b, `,"meta":{"limit":`...)
	b = strconv.AppendInt(b, int64(q.Limit), 10)
	b = append(b, `,"hasMore":`...)
	b = strconv.AppendBool(b, p.More)
	b = append(b, `,"nextCursor":`...)
	if p.More {
		b, _ = jsontext.AppendQuote(b, sign.next(q, p.Last))
	} else {
		b = append(b, "null"...)
	}
	if q.Page > 0 {
		b = append(b, `,"page":`...)
		b = strconv.AppendInt(b, int64(q.Page), 10)
		b = append(b, `,"total":`...)
		b = strconv.AppendInt(b, int64(p.Total), 10)
		b = append(b, `,"totalPages":`...)
		b = strconv.AppendInt(b, int64((p.Total+q.Limit-1)/q.Limit), 10)
	}
	return append(b, "}}"...)
}
