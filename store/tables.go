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
		Search: (*trade.Company).SearchText,
		Code:   Code[*trade.Company]{"code", "C", func(r *trade.Company) *string { return &r.Code }},
		List:   ListRules{Sorts: named()},
	})
	Products = table(Table[trade.Product, *trade.Product]{
		Name: "products", One: "product", Prefix: "prd",
		Tells:  Tells{trade.EventProductCreated, trade.EventProductUpdated, trade.EventProductDeleted},
		Joined: withStock,
		Cols:   []string{"code", "name_key", "category", "critical"},
		Vals: func(p *trade.Product) []any {
			return []any{p.Code, trade.SortKey(p.Name), p.Category, critical(p)}
		},
		Search: (*trade.Product).SearchText,
		Code:   Code[*trade.Product]{"code", "P", func(r *trade.Product) *string { return &r.Code }},
		List:   ListRules{Sorts: named(), Where: map[string]string{"category": "category"}},
	})
	Warehouses = table(Table[trade.Warehouse, *trade.Warehouse]{
		Name: "warehouses", One: "warehouse", Prefix: "whs",
		Cols:   []string{"code", "name_key", "main"},
		Vals:   func(w *trade.Warehouse) []any { return []any{w.Code, trade.SortKey(w.Name), w.Default()} },
		Search: (*trade.Warehouse).SearchText,
		Code:   Code[*trade.Warehouse]{"code", "W", func(r *trade.Warehouse) *string { return &r.Code }},
		List:   ListRules{Sorts: named()},
	})
	Movements = table(Table[trade.Movement, *trade.Movement]{
		Name: "movements", One: "movement", Path: "inventory/movements", Prefix: "mov",
		Cols: []string{"date", "product", "warehouse", "type", "source", "lot", "quantity", "held", "value", "order_id"},
		Vals: func(m *trade.Movement) []any {
			return []any{string(m.Date), m.ProductID, m.WarehouseID, string(m.Type), m.Source(), m.LotNo, int64(m.Quantity), int64(m.Held), int64(m.Value), m.OrderID}
		},
		List: ListRules{
			Sorts: map[string]string{"date": "date"}, Date: "date",
			Where: map[string]string{"productId": "product", "warehouseId": "warehouse", "type": "type", "orderId": "order_id", "shipmentId": "source"},
		},
	})
	Counts = table(Table[trade.Count, *trade.Count]{
		Name: "counts", One: "counting sheet", Path: "inventory/counts", Prefix: "cnt",
		Cols: []string{"warehouse", "status", "date"},
		Vals: func(c *trade.Count) []any { return []any{c.WarehouseID, string(c.Status), string(c.Date)} },
		List: ListRules{
			Sorts: map[string]string{"updatedAt": "updated_at", "date": "date"}, Status: true, Date: "date",
			Where: map[string]string{"warehouseId": "warehouse"},
		},
	})
	Invoices = table(Table[trade.Invoice, *trade.Invoice]{
		Name: "invoices", One: "invoice", Prefix: "inv",
		Tells: Tells{Created: trade.EventInvoiceCreated, Updated: trade.EventInvoiceUpdated},
		Cols:  []string{"number", "company_id", "status", "issue_date", "total", "ettn", "falls_due", "payment_status"},
		Vals: func(v *trade.Invoice) []any {
			return []any{v.Number, v.CompanyID, string(v.Status), string(v.IssueDate), int64(v.Total), v.ETTN, string(v.FallsDue()), string(v.PaymentStatus)}
		},
		Search: (*trade.Invoice).SearchText,
		Keeps: func(tx *Tx, v *trade.Invoice) error {
			_, err := v.Next(trade.DiscardInvoice, trade.At(tx.now))
			return err
		},
		List: ListRules{
			Sorts:   map[string]string{"updatedAt": "updated_at", "issueDate": "issue_date", "number": "number"},
			Company: true, Status: true, Date: "issue_date",
			Where: map[string]string{"paymentStatus": "payment_status"},
		},
	})
	Contacts = table(Table[trade.Contact, *trade.Contact]{
		Name: "contacts", One: "contact", Prefix: "con",
		Tells: Tells{trade.EventContactCreated, trade.EventContactUpdated, trade.EventContactDeleted},
		Cols:  []string{"company_id", "name_key", "main", "email"},
		Vals: func(c *trade.Contact) []any {
			return []any{c.CompanyID, trade.SortKey(c.Name()), c.IsPrimary, c.Email}
		},
		Search: (*trade.Contact).SearchText,
		List:   ListRules{Sorts: map[string]string{"updatedAt": "updated_at", "name": "name_key"}, Company: true},
	})
	Opportunities = table(Table[trade.Opportunity, *trade.Opportunity]{
		Name: "opportunities", One: "opportunity", Prefix: "opp",
		Tells: Tells{Created: trade.EventOpportunityCreated, Updated: trade.EventOpportunityUpdated},
		Cols:  []string{"code", "name_key", "company_id", "status"},
		Vals: func(o *trade.Opportunity) []any {
			return []any{o.Code, trade.SortKey(o.Name), o.CompanyID, string(o.Stage)}
		},
		Search: (*trade.Opportunity).SearchText,
		Code:   Code[*trade.Opportunity]{"code", "F", func(r *trade.Opportunity) *string { return &r.Code }},
		List:   ListRules{Sorts: named(), Company: true, Status: true},
	})
	Quotes = table(Table[trade.Quote, *trade.Quote]{
		Name: "quotes", One: "quote", Prefix: "quo",
		Tells: Tells{Created: trade.EventQuoteCreated},
		Cols:  []string{"number", "company_id", "status", "issue_date", "total"},
		Vals: func(q *trade.Quote) []any {
			return []any{q.Number, q.CompanyID, string(q.Status), string(q.IssueDate), int64(q.Total)}
		},
		Search: (*trade.Quote).SearchText,
		Code:   Code[*trade.Quote]{"number", "Q", func(r *trade.Quote) *string { return &r.Number }},
		Keeps:  func(tx *Tx, q *trade.Quote) error { return tx.mayQuote(q, trade.DiscardQuote) },
		List: ListRules{
			Sorts:   map[string]string{"updatedAt": "updated_at", "issueDate": "issue_date", "number": "number"},
			Company: true, Status: true, Date: "issue_date",
		},
	})
	Orders = table(Table[trade.Order, *trade.Order]{
		Name: "orders", One: "order", Prefix: "ord",
		Tells: Tells{Created: trade.EventOrderCreated},
		Cols:  []string{"number", "company_id", "status", "order_date"},
		Vals: func(o *trade.Order) []any {
			return []any{o.Number, o.CompanyID, string(o.Status), string(o.OrderDate)}
		},
		Search: (*trade.Order).SearchText,
		Code:   Code[*trade.Order]{"number", "O", func(r *trade.Order) *string { return &r.Number }},
		Keeps:  func(_ *Tx, r *trade.Order) error { _, err := r.Next(trade.DiscardOrder); return err },
		List: ListRules{
			Sorts:   map[string]string{"updatedAt": "updated_at", "orderDate": "order_date", "number": "number"},
			Company: true, Status: true, Date: "order_date",
		},
	})
	Shipments = table(Table[trade.Shipment, *trade.Shipment]{
		Name: "shipments", One: "shipment", Prefix: "shp",
		Tells: Tells{Created: trade.EventShipmentCreated},
		Cols:  []string{"number", "company_id", "status", "despatch_date", "printed"},
		Vals: func(s *trade.Shipment) []any {
			return []any{s.Number, s.CompanyID, string(s.Status), string(s.DespatchDate), s.Printed.Key()}
		},
		Search: (*trade.Shipment).SearchText,
		List: ListRules{
			Sorts:   map[string]string{"updatedAt": "updated_at", "despatchDate": "despatch_date", "number": "number"},
			Company: true, Status: true, Date: "despatch_date",
		},
	})
	BankAccounts = table(Table[trade.BankAccount, *trade.BankAccount]{
		Name: "bank_accounts", One: "bank account", Path: "bank-accounts", Prefix: "bnk", Joined: withBalance,
		Cols:   []string{"code", "name_key"},
		Vals:   func(a *trade.BankAccount) []any { return []any{a.Code, trade.SortKey(a.Name)} },
		Search: (*trade.BankAccount).SearchText,
		Code:   Code[*trade.BankAccount]{"code", "B", func(r *trade.BankAccount) *string { return &r.Code }},
		List:   ListRules{Sorts: named()},
	})
	CashAccounts = table(Table[trade.CashAccount, *trade.CashAccount]{
		Name: "cash_accounts", One: "cash account", Path: "cash-accounts", Prefix: "csh", Joined: withBalance,
		Cols:   []string{"code", "name_key"},
		Vals:   func(a *trade.CashAccount) []any { return []any{a.Code, trade.SortKey(a.Name)} },
		Search: (*trade.CashAccount).SearchText,
		Code:   Code[*trade.CashAccount]{"code", "K", func(r *trade.CashAccount) *string { return &r.Code }},
		List:   ListRules{Sorts: named()},
	})
	Payments = table(Table[trade.Payment, *trade.Payment]{
		Name: "payments", One: "payment", Prefix: "pay",
		Cols: []string{"company_id", "status", "date", "touches"},
		Vals: func(p *trade.Payment) []any {
			return []any{p.CompanyID, string(p.Status), string(p.Date), touching(p.AccountID)}
		},
		Search: (*trade.Payment).SearchText,
		List:   ListRules{Sorts: map[string]string{"updatedAt": "updated_at", "date": "date"}, Company: true, Status: true, Date: "date"},
	})
	Transfers = table(Table[trade.Transfer, *trade.Transfer]{
		Name: "transfers", One: "transfer", Prefix: "trf",
		Cols:   []string{"date", "touches"},
		Vals:   func(t *trade.Transfer) []any { return []any{string(t.Date), touching(t.FromAccountID, t.ToAccountID)} },
		Search: (*trade.Transfer).SearchText,
		List:   ListRules{Sorts: map[string]string{"updatedAt": "updated_at", "date": "date"}, Date: "date"},
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
		{Warehouses.Name, Warehouses.Prefix},
		{Invoices.Name, Invoices.Prefix},
		{Contacts.Name, Contacts.Prefix},
		{Opportunities.Name, Opportunities.Prefix},
		{Quotes.Name, Quotes.Prefix},
		{Orders.Name, Orders.Prefix},
		{Shipments.Name, Shipments.Prefix},
		{BankAccounts.Name, BankAccounts.Prefix},
		{CashAccounts.Name, CashAccounts.Prefix},
		{Payments.Name, Payments.Prefix},
		{Transfers.Name, Transfers.Prefix},
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
		"cmp": "companies", "con": "contacts", "opp": "opportunities", "quo": "quotes", "prd": "products", "inv": "invoices", "whk": "webhooks", "dlv": "deliveries", "ten": "tenants",
		"bnk": "bank_accounts", "csh": "cash_accounts", "pay": "payments", "trf": "transfers",
		"ord": "orders", "shp": "shipments",
		"whs": "warehouses", "mov": "movements", "cnt": "counts",
		"key": "keys", "ses": "sessions",
	}[prefix]
}
