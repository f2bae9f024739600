package auth

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestThrottleGrows(t *testing.T) {
	var state Throttle
	at := noon
	for i, minutes := range []int{0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60} {
		state = state.Failed(at)
		wait := time.Duration(minutes) * time.Minute
		if got := state.RetryAfter(at); got != int(wait.Seconds()) {
			t.Errorf("after failure %d: %d s, want %v", i+1, got, wait)
		}
		if minutes > 0 {
			if got := state.RetryAfter(at.Add(wait - time.Millisecond)); got != 1 {
				t.Errorf("after failure %d, just before the end: %d s", i+1, got)
			}
		}
		at = at.Add(wait)
		if got := state.RetryAfter(at); got != 0 {
			t.Errorf("after failure %d and its wait: still %d s", i+1, got)
		}
	}
}

func TestThrottleForgets(t *testing.T) {
	fail := func(n int) (state Throttle) {
		for range n {
			state = state.Failed(noon)
		}
		return state
	}
	for _, row := range []struct {
		name     string
		failures int
		after    time.Duration
		want     int // failures after one more
	}{
		{"first ever", 0, 0, 1},
		{"four, soon after", 4, 14 * time.Minute, 5},
		{"four, 15 quiet minutes", 4, 15 * time.Minute, 1},
		{"five, 15 minutes, one of them a wait", 5, 15 * time.Minute, 6},
		{"five, 15 quiet minutes after the wait", 5, 16 * time.Minute, 1},
		{"a long wait just over", 20, 60 * time.Minute, 21},
		{"a long wait and 15 quiet minutes", 20, 75 * time.Minute, 1},
	} {
		before := fail(row.failures)
		at := noon.Add(row.after)
		if got := before.Failed(at).Failures; got != row.want {
			t.Errorf("%s: %d, want %d", row.name, got, row.want)
		}
		if before.Forgotten(at) != (row.want == 1) {
			t.Errorf("%s: forgotten is %v", row.name, before.Forgotten(at))
		}
	}
}

// Guessing as fast as allowed for a day gives fewer than 40 guesses.
func TestThrottleHoldsAGuesser(t *testing.T) {
	var state Throttle
	guesses := 0
	for at := noon; at.Before(noon.Add(24 * time.Hour)); at = at.Add(10 * time.Second) {
		if state.RetryAfter(at) == 0 {
			state = state.Failed(at)
			guesses++
		}
	}
	if guesses >= 40 {
		t.Errorf("%d guesses in a day", guesses)
	}
}

func TestThrottleNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		state := Throttle{
			Failures: rapid.Int().Draw(t, "failures"),
			Last:     time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "last"), 0),
		}
		now := time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "now"), 0)
		if wait := state.RetryAfter(now); wait < 0 {
			t.Fatalf("%+v at %v: %d s", state, now, wait)
		}
		if wait := state.BlockedUntil().Sub(state.Last); state.Failures >= 5 && (wait < time.Minute || wait > time.Hour) {
			t.Fatalf("%+v: waits %v", state, wait)
		}
	})
}

// Whom failures are counted for: an e-mail at an address, or at a customer's network
// of IPv6; the name is as long for a megabyte.
func TestGuesser(t *testing.T) {
	ada := Guesser("ada@example.com", "2001:db8:1:2::1")
	for _, row := range []struct {
		name, email, addr string
		same              bool
	}{
		{"another address of the customer", "ada@example.com", "2001:db8:1:2:ffff:ffff:ffff:ffff", true},
		{"written otherwise", "ada@example.com", "2001:0db8:0001:0002:0:0:0:1", true},
		{"on another of its links", "ada@example.com", "2001:db8:1:2::1%eth0", true},
		{"another customer", "ada@example.com", "2001:db8:1:3::1", false},
		{"another e-mail", "bora@example.com", "2001:db8:1:2::1", false},
		{"IPv4", "ada@example.com", "203.0.113.9", false},
		{"no address", "ada@example.com", "nowhere", false},
		{"a megabyte", strings.Repeat("x", 1<<20), strings.Repeat("9", 1<<20), false},
	} {
		got := Guesser(row.email, row.addr)
		if (got == ada) != row.same || len(got) != len(ada) {
			t.Errorf("%s: %q, and the first one %q", row.name, got, ada)
		}
	}
	if Guesser("a", "203.0.113.9") != Guesser("a", "::ffff:203.0.113.9") || Guesser("a", "203.0.113.9") == Guesser("a", "203.0.113.8") {
		t.Error("IPv4 addresses do not count by themselves")
	}
}
