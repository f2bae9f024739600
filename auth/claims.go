package auth

import (
	"errors"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Claims is what an access token says.
type Claims struct {
	User    string // sub
	Tenant  string // tenantId
	Session string // sid: the login it belongs to, so that logout can end it
	ID      string // jti, unique per token
	Role    Role   // at the time of issue
	Scopes  Scopes // scope

	IssuedAt, Expires time.Time // iat (and nbf), exp; whole seconds, UTC
}

// wireClaims is the JSON of a token. The times are plain integers on purpose:
// jwt.NumericDate would take a quoted number, a fraction or 1e99 too.
type wireClaims struct {
	Issuer    string           `json:"iss"`
	Subject   string           `json:"sub"`
	Audience  jwt.ClaimStrings `json:"aud"`
	Tenant    string           `json:"tenantId"`
	Role      string           `json:"role"`
	Scope     string           `json:"scope"` // as Scopes.String has it
	ID        string           `json:"jti"`
	Session   string           `json:"sid"`
	IssuedAt  int64            `json:"iat"`
	NotBefore int64            `json:"nbf"`
	Expires   int64            `json:"exp"`
	Type      string           `json:"typ"`
}

// maxUnix is the end of the year 9999: later times overflow in arithmetic.
const maxUnix = 253402300799

// Validate checks what the library does not; the library calls it after the
// signature, time, issuer and audience have been found good.
func (w wireClaims) Validate() error {
	switch {
	case w.Type != typeAccess:
		return errors.New("typ is not access")
	case w.Subject == "", w.Tenant == "", w.ID == "", w.Session == "":
		return errors.New("sub, tenantId, jti or sid is missing")
	case w.IssuedAt <= 0, w.NotBefore <= 0, w.Expires > maxUnix:
		return errors.New("iat or nbf is missing, or exp is too far off")
	}
	_, err := ParseRole(w.Role)
	return err
}

// claims turns the JSON form into the one callers use.
func (w wireClaims) claims() (Claims, error) {
	scopes, err := ParseScopes(strings.Fields(w.Scope))
	if err != nil {
		return Claims{}, err
	}
	return Claims{
		User: w.Subject, Tenant: w.Tenant, Session: w.Session, ID: w.ID,
		Role: Role(w.Role), Scopes: scopes,
		IssuedAt: time.Unix(max(w.IssuedAt, w.NotBefore), 0).UTC(),
		Expires:  time.Unix(w.Expires, 0).UTC(),
	}, nil
}

// The getters below are jwt.Claims; a time of 0 counts as absent.

func (w wireClaims) GetExpirationTime() (*jwt.NumericDate, error) { return numericDate(w.Expires), nil }

func (w wireClaims) GetIssuedAt() (*jwt.NumericDate, error) { return numericDate(w.IssuedAt), nil }

func (w wireClaims) GetNotBefore() (*jwt.NumericDate, error) { return numericDate(w.NotBefore), nil }
func (w wireClaims) GetIssuer() (string, error)              { return w.Issuer, nil }
func (w wireClaims) GetSubject() (string, error)             { return w.Subject, nil }
func (w wireClaims) GetAudience() (jwt.ClaimStrings, error)  { return w.Audience, nil }

func numericDate(unix int64) *jwt.NumericDate {
	if unix == 0 {
		return nil
	}
	return jwt.NewNumericDate(time.Unix(unix, 0))
}
