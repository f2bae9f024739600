package server

import (
	"context"
	"fmt"
	"strings"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// KeyCreate are the parameters of "key create".
type KeyCreate struct {
	Tenant string   `json:"tenant"`
	Name   string   `json:"name"`
	Scopes []string `json:"scopes"` // resource:action, wildcards or "all"
	Rate   int      `json:"rate"`   // requests a minute; 0 is no limit
}

// KeyIssued is the result of making a key: the only time it is shown.
type KeyIssued struct {
	ID  string `json:"id"`
	Key string `json:"key"`
}

func (a *Admin) createKey(ctx context.Context, in KeyCreate) (out KeyIssued, err error) {
	var f trade.Check
	if err := a.checkTenant(ctx, &f, in.Tenant); err != nil {
		return out, err
	}
	scopes := keyScopes(&f, in.Scopes)
	f.Required("name", strings.TrimSpace(in.Name))
	f.Max("name", in.Name, 100)
	if in.Rate < 0 {
		f.Add("rate", trade.MustNotBeNegative)
	}
	if err := f.Err(); err != nil {
		return out, err
	}
	err = a.DB.Write(ctx, operator(in.Tenant), func(tx *store.Tx) error {
		k, secret, err := tx.CreateKey(store.LiveKey, in.Name, scopes, in.Rate, 0)
		out = KeyIssued{ID: k.ID, Key: secret}
		return err
	})
	return out, err
}

// keyScopes reads the scopes of a key of Interface B; each wrong one is a fault.
func keyScopes(f *trade.Check, names []string) auth.Scopes {
	for i, name := range names {
		if _, err := auth.ParseKeyScopes([]string{name}); err != nil {
			f.Add(fmt.Sprintf("scopes[%d]", i), trade.BadScope, err.Error())
		}
	}
	if len(names) == 0 {
		f.Add("scopes", trade.Required)
	}
	scopes, _ := auth.ParseKeyScopes(names) // its one error is among the faults
	return scopes
}

// KeyRescope are the parameters of "key rescope".
type KeyRescope struct {
	ID     string   `json:"id"`
	Scopes []string `json:"scopes"`
}

func (a *Admin) rescopeKey(ctx context.Context, in KeyRescope) (OfKey, error) {
	var f trade.Check
	scopes := keyScopes(&f, in.Scopes)
	if err := f.Err(); err != nil {
		return OfKey{}, err
	}
	return OfKey{in.ID}, a.changeKey(ctx, in.ID, func(tx *store.Tx) error { return tx.RescopeKey(in.ID, scopes) })
}

// OfKey are the parameters, and the result, of what is done to one key.
type OfKey struct {
	ID string `json:"id"`
}

func (a *Admin) rotateKey(ctx context.Context, in OfKey) (out KeyIssued, err error) {
	err = a.changeKey(ctx, in.ID, func(tx *store.Tx) error {
		k, secret, err := tx.RotateKey(in.ID)
		out = KeyIssued{ID: k.ID, Key: secret}
		return err
	})
	return out, err
}

func (a *Admin) revokeKey(ctx context.Context, in OfKey) (OfKey, error) {
	return in, a.changeKey(ctx, in.ID, func(tx *store.Tx) error { return tx.RevokeKey(in.ID) })
}

// changeKey changes a key of whichever tenant it belongs to. The operator names
// no tenant, since the id of a key is its own.
func (a *Admin) changeKey(ctx context.Context, id string, change func(*store.Tx) error) error {
	tenant, err := a.DB.TenantOfKey(ctx, id)
	if err != nil {
		return err
	}
	return a.DB.Write(ctx, operator(tenant), change)
}

func (a *Admin) listKeys(ctx context.Context, in OfTenant) (List[store.Key], error) {
	return listFor(ctx, a, in.Tenant, func(v *store.View) ([]store.Key, error) { return v.ListKeys(store.LiveKey) })
}
