package store_test

import (
	"context"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

func TestUsersOfAccounts(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	u := b.user(b.who, "ayse@example.com", auth.Master)
	same := b.user(other, "ayse@example.com", auth.ReadOnly) // one person in two accounts
	v := b.user(b.who, "veli@example.com", auth.Sales)
	if same.ID != u.ID || same.Role != auth.ReadOnly || v.ID == u.ID {
		t.Errorf("%+v and %+v", u, same)
	}
	if e := b.refused(b.who, func(tx *store.Tx) error {
		_, err := tx.CreateUser("ayse@example.com", "", "", auth.Sales)
		return err
	}); e.Kind != trade.Conflict || e.Code != trade.Duplicate {
		t.Error(e)
	}
	a, ok, err := b.FindAccount(context.Background(), "ayse@example.com")
	want := store.Account{ID: u.ID, Email: "ayse@example.com", Name: "Ayşe", Password: "$argon2id$hash", Members: []store.Member{
		{Tenant: b.who.Tenant, Name: "Örnek Ticaret A.Ş.", Role: auth.Master}, {Tenant: other.Tenant, Name: "Öbür Ltd.", Role: auth.ReadOnly},
	}}
	if want.Members[0].Tenant > want.Members[1].Tenant {
		want.Members[0], want.Members[1] = want.Members[1], want.Members[0]
	}
	if diff := gocmp.Diff(want, a); diff != "" || !ok || err != nil {
		t.Errorf("found %v, %v (-want +got):\n%s", ok, err, diff)
	}
	if _, ok, err := b.FindAccount(context.Background(), "' OR 1=1 --"); ok || err != nil {
		t.Errorf("found %v, %v", ok, err)
	}
	b.read(b.who, func(view *store.View) error {
		users, err := view.Users()
		if err == nil && len(users) != 2 {
			t.Errorf("users %+v", users)
		}
		return err
	})
}

// Nobody reaches into an account through a person who is not in it.
func TestOnlyOwnUsersAreChanged(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	theirs := b.user(other, "veli@example.com", auth.Master)
	for about, fn := range map[string]func(*store.Tx) error{
		"a password":   func(tx *store.Tx) error { return tx.SetPassword(theirs.ID, "$mine") },
		"shutting out": func(tx *store.Tx) error { return tx.DisableUser(theirs.ID) },
		"nobody":       func(tx *store.Tx) error { return tx.DisableUser("usr_none") },
	} {
		if e := b.refused(b.who, fn); e.Kind != trade.NotFound {
			t.Errorf("%s: %v", about, e)
		}
	}
	a, _, err := b.FindAccount(context.Background(), "veli@example.com")
	if a.Password != "$argon2id$hash" || a.Disabled || err != nil {
		t.Errorf("it happened all the same: %+v, %v", a, err)
	}
}

func TestMembersFoundFromMemoryFollowChanges(t *testing.T) {
	b := open(t)
	find := func(user string) store.Login {
		l, err := b.FindMember(context.Background(), user, b.who.Tenant)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	u := b.user(other, "ayse@example.com", auth.Master)
	if l := find(u.ID); l.Alive || l.Tenant != "" {
		t.Errorf("a stranger is %+v", l)
	}
	b.user(b.who, "ayse@example.com", auth.Sales)
	if l := find(u.ID); !l.Alive || l.Role != auth.Sales || l.Tenant != b.who.Tenant {
		t.Errorf("a member is %+v", l)
	}
	b.write(other, func(tx *store.Tx) error { return tx.DisableUser(u.ID) })
	if l := find(u.ID); l.Alive || l.Tenant == "" {
		t.Errorf("who was shut out is %+v", l)
	}
}
