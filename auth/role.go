package auth

import (
	"fmt"
	"strings"
)

// Role is what a user of Interface A is within their tenant (kullanıcı rolü).
// The text is what the API shows and the database keeps.
type Role string

// The six roles; Scopes says what each may do.
const (
	Master     Role = "MASTER"     // the tenant's owner; alone handles users, keys and settings
	Admin      Role = "ADMIN"      // everything else
	Accountant Role = "ACCOUNTANT" // invoices and money (muhasebeci)
	Sales      Role = "SALES"      // from contact to order (satış)
	Warehouse  Role = "WAREHOUSE"  // stock and dispatch (depo)
	ReadOnly   Role = "READONLY"   // looks, never touches
)

// Roles lists every role, the mightiest first.
func Roles() []Role {
	return []Role{Master, Admin, Accountant, Sales, Warehouse, ReadOnly}
}

// ParseRole reads a role exactly as it is spelled (upper case). The error names
// what was given and the roles there are.
func ParseRole(s string) (Role, error) {
	var names []string
	for _, r := range Roles() {
		if string(r) == s {
			return r, nil
		}
		names = append(names, string(r))
	}
	return "", fmt.Errorf("role %.40q is not one of %s", s, strings.Join(names, ", "))
}

// Scopes is what a role may do. A role outside the list may do
// nothing, so a damaged row locks its user out instead of letting them in.
func (r Role) Scopes() Scopes {
	var none Scopes
	switch r {
	case Master:
		return AllScopes()
	case Admin:
		return none.allow(everyResource&^(users|settings), read, create, update, remove, export)
	case Accountant:
		return none.allow(everyResource, read, export).
			allow(companies|invoices|bank|cashAccount, create, update, remove)
	case Sales:
		return none.allow(companies|contacts|opportunities|quotes|orders, read, create, update, export).
			allow(products|inventory, read)
	case Warehouse:
		return none.allow(shipments|inventory, read, create, update, remove, export).
			allow(orders, read, update).
			allow(products, read)
	case ReadOnly:
		return none.allow(everyResource, read)
	}
	return none
}
