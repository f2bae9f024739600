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
