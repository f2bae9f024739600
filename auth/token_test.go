package auth

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// hands is a clock that stands where a test puts it.
type hands struct{ at time.Time }

func (h *hands) now() time.Time { return h.at }

func newTokens(t testing.TB) (*Tokens, *hands) {
	clock := &hands{noon}
	return NewTokens("https://esnaf.example", "esnaf", DefaultAccessTTL, clock.now, newKeyring(t, 1)), clock
}

func someone() Claims {
	return Claims{
		User: "usr_1", Tenant: "ten_1", Session: "ses_1", ID: "jti_1",
		Role: Accountant, Scopes: Accountant.Scopes(),
	}
}

func issue(t testing.TB, tokens *Tokens, c Claims) string {
	token, _, err := tokens.Issue(c)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestIssueAndVerify(t *testing.T) {
	tokens, clock := newTokens(t)
	clock.at = noon.Add(700 * time.Millisecond)
	for _, role := range Roles() {
		want := someone()
		want.Role, want.Scopes = role, role.Scopes()
		token, expires, err := tokens.Issue(want)
		if err != nil || !expires.Equal(noon.Add(15*time.Minute)) {
			t.Fatalf("%s: expires %v, %v", role, expires, err)
		}
		if len(token) > 1024 {
			t.Errorf("%s: the token has %d bytes", role, len(token))
		}
		want.IssuedAt, want.Expires = noon, expires
		for _, visit := range []string{"first", "second"} { // parsed, then remembered
			got, err := tokens.Verify(token)
			if err != nil || got != want {
				t.Errorf("%s, %s time: %v\n%s", role, visit, err, cmp.Diff(want, got, cmp.AllowUnexported(Scopes{})))
			}
		}
	}
}

// What a client sees when it decodes a token.
func TestTokenContents(t *testing.T) {
	tokens, _ := newTokens(t)
	part := strings.Split(issue(t, tokens, someone()), ".")
	kid := newKeyring(t, 1).signing[0].kid
	for i, want := range []string{
		`{"alg":"HS256","kid":"` + kid + `","typ":"JWT"}`,
		`{"iss":"https://esnaf.example","sub":"usr_1","aud":["esnaf"],"tenantId":"ten_1","role":"ACCOUNTANT",` +
			`"scope":"*:read *:export companies:* invoices:* bank:* cashAccount:*","jti":"jti_1","sid":"ses_1",` +
			`"iat":1795867200,"nbf":1795867200,"exp":1795868100,"typ":"access"}`,
	} {
		text, err := base64.RawURLEncoding.DecodeString(part[i])
		if err != nil || !json.Valid(text) {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(text)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestTokenTimes(t *testing.T) {
	for _, row := range []struct {
		name  string
		at    time.Duration // after issue
		valid bool
	}{
		{"at once", 0, true},
		{"our clock 30 s behind", -30 * time.Second, true},
		{"our clock 31 s behind", -31 * time.Second, false},
		{"one second before the end", 15*time.Minute - time.Second, true},
		{"29 s after the end", 15*time.Minute + 29*time.Second, true},
		{"30 s after the end", 15*time.Minute + 30*time.Second, false},
		{"61 s after the end", 15*time.Minute + 61*time.Second, false},
		{"a year later", 365 * 24 * time.Hour, false},
	} {
		fresh, clock := newTokens(t)
		token := issue(t, fresh, someone())
		remembered, clock2 := newTokens(t)
		if _, err := remembered.Verify(token); err != nil {
			t.Fatal(err)
		}
		clock.at, clock2.at = noon.Add(row.at), noon.Add(row.at)
		_, err1 := fresh.Verify(token)
		_, err2 := remembered.Verify(token)
		if (err1 == nil) != row.valid || (err2 == nil) != row.valid {
			t.Errorf("%s: parsed %v, remembered %v, want valid %v", row.name, err1, err2, row.valid)
		}
	}
}

func TestIssueRefusesHalfAClaim(t *testing.T) {
	tokens, _ := newTokens(t)
	for name, spoil := range map[string]func(*Claims){
		"no user":    func(c *Claims) { c.User = "" },
		"no tenant":  func(c *Claims) { c.Tenant = "" },
		"no session": func(c *Claims) { c.Session = "" },
		"no id":      func(c *Claims) { c.ID = "" },
		"no role":    func(c *Claims) { c.Role = "" },
	} {
		c := someone()
		spoil(&c)
		if token, _, err := tokens.Issue(c); err == nil || token != "" {
			t.Errorf("%s: %q, %v", name, token, err)
		}
	}
}

func TestTokensAcrossRotation(t *testing.T) {
	tokens, _ := newTokens(t)
	first := newKeyring(t, 1)
	old := issue(t, tokens, someone())
	verify := func(when, token string, want bool) {
		t.Helper()
		for range 2 {
			if _, err := tokens.Verify(token); (err == nil) != want {
				t.Errorf("%s: %v, want valid %v", when, err, want)
			}
		}
	}
	verify("before", old, true)
	second := rotate(t, first, 2)
	tokens.Use(second)
	verify("old token after one rotation", old, true)
	young := issue(t, tokens, someone())
	verify("new token after one rotation", young, true)
	tokens.Use(rotate(t, second, 3))
	verify("old token after two rotations", old, false)
	verify("new token after two rotations", young, true)
	tokens.Use(newKeyring(t, 99))
	verify("token of another folder", young, false)
}

func TestVerifiedIsBounded(t *testing.T) {
	v := newVerified()
	var sum [32]byte
	for i := range maxVerified + 100 {
		sum[0], sum[1] = byte(i), byte(i>>8)
		v.put(sum, Claims{IssuedAt: noon, Expires: noon.Add(time.Minute)})
	}
	if len(v.claims) != maxVerified {
		t.Errorf("%d tokens remembered, want %d", len(v.claims), maxVerified)
	}
	if _, ok := v.get(sum, noon); !ok {
		t.Error("the latest token was forgotten")
	}
}

func FuzzVerify(f *testing.F) {
	tokens, _ := newTokens(f)
	good := issue(f, tokens, someone())
	for _, seed := range []string{"", "..", "a.b.c", good, good[:len(good)-2], "eyJhbGciOiJub25lIn0.e30.", strings.Repeat(".", 100)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		c, err := tokens.Verify(token)
		if (err == nil) != (token == good) {
			t.Fatalf("%q: %v", token, err)
		}
		if err != nil && (!errors.Is(err, ErrToken) || c != (Claims{})) {
			t.Fatalf("%q: %v, %+v", token, err, c)
		}
	})
}

func BenchmarkVerifyRemembered(b *testing.B) {
	tokens, _ := newTokens(b)
	token := issue(b, tokens, someone())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tokens.Verify(token); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerifyFirst(b *testing.B) {
	tokens, _ := newTokens(b)
	token := issue(b, tokens, someone())
	keys := tokens.trust.Load().keys
	b.ReportAllocs()
	for b.Loop() {
		tokens.Use(keys) // forget
		if _, err := tokens.Verify(token); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerifyForged(b *testing.B) {
	tokens, _ := newTokens(b)
	token := issue(b, tokens, someone())
	token = token[:len(token)-3] + "AAA"
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tokens.Verify(token); err == nil {
			b.Fatal("accepted")
		}
	}
}
