package wire_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"esnaf/store/trade"
)

const key = "4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e21"

// TestIdempotencyKeyForms is I1 and I2.
func TestIdempotencyKeyForms(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		name, header string
		status       int
		code         trade.Code
	}{
		{"none", "Idempotency-Key:", 400, trade.KeyRequired},
		{"empty", "Idempotency-Key: <empty>", 400, trade.KeyInvalid},
		{"no UUID", "Idempotency-Key: abc", 400, trade.KeyInvalid},
		{"37 characters", "Idempotency-Key: " + key + "a", 400, trade.KeyInvalid},
		{"version 1", "Idempotency-Key: 4f9c1c1e-2b7a-1a51-9d3c-0c3f3a5b7e21", 400, trade.KeyInvalid},
		{"version 7", "Idempotency-Key: 4f9c1c1e-2b7a-7a51-9d3c-0c3f3a5b7e21", 400, trade.KeyInvalid},
		{"nil", "Idempotency-Key: 00000000-0000-0000-0000-000000000000", 400, trade.KeyInvalid},
		{"another variant", "Idempotency-Key: 4f9c1c1e-2b7a-4a51-cd3c-0c3f3a5b7e21", 400, trade.KeyInvalid},
		{"braces", "Idempotency-Key: {" + key + "}", 400, trade.KeyInvalid},
		{"urn", "Idempotency-Key: urn:uuid:" + key, 400, trade.KeyInvalid},
		{"no hyphens", "Idempotency-Key: " + strings.ReplaceAll(key, "-", ""), 400, trade.KeyInvalid},
		{"one quote", `Idempotency-Key: "` + key, 400, trade.KeyInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.t = t
			w.want(w.do("POST", "/api/companies", `{"name":"a"}`, tt.header), tt.status, tt.code)
		})
	}
	req := w.request("POST", "/api/companies", `{"name":"a"}`)
	req.Header["Idempotency-Key"] = []string{key, key}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	w.want(w.read(res), 400, trade.HeaderRepeated)
	if n := w.count(); n != 0 {
		t.Fatalf("%d companies were made", n)
	}
	first := w.do("POST", "/api/companies", `{"name":"a"}`, "Idempotency-Key: "+key)
	for _, same := range []string{strings.ToUpper(key), `"` + key + `"`} {
		a := w.do("POST", "/api/companies", `{"name":"a"}`, "Idempotency-Key: "+same)
		if a.text("id") != first.text("id") || a.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s is not the same key: %s", same, a.body)
		}
	}
}

// TestRepeats is I3 to I9, I13 and I17.
func TestRepeats(t *testing.T) {
	w := newWorld(t)
	k := "Idempotency-Key: " + key
	body := `{"name":"Öztürk","code":"A1","riskLimit":1.50}`
	first := w.do("POST", "/api/companies", body, k)
	w.want(first, 201, "")
	if first.Header.Get("Idempotent-Replayed") != "" || first.Header.Get("Location") != "/api/companies/"+first.text("id") || first.Header.Get("ETag") != `"1"` {
		t.Errorf("headers of the first answer: %v", first.Header)
	}
	for _, tt := range []struct {
		name, method, path, body, header string
		status                           int
		code                             trade.Code
		replay                           bool
	}{
		{"the same", "POST", "/api/companies", body, "", 201, "", true},
		{"another order, white space and escapes", "POST", "/api/companies", ` { "riskLimit":1.50 , "code":"A1","n\u0061me":"\u00d6ztürk"}`, "", 201, "", true},
		{"another value", "POST", "/api/companies", `{"name":"Öztürk","code":"A2","riskLimit":1.50}`, "", 422, trade.KeyReused, false},
		{"other digits", "POST", "/api/companies", `{"name":"Öztürk","code":"A1","riskLimit":1.5}`, "", 422, trade.KeyReused, false},
		{"a body with faults", "POST", "/api/companies", `{"name":"Öztürk","code":7}`, "", 422, trade.KeyReused, false},
		{"no JSON", "POST", "/api/companies", `{`, "", 400, trade.MalformedJSON, false},
		{"another route", "POST", "/api/products", `{"name":"p"}`, "", 201, "", false},
		{"another route again", "POST", "/api/products", `{"name":"p"}`, "", 201, "", true},
		{"another tenant", "POST", "/api/companies", body, "Authorization: Bearer " + w.t2 + " usr_two all", 201, "", false},
		{"another user", "POST", "/api/companies", `{"name":"c"}`, "Authorization: Bearer " + w.t1 + " usr_other all", 201, "", false},
		{"without the scope", "POST", "/api/companies", body, "Authorization: Bearer " + w.t1 + " usr_one companies:read", 403, trade.InsufficientScope, false},
		{"not required, not given", "POST", "/api/products", `{"name":"p"}`, "Idempotency-Key:", 201, "", false},
		{"not asked of a PUT", "PUT", "/api/companies/" + first.text("id"), body, "If-Match: \"1\"", 200, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.t = t
			a := w.do(tt.method, tt.path, tt.body, k, tt.header)
			w.want(a, tt.status, tt.code)
			if replayed := a.Header.Get("Idempotent-Replayed") == "true"; replayed != tt.replay {
				t.Errorf("replayed = %v", replayed)
			}
			if tt.replay && tt.path == "/api/companies" && (string(a.body) != string(first.body) || a.Header.Get("Location") != first.Header.Get("Location") || a.Header.Get("ETag") != first.Header.Get("ETag")) {
				t.Errorf("another answer: %s", a.body)
			}
		})
	}
	w.t = t
	w.clock.Advance(23*time.Hour + 59*time.Minute)
	if a := w.do("POST", "/api/companies", body, k); a.text("id") != first.text("id") {
		t.Errorf("forgotten too early: %s", a.body)
	}
	w.clock.Advance(2 * time.Minute)
	w.want(w.do("POST", "/api/companies", body, k), 409, trade.Duplicate)
}

