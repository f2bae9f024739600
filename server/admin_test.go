package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"esnaf/auth"
	"esnaf/server"
	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// operated is an operator at a folder of its own.
type operated struct {
	*server.Admin
	t testing.TB
}

func operate(t testing.TB) *operated {
	t.Helper()
	db, err := store.Open(store.Options{Dir: t.TempDir(), Clock: clock.System{}, IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	a, err := server.NewAdmin(db)
	if err != nil {
		t.Fatal(err)
	}
	return &operated{a, t}
}

// do carries out an operation that must succeed, and reads its result.
func (o *operated) do(name, params string) map[string]any {
	o.t.Helper()
	out, err := o.Do(context.Background(), name, []byte(params))
	if err != nil {
		o.t.Fatalf("%s %s: %v", name, params, err)
	}
	text, err := json.Marshal(out)
	if err != nil {
		o.t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		o.t.Fatal(err)
	}
	return m
}

// tenant makes an account and returns its id.
func (o *operated) tenant(email string) string {
	o.t.Helper()
	return o.do("tenant create", `{"name":"Ada Ltd","taxNumber":"1234567890","masterEmail":"`+email+`","masterPassword":"correct horse"}`)["tenantId"].(string)
}

// opens tells whether a password is that of the person.
func (o *operated) opens(email, password string) bool {
	o.t.Helper()
	account, ok, err := o.DB.FindAccount(context.Background(), email)
	if err != nil || !ok {
		o.t.Fatalf("%s: found %v, %v", email, ok, err)
	}
	good, err := o.Passwords.Verify(context.Background(), password, account.Password)
	if err != nil {
		o.t.Fatal(err)
	}
	return good
}

func TestAdminTenant(t *testing.T) {
	t.Parallel()
	o := operate(t)
	made := o.do("tenant create", `{"name":"Ada Ltd","taxNumber":"1234567890","city":"İzmir","series":{"E_FATURA":"ABC"},"plan":"standard",
		"masterEmail":" Ada@Example.com ","masterPassword":"correct horse"}`)
	if got := slices.Sorted(maps.Keys(made)); !slices.Equal(got, []string{"tenantId", "userId"}) {
		t.Errorf("the result has %v, want tenantId and userId alone", got)
	}
	account, ok, err := o.DB.FindAccount(t.Context(), "ada@example.com")
	if err != nil || !ok || account.ID != made["userId"] || account.Members[0].Role != auth.Master || account.Members[0].Tenant != made["tenantId"] {
		t.Errorf("the master is %+v (found %v, %v)", account, ok, err)
	}
	if !o.opens("ada@example.com", "correct horse") {
		t.Error("the master's password does not open the account")
	}
	list := o.do("tenant list", "{}")["data"].([]any)
	got := list[0].(map[string]any)
	for field, want := range map[string]any{"id": made["tenantId"], "city": "İzmir", "plan": "standard", "country": "TR", "timezone": "Europe/Istanbul"} {
		if got[field] != want {
			t.Errorf("listed %s is %v, want %v", field, got[field], want)
		}
	}
	if series := got["series"].(map[string]any); series["E_FATURA"] != "ABC" || series["E_ARSIV"] != "EAR" {
		t.Errorf("series are %v", series)
	}
	o.do("tenant plan", `{"tenant":"`+made["tenantId"].(string)+`","plan":"unlimited"}`)
	if plan := o.DB.Plan(t.Context(), made["tenantId"].(string)); plan != trade.PlanUnlimited {
		t.Errorf("the plan is %q after it was changed", plan)
	}
}

func TestAdminTellsEveryFault(t *testing.T) {
	t.Parallel()
	o := operate(t)
	tenant := o.tenant("ada@example.com")
	long := strings.Repeat("x", 257)
	rows := []struct {
		name, op, params string
		want             map[string]trade.Code
	}{
		{"tenant", "tenant create", `{"name":" ","taxNumber":"1234567891","plan":"gold","email":"x","series":{"EXPORT":"EFA"},"masterEmail":"nobody","masterPassword":"short"}`, map[string]trade.Code{
			"name": trade.Required, "taxNumber": trade.BadTaxNumber, "plan": trade.BadValue, "email": trade.BadEmail,
			"series.EXPORT": trade.BadSeries, "masterEmail": trade.BadEmail, "masterPassword": trade.TooShort,
		}},
		{"tenant without anything", "tenant create", `{}`, map[string]trade.Code{"name": trade.Required, "taxNumber": trade.Required, "masterEmail": trade.Required, "masterPassword": trade.Required}},
		{"plan", "tenant plan", `{"tenant":"ten_x","plan":"gold"}`, map[string]trade.Code{"tenant": trade.RecordNotFound, "plan": trade.BadValue}},
		{"user", "user create", `{"role":"KING","email":"Ada <ada@x.com>","password":"` + long + `"}`, map[string]trade.Code{"tenant": trade.Required, "role": trade.BadValue, "email": trade.BadEmail, "password": trade.TooLong}},
		{"limit", "user limit", `{"tenant":"` + tenant + `","discountLimit":"100.5"}`, map[string]trade.Code{"email": trade.Required, "discountLimit": trade.OutOfRange}},
		{"new user's limit", "user create", `{"tenant":"` + tenant + `","role":"SALES","email":"b@x.com","password":"correct horse","discountLimit":"ten"}`, map[string]trade.Code{"discountLimit": trade.BadDecimal}},
		{"user's name", "user create", `{"tenant":"` + tenant + `","name":"` + long + `","role":"SALES","email":"b@x.com","password":"correct horse"}`, map[string]trade.Code{"name": trade.TooLong}},
		{"password", "user password", `{"email":"nobody@x.com","password":"short"}`, map[string]trade.Code{"email": trade.RecordNotFound, "password": trade.TooShort}},
		{"disable", "user disable", `{}`, map[string]trade.Code{"email": trade.Required}},
		{"enable", "user enable", `{"email":"nobody@example.com"}`, map[string]trade.Code{"email": trade.RecordNotFound}},
		{"users", "user list", `{"tenant":"ten_x"}`, map[string]trade.Code{"tenant": trade.RecordNotFound}},
		{"keys", "key list", `{}`, map[string]trade.Code{"tenant": trade.Required}},
		{"key", "key create", `{"tenant":"` + tenant + `","name":"","scopes":["companies:read","webhooks:read","companies:eat"],"rate":-1}`, map[string]trade.Code{
			"name": trade.Required, "rate": trade.MustNotBeNegative, "scopes[1]": trade.BadScope, "scopes[2]": trade.BadScope,
		}},
		{"key without scopes", "key create", `{"tenant":"` + tenant + `","name":"x","scopes":[]}`, map[string]trade.Code{"scopes": trade.Required}},
		{"rescope", "key rescope", `{"id":"key_x","scopes":[]}`, map[string]trade.Code{"scopes": trade.Required}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, err := o.Do(t.Context(), row.op, []byte(row.params))
			var e *trade.Error
			if !errors.As(err, &e) || e.Kind != trade.Invalid {
				t.Fatalf("got %v, want a list of faults", err)
			}
			got := map[string]trade.Code{}
			for _, f := range e.Faults {
				got[f.Field] = f.Code
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if list := o.do("tenant list", "{}")["data"].([]any); len(list) != 1 {
		t.Errorf("%d tenants after refusals, want the one there was", len(list))
	}
}

func TestAdminRefuses(t *testing.T) {
	t.Parallel()
	o := operate(t)
	tenant := o.tenant("ada@example.com")
	for _, row := range []struct {
		op, params string
		kind       trade.Kind
	}{
		{"tenant drop", `{}`, trade.NotFound},
		{"", `{}`, trade.NotFound},
		{"tenant list", ``, trade.Malformed},
		{"tenant list", `{"x":1}`, trade.Malformed},
		{"user list", `{"tenant":1}`, trade.Malformed},
		{"user list", `{"tenant":"a","tenant":"b"}`, trade.Malformed},
		{"key revoke", `{"id":"key_x"}`, trade.NotFound},
		{"key rotate", `{"id":""}`, trade.NotFound},
		{"key rescope", `{"id":"key_x","scopes":["all"]}`, trade.NotFound},
		{"user create", `{"tenant":"` + tenant + `","role":"SALES","email":"ada@example.com"}`, trade.Conflict},
	} {
		if _, err := o.Do(t.Context(), row.op, []byte(row.params)); trade.KindOf(err) != row.kind {
			t.Errorf("%q %s: got %v, want a failure of kind %s", row.op, row.params, err, row.kind)
		}
	}
}

func TestAdminUser(t *testing.T) {
	t.Parallel()
	o := operate(t)
	one, two := o.tenant("ada@example.com"), o.tenant("bora@example.com")
	made := o.do("user create", `{"tenant":"`+one+`","email":"CAN@example.com","name":"Can","role":"SALES","password":"first password"}`)
	again := o.do("user create", `{"tenant":"`+two+`","email":"can@example.com","name":"Other","role":"READONLY","password":"other password"}`)
	if again["userId"] != made["userId"] || again["knownUser"] != true {
		t.Errorf("the same person in a second tenant is %v, first %v", again, made)
	}
	if !o.opens("can@example.com", "first password") {
		t.Error("joining a second tenant changed the password")
	}
	users := o.do("user list", `{"tenant":"`+two+`"}`)["data"].([]any)
	if got := users[len(users)-1].(map[string]any); got["name"] != "Can" || got["role"] != "READONLY" || got["disabled"] != false {
		t.Errorf("the second tenant lists %v", got)
	}
	for set, shown := range map[string]any{"12.5": "12.5", "": nil} { // in this tenant alone
		o.do("user limit", `{"tenant":"`+two+`","email":"can@example.com","discountLimit":"`+set+`"}`)
		for tenant, want := range map[string]any{one: nil, two: shown} {
			users := o.do("user list", `{"tenant":"`+tenant+`"}`)["data"].([]any)
			if got := users[len(users)-1].(map[string]any)["discountLimit"]; got != want {
				t.Errorf("limit %q: %s lists %v", set, tenant, got)
			}
		}
	}
	o.do("user password", `{"email":"can@example.com","password":"second password"}`)
	if o.opens("can@example.com", "first password") || !o.opens("can@example.com", "second password") {
		t.Error("the password was not changed")
	}
	o.do("user disable", `{"email":"can@example.com"}`)
	for _, tenant := range []string{one, two} {
		if m, err := o.DB.FindMember(t.Context(), made["userId"].(string), tenant); err != nil || m.Alive {
			t.Errorf("after disable the member of %s is %+v, %v", tenant, m, err)
		}
	}
	o.do("user enable", `{"email":"can@example.com"}`)
	for _, tenant := range []string{one, two} {
		if m, err := o.DB.FindMember(t.Context(), made["userId"].(string), tenant); err != nil || !m.Alive {
			t.Errorf("after enable the member of %s is %+v, %v", tenant, m, err)
		}
	}
	if !o.opens("can@example.com", "second password") {
		t.Error("the password was lost")
	}
}

func TestAdminKey(t *testing.T) {
	t.Parallel()
	o := operate(t)
	o.tenant("other@example.com") // whose keys must not be in the way
	tenant := o.tenant("ada@example.com")
	find := func(secret any) store.Key {
		t.Helper()
		k, err := o.DB.FindKey(t.Context(), auth.HashKey(secret.(string)))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	made := o.do("key create", `{"tenant":"`+tenant+`","name":"shop","scopes":["companies:*"],"rate":7}`)
	if k := find(made["key"]); k.ID != made["id"] || k.Tenant != tenant || k.Rate != 7 || k.Kind != store.LiveKey || !k.Scopes.Has("companies:delete") || k.Scopes.Has("invoices:read") {
		t.Errorf("the new key is %+v", k)
	}
	id := made["id"].(string)
	o.do("key rescope", `{"id":"`+id+`","scopes":["all"]}`)
	if k := find(made["key"]); k.Scopes != auth.KeyScopes() {
		t.Errorf("after rescope the key has %s", k.Scopes)
	}
	rotated := o.do("key rotate", `{"id":"`+id+`"}`)
	if k := find(rotated["key"]); k.Rate != 7 || k.Name != "shop" || k.Scopes != auth.KeyScopes() || k.ID == id {
		t.Errorf("the rotated key is %+v", k)
	}
	if k := find(made["key"]); k.RevokedAt == 0 {
		t.Error("the key that was rotated still lives")
	}
	o.do("key revoke", `{"id":"`+rotated["id"].(string)+`"}`)
	if k := find(rotated["key"]); k.RevokedAt == 0 {
		t.Error("the revoked key still lives")
	}
	list := o.do("key list", `{"tenant":"`+tenant+`"}`)
	text, err := json.Marshal(list)
	if err != nil || len(list["data"].([]any)) != 2 {
		t.Fatalf("listed %s, %v", text, err)
	}
	for _, secret := range []any{made["key"], rotated["key"]} {
		if strings.Contains(string(text), secret.(string)) {
			t.Errorf("the list shows a whole key: %s", text)
		}
	}
}

// FuzzAdmin throws anything at the operations: what they do not like is said as
// an error for the caller, and nothing else goes wrong.
func FuzzAdmin(f *testing.F) {
	names := []string{"tenant create", "tenant list", "tenant plan", "user create", "user limit", "user password", "user disable", "user enable", "user list", "key create", "key list", "key rescope", "key rotate", "key revoke", "repair stock", "repair indexes"}
	f.Add(byte(0), []byte(`{"name":"A","taxNumber":"1234567890","series":{"E_FATURA":"\u0000"},"masterEmail":"a@b.c"}`))
	f.Add(byte(3), []byte(`{"tenant":"' OR 1=1","role":"SALES","email":"ş@ğ.tr"}`))
	f.Add(byte(7), []byte(`{"tenant":"ten_x","scopes":["*:*",":",""],"rate":9223372036854775807}`))
	f.Add(byte(9), []byte(`[1]`))
	o := operate(f)
	f.Fuzz(func(t *testing.T, op byte, params []byte) {
		if len(params) > 1<<16 {
			return
		}
		if _, err := o.Do(t.Context(), names[int(op)%len(names)], params); err != nil && trade.KindOf(err) == "" {
			t.Errorf("an internal error: %v", err)
		}
	})
}
