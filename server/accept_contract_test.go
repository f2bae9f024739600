package server_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"

	"esnaf/server"
	"esnaf/store"
	"esnaf/store/clock"
)

// contract is the description that one interface serves, as a judge of what
// passes over it.
type contract struct {
	base       string
	operations []*operation
	judge      validator.Validator
}

// operation is one method of one path of a description.
type operation struct {
	ID, Method, Path, Scope string
	Public                  bool
	Body                    schema // of the request; nil for none
	Must                    bool   // the body may not be left out
	File                    bool   // the body is a file
	Query                   map[string]bool
	Responses               map[string]map[string]bool // status -> the headers of its answer
}

// schema is a JSON Schema as it stands in a description.
type schema = map[string]any

// contracts are those of A and B, read from a server of their own, once.
var contracts = sync.OnceValues(func() (both [2]*contract, err error) {
	dir, err := os.MkdirTemp("", "esnaf-contract-")
	if err != nil {
		return both, err
	}
	defer os.RemoveAll(dir)
	db, err := store.Open(store.Options{Dir: dir, Clock: clock.System{}, IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		return both, err
	}
	defer db.Close()
	srv, err := server.New(server.Config{DB: db})
	if err != nil {
		return both, err
	}
	for i, base := range []string{"/api", "/api/v1"} {
		w := httptest.NewRecorder()
		srv.Handler().ServeHTTP(w, httptest.NewRequest("GET", base+"/openapi.json", nil))
		if both[i], err = readContract(base, w.Body.Bytes()); err != nil {
			return both, fmt.Errorf("%s/openapi.json: %w", base, err)
		}
	}
	return both, nil
})

// operations are those of both descriptions.
func (f *fixture) operations() []*operation {
	f.t.Helper()
	both, err := contracts()
	if err != nil {
		f.t.Fatal(err)
	}
	return slices.Concat(both[0].operations, both[1].operations)
}

// contractOf is the contract a path falls under, nil outside both interfaces.
func contractOf(path string) *contract {
	both, err := contracts()
	if err != nil {
		panic(err) // no test of this package means anything then
	}
	switch {
	case strings.HasPrefix(path, "/api/v1/"):
		return both[1]
	case strings.HasPrefix(path, "/api/"):
		return both[0]
	}
	return nil
}

func readContract(base string, text []byte) (*contract, error) {
	var doc schema
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	c := &contract{base: base, operations: readOperations(doc)}
	shut(doc)
	closed, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	parsed, err := libopenapi.NewDocument(closed)
	if err != nil {
		return nil, err
	}
	judge, errs := validator.NewValidator(parsed, config.WithFormatAssertions())
	if len(errs) > 0 {
		return nil, fmt.Errorf("%v", errs)
	}
	if ok, errs := judge.ValidateDocument(); !ok {
		return nil, fmt.Errorf("not OpenAPI 3.1: %v", errs)
	}
	c.judge = judge
	return c, nil
}

// shut forbids members that a schema does not list. To clients answers may grow;
// here a member that nobody described is a fault of the description.
func shut(v any) {
	switch v := v.(type) {
	case schema:
		if _, open := v["additionalProperties"]; !open && v["properties"] != nil && v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for _, part := range v {
			shut(part)
		}
	case []any:
		for _, part := range v {
			shut(part)
		}
	}
}

// at walks into a description by names; $ref is followed.
func at(doc schema, v any, names ...string) schema {
	m, _ := v.(schema)
	if to, ok := m["$ref"].(string); ok {
		m = at(doc, doc, strings.Split(strings.TrimPrefix(to, "#/"), "/")...)
	}
	if m == nil || len(names) == 0 {
		return m
	}
	return at(doc, m[names[0]], names[1:]...)
}

func readOperations(doc schema) (all []*operation) {
	for path, methods := range at(doc, doc, "paths") {
		for method := range at(doc, methods) {
			m := at(doc, methods, method)
			op := &operation{Method: strings.ToUpper(method), Path: path, Query: map[string]bool{}, Responses: map[string]map[string]bool{}}
			op.ID, _ = m["operationId"].(string)
			op.Scope, _ = m["x-scope"].(string)
			security, _ := m["security"].([]any)
			op.Public = len(security) == 1 && len(security[0].(schema)) == 0
			if body := at(doc, m, "requestBody", "content", "application/json", "schema"); body != nil {
				op.Body = inlined(doc, body).(schema)
			}
			request := at(doc, m, "requestBody")
			op.Must, _ = request["required"].(bool)
			op.File = request != nil && op.Body == nil
			parameters, _ := m["parameters"].([]any)
			for _, p := range parameters {
				if p := p.(schema); p["in"] == "query" {
					op.Query[p["name"].(string)] = true
				}
			}
			for status := range at(doc, m, "responses") {
				op.Responses[status] = map[string]bool{}
				for name := range at(doc, m, "responses", status, "headers") {
					op.Responses[status][http.CanonicalHeaderKey(name)] = true
				}
			}
			all = append(all, op)
		}
	}
	slices.SortFunc(all, func(a, b *operation) int { return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method) })
	return all
}

// inlined is a schema with what it refers to in the place of each $ref.
func inlined(doc schema, v any) any {
	switch v := v.(type) {
	case schema:
		out := schema{}
		for name, part := range at(doc, v) {
			out[name] = inlined(doc, part)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = inlined(doc, v[i])
		}
		return out
	}
	return v
}

// operation finds what a request asks for; nil when nothing is described there.
func (c *contract) operation(method, path string) *operation {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	parts := strings.Split(path, "/")
	for _, op := range c.operations {
		want := strings.Split(op.Path, "/")
		if op.Method == method && len(want) == len(parts) && !slices.ContainsFunc(want, func(w string) bool {
			p := parts[0]
			parts = append(parts[1:], p) // once round: every part has had its turn
			return w != p && !strings.HasPrefix(w, "{")
		}) {
			return op
		}
		parts = strings.Split(path, "/")
	}
	return nil
}
