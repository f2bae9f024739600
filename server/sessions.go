package server

import (
	"context"
	"errors"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// loginInput is what a person signs in with.
type loginInput struct {
	Email    string `json:"email" api:"required" doc:"case and outer spaces do not matter"`
	Password string `json:"password" api:"required"`
	TenantID string `json:"tenantId,omitempty" doc:"needed by who belongs to several accounts"`
}

// loginOutput is a pair of tokens and whom they stand for.
type loginOutput struct {
	AccessToken      string     `json:"accessToken"`
	TokenType        string     `json:"tokenType"`
	ExpiresIn        int        `json:"expiresIn" doc:"seconds"`
	RefreshToken     string     `json:"refreshToken" doc:"good for one use; keep the new one of each answer"`
	RefreshExpiresIn int        `json:"refreshExpiresIn" doc:"seconds"`
	TenantID         string     `json:"tenantId"`
	User             userOutput `json:"user"`
}

// userOutput is a person as seen by itself.
type userOutput struct {
	ID    string    `json:"id"`
	Email string    `json:"email"`
	Name  string    `json:"name"`
	Role  auth.Role `json:"role"`
}

// refreshInput is a refresh token.
type refreshInput struct {
	RefreshToken string `json:"refreshToken" api:"required"`
}

// signIn checks e-mail (as loginEmail gives it) and password and opens a session. An unknown address, a
// wrong password and a disabled user are told apart by nobody: same answer, same
// work. Failures are counted by address and e-mail and slow the next try.
func (s *Server) signIn(ctx context.Context, in loginInput, who store.Who) (out loginOutput, err error) {
	guess := auth.Guesser(in.Email, who.Addr)
	throttle, err := s.db.LoginThrottle(ctx, guess)
	if err != nil {
		return out, err
	}
	if wait := throttle.RetryAfter(s.db.Clock().Now()); wait > 0 {
		return out, trade.Later(trade.Throttled, trade.TooManyAttempts, wait)
	}
	account, found, err := s.db.FindAccount(ctx, in.Email)
	if err != nil {
		return out, err
	}
	good, err := s.samePassword(ctx, who.Addr, in.Password, account, found)
	if err != nil {
		return out, err
	}
	good = good && !account.Disabled && len(account.Members) > 0
	wait, err := s.db.LoginTried(ctx, guess, good)
	switch {
	case err != nil:
		return out, err
	case wait > 0:
		return out, trade.Later(trade.Throttled, trade.TooManyAttempts, wait)
	case !good:
		return out, trade.Fail(trade.Unknown, trade.BadLogin)
	}
	member, err := chooseMember(account.Members, in.TenantID)
	if err != nil {
		return out, err
	}
	return s.openSession(ctx, who, account, member)
}

// samePassword takes as long for nobody as for somebody, and as long a queue.
func (s *Server) samePassword(ctx context.Context, addr, password string, a store.Account, found bool) (bool, error) {
	leave, err := s.queue.enter(addr)
	if err != nil {
		return false, err
	}
	defer leave()
	if !found {
		err := s.passwords.VerifyNothing(ctx, password)
		return false, ignoreLong(err)
	}
	good, err := s.passwords.Verify(ctx, password, a.Password)
	return good, ignoreLong(err)
}

// ignoreLong takes a password over the limit for what it is: a wrong one.
func ignoreLong(err error) error {
	if errors.Is(err, auth.ErrPasswordLong) {
		return nil
	}
	return err
}

// chooseMember is the account a person signs in to.
func chooseMember(members []store.Member, tenant string) (store.Member, error) {
	if tenant == "" && len(members) == 1 {
		return members[0], nil
	}
	type choice struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	var choices []choice
	for _, m := range members {
		if m.Tenant == tenant {
			return m, nil
		}
		choices = append(choices, choice{m.Tenant, m.Name})
	}
	if tenant != "" {
		e := trade.Fail(trade.Forbidden, trade.CrossTenant)
		e.Faults = []trade.Fault{{Field: "tenantId", Code: trade.CrossTenant}}
		return store.Member{}, e
	}
	return store.Member{}, trade.Fail(trade.Conflict, trade.TenantRequired).With("tenants", choices)
}

func (s *Server) openSession(ctx context.Context, who store.Who, a store.Account, m store.Member) (out loginOutput, err error) {
	refresh, err := auth.NewRefreshToken(s.db.IDs())
	if err != nil {
		return out, err
	}
	who.Tenant, who.Actor = m.Tenant, a.ID
	var session store.Session
	err = s.db.Write(ctx, who, func(tx *store.Tx) (err error) {
		session, err = tx.OpenSession(a.ID, a.Password, auth.HashToken(refresh))
		return err
	})
	if err != nil {
		return out, err
	}
	l := store.Login{ID: session.ID, User: a.ID, Tenant: m.Tenant, Role: m.Role, ExpiresAt: session.ExpiresAt.Time()}
	return s.pair(l, userOutput{a.ID, a.Email, a.Name, m.Role}, refresh)
}

// pair issues the access token that goes with a refresh token.
func (s *Server) pair(l store.Login, u userOutput, refresh string) (out loginOutput, err error) {
	now := s.db.Clock().Now()
	access, expires, err := s.tokens.Issue(auth.Claims{
		User: l.User, Tenant: l.Tenant, Session: l.ID, ID: s.db.IDs().New("tok", now), Role: l.Role, Scopes: l.Role.Scopes(),
	})
	return loginOutput{
		AccessToken: access, TokenType: "Bearer", ExpiresIn: int(expires.Sub(now).Round(1e9).Seconds()),
		RefreshToken: refresh, RefreshExpiresIn: int(l.ExpiresAt.Sub(now).Seconds()), TenantID: l.Tenant, User: u,
	}, err
}

// renew gives a new pair for a refresh token. A token used long before has ended
// its session, and that is committed although the answer is a refusal.
func (s *Server) renew(ctx context.Context, in refreshInput, who store.Who) (out loginOutput, err error) {
	fresh, err := auth.NewRefreshToken(s.db.IDs())
	if err != nil {
		return out, err
	}
	var r store.Refreshed
	who.Actor = "refresh"
	err = s.db.Write(ctx, who, func(tx *store.Tx) (err error) {
		r, err = tx.Refresh(auth.HashToken(in.RefreshToken), fresh)
		return err
	})
	if err != nil {
		return out, err
	}
	if r.Reused {
		return out, trade.Fail(trade.Unknown, trade.TokenReused)
	}
	l, err := s.db.FindLogin(ctx, r.Session)
	if err != nil {
		return out, err
	}
	var u store.User
	err = s.db.Read(ctx, store.Who{Tenant: l.Tenant, Actor: l.User}, func(v *store.View) (err error) {
		u, err = v.FindUser(l.User)
		return err
	})
	if err != nil {
		return out, err
	}
	return s.pair(l, userOutput{u.ID, u.Email, u.Name, u.Role}, r.Token)
}
