package wire_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"esnaf/auth"
	"esnaf/server/wire"
)

func document(t *testing.T, a bool) []byte {
	t.Helper()
	iface, base := byte(auth.InterfaceB), "/api/v1"
	if a {
		iface, base = auth.InterfaceA, "/api"
	}
	doc, err := wire.Document("esnaf", base, iface, routes(a))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// contract is a validator of requests and answers by the description.
func contract(t *testing.T, doc []byte) validator.Validator {
	t.Helper()
	d, err := libopenapi.NewDocument(doc)
	if err != nil {
		t.Fatal(err)
	}
	v, errs := validator.NewValidator(d)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return v
}

// TestDocumentIsValid checks both documents against OpenAPI 3.1's own schema.
func TestDocumentIsValid(t *testing.T) {
	for _, a := range []bool{true, false} {
		doc := document(t, a)
		ok, errs := contract(t, doc).ValidateDocument()
		for _, e := range errs {
			t.Errorf("%s: %s", e.Message, e.Reason)
		}
		if !ok {
			t.Fatal("not valid")
		}
		if again := document(t, a); string(again) != string(doc) {
			t.Error("the same routes give another document")
		}
	}
}

// TestAnswersKeepTheContract sends what may be sent and reads what comes back,
// both through the description.
func TestAnswersKeepTheContract(t *testing.T) {
	w := newWorld(t)
	v := contract(t, document(t, true))
	id := w.company(`{"name":"a","riskLimit":"5.00","metadata":{"k":"v"}}`)
	hook := w.do("POST", "/api/webhooks", `{"event":"*","url":"https://example.com/hook"}`).text("id")
	w.company(`{"name":"b"}`)
	for _, tt := range []struct {
		do, body, header string
		status           int
	}{
		{"GET /api/companies", "", "", 200},
		{"GET /api/companies?limit=1&page=1&includeDeleted=true", "", "", 200},
		{"GET /api/companies?limit=1", "", "", 200},
		{"GET /api/companies?sort=-name&q=a&createdFrom=2026-01-01T00:00:00Z", "", "", 200},
		{"GET /api/companies/" + id, "", "", 200},
		{"GET /api/companies/" + id, "", `If-None-Match: "1"`, 304},
		{"GET /api/companies/cmp_01hzzzzzzzzzzzzzzzzzzzzzzz", "", "", 404},
		{"POST /api/companies", `{"name":"c","riskLimit":12.5,"paymentTermDays":30,"id":"ignored"}`, "", 201},
		{"PUT /api/companies/" + id, `{"name":"d"}`, `If-Match: "1"`, 200},
		{"PUT /api/companies/" + id, `{"name":"d"}`, `If-Match: "1"`, 409},
		{"POST /api/companies/" + id + "/touch", "", "", 409},
		{"GET /api/webhooks/" + hook + "/deliveries", "", "", 200},
		{"POST /api/webhooks", `{"event":"order.*","url":"https://example.com/hook"}`, "", 201},
		{"POST /api/products", `{"name":"p","salePrice":"1.5","vatRate":10}`, "", 201},
		{"GET /api/products", "", "", 200},
		{"POST /api/auth/login", `{"email":"a@example.com"}`, "", 200},
		{"POST /api/auth/login", `{"email":"b@example.com"}`, "", 401},
		{"DELETE /api/companies/" + id, "", "", 204},
		{"GET /api/companies", "", "Authorization: Bearer " + w.t1 + " usr_busy all", 429},
		{"GET /api/companies", "", "Authorization: Bearer " + w.t1 + " usr_one products:read", 403},
	} {
		t.Run(tt.do, func(t *testing.T) {
			method, path, _ := strings.Cut(tt.do, " ")
			if ok, errs := v.ValidateHttpRequest(w.request(method, path, tt.body, tt.header)); !ok {
				t.Errorf("the request is not as described: %v", errs[0])
			}
			req := w.request(method, path, tt.body, tt.header)
			res, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != tt.status {
				t.Fatalf("%d, want %d", res.StatusCode, tt.status)
			}
			if ok, errs := v.ValidateHttpResponse(w.request(method, path, tt.body), res); !ok {
				t.Errorf("the answer is not as described: %v", errs)
			}
		})
	}
}

// described is what the tests read of a description.
type described struct {
	Paths map[string]map[string]struct {
		OperationID string `json:"operationId"`
		Summary     string
		Scope       string `json:"x-scope"`
		Tags        []string
		Security    []map[string][]string
		Parameters  []struct {
			Name     string
			Required bool
		}
		Responses map[string]any
	}
	Components struct {
		Schemas map[string]struct {
			Required             []string
			Properties           map[string]map[string]any
			AdditionalProperties *bool
			Enum                 []string
		}
	}
}

// TestDocumentTellsTheRules finds in the document what routes were given.
func TestDocumentTellsTheRules(t *testing.T) {
	var doc described
	if err := json.Unmarshal(document(t, true), &doc); err != nil {
		t.Fatal(err)
	}
	put := doc.Paths["/api/companies/{id}"]["put"]
	if put.OperationID != "companies.update" || put.Summary != "Replace one company" || put.Scope != "companies:update" || put.Tags[0] != "companies" || put.Security[0]["bearer"][0] != "companies:update" {
		t.Errorf("%+v", put)
	}
	must := map[string]bool{}
	for _, p := range put.Parameters {
		must[p.Name] = p.Required
	}
	if len(must) != 2 || !must["id"] || !must["If-Match"] || put.Responses["428"] == nil || put.Responses["409"] == nil {
		t.Errorf("%v %v", must, put.Responses)
	}
	if post := doc.Paths["/api/companies"]["post"]; !post.Parameters[0].Required || post.Parameters[0].Name != "Idempotency-Key" {
		t.Errorf("%+v", post.Parameters)
	}
	if act := doc.Paths["/api/companies/{id}/touch"]["post"]; act.OperationID != "companies.touch" || act.Summary != "Touch one company" || act.Parameters[1].Required {
		t.Errorf("%+v", act)
	}
	if login := doc.Paths["/api/auth/login"]["post"]; len(login.Security) != 1 || len(login.Security[0]) != 0 || login.Responses["401"] != nil {
		t.Errorf("%+v", login)
	}
	in, out := doc.Components.Schemas["CompanyInput"], doc.Components.Schemas["Company"]
	if strings.Join(in.Required, " ") != "name" || in.AdditionalProperties == nil || *in.AdditionalProperties || in.Properties["id"]["readOnly"] != true {
		t.Errorf("%+v", in)
	}
	if !strings.Contains(strings.Join(out.Required, " "), "version") || out.Properties["riskLimit"]["pattern"] == nil || out.Properties["type"]["enum"] == nil {
		t.Errorf("%+v", out)
	}
	if len(doc.Components.Schemas["Code"].Enum) < 60 {
		t.Error("the codes are missing")
	}

	var b map[string]any
	if err := json.Unmarshal(document(t, false), &b); err != nil {
		t.Fatal(err)
	}
	text := string(document(t, false))
	if !strings.Contains(text, `"x-api-key"`) || strings.Contains(text, `"428":`) || strings.Contains(text, "Bearer") {
		t.Error("B is described as A")
	}
}

// TestOneNameForTwoTypes refuses a description that would mix two types up.
func TestOneNameForTwoTypes(t *testing.T) {
	type Company struct {
		Other string `json:"other"`
	}
	rs := append(routes(true), wire.Plain("GET", "/other", "", wire.Info{Out: wire.Of[Company]()}, nil))
	if _, err := wire.Document("esnaf", "/api", auth.InterfaceA, rs); err == nil || !strings.Contains(err.Error(), "Company") {
		t.Errorf("got %v", err)
	}
}

// TestDeprecation holds what an operation on its way out tells its callers.
func TestDeprecation(t *testing.T) {
	w := newWorld(t)
	old := w.do("POST", "/api/companies/cmp_01hzzzzzzzzzzzzzzzzzzzzzzz/touch", `{}`)
	if d, s := old.Header.Get("Deprecation"), old.Header.Get("Sunset"); d != "@1789430400" || s != "Wed, 15 Sep 2027 00:00:00 GMT" {
		t.Errorf("Deprecation %q, Sunset %q", d, s)
	}
	if doc := string(document(t, true)); strings.Count(doc, `"deprecated":true`) != 1 {
		t.Error("the description does not say that one operation is deprecated")
	}
}
