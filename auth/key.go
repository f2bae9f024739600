package auth

import (
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// What the two kinds of API key start with.
const (
	KeyLive = "svc_live_" // Interface B: a program's key, made by the operator
	KeyUser = "svc_user_" // Interface A: a tenant's key, good only together with a user
)

// A key is a prefix of nine characters, 32 random ones (190 bits) and six of
// checksum, so that scanners can recognise a leaked key and a mistyped one
// costs no look-up.
const (
	base62    = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	keyPrefix = len(KeyLive)
	keyBody   = keyPrefix + 32
	keyLen    = keyBody + 6
)

// NewKey makes an API key that starts with KeyLive or KeyUser. It is shown to
// its owner once; what is kept is HashKey of it. The error is rand's.
func NewKey(rand io.Reader, prefix string) (string, error) {
	key := make([]byte, 0, keyLen)
	key = append(key, prefix...)
	var b [keyBody - keyPrefix]byte
	for len(key) < keyBody {
		if _, err := io.ReadFull(rand, b[:]); err != nil {
			return "", fmt.Errorf("random bytes for a key: %w", err)
		}
		for _, c := range b {
			// 248 is the last multiple of 62: taking all 256 values would make
			// the first characters of the alphabet likelier.
			if c < 248 && len(key) < keyBody {
				key = append(key, base62[c%62])
			}
		}
	}
	sum := checksum(string(key))
	return string(append(key, sum[:]...)), nil
}

// ValidKeyShape reports whether a text can be a key of either kind: prefix,
// length, alphabet and checksum. It costs the same for every key and says
// nothing about whether the key exists.
func ValidKeyShape(s string) bool {
	if len(s) != keyLen || !strings.HasPrefix(s, KeyLive) && !strings.HasPrefix(s, KeyUser) {
		return false
	}
	for _, c := range []byte(s[keyPrefix:keyBody]) {
		if !alphanumeric(c) {
			return false
		}
	}
	sum := checksum(s[:keyBody])
	return s[keyBody:] == string(sum[:])
}

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// checksum is the CRC-32 (IEEE) of a key's first 41 characters in six base62
// digits. It guards against slips, not forgers: those still need a key that
// exists. CRC-32 notices every wrong or swapped neighbour.
func checksum(body string) (digits [keyLen - keyBody]byte) {
	n := crc32.ChecksumIEEE([]byte(body))
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = base62[n%62]
		n /= 62
	}
	return digits
}

// HashKey is what is stored and looked up instead of a key: its SHA-256. A
// plain hash is enough, because a key has 190 random bits and no dictionary.
func HashKey(key string) [32]byte { return sha256.Sum256([]byte(key)) }

// KeyHint returns what a list may show of a key so that its owner recognises
// it: the prefix and the last four characters. Both are empty for a text that
// is no key.
func KeyHint(key string) (prefix, lastFour string) {
	if !ValidKeyShape(key) {
		return "", ""
	}
	return key[:keyPrefix], key[keyLen-4:]
}
