package server_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"esnaf/webhook/sign"
)

// TestHooksSigned is what a receiver can rely on in each single call.
func TestHooksSigned(t *testing.T) {
	t.Run("W1", testHooksHeaders)
	t.Run("W2", testHooksInNode)
	t.Run("W4", testHooksForged)
	t.Run("W5", testHooksStamped)
}

// invoice makes a draft of so many lines.
func (h *hooked) invoice(company string, lines int) string {
	h.t.Helper()
	line := `{"name":"Çay bardağı","quantity":"3","unitPrice":"9.99","vatRate":"20"}`
	return h.want(201, "POST", "/api/invoices", `{"companyId":"`+company+`","lines":[`+strings.TrimSuffix(strings.Repeat(line+",", lines), ",")+`]}`)
}

// verifyInNode computes signatures the way an integrator would in another
// language: from the raw bytes and the header's timestamp.
const verifyInNode = `
const {createHmac} = require('crypto');
const calls = JSON.parse(require('fs').readFileSync(0));
console.log(JSON.stringify(calls.map(c =>
  createHmac('sha256', c.secret).update(c.timestamp + '.').update(Buffer.from(c.body, 'base64')).digest('hex'))));`

// testHooksInNode compares signatures with those of another language.
func testHooksInNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not on this machine: the signatures are not compared with another language")
	}
	h := startHooked(t)
	e := h.listen(nil)
	h.register("*", e.URL)
	company := h.company("plain ASCII")
	for _, name := range []string{"ığüşöçİ Ticaret", "🧾 e-Fatura 👍🏽", `<b>&"Ada"</b>`, "one\u2028two\u2029three"} {
		h.company(name)
	}
	h.invoice(company, 200)
	h.drain()
	type row struct {
		Secret    string `json:"secret"`
		Timestamp string `json:"timestamp"`
		Body      []byte `json:"body"`
	}
	var rows []row
	knocks := h.heard(e, 6)
	for _, k := range knocks {
		rows = append(rows, row{hookSecret, k.header.Get("X-Svc-Timestamp"), k.body})
	}
	in, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "-e", verifyInNode)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var sums []string
	if err := json.Unmarshal(out, &sums); err != nil || len(sums) != len(knocks) {
		t.Fatalf("node wrote %s: %v", out, err)
	}
	for i, k := range knocks {
		if got := k.header.Get("X-Svc-Signature"); got != sums[i] {
			t.Errorf("the header says %s, node %s of %.300s", got, sums[i], k.body)
		}
	}
}

// TestHooksSecret is what becomes of a webhook's secret.
func TestHooksSecret(t *testing.T) {
	t.Run("W29", testHooksSecretIsNowhere)
	t.Run("W30", testHooksSecretShownOnce)
}

