package auth

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
)

// sealVersion is the first byte of every sealed value; another scheme one day
// gets another number, and old values stay readable.
const sealVersion = 1

// ErrSealed says that a sealed value cannot be opened: it was changed, moved to
// another place, or sealed with another folder's keyring.
var ErrSealed = errors.New("a sealed value cannot be opened with this keyring")

// Sealer encrypts secrets at rest (webhook secrets, stored answers) with
// AES-256-GCM. It is safe for concurrent use if its source of randomness is.
type Sealer struct {
	gcm  cipher.AEAD
	rand io.Reader
}

// NewSealer takes a key derived from the keyring and the source of nonces.
func NewSealer(key [32]byte, rand io.Reader) *Sealer {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // only for a key of another length
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // only for a cipher of another block size
	}
	return &Sealer{gcm: gcm, rand: rand}
}

// Seal encrypts plain. The associated data names the place the value is kept
// (say, the webhook's id): Open must be given the same, so a value copied into
// another row does not open there. Layout: version, 12 bytes of nonce,
// ciphertext with its tag. The error is the random source's.
func (s *Sealer) Seal(plain, ad []byte) ([]byte, error) {
	head := 1 + s.gcm.NonceSize()
	sealed := make([]byte, head, head+len(plain)+s.gcm.Overhead())
	sealed[0] = sealVersion
	if _, err := io.ReadFull(s.rand, sealed[1:]); err != nil {
		return nil, fmt.Errorf("random bytes for a nonce: %w", err)
	}
	return s.gcm.Seal(sealed, sealed[1:], plain, ad), nil
}

// Open returns what was sealed with the same associated data, or ErrSealed.
func (s *Sealer) Open(sealed, ad []byte) ([]byte, error) {
	head := 1 + s.gcm.NonceSize()
	if len(sealed) < head || sealed[0] != sealVersion {
		return nil, ErrSealed
	}
	plain, err := s.gcm.Open(nil, sealed[1:head], sealed[head:], ad)
	if err != nil {
		return nil, ErrSealed
	}
	return plain, nil
}
