package wire

import (
	"crypto/sha256"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"esnaf/store/trade"
)

// keyPattern is the form of an Idempotency-Key, as the API description tells it.
const keyPattern = `^"?[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}"?$`

// idempotencyKey reads the Idempotency-Key header of a POST: a UUID version
// 4 in any case, in quotes or not (a structured-field string). It comes back in
// lower case, "" when there is none; a required one that is missing and
// anything else are Malformed.
func idempotencyKey(headers []string, required bool) (string, error) {
	if len(headers) == 0 {
		if required {
			return "", trade.Fail(trade.Malformed, trade.KeyRequired)
		}
		return "", nil
	}
	key := headers[0]
	if n := len(key); n > 2 && key[0] == '"' && key[n-1] == '"' {
		key = key[1 : n-1]
	}
	id, err := uuid.Parse(key)
	// Parse also takes braces, urn: and no hyphens at all.
	if err != nil || len(key) != 36 || id.Version() != 4 || id.Variant() != uuid.RFC4122 {
		return "", trade.Fail(trade.Malformed, trade.KeyInvalid)
	}
	return strings.ToLower(key), nil
}

// fingerprint is the SHA-256 of a body as a JSON value: the order of members,
// white space and the way texts are escaped make no difference, numbers count
// by their digits. No body is the same as an empty object. body has been read
// as JSON before.
func fingerprint(body, scratch []byte) (print, buffer []byte) {
	if len(body) == 0 {
		body = []byte("{}")
	}
	canonical, _ := jsontext.AppendFormat(scratch[:0], body, jsontext.ReorderRawObjects(true))
	sum := sha256.Sum256(canonical)
	return sum[:], canonical
}
