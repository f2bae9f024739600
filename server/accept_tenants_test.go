package server_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"esnaf/store/trade"
)

// foreignIDs calls every route that has an id with one of the other account
// (TI1): A says so, B does not know it, and nothing that the other account can read
// changes.
func (f *fixture) foreignIDs(operations []*operation) {
	f.t.Helper()
	theirs := func() string {
		f.as = "two"
		defer func() { f.as = "one" }()
		var all strings.Builder
		for _, op := range operations {
			if op.Method == http.MethodGet && !op.Public && !strings.HasPrefix(op.Path, "/api/v1/") {
				all.Write(f.tried("GET "+f.target(op, "2", ""), 200).body)
			}
		}
		return all.String()
	}
	before := theirs()
	for _, op := range operations {
		if !op.withID() {
			continue
		}
		res := f.call(op, f.target(op, "2", ""), "")
		if strings.HasPrefix(op.Path, "/api/v1/") {
			nowhere := f.call(op, f.target(op, "2", nobodys), "")
			if res.status != 404 || unnamed(res) != unnamed(nowhere) {
				f.t.Errorf("%s %s: %d %s, but an unknown id gives %s", op.Method, op.Path, res.status, res.body, nowhere.body)
			}
		} else if res.status != 403 || res.part("code") != string(trade.CrossTenant) {
			f.t.Errorf("%s %s: %d %s", op.Method, op.Path, res.status, res.body)
		}
	}
	if after := theirs(); after != before {
		f.t.Errorf("something of the other account has changed:\n%s\n%s", before, after)
	}
}

var ownID = regexp.MustCompile(`"requestId":"[^"]*"`)

// unnamed is a body without the request's own id.
func unnamed(res response) string { return ownID.ReplaceAllString(string(res.body), "") }

const mark = "KANARYA"

// TestTenants is the rest of group TI.
func TestTenants(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.plan("unlimited")
	f.vars["mark"] = mark
	f.furnish()
	f.rows(foreignReferences)
	f.run("TI2 no row", func() {
		if n := f.count("/api/invoices"); n != 1 {
			f.t.Errorf("%d invoices", n)
		}
	})
	f.run("TI4 codes are each account's own", func() {
		f.as = "two"
		f.made("/api/companies", `{"name":"a","code":"ADA`+mark+`"}`)
		f.made("/api/products", `{"name":"a","code":"DEF`+mark+`"}`)
		f.row(row{"", "POST /api/companies", `{"name":"b","code":"ADA` + mark + `"}`, "", 409, trade.Duplicate, []string{"body lacks " + mark}})
		f.as = "one"
	})
	f.run("TI2 every reference", f.foreignFields)
	f.run("TI3 nothing of one is seen by the other", f.canary)
	f.run("TI3 nor heard", func() {
		f.drain()
		for _, e := range f.events {
			own, other := f.one.tenant, f.two.tenant
			if e.path == "/two" {
				own, other = other, own
			}
			if body := string(e.body); !strings.Contains(body, own) || strings.Contains(body, other) {
				f.t.Errorf("%s heard %s", e.path, body)
			}
		}
		if len(f.events) < 6 {
			f.t.Errorf("only %d events", len(f.events))
		}
	})
}

var foreignReferences = []row{
	{"TI2 companyId", "POST /api/invoices", `{"companyId":"{company2}","lines":[{"name":"a","quantity":1,"unitPrice":1,"vatRate":20}]}`, "", 403, trade.CrossTenant, []string{`errors[0].field = "companyId"`}},
	{"TI2 productId", "POST /api/invoices", `{"companyId":"{company}","lines":[{"name":"a","quantity":1,"unitPrice":1,"vatRate":20},{"productId":"{product2}","quantity":1}]}`, "", 403, trade.CrossTenant, []string{`errors[0].field = "lines[1].productId"`}},
	{
		"TI2 both, and another fault", "POST /api/invoices", `{"companyId":"{company2}","currency":"XXX1","lines":[{"productId":"{product2}","quantity":0}]}`, "", 403, trade.CrossTenant,
		[]string{`errors[0].field = "companyId"`, `errors[1].field = "lines[0].productId"`, "body has lines[0].quantity", "body has currency"},
	},
	{"TI2 warehouses", "POST /api/orders", `{"companyId":"{company}","warehouseId":"{warehouse2}","lines":[{"productId":"{product}","quantity":1,"warehouseId":"{warehouse2}"}]}`, "", 403, trade.CrossTenant, []string{`errors[0].field = "warehouseId"`, `errors[1].field = "lines[0].warehouseId"`}},
	{"TI2 stock", "POST /api/inventory/adjust", `{"productId":"{product2}","warehouseId":"{warehouse2}","quantity":1,"reason":"FOUND"}`, "", 403, trade.CrossTenant, []string{`errors[0].field = "productId"`, `errors[1].field = "warehouseId"`}},
	{"TI2 stock on B", "POST /api/v1/inventory/receipts", `{"warehouseId":"{warehouse2}","lines":[{"productId":"{product2}","quantity":1}]}`, "", 422, trade.ValidationFailed, []string{`errors[0].code = "not_found"`, `errors[1].code = "not_found"`}},
	{"TI2 in a change", "PUT /api/invoices/{invoice}", `{"companyId":"{company2}","lines":[{"name":"a","quantity":1,"unitPrice":1,"vatRate":20}]}`, "If-Match: *", 403, trade.CrossTenant, nil},
	{"TI2 nobody's", "POST /api/invoices", `{"companyId":"cmp_01hzzzzzzzzzzzzzzzzzzzzzzz","lines":[{"name":"a","quantity":1,"unitPrice":1,"vatRate":20}]}`, "", 422, trade.ValidationFailed, []string{`errors[0].code = "not_found"`}},
	{"TI2 as a filter", "GET /api/invoices?companyId={company2}", "", "", 200, "", []string{"data = []"}},
	{"A3 a header", "GET /api/companies", "", "X-Tenant-Id: {tenant2}", 403, trade.CrossTenant, nil},
	{"A3 a parameter", "GET /api/companies?tenantId={tenant2}", "", "", 403, trade.CrossTenant, nil},
	{"A3 on B", "GET /api/v1/companies?tenantId={tenant2}", "", "", 404, trade.RecordNotFound, nil},
	{"A3 a member", "PUT /api/companies/{company}", `{"name":"a","tenantId":"{tenant2}"}`, "If-Match: *", 403, trade.CrossTenant, nil},
	{"A3 one's own", "GET /api/companies?tenantId={tenant}", "", "X-Tenant-Id: {tenant}", 200, "", nil},
}

