package wire

import (
	"net/http"
	"slices"

	"esnaf/store"
)

// Ops are what can be done with the records of a table.
type Ops[T any, P store.Record[T]] struct {
	Table  *store.Table[T, P]
	Create func(*store.Tx, T) (store.Doc, error)
	Update func(*store.Tx, string, store.Match, T) (store.Doc, error)
	Delete func(*store.Tx, string, store.Match) error
}

// KeyRequired are routes of which none creates without Idempotency-Key (400).
func KeyRequired(routes []Route) []Route {
	routes = slices.Clone(routes)
	for i := range routes {
		routes[i].keyRequired = routes[i].Method == http.MethodPost
	}
	return routes
}

// Records are the routes that every kind of record has, under path and by the
// scopes of resource: list, export, create one or many, read, replace, patch and
// delete.
func Records[T any, P store.Record[T]](path, resource string, ops Ops[T, P]) []Route {
	one, tells := path+"/{id}", ops.Table.Tells
	return []Route{
		List(path, resource+":read", ops.Table),
		Export(path+"/export", resource+":export", ops.Table),
		Create(path, resource+":create", ops.Create).Emits(tells.Created),
		Bulk(path+"/bulk", resource+":create", ops.Create).Emits(tells.Created),
		Read(one, resource+":read", ops.Table),
		Update(one, resource+":update", ops.Update).Emits(tells.Updated),
		Patch(one, resource+":update", ops.Table, ops.Update).Emits(tells.Updated),
		Delete(one, resource+":delete", ops.Delete).Emits(tells.Deleted),
	}
}
