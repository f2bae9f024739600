package server_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// sampleOf names the records that paths lead to, by the word before the id. A new
// resource needs its line here and in furnish: the walk says so.
var sampleOf = map[string]string{
	"companies": "company", "contacts": "contact", "opportunities": "opportunity", "quotes": "quote", "orders": "order", "shipments": "shipment", "products": "product", "invoices": "invoice",
	"warehouses": "warehouse", "inventory": "product", "movements": "movement", "counts": "count",
	"bank-accounts": "bank", "cash-accounts": "cash", "payments": "payment", "transfers": "transfer", "webhooks": "webhook", "sessions": "session", "api-keys": "userkey",
}

// keyOf is what stands in a path where no record's id does.
var keyOf = map[string]string{"{taxNumber}": "9205121120"}

// withID tells whether the path leads to a record.
func (op *operation) withID() bool {
	parts := strings.Split(op.Path, "/")
	return slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, "{") && keyOf[p] == "" })
}

// onB tells whether the operation is Interface B's.
func (op *operation) onB() bool { return strings.HasPrefix(op.Path, "/api/v1/") }

// bodyOf is a body that each path takes, by its last word that is no id.
var bodyOf = map[string]string{
	"companies":           `{"name":"Ada Ltd"}`,
	"contacts":            `{"companyId":"{company}","firstName":"Ayşe"}`,
	"opportunities":       `{"companyId":"{company}","name":"Yeni mağaza"}`,
	"quotes":              `{"companyId":"{company}","lines":[{"productId":"{product}","name":"Defter","quantity":"1","unitPrice":"10","vatRate":"20"}]}`,
	"orders":              `{"companyId":"{company}","lines":[{"productId":"{product}","name":"Defter","quantity":"1","unitPrice":"10","vatRate":"20"}],"plannedShipments":[{"date":"2026-12-01","lines":[{"line":1,"quantity":"1"}]}]}`,
	"ship":                `{"lines":[{"line":1}],"carrier":{"name":"Hızlı Kargo","taxNumber":"9205121120"},` + shipBody[1:],
	"return":              `{"lines":[{"line":1}]}`,
	"receipt":             `{receipt}`,
	"shipments":           `{"carrier":{"name":"Hızlı Kargo","taxNumber":"9205121120"},` + shipBody[1:],
	"lose":                `{"lostReason":"fiyat"}`,
	"reject":              `{"reason":"fiyat"}`,
	"products":            `{"name":"Defter","prices":[{"currency":"USD","salePrice":"1"}]}`,
	"warehouses":          `{"name":"Depo"}`,
	"adjust":              `{"productId":"{product}","quantity":1,"reason":"CORRECTION"}`,
	"receipts":            `{"lines":[{"productId":"{product}","quantity":1,"unitCost":2}]}`,
	"issues":              `{"lines":[{"productId":"{product}","quantity":1}]}`,
	"counts":              `{"lines":[{"productId":"{product}"}]}`,
	"invoices":            `{"companyId":"{company}","lines":[{"productId":"{product}","name":"Defter","quantity":"1","unitPrice":"10","vatRate":"20"}]}`,
	"bank-accounts":       `{"name":"Vadesiz"}`,
	"cash-accounts":       `{"name":"Kasa"}`,
	"{id}/payments":       `{"accountId":"{bank}","amount":"1"}`,
	"allocate":            `{"allocations":[{"invoiceId":"{invoice}","amount":"1"}]}`,
	"payments":            `{"companyId":"{company}","accountId":"{bank}","direction":"IN","amount":"1"}`,
	"inventory/transfers": `{"fromWarehouseId":"{warehouse}","toWarehouseId":"{depot}","lines":[{"productId":"{product}","quantity":1}]}`,
	"transfers":           `{"fromAccountId":"{bank}","toAccountId":"{cash}","amount":"1"}`,
	"webhooks":            `{"event":"order.*","url":"{hook}/walk"}`,
	"bulk":                `{"items":[]}`,
	"tenant":              `{"name":"Örnek Ticaret A.Ş.","taxNumber":"1234567890","taxOffice":"Kadıköy","address":"Deneme Caddesi 5","district":"Kadıköy","city":"İstanbul","senderAlias":"urn:mail:defaultgb@one.example","series":{"E_FATURA":"EFA"}}`,
	"login":               `{"email":"master@two.example","password":"{password}"}`,
	"refresh":             `{"refreshToken":"none"}`,
	"api-key":             `{"name":"walk"}`,
	"imports":             "name\nDefter\n",
}

