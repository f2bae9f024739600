package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"time"
)

const (
	freeFailures  = 5                // wrong passwords before the first wait
	forgetAfter   = 15 * time.Minute // of quiet, after which counting starts anew
	firstWait     = time.Minute
	longestWait   = time.Hour
	waitsToDouble = 6 // 1, 2, 4, 8, 16, 32, then 60 minutes
)

// Throttle slows the guessing of passwords: the failed logins of one e-mail
// from one address. The zero value is a clean sheet. It is kept in the database
// so that a restart does not help a guesser, and dropped at a successful login.
type Throttle struct {
	Failures int       // in a row, as Failed counts them
	Last     time.Time // of the latest one
}

// Failed is the state after one more failure at now. Do not call it for a login
// refused because of RetryAfter: that password was never looked at.
func (t Throttle) Failed(now time.Time) Throttle {
	if t.Forgotten(now) {
		t.Failures = 0
	}
	return Throttle{Failures: t.Failures + 1, Last: now}
}

// BlockedUntil is when the next login may be tried: one minute after the fifth
// failure, twice as long after each further one, an hour at most. Before the
// fifth it is the zero time.
func (t Throttle) BlockedUntil() time.Time {
	over := t.Failures - freeFailures
	switch {
	case over < 0:
		return time.Time{}
	case over >= waitsToDouble:
		return t.Last.Add(longestWait)
	}
	return t.Last.Add(firstWait << over)
}

// RetryAfter is how many whole seconds a login at now has to wait, at least 1;
// 0 when it may be tried, with the right password as with a wrong one.
func (t Throttle) RetryAfter(now time.Time) int {
	return wholeSeconds(t.BlockedUntil().Sub(now))
}

// Forgotten reports whether 15 quiet minutes have passed since the last failure
// and the wait it brought: the state says nothing any more and can be deleted.
func (t Throttle) Forgotten(now time.Time) bool {
	quiet := t.Last
	if until := t.BlockedUntil(); until.After(quiet) {
		quiet = until
	}
	return !now.Before(quiet.Add(forgetAfter))
}

// customerBits are what the provider gives a customer of IPv6: who has one address
// has all that begin with them.
const customerBits = 64

// Network is what an address counts by: for IPv6 the network of its customer, else
// itself. A text that is no address comes back as it is.
func Network(addr string) string {
	a, err := netip.ParseAddr(addr)
	if err != nil {
		return addr
	}
	if a = a.Unmap(); a.Is6() {
		a = netip.PrefixFrom(a, customerBits).Masked().Addr()
	}
	return a.String()
}

// Guesser is the name under which the failed logins of an e-mail from the network of an
// address are counted. It has one length whatever a stranger wrote, and shows no
// one's e-mail (or password, typed into the wrong field).
func Guesser(email, addr string) string {
	sum := sha256.Sum256([]byte(email + " " + Network(addr)))
	return hex.EncodeToString(sum[:])
}
