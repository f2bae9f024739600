package store

import (
	"context"
	"time"

	"esnaf/auth"
	"esnaf/store/trade"
)

// How long a login lasts: 30 days from its last use, 90 days in all; a used
// refresh token gives its successor again for a minute, since an answer may get
// lost on its way.
const (
	sessionIdle  = 30 * 24 * time.Hour
	sessionLife  = 90 * 24 * time.Hour
	refreshGrace = time.Minute
)

// Login is a session as every request of it needs it.
type Login struct {
	ID, User, Tenant string
	Role             auth.Role
	Alive            bool // not revoked, not over, its user not disabled
	ExpiresAt        time.Time
}

// Session is a login as its user sees it.
type Session struct {
	ID        string        `json:"id"`
	Addr      string        `json:"address"`
	CreatedAt trade.Instant `json:"createdAt"`
	ExpiresAt trade.Instant `json:"expiresAt"`
}

// OpenSession begins a session of a member with its first refresh token. The member
// still has the password (its hash) that was verified, and is not shut out: checking
// a password takes long, and a change of it ends the sessions of its time. It also
// forgets some sessions whose time is over, so that their number stays bounded.
func (tx *Tx) OpenSession(user, password string, token [32]byte) (Session, error) {
	var one int
	err := tx.row("SELECT 1 FROM users u JOIN members m ON m.user = u.id WHERE u.id = ? AND u.password = ? AND u.disabled_at IS NULL AND m.tenant = ?", user, password, tx.who.Tenant).Scan(&one)
	if noRows(err) {
		err = trade.Fail(trade.Unknown, trade.BadLogin)
	}
	if err != nil {
		return Session{}, err
	}
	s := Session{ID: tx.db.ids.New("ses", tx.now), Addr: tx.who.Addr, CreatedAt: trade.At(tx.now), ExpiresAt: trade.At(tx.now.Add(sessionIdle))}
	_, err = tx.exec("INSERT INTO sessions (id, user, tenant, addr, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
		s.ID, user, tx.who.Tenant, s.Addr, int64(s.CreatedAt), int64(s.ExpiresAt))
	if err != nil {
		return s, err
	}
	if err := tx.addToken(token, s.ID); err != nil {
		return s, err
	}
	for _, text := range []string{
		"DELETE FROM refresh_tokens WHERE session IN (SELECT id FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT 3)",
		"DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT 3)",
	} {
		if _, err := tx.exec(text, int64(s.CreatedAt)); err != nil {
			return s, err
		}
	}
	return s, tx.audit("session.open", s.ID, "")
}

func (tx *Tx) addToken(token [32]byte, session string) error {
	_, err := tx.exec("INSERT INTO refresh_tokens (hash, session) VALUES (?, ?)", token[:], session)
	return err
}

// Refreshed is the outcome of showing a refresh token.
type Refreshed struct {
	Session string
	Token   string // the successor
	Reused  bool   // it was used long ago: its session is revoked now
}

// Refresh takes a refresh token and gives its successor: fresh, or, within a
// minute of the first use, the same one again. A token used before that ends its
// session, for it must have been stolen from someone.
func (tx *Tx) Refresh(old [32]byte, fresh string) (r Refreshed, err error) {
	var used, created int64
	var sealed []byte
	var tenant string
	err = tx.row(`SELECT t.session, coalesce(t.used_at, 0), coalesce(t.successor, x''), s.tenant, s.created_at FROM refresh_tokens t
		JOIN sessions s ON s.id = t.session JOIN users u ON u.id = s.user
		WHERE t.hash = ? AND s.revoked_at IS NULL AND s.expires_at > ? AND u.disabled_at IS NULL`, old[:], int64(trade.At(tx.now))).
		Scan(&r.Session, &used, &sealed, &tenant, &created)
	if noRows(err) {
		return r, trade.Fail(trade.Unknown, trade.NoCredentials)
	}
	if err == nil {
		err = tx.become(tenant)
	}
	if err != nil {
		return r, err
	}
	switch {
	case used == 0:
		r.Token = fresh
		return r, tx.rotate(old, r, time.UnixMilli(created))
	case tx.now.Sub(time.UnixMilli(used)) <= refreshGrace:
		plain, err := tx.db.open(sealed, r.Session)
		r.Token = string(plain)
		return r, err
	}
	r.Reused = true
	if err := tx.endSessions("id = ?", r.Session); err != nil {
		return r, err
	}
	return r, tx.audit("session.reused_token", r.Session, "")
}

