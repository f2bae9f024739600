package server_test

import (
	"slices"
	"strings"

	"esnaf/store/trade"
)

// wrongCredentials are some that do not let anybody in, by interface: none, ones that
// nobody issued, and good ones of the other interface.
var wrongCredentials = map[bool][]string{
	false: {"", "Authorization: Bearer a.b.c", "Authorization: Bearer {key}", "Authorization: Basic {key}", "X-Api-Key: {key}"},
	true:  {"", "X-Api-Key: svc_live_0", "X-Api-Key: {master}", "Authorization: Bearer {master}", "Authorization: Bearer {key}"},
}

// stranger calls with credentials that are none; only what is public opens.
func (f *fixture) stranger(op *operation) {
	f.t.Helper()
	f.as = "nobody"
	defer func() { f.as = "one" }()
	if op.Public {
		if res := f.call(op, f.target(op, "", ""), ""); res.part("code") == string(trade.NoCredentials) && !strings.HasSuffix(op.Path, "/refresh") {
			f.t.Errorf("public, but %d %s", res.status, res.body)
		}
		return
	}
	for _, credentials := range wrongCredentials[op.onB()] {
		res := f.call(op, f.target(op, "", ""), credentials)
		if res.status != 401 || res.header.Get("WWW-Authenticate") == "" {
			f.t.Errorf("with %q: %d %s", credentials, res.status, res.body)
		}
	}
}

// elsewhere names the other account beside the own credentials.
func (f *fixture) elsewhere(op *operation) {
	f.t.Helper()
	if op.Public {
		return
	}
	status, code := 403, trade.CrossTenant
	if op.onB() { // which must not tell that there is another
		status, code = 404, trade.RecordNotFound
	}
	path := f.target(op, "", nobodys)
	for _, id := range []string{f.two.tenant, "ten" + nobodys} {
		res := f.call(op, path, "X-Tenant-Id: "+id)
		if res.status != status || res.part("code") != string(code) {
			f.t.Errorf("for %s: %d %s", id, res.status, res.body)
		}
		f.row(row{"", op.Method + " " + path + "?tenantId=" + id, f.body(op), "", status, code, nil})
	}
}

// brokenBodies are what is no JSON object.
var brokenBodies = []string{"{", "[]", "null", `"a"`, `{} {}`, `{"a":1,"a":2}`, "{\"a\":\"\xff\"}", "\ufeff{}", strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40)}

// refusedBodies sends what is not read at all, and asks for what is not given.
func (f *fixture) refusedBodies(op *operation) {
	f.t.Helper()
	path := op.Method + " " + f.target(op, "", nobodys) // nothing comes of it in any case
	const match = "If-Match: *\n"
	if op.File {
		query, _ := op.file()
		f.row(row{"", path + query, "{}", "Content-Type: application/json", 415, trade.UnsupportedMediaType, nil})
		f.row(row{"", path + query, "a", "Content-Type:", 415, trade.UnsupportedMediaType, nil})
	}
	if op.Body != nil {
		for _, media := range []string{"text/plain", "application/xml", "application/merge-patch+json", "application/json; charset=latin1", ""} {
			if op.Method == "PATCH" && strings.Contains(media, "merge-patch") {
				continue
			}
			f.row(row{"", path, "{}", match + "Content-Type: " + media, 415, trade.UnsupportedMediaType, nil})
		}
		f.row(row{"", path, `{"a":"` + strings.Repeat("x", 4<<20) + `"}`, match, 413, trade.BodyTooLarge, nil})
		for _, body := range brokenBodies {
			f.row(row{"", path, body, match, 400, "", nil})
		}
		if op.Must {
			f.row(row{"no body", path, "", match, 415, trade.UnsupportedMediaType, nil})
		} else if op.withID() {
			f.row(row{"no body", path, "", match, 404, trade.RecordNotFound, nil})
		}
	}
	if op.Responses["406"] != nil {
		f.row(row{"", path, f.body(op), match + "Accept: image/png", 406, trade.NotAcceptable, nil})
	}
}

// unheard sends with what an operation takes something that it does not: a parameter that
// it does not list, and a header twice that can have one value.
func (f *fixture) unheard(op *operation) {
	f.t.Helper()
	path := op.Method + " " + f.target(op, "", "")
	f.row(row{"", path + "?nosuch=1", f.body(op), "If-Match: *", 400, trade.BadParameter, []string{"message has nosuch"}})
	for _, header := range []string{"X-User-Id: {user}", "Content-Type: application/json", "Content-Encoding: identity", "Idempotency-Key: {uuid 1}"} {
		name, _, _ := strings.Cut(header, ":")
		f.row(row{"", path, f.body(op), header + "\n" + header, 400, trade.HeaderRepeated, []string{"message has " + name}})
	}
	for _, header := range []string{"Authorization: Bearer {master}", "X-Api-Key: {key}"} {
		if name, _, _ := strings.Cut(header, ":"); !op.Public {
			f.row(row{"", path, f.body(op), header + "\n" + header, 401, trade.HeaderRepeated, []string{"message has " + name}})
		}
	}
}

// touched are the scopes that an operation asks for by what it touches, here the
// walk's samples. Every other operation has a scope of its own, or asks for none.
var touched = map[string]string{
	"payments.list": "bank:read", "payments.export": "bank:export", "payments.read": "bank:read", "payments.create": "bank:create",
	"payments.allocate": "bank:update", "payments.reverse": "bank:update", "invoices.pay": "invoices:update bank:create",
	"transfers.list": "bank:read", "transfers.export": "bank:export", "transfers.read": "bank:read cashAccount:read", "transfers.create": "bank:create cashAccount:create",
	"companies.statement": "companies:read invoices:read bank:read cashAccount:read",
	"imports.create":      "products:create products:update",
	"payments.bulk":       "", "transfers.bulk": "", // each item for itself
	"me": "", "auth.logout": "", "auth.sessions.list": "", "auth.sessions.delete": "", // the caller's own
}

// touching calls those operations with all of their scopes, and with all but one.
func (f *fixture) touching(operations []*operation) {
	f.t.Helper()
	for _, op := range operations {
		names, listed := touched[op.ID]
		if !listed && op.Scope == "" && !op.Public {
			f.t.Errorf("%s %s asks for no scope: the walk must know which it needs", op.Method, op.Path)
		}
		needs := strings.Fields(names)
		if len(needs) == 0 {
			continue
		}
		restore := f.stage(op)
		for i, missing := range needs {
			others := append([]string{"contacts:read"}, slices.Delete(slices.Clone(needs), i, i+1)...)
			res := f.call(op, f.target(op, "", ""), f.keysFor(others...)(op))
			if res.status != 403 || res.part("code") != string(trade.InsufficientScope) || !strings.Contains(res.part("message"), missing) {
				f.t.Errorf("%s %s without %s: %d %s", op.Method, op.Path, missing, res.status, res.body)
			}
		}
		if res := f.call(op, f.target(op, "", ""), f.keysFor(needs...)(op)); res.status >= 300 {
			f.t.Errorf("%s %s with %s: %d %s", op.Method, op.Path, names, res.status, res.body)
		}
		restore()
	}
}
