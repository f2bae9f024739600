package auth

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"hash"
	"strings"
	"testing"
	"time"
)

// raw is JSON put into a forged token as it stands.
type raw = json.RawMessage

// forgery is a token under construction. Untouched it is a good one: it knows
// the real key and kid, so each row below is refused for its own change alone.
type forgery struct {
	header, claims map[string]any
	key            []byte
	hash           func() hash.Hash
	sign           func(signed string) []byte // instead of HMAC
	edit           func(token string) string  // after signing
}

func newForgery(t testing.TB) *forgery {
	good := newKeyring(t, 1).signing[0]
	now := noon.Unix()
	return &forgery{
		header: map[string]any{"alg": "HS256", "kid": good.kid, "typ": "JWT"},
		claims: map[string]any{
			"iss": "https://esnaf.example", "sub": "usr_1", "aud": "esnaf", "tenantId": "ten_1",
			"role": "MASTER", "scope": "all", "jti": "jti_1", "sid": "ses_1",
			"iat": now, "nbf": now, "exp": now + 900, "typ": "access",
		},
		key: good.key, hash: sha256.New,
	}
}

func (f *forgery) token(t testing.TB) string {
	header, err1 := json.Marshal(f.header)
	claims, err2 := json.Marshal(f.claims)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	signed := base64.RawURLEncoding.EncodeToString(header) + "." + base64.RawURLEncoding.EncodeToString(claims)
	var sig []byte
	if f.sign != nil {
		sig = f.sign(signed)
	} else {
		mac := hmac.New(f.hash, f.key)
		mac.Write([]byte(signed))
		sig = mac.Sum(nil)
	}
	token := signed + "." + base64.RawURLEncoding.EncodeToString(sig)
	if f.edit != nil {
		token = f.edit(token)
	}
	return token
}

func header(name string, value any) func(*forgery) {
	return func(f *forgery) { f.header[name] = value }
}

func claim(name string, value any) func(*forgery) {
	return func(f *forgery) { f.claims[name] = value }
}

func without(name string) func(*forgery) {
	return func(f *forgery) { delete(f.claims, name) }
}

func edit(change func(string) string) func(*forgery) {
	return func(f *forgery) { f.edit = change }
}

// none is an unsigned token under one of the spellings of the algorithm.
func none(alg string) func(*forgery) {
	return func(f *forgery) {
		f.header["alg"] = alg
		f.sign = func(string) []byte { return nil }
	}
}

// forgedWithRSA are the two ways to play a public key against a shared one.
func forgedWithRSA(t testing.TB) map[string]func(*forgery) {
	pair, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&pair.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	return map[string]func(*forgery){
		"HS256 keyed with a public key": func(f *forgery) { f.key = public },
		"RS256": func(f *forgery) {
			f.header["alg"] = "RS256"
			f.sign = func(signed string) []byte {
				sum := sha256.Sum256([]byte(signed))
				sig, err := rsa.SignPKCS1v15(rand.Reader, pair, crypto.SHA256, sum[:])
				if err != nil {
					t.Fatal(err)
				}
				return sig
			}
		},
	}
}