// theirs are the other account's records that the references of bodies could lead to.
var theirs = map[string]string{
	"companyId": "company2", "contactId": "contact2", "opportunityId": "opportunity2", "quoteId": "quote2", "productId": "product2", "invoiceId": "invoice2",
	"orderId": "order2", "shipmentId": "shipment2", "warehouseId": "warehouse2", "fromWarehouseId": "warehouse2", "toWarehouseId": "warehouse2",
	"accountId": "bank2", "paymentId": "payment2", "fromAccountId": "bank2", "toAccountId": "cash2",
	"externalId": "", "tenantId": "", "ownerId": "", "nationalId": "", // lead to no record
}

// foreignFields puts the other account's ids in every reference of every body: A says
// so, B does not know them, and nothing comes of it.
func (f *fixture) foreignFields() {
	asked := 0
	for _, op := range f.operations() {
		if op.File || f.body(op) == "" || strings.HasSuffix(op.Path, "/bulk") {
			continue
		}
		restore := f.stage(op)
		own, _ := fields(op.Body, "")
		for _, field := range own {
			name := field[strings.LastIndex(field, ".")+1:]
			if !strings.HasSuffix(name, "Id") {
				continue
			}
			sample, known := theirs[name]
			if !known {
				f.t.Errorf("%s %s: the test must know where %s leads", op.Method, op.Path, field)
			}
			if sample == "" {
				continue
			}
			before := f.state(op)
			f.vars["body"] = f.spoiledBody(op, `"{`+sample+`}"`, []string{field})
			res := f.ask(op.Method+" "+f.target(op, "", ""), "{body}", "If-Match: *")
			asked++
			status, code := 403, trade.CrossTenant
			if op.onB() {
				status, code = 422, trade.RecordNotFound
			}
			if res.status != status || !names(res, field) || !strings.Contains(string(res.body), `"`+string(code)+`"`) || f.state(op) != before {
				f.t.Errorf("%s %s with their %s: %d %s", op.Method, op.Path, field, res.status, res.body)
			}
		}
		restore()
	}
	f.t.Logf("%d requests", asked)
}

// canary has the second account read all it can in every way there is, and looks
// for what only the first one has.
func (f *fixture) canary() {
	all, err := contracts()
	if err != nil {
		f.t.Fatal(err)
	}
	secrets := []string{f.one.tenant, f.one.user, "one.example"}
	for _, sample := range sampleOf {
		secrets = append(secrets, f.vars[sample])
	}
	f.as = "one"
	if !strings.Contains(string(f.tried("GET /api/companies?q="+mark, 200).body), mark) {
		f.t.Fatal("the first account does not find its own")
	}
	f.as = "two"
	asked := 0
	for _, c := range all {
		for _, op := range c.operations {
			if op.Method != http.MethodGet || op.Public {
				continue
			}
			queries := []string{""}
			for name, value := range map[string]string{
				"q": mark, "includeDeleted": "true", "page": "1", "sort": "-updatedAt", "companyId": f.vars["company"], "updatedSince": "2020-01-01T00:00:00Z", "limit": "200", "status": "DRAFT",
			} {
				if op.Query[name] {
					queries = append(queries, "?"+name+"="+value)
				}
			}
			for _, q := range queries {
				res := f.ask("GET "+f.target(op, "2", "")+q, "", "")
				asked++
				for _, s := range secrets {
					if strings.Contains(string(res.body), s) {
						f.t.Errorf("GET %s%s shows %s: %s", op.Path, q, s, res.body)
					}
				}
				if own := "ADA" + mark; strings.Contains(strings.ReplaceAll(strings.ReplaceAll(string(res.body), own, ""), "DEF"+mark, ""), mark) {
					f.t.Errorf("GET %s%s shows the mark: %s", op.Path, q, res.body)
				}
			}
		}
	}
	f.t.Logf("%d requests", asked)
	f.as = "one"
}
