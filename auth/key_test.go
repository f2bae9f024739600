package auth

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// seeded is a source of randomness that repeats.
func seeded(n byte) *rand.ChaCha8 { return rand.NewChaCha8([32]byte{n}) }

func newKey(t testing.TB, seed byte, prefix string) string {
	key, err := NewKey(seeded(seed), prefix)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestNewKey(t *testing.T) {
	seen := map[string]bool{}
	for _, prefix := range []string{KeyLive, KeyUser} {
		for seed := range byte(50) {
			key := newKey(t, seed, prefix)
			if len(key) != 9+32+6 || !strings.HasPrefix(key, prefix) || !ValidKeyShape(key) {
				t.Fatalf("%q is no key", key)
			}
			if key != newKey(t, seed, prefix) {
				t.Fatalf("%q: the same seed gave another key", key)
			}
			seen[key] = true
			seen[key[9:41]] = true
		}
	}
	if len(seen) != 150 { // 50 x 2 keys, 50 random parts
		t.Errorf("%d different keys and random parts, want 150", len(seen))
	}
	if _, err := NewKey(strings.NewReader("too little"), KeyLive); err == nil {
		t.Error("a source that runs dry gave no error")
	}
	// Values from 248 on are thrown away, so that no character is favoured.
	skipped := append(bytes.Repeat([]byte{255, 248}, 16), make([]byte, 32)...)
	key, err := NewKey(bytes.NewReader(skipped), KeyLive)
	if err != nil || key[9:41] != strings.Repeat("0", 32) {
		t.Errorf("%q, %v", key, err)
	}
}

func TestValidKeyShape(t *testing.T) {
	key := newKey(t, 1, KeyLive)
	for _, bad := range []string{
		"", "svc_live_", key[:46], key + "0", " " + key, key + " ", key + "\n", "Bearer " + key,
		strings.ToLower(key), strings.ToUpper(key), "SVC_LIVE_" + key[9:], "svc_test_" + key[9:], "svc_user_" + key[9:],
		key[:41] + "000000", key[:20] + "-" + key[21:], key[:20] + "ş" + key[22:], strings.Repeat("x", 1<<20),
	} {
		if ValidKeyShape(bad) {
			t.Errorf("%.60q passes for a key", bad)
		}
	}
}

// One wrong character or two swapped neighbours never pass.
func TestKeySlips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key, err := NewKey(seeded(rapid.Byte().Draw(t, "seed")), KeyLive)
		if err != nil {
			t.Fatal(err)
		}
		wrong := []byte(key)
		i := rapid.IntRange(9, len(key)-2).Draw(t, "place")
		if rapid.Bool().Draw(t, "swap") {
			wrong[i], wrong[i+1] = wrong[i+1], wrong[i]
		} else {
			wrong[i] = rapid.Byte().Draw(t, "char")
		}
		if string(wrong) != key && ValidKeyShape(string(wrong)) {
			t.Fatalf("%q passes, made from %q", wrong, key)
		}
	})
}

func TestKeyHint(t *testing.T) {
	key := newKey(t, 7, KeyUser)
	if prefix, last := KeyHint(key); prefix != "svc_user_" || last != key[43:] {
		t.Errorf("%q, %q", prefix, last)
	}
	if prefix, last := KeyHint("a password pasted by mistake"); prefix != "" || last != "" {
		t.Errorf("%q, %q", prefix, last)
	}
	if HashKey(key) == HashKey(newKey(t, 8, KeyUser)) {
		t.Error("two keys have one hash")
	}
}

func TestRefreshToken(t *testing.T) {
	one, err1 := NewRefreshToken(seeded(1))
	two, err2 := NewRefreshToken(seeded(2))
	if err1 != nil || err2 != nil || len(one) != 43 || one == two || HashToken(one) == HashToken(two) {
		t.Errorf("%q, %q, %v, %v", one, two, err1, err2)
	}
	if strings.ContainsAny(one+two, "+/=") {
		t.Errorf("%q or %q is not base64url", one, two)
	}
	if _, err := NewRefreshToken(strings.NewReader("short")); err == nil {
		t.Error("a source that runs dry gave no error")
	}
}

func FuzzValidKeyShape(f *testing.F) {
	f.Add(newKey(f, 3, KeyLive))
	f.Add(newKey(f, 4, KeyUser))
	f.Add("svc_live_")
	f.Fuzz(func(t *testing.T, s string) {
		prefix, last := KeyHint(s)
		valid := ValidKeyShape(s)
		if valid != (prefix != "") || valid && (len(s) != keyLen || len(last) != 4) {
			t.Fatalf("%q: valid %v, hint %q %q", s, valid, prefix, last)
		}
	})
}

func BenchmarkValidKeyShape(b *testing.B) {
	key := newKey(b, 1, KeyLive)
	b.ReportAllocs()
	for b.Loop() {
		if !ValidKeyShape(key) {
			b.Fatal(key)
		}
	}
}

func BenchmarkHashKey(b *testing.B) {
	key := newKey(b, 1, KeyLive)
	b.ReportAllocs()
	for b.Loop() {
		_ = HashKey(key)
	}
}
