package auth

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"
)

// Keyring holds the secrets of one data folder: a master secret, from which
// every other one is derived, and the keys that sign access tokens. It does not
// change once made: Rotate gives a new one. No way of printing it shows a
// secret; Marshal alone writes them out.
type Keyring struct {
	master  [32]byte
	signing []signingKey // one or two, the newest first; the first one signs
}

// signingKey is an HS256 key under the name (kid) that tokens call it by.
type signingKey struct {
	kid     string
	key     []byte // 32 bytes
	created time.Time
}

// NewKeyring makes the secrets of a new data folder. The error is rand's.
func NewKeyring(rand io.Reader, now time.Time) (*Keyring, error) {
	k := &Keyring{}
	if _, err := io.ReadFull(rand, k.master[:]); err != nil {
		return nil, fmt.Errorf("random bytes for the master secret: %w", err)
	}
	return k.Rotate(rand, now)
}

// Rotate returns a keyring that signs with a new key and still accepts tokens
// of the key before it; older ones end. Rotating again within the life of an
// access token therefore makes clients refresh early. The master stays, for
// what is sealed under it must remain readable.
func (k *Keyring) Rotate(rand io.Reader, now time.Time) (*Keyring, error) {
	var b [9 + 32]byte
	if _, err := io.ReadFull(rand, b[:]); err != nil {
		return nil, fmt.Errorf("random bytes for a signing key: %w", err)
	}
	next := &Keyring{master: k.master, signing: []signingKey{{
		kid:     base64.RawURLEncoding.EncodeToString(b[:9]),
		key:     b[9:],
		created: now.UTC().Truncate(time.Second),
	}}}
	if len(k.signing) > 0 {
		next.signing = append(next.signing, k.signing[0])
	}
	return next, nil
}

// SigningSince is when the key that signs was made.
func (k *Keyring) SigningSince() time.Time { return k.signing[0].created }

// Derive returns the secret for one purpose ("cursor", "seal", ...): HKDF-SHA256
// (RFC 5869) of the master. Equal purposes give equal secrets at every start;
// none tells anything about another.
func (k *Keyring) Derive(purpose string) [32]byte {
	// The only errors are a length over 8,160 bytes and a key that FIPS mode
	// finds too short; neither can be.
	key, err := hkdf.Key(sha256.New, k.master[:], nil, "esnaf/1/"+purpose, 32)
	if err != nil {
		panic(err)
	}
	return [32]byte(key)
}

// keyringDocument is the keyring's file: one JSON object, secrets in base64.
type keyringDocument struct {
	Version int               `json:"version"`
	Master  []byte            `json:"master"`
	Signing []signingDocument `json:"signing"`
}

type signingDocument struct {
	Kid       string    `json:"kid"`
	Key       []byte    `json:"key"`
	CreatedAt time.Time `json:"createdAt"`
}

// Marshal writes the keyring as the JSON document ParseKeyring reads. It holds
// the secrets in clear: the file it goes into must be readable by its owner
// alone.
func (k *Keyring) Marshal() []byte {
	doc := keyringDocument{Version: 1, Master: k.master[:]}
	for _, s := range k.signing {
		doc.Signing = append(doc.Signing, signingDocument{s.kid, s.key, s.created})
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		panic(err) // strings, bytes and a time inside the years 0 to 9999
	}
	return append(text, '\n')
}

// ParseKeyring reads what Marshal wrote. Anything else is an error that tells
// what is wrong and quotes nothing of the document: without its keyring a
// folder must not start, and the secrets must not reach a log.
func ParseKeyring(text []byte) (*Keyring, error) {
	var doc keyringDocument
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if dec.Decode(&doc) != nil || dec.InputOffset() < int64(len(bytes.TrimRight(text, " \t\r\n"))) {
		return nil, errors.New("the keyring is not one JSON document of the expected form")
	}
	if doc.Version != 1 {
		return nil, fmt.Errorf("the keyring has version %d: this program reads version 1", doc.Version)
	}
	if len(doc.Master) != 32 {
		return nil, errors.New("the keyring's master is not 32 bytes in base64")
	}
	if n := len(doc.Signing); n < 1 || n > 2 {
		return nil, fmt.Errorf("the keyring has %d signing keys: it must have 1 or 2", n)
	}
	k := &Keyring{master: [32]byte(doc.Master)}
	for i, s := range doc.Signing {
		created := s.CreatedAt.UTC()
		if created.Year() < 0 || created.Year() > 9999 { // Marshal could not write it back
			return nil, fmt.Errorf("signing key %d of the keyring has an impossible createdAt", i+1)
		}
		if s.Kid == "" || len(s.Key) != 32 || i > 0 && s.Kid == doc.Signing[0].Kid {
			return nil, fmt.Errorf("signing key %d of the keyring needs a kid of its own and 32 bytes in base64", i+1)
		}
		k.signing = append(k.signing, signingKey{s.Kid, s.Key, created})
	}
	return k, nil
}

const redacted = "[keyring: secrets not shown]"

// Format keeps the secrets out of every fmt verb, %#v and %x included.
func (Keyring) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// LogValue keeps the secrets out of log/slog.
func (Keyring) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalJSON keeps the secrets out of JSON; the file is written by Marshal.
func (Keyring) MarshalJSON() ([]byte, error) { return json.Marshal(redacted) }
