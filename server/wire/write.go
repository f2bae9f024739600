package wire

import (
	"bytes"
	"cmp"
	"net/http"
	"strconv"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// Create serves a POST that makes a record: 201, the record as stored, its
// Location and its version as ETag.
func Create[In any](path, scope string, op func(*store.Tx, In) (store.Doc, error)) Route {
	in := Of[In]()
	rt := Route{
		Method: http.MethodPost, Path: path, Scope: scope, status: http.StatusCreated,
		in: in, out: in, media: jsonMedia, versioned: true,
		serve: func(c *Call, w http.ResponseWriter, r *http.Request) error {
			in, sent, err := Body[In](c, w, r)
			if err != nil {
				return err
			}
			return c.Change(w, r, sent, func(tx *store.Tx) (store.Doc, error) { return op(tx, in) })
		},
	}
	return rt.named("create", "Create one")
}

// Update serves a PUT that replaces what a caller may set of a record. On
// Interface A it must name the version it replaces in If-Match (428 without), on
// B it may.
func Update[In any](path, scope string, op func(*store.Tx, string, store.Match, In) (store.Doc, error)) Route {
	in := Of[In]()
	rt := Route{
		Method: http.MethodPut, Path: path, Scope: scope, status: http.StatusOK,
		in: in, out: in, media: jsonMedia, versioned: true, matched: true,
		serve: func(c *Call, w http.ResponseWriter, r *http.Request) error {
			match, err := ifMatch(r.Header["If-Match"], c.Interface == auth.InterfaceA)
			if err != nil {
				return err
			}
			in, sent, err := Body[In](c, w, r)
			if err != nil {
				return err
			}
			return c.Change(w, r, sent, func(tx *store.Tx) (store.Doc, error) { return op(tx, r.PathValue("id"), match, in) })
		},
	}
	return rt.named("update", "Replace one")
}

// Delete serves a DELETE: 204. An If-Match is heeded, not asked for.
func Delete(path, scope string, op func(*store.Tx, string, store.Match) error) Route {
	rt := Route{
		Method: http.MethodDelete, Path: path, Scope: scope, status: http.StatusNoContent, matched: true,
		serve: func(c *Call, w http.ResponseWriter, r *http.Request) error {
			match, err := ifMatch(r.Header["If-Match"], false)
			if err != nil {
				return err
			}
			err = c.DB.Write(r.Context(), c.Who(r), func(tx *store.Tx) error { return op(tx, r.PathValue("id"), match) })
			if err != nil {
				return err
			}
			return c.Send(w, r, store.Reply{Status: http.StatusNoContent})
		},
	}
	return rt.named("delete", "Delete one")
}

// Action serves a POST that does something to one record, an Out, and answers
// with it as stored. status is that of success. The body is empty or an empty
// object.
func Action[Out any](path, scope string, status int, op func(*store.Tx, string) (store.Doc, error)) Route {
	return ActionWith[struct{}, Out](path, scope, status, func(tx *store.Tx, id string, _ struct{}) (store.Doc, error) { return op(tx, id) })
}

// ActionWith is Action with a body of its own, which may be left out when none of
// its fields is required.
func ActionWith[In, Out any](path, scope string, status int, op func(*store.Tx, string, In) (store.Doc, error)) Route {
	rt := Route{
		Method: http.MethodPost, Path: path, Scope: scope, status: status,
		in: Of[In](), out: Of[Out](), media: jsonMedia, versioned: true, acts: true,
		serve: func(c *Call, w http.ResponseWriter, r *http.Request) error {
			in, sent, err := Body[In](c, w, r)
			if err != nil {
				return err
			}
			return c.Change(w, r, sent, func(tx *store.Tx) (store.Doc, error) { return op(tx, r.PathValue("id"), in) })
		},
	}
	return rt.named("", "")
}

// Change runs a change that its caller may repeat and answers with its record.
func (c *Call) Change(w http.ResponseWriter, r *http.Request, sent Sent, fn func(*store.Tx) (store.Doc, error)) error {
	rep, replayed, err := c.Once(r, sent, fn)
	if err != nil {
		return err
	}
	return c.Reply(w, r, rep, replayed)
}

// Once runs fn as one change. With an Idempotency-Key its answer, or the refusal
// of a state that forbids it, is kept and given to every repeat.
func (c *Call) Once(r *http.Request, sent Sent, fn func(*store.Tx) (store.Doc, error)) (rep store.Reply, replayed bool, err error) {
	return c.DB.WriteOnce(r.Context(), c.Who(r), c.repeat(r, sent), func(tx *store.Tx) (store.Reply, error) {
		doc, err := fn(tx)
		if err != nil {
			return store.Reply{}, err
		}
		return c.reply(r, doc), nil
	})
}

// Part says how one of the parts of a request may be repeated: each is kept for
// itself.
func (c *Call) Part(r *http.Request, sent Sent, part int) store.Once {
	o := c.repeat(r, sent)
	o.Scope += " " + strconv.Itoa(part)
	return o
}

// repeat says how the request may be repeated.
func (c *Call) repeat(r *http.Request, sent Sent) store.Once {
	return store.Once{
		Key: sent.key, Print: sent.print, Faults: sent.Faults,
		Scope: c.Principal.Actor() + " " + r.Method + " " + r.URL.Path,
		Refusal: func(err error) (store.Reply, bool) {
			if trade.KindOf(err) != trade.Conflict {
				return store.Reply{}, false
			}
			return problem(r, told(err)), true
		},
	}
}

// reply is a record as the answer to the change that made or moved it.
func (c *Call) reply(r *http.Request, doc store.Doc) store.Reply {
	rep := store.Reply{Status: c.route.status, ContentType: jsonMedia, Body: doc.JSON, Secret: c.route.secret}
	if doc.Version > 0 {
		rep.ETag = etag(doc.Version)
	}
	if id := idOf(doc.JSON); rep.Status == http.StatusCreated && id != "" {
		rep.Location = cmp.Or(c.place(), r.URL.Path) + "/" + id
	}
	return rep
}

// place is where the records that the route makes are, "" for under its own path.
func (c *Call) place() string {
	if c.route.at == "" {
		return ""
	}
	return c.Base + c.route.at
}

// idOf finds the id of a stored record, which begins with it.
func idOf(doc []byte) string {
	rest, ok := bytes.CutPrefix(doc, []byte(`{"id":"`))
	if end := bytes.IndexByte(rest, '"'); ok && end > 0 {
		return string(rest[:end])
	}
	return ""
}

// Reply sends the answer that Once gave.
func (c *Call) Reply(w http.ResponseWriter, r *http.Request, rep store.Reply, replayed bool) error {
	if replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	return c.Send(w, r, rep)
}