// testHooksHeaders reads one delivery from end to end.
func testHooksHeaders(t *testing.T) {
	h := startHooked(t)
	e := h.listen(nil)
	h.register("invoice.created", e.URL)
	company := h.company("Ada Ltd")
	h.invoice(company, 1)
	h.drain()
	k := h.heard(e, 1)[0]
	var body struct {
		ID, Event, APIVersion, TenantID string
		Sequence                        int
		Data                            struct{ Object struct{ CompanyID string } }
	}
	if err := json.Unmarshal(k.body, &body); err != nil {
		t.Fatal(err)
	}
	if body.Event != "invoice.created" || body.APIVersion == "" || body.TenantID != h.one.tenant || body.Sequence != 2 || body.Data.Object.CompanyID != company {
		t.Errorf("the body tells %+v: %s", body, k.body)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "X-Svc-Event": "invoice.created", "X-Svc-Event-Id": body.ID, "X-Svc-Attempt": "1",
		"User-Agent": "esnaf/test", "X-Svc-Timestamp": strconv.FormatInt(firstDay.Unix(), 10), "Webhook-Id": body.ID,
	} {
		if got := k.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if s := k.header.Get("X-Svc-Signature"); !regexp.MustCompile("^[0-9a-f]{64}$").MatchString(s) {
		t.Errorf("X-Svc-Signature is %q, want lower-case hex", s)
	}
}

// testHooksForged changes single bits of a delivery.
func testHooksForged(t *testing.T) {
	h := startHooked(t)
	e := h.listen(nil)
	h.register("*", e.URL)
	h.company("Ada Ltd")
	h.drain()
	k := h.heard(e, 1)[0]
	stamp, signature := k.header.Get("X-Svc-Timestamp"), k.header.Get("X-Svc-Signature")
	check := func(secret, stamp string, body []byte) error {
		return sign.Check(secret, signature, stamp, body, h.clock.Now())
	}
	if err := check(hookSecret, stamp, k.body); err != nil {
		t.Fatalf("as received: %v", err)
	}
	other := bytes.Clone(k.body)
	other[len(other)/2] ^= 1
	last := stamp[len(stamp)-1] ^ 1 // a digit's neighbour: 0 and 1, 2 and 3
	for what, err := range map[string]error{
		"body":      check(hookSecret, stamp, other),
		"timestamp": check(hookSecret, stamp[:len(stamp)-1]+string(rune(last)), k.body),
		"secret":    check(string(hookSecret[0]^1)+hookSecret[1:], stamp, k.body),
	} {
		if !errors.Is(err, sign.ErrMismatch) {
			t.Errorf("with one bit of the %s flipped: %v", what, err)
		}
	}
}

// testHooksStamped looks at the timestamp of every attempt: each is signed anew.
func testHooksStamped(t *testing.T) {
	h := startHooked(t)
	e := h.listen(always(500))
	id := h.register("company.created", e.URL)
	h.company("Ada Ltd")
	h.drain()
	for range 3 {
		h.comesDue(id)
	}
	seen := map[string]bool{}
	for i, k := range h.heard(e, 4) {
		stamp, signature := k.header.Get("X-Svc-Timestamp"), k.header.Get("X-Svc-Signature")
		if stamp != strconv.FormatInt(k.at.Unix(), 10) {
			t.Errorf("attempt %d at %d has the timestamp %s", i+1, k.at.Unix(), stamp)
		}
		if err := sign.Check(hookSecret, signature, stamp, k.body, k.at); err != nil {
			t.Errorf("attempt %d: %v", i+1, err)
		}
		seen[signature] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d signatures in 4 attempts: each must be made anew", len(seen))
	}
}

// testHooksSecretShownOnce registers with secrets of all lengths and with none.
func testHooksSecretShownOnce(t *testing.T) {
	h := startHooked(t)
	for length, want := range map[int]int{1: 422, 15: 422, 16: 201, 256: 201, 257: 422} {
		res := h.call("POST", "/api/webhooks", fmt.Sprintf(`{"event":"*","url":"https://example.com/","secret":%q}`, strings.Repeat("s", length)))
		if res.status != want {
			t.Errorf("a secret of %d bytes: %d, want %d: %s", length, res.status, want, res.body)
		}
		if want == 422 && member(res.body, "errors[0].field") != "secret" {
			t.Errorf("the fault of %d bytes is told of another field: %s", length, res.body)
		}
	}
	body := `{"event":"*","url":"https://example.com/"}`
	key := []string{"Idempotency-Key", "4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e30"}
	res := h.call("POST", "/api/webhooks", body, key...)
	secret, _ := member(res.body, "secret").(string)
	if raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_")); res.status != 201 || err != nil || len(raw) != 24 {
		t.Fatalf("the secret made for us is %q in %d %s", secret, res.status, res.body)
	}
	again := h.call("POST", "/api/webhooks", body, key...)
	if !bytes.Equal(again.body, res.body) || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("repeated with its key: %d %s, first %s", again.status, again.body, res.body)
	}
	id, _ := member(res.body, "id").(string)
	if shown := h.call("GET", "/api/webhooks/"+id, ""); member(shown.body, "secret") != nil || shown.status != 200 {
		t.Errorf("read again: %d %s", shown.status, shown.body)
	}
}

// testHooksSecretIsNowhere looks for secrets wherever anyone could read later:
// in answers, in every file of the data folder, in the log.
func testHooksSecretIsNowhere(t *testing.T) {
	h := startHooked(t)
	e := h.listen(func(n int, w http.ResponseWriter) { w.WriteHeader([]int{500, 204}[n%2]) })
	given := h.register("company.created", e.URL)
	key := []string{"Idempotency-Key", "4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e31"}
	body := `{"event":"*","url":"` + e.URL + `"}`
	res := h.call("POST", "/api/webhooks", body, key...)
	made, _ := member(res.body, "secret").(string)
	id, _ := member(res.body, "id").(string)
	h.call("POST", "/api/webhooks", body, key...)
	h.call("POST", "/api/webhooks", `{"event":"*","url":"ftp://x","secret":"`+hookSecret+`"}`) // a refusal must not say it either
	h.company("Ada Ltd")
	h.drain()
	h.advance("10s")
	h.drain()
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(made, "whsec_"))
	if err != nil || len(raw) == 0 {
		t.Fatalf("the secret made for us is %q", made)
	}
	places := map[string][]byte{"log": []byte(h.log.String())}
	for _, path := range []string{"/api/webhooks", "/api/webhooks/" + id, "/api/webhooks/" + given, "/api/webhooks/" + id + "/deliveries", "/api/webhooks/" + given + "/deliveries"} {
		if places[path] = h.call("GET", path, "").body; !bytes.Contains(places[path], []byte("whk_")) {
			t.Fatalf("%s answers %s", path, places[path])
		}
	}
	for _, name := range []string{"esnaf.db", "esnaf.db-wal", "keys.json"} {
		if places[name], err = os.ReadFile(filepath.Join(h.db.Dir(), name)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Contains(append(places["esnaf.db"], places["esnaf.db-wal"]...), []byte("Ada Ltd")) {
		t.Fatal("the database does not hold what was written: the search would find nothing")
	}
	if !bytes.Contains(places["log"], []byte("/api/webhooks")) {
		t.Fatal("the log tells nothing of the requests: the search would find nothing")
	}
	for place, text := range places {
		for _, secret := range [][]byte{[]byte(hookSecret), []byte(made), []byte(made[len("whsec_"):]), raw} {
			if bytes.Contains(text, secret) {
				t.Errorf("%s holds the secret %q", place, secret)
			}
		}
	}
}