// furnish gives both accounts one record of each kind, called {company} for the
// first and {company2} for the second.
func (f *fixture) furnish() {
	f.t.Helper()
	f.refuse(refusedBuyer)
	for _, who := range []struct{ as, suffix, mark string }{{"one", "", f.vars["mark"]}, {"two", "2", ""}} {
		f.as = who.as
		set := func(name, id string) string { f.vars[name+who.suffix] = id; return id }
		set("webhook", f.made("/api/webhooks", `{"event":"*","url":"{hook}/`+who.as+`","secret":"{secret}"}`))
		company := set("company", f.made("/api/companies", `{"name":"Ada `+who.mark+`","code":"ADA`+who.mark+`","notes":"`+who.mark+`","taxNumber":"9205121120","city":"Ankara","district":"Çankaya"}`))
		buyer := set("buyer", f.made("/api/companies", `{"name":"Bora `+who.mark+`","taxNumber":"`+trade.CompleteVKN("456789123")+`","city":"Ankara","district":"Çankaya"}`)) // which the walk leaves as it is
		set("shut", f.made("/api/companies", `{"name":"Cem `+who.mark+`","taxNumber":"`+refusedBuyer+`","city":"Ankara","district":"Çankaya"}`))
		product := set("product", f.made("/api/products", `{"name":"Defter `+who.mark+`","code":"DEF`+who.mark+`","salePrice":"10"}`))
		set("warehouse", f.made("/api/warehouses", `{"name":"Merkez `+who.mark+`"}`))
		set("depot", f.made("/api/warehouses", `{"name":"Depo `+who.mark+`"}`))
		set("movement", f.made("/api/inventory/adjust", `{"productId":"`+product+`","quantity":1000,"reason":"OPENING","note":"`+who.mark+`"}`))
		guarded := set("guarded", f.made("/api/products", `{"name":"Defter `+who.mark+`","salePrice":"10","minimumPrice":"8"}`)) // which the walk leaves as it is
		f.made("/api/inventory/adjust", `{"productId":"`+guarded+`","quantity":100000,"reason":"OPENING"}`)
		counted := set("counted", f.made("/api/warehouses", `{"name":"Sayılan `+who.mark+`"}`)) // by the sample alone: what is on one sheet is on no other
		set("count", f.made("/api/inventory/counts", `{"warehouseId":"`+counted+`","notes":"`+who.mark+`"}`))
		set("contact", f.made("/api/contacts", `{"companyId":"`+company+`","firstName":"Ayşe","lastName":"`+who.mark+`"}`))
		set("opportunity", f.made("/api/opportunities", `{"companyId":"`+company+`","name":"Yeni mağaza `+who.mark+`"}`))
		set("quote", f.made("/api/quotes", `{"companyId":"`+company+`","notes":"`+who.mark+`","lines":[{"productId":"`+product+`","quantity":1}]}`))
		set("order", f.made("/api/orders", `{"companyId":"`+company+`","notes":"`+who.mark+`","lines":[{"productId":"`+product+`","quantity":1}]}`))
		set("receipt", f.receiptOf(set("shipment", f.shipped(company, product, who.mark))))
		set("invoice", f.made("/api/invoices", `{"companyId":"`+company+`","notes":"`+who.mark+`","lines":[{"productId":"`+product+`","quantity":1}]}`))
		bank := set("bank", f.made("/api/bank-accounts", `{"name":"Vadesiz `+who.mark+`","bankName":"Ziraat"}`))
		cash := set("cash", f.made("/api/cash-accounts", `{"name":"Kasa `+who.mark+`"}`))
		set("payment", f.made("/api/payments", `{"companyId":"`+buyer+`","accountId":"`+bank+`","direction":"IN","amount":10,"notes":"`+who.mark+`"}`))
		set("transfer", f.made("/api/transfers", `{"fromAccountId":"`+bank+`","toAccountId":"`+cash+`","amount":10,"notes":"`+who.mark+`"}`))
		set("userkey", f.made("/api/auth/api-key", `{"name":"Köprü `+who.mark+`"}`))
		set("session", f.tried("GET /api/auth/sessions", 200).part("data[0].id"))
	}
	f.as = "one"
}

