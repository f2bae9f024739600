package server

import (
	"net/http"

	"github.com/go-json-experiment/json"

	"esnaf/auth"
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// access is signing in and out, sessions, and the account's own keys.
func (s *Server) access() wire.Resource {
	return wire.Resource{
		Name: "auth",
		A: []wire.Route{
			s.loginRoute(),
			s.refreshRoute(),
			s.logoutRoute(),
			s.meRoute(),
			sessionsRoute(),
			endSessionRoute(),
			wire.Create("/auth/api-key", "settings:create", createUserKey).Only(signedIn).Gives(wire.Of[userKeyOutput]()).ShowsSecret().
				Named("auth.api-key", "Create a long-lived key that acts for the account's users (MASTER)"),
			userKeysRoute(),
			wire.Delete("/auth/api-keys/{id}", "settings:delete", func(tx *store.Tx, id string, _ store.Match) error { return tx.RevokeUserKey(id) }).
				Named("auth.api-keys.revoke", "Revoke a key"),
		},
	}
}

func (s *Server) loginRoute() wire.Route {
	about := wire.Info{Name: "auth.login", Summary: "Sign in with e-mail and password", In: wire.Of[loginInput](), Out: wire.Of[loginOutput]()}
	return wire.Plain(http.MethodPost, "/auth/login", "", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		in, sent, err := wire.Body[loginInput](c, w, r)
		if err != nil {
			return err
		}
		in.Email = loginEmail(in.Email)
		f := sent.Check()
		f.Required("email", in.Email)
		f.Max("email", in.Email, maxEmail)
		f.Required("password", in.Password)
		f.Max("password", in.Password, auth.MaxPassword)
		if err := f.Err(); err != nil {
			return err
		}
		out, err := s.signIn(r.Context(), in, c.Who(r))
		if err != nil {
			return err
		}
		return c.JSON(w, r, http.StatusOK, out)
	}).Public().Refuses(http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests)
}

func (s *Server) refreshRoute() wire.Route {
	about := wire.Info{
		Name: "auth.refresh", Summary: "Renew a pair of tokens", In: wire.Of[refreshInput](), Out: wire.Of[loginOutput](),
		About: "Each refresh token is used once and gives a new one. For 60 seconds the old one gives the same new one again, so that a lost answer may be asked for once more; after that it ends the session.",
	}
	return wire.Plain(http.MethodPost, "/auth/refresh", "", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		in, sent, err := wire.Body[refreshInput](c, w, r)
		if err != nil {
			return err
		}
		f := sent.Check()
		f.Required("refreshToken", in.RefreshToken)
		if err := f.Err(); err != nil {
			return err
		}
		out, err := s.renew(r.Context(), in, c.Who(r))
		if err != nil {
			return err
		}
		return c.JSON(w, r, http.StatusOK, out)
	}).Public().Refuses(http.StatusUnauthorized)
}

func (s *Server) logoutRoute() wire.Route {
	about := wire.Info{Name: "auth.logout", Summary: "End the session of this access token", In: wire.Of[struct{}](), Status: http.StatusNoContent}
	return wire.Plain(http.MethodPost, "/auth/logout", "", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		_, sent, err := wire.Body[struct{}](c, w, r)
		if err == nil {
			err = sent.Check().Err()
		}
		if err != nil {
			return err
		}
		if c.Principal.Session != "" { // a key has none to end
			err := c.DB.Write(r.Context(), c.Who(r), func(tx *store.Tx) error { return tx.EndSession(c.Principal.User, c.Principal.Session) })
			if err != nil {
				return err
			}
		}
		return c.Send(w, r, store.Reply{Status: http.StatusNoContent})
	})
}

// meOutput is who the caller is and what the caller may do.
type meOutput struct {
	ID       string    `json:"id"`
	Email    string    `json:"email"`
	Name     string    `json:"name"`
	Role     auth.Role `json:"role"`
	TenantID string    `json:"tenantId"`
	Scopes   []string  `json:"scopes"`
}

