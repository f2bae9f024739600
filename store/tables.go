package store

import (
	"strings"

	"esnaf/store/trade"
)

// The tables of records.
var (
	Companies = table(Table[trade.Company, *trade.Company]{
		Name: "companies", One: "company", Prefix: "cmp",
		Tells:  Tells{trade.EventCompanyCreated, trade.EventCompanyUpdated, trade.EventCompanyDeleted},
		Cols:   []string{"code", "name_key"},
		Vals:   func(c *trade.Company) []any { return []any{c.Code, trade.SortKey(c.Name)} },
		Search: (*trade.Company).SearchText, Unique: map[string]string{"code": "code"},
		List: ListRules{Sorts: named()},
	})
	Products = table(Table[trade.Product, *trade.Product]{
		Name: "products", One: "product", Prefix: "prd",
		Tells:  Tells{trade.EventProductCreated, trade.EventProductUpdated, trade.EventProductDeleted},
		Cols:   []string{"code", "name_key"},
		Vals:   func(p *trade.Product) []any { return []any{p.Code, trade.SortKey(p.Name)} },
		Search: (*trade.Product).SearchText, Unique: map[string]string{"code": "code"},
		List: ListRules{Sorts: named()},
	})
	Invoices = table(Table[trade.Invoice, *trade.Invoice]{
		Name: "invoices", One: "invoice", Prefix: "inv",
		Cols: []string{"number", "company_id", "status", "issue_date", "total", "ettn"},
		Vals: func(v *trade.Invoice) []any {
			return []any{v.Number, v.CompanyID, string(v.Status), string(v.IssueDate), int64(v.Total), v.ETTN}
		},
		Search: (*trade.Invoice).SearchText,
		List: ListRules{
			Sorts:   map[string]string{"updatedAt": "updated_at", "issueDate": "issue_date", "number": "number"},
			Company: true, Status: true, Date: "issue_date",
		},
	})
	Webhooks = table(Table[trade.Webhook, *trade.Webhook]{
		Name: "webhooks", One: "webhook", Prefix: "whk",
		Cols: []string{"event", "status"},
		Vals: func(w *trade.Webhook) []any { return []any{w.Event, string(w.Status)} },
		List: ListRules{Sorts: map[string]string{"updatedAt": "updated_at"}, Status: true},
	})
	Tenants = table(Table[trade.Tenant, *trade.Tenant]{
		Name: "tenants", One: "tenant", Prefix: "ten",
		Cols: []string{"name_key"},
		Vals: func(t *trade.Tenant) []any { return []any{trade.SortKey(t.Name)} },
	})
)

// searched are the tables whose records are found by words, and their kinds in the
// index.
func searched() []struct{ name, kind string } {
	return []struct{ name, kind string }{
		{Companies.Name, Companies.Prefix},
		{Products.Name, Products.Prefix},
		{Invoices.Name, Invoices.Prefix},
	}
}

// named are the sorts of a resource with a code and a name.
func named() map[string]string {
	return map[string]string{"updatedAt": "updated_at", "code": "code", "name": "name_key"}
}

// tableOf is the table that ids with this prefix live in, "" for an unknown one.
func tableOf(id string) string {
	prefix, _, _ := strings.Cut(id, "_")
	return map[string]string{
		"cmp": "companies", "prd": "products", "inv": "invoices", "whk": "webhooks", "dlv": "deliveries", "ten": "tenants",
		"key": "keys", "ses": "sessions",
	}[prefix]
}