// shipped is the id of a shipment of one piece.
func (f *fixture) shipped(company, product, notes string) string {
	f.t.Helper()
	order := f.made("/api/orders", `{"companyId":"`+company+`","notes":"`+notes+`","lines":[{"productId":"`+product+`","quantity":1}]}`)
	f.tried("POST /api/orders/"+order+"/confirm", 200)
	return f.ask("POST /api/orders/"+order+"/ship", strings.Replace(shipBody, "{", `{"notes":"`+notes+`",`, 1), "").part("id")
}

// shipBody ships all of an order.
const shipBody = `{"plate":"34 ABC 123","drivers":[{"firstName":"Ali","lastName":"Veli","nationalId":"10000000146"}],"deliveryAddress":{"city":"Ankara","district":"Çankaya","postalCode":"06690"}}`

// target is the path of an operation with an id in it: of a sample, whose name
// ends in whose, or the given one.
func (f *fixture) target(op *operation, whose, id string) string {
	f.t.Helper()
	parts := strings.Split(op.Path, "/")
	for i, p := range parts {
		if !strings.HasPrefix(p, "{") {
			continue
		}
		if parts[i] = keyOf[p]; parts[i] != "" {
			continue
		}
		sample := f.vars[sampleOf[parts[i-1]]+whose]
		if sample == "" {
			f.t.Fatalf("%s: the walk has no sample of %s", op.Path, parts[i-1])
		}
		if parts[i] = id; id == "" {
			parts[i] = sample
		} else if strings.HasPrefix(id, "_") { // an id of that kind that nobody has
			parts[i] = sample[:3] + id
		}
	}
	return strings.Join(parts, "/")
}

const nobodys = "_01hzzzzzzzzzzzzzzzzzzzzzzz"

// body is one that an operation takes, "" for none.
func (f *fixture) body(op *operation) string {
	f.t.Helper()
	properties, _ := op.Body["properties"].(schema)
	if len(properties) == 0 && !op.File {
		return ""
	}
	words := strings.FieldsFunc(op.Path, func(r rune) bool { return r == '/' })
	word := words[len(words)-1]
	if both := words[len(words)-2] + "/" + word; bodyOf[both] != "" {
		return bodyOf[both]
	}
	if strings.HasPrefix(word, "{") {
		word = words[len(words)-2]
	}
	if bodyOf[word] == "" {
		f.t.Fatalf("%s: the walk has no body for %s", op.Path, word)
	}
	return bodyOf[word]
}

// call is what each step of the walk sends.
func (f *fixture) call(op *operation, path, headers string) response {
	f.t.Helper()
	if op.Method == http.MethodPut || op.Method == http.MethodPatch {
		headers = "If-Match: *\n" + headers
	}
	if op.ID == "inventory.counts.create" {
		f.uncount()
	}
	query, media := op.file()
	return f.ask(op.Method+" "+path+query, f.body(op), media+"\n"+headers)
}