// TestRefusalsAreKept tells what a key remembers: a refusal of the state of
// things, and nothing that the caller can mend (I9, I10).
func TestRefusalsAreKept(t *testing.T) {
	w := newWorld(t)
	w.company(`{"name":"a","code":"TAKEN"}`)
	k := "Idempotency-Key: " + key
	w.want(w.do("POST", "/api/companies", `{"name":""}`, k), 422, trade.ValidationFailed)
	w.want(w.do("POST", "/api/companies", `{"name":"b"}`, k, "Authorization: Bearer "+w.t1+" usr_busy all"), 429, trade.RateLimited)
	first := w.do("POST", "/api/companies", `{"name":"b","code":"TAKEN"}`, k)
	w.want(first, 409, trade.Duplicate)
	again := w.do("POST", "/api/companies", `{"name":"b","code":"TAKEN"}`, k)
	w.want(again, 409, trade.Duplicate)
	if again.Header.Get("Idempotent-Replayed") != "true" || string(again.body) != string(first.body) {
		t.Errorf("the refusal was not kept: %s", again.body)
	}
	w.want(w.do("POST", "/api/companies", `{"name":"b"}`, k), 422, trade.KeyReused)
}

// TestParallelRepeats is I7 and I8.
func TestParallelRepeats(t *testing.T) {
	w := newWorld(t)
	send := func(n int, key func() string, body string) map[string]int {
		var wg sync.WaitGroup
		answers := make([]*answer, n)
		for i := range n {
			wg.Go(func() { answers[i] = w.do("POST", "/api/companies", body, "Idempotency-Key: "+key()) })
		}
		wg.Wait()
		got := map[string]int{}
		for _, a := range answers {
			got[fmt.Sprintf("%d%s", a.StatusCode, a.code())]++
			if a.code() == trade.KeyInProgress && a.Header.Get("Retry-After") != "1" {
				t.Error("no Retry-After")
			}
		}
		return got
	}
	one := send(50, func() string { return key }, `{"name":"one"}`)
	if one["201"] == 0 || one["201"]+one["409idempotency_in_progress"] != 50 || w.count() != 1 {
		t.Errorf("one key: %v, %d rows", one, w.count())
	}
	if a := w.do("POST", "/api/companies", `{"name":"one"}`, "Idempotency-Key: "+key); a.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("afterwards no replay: %s", a.body)
	}
	many := send(50, uuid.NewString, `{"name":"many","code":"X"}`)
	if many["201"] != 1 || many["409duplicate"] != 49 {
		t.Errorf("many keys: %v", many)
	}
}

// TestSecretsAreShownAgain repeats a registration: the secret is in the answer,
// and nowhere in the clear in the database.
func TestSecretsAreShownAgain(t *testing.T) {
	w := newWorld(t)
	body := `{"event":"*","url":"https://example.com/hook"}`
	first := w.do("POST", "/api/webhooks", body, "Idempotency-Key: "+key)
	w.want(first, 201, "")
	again := w.do("POST", "/api/webhooks", body, "Idempotency-Key: "+key)
	if first.text("secret") == "" || string(again.body) != string(first.body) {
		t.Errorf("first %s, again %s", first.body, again.body)
	}
}
