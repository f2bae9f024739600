package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A scenario is a text of requests and what they must answer, run against a real
// server over real HTTP. Each paragraph is one of:
//
//	> POST /api/companies            a request
//	> Idempotency-Key: {uuid 1}      its headers
//	{"name": "Ada Ltd"}              its body
//	< 201                            the status it must have
//	< header ETag = "1"              a header, as it stands
//	< code = "C000001"               a member of the answer, as JSON
//	< message has words              a member that contains a text
//	save company = id                a member kept for later, as {company}
//
//	run                              the workers do what is due
//	clock +1h                        the clock moves
//	heard invoice.sent               the receiver got this event, rightly signed, once
type scenario struct {
	*fixture
	t     *testing.T
	vars  map[string]string
	heard map[string]bool
}

func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("../testdata/http/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := &scenario{fixture: start(t), t: t, heard: map[string]bool{}}
			s.vars = map[string]string{
				"hook": s.receiver.URL, "secret": hookSecret, "password": masterPassword,
				"tenant": s.one.tenant, "tenant2": s.two.tenant, "key": s.one.key, "key2": s.two.key, "reader": s.one.reader,
			}
			for _, p := range strings.Split(string(text), "\n\n") {
				if p = uncommented(p); p != "" {
					s.step(p)
				}
			}
		})
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

func (s *scenario) step(p string) {
	s.t.Helper()
	verb, rest, _ := strings.Cut(p, " ")
	switch verb {
	case "run":
		s.drain()
	case "clock":
		s.advance(rest)
	case "heard":
		s.hears(rest)
	default:
		s.request(p)
	}
}

func (s *scenario) request(p string) {
	s.t.Helper()
	var head, body, checks []string
	for _, l := range strings.Split(p, "\n") {
		switch {
		case strings.HasPrefix(l, "> "):
			head = append(head, s.fill(l[2:]))
		case strings.HasPrefix(l, "< "), strings.HasPrefix(l, "save "):
			checks = append(checks, l)
		default:
			body = append(body, s.fill(l))
		}
	}
	method, path, _ := strings.Cut(head[0], " ")
	req, err := http.NewRequest(method, s.url+path, strings.NewReader(strings.Join(body, "\n")))
	if err != nil {
		s.t.Fatal(err)
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range head[1:] {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, c := range checks {
		s.check(head[0], c, resp, got)
	}
}

func (s *scenario) check(what, line string, resp *http.Response, body []byte) {
	s.t.Helper()
	if name, path, ok := strings.Cut(strings.TrimPrefix(line, "save "), " = "); ok && strings.HasPrefix(line, "save ") {
		s.vars[name], _ = member(body, path).(string)
		if s.vars[name] == "" {
			s.t.Fatalf("%s: no %s to save in %s", what, path, body)
		}
		return
	}
	line = line[2:]
	left, want, equals := strings.Cut(line, " = ")
	name, isHeader := strings.CutPrefix(left, "header ")
	path, text, has := strings.Cut(line, " has ")
	switch {
	case !equals && !has:
		if strconv.Itoa(resp.StatusCode) != line {
			s.t.Fatalf("%s: status %d, want %s: %s", what, resp.StatusCode, line, body)
		}
	case has && path == "body":
		if !strings.Contains(string(body), s.fill(text)) {
			s.t.Errorf("%s: %q is not in %s", what, s.fill(text), body)
		}
	case has:
		if said := fmt.Sprint(member(body, path)); !strings.Contains(said, s.fill(text)) {
			s.t.Errorf("%s: %s is %q, want it to have %q", what, path, said, s.fill(text))
		}
	case isHeader:
		if got := resp.Header.Get(name); got != s.fill(want) {
			s.t.Errorf("%s: header %s is %q, want %q", what, name, got, s.fill(want))
		}
	default:
		got, _ := json.Marshal(member(body, left))
		if string(got) != s.fill(want) {
			s.t.Errorf("%s: %s is %s, want %s in %s", what, left, got, s.fill(want), body)
		}
	}
}

var inBraces = regexp.MustCompile(`\{(uuid )?(\w+)\}`)

// fill puts saved members, and UUIDs by number, in the place of {names}.
func (s *scenario) fill(text string) string {
	return inBraces.ReplaceAllStringFunc(text, func(m string) string {
		g := inBraces.FindStringSubmatch(m)
		if g[1] != "" {
			n, _ := strconv.Atoi(g[2])
			return fmt.Sprintf("4f9c1c1e-2b7a-4a51-9d3c-%012d", n)
		}
		v, ok := s.vars[g[2]]
		if !ok {
			s.t.Fatalf("{%s} is not known here", g[2])
		}
		return v
	})
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
