package server

import (
	"cmp"
	"context"

	"github.com/go-json-experiment/json"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// Admin carries out the operator's operations: what nobody may do over the API.
// The commands reach it through the control socket of a running server, or on a
// folder that they opened themselves; either way this is the only door.
type Admin struct {
	DB        *store.DB
	Passwords *auth.Passwords
}

// NewAdmin is the operator's door to db.
func NewAdmin(db *store.DB) (*Admin, error) {
	passwords, err := auth.NewPasswords(db.IDs())
	return &Admin{DB: db, Passwords: passwords}, err
}

// operation is one entry of the table of operations.
type operation func(a *Admin, ctx context.Context, in []byte) (any, error)

// operations are all there are, by the words of their command.
func operations() map[string]operation {
	return map[string]operation{
		"tenant create": op((*Admin).createTenant),
		"tenant list":   op((*Admin).listTenants),
		"tenant plan":   op((*Admin).setPlan),
		"user create":   op((*Admin).createUser),
		"user limit":    op((*Admin).limitUser),
		"user password": op((*Admin).setPassword),
		"user disable":  op((*Admin).disableUser),
		"user enable":   op((*Admin).enableUser),
		"user list":     op((*Admin).listUsers),
		"key create":    op((*Admin).createKey),
		"key list":      op((*Admin).listKeys),
		"key rescope":   op((*Admin).rescopeKey),
		"key rotate":    op((*Admin).rotateKey),
		"key revoke":    op((*Admin).revokeKey),

		"taxpayers import": op((*Admin).importTaxpayers),
		"import":           op((*Admin).importFile),
		"check":            op((*Admin).checkData),
		"repair stock":     op((*Admin).repairStock),
		"repair indexes":   op((*Admin).repairIndexes),
		"document settle":  op((*Admin).settleDocument),
	}
}

// op reads the parameters of fn from strict JSON. They come from a command of
// this program, so what cannot be read is not worth a list of faults.
func op[In, Out any](fn func(*Admin, context.Context, In) (Out, error)) operation {
	return func(a *Admin, ctx context.Context, in []byte) (any, error) {
		var params In
		if err := json.Unmarshal(in, &params, json.RejectUnknownMembers(true)); err != nil {
			return nil, trade.Fail(trade.Malformed, trade.MalformedJSON, "it does not fit this operation; use the command of the same version as the server")
		}
		return fn(a, ctx, params)
	}
}

// Do carries out an operation ("tenant create") with its parameters as a JSON
// object and returns what it gives, ready to be marshalled. What is wrong with
// the parameters is one *trade.Error with every fault.
func (a *Admin) Do(ctx context.Context, name string, in []byte) (any, error) {
	run, ok := operations()[name]
	if !ok {
		return nil, trade.Fail(trade.NotFound, trade.PathNotFound)
	}
	return run(a, ctx, in)
}

// operator is on whose behalf these operations are written and audited.
func operator(tenant string) store.Who { return store.Who{Tenant: tenant, Actor: "operator"} }

// None are the parameters of an operation that has none.
type None struct{}

// List is a result of several records, in the shape of the API's lists.
type List[T any] struct {
	Data []T `json:"data"`
}

// OfTenant are the parameters of the lists that belong to one tenant.
type OfTenant struct {
	Tenant string `json:"tenant"`
}

// checkTenant looks a tenant up: one that is not there is a fault of the
// parameters. The error is the store's alone.
func (a *Admin) checkTenant(ctx context.Context, f *trade.Check, id string) error {
	f.Required("tenant", id)
	err := a.DB.Read(ctx, operator(id), func(v *store.View) error {
		_, err := v.Settings()
		return err
	})
	if trade.KindOf(err) == trade.NotFound {
		f.Add("tenant", trade.RecordNotFound)
		return nil
	}
	return err
}

// listFor reads a list of one tenant.
func listFor[T any](ctx context.Context, a *Admin, tenant string, read func(*store.View) ([]T, error)) (out List[T], err error) {
	var f trade.Check
	if err := cmp.Or(a.checkTenant(ctx, &f, tenant), f.Err()); err != nil {
		return out, err
	}
	err = a.DB.Read(ctx, operator(tenant), func(v *store.View) (err error) {
		out.Data, err = read(v)
		return err
	})
	return out, err
}

// TenantCreate are the parameters of "tenant create": the account's own fields
// and the login of its MASTER.
type TenantCreate struct {
	trade.Tenant
	MasterEmail    string `json:"masterEmail"`
	MasterPassword string `json:"masterPassword"`
}

// TenantMade is the result of "tenant create".
type TenantMade struct {
	TenantID  string `json:"tenantId"`
	UserID    string `json:"userId"`
	KnownUser bool   `json:"knownUser,omitzero"` // the person had a login, and keeps its password
}

// createTenant makes an account and its MASTER in one transaction: a fault of
// either leaves neither.
func (a *Admin) createTenant(ctx context.Context, in TenantCreate) (out TenantMade, err error) {
	var f trade.Check
	in.Meta = trade.Meta{}
	in.Defaults()
	in.Check(&f)
	if in.Plan != "" {
		trade.OneOf(&f, "plan", string(in.Plan), in.Plan.Values()...)
	}
	master := person{email: in.MasterEmail, password: in.MasterPassword}
	if err := a.admit(ctx, &f, &master, "masterEmail", "masterPassword"); err != nil {
		return out, err
	}
	err = a.DB.Write(ctx, operator(""), func(tx *store.Tx) error {
		t, err := tx.CreateTenant(in.Tenant)
		if err != nil {
			return err
		}
		u, err := tx.CreateUser(master.email, master.name, master.hash, auth.Master)
		out = TenantMade{TenantID: t.ID, UserID: u.ID, KnownUser: master.known}
		return err
	})
	return out, err
}

func (a *Admin) listTenants(ctx context.Context, _ None) (out List[trade.Tenant], err error) {
	out.Data, err = a.DB.ListTenants(ctx)
	return out, err
}

// TenantPlan are the parameters of "tenant plan".
type TenantPlan struct {
	Tenant string     `json:"tenant"`
	Plan   trade.Plan `json:"plan"`
}

func (a *Admin) setPlan(ctx context.Context, in TenantPlan) (TenantPlan, error) {
	var f trade.Check
	trade.OneOf(&f, "plan", string(in.Plan), in.Plan.Values()...)
	if err := cmp.Or(a.checkTenant(ctx, &f, in.Tenant), f.Err()); err != nil {
		return in, err
	}
	return in, a.DB.Write(ctx, operator(in.Tenant), func(tx *store.Tx) error {
		_, err := tx.SetPlan(in.Plan)
		return err
	})
}
