package server_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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

// complaints are all the ways in which an answer, or the request that was
// answered with success, is not as described.
func complaints(req *http.Request, res response) (all []string) {
	all = append(all, plainComplaints(req, res)...)
	c := contractOf(req.URL.Path)
	switch {
	case c == nil, req.Method == http.MethodOptions, res.status == http.StatusMethodNotAllowed, res.status == http.StatusRequestURITooLong:
		return all // no operation answers so
	}
	op := c.operation(req.Method, req.URL.EscapedPath())
	if op == nil {
		if res.status < 400 {
			all = append(all, "a success that no description knows")
		}
		return all
	}
	all = append(all, op.headerComplaints(res)...)
	if req.Method == http.MethodHead {
		return all
	}
	if _, errs := c.judge.ValidateHttpResponse(again(req), res.again()); len(errs) > 0 {
		all = append(all, fmt.Sprint("the answer: ", errs))
	}
	if res.status < 300 {
		if _, errs := c.judge.ValidateHttpRequestSync(spelledOut(again(req))); len(errs) > 0 {
			all = append(all, fmt.Sprint("the request: ", errs))
		}
	}
	return all
}

// unspoken are headers of which descriptions say nothing: they are HTTP's own, or
// of every answer.
var unspoken = []string{
	"Date", "Connection", "Content-Length", "Content-Type", "Content-Encoding", "Vary", "Cache-Control", "X-Content-Type-Options", "Allow",
	"Ratelimit", "Ratelimit-Policy", "Content-Disposition", "X-Document-Preview", "Idempotent-Replayed", "Retry-After",
}

// headerComplaints compares the status and the headers of an answer with those
// that are listed for it.
func (op *operation) headerComplaints(res response) (all []string) {
	listed, known := op.Responses[strconv.Itoa(res.status)]
	if !known {
		return []string{"the status is not listed"}
	}
	for name := range listed {
		if res.header.Get(name) == "" && !slices.Contains(unspoken, name) {
			all = append(all, "the header "+name+" is missing")
		}
	}
	for name := range res.header {
		limit := res.status >= 400 && strings.HasPrefix(name, "X-Ratelimit-") // on every answer to a known caller
		if !listed[name] && !limit && !slices.Contains(unspoken, name) {
			all = append(all, "the header "+name+" is not listed")
		}
	}
	return all
}

// leak is what no caller may ever read: the inside of the program.
var leak = regexp.MustCompile(`(?i:sqlite|goroutine |panic|runtime error|\.go:\d|esnaf/|\bselect |\binsert )|\b(trade|store|wire|json|jsontext)[.:][A-Za-z ]`)

// plainComplaints are those that need no description.
func plainComplaints(req *http.Request, res response) (all []string) {
	id, replay := res.header.Get("X-Request-Id"), res.header.Get("Idempotent-Replayed") != ""
	if id == "" {
		all = append(all, "no X-Request-Id")
	}
	if req.Method == http.MethodHead || req.Method == http.MethodOptions || res.status < 400 {
		if media := res.header.Get("Content-Type"); media == "application/json" && req.Method != http.MethodHead && !jsontext.Value(res.body).IsValid() {
			all = append(all, "the body is no strict JSON")
		}
		return all
	}
	if strings.HasPrefix(req.URL.Path, "/readyz") {
		return all
	}
	var p struct {
		Type, Title, Detail, Message, Code, RequestID string
		Status                                        int
	}
	err := json.Unmarshal(res.body, &p, json.MatchCaseInsensitiveNames(true))
	switch {
	case res.header.Get("Content-Type") != "application/problem+json" || err != nil:
		all = append(all, fmt.Sprintf("no problem: %s %.200s", res.header.Get("Content-Type"), res.body))
	case p.Message == "" || p.Code == "" || p.Type != "urn:esnaf:problem:"+p.Code || p.Status != res.status || p.RequestID != id && !replay: // a replay is the first answer to the byte
		all = append(all, fmt.Sprintf("a half problem: %.300s", res.body))
	case leak.Match(res.body):
		all = append(all, fmt.Sprintf("it shows the program's inside: %.300s", res.body))
	}
	return all
}

// again is a request once more, for somebody who reads its body.
func again(req *http.Request) *http.Request {
	out := req.Clone(req.Context())
	if req.GetBody != nil {
		out.Body, _ = req.GetBody() // it reads from a string
	}
	if req.Method == http.MethodHead {
		out.Method = http.MethodGet
	}
	return out
}

// spelledOut is a request without what its description says once for all members
// and not at each: null, and an empty text for one of a few values, are the same
// as no member, and what is ignored may be anything, a number that no float holds
// included.
func spelledOut(req *http.Request) *http.Request {
	if req.Body == nil || req.ContentLength <= 0 {
		return req
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		panic(err) // it is a string
	}
	var v any
	body = bytes.ReplaceAll(body, []byte("1e400"), []byte("1"))
	if (bytes.Contains(body, []byte("null")) || bytes.Contains(body, []byte(`""`))) && json.Unmarshal(body, &v) == nil {
		body, _ = json.Marshal(dropEmpty(v))
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.ContentLength = int64(len(body))
	return req
}

func dropEmpty(v any) any {
	switch v := v.(type) {
	case schema:
		for name, part := range v {
			if part == nil || part == "" {
				delete(v, name)
			} else {
				dropEmpty(part)
			}
		}
	case []any:
		for _, part := range v {
			dropEmpty(part)
		}
	}
	return v
}

func (res response) again() *http.Response {
	return &http.Response{StatusCode: res.status, Header: res.header, Body: io.NopCloser(bytes.NewReader(res.body)), ContentLength: int64(len(res.body))}
}