func TestForgedTokens(t *testing.T) {
	now := noon.Unix()
	rows := forgedWithRSA(t)
	for name, row := range map[string]func(*forgery){
		"alg none": none("none"), "alg None": none("None"), "alg NONE": none("NONE"), "alg nOnE": none("nOnE"), "alg empty": none(""),
		"alg none, really signed": header("alg", "none"),
		"alg HS384":               func(f *forgery) { f.header["alg"] = "HS384"; f.hash = sha512.New384 },
		"alg HS512":               func(f *forgery) { f.header["alg"] = "HS512"; f.hash = sha512.New },
		"alg lower case":          header("alg", "hs256"),
		"alg null":                header("alg", nil),
		"alg list":                header("alg", []string{"HS256"}),
		"empty key":               func(f *forgery) { f.key = nil },
		"wrong key":               func(f *forgery) { f.key = make([]byte, 32) },

		"no kid":        func(f *forgery) { delete(f.header, "kid") },
		"kid empty":     header("kid", ""),
		"kid unknown":   header("kid", "another"),
		"kid number":    header("kid", 1),
		"kid null":      header("kid", nil),
		"kid list":      func(f *forgery) { f.header["kid"] = []any{f.header["kid"]} },
		"kid path":      func(f *forgery) { f.header["kid"] = "../../dev/null"; f.key = nil },
		"kid SQL":       func(f *forgery) { f.header["kid"] = "x' UNION SELECT 'aaaa'--"; f.key = []byte("aaaa") },
		"kid NUL":       func(f *forgery) { f.header["kid"] = f.header["kid"].(string) + "\x00" },
		"jku":           header("jku", "https://evil.example/keys"),
		"jwk":           header("jwk", map[string]string{"kty": "oct", "k": "AAAA"}),
		"x5u":           header("x5u", "https://evil.example/cert"),
		"crit":          header("crit", []string{"exp"}),
		"typ at+jwt":    header("typ", "at+jwt"),
		"header no typ": func(f *forgery) { delete(f.header, "typ") },
		"jwk for kid":   func(f *forgery) { delete(f.header, "kid"); f.header["jwk"] = "AAAA" },

		"iss missing": without("iss"), "iss wrong": claim("iss", "https://evil.example"), "iss with slash": claim("iss", "https://esnaf.example/"),
		"iss list":    claim("iss", []string{"https://esnaf.example"}),
		"aud missing": without("aud"), "aud empty": claim("aud", ""), "aud wrong": claim("aud", "other"), "aud null": claim("aud", nil),
		"aud list without ours": claim("aud", []string{"other", "esnaf2"}), "aud empty list": claim("aud", []string{}),
		"aud object": claim("aud", map[string]string{"esnaf": "esnaf"}), "aud list of numbers": claim("aud", []int{1}),
		"sub missing": without("sub"), "tenant missing": without("tenantId"), "jti missing": without("jti"), "sid missing": without("sid"),
		"role missing": without("role"), "role unknown": claim("role", "ROOT"), "scope unknown": claim("scope", "companies:fly"),
		"scope list": claim("scope", []string{"all"}),

		"exp missing": without("exp"), "exp null": claim("exp", nil), "exp zero": claim("exp", 0), "exp negative": claim("exp", -1),
		"exp past": claim("exp", now-31), "exp string": claim("exp", raw(`"1795868100"`)), "exp float": claim("exp", raw("1795868100.5")),
		"exp 1e99": claim("exp", raw("1e99")), "exp exponent": claim("exp", raw("17958681e2")), "exp over int64": claim("exp", raw("9223372036854775808")),
		"exp int64": claim("exp", raw("9223372036854775807")), "exp year 10000": claim("exp", raw("253402300800")),
		"exp true": claim("exp", true), "exp list": claim("exp", []int64{now + 900}),
		"nbf missing": without("nbf"), "nbf future": claim("nbf", now+31), "nbf string": claim("nbf", raw(`"1795867200"`)),
		"iat missing": without("iat"), "iat future": claim("iat", now+31), "iat 1e99": claim("iat", raw("1e99")),

		"typ missing": without("typ"), "typ refresh": claim("typ", "refresh"), "typ upper case": claim("typ", "ACCESS"), "typ null": claim("typ", nil),

		"claims null":        edit(func(s string) string { return resign(t, s, "null") }),
		"claims list":        edit(func(s string) string { return resign(t, s, "[]") }),
		"claims no JSON":     edit(func(s string) string { return resign(t, s, "{") }),
		"claims with a tail": edit(func(s string) string { return resign(t, s, `{"typ":"access"} {}`) }),

		"signature truncated": edit(func(s string) string { return s[:len(s)-1] }),
		"signature missing":   edit(func(s string) string { return s[:strings.LastIndex(s, ".")+1] }),
		"signature flipped":   edit(flipLast),
		"signature padded":    edit(func(s string) string { return s + "=" }),
		"two parts":           edit(func(s string) string { return s[:strings.LastIndex(s, ".")] }),
		"trailing dot":        edit(func(s string) string { return s + "." }),
		"leading dot":         edit(func(s string) string { return "." + s }),
		"extra segment":       edit(func(s string) string { return s + ".AAAA" }),
		"five segments (JWE)": edit(func(s string) string { return s + ".AAAA.AAAA" }),
		"line break inside":   edit(func(s string) string { return s[:5] + "\n" + s[5:] }),
		"trailing space":      edit(func(s string) string { return s + " " }),
		"scheme left on":      edit(func(s string) string { return "Bearer " + s }),
		"refresh token":       edit(func(string) string { return mustRefresh(t) }),
		"API key":             edit(func(string) string { return newKey(t, 1, KeyUser) }),
		"empty":               edit(func(string) string { return "" }),
		"two dots":            edit(func(string) string { return ".." }),
		"100,000 dots":        edit(func(string) string { return strings.Repeat(".", 100_000) }),
		"8,000 dots":          edit(func(string) string { return strings.Repeat(".", 8_000) }),
		"a 1 MB token":        claim("scope", strings.Repeat("companies:read ", 50_000)),
		"deep nesting":        edit(func(s string) string { return resign(t, s, strings.Repeat("[", 5_000)) }),
	} {
		rows[name] = row
	}

	tokens, _ := newTokens(t)
	if _, err := tokens.Verify(newForgery(t).token(t)); err != nil {
		t.Fatalf("the untouched token is refused, so no row says anything: %v", err)
	}
	for name, change := range rows {
		f := newForgery(t)
		change(f)
		token := f.token(t)
		fastest := time.Hour // of three, since other tests share the machine
		for range 3 {
			start := time.Now()
			c, err := tokens.Verify(token)
			fastest = min(fastest, time.Since(start))
			if !errors.Is(err, ErrToken) || c != (Claims{}) {
				t.Errorf("%s: %+v, %v", name, c, err)
			}
		}
		if fastest > 20*time.Millisecond {
			t.Errorf("%s: took %v", name, fastest)
		}
	}
}

// A few unusual tokens are good, so that the rows above do not pass because
// everything is refused.
func TestUnusualButGoodTokens(t *testing.T) {
	now := noon.Unix()
	for name, change := range map[string]func(*forgery){
		"aud list with ours": claim("aud", []string{"other", "esnaf"}),
		"nbf in leeway":      claim("nbf", now+30),
		"exp in leeway":      claim("exp", now-29),
		"more claims":        claim("client_id", "x"),
		"no scopes":          claim("scope", ""),
	} {
		tokens, _ := newTokens(t)
		f := newForgery(t)
		change(f)
		if _, err := tokens.Verify(f.token(t)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// resign replaces a token's claims by a text and signs it with the real key.
func resign(t testing.TB, token, claims string) string {
	signed := token[:strings.Index(token, ".")+1] + base64.RawURLEncoding.EncodeToString([]byte(claims))
	mac := hmac.New(sha256.New, newKeyring(t, 1).signing[0].key)
	mac.Write([]byte(signed))
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// flipLast changes only the two bits of the last character that carry nothing:
// a lax decoder would read the same signature.
func flipLast(token string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(alphabet, token[len(token)-1])
	return token[:len(token)-1] + string(alphabet[last^1])
}

func mustRefresh(t testing.TB) string {
	token, err := NewRefreshToken(seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	return token
}
