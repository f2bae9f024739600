package auth

import (
	"strings"
	"testing"
)

// roleTable writes the rule down a second time, by hand: which actions each
// role has on which resource, as initials (r c u d x for export).
const roleTable = `
resource      MASTER ADMIN  ACCOUNTANT SALES WAREHOUSE READONLY
companies     rcudx  rcudx  rcudx      rcux  -         r
contacts      rcudx  rcudx  rx         rcux  -         r
opportunities rcudx  rcudx  rx         rcux  -         r
quotes        rcudx  rcudx  rx         rcux  -         r
orders        rcudx  rcudx  rx         rcux  ru        r
invoices      rcudx  rcudx  rcudx      -     -         r
shipments     rcudx  rcudx  rx         -     rcudx     r
products      rcudx  rcudx  rx         r     r         r
bank          rcudx  rcudx  rcudx      -     -         r
cashAccount   rcudx  rcudx  rcudx      -     -         r
inventory     rcudx  rcudx  rx         r     rcudx     r
webhooks      rcudx  rcudx  rx         -     -         r
users         rcudx  -      rx         -     -         r
audit         rcudx  rcudx  rx         -     -         r
settings      rcudx  -      rx         -     -         r`

func TestRoleScopes(t *testing.T) {
	rows := strings.Split(strings.TrimSpace(roleTable), "\n")
	roles := strings.Fields(rows[0])[1:]
	if len(rows)-1 != len(resourceNames) || len(roles) != len(Roles()) {
		t.Fatalf("the table has %d resources and %d roles", len(rows)-1, len(roles))
	}
	initials := map[string]string{"read": "r", "create": "c", "update": "u", "delete": "d", "export": "x"}
	for _, row := range rows[1:] {
		cells := strings.Fields(row)
		for i, name := range roles {
			role, err := ParseRole(name)
			if err != nil {
				t.Fatal(err)
			}
			for action, initial := range initials {
				scope := cells[0] + ":" + action
				if want := strings.Contains(cells[i+1], initial); role.Scopes().Has(scope) != want {
					t.Errorf("%s %s: %v, want %v", name, scope, !want, want)
				}
			}
		}
	}
}

func TestParseRole(t *testing.T) {
	for _, role := range Roles() {
		if got, err := ParseRole(string(role)); got != role || err != nil {
			t.Errorf("%s: %q, %v", role, got, err)
		}
	}
	for _, bad := range []string{"", "master", "ADMIN ", "OWNER", "MASTER\n"} {
		got, err := ParseRole(bad)
		if got != "" || err == nil || !strings.Contains(err.Error(), "MASTER, ADMIN, ACCOUNTANT, SALES, WAREHOUSE, READONLY") {
			t.Errorf("%q: %q, %v", bad, got, err)
		}
		if !Role(bad).Scopes().Empty() {
			t.Errorf("%q may do %v", bad, Role(bad).Scopes())
		}
	}
}