// uncount cancels the sheets that are open in the default warehouse: a product is on one
// open sheet at a time.
func (f *fixture) uncount() {
	f.t.Helper()
	f.write(store.Who{Tenant: f.one.tenant, Actor: "operator"}, func(tx *store.Tx) error {
		page, err := store.Counts.List.Page(&tx.View, trade.Query{Limit: 200, Status: "OPEN", Where: map[string]string{"warehouseId": f.vars["warehouse"]}}, []byte{'['})
		if err != nil {
			return err
		}
		var open []trade.Count
		if err := json.Unmarshal(append(page.Docs, ']'), &open); err != nil {
			return err
		}
		for _, c := range open {
			if _, err := tx.CancelCount(c.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// file is what an operation wants beside its file: parameters and a media type.
func (op *operation) file() (query, media string) {
	switch {
	case !op.File:
		return "", ""
	case strings.HasSuffix(op.Path, "/receipt"):
		return "", asXML
	}
	return "?resource=products", asCSV
}

// TestWalk goes over every route of both descriptions.
func TestWalk(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.plan("unlimited")
	f.furnish()
	operations := f.operations()
	withID := 0
	for _, op := range operations {
		if op.withID() {
			withID++
		}
		f.run(op.Method+" "+op.Path, func() {
			f.stranger(op)
			f.elsewhere(op)
			f.nobody(op)
			f.refusedBodies(op)
			f.unheard(op)
			if op.Method == http.MethodGet {
				f.headLikeGet(op)
			}
		})
	}
	f.run("what is no id waits for no change", func() {
		f.unwritten(func() {
			for _, op := range operations {
				if op.withID() {
					f.call(op, f.target(op, "", "x"), "")
				}
			}
		})
	})
	f.run("H2 H3 methods", func() { f.methods(operations) })
	f.run("K3 scopes", func() { f.scopes(operations) })
	f.run("K3 scopes of what is touched", func() { f.touching(operations) })
	f.run("TI1 another account's id", func() { f.foreignIDs(operations) })
	t.Logf("%d routes, %d of them with an id", len(operations), withID)
}

// nobody asks for ids that no record has, and for what is no id. Each answer names the kind of record, in its own language.
func (f *fixture) nobody(op *operation) {
	f.t.Helper()
	if !op.withID() {
		return
	}
	kinds := map[string]bool{}
	for _, id := range []string{nobodys, "x", "cmp_", strings.Repeat("a", 30), "%20", strings.ToUpper("cmp" + nobodys), "..%2fx", "%F0%9F%98%80"} {
		path := f.target(op, "", id)
		res := f.call(op, path, "")
		if res.status != 404 || res.part("code") != string(trade.RecordNotFound) {
			f.t.Errorf("%s: %d %s", id, res.status, res.body)
		}
		is, _ := strings.CutSuffix(res.part("message"), " was not found.")
		ne, ok := strings.CutSuffix(f.call(op, path, "Accept-Language: tr").part("message"), " bulunamadı.")
		if !ok || is == "record" || is == ne && is != "webhook" {
			f.t.Errorf("%s: %s, %s", id, is, ne)
		}
		kinds[is] = true
	}
	if len(kinds) != 1 {
		f.t.Errorf("it has names: %v", kinds)
	}
}

func (f *fixture) headLikeGet(op *operation) {
	f.t.Helper()
	path := f.target(op, "", "")
	get, head := f.ask("GET "+path, "", "Accept-Encoding: identity"), f.ask("HEAD "+path, "", "Accept-Encoding: identity")
	for _, h := range []http.Header{get.header, head.header} {
		for _, own := range []string{"Date", "X-Request-Id"} {
			h.Del(own)
		}
	}
	if get.status != 200 || head.status != 200 || len(head.body) > 0 || fmt.Sprint(get.header) != fmt.Sprint(head.header) {
		f.t.Errorf("GET %d %v\nHEAD %d %v", get.status, get.header, head.status, head.header)
	}
}

// methods asks every path for what it does not have.
func (f *fixture) methods(operations []*operation) {
	f.t.Helper()
	allowed := map[string][]string{}
	for _, op := range operations {
		path := f.target(op, "", nobodys)
		allowed[path] = append(allowed[path], op.Method)
	}
	for path, has := range allowed {
		var list []string
		for _, m := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
			if slices.Contains(has, m) || m == "HEAD" && slices.Contains(has, "GET") {
				list = append(list, m)
			}
		}
		allow := strings.Join(append(list, "OPTIONS"), ", ")
		f.row(row{"", "OPTIONS " + path, "", "", 204, "", []string{"header Allow = " + allow, "body ="}})
		for _, m := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "FOO"} {
			if !slices.Contains(has, m) {
				f.row(row{"", m + " " + path, "", "", 405, trade.MethodNotAllowed, []string{"header Allow = " + allow}})
			}
		}
	}
}

// scopes gives a key each single scope that any route asks for, and goes over all
// routes with it: only those of that scope open.
func (f *fixture) scopes(operations []*operation) {
	f.t.Helper()
	names := map[string]bool{}
	for _, op := range operations {
		names[op.Scope] = true
	}
	delete(names, "")
	for scope := range names {
		key := f.keysFor(scope)
		for _, op := range operations {
			headers := key(op)
			if op.Scope == "" || headers == "" {
				continue
			}
			res, more := f.call(op, f.target(op, "", nobodys), headers), beyondScope[op.Method+" "+op.Path]
			switch {
			case op.Scope == scope && more != "":
				if res.status != 403 || res.part("code") != string(more) {
					f.t.Errorf("%s %s with no more than %s: %d %s", op.Method, op.Path, scope, res.status, res.body)
				}
			case op.Scope != scope && (res.status != 403 || res.part("code") != string(trade.InsufficientScope) || !strings.Contains(res.part("message"), op.Scope)):
				f.t.Errorf("%s %s with %s: %d %s", op.Method, op.Path, scope, res.status, res.body)
			case op.Scope == scope && res.status >= 300 && !(res.status == 404 && strings.Contains(op.Path, "{")):
				f.t.Errorf("%s %s with its scope %s: %d %s", op.Method, op.Path, scope, res.status, res.body)
			}
		}
	}
}

// beyondScope are the operations that a scope alone does not allow, and why: a key makes no
// keys, a webhook hears only what its maker may read (testdata/http/keys.txt), and what a
// company's statement tells of has scopes of its own.
var beyondScope = map[string]trade.Code{
	"POST /api/auth/api-key": trade.SessionRequired, "POST /api/webhooks": trade.InsufficientScope,
	"GET /api/companies/{id}/statement": trade.InsufficientScope, "GET /api/v1/companies/{id}/statement": trade.InsufficientScope,
}

// keyFor makes a key with some scopes for each interface; "" where B has no such
// scope.
func (f *fixture) keyFor(scopes ...string) (a, b string) {
	f.t.Helper()
	set, err := auth.ParseScopes(scopes)
	if err != nil {
		f.t.Fatal(err)
	}
	f.write(store.Who{Tenant: f.one.tenant, Actor: "operator"}, func(tx *store.Tx) (err error) {
		name := strings.Join(scopes, " ")
		if _, a, err = tx.CreateKey(store.UserKey, name, set, 0, 0); err == nil && set.Intersect(auth.KeyScopes()) == set {
			_, b, err = tx.CreateKey(store.LiveKey, name, set, 0, 0)
		}
		return err
	})
	return a, b
}

// keysFor makes such keys and tells the headers by which an operation is called with
// them, "" where there is no key.
func (f *fixture) keysFor(scopes ...string) func(*operation) string {
	f.t.Helper()
	a, b := f.keyFor(scopes...)
	return func(op *operation) string {
		switch {
		case !op.onB():
			return "Authorization: Bearer " + a + "\nX-User-Id: {user}"
		case b == "":
			return ""
		}
		return "X-Api-Key: " + b
	}
}
