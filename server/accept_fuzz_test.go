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
// each hostile value. The run is the same every time.
func TestFields(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.plan("unlimited")
	f.furnish()
	all, err := contracts()
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, c := range all {
		for _, op := range c.operations {
			if f.body(op) == "" {
				continue
			}
			f.run(op.ID, func() {
				for _, field := range fields(op.Body, "") {
					sent += f.fuzzField(op, field)
				}
			})
		}
	}
	t.Logf("%d requests", sent)
}

// fields are the paths of all members of a body; of an array those of its first
// element.
func fields(s schema, path string) (all []string) {
	properties, _ := s["properties"].(schema)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		at := strings.TrimPrefix(path+"."+name, ".")
		p, _ := properties[name].(schema)
		all = append(all, at)
		all = append(all, fields(p, at)...)
		if items, ok := p["items"].(schema); ok {
			all = append(all, at+"[0]")
			all = append(all, fields(items, at+"[0]")...)
		}
		if _, labels := p["additionalProperties"].(schema); labels {
			all = append(all, at+".label")
		}
	}
	return all
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

// fuzzField sends every hostile value in one field and looks at what came of it.
func (f *fixture) fuzzField(op *operation, field string) (sent int) {
	f.t.Helper()
	before, done := f.state(op), 0
	for _, value := range hostile {
		var body any
		if err := json.Unmarshal([]byte(f.fill(f.body(op))), &body); err != nil {
			f.t.Fatal(err)
		}
		text, err := json.Marshal(put(body, field, f.fill(value)), json.Deterministic(true))
		if err != nil {
			f.t.Fatal(err)
		}
		f.vars["body"] = string(text) // not to be filled a second time
		res := f.ask(op.Method+" "+f.target(op, "", ""), "{body}", "If-Match: *")
		sent++
		switch {
		case res.status < 300:
			done++
		case res.status >= 500:
			f.t.Errorf("%s = %.60s: %d %s", field, value, res.status, res.body)
		case (res.status == 422 || res.status == 403 || res.status == 409) && !names(res, field):
			f.t.Errorf("%s = %.60s: the fault does not name it: %s", field, value, res.body)
		}
	}
	if after := f.state(op); after-before != done && !op.Public {
		f.t.Errorf("%s: %d successes, but %d changes", field, done, after-before)
	}
	return sent
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
	case op.Method == http.MethodPut:
		v, _ := member(f.tried("GET "+path, 200).body, "version").(float64)
		return int(v)
	case op.ID == "auth.api-key":
		keys, _ := member(f.tried("GET /api/auth/api-keys", 200).body, "data").([]any)
		return len(keys)
	case op.Public:
		return 0 // a login makes no record
	}
	return f.count(path)
}
