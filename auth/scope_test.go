package auth

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseScopes(t *testing.T) {
	for _, row := range []struct {
		give []string
		want []string
		text string // Scopes.String
	}{
		{nil, []string{}, ""},
		{[]string{"invoices:read"}, []string{"invoices:read"}, "invoices:read"},
		{[]string{"orders:update", "contacts:create", "orders:update"}, []string{"contacts:create", "orders:update"}, "contacts:create orders:update"},
		{[]string{"invoices:*"}, []string{"invoices:create", "invoices:delete", "invoices:export", "invoices:read", "invoices:update"}, "invoices:*"},
		{[]string{"bank:*", "cashAccount:read"}, []string{"bank:create", "bank:delete", "bank:export", "bank:read", "bank:update", "cashAccount:read"}, "bank:* cashAccount:read"},
		{[]string{"all"}, AllScopes().List(), "all"},
		{[]string{"*:*"}, AllScopes().List(), "all"},
		{[]string{"*:read", "quotes:export"}, append(ReadOnly.Scopes().List(), "quotes:export"), "*:read quotes:export"},
	} {
		got, err := ParseScopes(row.give)
		if err != nil {
			t.Errorf("%q: %v", row.give, err)
			continue
		}
		slices.Sort(row.want)
		if diff := cmp.Diff(row.want, got.List()); diff != "" {
			t.Errorf("%q:\n%s", row.give, diff)
		}
		if got.String() != row.text {
			t.Errorf("%q is written %q, want %q", row.give, got.String(), row.text)
		}
	}
	if n := len(AllScopes().List()); n != 15*5 {
		t.Errorf("%d scopes, want 15 resources x 5 actions", n)
	}
}

func TestParseScopesRefuses(t *testing.T) {
	for _, bad := range []string{
		"", "invoices", "invoices:", ":read", "invoices:fly", "bills:read", "Invoices:read", "invoices:READ",
		" invoices:read", "invoices:read ", "invoices:read:all", "ALL", "*", "*:", ":*", "all:read", "invoices:all",
		"invoices:read,orders:read", "invoices\x00:read", strings.Repeat("x", 10_000),
	} {
		_, err := ParseScopes([]string{"orders:read", bad})
		var scope *ScopeError
		if !errors.As(err, &scope) || scope.Scope != bad {
			t.Errorf("%.40q: error %v", bad, err)
			continue
		}
		text := err.Error()
		if len(text) > 600 || !strings.Contains(text, "cashAccount") || !strings.Contains(text, "export") {
			t.Errorf("%.40q: the error does not list what is allowed: %s", bad, text)
		}
		if strings.Contains(text, "* stands for") || !strings.Contains(text, "as in invoices:* for each action, or *:read for each resource") {
			t.Errorf("%.40q: the error reads as if * alone were a scope: %s", bad, text)
		}
		if diff := cmp.Diff(AllScopes().List(), scope.Allowed()); diff != "" {
			t.Errorf("%.40q:\n%s", bad, diff)
		}
	}
}

// Keys of B get the resources B serves, whatever way they are asked for.
func TestParseKeyScopes(t *testing.T) {
	for _, wild := range []string{"all", "*:*"} {
		if got, err := ParseKeyScopes([]string{wild}); err != nil || got != KeyScopes() {
			t.Errorf("%s: %v, %v", wild, got, err)
		}
	}
	got, err := ParseKeyScopes([]string{"*:export"})
	want := []string{"bank:export", "cashAccount:export", "companies:export", "contacts:export", "inventory:export", "invoices:export", "opportunities:export", "orders:export", "products:export", "quotes:export", "shipments:export"}
	if diff := cmp.Diff(want, got.List()); err != nil || diff != "" {
		t.Errorf("*:export: %v\n%s", err, diff)
	}
	for _, bad := range []string{"users:read", "settings:*", "webhooks:create", "audit:read"} {
		_, err := ParseKeyScopes([]string{bad})
		var scope *ScopeError
		if !errors.As(err, &scope) || strings.Contains(strings.ReplaceAll(err.Error(), bad, ""), "settings") {
			t.Errorf("%s: error %v", bad, err)
		}
	}
}

func TestHas(t *testing.T) {
	s, err := ParseScopes([]string{"invoices:read", "orders:*"})
	if err != nil {
		t.Fatal(err)
	}
	held := []string{"invoices:read", "orders:create", "orders:delete", "orders:export", "orders:read", "orders:update"}
	for _, scope := range AllScopes().List() {
		if s.Has(scope) != slices.Contains(held, scope) {
			t.Errorf("%s: %v", scope, s.Has(scope))
		}
	}
	for _, scope := range []string{"", ":", "*:read", "invoices:*", "all", "invoices", "invoices:", ":read", "invoices:read:", "bills:read"} {
		if AllScopes().Has(scope) {
			t.Errorf("%q is held, but is no plain scope", scope)
		}
	}
}

func anyScopes() *rapid.Generator[Scopes] {
	return rapid.Custom(func(t *rapid.T) Scopes {
		// Few or many words, wildcards included, so that String meets them all.
		words := append(AllScopes().List(), "all", "*:read", "*:export", "bank:*", "users:*")
		s, err := ParseScopes(rapid.SliceOfN(rapid.SampledFrom(words), 0, 40).Draw(t, "words"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

func TestScopesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyScopes().Draw(t, "a"), anyScopes().Draw(t, "b")
		both := a.Intersect(b)
		for _, scope := range AllScopes().List() {
			if both.Has(scope) != (a.Has(scope) && b.Has(scope)) {
				t.Fatalf("%s: %v in both, %v and %v apart", scope, both.Has(scope), a.Has(scope), b.Has(scope))
			}
		}
		roundTrip(t, a)
		if a.Empty() != (len(a.List()) == 0) {
			t.Fatalf("empty: %v, list %v", a.Empty(), a.List())
		}
	})
}

// roundTrip checks that both spellings of a set read back as the set.
func roundTrip(t interface{ Fatalf(string, ...any) }, s Scopes) {
	long, err1 := ParseScopes(s.List())
	short, err2 := ParseScopes(strings.Fields(s.String()))
	if err1 != nil || err2 != nil || long != s || short != s {
		t.Fatalf("%v reads back as %v (%v) and %v (%v)", s.List(), long, err1, short, err2)
	}
}

func FuzzParseScopes(f *testing.F) {
	for _, seed := range []string{"", "all", "invoices:*", "*:read bank:update", "*:*", "x:y", ":", "invoices:read\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseScopes(strings.Fields(text))
		if err != nil {
			if s != (Scopes{}) || !strings.Contains(err.Error(), "is not allowed") {
				t.Fatalf("%q: %v, %v", text, s, err)
			}
			return
		}
		roundTrip(t, s)
	})
}

func BenchmarkHas(b *testing.B) {
	s := KeyScopes()
	b.ReportAllocs()
	for b.Loop() {
		if !s.Has("cashAccount:export") {
			b.Fatal("not held")
		}
	}
}