func (tx *Tx) rotate(old [32]byte, r Refreshed, created time.Time) error {
	sealed, err := tx.db.seal([]byte(r.Token), r.Session)
	if err != nil {
		return err
	}
	if _, err := tx.exec("UPDATE refresh_tokens SET used_at = ?, successor = ? WHERE hash = ?", int64(trade.At(tx.now)), sealed, old[:]); err != nil {
		return err
	}
	if err := tx.addToken(auth.HashToken(r.Token), r.Session); err != nil {
		return err
	}
	ends := tx.now.Add(sessionIdle)
	if last := created.Add(sessionLife); ends.After(last) {
		ends = last
	}
	_, err = tx.exec("UPDATE sessions SET expires_at = ? WHERE id = ?", int64(trade.At(ends)), r.Session)
	tx.afterCommit(tx.db.logins.clear)
	return err
}

// StillLetIn refuses a change on Interface A whose caller's session or key has ended, or
// whose user was shut out, since the request was let in: its body may have been long on
// its way. It is for what goes on working by itself afterwards.
func (tx *Tx) StillLetIn() error {
	var one int
	err := tx.row(`SELECT 1 FROM users WHERE id = ? AND disabled_at IS NULL AND (EXISTS (SELECT 1 FROM sessions WHERE id = ? AND revoked_at IS NULL)
		OR EXISTS (SELECT 1 FROM keys WHERE id = ? AND revoked_at IS NULL))`, tx.who.Actor, tx.who.Credential, tx.who.Credential).Scan(&one)
	if noRows(err) {
		return trade.Fail(trade.Unknown, trade.NoCredentials)
	}
	return err
}

// EndSession ends one session of a user.
func (tx *Tx) EndSession(user, session string) error {
	var n int
	err := tx.row("SELECT 1 FROM sessions WHERE id = ? AND user = ? AND tenant = ? AND revoked_at IS NULL", session, user, tx.who.Tenant).Scan(&n)
	if noRows(err) {
		return tx.missing("session", session)
	}
	if err != nil {
		return err
	}
	if err := tx.endSessions("id = ?", session); err != nil {
		return err
	}
	return tx.audit("session.end", session, "")
}

func (tx *Tx) endSessions(where, arg string) error {
	_, err := tx.exec("UPDATE sessions SET revoked_at = ? WHERE revoked_at IS NULL AND "+where, int64(trade.At(tx.now)), arg)
	tx.afterCommit(tx.db.logins.clear)
	return err
}

// Sessions lists the live sessions of a user in the caller's account.
func (v *View) Sessions(user string) (out []Session, err error) {
	rows, err := v.query("SELECT id, addr, created_at, expires_at FROM sessions WHERE user = ? AND tenant = ? AND revoked_at IS NULL AND expires_at > ? ORDER BY id",
		user, v.who.Tenant, int64(trade.At(v.Now())))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out = []Session{}
	for rows.Next() {
		var s Session
		if err := rows.Scan(&s.ID, &s.Addr, &s.CreatedAt, &s.ExpiresAt); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// FindLogin is the session check of every request: from memory, until any
// session, member or user changes.
func (db *DB) FindLogin(ctx context.Context, session string) (Login, error) {
	l, err := db.logins.get(session, func() (l Login, err error) {
		err = db.Read(ctx, Who{Actor: "login"}, func(v *View) error {
			var ends int64
			err := v.row(`SELECT s.id, s.user, s.tenant, m.role, s.revoked_at IS NULL AND u.disabled_at IS NULL, s.expires_at FROM sessions s
				JOIN members m ON m.user = s.user AND m.tenant = s.tenant JOIN users u ON u.id = s.user WHERE s.id = ?`, session).
				Scan(&l.ID, &l.User, &l.Tenant, &l.Role, &l.Alive, &ends)
			l.ExpiresAt = time.UnixMilli(ends).UTC()
			if noRows(err) {
				return nil
			}
			return err
		})
		return l, err
	})
	l.Alive = l.Alive && db.clock.Now().Before(l.ExpiresAt)
	return l, err
}

// FindMember is the user context of a key that acts for a person: alive is false
// when the person does not belong to the account or is disabled. One who does not
// belong to it is an empty Login, and is not remembered: the name is the caller's.
func (db *DB) FindMember(ctx context.Context, user, tenant string) (Login, error) {
	l, err := db.logins.get(user+" "+tenant, func() (l Login, err error) {
		err = db.Read(ctx, Who{Actor: "login"}, func(v *View) error {
			return v.row("SELECT m.user, m.tenant, m.role, u.disabled_at IS NULL FROM members m JOIN users u ON u.id = m.user WHERE m.user = ? AND m.tenant = ?", user, tenant).
				Scan(&l.User, &l.Tenant, &l.Role, &l.Alive)
		})
		return l, err
	})
	if noRows(err) {
		return Login{}, nil
	}
	return l, err
}
