package server_test

import (
	"context"
	"testing"

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
