package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
)

func newPasswords(t testing.TB) *Passwords {
	p, err := NewPasswords(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCheckPassword(t *testing.T) {
	for _, row := range []struct {
		name, password string
		want           error
	}{
		{"empty", "", ErrPasswordShort},
		{"7 characters", "1234567", ErrPasswordShort},
		{"8 characters", "12345678", nil},
		{"8 characters in 16 bytes", "şifreşşş", nil},
		{"7 characters in 14 bytes", "şşşşşşş", ErrPasswordShort},
		{"8 written apart, 4 after NFC", strings.Repeat("s\u0327", 4), ErrPasswordShort},
		{"spaces only", "        ", nil},
		{"256 characters", strings.Repeat("ğ", 256), nil},
		{"256 characters, accents apart", strings.Repeat("g\u0306", 256), nil},
		{"257 characters", strings.Repeat("a", 257), ErrPasswordLong},
		{"1,000 characters", strings.Repeat("a", 1000), ErrPasswordLong},
		{"4 MiB", strings.Repeat("a", 4<<20), ErrPasswordLong},
	} {
		if err := CheckPassword(row.password); !errors.Is(err, row.want) {
			t.Errorf("%s: %v, want %v", row.name, err, row.want)
		}
	}
}

func TestVerify(t *testing.T) {
	p, ctx := newPasswords(t), context.Background()
	long := strings.Repeat("a", 72)
	for _, row := range []struct {
		name, set, given string
		want             bool
	}{
		{"same", "doğru şifre", "doğru şifre", true},
		{"composed and apart", "ş\u0131fre gücü", "s\u0327\u0131fre gu\u0308cu\u0308", true},
		{"other case", "doğru şifre", "Doğru şifre", false},
		{"leading space", "doğru şifre", " doğru şifre", false},
		{"trailing space", "doğru şifre ", "doğru şifre", false},
		{"73rd byte differs", long + "x", long + "y", false},
		{"72 against 73 bytes", long, long + "x", false},
		{"too short to be set", "doğru şifre", "x", false},
		{"empty", "doğru şifre", "", false},
	} {
		stored, err := p.Hash(ctx, row.set)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Verify(ctx, row.given, stored); got != row.want || err != nil {
			t.Errorf("%s: %v, %v", row.name, got, err)
		}
	}
}

func TestHashForm(t *testing.T) {
	p, ctx := newPasswords(t), context.Background()
	one, err := p.Hash(ctx, "aynı şifre")
	if err != nil {
		t.Fatal(err)
	}
	two, _ := p.Hash(ctx, "aynı şifre")
	if one == two || !strings.HasPrefix(one, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("hashes of one password: %s and %s", one, two)
	}
	if _, err := p.Hash(ctx, "kısa"); !errors.Is(err, ErrPasswordShort) {
		t.Errorf("short: %v", err)
	}
	if _, err := NewPasswords(strings.NewReader("few")); err == nil {
		t.Error("a source that runs dry gave no error")
	}
}

// Verify reads costs from the hash, so hashes of an earlier release stay good.
// The value is the reference implementation's (argon2 command line,
// "password", "somesalt", -id -t 2 -m 16 -p 1).
func TestVerifyOtherCosts(t *testing.T) {
	const stored = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	if ok, err := newPasswords(t).Verify(context.Background(), "password", stored); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}

func TestVerifyDamagedHash(t *testing.T) {
	p := newPasswords(t)
	good := p.dummy
	for _, bad := range []string{
		"", "$", "plain", strings.Replace(good, "argon2id", "argon2i", 1), strings.Replace(good, "v=19", "v=16", 1),
		strings.Replace(good, "m=19456", "m=4294967295", 1), strings.Replace(good, "m=19456", "m=0", 1),
		strings.Replace(good, "t=2", "t=0", 1), strings.Replace(good, "t=2", "t=999", 1), strings.Replace(good, "p=1", "p=0", 1),
		strings.Replace(good, "p=1", "q=1", 1), strings.Replace(good, ",p=1", "", 1), good + "$", good + "=", good[:len(good)-4],
	} {
		if ok, err := p.Verify(context.Background(), "password", bad); ok || err == nil {
			t.Errorf("%q: %v, %v", bad, ok, err)
		}
	}
}

// An unknown user must cost what a known one costs: the stand-in hash is read
// and worked through with exactly the costs of a new hash.
func TestVerifyNothing(t *testing.T) {
	p, ctx := newPasswords(t), context.Background()
	stored, err := p.Hash(ctx, "herhangi biri")
	if err != nil {
		t.Fatal(err)
	}
	known, err1 := parsePHC(stored)
	dummy, err2 := parsePHC(p.dummy)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if known.memory != dummy.memory || known.time != dummy.time || known.threads != dummy.threads ||
		len(known.salt) != len(dummy.salt) || len(known.tag) != len(dummy.tag) {
		t.Errorf("costs %+v and %+v differ", known, dummy)
	}
	if err := p.VerifyNothing(ctx, "herhangi biri"); err != nil {
		t.Error(err)
	}
	// A wrong length is answered before any work, known user or not.
	long := strings.Repeat("a", 1000)
	if err := p.VerifyNothing(ctx, long); !errors.Is(err, ErrPasswordLong) {
		t.Error(err)
	}
	if _, err := p.Verify(ctx, long, stored); !errors.Is(err, ErrPasswordLong) {
		t.Error(err)
	}
}

func TestTwoHashesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPasswords(t)
		p.slots <- struct{}{}
		p.slots <- struct{}{}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- p.VerifyNothing(ctx, "sırada bekleyen") }()
		go func() { done <- p.VerifyNothing(context.Background(), "sırada bekleyen") }()

		synctest.Wait() // both wait behind the two at work
		select {
		case err := <-done:
			t.Fatalf("a third hash ran: %v", err)
		default:
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
		<-p.slots
		if err := <-done; err != nil {
			t.Errorf("its turn came: %v", err)
		}
	})
}

func FuzzParsePHC(f *testing.F) {
	f.Add("$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc")
	f.Add("$argon2id$v=19$m=+8,t=2,p=1$$")
	f.Fuzz(func(t *testing.T, s string) {
		h, err := parsePHC(s)
		if err != nil {
			return
		}
		again, err := parsePHC(h.String())
		if err != nil || again.String() != h.String() || h.memory > 256*1024 || h.time > 16 || h.threads > 16 {
			t.Fatalf("%q: %+v, %v", s, again, err)
		}
	})
}

func BenchmarkHash(b *testing.B) {
	p := newPasswords(b)
	for b.Loop() {
		if _, err := p.Hash(context.Background(), "ölçülen şifre"); err != nil {
			b.Fatal(err)
		}
	}
}
