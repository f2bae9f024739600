package store

import (
	"context"

	"esnaf/auth"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// User is one person and the role the person has in one account.
type User struct {
	ID        string        `json:"id"`
	Email     string        `json:"email"`
	Name      string        `json:"name"`
	Role      auth.Role     `json:"role"`
	Tenant    string        `json:"tenantId"`
	Disabled  bool          `json:"disabled"`
	CreatedAt trade.Instant `json:"createdAt"`

	DiscountLimit *money.Rate `json:"discountLimit,omitempty"` // highest discount in percent that the user may give alone; nil for any
}

// Account is a person as found at login: the stored password and the accounts
// the person belongs to.
type Account struct {
	ID, Email, Name, Password string
	Disabled                  bool
	Members                   []Member
}

// Member is a person's place in one account.
type Member struct {
	Tenant, Name string // of the account
	Role         auth.Role
}

// CreateUser adds a person to the caller's account. A person known by the e-mail
// address keeps name and password and joins this account too.
func (tx *Tx) CreateUser(email, name, password string, role auth.Role) (User, error) {
	u := User{Email: email, Name: name, Role: role, Tenant: tx.who.Tenant, CreatedAt: trade.At(tx.now)}
	err := tx.row("SELECT id, name FROM users WHERE email = ?", email).Scan(&u.ID, &u.Name)
	if noRows(err) {
		u.ID = tx.db.ids.New("usr", tx.now)
		_, err = tx.exec("INSERT INTO users (id, email, name, password, created_at) VALUES (?, ?, ?, ?, ?)", u.ID, email, name, password, int64(u.CreatedAt))
	}
	if err != nil {
		return u, err
	}
	_, err = tx.exec("INSERT INTO members (user, tenant, role, created_at) VALUES (?, ?, ?, ?)", u.ID, u.Tenant, string(role), int64(u.CreatedAt))
	if code := codeOf(err); code == codePrimary || code == codeUnique {
		return u, trade.Fail(trade.Conflict, trade.Duplicate, "email")
	}
	if err != nil {
		return u, err
	}
	tx.afterCommit(tx.db.logins.clear)
	return u, tx.audit("user.create", u.ID, "")
}

// SetPassword gives a person of the caller's account another password (its hash)
// and ends every session the person has.
func (tx *Tx) SetPassword(user, password string) error {
	return tx.changeUser("user.password", user, "UPDATE users SET password = ? WHERE id = ?", password)
}

// DisableUser keeps a person of the caller's account out of every account, from
// the next request on.
func (tx *Tx) DisableUser(user string) error {
	return tx.changeUser("user.disable", user, "UPDATE users SET disabled_at = coalesce(disabled_at, ?) WHERE id = ?", int64(trade.At(tx.now)))
}

// EnableUser lets a person of the caller's account in again, with the password there was.
func (tx *Tx) EnableUser(user string) error {
	return tx.changeUser("user.enable", user, "UPDATE users SET disabled_at = ? WHERE id = ?", nil)
}

// LimitDiscount sets the highest discount in percent that a person of the caller's
// account may give alone, nil for any. An order with a higher one needs approval
// (DECISIONS 34).
func (tx *Tx) LimitDiscount(user string, limit *money.Rate) error {
	if _, err := tx.FindUser(user); err != nil {
		return err
	}
	var value any
	if limit != nil {
		value = int64(*limit)
	}
	if _, err := tx.exec("UPDATE members SET discount_limit = ? WHERE user = ? AND tenant = ?", value, user, tx.who.Tenant); err != nil {
		return err
	}
	return tx.audit("user.limit", user, "")
}

func (tx *Tx) changeUser(action, user, text string, value any) error {
	if _, err := tx.FindUser(user); err != nil {
		return err
	}
	if _, err := tx.exec(text, value, user); err != nil {
		return err
	}
	if err := tx.endSessions("user = ?", user); err != nil {
		return err
	}
	return tx.audit(action, user, "")
}

// FindAccount finds a person by e-mail address; ok is false when there is none.
func (db *DB) FindAccount(ctx context.Context, email string) (a Account, ok bool, err error) {
	err = db.Read(ctx, Who{Actor: "login"}, func(v *View) error {
		var disabled int64
		err := v.row("SELECT id, email, name, password, coalesce(disabled_at, 0) FROM users WHERE email = ?", email).Scan(&a.ID, &a.Email, &a.Name, &a.Password, &disabled)
		if noRows(err) {
			return nil
		}
		if err != nil {
			return err
		}
		ok, a.Disabled = true, disabled != 0
		a.Members, err = v.membersOf(a.ID)
		return err
	})
	return a, ok, err
}

func (v *View) membersOf(user string) (out []Member, err error) {
	rows, err := v.query("SELECT m.tenant, t.doc, m.role FROM members m JOIN tenants t ON t.id = m.tenant WHERE m.user = ? ORDER BY m.tenant", user)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var m Member
		var doc []byte
		var t trade.Tenant
		if err := rows.Scan(&m.Tenant, &doc, &m.Role); err != nil {
			return nil, err
		}
		if err := decode(doc, &t); err != nil {
			return nil, err
		}
		m.Name = t.Name
		out = append(out, m)
	}
	return out, rows.Err()
}

// FindUser reads a person's place in the caller's account.
func (v *View) FindUser(user string) (User, error) {
	users, err := v.users("AND u.id = ?", user)
	if err == nil && len(users) == 0 {
		err = trade.Fail(trade.NotFound, trade.RecordNotFound, "user")
	}
	if err != nil {
		return User{}, err
	}
	return users[0], nil
}

// Users lists the people of the caller's account.
func (v *View) Users() ([]User, error) { return v.users("") }

func (v *View) users(and string, args ...any) (out []User, err error) {
	rows, err := v.query("SELECT u.id, u.email, u.name, m.role, m.tenant, u.disabled_at IS NOT NULL, u.created_at, m.discount_limit FROM members m JOIN users u ON u.id = m.user WHERE m.tenant = ? "+and+" ORDER BY u.id",
		append([]any{v.who.Tenant}, args...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var u User
		var limit *int64
		if err := rows.Scan(&u.ID, &u.Email, &u.Name, &u.Role, &u.Tenant, &u.Disabled, &u.CreatedAt, &limit); err != nil {
			return nil, err
		}
		if limit != nil {
			u.DiscountLimit = new(money.Rate(*limit))
		}
		out = append(out, u)
	}
	return out, rows.Err()
}
