package server_test

import (
	"net/http"
	"testing"

	"esnaf/auth"
	"esnaf/store"
)

// TestRefreshesAtOnce is A9: one refresh token shown twenty times has one
// successor, and that works. The rest of group A is testdata/http/access.txt,
// K4 under load is in control_test.go.
func TestRefreshesAtOnce(t *testing.T) {
	t.Parallel()
	f := start(t)
	token, err := auth.NewRefreshToken(f.db.IDs())
	if err != nil {
		t.Fatal(err)
	}
	hash, err := masterHash()
	if err != nil {
		t.Fatal(err)
	}
	f.write(store.Who{Tenant: f.one.tenant, Actor: f.one.user}, func(tx *store.Tx) error {
		_, err := tx.OpenSession(f.one.user, hash, auth.HashToken(token))
		return err
	})
	tally, all := f.parallel(20, func(int) *http.Request {
		return f.ready("POST /api/auth/refresh", `{"refreshToken":"`+token+`"}`, "")
	})
	next := all[0].part("refreshToken")
	for _, res := range all {
		if res.part("refreshToken") != next || next == token || next == "" {
			t.Errorf("another successor: %d %s", res.status, res.body)
		}
	}
	if tally["200"] != 20 {
		t.Errorf("%v", tally)
	}
	f.row(row{"", "POST /api/auth/refresh", `{"refreshToken":"` + next + `"}`, "", 200, "", nil})
}
