package server_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// TestLimits is group R. The clock stands still unless it is moved, so a burst is
// a burst on any machine.
func TestLimits(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	f.run("R1 R4 a burst of 60", f.burst)
	f.run("R3 what Retry-After says is enough", func() {
		wait := f.tried("GET /api/me", 429).header.Get("Retry-After")
		f.advance(wait + "s")
		f.tried("GET /api/me", 200)
		f.tried("GET /api/me", 429)
	})
	f.run("R6 addresses that are only said", f.spoofed)
	f.run("R5 one budget is not another's", f.budgetsApart)
	f.run("R8 a refused request does nothing", func() {
		f.plan(trade.PlanStandard)
		f.tried("GET /api/me", 429)
		f.row(row{"", "POST /api/companies", `{"name":"a"}`, "Idempotency-Key: {uuid 8}", 429, trade.RateLimited, nil})
		f.clock.Advance(2 * time.Second)
		if n := f.count("/api/companies"); n != 0 {
			f.t.Errorf("%d companies", n)
		}
		f.row(row{"", "POST /api/companies", `{"name":"b"}`, "Idempotency-Key: {uuid 8}", 201, "", []string{`name = "b"`}})
	})
	f.run("R2 sustained", f.sustained)
}

func (f *fixture) tried(do string, status int) response {
	f.t.Helper()
	res := f.ask(do, "", "")
	if res.status != status {
		f.t.Fatalf("%s: %d %s, want %d", do, res.status, res.body, status)
	}
	return res
}

// The structured fields of the IETF draft, as far as one policy needs them.
var (
	policyField = regexp.MustCompile(`^"[a-z]+";q=(\d+);w=60$`)
	limitField  = regexp.MustCompile(`^"[a-z]+";r=(\d+);t=(\d+)$`)
)

// burst spends the whole budget of a plan at one moment.
func (f *fixture) burst() {
	f.plan(trade.PlanStandard)
	f.clock.Advance(time.Minute)
	for left := 59; left >= 0; left-- {
		res := f.tried("GET /api/me", 200)
		policy, limit := policyField.FindStringSubmatch(res.header.Get("RateLimit-Policy")), limitField.FindStringSubmatch(res.header.Get("RateLimit"))
		want := strconv.Itoa(left)
		if policy == nil || limit == nil || res.header.Get("X-RateLimit-Remaining") != want || limit[1] != want || policy[1] != "60" || res.header.Get("X-RateLimit-Limit") != "60" || limit[2] != res.header.Get("X-RateLimit-Reset") {
			f.t.Fatalf("with %d left: %v", left, res.header)
		}
	}
	res := f.tried("GET /api/me", 429)
	if wait, err := strconv.Atoi(res.header.Get("Retry-After")); err != nil || wait < 1 || res.header.Get("X-RateLimit-Remaining") != "0" || res.part("code") != "rate_limited" {
		f.t.Errorf("%v %s", res.header, res.body)
	}
}

func (f *fixture) spoofed() {
	f.tried("GET /api/me", 429)
	for _, h := range []string{"X-Forwarded-For", "X-Real-IP", "True-Client-IP", "Forwarded"} {
		if res := f.ask("GET /api/me", "", h+": for=198.51.100.7"); res.status != 429 {
			f.t.Errorf("%s gives another budget: %d", h, res.status)
		}
	}
	f.plan("unlimited")
	f.ask("POST /api/auth/login", `{"email":"master@one.example","password":"{password}"}`, "X-Forwarded-For: 198.51.100.7")
	rows, _ := member(f.tried("GET /api/auth/sessions", 200).body, "data").([]any)
	for _, r := range rows {
		if addr := r.(map[string]any)["address"]; addr == "198.51.100.7" {
			f.t.Errorf("a session is said to come from %v", addr)
		}
	}
	if last := rows[len(rows)-1].(map[string]any)["address"]; last != "127.0.0.1" {
		f.t.Errorf("the socket's address is %v", last)
	}
	f.plan(trade.PlanStandard)
}

