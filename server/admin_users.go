package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// person is a login that is to be in an account.
type person struct {
	email, name, password string

	known bool   // it exists already, and keeps its name and password
	hash  string // what is stored of the password of a new one
}

// admit judges a login together with all that f has found before, and only when
// nothing is wrong hashes its password: that takes long, so it is not done while
// the writer waits. The fields are what the parameters call them.
func (a *Admin) admit(ctx context.Context, f *trade.Check, p *person, emailField, passwordField string) error {
	p.email = loginEmail(p.email)
	checkLogin(f, emailField, p.email)
	account, known, err := a.DB.FindAccount(ctx, p.email)
	if err != nil {
		return err
	}
	if known {
		p.known, p.name = true, account.Name
		return f.Err()
	}
	if p.name == "" {
		p.name = p.email
	}
	f.Max("name", p.name, maxEmail) // the address it may be
	checkPassword(f, passwordField, p.password)
	if err := f.Err(); err != nil {
		return err
	}
	p.hash, err = a.hash(ctx, p.password)
	return err
}

// maxEmail is how many characters the address of a login has at most: RFC 5321 takes no
// longer one.
const maxEmail = 254

// loginEmail is the form in which a login's address is kept and looked up.
func loginEmail(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

func checkLogin(f *trade.Check, field, email string) {
	f.Required(field, email)
	f.Max(field, email, maxEmail)
	if a, err := mail.ParseAddress(email); err != nil || a.Address != email {
		f.Add(field, trade.BadEmail)
	}
}

func checkPassword(f *trade.Check, field, password string) {
	f.Required(field, password)
	switch err := auth.CheckPassword(password); {
	case errors.Is(err, auth.ErrPasswordShort):
		f.Add(field, trade.TooShort, auth.MinPassword)
	case err != nil:
		f.Add(field, trade.TooLong, auth.MaxPassword)
	}
}

func (a *Admin) hash(ctx context.Context, password string) (string, error) {
	text, err := a.Passwords.Hash(ctx, password)
	if err != nil {
		return "", fmt.Errorf("hash the password: %w", err)
	}
	return text, nil
}

// UserCreate are the parameters of "user create".
type UserCreate struct {
	Tenant   string    `json:"tenant"`
	Email    string    `json:"email"`
	Name     string    `json:"name"` // the e-mail address when absent
	Role     auth.Role `json:"role"`
	Password string    `json:"password"`

	DiscountLimit string `json:"discountLimit,omitzero"` // percent; "" for any
}

// UserDone is the result of what is done to one person.
type UserDone struct {
	UserID    string `json:"userId"`
	KnownUser bool   `json:"knownUser,omitzero"` // the person had a login, and keeps its name and password
	Disabled  bool   `json:"disabled,omitzero"`  // the person cannot sign in all the same

	ActiveWebhooks []string `json:"activeWebhooks,omitzero"` // ids of those the person registered, which go on
	WebhooksUnread bool     `json:"webhooksUnread,omitzero"` // there may be more of them, which could not be read
}

func (a *Admin) createUser(ctx context.Context, in UserCreate) (out UserDone, err error) {
	var f trade.Check
	if err := a.checkTenant(ctx, &f, in.Tenant); err != nil {
		return out, err
	}
	trade.OneOf(&f, "role", in.Role, auth.Roles()...)
	limit := discountLimit(&f, in.DiscountLimit)
	p := person{email: in.Email, name: strings.TrimSpace(in.Name), password: in.Password}
	if err := a.admit(ctx, &f, &p, "email", "password"); err != nil {
		return out, err
	}
	err = a.DB.Write(ctx, operator(in.Tenant), func(tx *store.Tx) error {
		u, err := tx.CreateUser(p.email, p.name, p.hash, in.Role)
		out = UserDone{UserID: u.ID, KnownUser: p.known}
		if err != nil || limit == nil {
			return err
		}
		return tx.LimitDiscount(u.ID, limit)
	})
	return out, err
}

// discountLimit reads the highest discount in percent that a user may give alone; nil
// for any.
func discountLimit(f *trade.Check, text string) *money.Rate {
	if text == "" {
		return nil
	}
	limit, err := money.ParseRate(text)
	switch {
	case err != nil:
		f.Add("discountLimit", trade.BadDecimal, "12.5")
	case limit < 0 || limit > money.Percent(100):
		f.Add("discountLimit", trade.OutOfRange, 0, 100)
	}
	return &limit
}

// UserLimit are the parameters of "user limit".
type UserLimit struct {
	Tenant        string `json:"tenant"`
	Email         string `json:"email"`
	DiscountLimit string `json:"discountLimit"` // percent; "" for any
}

// limitUser says which discounts a person may give alone in one account.
func (a *Admin) limitUser(ctx context.Context, in UserLimit) (UserDone, error) {
	var f trade.Check
	if err := a.checkTenant(ctx, &f, in.Tenant); err != nil {
		return UserDone{}, err
	}
	limit := discountLimit(&f, in.DiscountLimit)
	account, err := a.account(ctx, &f, in.Email)
	if err != nil {
		return UserDone{}, err
	}
	err = a.DB.Write(ctx, operator(in.Tenant), func(tx *store.Tx) error { return tx.LimitDiscount(account.ID, limit) })
	return UserDone{UserID: account.ID}, err
}

// UserPassword are the parameters of "user password".
type UserPassword struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

func (a *Admin) setPassword(ctx context.Context, in UserPassword) (UserDone, error) {
	var f trade.Check
	checkPassword(&f, "password", in.Password)
	account, err := a.account(ctx, &f, in.Email)
	if err != nil {
		return UserDone{}, err
	}
	hash, err := a.hash(ctx, in.Password)
	if err != nil {
		return UserDone{}, err
	}
	out, err := a.everywhere(ctx, account, func(tx *store.Tx) error { return tx.SetPassword(account.ID, hash) })
	out.Disabled = account.Disabled
	return out, err
}

// OfUser are the parameters of what needs no more than the person.
type OfUser struct {
	Email string `json:"email"`
}

// disableUser tells which webhooks the person leaves behind: they are the account's, as
// all that a person made, and would be missed if they ended with the person. Where they
// cannot be read the person is out all the same, and that is what is told first.
func (a *Admin) disableUser(ctx context.Context, in OfUser) (UserDone, error) {
	account, out, err := a.toUser(ctx, in, (*store.Tx).DisableUser)
	if err != nil {
		return out, err
	}
	for _, m := range account.Members {
		err := a.DB.Read(ctx, operator(m.Tenant), func(v *store.View) error {
			ids, err := v.WebhooksOf(account.ID)
			out.ActiveWebhooks = append(out.ActiveWebhooks, ids...)
			return err
		})
		out.WebhooksUnread = out.WebhooksUnread || err != nil
	}
	return out, nil
}

func (a *Admin) enableUser(ctx context.Context, in OfUser) (UserDone, error) {
	_, out, err := a.toUser(ctx, in, (*store.Tx).EnableUser)
	return out, err
}

// toUser makes a change that needs no more than the person.
func (a *Admin) toUser(ctx context.Context, in OfUser, change func(tx *store.Tx, user string) error) (account store.Account, out UserDone, err error) {
	if account, err = a.account(ctx, new(trade.Check), in.Email); err == nil {
		out, err = a.everywhere(ctx, account, func(tx *store.Tx) error { return change(tx, account.ID) })
	}
	return account, out, err
}

// account finds the person with this login, or tells all that f has.
func (a *Admin) account(ctx context.Context, f *trade.Check, email string) (store.Account, error) {
	f.Required("email", email)
	account, ok, err := a.DB.FindAccount(ctx, loginEmail(email))
	if err == nil && !ok {
		f.Add("email", trade.RecordNotFound)
	}
	return account, cmp.Or(err, f.Err())
}

// everywhere makes a change of a person once in each account the person belongs
// to, so that the audit of each tells of it.
func (a *Admin) everywhere(ctx context.Context, p store.Account, change func(*store.Tx) error) (UserDone, error) {
	for _, m := range p.Members {
		if err := a.DB.Write(ctx, operator(m.Tenant), change); err != nil {
			return UserDone{}, err
		}
	}
	return UserDone{UserID: p.ID}, nil
}

func (a *Admin) listUsers(ctx context.Context, in OfTenant) (List[store.User], error) {
	return listFor(ctx, a, in.Tenant, (*store.View).Users)
}
