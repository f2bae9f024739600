package auth

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestSeal(t *testing.T) {
	s := NewSealer(newKeyring(t, 1).Derive("seal"), seeded(9))
	for _, plain := range []string{"", "whsec_gizli", strings.Repeat("uzun", 100_000)} {
		for _, ad := range []string{"", "whk_1"} {
			one, err1 := s.Seal([]byte(plain), []byte(ad))
			two, err2 := s.Seal([]byte(plain), []byte(ad))
			if err1 != nil || err2 != nil || bytes.Equal(one, two) || len(one) != 1+12+len(plain)+16 {
				t.Fatalf("%v, %v: %d and %d bytes", err1, err2, len(one), len(two))
			}
			if plain != "" && bytes.Contains(one, []byte(plain)) {
				t.Error("the sealed value shows the secret")
			}
			if back, err := s.Open(one, []byte(ad)); err != nil || string(back) != plain {
				t.Errorf("opened as %.20q, %v", back, err)
			}
		}
	}
	if _, err := NewSealer([32]byte{}, strings.NewReader("short")).Seal(nil, nil); err == nil {
		t.Error("a source that runs dry gave no error")
	}
}

func TestOpenRefuses(t *testing.T) {
	s := NewSealer(newKeyring(t, 1).Derive("seal"), seeded(9))
	other := NewSealer(newKeyring(t, 2).Derive("seal"), seeded(9))
	good, err := s.Seal([]byte("whsec_gizli"), []byte("whk_1"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range good { // every byte counts: version, nonce, text, tag
		bad := bytes.Clone(good)
		bad[i] ^= 1
		if _, err := s.Open(bad, []byte("whk_1")); !errors.Is(err, ErrSealed) {
			t.Errorf("byte %d changed: %v", i, err)
		}
	}
	for name, open := range map[string]func() ([]byte, error){
		"another row":     func() ([]byte, error) { return s.Open(good, []byte("whk_2")) },
		"no row":          func() ([]byte, error) { return s.Open(good, nil) },
		"another keyring": func() ([]byte, error) { return other.Open(good, []byte("whk_1")) },
		"empty":           func() ([]byte, error) { return s.Open(nil, []byte("whk_1")) },
		"cut in nonce":    func() ([]byte, error) { return s.Open(good[:7], []byte("whk_1")) },
		"cut in tag":      func() ([]byte, error) { return s.Open(good[:len(good)-1], []byte("whk_1")) },
		"longer":          func() ([]byte, error) { return s.Open(append(bytes.Clone(good), 0), []byte("whk_1")) },
	} {
		if plain, err := open(); !errors.Is(err, ErrSealed) || plain != nil {
			t.Errorf("%s: %q, %v", name, plain, err)
		}
	}
}