// budgetsApart exhausts one budget after the other and looks at the rest.
func (f *fixture) budgetsApart() {
	f.tried("GET /api/me", 429)
	f.as = "two"
	f.tried("GET /api/me", 200)
	f.as = "one"
	f.tried("GET /api/v1/companies", 200) // a key of B has its own
	var keys [2]string
	f.write(store.Who{Tenant: f.one.tenant, Actor: "operator"}, func(tx *store.Tx) (err error) {
		for i := range keys {
			if _, keys[i], err = tx.CreateKey(store.LiveKey, "limited", auth.KeyScopes(), 3, 0); err != nil {
				return err
			}
		}
		return nil
	})
	for _, key := range keys {
		for _, want := range []int{200, 200, 200, 429} {
			if res := f.ask("GET /api/v1/companies", "", "X-Api-Key: "+key); res.status != want {
				f.t.Errorf("%d, want %d", res.status, want)
			}
		}
	}
	res := f.ask("GET /api/v1/companies", "", "")
	if res.header.Get("X-RateLimit-Limit") != "1000000" {
		f.t.Errorf("a key without a limit shows %v", res.header)
	}
	if res := f.ask("GET /api/v1/companies", "", "X-Api-Key: "+auth.KeyLive+"nobody"); res.header.Get("X-RateLimit-Remaining") != "" {
		f.t.Errorf("a stranger has a budget: %v", res.header)
	}
}

// sustained is R2: with an empty bucket, two minutes let twice the plan through.
// Of the largest plan a shorter time is enough.
func (f *fixture) sustained() {
	for plan, perMinute := range map[trade.Plan]int{trade.PlanStandard: 60, trade.PlanProfessional: 200, trade.PlanEnterprise: 1000} {
		f.plan(plan)
		f.clock.Advance(10 * time.Minute)
		f.signIn()
		for f.ask("HEAD /api/me", "", "").status == 200 {
		}
		passed, seconds := 0, min(120, 24_000/perMinute)
		for range seconds {
			f.clock.Advance(time.Second)
			for f.ask("HEAD /api/me", "", "").status == 200 {
				passed++
			}
		}
		if want := perMinute * seconds / 60; passed < want*98/100 || passed > want*102/100 {
			f.t.Errorf("%s: %d passed in %d seconds, want %d", plan, passed, seconds, want)
		}
	}
}

// A key's requests that are refused for the user they name count like others, and what
// they name leaves nothing behind.
func TestRefusedUsersOfAKeyCount(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	f.vars["bridge"] = f.ask("POST /api/auth/api-key", `{"name":"bridge"}`, "").part("key")
	f.plan(trade.PlanStandard)
	f.clock.Advance(2 * time.Minute)
	users := []struct {
		user   string
		status int
		code   trade.Code
		want   string
	}{
		{"", 403, trade.UserRequired, "message has X-User-Id"},
		{"{user2}", 403, trade.CrossTenant, "message has another account"},
		{"usr_01hzzzzzzzzzzzzzzzzzzzzzzz", 403, trade.CrossTenant, "message has another account"},
		{"usr_'", 400, trade.BadRequest, "message has id of a user, usr_"},
		{"{tenant}", 400, trade.BadRequest, "message has id of a user, usr_"},
		{"usr_" + strings.Repeat("x", 14_000), 400, trade.BadRequest, "message has id of a user, usr_"},
	}
	for i := range 60 {
		u := users[i%len(users)]
		left := "header X-RateLimit-Remaining = " + strconv.Itoa(59-i)
		f.row(row{"", "GET /api/me", "", "Authorization: Bearer {bridge}\nX-User-Id: " + u.user, u.status, u.code, []string{left, u.want}})
	}
	f.row(row{"", "GET /api/me", "", "Authorization: Bearer {bridge}\nX-User-Id: {user2}", 429, trade.RateLimited, nil})
	f.row(row{"", "GET /api/me", "", "Authorization: Bearer svc_user_nobody", 401, trade.NoCredentials, []string{"header X-RateLimit-Remaining ="}})
}

