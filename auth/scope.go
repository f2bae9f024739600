package auth

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// resources is a set of resources, one bit each; the constants are its
// one-element sets. The list is closed: a new resource is a new release.
type resources uint32

const (
	companies resources = 1 << iota
	contacts
	opportunities
	quotes
	orders
	invoices
	shipments
	products
	bank
	cashAccount
	inventory
	webhooks
	users
	audit
	settings

	everyResource = 1<<len(resourceNames) - 1

	// keyResources are what an operator's key on B may be granted. Beyond the
	// ten of the specification it takes inventory, because B serves /warehouses
	// and that path asks for it. The rest exists on A only.
	keyResources = companies | contacts | opportunities | quotes | orders |
		invoices | shipments | products | bank | cashAccount | inventory
)

// resourceNames is in the order of the bits above.
var resourceNames = [...]string{
	"companies", "contacts", "opportunities", "quotes", "orders",
	"invoices", "shipments", "products", "bank", "cashAccount",
	"inventory", "webhooks", "users", "audit", "settings",
}

// action indexes Scopes.byAction.
type action int

const (
	read action = iota
	create
	update
	remove
	export
)

// actionNames is in the order of the constants above.
var actionNames = [...]string{"read", "create", "update", "delete", "export"}

// Scopes is a set of resource:action permissions. The zero value holds none;
// values compare with ==, and a copy is independent of its source.
type Scopes struct {
	byAction [len(actionNames)]resources
}

// AllScopes holds every resource and action there is.
func AllScopes() Scopes {
	return Scopes{}.allow(everyResource, read, create, update, remove, export)
}

// KeyScopes holds all that a key of Interface B can be granted.
func KeyScopes() Scopes {
	return Scopes{}.allow(keyResources, read, create, update, remove, export)
}

func (s Scopes) allow(on resources, actions ...action) Scopes {
	for _, a := range actions {
		s.byAction[a] |= on
	}
	return s
}

// Has reports whether the set holds one plain scope such as "invoices:read".
// Wildcards and names outside the closed list are never held.
func (s Scopes) Has(scope string) bool {
	res, act, _ := strings.Cut(scope, ":")
	a := slices.Index(actionNames[:], act)
	return a >= 0 && s.byAction[a]&named(res) != 0
}

// named is the one-element set of a resource name, empty for any other name.
func named(name string) resources {
	if i := slices.Index(resourceNames[:], name); i >= 0 {
		return 1 << i
	}
	return 0
}

// Empty reports whether the set holds nothing at all.
func (s Scopes) Empty() bool { return s == Scopes{} }

// Intersect holds what both sets hold: a user's role caps a key's scopes so.
func (s Scopes) Intersect(other Scopes) Scopes {
	for a := range s.byAction {
		s.byAction[a] &= other.byAction[a]
	}
	return s
}

// List spells the set out, one plain scope an entry, sorted; never nil. This is
// the form that is stored and shown.
func (s Scopes) List() []string {
	list := []string{}
	for a, on := range s.byAction {
		for ; on != 0; on &= on - 1 {
			list = append(list, resourceNames[bits.TrailingZeros32(uint32(on))]+":"+actionNames[a])
		}
	}
	slices.Sort(list)
	return list
}

// String is the shortest spelling ParseScopes reads back, separated by single
// spaces as RFC 6749 section 3.3 has it: "all", or wildcards before what they
// do not cover. Tokens carry it, because the long form of a master's scopes
// alone would be 1.5 KB on every request.
func (s Scopes) String() string {
	if s == AllScopes() {
		return "all"
	}
	var words []string
	whole := resources(everyResource) // resources held with every action
	for a, on := range s.byAction {
		whole &= on
		if on == everyResource {
			words = append(words, "*:"+actionNames[a])
		}
	}
	rest := Scopes{}
	for a, on := range s.byAction {
		if on != everyResource {
			rest.byAction[a] = on &^ whole
		}
	}
	for i, name := range resourceNames {
		if whole&(1<<i) != 0 {
			words = append(words, name+":*")
		}
	}
	return strings.Join(append(words, rest.List()...), " ")
}

// ParseScopes reads scopes as they are given when a key, client or token is
// made: plain ones, "invoices:*", "*:read" and "all". Wildcards come back
// expanded. The error is a *ScopeError for the first scope that is not one.
func ParseScopes(names []string) (Scopes, error) {
	return parseScopes(names, everyResource)
}

// ParseKeyScopes is ParseScopes for the keys of Interface B: wildcards stop at
// what KeyScopes holds, and a scope beyond it is an error.
func ParseKeyScopes(names []string) (Scopes, error) {
	return parseScopes(names, keyResources)
}

func parseScopes(names []string, within resources) (Scopes, error) {
	var s Scopes
	for _, name := range names {
		res, act, _ := strings.Cut(name, ":")
		if name == "all" {
			res, act = "*", "*"
		}
		on := within
		if res != "*" {
			on &= named(res)
		}
		a := slices.Index(actionNames[:], act)
		switch {
		case on == 0, a < 0 && act != "*":
			return Scopes{}, &ScopeError{Scope: name, within: within}
		case act == "*":
			s = s.allow(on, read, create, update, remove, export)
		default:
			s = s.allow(on, action(a))
		}
	}
	return s, nil
}

// ScopeError says that a scope asked for is not on the closed list.
type ScopeError struct {
	Scope  string // as given
	within resources
}

// Error names the scope, cut to a printable length, and what is allowed.
func (e *ScopeError) Error() string {
	shown := e.Scope
	if len(shown) > 60 {
		shown = shown[:60] + "..."
	}
	var allowed []string
	for i, name := range resourceNames {
		if e.within&(1<<i) != 0 {
			allowed = append(allowed, name)
		}
	}
	return fmt.Sprintf("scope %q is not allowed: write resource:action, where resource is one of %s, and action one of %s; as in invoices:* for each action, or *:read for each resource; for everything write the single word all",
		shown, strings.Join(allowed, ", "), strings.Join(actionNames[:], ", "))
}

// Allowed lists the plain scopes that could have been asked for, sorted.
func (e *ScopeError) Allowed() []string {
	return Scopes{}.allow(e.within, read, create, update, remove, export).List()
}
