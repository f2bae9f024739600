// Package auth answers who is calling and what they may do.
//
// It holds rules and cryptography only: no database, no HTTP and no clock of
// its own. Time comes in as a time.Time or a now function, randomness as an
// io.Reader, so that the same seed and clock give the same answers. Whoever
// calls it reads and writes the rows (users, keys, sessions, failures).
//
// Two interfaces share one set of rules: A (/api, bearer tokens, people with
// roles) and B (/api/v1, x-api-key, programs with scopes).
package auth

import "context"

// The two interfaces a principal can come in by.
const (
	InterfaceA = 'A' // /api, bearer tokens and user-bound keys
	InterfaceB = 'B' // /api/v1, x-api-key
)

// Principal is an authenticated caller. It is made once per request, after the
// credential has been checked, and is never changed afterwards.
type Principal struct {
	Tenant  string // the tenant (kiracı) whose data the caller may touch; never empty
	User    string // user id; on A always set, on B empty
	Key     string // API key id when a key was presented, else empty
	Session string // session id when an access token was presented, else empty

	Role      Role   // the user's role on A; empty on B
	Scopes    Scopes // what the caller may do, already capped by the role
	Interface byte   // InterfaceA or InterfaceB
	Rate      int    // requests a minute that the credential may make, 0 for no limit
}

// Actor is the id that audit rows and idempotency keys are written under: the
// user on A, whatever session or key they came by, and the key on B.
func (p Principal) Actor() string {
	if p.User != "" {
		return p.User
	}
	return p.Key
}

// May reports whether the caller holds a scope such as "invoices:create".
// A scope that does not exist is held by nobody.
func (p Principal) May(scope string) bool { return p.Scopes.Has(scope) }

type contextKey struct{}

// With returns a context that carries the caller.
func With(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// From returns the caller a context carries; false where nobody has been
// identified, and then the principal is empty and may do nothing.
func From(ctx context.Context) (Principal, bool) {
	p, ok := ctx.Value(contextKey{}).(Principal)
	return p, ok
}
