package auth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"runtime"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"
)

// Length of a password in characters (Unicode code points) after NFC.
const (
	MinPassword = 8
	MaxPassword = 256

	// maxPasswordBytes refuses huge input before it is normalised. No 256
	// characters reach it, even with every accent written apart.
	maxPasswordBytes = 8192

	// hashesAtOnce bounds memory: each hash works in 19 MiB.
	hashesAtOnce = 2
)

// Errors for passwords that cannot be set; the text is fit to be shown.
var (
	ErrPasswordShort = fmt.Errorf("the password is too short: it needs at least %d characters", MinPassword)
	ErrPasswordLong  = fmt.Errorf("the password is too long: at most %d characters are allowed", MaxPassword)
)

// errHashBroken is for a stored hash that Hash never wrote.
var errHashBroken = errors.New("stored password hash is damaged")

// Passwords hashes and checks passwords with argon2id, two at a time: a rush of
// logins waits in line instead of taking the memory of the whole server.
type Passwords struct {
	rand  io.Reader
	slots chan struct{}
	dummy string // a well-formed hash that no password matches
}

// NewPasswords takes the source of salts, which must be safe for concurrent
// use (crypto/rand.Reader in production). The error is the source's.
func NewPasswords(rand io.Reader) (*Passwords, error) {
	// The dummy is random bytes, not the hash of anything: it costs nothing to
	// make, so even the first unknown user takes as long as a known one.
	var b [saltLen + tagLen]byte
	if _, err := io.ReadFull(rand, b[:]); err != nil {
		return nil, fmt.Errorf("random bytes for password hashing: %w", err)
	}
	dummy := newPHC(b[:saltLen])
	dummy.tag = b[saltLen:]
	return &Passwords{rand: rand, slots: make(chan struct{}, hashesAtOnce), dummy: dummy.String()}, nil
}

// CheckPassword says whether a password may be set: nil, ErrPasswordShort or
// ErrPasswordLong. Spaces count and are kept; so is everything else.
func CheckPassword(password string) error {
	_, err := normalise(password)
	return err
}

// Hash returns the argon2id hash of a new password in PHC form. Errors:
// ErrPasswordShort, ErrPasswordLong, or ctx's when it ends before a turn comes.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	text, err := normalise(password)
	if err != nil {
		return "", err
	}
	h := newPHC(make([]byte, saltLen))
	if _, err := io.ReadFull(p.rand, h.salt); err != nil {
		return "", fmt.Errorf("random bytes for a salt: %w", err)
	}
	h.tag, err = p.derive(ctx, text, h)
	if err != nil {
		return "", err
	}
	return h.String(), nil
}

// Verify reports whether a password belongs to a stored hash. One that is too
// short to be set is simply wrong. Errors: ErrPasswordLong (nothing is hashed),
// ctx's, or a damaged stored hash.
func (p *Passwords) Verify(ctx context.Context, password, stored string) (bool, error) {
	text, err := normalise(password)
	if err != nil && !errors.Is(err, ErrPasswordShort) {
		return false, err
	}
	h, err := parsePHC(stored)
	if err != nil {
		return false, err
	}
	tag, err := p.derive(ctx, text, h)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(tag, h.tag) == 1, nil
}

// VerifyNothing does the work of Verify where there is no user to verify, so
// that the time taken does not tell whether an e-mail is known. Its errors are
// those of Verify; nil means the same as "wrong password".
func (p *Passwords) VerifyNothing(ctx context.Context, password string) error {
	_, err := p.Verify(ctx, password, p.dummy)
	return err
}

// derive runs argon2id once a turn is free.
func (p *Passwords) derive(ctx context.Context, text string, h phc) ([]byte, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.slots }()
	tag := argon2.IDKey([]byte(text), h.salt, h.time, h.memory, h.threads, tagLen)
	// The 19 MiB just used are garbage that the collector would let pile up
	// (measured: 106 MB at the peak of 40 logins, 48 MB with this line). Against
	// the hash itself the collection is cheap.
	runtime.GC()
	return tag, nil
}

// normalise returns the NFC form that is hashed, so that a password typed on
// another keyboard or system gives the same bytes. It judges the length too;
// with ErrPasswordShort the text is still returned.
func normalise(password string) (string, error) {
	if len(password) > maxPasswordBytes {
		return "", ErrPasswordLong
	}
	text := norm.NFC.String(password)
	switch n := utf8.RuneCountInString(text); {
	case n > MaxPassword:
		return "", ErrPasswordLong
	case n < MinPassword:
		return text, ErrPasswordShort
	}
	return text, nil
}
