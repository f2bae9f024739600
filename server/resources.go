package server

import (
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"esnaf/auth"
	"esnaf/server/wire"
	"esnaf/store"
)

// resources is the table of contents of both interfaces.
func (s *Server) resources() []wire.Resource {
	return []wire.Resource{
		s.access(),
		s.tenant(),
		companies(),
		contacts(),
		opportunities(),
		quotes(),
		orders(),
		shipments(),
		products(),
		warehouses(),
		inventory(),
		invoices(),
		bankAccounts(),
		cashAccounts(),
		payments(),
		transfers(),
		taxpayers(),
		s.imports(),
		s.webhooks(),
	}
}

// The bases of the interfaces.
const (
	baseA = "/api"
	baseB = "/api/v1"

	descriptionPath = "/openapi.json" // of each
)

// routes puts every resource on both interfaces and the rest around them.
func (s *Server) routes() http.Handler {
	var a, b []wire.Route
	for _, res := range s.resources() {
		a, b = append(a, res.A...), append(b, res.B...)
	}
	a = append(a, description("esnaf, Interface A", baseA, auth.InterfaceA, a))
	b = append(b, description("esnaf, Interface B", baseB, auth.InterfaceB, b))
	r := chi.NewRouter()
	r.NotFound(wire.NotFound(s.log))
	r.MethodNotAllowed(wire.MethodNotAllowed(s.log))
	for path, h := range map[string]http.HandlerFunc{rootPath: s.root, healthPath: s.healthz, readyPath: s.readyz} {
		r.Get(path, h)
		r.Head(path, h)
	}
	s.docs(r, a)
	wire.Mount(r, wire.Config{DB: s.db, Log: s.log, Interface: auth.InterfaceA, Base: baseA, Identify: s.identifyA, Limit: s.limit}, a)
	wire.Mount(r, wire.Config{DB: s.db, Log: s.log, Interface: auth.InterfaceB, Base: baseB, Identify: s.identifyB, Limit: s.limit}, b)
	return heard(s.around(r), restTime)
}

// description serves the OpenAPI description of an interface, made at the first
// request: a start need not wait for it.
func description(title, base string, iface byte, routes []wire.Route) wire.Route {
	document := sync.OnceValues(func() ([]byte, error) { return wire.Document(title, base, iface, routes) })
	about := wire.Info{Name: "description", Summary: "OpenAPI 3.1 description of this interface", Media: "application/json"}
	return wire.Plain(http.MethodGet, descriptionPath, "", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		body, err := document()
		if err != nil {
			return err
		}
		return c.Send(w, r, store.Reply{Status: http.StatusOK, ContentType: "application/json", Body: body})
	}).Public()
}
