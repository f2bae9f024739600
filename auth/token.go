package auth

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	// DefaultAccessTTL is how long an access token lives unless configured.
	DefaultAccessTTL = 15 * time.Minute

	// tokenLeeway is how far the clocks of two machines may differ.
	tokenLeeway = 30 * time.Second

	// maxToken is the longest token looked at, in bytes; ours have about 500.
	maxToken = 8 << 10

	// typeAccess is the typ claim; another kind of token is not an access token.
	typeAccess = "access"
)

// ErrToken is the one answer to every token that is not good. Callers are not
// told what was wrong with it; the wrapped text is for the log.
var ErrToken = errors.New("access token refused")

// Tokens issues and verifies the access tokens (JWT) of Interface A. It is safe
// for concurrent use.
type Tokens struct {
	issuer, audience string
	ttl              time.Duration
	now              func() time.Time
	parser           *jwt.Parser
	trust            atomic.Pointer[trust]
}

// trust is a keyring together with the tokens that were verified by it, so that
// nothing verified by an older keyring survives its end.
type trust struct {
	keys     *Keyring
	verified *verified
}

// NewTokens makes tokens in the name of issuer for audience, living ttl by the
// clock now.
func NewTokens(issuer, audience string, ttl time.Duration, now func() time.Time, keys *Keyring) *Tokens {
	t := &Tokens{issuer: issuer, audience: audience, ttl: ttl, now: now}
	// HS256 alone: without the pin a token could choose "none", or have a public
	// key taken for a secret.
	t.parser = jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithStrictDecoding(),
		jwt.WithTimeFunc(now),
		jwt.WithLeeway(tokenLeeway),
		jwt.WithIssuedAt(),
		jwt.WithNotBeforeRequired(),
		jwt.WithExpirationRequired(),
		jwt.WithIssuer(issuer),
		jwt.WithAudience(audience),
	)
	t.Use(keys)
	return t
}

// Use puts another keyring in place, from the next token on.
func (t *Tokens) Use(keys *Keyring) {
	t.trust.Store(&trust{keys: keys, verified: newVerified()})
}

// Issue signs a token for c, setting its IssuedAt and Expires (whole seconds).
// User, Tenant, Session, ID and Role must be there: without one of them it is
// an error, since Verify would refuse the token.
func (t *Tokens) Issue(c Claims) (token string, expires time.Time, err error) {
	now := t.now().Truncate(time.Second)
	c.IssuedAt, c.Expires = now, now.Add(t.ttl).Truncate(time.Second)
	w := wireClaims{
		Issuer: t.issuer, Audience: jwt.ClaimStrings{t.audience}, Type: typeAccess,
		Subject: c.User, Tenant: c.Tenant, Role: string(c.Role), Scope: c.Scopes.String(),
		ID: c.ID, Session: c.Session,
		IssuedAt: c.IssuedAt.Unix(), NotBefore: c.IssuedAt.Unix(), Expires: c.Expires.Unix(),
	}
	if err := w.Validate(); err != nil {
		return "", time.Time{}, fmt.Errorf("issuing an access token: %w", err)
	}
	key := t.trust.Load().keys.signing[0]
	unsigned := jwt.NewWithClaims(jwt.SigningMethodHS256, w)
	unsigned.Header["kid"] = key.kid
	token, err = unsigned.SignedString(key.key)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("signing an access token: %w", err)
	}
	return token, c.Expires, nil
}

// Verify checks a token and returns what it says. Every fault is ErrToken. The
// session it names may have ended since: that is for the caller to look up.
func (t *Tokens) Verify(token string) (Claims, error) {
	if !tokenShape(token) {
		return Claims{}, fmt.Errorf("%w: not three parts of base64url", ErrToken)
	}
	trust := t.trust.Load()
	var buf [1024]byte // holds our tokens without an allocation
	sum := sha256.Sum256(append(buf[:0], token...))
	if c, ok := trust.verified.get(sum, t.now()); ok {
		return c, nil
	}
	var w wireClaims
	if _, err := t.parser.ParseWithClaims(token, &w, trust.key); err != nil {
		return Claims{}, fmt.Errorf("%w: %w", ErrToken, err)
	}
	c, err := w.claims()
	if err != nil {
		return Claims{}, fmt.Errorf("%w: %w", ErrToken, err)
	}
	trust.verified.put(sum, c)
	return c, nil
}

// key finds the signing key a token names. Its header must be exactly the one
// Issue writes: whoever adds jku, jwk, x5u or crit wants something else trusted.
func (t *trust) key(token *jwt.Token) (any, error) {
	kid, _ := token.Header["kid"].(string)
	if len(token.Header) != 3 || token.Header["typ"] != "JWT" {
		return nil, errors.New("header is not one of ours")
	}
	for _, k := range t.keys.signing {
		if k.kid == kid {
			return k.key, nil
		}
	}
	return nil, errors.New("unknown kid")
}

// tokenShape reports whether a text is three non-empty parts of base64url. It
// comes before any decoding, so a megabyte or a hundred thousand dots cost
// nothing; and since Go's decoder skips line breaks, it alone keeps one token
// from having several spellings.
func tokenShape(s string) bool {
	if len(s) > maxToken || strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".") || strings.Contains(s, "..") {
		return false
	}
	dots := 0
	for _, c := range []byte(s) {
		switch {
		case c == '.':
			dots++
		case !alphanumeric(c) && c != '-' && c != '_':
			return false
		}
	}
	return dots == 2
}
