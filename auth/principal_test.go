package auth

import (
	"context"
	"testing"
)

func TestActor(t *testing.T) {
	for _, row := range []struct {
		name string
		who  Principal
		want string
	}{
		{"token", Principal{User: "usr_1", Session: "ses_1", Interface: InterfaceA}, "usr_1"},
		{"key with its user", Principal{User: "usr_1", Key: "key_1", Interface: InterfaceA}, "usr_1"},
		{"key of B", Principal{Key: "key_1", Interface: InterfaceB}, "key_1"},
	} {
		if got := row.who.Actor(); got != row.want {
			t.Errorf("%s: actor %q, want %q", row.name, got, row.want)
		}
	}
}

func TestContext(t *testing.T) {
	nobody, ok := From(context.Background())
	if ok || nobody.May("companies:read") {
		t.Errorf("an empty context carries %+v, %v", nobody, ok)
	}
	want := Principal{Tenant: "ten_1", User: "usr_1", Role: Sales, Scopes: Sales.Scopes(), Interface: InterfaceA}
	got, ok := From(With(context.Background(), want))
	if !ok || got != want {
		t.Errorf("got %+v, %v, want %+v", got, ok, want)
	}
	if !got.May("orders:create") || got.May("orders:delete") {
		t.Errorf("SALES: create %v, delete %v", got.May("orders:create"), got.May("orders:delete"))
	}
}
