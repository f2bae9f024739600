package server_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"esnaf/store"
	"esnaf/store/trade"
)

// knows files what scenarios and rows call by name.
func (f *fixture) knows() {
	for name, value := range map[string]string{
		"hook": f.receiver.URL, "secret": hookSecret, "password": masterPassword,
		"tenant": f.one.tenant, "tenant2": f.two.tenant, "user": f.one.user, "user2": f.two.user,
		"key": f.one.key, "key2": f.two.key, "reader": f.one.reader,
	} {
		f.vars[name] = value
	}
	f.signIn()
}

// signIn gives both masters an access token of now.
func (f *fixture) signIn() {
	f.t.Helper()
	f.one.master = f.session(f.one.tenant, f.one.user)
	f.two.master = f.session(f.two.tenant, f.two.user)
	f.vars["master"], f.vars["master2"] = f.one.master, f.two.master
}

var inBraces = regexp.MustCompile(`\{(uuid )?(\w+)\}`)

// fill puts saved members, and UUIDs by number, in the place of {names}. A file that is no
// text has none, whatever its bytes look like.
func (f *fixture) fill(text string) string {
	if !utf8.ValidString(text) {
		return text
	}
	return inBraces.ReplaceAllStringFunc(text, func(m string) string {
		g := inBraces.FindStringSubmatch(m)
		switch {
		case g[1] != "":
			n, _ := strconv.Atoi(g[2])
			return fmt.Sprintf("4f9c1c1e-2b7a-4a51-9d3c-%012d", n)
		case g[2] == "fresh":
			return fmt.Sprintf("4f9c1c1e-2b7a-4a51-8d3c-%012d", f.fresh.Add(1))
		}
		v, ok := f.vars[g[2]]
		if !ok {
			f.t.Fatalf("{%s} is not known here", g[2])
		}
		return v
	})
}

// row is one request and what it must answer. The name begins with the line of
// the acceptance list that it stands for.
type row struct {
	name, do, body, headers string // headers are lines; "Name:" leaves one out
	status                  int
	code                    trade.Code
	checks                  []string // as in a scenario
}

// rows runs each row as a test of its own, with the credentials of f.as.
func (f *fixture) rows(all []row) {
	f.t.Helper()
	for _, r := range all {
		f.run(r.name, func() { f.row(r) })
	}
}

func (f *fixture) row(r row) response {
	f.t.Helper()
	res := f.ask(r.do, r.body, r.headers)
	if code, _ := member(res.body, "code").(string); res.status != r.status || r.code != "" && code != string(r.code) {
		f.t.Fatalf("%s: %d %s, want %d %s", r.do, res.status, res.body, r.status, r.code)
	}
	for _, c := range r.checks {
		f.check(r.do, c, res)
	}
	return res
}

// ask sends a request as f.as; a POST carries a new Idempotency-Key.
func (f *fixture) ask(do, body, headers string) response {
	f.t.Helper()
	return f.send(f.ready(do, body, headers))
}

// ready is the request that ask sends.
func (f *fixture) ready(do, body, headers string) *http.Request {
	f.t.Helper()
	method, path, _ := strings.Cut(f.fill(do), " ")
	req, err := http.NewRequest(method, f.url+path, strings.NewReader(f.fill(body)))
	if err != nil {
		f.t.Fatal(err)
	}
	if method == http.MethodPost {
		req.Header.Set("Idempotency-Key", f.fill("{fresh}"))
	}
	named := map[string]bool{}
	for line := range strings.SplitSeq(f.fill(headers), "\n") {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		if name = http.CanonicalHeaderKey(name); !named[name] {
			req.Header.Del(name)
		}
		named[name] = true
		req.Header[name] = append(req.Header[name], strings.TrimSpace(value))
	}
	f.complete(req)
	return req
}

// made is the id of what a POST makes, which it must.
func (f *fixture) made(path, body string) string {
	f.t.Helper()
	res := f.ask("POST "+path, body, "")
	if res.status != http.StatusCreated {
		f.t.Fatalf("POST %s %s: %d %s", path, body, res.status, res.body)
	}
	return res.part("id")
}

// count is how many records a list has, deleted ones among them.
func (f *fixture) count(list string) int {
	f.t.Helper()
	res := f.ask("GET "+list+"?page=1&limit=1&includeDeleted=true", "", "")
	n, ok := member(res.body, "meta.total").(float64)
	if !ok {
		f.t.Fatalf("GET %s: %d %s", list, res.status, res.body)
	}
	return int(n)
}

// plan books a plan for both accounts.
func (f *fixture) plan(p trade.Plan) {
	f.t.Helper()
	for _, a := range []account{f.one, f.two} {
		f.write(store.Who{Tenant: a.tenant, Actor: "operator"}, func(tx *store.Tx) error {
			_, err := tx.SetPlan(p)
			return err
		})
	}
}
