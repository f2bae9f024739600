package store_test

import (
	"context"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/trade"
)

func TestTheLifeOfAnAccount(t *testing.T) {
	b := open(t)
	var made trade.Tenant
	b.write(store.Who{Actor: "operator"}, func(tx *store.Tx) (err error) {
		made, err = tx.CreateTenant(trade.Tenant{Name: "Yeni A.Ş.", TaxNumber: trade.CompleteVKN("111222333")})
		return err
	})
	want := trade.Tenant{
		Meta: trade.Meta{ID: made.ID, Version: 1, CreatedAt: trade.At(start), UpdatedAt: trade.At(start)},
		Name: "Yeni A.Ş.", TaxNumber: trade.CompleteVKN("111222333"), Country: "TR", DefaultProfile: trade.TicariFatura,
		Series: trade.Series{EFatura: "EFA", EArsiv: "EAR", Export: "IHR", Despatch: "IRS"}, TaxNumberCheck: trade.CheckError, Timezone: "Europe/Istanbul", Plan: trade.PlanEnterprise,
	}
	if diff := gocmp.Diff(want, made); diff != "" {
		t.Errorf("made (-want +got):\n%s", diff)
	}
	who := store.Who{Tenant: made.ID, Actor: "usr_1", Interface: 'A'}
	edit := made
	edit.Name, edit.Plan, edit.ID, edit.Version = "Eski A.Ş.", trade.PlanUnlimited, "ten_x", 7 // plan and the like are not the account's to set
	var changed trade.Tenant
	b.write(who, func(tx *store.Tx) error {
		return into(&changed)(tx.UpdateTenant(store.Match{Versions: []int64{1}}, edit))
	})
	want.Name, want.Version = "Eski A.Ş.", 2
	if diff := gocmp.Diff(want, changed); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	if e := b.refused(who, func(tx *store.Tx) error {
		_, err := tx.UpdateTenant(store.Match{Versions: []int64{1}}, edit)
		return err
	}); e.Code != trade.VersionConflict {
		t.Error(e)
	}
	if e := b.refused(who, func(tx *store.Tx) error { _, err := tx.SetPlan("gold"); return err }); fields(e) != "plan invalid_value" {
		t.Error(e)
	}
	accounts, err := b.ListTenants(context.Background())
	if err != nil || len(accounts) != 2 {
		t.Errorf("%d accounts, %v", len(accounts), err)
	}
}

// A plan that is booked holds from the next request on, and a change of the
// settings from the next change on, though both are answered from memory.
func TestSettingsFromMemoryFollowChanges(t *testing.T) {
	b := open(t)
	plan := func() trade.Plan { return b.Plan(context.Background(), b.who.Tenant) }
	if plan() != trade.PlanEnterprise || b.Plan(context.Background(), "ten_none") != "" {
		t.Errorf("plans %q and %q", plan(), b.Plan(context.Background(), "ten_none"))
	}
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.SetPlan(trade.PlanStandard); return err })
	if plan() != trade.PlanStandard {
		t.Errorf("after the change %q", plan())
	}
	b.refused(b.who, func(tx *store.Tx) error {
		if _, err := tx.SetPlan(trade.PlanUnlimited); err != nil {
			return err
		}
		if s, err := tx.Settings(); err != nil || s.Plan != trade.PlanUnlimited {
			t.Errorf("a change does not see itself: %v", err)
		}
		return trade.NotPossible("plan", "X")
	})
	if plan() != trade.PlanStandard {
		t.Errorf("a change that failed is remembered: %q", plan())
	}
}

// A reader that began before a change may see what was before it, but does not
// hand that down to those who come after.
func TestAnOldSnapshotIsNotRemembered(t *testing.T) {
	b := open(t)
	begun, goOn, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		done <- b.Read(context.Background(), b.who, func(v *store.View) error {
			if _, err := store.Companies.List.Page(v, trade.Query{Limit: 1}, nil); err != nil { // the snapshot is taken at the first look
				return err
			}
			close(begun)
			<-goOn
			s, err := v.Settings()
			if err == nil && s.Plan != trade.PlanEnterprise {
				t.Errorf("the snapshot has the plan %s", s.Plan)
			}
			return err
		})
	}()
	<-begun
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.SetPlan(trade.PlanStandard); return err })
	close(goOn)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if plan := b.Plan(context.Background(), b.who.Tenant); plan != trade.PlanStandard {
		t.Errorf("remembered is the plan %s", plan)
	}
}

// Two accounts opened in one change have an audit chain each.
func TestTwoAccountsInOneChange(t *testing.T) {
	b := open(t)
	b.write(store.Who{Actor: "operator"}, func(tx *store.Tx) error {
		for _, name := range []string{"Bir", "İki"} {
			if _, err := tx.CreateTenant(trade.Tenant{Name: name, TaxNumber: trade.CompleteVKN("111222333")}); err != nil {
				return err
			}
			if _, err := tx.CreateCompany(named(1)); err != nil {
				return err
			}
		}
		return nil
	})
	if rows, err := checkAudit(file(t, b.Dir())); err != nil || rows != 5 {
		t.Errorf("%d audit rows, want 5: %v", rows, err)
	}
	if rows, err := checkEvents(file(t, b.Dir())); err != nil || rows != 2 {
		t.Errorf("%d events, want 2: %v", rows, err)
	}
}
