package server_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// hostile are the values that every field is given; {company2} is another
// account's. Sent with no regard to the field's type, each is either taken, as
// the description allows, or told of by name.
var hostile = []string{
	`null`, `{}`, `[]`, `""`, `0`, `-1`, `1e400`, `true`, `"NaN"`, `"{company2}"`, `"=1+1\r\n;--"`, `[null,{"a":[1]}]`,
	`"` + strings.Repeat("ş", 5000) + `"`, `"a\u0001"`, strings.Repeat("[", 40) + strings.Repeat("]", 40),
}

// TestFields is J11: each field of each body, as the descriptions list them, with
// each hostile value (in a short run with every third, in turn). The run is the
// same every time.
func TestFields(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.plan("unlimited")
	f.furnish()
	f.tried("DELETE /api/webhooks/{webhook}", 204) // events without a receiver are quicker
	f.vars["webhook"] = ""
	sent := 0
	for _, op := range f.operations() {
		if op.File || f.body(op) == "" || strings.HasSuffix(op.Path, "/bulk") { // of many some are taken
			continue
		}
		f.run(op.ID, func() {
			own, ignored := fields(op.Body, "")
			for _, field := range own {
				sent += f.fuzz(op, field)
			}
			if len(ignored) > 0 {
				sent += f.fuzz(op, ignored...)
			}
		})
	}
	t.Logf("%d requests", sent)
}

// fields are the paths of all members of a body, of an array those of its first
// element: what a caller sets, and what is taken and ignored.
func fields(s schema, path string) (own, ignored []string) {
	deeper := func(s schema, path string) {
		o, i := fields(s, path)
		own, ignored = append(own, o...), append(ignored, i...)
	}
	properties, _ := s["properties"].(schema)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		at := strings.TrimPrefix(path+"."+name, ".")
		p, _ := properties[name].(schema)
		if either, patch := p["anyOf"].([]any); patch { // or null
			p, _ = either[0].(schema)
		}
		if p["readOnly"] == true && name != "tenantId" {
			ignored = append(ignored, at)
			continue
		}
		own = append(own, at)
		deeper(p, at)
		if items, ok := p["items"].(schema); ok {
			own = append(own, at+"[0]")
			deeper(items, at+"[0]")
		}
		if _, labels := p["additionalProperties"].(schema); labels {
			own = append(own, at+".label")
		}
	}
	return own, ignored
}

// put is body with value at path; what is missing on the way there is made.
func put(body any, path, value string) any {
	name, rest, _ := strings.Cut(path, ".")
	name, _, indexed := strings.Cut(name, "[") // always [0]
	m, _ := body.(schema)
	if m == nil {
		m = schema{}
	}
	set := func(old any) any {
		if rest == "" {
			return jsontext.Value(value)
		}
		return put(old, rest, value)
	}
	if !indexed {
		m[name] = set(m[name])
		return m
	}
	list, _ := m[name].([]any)
	if len(list) == 0 {
		list = []any{nil}
	}
	list[0] = set(list[0])
	m[name] = list
	return m
}

// fuzz sends every hostile value in the given fields and looks at what came of
// it. Several fields together are those that are ignored.
func (f *fixture) fuzz(op *operation, at ...string) (sent int) {
	f.t.Helper()
	defer f.stage(op)()
	_, once := stageOf(op) // a success leaves its record where the action is no longer to be called
	before, done := f.state(op), 0
	judge := func() {
		f.t.Helper()
		if after := f.state(op); after-before != done && !op.Public {
			f.t.Errorf("%s: %d successes, but %d changes", at, done, after-before)
		}
	}
	for i, value := range hostile {
		if testing.Short() && (i+len(at[0]))%3 != 0 {
			continue
		}
		if op.ID == "inventory.counts.create" {
			f.uncount()
		}
		f.vars["body"] = f.spoiledBody(op, value, at) // filled in once, whatever it holds
		res := f.ask(op.Method+" "+f.target(op, "", ""), "{body}", "If-Match: *")
		sent++
		switch {
		case res.status < 300 && once:
			done++
			judge()
			f.stage(op)
			before, done = f.state(op), 0
		case res.status < 300:
			done++
		case res.status >= 500, len(at) > 1 && res.status != 400:
			f.t.Errorf("%s = %.60s: %d %s", at, value, res.status, res.body)
		case (res.status == 422 || res.status == 403 || res.status == 409) && !names(res, at[0]):
			f.t.Errorf("%s = %.60s: the fault does not name it: %s", at, value, res.body)
		}
	}
	judge()
	return sent
}

// spoiledBody is what an operation takes, but with value in the fields at.
func (f *fixture) spoiledBody(op *operation, value string, at []string) string {
	f.t.Helper()
	var body any
	if err := json.Unmarshal([]byte(f.fill(f.body(op))), &body); err != nil {
		f.t.Fatal(err)
	}
	for _, field := range at {
		body = put(body, field, f.fill(value))
	}
	text, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		f.t.Fatal(err)
	}
	return string(text)
}

// names tells whether an answer finds fault with a field, a part of it, or what
// it is a part of.
func names(res response, field string) bool {
	faults, _ := member(res.body, "errors").([]any)
	return slices.ContainsFunc(faults, func(v any) bool {
		named := v.(map[string]any)["field"].(string)
		return named == field || partOf(named, field) || partOf(field, named)
	})
}

func partOf(part, whole string) bool {
	return strings.HasPrefix(part, whole+".") || strings.HasPrefix(part, whole+"[")
}

// state counts the records that an operation makes, or the changes of the one it
// changes.
func (f *fixture) state(op *operation) int {
	f.t.Helper()
	path := f.target(op, "", "")
	switch {
	case op.withID() || op.Method == http.MethodPut:
		if op.withID() && !strings.HasSuffix(op.Path, "}") { // an action
			path = path[:strings.LastIndex(path, "/")]
		}
		v, _ := member(f.tried("GET "+path, 200).body, "version").(float64)
		return int(v)
	case op.ID == "auth.api-key":
		keys, _ := member(f.tried("GET /api/auth/api-keys", 200).body, "data").([]any)
		return len(keys)
	case op.Public:
		return 0 // a login makes no record
	case strings.HasPrefix(op.ID, "inventory.") && !strings.HasSuffix(path, "/counts"): // what moves stock makes a movement there
		n, _ := member(f.tried("GET /api/inventory/movements?page=1&limit=1&warehouseId={warehouse}", 200).body, "meta.total").(float64)
		return int(n)
	}
	return f.count(path)
}
