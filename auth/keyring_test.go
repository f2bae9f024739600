package auth

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

func newKeyring(t testing.TB, seed byte) *Keyring {
	k, err := NewKeyring(seeded(seed), noon)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func rotate(t testing.TB, k *Keyring, seed byte) *Keyring {
	next, err := k.Rotate(seeded(seed), noon.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func TestKeyringRoundTrip(t *testing.T) {
	for _, k := range []*Keyring{newKeyring(t, 1), rotate(t, newKeyring(t, 1), 2)} {
		text := k.Marshal()
		back, err := ParseKeyring(text)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(back.Marshal(), text) || back.master != k.master || len(back.signing) != len(k.signing) {
			t.Errorf("read back as\n%s, was\n%s", back.Marshal(), text)
		}
		if back.Derive("cursor") != k.Derive("cursor") {
			t.Error("the secrets changed on the way")
		}
	}
}

func TestRotate(t *testing.T) {
	first := newKeyring(t, 1)
	second := rotate(t, first, 2)
	third := rotate(t, second, 3)
	kid := func(k *Keyring, i int) string { return k.signing[i].kid }
	if len(first.signing) != 1 || len(second.signing) != 2 || len(third.signing) != 2 {
		t.Fatalf("%d, %d and %d keys", len(first.signing), len(second.signing), len(third.signing))
	}
	if kid(second, 1) != kid(first, 0) || kid(third, 1) != kid(second, 0) || kid(third, 0) == kid(second, 0) {
		t.Error("the key before the newest is not the one that stays")
	}
	if first.Derive("seal") != third.Derive("seal") {
		t.Error("rotation changed what sealed values hang on")
	}
	if _, err := first.Rotate(strings.NewReader("short"), noon); err == nil {
		t.Error("a source that runs dry gave no error")
	}
	if _, err := NewKeyring(strings.NewReader("short"), noon); err == nil {
		t.Error("a source that runs dry gave no error")
	}
}

func TestDerive(t *testing.T) {
	k := newKeyring(t, 1)
	purposes := []string{"", "cursor", "seal", "demo", "demo/2", "Cursor"}
	seen := map[[32]byte]string{k.master: "the master"}
	for _, p := range purposes {
		secret := k.Derive(p)
		if other, ok := seen[secret]; ok {
			t.Errorf("%q and %q have one secret", p, other)
		}
		seen[secret] = p
	}
	if newKeyring(t, 2).Derive("cursor") == k.Derive("cursor") {
		t.Error("two folders have one secret")
	}
	// Written out (computed in Python), because a change here would make what
	// every folder has sealed unreadable.
	fixed := &Keyring{master: [32]byte{1, 2, 3}}
	const want = "53123d9bf2ca7a077bd7441fdc3e4f4ecaf413b048317503c885edf9804f1da7"
	if got := fixed.Derive("seal"); hex.EncodeToString(got[:]) != want {
		t.Errorf("derived %x, want %s", got, want)
	}
}

func TestParseKeyringRefuses(t *testing.T) {
	good := string(rotate(t, newKeyring(t, 1), 2).Marshal())
	k := newKeyring(t, 1)
	secret := base64.StdEncoding.EncodeToString(k.master[:])
	kid1, kid2 := rotate(t, k, 2).signing[0].kid, k.signing[0].kid
	for name, bad := range map[string]string{
		"empty":          "",
		"cut short":      good[:len(good)/2],
		"trailing":       good + "{}",
		"no object":      `["` + secret + `"]`,
		"other field":    strings.Replace(good, `"version"`, `"extra": 1, "version"`, 1),
		"other version":  strings.Replace(good, `"version": 1`, `"version": 2`, 1),
		"short master":   strings.Replace(good, secret, secret[4:], 1),
		"no base64":      strings.Replace(good, secret, "!"+secret[1:], 1),
		"no master":      strings.Replace(good, secret, "", 1),
		"no keys":        good[:strings.Index(good, `"signing"`)] + `"signing": []}`,
		"same kid twice": strings.Replace(good, kid1, kid2, 1),
		"no kid":         strings.Replace(good, kid1, "", 1),
		"year 10000":     strings.ReplaceAll(good, "2026-11-28T13:00:00Z", "9999-12-31T23:59:59-23:00"),
		"bad key":        strings.Replace(good, `"key": "`, `"key": "AAAA`, 1),
	} {
		if got, err := ParseKeyring([]byte(bad)); err == nil {
			t.Errorf("%s: read as %v", name, got)
		} else if strings.Contains(err.Error(), secret[:8]) {
			t.Errorf("%s: the error shows the secret: %v", name, err)
		}
	}
	if _, err := ParseKeyring([]byte("\n " + good + "\n")); err != nil {
		t.Errorf("white space around: %v", err)
	}
}

// No ordinary way of printing shows a byte of a secret, in any spelling.
func TestKeyringPrintsNothing(t *testing.T) {
	k := newKeyring(t, 1)
	var out strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%b", "%o"} {
		fmt.Fprintf(&out, verb+verb+verb+"\n", k, *k, struct{ K *Keyring }{k})
	}
	for _, log := range []*slog.Logger{slog.New(slog.NewJSONHandler(&out, nil)), slog.New(slog.NewTextHandler(&out, nil))} {
		log.Info("starting", "keys", k, "value", *k, "group", struct{ K *Keyring }{k})
	}
	if err := json.NewEncoder(&out).Encode(map[string]any{"keys": k, "value": *k}); err != nil {
		t.Fatal(err)
	}
	for _, secret := range [][]byte{k.master[:6], k.signing[0].key[:6]} {
		for _, form := range []string{
			string(secret), hex.EncodeToString(secret), strings.ToUpper(hex.EncodeToString(secret)),
			base64.StdEncoding.EncodeToString(secret), strings.Trim(fmt.Sprint(secret), "[]"), strings.Trim(fmt.Sprintf("%#v", secret), "[]byte{}"),
		} {
			if strings.Contains(out.String(), form) {
				t.Errorf("%q of a secret is in the output:\n%s", form, out.String())
			}
		}
	}
	if !strings.Contains(out.String(), redacted) {
		t.Errorf("the output does not say that something is left out:\n%s", out.String())
	}
}

func FuzzParseKeyring(f *testing.F) {
	f.Add(newKeyring(f, 1).Marshal())
	f.Add(rotate(f, newKeyring(f, 1), 2).Marshal())
	f.Add(bytes.Replace(newKeyring(f, 1).Marshal(), []byte("00Z"), []byte("00+24:00"), 1))
	f.Add([]byte(`{"version":1,"master":null,"signing":[{}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		k, err := ParseKeyring(text)
		if err != nil {
			return
		}
		back, err := ParseKeyring(k.Marshal())
		if err != nil || !bytes.Equal(back.Marshal(), k.Marshal()) {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
