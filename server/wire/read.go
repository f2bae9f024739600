package wire

import (
	"net/http"

	"esnaf/store"
)

// Read serves one record of a table as it is stored, with its version as ETag.
// Figures joined on it move without the version: then there is no 304.
func Read[T any, P store.Record[T]](path, scope string, t *store.Table[T, P]) Route {
	rt := Route{
		Method: http.MethodGet, Path: path, Scope: scope, status: http.StatusOK,
		out: Of[T](), media: jsonMedia, versioned: true, conditional: t.Joined == nil,
		serve: func(c *Call, w http.ResponseWriter, r *http.Request) (err error) {
			var doc store.Doc
			read := c.DB.Peek
			if t.Joined != nil {
				read = c.DB.Read
			}
			err = read(r.Context(), c.Who(r), func(v *store.View) (err error) {
				doc, err = t.Shown(v, r.PathValue("id"))
				return err
			})
			if err != nil {
				return err
			}
			return c.Doc(w, r, doc)
		},
	}
	return rt.named("read", "Read one")
}

// Doc answers with a stored record, or to a GET with 304 when the caller has
// that version.
func (c *Call) Doc(w http.ResponseWriter, r *http.Request, doc store.Doc) error {
	rep := store.Reply{Status: http.StatusOK, ContentType: jsonMedia, ETag: etag(doc.Version), Body: doc.JSON}
	if c.route.conditional && noneMatch(r.Header["If-None-Match"], rep.ETag) {
		rep = store.Reply{Status: http.StatusNotModified, ETag: rep.ETag}
	}
	return c.Send(w, r, rep)
}

// Renewed is the answer rep with its record as it stands now.
func Renewed(rep store.Reply, doc store.Doc) store.Reply {
	rep.ETag, rep.Body = etag(doc.Version), doc.JSON
	return rep
}