func (s *Server) meRoute() wire.Route {
	about := wire.Info{Name: "me", Summary: "Read who the caller is", Out: wire.Of[meOutput]()}
	return wire.Plain(http.MethodGet, "/me", "", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		var u store.User
		err := c.DB.Read(r.Context(), c.Who(r), func(v *store.View) (err error) {
			u, err = v.FindUser(c.Principal.User)
			return err
		})
		if err != nil {
			return err
		}
		return c.JSON(w, r, http.StatusOK, meOutput{u.ID, u.Email, u.Name, u.Role, u.Tenant, c.Principal.Scopes.List()})
	})
}

func sessionsRoute() wire.Route {
	about := wire.Info{Name: "auth.sessions.list", Summary: "List the caller's own sessions", Out: wire.Of[List[store.Session]]()}
	return wire.Plain(http.MethodGet, "/auth/sessions", "", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		var out List[store.Session]
		err := c.DB.Read(r.Context(), c.Who(r), func(v *store.View) (err error) {
			out.Data, err = v.Sessions(c.Principal.User)
			return err
		})
		if err != nil {
			return err
		}
		return c.JSON(w, r, http.StatusOK, out)
	}).Only(signedIn).Refuses(http.StatusForbidden)
}

// signedIn refuses a key: whatever its scopes are, the sessions of its user are not its
// business, and it makes no other that could do more, or last longer, than itself.
func signedIn(c *wire.Call) error {
	if c.Principal.Session == "" {
		return trade.Fail(trade.Forbidden, trade.SessionRequired)
	}
	return nil
}

func endSessionRoute() wire.Route {
	about := wire.Info{Name: "auth.sessions.delete", Summary: "End one of the caller's own sessions", Status: http.StatusNoContent}
	return wire.Plain(http.MethodDelete, "/auth/sessions/{id}", "", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		err := c.DB.Write(r.Context(), c.Who(r), func(tx *store.Tx) error { return tx.EndSession(c.Principal.User, r.PathValue("id")) })
		if err != nil {
			return err
		}
		return c.Send(w, r, store.Reply{Status: http.StatusNoContent})
	}).Only(signedIn).Refuses(http.StatusForbidden)
}

// userKeyInput asks for a key of the account.
type userKeyInput struct {
	Name      string        `json:"name" api:"required"`
	Scopes    []string      `json:"scopes,omitempty" doc:"all when absent; the user's role caps them in any case"`
	ExpiresAt trade.Instant `json:"expiresAt,omitzero"`
}

// userKeyOutput is a new key, shown this once.
type userKeyOutput struct {
	Secret string `json:"key" doc:"shown in this answer and never again"`
	store.Key
}

// createUserKey issues a key that acts for the account's users: the user is
// named in X-User-Id with every request.
func createUserKey(tx *store.Tx, in userKeyInput) (store.Doc, error) {
	if err := tx.StillLetIn(); err != nil {
		return store.Doc{}, err
	}
	scopes := auth.AllScopes()
	if in.Scopes != nil && len(in.Scopes) == 0 {
		tx.Check().Add("scopes", trade.Required)
	}
	if len(in.Scopes) > 0 {
		var err error
		if scopes, err = auth.ParseScopes(in.Scopes); err != nil {
			tx.Check().Add("scopes", trade.BadScope, err.Error())
			scopes = auth.AllScopes()
		}
	}
	k, secret, err := tx.CreateKey(store.UserKey, in.Name, scopes, 0, in.ExpiresAt)
	if err != nil {
		return store.Doc{}, err
	}
	body, err := json.Marshal(userKeyOutput{secret, k})
	return store.Doc{JSON: body}, err
}

func userKeysRoute() wire.Route {
	about := wire.Info{Name: "auth.api-keys.list", Summary: "List the account's keys", Out: wire.Of[List[store.Key]]()}
	return wire.Plain(http.MethodGet, "/auth/api-keys", "settings:read", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		var out List[store.Key]
		err := c.DB.Read(r.Context(), c.Who(r), func(v *store.View) (err error) {
			out.Data, err = v.ListKeys(store.UserKey)
			return err
		})
		if err != nil {
			return err
		}
		return c.JSON(w, r, http.StatusOK, out)
	})
}
