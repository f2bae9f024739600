package wire

import (
	"errors"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// mergeMedia is the media type of a merge patch (RFC 7396).
const mergeMedia = "application/merge-patch+json"

// errMoved says that a record has changed since a patch was applied to it.
var errMoved = errors.New("the record has moved on")

// Patch serves a PATCH with a JSON merge patch (RFC 7396): the members given
// replace those of the record as it is, null takes one away, and the outcome goes
// the way of Update. If-Match is asked for as there. A patch may be long: it is applied
// before the change has its turn, in which nobody else can write, and anew when the
// record has moved on by then.
func Patch[T any, P store.Record[T]](path, scope string, t *store.Table[T, P], op func(*store.Tx, string, store.Match, T) (store.Doc, error)) Route {
	in := Of[T]()
	rt := Route{
		Method: http.MethodPatch, Path: path, Scope: scope, status: http.StatusOK,
		in: in, out: in, media: jsonMedia, versioned: true, matched: true, merges: true,
		serve: func(c *Call, w http.ResponseWriter, r *http.Request) error {
			match, err := ifMatch(r.Header["If-Match"], c.Interface == auth.InterfaceA)
			if err != nil {
				return err
			}
			patch, err := c.mergePatch(w, r)
			if err != nil {
				return err
			}
			id := r.PathValue("id")
			var base store.Doc
			read := func(v *store.View) (err error) { base, err = t.Doc(v, id); return err }
			if err := c.DB.Read(r.Context(), c.Who(r), read); err != nil {
				return err
			}
			for {
				rec, faults, err := patched[T](in.shape(), base.JSON, patch, c.foreign)
				if err != nil {
					return err
				}
				err = c.Change(w, r, Sent{Faults: faults}, func(tx *store.Tx) (store.Doc, error) {
					judged := base.Version
					if err := read(&tx.View); err != nil {
						return base, err
					}
					if base.Version != judged {
						return base, errMoved
					}
					return op(tx, id, match, rec)
				})
				if !errors.Is(err, errMoved) {
					return err
				}
			}
		},
	}
	return rt.named("patch", "Change one")
}

// Patched is what a Patch makes of a record, for operations that bring changes by
// another way than a body: the function it returns applies a merge patch to a
// stored record, nil for a new one, and tells which members are wrong.
func Patched[T any]() func(doc, patch []byte) (T, []trade.Fault, error) {
	in := Of[T]()
	return func(doc, patch []byte) (T, []trade.Fault, error) {
		return patched[T](in.shape(), doc, patch, func(string) trade.Code { return trade.UnknownField })
	}
}

func patched[T any](s *shape, doc, patch []byte, foreign tenantRule) (rec T, faults []trade.Fault, err error) {
	whole := jsontext.Value(patch)
	if doc != nil {
		if whole, err = merge(doc, patch); err != nil { // the patch was read before
			return rec, nil, store.Unreadable(err)
		}
	}
	_, faults, err = decode(whole, s, &rec, foreign)
	return rec, faults, err
}

// mergePatch reads the body of a PATCH: any JSON object that is taken.
func (c *Call) mergePatch(w http.ResponseWriter, r *http.Request) (jsontext.Value, error) {
	var body []byte
	if err := c.readBody(w, r, &body, false); err != nil {
		return nil, err
	}
	seen, err := scan(body)
	if err != nil {
		return nil, err
	}
	if body, err = compose(body, seen); err != nil {
		return nil, err
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, syntax(body, err)
	}
	return body, nil
}

// merge is MergePatch of RFC 7396, section 2.
func merge(target, patch jsontext.Value) (jsontext.Value, error) {
	if patch.Kind() != '{' {
		return patch, nil
	}
	whole, changes := map[string]jsontext.Value{}, map[string]jsontext.Value{}
	if target.Kind() == '{' {
		if err := json.Unmarshal(target, &whole); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(patch, &changes); err != nil {
		return nil, err
	}
	for name, change := range changes {
		if change.Kind() == 'n' {
			delete(whole, name)
			continue
		}
		merged, err := merge(whole[name], change)
		if err != nil {
			return nil, err
		}
		whole[name] = merged
	}
	return json.Marshal(whole, json.Deterministic(true))
}
