package wire

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// Config is what one interface is served with.
type Config struct {
	DB        *store.DB
	Log       *slog.Logger
	Interface byte   // auth.InterfaceA or auth.InterfaceB
	Base      string // path of the interface, /api or /api/v1
	MaxBody   int64  // bytes a request body may have; 0 is 4 MiB

	// Identify tells who a request comes from, or refuses it with an Unknown
	// (401), a Forbidden or a Malformed; then, if the credentials are somebody's,
	// the Principal says whose, so that the request counts.
	Identify func(*http.Request) (auth.Principal, error)
	// Limit counts a request of an identified caller. It sets the headers that
	// tell the limit, and refuses with a Throttled. nil is no limit.
	Limit func(http.ResponseWriter, *http.Request, auth.Principal) error
}

// defaultMaxBody is how large a body may be unless Config says otherwise.
const defaultMaxBody = 4 << 20

// server is one interface being served: its Config and what its requests share.
type server struct {
	Config
	cursorKey [32]byte
	words     map[string]bool // paths without ids: where one stands beside {id}, it is no id
	buffers   buffers
	gzips     gzips
}

// Mount serves routes on r, each at cfg.Base and its own path. Every GET answers
// HEAD too; OPTIONS and methods that a path does not have are answered by
// MethodNotAllowed.
func Mount(r chi.Router, cfg Config, routes []Route) {
	if cfg.MaxBody == 0 {
		cfg.MaxBody = defaultMaxBody
	}
	s := &server{Config: cfg, cursorKey: cfg.DB.Keys().Derive("cursor"), words: map[string]bool{}}
	for _, rt := range routes {
		s.words[cfg.Base+rt.Path] = rt.ids() == nil
		h := s.handler(&rt)
		r.Method(rt.Method, cfg.Base+rt.Path, h)
		if rt.Method == http.MethodGet {
			r.Method(http.MethodHead, cfg.Base+rt.Path, h)
		}
	}
}

func (s *server) handler(rt *Route) http.HandlerFunc {
	ids, other := rt.ids(), MethodNotAllowed(s.Log)
	return func(w http.ResponseWriter, r *http.Request) {
		if ids != nil && s.words[r.URL.Path] {
			other(w, r)
			return
		}
		if rt.deprecation != "" {
			w.Header().Set("Deprecation", rt.deprecation)
			w.Header().Set("Sunset", rt.sunset)
		}
		c := &Call{server: s, route: rt}
		err := c.admit(w, r, ids)
		if err == nil {
			err = rt.serve(c, w, r)
		}
		if err != nil {
			c.fail(w, r, err)
		}
	}
}

// Call is one request being served.
type Call struct {
	*server
	// Principal is the caller; empty on a public route.
	Principal auth.Principal

	route  *Route
	given  []argument // the parameters of the query
	coding coding
}

// Who is the caller as the store knows them.
func (c *Call) Who(r *http.Request) store.Who {
	addr := r.RemoteAddr
	if i := strings.LastIndexByte(addr, ':'); i >= 0 {
		addr = strings.Trim(addr[:i], "[]")
	}
	p := c.Principal
	return store.Who{Tenant: p.Tenant, Actor: p.Actor(), Credential: cmp.Or(p.Session, p.Key), Request: RequestID(r.Context()), Addr: addr, Interface: c.Interface}
}

