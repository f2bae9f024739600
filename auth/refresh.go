package auth

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
)

// NewRefreshToken makes an opaque refresh token: 256 random bits in 43 base64url
// characters. It says nothing about its user; what is kept is HashToken of it.
// The error is rand's.
func NewRefreshToken(rand io.Reader) (string, error) {
	var b [32]byte
	if _, err := io.ReadFull(rand, b[:]); err != nil {
		return "", fmt.Errorf("random bytes for a refresh token: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// HashToken is what is stored and looked up instead of a refresh token: its
// SHA-256.
func HashToken(token string) [32]byte { return sha256.Sum256([]byte(token)) }
