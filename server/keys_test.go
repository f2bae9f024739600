package server_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"esnaf/store"
)

// Interface B's keys are the operator's: not even the account's MASTER may revoke
// one over the API.
func TestAMasterCannotRevokeTheOperatorsKeys(t *testing.T) {
	f := start(t)
	var keys []store.Key
	err := f.db.Read(context.Background(), store.Who{Tenant: f.one.tenant, Actor: "operator"}, func(v *store.View) (err error) {
		keys, err = v.ListKeys(store.LiveKey)
		return err
	})
	if err != nil || len(keys) == 0 {
		t.Fatalf("%d keys, %v", len(keys), err)
	}
	if res := f.do("DELETE", "/api/auth/api-keys/"+keys[0].ID, "", "Authorization", "Bearer "+f.one.master); res.status != 404 {
		t.Errorf("%d %s", res.status, res.body)
	}
	if res := f.do("GET", "/api/v1/companies", "", "x-api-key", f.one.key); res.status != 200 {
		t.Errorf("the key is gone: %d %s", res.status, res.body)
	}
}

// A key that acts for a user leaves the user's sessions alone, and is never made
// with more scopes than were asked for.
func TestAKeyIsNoSession(t *testing.T) {
	f := start(t)
	bearer := "Bearer " + f.one.master
	made := f.do("POST", "/api/auth/api-key", `{"name":"bridge","scopes":["companies:read"]}`, "Authorization", bearer)
	key, _ := member(made.body, "key").(string)
	if made.status != 201 || key == "" {
		t.Fatalf("%d %s", made.status, made.body)
	}
	as := []string{"Authorization", "Bearer " + key, "X-User-Id", f.one.user}
	if res := f.do("GET", "/api/companies", "", as...); res.status != 200 {
		t.Errorf("the key does not work: %d %s", res.status, res.body)
	}
	if res := f.do("GET", "/api/auth/sessions", "", as...); res.status != 403 || member(res.body, "code") != "session_required" {
		t.Errorf("sessions: %d %s", res.status, res.body)
	}
	mine := f.do("GET", "/api/auth/sessions", "", "Authorization", bearer)
	id, _ := member(mine.body, "data[0].id").(string)
	if res := f.do("DELETE", "/api/auth/sessions/"+id, "", as...); res.status != 403 {
		t.Errorf("end of a session: %d %s", res.status, res.body)
	}
	if res := f.do("GET", "/api/me", "", "Authorization", bearer); res.status != 200 {
		t.Errorf("the session is gone: %d %s", res.status, res.body)
	}
	none := f.do("POST", "/api/auth/api-key", `{"name":"all?","scopes":[]}`, "Authorization", bearer)
	if none.status != 422 || member(none.body, "errors[0].field") != "scopes" {
		t.Errorf("no scopes: %d %s", none.status, none.body)
	}
}

// A key and a webhook go on working by themselves, so neither is made by a request that was
// let in before its session, its key or its user came to an end, however long its body took.
func TestWhoIsShutOutLeavesNothingBehind(t *testing.T) {
	f := start(t)
	f.as = "one"
	made := f.ask("POST /api/auth/api-key", `{"name":"bridge"}`, "")
	f.vars["bridge"], f.vars["bridgeId"] = made.part("key"), made.part("id")
	hook := `{"event":"company.*","url":"{hook}/late"}`
	for _, row := range []struct{ do, body, headers, meanwhile string }{
		{"POST /api/webhooks", hook, "Authorization: Bearer {bridge}\nX-User-Id: {user}", "operate key revoke\n" + `{"id":"{bridgeId}"}`},
		{"POST /api/auth/api-key", `{"name":"late"}`, "Authorization: Bearer {master}", "operate user password\n" + `{"email":"master@one.example","password":"another horse"}`},
		{"POST /api/auth/api-key", `{"name":"late"}`, "Authorization: Bearer {master2}", "operate user disable\n" + `{"email":"master@two.example"}`},
	} {
		if res := f.meanwhile(row.do, row.body, row.headers, row.meanwhile); res.status != 401 || res.part("code") != "unauthorized" {
			t.Errorf("%s beside %s: %d %s", row.do, row.meanwhile, res.status, res.body)
		}
	}
}

// meanwhile sends a request whose body comes only after a step that is taken once the
// server has let the request in.
func (f *fixture) meanwhile(do, body, headers, step string) response {
	f.t.Helper()
	req := f.ready(do, body, headers+"\nExpect: 100-continue")
	req.Body = io.NopCloser(&late{first: func() { f.step(step) }, rest: strings.NewReader(f.fill(body))})
	client := http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
	defer client.CloseIdleConnections()
	res, err := client.Do(req)
	if err != nil {
		f.t.Fatal(err)
	}
	return f.read(req, res)
}

// late is a body that is asked for once the server has let the request in: it says so by
// 100 Continue. Something happens first.
type late struct {
	first func()
	rest  *strings.Reader
}

// Read lets it happen, then reads the body.
func (l *late) Read(p []byte) (int, error) {
	if l.first != nil {
		l.first()
		l.first = nil
	}
	return l.rest.Read(p)
}