// admit decides, before anything of the request is read, whether it may go on:
// who calls, how often, with which right, for whose data; then whether there can
// be such a record and such an answer, and whether all that is asked is known. Whether
// there is a record of an id that may be one the store says.
func (c *Call) admit(w http.ResponseWriter, r *http.Request, ids []string) (err error) {
	repeated := repeatedHeader(r.Header, c.route.public)
	if c.route.public && repeated != nil {
		return repeated
	}
	if !c.route.public {
		p, refused := c.Identify(r)
		if c.Limit != nil && p.Tenant != "" { // a stranger has no budget
			if err := c.Limit(w, r, p); err != nil {
				return err
			}
		}
		if err := cmp.Or(repeated, refused); err != nil { // of credentials given twice nobody knows whose they are
			return err
		}
		c.Principal = p
		if scope := c.route.Scope; scope != "" && !c.Principal.May(scope) {
			return trade.Fail(trade.Forbidden, trade.InsufficientScope, scope)
		}
		if err := c.sameTenant(r); err != nil {
			return err
		}
	}
	for _, name := range ids {
		if !IsID(r.PathValue(name)) {
			return store.NoRecord(c.route.kind(name))
		}
	}
	c.coding = codings(r.Header["Accept-Encoding"])
	if !c.coding.identity && !c.coding.gzip {
		return trade.Fail(trade.Unsupported, trade.NotAcceptable, "identity, gzip")
	}
	if media := c.route.media; media != "" && c.route.formats == nil && !accepts(r.Header["Accept"], media) {
		return trade.Fail(trade.Unsupported, trade.NotAcceptable, media)
	}
	if r.URL.RawQuery == "" {
		return nil
	}
	c.given, err = arguments(r.URL.RawQuery, c.route.known())
	return err
}

// sameTenant refuses a request that names another tenant than the caller's own
// beside its credentials.
func (c *Call) sameTenant(r *http.Request) error {
	named := r.Header["X-Tenant-Id"]
	if strings.Contains(r.URL.RawQuery, "tenantId") {
		named = append(slices.Clone(named), r.URL.Query()["tenantId"]...)
	}
	for _, id := range named {
		switch c.foreign(id) {
		case trade.CrossTenant:
			return trade.Fail(trade.Forbidden, trade.CrossTenant)
		case trade.RecordNotFound:
			return trade.Fail(trade.NotFound, trade.RecordNotFound, trade.Phrase{"account", "hesap"})
		}
	}
	return nil
}

// foreign judges a tenant's id that a request names: "" is the caller's own.
// Interface A says that another one is another's (specification 5); B must not
// tell whether it exists.
func (c *Call) foreign(id string) trade.Code {
	switch {
	case id == c.Principal.Tenant:
		return ""
	case c.Interface == auth.InterfaceA:
		return trade.CrossTenant
	}
	return trade.RecordNotFound
}

// methods are those that paths have, in the order that Allow lists them.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}

// MethodNotAllowed answers a method that the path does not have, known or not,
// with 405 and OPTIONS with 204; both carry one Allow with the methods it has.
// It is the router's handler of that name.
func MethodNotAllowed(log *slog.Logger) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.RawPath // as the router does: what is escaped stays so
		if path == "" {
			path = r.URL.Path
		}
		var allowed []string
		fewest := len(path)
		for _, m := range methods {
			found := chi.NewRouteContext()
			if !chi.RouteContext(r.Context()).Routes.Match(found, m, path) {
				continue
			}
			switch ids := len(found.URLParams.Keys); {
			case ids < fewest: // /x/bulk is no /x/{id}
				allowed, fewest = []string{m}, ids
			case ids == fewest:
				allowed = append(allowed, m)
			}
		}
		allow := strings.Join(append(allowed, "OPTIONS"), ", ")
		switch {
		case allowed == nil:
			Problem(w, r, log, trade.Fail(trade.NotFound, trade.PathNotFound))
		case r.Method == http.MethodOptions:
			w.Header().Set("Allow", allow)
			w.WriteHeader(http.StatusNoContent)
		default:
			w.Header().Set("Allow", allow)
			Problem(w, r, log, trade.Fail(trade.Unsupported, trade.MethodNotAllowed, short(r.Method), allow))
		}
	}
}

// NotFound answers a path that leads nowhere. It is the router's handler of that
// name.
func NotFound(log *slog.Logger) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		Problem(w, r, log, trade.Fail(trade.NotFound, trade.PathNotFound))
	}
}

type requestKey struct{}

// WithRequestID returns a context that carries a request's X-Request-Id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// RequestID is the X-Request-Id that ctx carries, "" when it carries none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}