// TestLoginLimit is R9, A5 and A12: logins have a limit of their own, per e-mail
// and address, that holds over a restart.
func TestLoginLimit(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.plan("unlimited")
	const (
		login = "POST /api/auth/login"
		wrong = `{"email":"master@one.example","password":"wrong, and long enough"}`
		right = `{"email":"master@one.example","password":"{password}"}`
	)
	for range 5 {
		f.row(row{"", login, wrong, "", 401, trade.BadLogin, []string{"header WWW-Authenticate has Bearer"}})
	}
	f.run("A5 the sixth", func() {
		res := f.row(row{"", login, wrong, "", 429, trade.TooManyAttempts, nil})
		if res.header.Get("Retry-After") != "60" {
			f.t.Errorf("Retry-After %s", res.header.Get("Retry-After"))
		}
	})
	f.rows([]row{
		{"A5 the right one has to wait too", login, right, "", 429, trade.TooManyAttempts, nil},
		{"A5 in other letters it is the same person", login, `{"email":" MASTER@one.example ","password":"{password}"}`, "", 429, trade.TooManyAttempts, nil},
		{"A5 others are not kept out", login, `{"email":"master@two.example","password":"{password}"}`, "", 200, "", nil},
	})
	f.run("A5 a restart does not help", func() {
		if err := f.db.Close(); err != nil {
			f.t.Fatal(err)
		}
		f.boot(nil)
		f.row(row{"", login, right, "", 429, trade.TooManyAttempts, nil})
	})
	f.run("A5 twice as long after the next", func() {
		f.clock.Advance(time.Minute)
		f.row(row{"", login, wrong, "", 401, trade.BadLogin, nil})
		res := f.row(row{"", login, right, "", 429, trade.TooManyAttempts, nil})
		if res.header.Get("Retry-After") != "120" {
			f.t.Errorf("Retry-After %s", res.header.Get("Retry-After"))
		}
		f.clock.Advance(2 * time.Minute)
		f.row(row{"", login, right, "", 200, "", nil})
		f.row(row{"", login, wrong, "", 401, trade.BadLogin, nil}) // and counting has begun anew
		f.row(row{"", login, right, "", 200, "", nil})
	})
}

// As many passwords sent at once are looked at as one after the other, and the right one
// among them is told no more than the wrong ones. Also who belongs to several accounts is
// not asked which.
func TestLoginsAtOnce(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "nobody"
	f.step("operate user create\n{\"tenant\":\"{tenant2}\",\"email\":\"master@one.example\",\"role\":\"READONLY\"}")
	wrong := func(i int) *http.Request {
		return f.ready("POST /api/auth/login", fmt.Sprintf(`{"email":"master@one.example","password":"wrong %06d"}`, i), "")
	}
	if tally, _ := f.parallel(20, wrong); tally["401 invalid_credentials"] != 5 || tally["429 too_many_attempts"] != 15 {
		t.Errorf("%v", tally)
	}
	f.row(row{"", "POST /api/auth/login", `{"email":"master@one.example","password":"{password}"}`, "", 429, trade.TooManyAttempts, nil})
	f.clock.Advance(time.Minute)
	f.row(row{"", "POST /api/auth/login", `{"email":"master@one.example","password":"{password}"}`, "", 409, trade.TenantRequired, nil})
}

// Strangers write nothing of any length into the folder.
func TestStrangersDoNotFillTheDisk(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "nobody"
	f.rows([]row{
		{"an address as long as may be", "POST /api/auth/login", `{"email":" ` + strings.Repeat("ş", 254) + ` ","password":"{password}"}`, "", 401, trade.BadLogin, nil},
		{"a character more", "POST /api/auth/login", `{"email":"` + strings.Repeat("ş", 255) + `","password":"{password}"}`, "", 422, "", []string{`errors[0].field = "email"`, `errors[0].code = "too_long"`}},
		{"nothing but spaces", "POST /api/auth/login", `{"email":"  ","password":"{password}"}`, "", 422, "", []string{`errors[0].field = "email"`, `errors[0].code = "required"`}},
	})
	before, long := f.bytesKept(), strings.Repeat("x", 3<<20)
	for range 3 {
		f.row(row{"", "POST /api/auth/login", `{"email":"` + long + `","password":"{password}"}`, "", 422, trade.ValidationFailed, nil})
		f.row(row{"", "POST /api/auth/refresh", `{"refreshToken":"` + long + `"}`, "", 401, trade.NoCredentials, nil})
	}
	if more := f.bytesKept() - before; more > 1<<20 {
		t.Errorf("the folder has grown by %d bytes", more)
	}
}

// bytesKept is how large the database is, its log included.
func (f *fixture) bytesKept() (n int64) {
	f.t.Helper()
	files, err := filepath.Glob(filepath.Join(f.dir, "esnaf.db*"))
	if err != nil || len(files) == 0 {
		f.t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil { // the log may have gone
			n += info.Size()
		}
	}
	return n
}
