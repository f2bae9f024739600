package webhook

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

func TestAskedWait(t *testing.T) {
	now := time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"6":                             6 * time.Second,
		"99999999":                      99999999 * time.Second,
		"0":                             0,
		"-1":                            0,
		"+6":                            0,
		"abc":                           0,
		"":                              0,
		"1.5":                           0,
		"99999999999999999999":          0,
		"Tue, 15 Sep 2026 09:01:00 GMT": time.Minute,
		"Tue, 15 Sep 2026 08:59:00 GMT": 0,
		"2026-09-15T09:01:00Z":          0,
	} {
		if got := askedWait(text, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// FuzzAskedWait: nothing that a receiver can write makes the next attempt come
// early, or not at all.
func FuzzAskedWait(f *testing.F) {
	for _, text := range []string{"6", "-1", "99999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		asked := askedWait(text, time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC))
		wait, ok := Schedule{4 * time.Second}.Wait(1, asked, fixed(0))
		if asked < 0 || !ok || wait < 3200*time.Millisecond || wait > 8*time.Second {
			t.Errorf("%q: asked %v, waits %v %v", text, asked, wait, ok)
		}
	})
}

// fixed is a random source that always draws the same.
type fixed uint64

func (f fixed) Uint64() uint64 { return uint64(f) }

// TestReasons puts into words what the other tests cannot bring about.
func TestReasons(t *testing.T) {
	for want, err := range map[string]error{
		"the host name was not found":          &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", IsNotFound: true}},
		"the host name could not be looked up": &net.DNSError{Err: "server misbehaving"},
		"timeout":                              &net.DNSError{Err: "i/o timeout", IsTimeout: true},
		"the host cannot be reached":           &net.OpError{Op: "dial", Err: syscall.EHOSTUNREACH},
		"the call failed":                      errors.New("net/http: something new"),
	} {
		if got := reason(fmt.Errorf("Post: %w", err)); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

func TestLegible(t *testing.T) {
	for in, want := range map[string]string{
		"teşekkürler\n":         "teşekkürler\n",
		"a\x00b\x1b[31mc\u0085": "ab[31mc",
		"\xff\xfeok":            "ok",
		"ok\xc3":                "ok", // a letter that was cut in the middle
	} {
		if got := legible([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzLegible: what a receiver answers can be stored and shown.
func FuzzLegible(f *testing.F) {
	f.Add([]byte("a\x00\xffğ"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s := legible(b); !utf8.ValidString(s) || len(s) > len(b) || strings.ContainsAny(s, "\x00\x1b\x7f") {
			t.Errorf("%q became %q", b, s)
		}
	})
}
