// Package standin makes esnaf stand in for the real thing: accounts full of
// business to try programs against. Two small firms that do not exist are
// embedded as data; what they sold in the last 90 days is drawn from it, the same
// on every machine, and taken through the operations that real business goes
// through.
package standin

import (
	"context"
	"encoding/base32"
	"fmt"
	"strings"
	"sync"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
	"esnaf/ubl/gib"
)

// Demo is what a developer needs to call the seeded accounts.
type Demo struct {
	Tenants []DemoTenant `json:"tenants"`
}

// DemoTenant is one seeded account. Its password and key guard nothing but invented
// data and open nothing elsewhere, so they may be printed.
type DemoTenant struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	MasterEmail    string `json:"masterEmail"`
	MasterPassword string `json:"masterPassword"`
	APIKey         string `json:"apiKey"` // of Interface B, every scope, no limit
}

// actor is who the audit says has done it.
const actor = "demo"

// Seed fills db with the demo's accounts (DECISIONS 44) on the given plan, ""
// being unlimited, and returns how to get into them. An account whose master is
// known by e-mail address was seeded before and is left as it is; its password
// and key are those of the folder, so they come out the same at every start.
//
// Each account is one change: a start that was cut short is made good by the next.
// What the firms did is a function of the embedded data and of the day; ids are
// db's. A few documents are left on the way to the tax office, where sim, unless it
// is nil, is told to keep them waiting for a quarter of an hour. Seed must be done
// before the courier runs.
func Seed(ctx context.Context, db *store.DB, sim *gib.Simulator, plan trade.Plan) (d Demo, err error) {
	if plan == "" {
		plan = trade.PlanUnlimited
	}
	firms, err := readFirms()
	if err != nil {
		return d, err
	}
	if err := onlyDemo(ctx, db, firms); err != nil {
		return d, err
	}
	for i := range firms {
		f := &firms[i]
		f.Tenant.Plan = plan
		t, err := f.open(ctx, db, sim)
		if err != nil {
			return d, fmt.Errorf("demo account of %s: %w", f.Tenant.Name, err)
		}
		d.Tenants = append(d.Tenants, t)
	}
	return d, nil
}

// onlyDemo refuses a folder that somebody works with: the demo's accounts could not be
// taken out of it again.
func onlyDemo(ctx context.Context, db *store.DB, firms []firm) error {
	tenants, err := db.ListTenants(ctx)
	if err != nil || len(tenants) == 0 {
		return err
	}
	for i := range firms {
		if _, known, err := db.FindAccount(ctx, firms[i].Users[0].Email); known || err != nil {
			return err
		}
	}
	return fmt.Errorf("the data folder holds the account of %s, and what the demo adds stays: let it have a folder of its own, or none", tenants[0].Name)
}

// open finds the firm's account, or makes it.
func (f *firm) open(ctx context.Context, db *store.DB, sim *gib.Simulator) (DemoTenant, error) {
	t := DemoTenant{Name: f.Tenant.Name, MasterEmail: f.Users[0].Email}
	secret := db.Keys().Derive("demo password " + t.MasterEmail)
	t.MasterPassword = strings.ToLower(base32.StdEncoding.EncodeToString(secret[:10])) // 80 bits, 16 characters
	var err error
	if t.APIKey, err = auth.NewKey(derived(db, "key", t.MasterEmail), auth.KeyLive); err != nil {
		return t, err
	}
	known, ok, err := db.FindAccount(ctx, t.MasterEmail)
	if err != nil {
		return t, err
	}
	if ok && len(known.Members) > 0 {
		t.ID, t.Name = known.Members[0].Tenant, known.Members[0].Name
		return t, nil
	}
	t.ID, err = f.seed(ctx, db, sim, t)
	return t, err
}

// derived is an endless stream of bytes for one purpose, the same at every start
// on the same folder.
func derived(db *store.DB, purpose, email string) *clock.IDs {
	return clock.SeededIDs(db.Keys().Derive("demo " + purpose + " " + email))
}

// seed makes the firm's account in one change and returns its id. Hashing the
// password takes about as long as everything else, so both go on at the same time.
// The salt is derived: drawn from db's ids meanwhile, it would make them differ
// from run to run.
func (f *firm) seed(ctx context.Context, db *store.DB, sim *gib.Simulator, t DemoTenant) (string, error) {
	passwords, err := auth.NewPasswords(derived(db, "salt", t.MasterEmail))
	if err != nil {
		return "", err
	}
	var hash string
	var hashErr error
	var hashing sync.WaitGroup
	hashing.Go(func() { hash, hashErr = passwords.Hash(ctx, t.MasterPassword) })
	defer hashing.Wait()

	var l *ledger
	err = db.Write(ctx, store.Who{Actor: actor}, func(tx *store.Tx) error {
		account, err := tx.CreateTenant(f.Tenant)
		if err != nil {
			return err
		}
		l = newLedger(tx, db.IDs(), &account)
		if _, err := tx.CreateKeyAs(t.APIKey, store.LiveKey, "demo", auth.KeyScopes(), 0, 0); err != nil {
			return err
		}
		if err := l.keep(f); err != nil {
			return err
		}
		if err := l.finance(); err != nil {
			return err
		}
		if hashing.Wait(); hashErr != nil {
			return hashErr
		}
		return f.addUsers(tx, hash)
	})
	if err != nil {
		return "", err
	}
	l.holdUp(sim)
	return l.tenant, nil
}

// addUsers adds the firm's people. All have the master's password: hashing one
// for each would take longer than everything else.
func (f *firm) addUsers(tx *store.Tx, hash string) error {
	for _, u := range f.Users {
		if _, err := tx.CreateUser(u.Email, u.Name, hash, u.Role); err != nil {
			return err
		}
	}
	return nil
}
