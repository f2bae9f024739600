package wire

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// maxBulk is how many records one request may make.
const maxBulk = 500

// bulkInput is the body of a bulk request.
type bulkInput[T any] struct {
	Items []T `json:"items" api:"required" doc:"at most 500 records, each as it would be sent alone"`
}

// bulkOutput tells what became of each item, in their order.
type bulkOutput[T any] struct {
	Results []bulkResult[T] `json:"results"`
}

type bulkResult[T any] struct {
	Status  int            `json:"status" doc:"that the item would have got alone: 201 when it was made"`
	Record  *T             `json:"record,omitempty" doc:"as stored"`
	Problem jsontext.Value `json:"problem,omitempty" doc:"why there is no record: the body that the item would have got alone"`
}

// Bulk serves a POST that makes many records, each for itself: 200 with one result
// for each item. One that is refused leaves the others alone. A repeat with the
// same Idempotency-Key makes what an interrupted request had not made yet, and
// nothing twice.
func Bulk[T any](path, scope string, op func(*store.Tx, T) (store.Doc, error)) Route {
	return NarrowedBulk(path, scope, func(auth.Principal, *T) error { return nil }, op)
}

// NarrowedBulk is Bulk for records of which a caller may make but some: may says
// which. One that the caller may not make is refused alone, before it is looked up
// as a repeat.
func NarrowedBulk[T any](path, scope string, may func(auth.Principal, *T) error, op func(*store.Tx, T) (store.Doc, error)) Route {
	rt := Route{
		Method: http.MethodPost, Path: path, Scope: scope, status: http.StatusOK,
		in: Of[bulkInput[T]](), out: Of[bulkOutput[T]](), media: jsonMedia,
		serve: func(c *Call, w http.ResponseWriter, r *http.Request) error {
			in, sent, err := Body[bulkInput[T]](c, w, r)
			if err != nil {
				return err
			}
			list, err := c.items(r, sent, in.Items == nil, len(in.Items))
			if err != nil {
				return err
			}
			refused := make([]error, len(in.Items))
			for i := range refused {
				refused[i] = may(c.Principal, &in.Items[i])
			}
			out := c.DB.WriteEach(r.Context(), c.Who(r), list, func(tx *store.Tx, i int) (store.Reply, error) {
				if refused[i] != nil {
					return store.Reply{}, refused[i]
				}
				doc, err := op(tx, in.Items[i])
				return store.Reply{Status: http.StatusCreated, Body: doc.JSON}, err
			})
			if len(out) > 0 && out[0].Err != nil {
				if code := told(out[0].Err).Code; code == trade.KeyReused || code == trade.KeyInProgress {
					return out[0].Err
				}
			}
			for i, err := range refused {
				if err != nil { // whatever it was before the caller lost the scope
					out[i] = store.Outcome{Err: err}
				}
			}
			return c.results(w, r, out)
		},
	}
	words := rt.segments()
	rt = rt.Named(strings.Join(words, "."), "Create many "+words[len(words)-2])
	rt.about = "Makes at most 500 records, in a body of at most 4 MiB, each for itself, and answers with one result for each."
	return rt
}

// items shares out what came with the body among its n items: each has its own
// faults and repeats for itself. What is wrong with the request itself is its error.
func (c *Call) items(r *http.Request, sent Sent, absent bool, n int) ([]store.Once, error) {
	whole := trade.Check{}
	if absent && len(sent.Faults) == 0 {
		whole.Add("items", trade.Required)
	}
	if n > maxBulk {
		whole.Add("items", trade.TooMany, maxBulk)
	}
	list := make([]store.Once, n)
	for i := range list {
		list[i] = c.Part(r, Sent{key: sent.key, print: sent.print}, i)
	}
	for _, f := range sent.Faults {
		i, field := itemOf(f.Field)
		if i < 0 || i >= n {
			whole.AddFault(f)
			continue
		}
		f.Field = field
		list[i].Faults = append(list[i].Faults, f)
	}
	return list, whole.Err()
}

// itemOf takes items[3].name apart into 3 and name; -1 when the field is none of an
// item's.
func itemOf(path string) (i int, field string) {
	rest, ok := strings.CutPrefix(path, "items[")
	number, field, closed := strings.Cut(rest, "]")
	i, err := strconv.Atoi(number)
	if !ok || !closed || err != nil || field == "" {
		return -1, path
	}
	return i, strings.TrimPrefix(field, ".")
}

// results answers with what became of each item.
func (c *Call) results(w http.ResponseWriter, r *http.Request, out []store.Outcome) error {
	body, replayed := append(make([]byte, 0, 1024*len(out)), `{"results":[`...), len(out) > 0
	logged := trade.Code("")
	for i, o := range out {
		if o.Err != nil {
			e := told(o.Err)
			// A disk that is full fails the items after it as well: once is enough.
			if broken(e) && (e.Code == trade.Internal || e.Code != logged) {
				logged = e.Code
				c.Log.ErrorContext(r.Context(), "item failed", "request", RequestID(r.Context()), "item", i, "error", o.Err)
			}
			o.Reply = problem(r, e)
		}
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, `{"status":`...)
		body = strconv.AppendInt(body, int64(o.Status), 10)
		member := `,"problem":`
		if o.Status == http.StatusCreated {
			member = `,"record":`
		}
		body = append(append(append(body, member...), o.Body...), '}')
		replayed = replayed && o.Replayed
	}
	rep := store.Reply{Status: http.StatusOK, ContentType: jsonMedia, Body: append(body, "]}"...)}
	return c.Reply(w, r, rep, replayed)
}
