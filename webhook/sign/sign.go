// Package sign makes and checks the signatures of webhook deliveries. It needs
// the standard library alone, so a receiver can import it or copy it.
//
// X-Svc-Signature is HMAC-SHA256 keyed with the secret exactly as it was shown,
// "whsec_" and all. The Standard Webhooks header webhook-signature travels with
// it for receivers that use a stock library; see Standard.
package sign

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Format is how one signature is written into X-Svc-Signature.
type Format string

// The formats. The zero value means Hex.
const (
	Hex       Format = "hex"        // 64 lower-case hexadecimal characters
	V1Hex     Format = "v1=hex"     // the same after "v1="
	SHA256Hex Format = "sha256=hex" // the same after "sha256="
	Base64    Format = "base64"     // 44 characters of standard base64
)

// Content is what is signed.
type Content string

// The contents. The zero value means TimestampBody.
const (
	TimestampBody   Content = "timestamp.body"    // what lets a receiver refuse a replay
	IDTimestampBody Content = "id.timestamp.body" // with the event's id before it
	Body            Content = "body"              // nothing but the body: a replay looks genuine
)

// Scheme is how the deliveries of one webhook are signed. Its zero value is the
// usual one: Hex over TimestampBody.
type Scheme struct {
	Format  Format
	Content Content
}

// Message is one delivery as it travels: the event's id (X-Svc-Event-Id), the
// Unix seconds of the attempt (X-Svc-Timestamp) and the raw body, which must be
// the bytes received, never a body parsed and written anew.
type Message struct {
	ID        string
	Timestamp string
	Body      []byte
}

// Sum is the usual signature of body at a moment: lower-case hexadecimal
// HMAC-SHA256 of the Unix seconds, a dot and the body.
func Sum(secret string, at time.Time, body []byte) string {
	return Scheme{}.Sign(Message{Timestamp: Timestamp(at), Body: body}, secret)
}

// Timestamp is a moment as the headers carry it: whole Unix seconds.
func Timestamp(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

// Sign is the value of X-Svc-Signature: one signature a secret, in the order of
// the secrets, separated by commas. While a secret is being replaced there are
// two, the newest first.
func (s Scheme) Sign(m Message, secrets ...string) string {
	var b strings.Builder
	for i, secret := range secrets {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(s.write(s.sum(secret, m)))
	}
	return b.String()
}

// sum is the HMAC of what the scheme signs of m.
func (s Scheme) sum(secret string, m Message) []byte {
	head := ""
	switch s.Content {
	case Body:
	case IDTimestampBody:
		head = m.ID + "." + m.Timestamp + "."
	default:
		head = m.Timestamp + "."
	}
	return mac([]byte(secret), head, m.Body)
}

func mac(key []byte, head string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(head))
	h.Write(body)
	return h.Sum(nil)
}

// prefix is what stands before the digits in the hexadecimal formats.
func (s Scheme) prefix() string {
	switch s.Format {
	case V1Hex:
		return "v1="
	case SHA256Hex:
		return "sha256="
	}
	return ""
}

func (s Scheme) write(sum []byte) string {
	if s.Format == Base64 {
		return base64.StdEncoding.EncodeToString(sum)
	}
	return s.prefix() + hex.EncodeToString(sum)
}

// read is the opposite of write; ok is false for anything write does not make.
func (s Scheme) read(text string) (sum []byte, ok bool) {
	var err error
	if s.Format == Base64 {
		sum, err = base64.StdEncoding.DecodeString(text)
	} else {
		digits, found := strings.CutPrefix(text, s.prefix())
		if !found {
			return nil, false
		}
		sum, err = hex.DecodeString(digits)
	}
	return sum, err == nil && len(sum) == sha256.Size
}
