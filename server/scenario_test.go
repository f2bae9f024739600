package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"esnaf/server"
	"esnaf/ubl/gib"
)

// A scenario is a text of requests and what they must answer, run against a real
// server over real HTTP. Each paragraph is one of:
//
//	> POST /api/companies            a request
//	> Idempotency-Key: {uuid 1}      its headers, each as often as it stands there
//	{"name": "Ada Ltd"}              its body
//	< 201                            the status it must have
//	< header ETag = "1"              a header, as it stands; nothing: it is not there
//	< code = "C000001"               a member of the answer, as JSON
//	< body = {first}                 the whole body
//	< message has words              a member, or the body, that contains a text
//	< body lacks words               ... or that does not
//	save company = id                a member kept for later, as {company}
//	save first = body                the whole body kept for later
//
//	== I3 one key, twice             what follows belongs to this test
//	as one                           whose credentials go along: one, two or nobody
//	operate key revoke               the operator's command, with its parameters
//	{"id": "{id}"}                   below, which must succeed
//	run                              the workers do what is due
//	office 1150                      the tax office says so of the next document
//	clock +1h                        the clock moves, and one and two sign in anew
//	heard invoice.sent               the receiver got this event, rightly signed, once
//
// Besides what was saved, {fresh} is an Idempotency-Key used nowhere else,
// {uuid 1} one by its number, {hook} the receiver, {tenant} and {tenant2} the
// two accounts, {key} and {key2} their keys.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("../testdata/http/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f := start(t)
			for part := range strings.SplitSeq("\n\n"+string(text), "\n\n== ") {
				title, steps, _ := strings.Cut(part, "\n")
				if title == "" { // what stands before the first title
					f.scenario(steps)
				} else if !f.run(title, func() { f.scenario(steps) }) {
					return // what follows builds on it
				}
			}
		})
	}
}

// run is t.Run for what a fixture does.
func (f *fixture) run(name string, do func()) bool {
	outer := f.t
	defer func() { f.t = outer }()
	return outer.Run(name, func(t *testing.T) { f.t = t; do() })
}

func (f *fixture) scenario(steps string) {
	f.t.Helper()
	for p := range strings.SplitSeq(steps, "\n\n") {
		if p = uncommented(p); p != "" {
			f.step(p)
		}
	}
}

func uncommented(paragraph string) string {
	var lines []string
	for _, l := range strings.Split(paragraph, "\n") {
		if !strings.HasPrefix(l, "#") {
			lines = append(lines, l)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func (f *fixture) step(p string) {
	f.t.Helper()
	verb, rest, _ := strings.Cut(p, " ")
	switch verb {
	case "as":
		f.as = rest
	case "operate":
		f.operate(rest)
	case "run":
		f.drain()
	case "office":
		f.gib.Script(gib.Rule{Code: rest, Times: 1})
	case "clock":
		f.advance(rest)
		f.signIn()
	case "heard":
		f.hears(rest)
	default:
		f.request(p)
	}
}

// apart sorts the lines of a paragraph; all but the checks are filled.
func (f *fixture) apart(p string) (head, body, checks []string) {
	f.t.Helper()
	for l := range strings.SplitSeq(p, "\n") {
		switch {
		case strings.HasPrefix(l, "> "):
			head = append(head, f.fill(l[2:]))
		case strings.HasPrefix(l, "< "), strings.HasPrefix(l, "save "):
			checks = append(checks, l)
		default:
			body = append(body, f.fill(l))
		}
	}
	return head, body, checks
}

func (f *fixture) operate(p string) {
	f.t.Helper()
	name, params, _ := strings.Cut(p, "\n")
	_, body, checks := f.apart(params)
	admin, err := server.NewAdmin(f.db)
	if err != nil {
		f.t.Fatal(err)
	}
	out, err := admin.Do(f.t.Context(), name, []byte(strings.Join(body, "\n")))
	if err != nil {
		f.t.Fatalf("%s: %v", name, err)
	}
	text, err := json.Marshal(out)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, c := range checks {
		f.check(name, c, response{body: text})
	}
}

func (f *fixture) request(p string) {
	f.t.Helper()
	head, body, checks := f.apart(p)
	method, path, _ := strings.Cut(head[0], " ")
	req, err := http.NewRequest(method, f.url+path, strings.NewReader(strings.Join(body, "\n")))
	if err != nil {
		f.t.Fatal(err)
	}
	for _, h := range head[1:] {
		name, value, _ := strings.Cut(h, ":")
		req.Header.Add(name, strings.TrimSpace(value))
	}
	f.complete(req)
	res := f.send(req)
	for _, c := range checks {
		f.check(head[0], c, res)
	}
}

// complete adds what a request need not say itself: its media type, and the
// credentials of whoever the scenario acts as. A header named with nothing
// behind it is left out.
func (f *fixture) complete(req *http.Request) {
	who := map[string]account{"one": f.one, "two": f.two}[f.as]
	name, value := "Authorization", "Bearer "+who.master
	if strings.HasPrefix(req.URL.Path, "/api/v1/") {
		name, value = "X-Api-Key", who.key
	}
	if who.tenant != "" && req.Header[name] == nil {
		req.Header.Set(name, value)
	}
	if req.ContentLength > 0 && req.Header["Content-Type"] == nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, values := range req.Header {
		if len(values) == 1 && values[0] == "" {
			delete(req.Header, name)
		}
	}
}

// check holds an answer against one line of expectation, or saves a part of it.
func (f *fixture) check(what, line string, res response) {
	f.t.Helper()
	if rest, ok := strings.CutPrefix(line, "save "); ok {
		name, path, _ := strings.Cut(rest, " = ")
		if f.vars[name] = res.part(path); f.vars[name] == "" {
			f.t.Fatalf("%s: no %s to save in %s", what, path, res.body)
		}
		return
	}
	line = strings.TrimPrefix(line, "< ")
	left, want, equals := strings.Cut(line+" ", " = ")
	want = f.fill(strings.TrimSpace(want))
	path, text, has := strings.Cut(line, " has ")
	whole, none, lacks := strings.Cut(line, " lacks ")
	switch {
	case lacks:
		if strings.Contains(res.part(whole), f.fill(none)) {
			f.t.Errorf("%s: %s has %q", what, whole, f.fill(none))
		}
	case !equals && !has:
		if strconv.Itoa(res.status) != line {
			f.t.Fatalf("%s: status %d, want %s: %s", what, res.status, line, res.body)
		}
	case equals:
		got := res.part(left)
		if left != "body" && !strings.HasPrefix(left, "header ") {
			b, _ := json.Marshal(member(res.body, left))
			got = string(b)
		}
		if got != want {
			f.t.Errorf("%s: %s is %s, want %s in %s", what, left, got, want, res.body)
		}
	case !strings.Contains(res.part(path), f.fill(text)):
		f.t.Errorf("%s: %s is %q, want it to have %q", what, path, res.part(path), f.fill(text))
	}
}

// part is a piece of an answer as text: body, header Name, or a member.
func (res response) part(path string) string {
	if path == "body" {
		return string(res.body)
	}
	if name, ok := strings.CutPrefix(path, "header "); ok {
		return res.header.Get(name)
	}
	if v := member(res.body, path); v != nil {
		return fmt.Sprint(v)
	}
	return ""
}

// member finds lines[0].vat in a JSON text; nil when it is not there.
func member(body []byte, path string) any {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return nil
	}
	for _, part := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		switch t := v.(type) {
		case map[string]any:
			v = t[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(t) {
				return nil
			}
			v = t[i]
		default:
			return nil
		}
	}
	return v
}
