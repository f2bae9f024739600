package sign

import (
	"crypto/hmac"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Window is how far the clock of a receiver and a delivery's timestamp may lie
// apart, in either direction (specification 6: five minutes).
const Window = 5 * time.Minute

// What Check finds wrong; compare with errors.Is.
var (
	// ErrTimestamp: the timestamp is missing or no whole number of seconds.
	ErrTimestamp = errors.New("the timestamp is not a whole number of Unix seconds")
	// ErrWindow: it can be read, but is too old or too far ahead: a replay, or
	// a wrong clock.
	ErrWindow = errors.New("the timestamp is outside the 5-minute window")
	// ErrFormat: no signature can be read at all: another header, or another
	// signature format than the webhook's.
	ErrFormat = errors.New("the signature is missing or not in the webhook's format")
	// ErrMismatch: signatures can be read and none fits.
	ErrMismatch = errors.New("the signature does not fit: the secret, the timestamp or the body is not the one that was signed")
)

// Check tells whether a delivery with the usual signature is genuine: signature
// and timestamp are X-Svc-Signature and X-Svc-Timestamp as received, body the
// raw bytes. It is nil only when one of the signatures fits and the timestamp
// lies within Window of now.
func Check(secret, signature, timestamp string, body []byte, now time.Time) error {
	return Scheme{}.Check(Message{Timestamp: timestamp, Body: body}, secret, signature, now)
}

// Check is the function Check for a webhook with a scheme of its own. A scheme
// that signs the body alone does not protect the timestamp, which is judged all
// the same.
func (s Scheme) Check(m Message, secret, signature string, now time.Time) error {
	if err := checkTimestamp(m.Timestamp, now); err != nil {
		return err
	}
	want := s.sum(secret, m)
	return anyFits(strings.Split(signature, ","), want, s.read)
}

// anyFits compares in constant time. It looks at every signature, so that the
// time it takes does not tell which one was close.
func anyFits(signatures []string, want []byte, read func(string) ([]byte, bool)) error {
	legible, fits := false, false
	for _, text := range signatures {
		sum, ok := read(strings.TrimSpace(text))
		legible = legible || ok
		fits = hmac.Equal(sum, want) || fits
	}
	switch {
	case !legible:
		return ErrFormat
	case !fits:
		return ErrMismatch
	}
	return nil
}

// checkTimestamp reads digits only: what strconv takes beyond them (a sign) is
// never sent.
func checkTimestamp(text string, now time.Time) error {
	seconds, err := strconv.ParseUint(text, 10, 62)
	if err != nil {
		return ErrTimestamp
	}
	if off := now.Unix() - int64(seconds); off > int64(Window.Seconds()) || -off > int64(Window.Seconds()) {
		return fmt.Errorf("%w: it differs from this clock by %d seconds", ErrWindow, off)
	}
	return nil
}
