package server

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"esnaf/auth"
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// errNobody is the one answer to every credential that is missing or wrong: it
// does not tell which part was wrong.
var errNobody = trade.Fail(trade.Unknown, trade.NoCredentials)

// identifyA tells who calls Interface A: the bearer of an access token whose
// session lives, or of an account's key that acts for one of its users.
func (s *Server) identifyA(r *http.Request) (auth.Principal, error) {
	token, ok := bearer(r)
	if !ok {
		return auth.Principal{}, errNobody
	}
	if strings.HasPrefix(token, auth.KeyUser) {
		return s.userOfKey(r, token)
	}
	claims, err := s.tokens.Verify(token)
	if err != nil {
		return auth.Principal{}, errNobody
	}
	l, err := s.db.FindLogin(r.Context(), claims.Session)
	if err != nil {
		return auth.Principal{}, err
	}
	if !l.Alive || l.Tenant != claims.Tenant || l.User != claims.User {
		return auth.Principal{}, errNobody
	}
	p := auth.Principal{Tenant: l.Tenant, User: l.User, Session: l.ID, Role: l.Role, Scopes: l.Role.Scopes(), Interface: auth.InterfaceA, Rate: s.rateOf(r, l.Tenant)}
	return p, nil
}

// bearer is the token of the Authorization header. A token in the query string
// would end up in logs and is not looked for.
func bearer(r *http.Request) (string, bool) {
	h := r.Header["Authorization"]
	if len(h) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(h[0], " ")
	return token, ok && strings.EqualFold(scheme, "bearer")
}

// userOfKey is the user that a request with an account's key acts for. The key
// alone is not enough (specification 5, A 2): X-User-Id names a user, whose role
// caps what the key may do. Of a request that is refused for its user the key is told
// all the same, so that it counts.
func (s *Server) userOfKey(r *http.Request, token string) (auth.Principal, error) {
	k, err := s.key(r.Context(), token, store.UserKey)
	if err != nil {
		return auth.Principal{}, err
	}
	p := auth.Principal{Tenant: k.Tenant, Key: k.ID, Interface: auth.InterfaceA, Rate: s.rateOf(r, k.Tenant)}
	user := r.Header.Get("X-User-Id")
	if user == "" {
		return p, trade.Fail(trade.Forbidden, trade.UserRequired)
	}
	if !strings.HasPrefix(user, "usr_") || !wire.IsID(user) {
		return p, trade.Fail(trade.Malformed, trade.BadRequest, trade.Phrase{"X-User-Id must be the id of a user, usr_...", "X-User-Id, usr_... biçiminde bir kullanıcı kimliği olmalı"})
	}
	m, err := s.db.FindMember(r.Context(), user, k.Tenant)
	if err != nil {
		return p, err
	}
	if m.Tenant == "" {
		return p, trade.Fail(trade.Forbidden, trade.CrossTenant)
	}
	if !m.Alive {
		return p, trade.Fail(trade.Forbidden, trade.UserRequired)
	}
	p.User, p.Role, p.Scopes = m.User, m.Role, k.Scopes.Intersect(m.Role.Scopes())
	return p, nil
}

// identifyB tells whose key a call of Interface B carries.
func (s *Server) identifyB(r *http.Request) (auth.Principal, error) {
	h := r.Header["X-Api-Key"]
	if len(h) != 1 {
		return auth.Principal{}, errNobody
	}
	k, err := s.key(r.Context(), h[0], store.LiveKey)
	if err != nil {
		return auth.Principal{}, err
	}
	return auth.Principal{Tenant: k.Tenant, Key: k.ID, Scopes: k.Scopes, Interface: auth.InterfaceB, Rate: k.Rate}, nil
}

// key finds a live key. One whose checksum is wrong is refused without a look-up.
func (s *Server) key(ctx context.Context, text string, kind store.KeyKind) (store.Key, error) {
	if !auth.ValidKeyShape(text) {
		return store.Key{}, errNobody
	}
	k, err := s.db.FindKey(ctx, auth.HashKey(text))
	if err != nil {
		return k, err
	}
	if k.Kind != kind || !k.Alive(s.db.Clock().Now()) {
		return k, errNobody
	}
	s.db.KeyUsed(k.ID)
	return k, nil
}

// rateOf is what the account's plan allows Interface A in a minute.
func (s *Server) rateOf(r *http.Request, tenant string) int {
	perMinute, _ := auth.PlanLimit(string(s.db.Plan(r.Context(), tenant)))
	return perMinute
}

// limit takes one request from the caller's budget, the account's on A and the
// key's own on B (DECISIONS 13), and says on every answer what is left.
func (s *Server) limit(w http.ResponseWriter, _ *http.Request, p auth.Principal) error {
	name := p.Tenant
	if p.Interface == auth.InterfaceB {
		name = p.Key
	}
	d := s.limits.Take(name, p.Rate, s.db.Clock().Now())
	tell(w.Header(), d)
	if d.OK {
		return nil
	}
	return trade.Later(trade.Throttled, trade.RateLimited, d.RetryAfter)
}

// tell writes the budget twice: as the headers of the specification, and as the
// structured fields of the IETF draft.
func tell(h http.Header, d auth.Decision) {
	limit, left, reset := strconv.Itoa(d.Limit), strconv.Itoa(d.Remaining), strconv.Itoa(d.Reset)
	h["X-Ratelimit-Limit"] = []string{limit}
	h["X-Ratelimit-Remaining"] = []string{left}
	h["X-Ratelimit-Reset"] = []string{reset}
	h["Ratelimit-Policy"] = []string{`"default";q=` + limit + ";w=60"}
	h["Ratelimit"] = []string{`"default";r=` + left + ";t=" + reset}
}
