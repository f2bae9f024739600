package sign

import (
	"encoding/base64"
	"strings"
	"time"
)

// Standard is the value of webhook-signature as the Standard Webhooks
// specification has it (standardwebhooks.com): "v1," and the base64 HMAC-SHA256
// of id.timestamp.body, one a secret, separated by spaces. The same ID and
// Timestamp are the headers webhook-id and webhook-timestamp.
func Standard(m Message, secrets ...string) string {
	all := make([]string, len(secrets))
	for i, secret := range secrets {
		all[i] = "v1," + base64.StdEncoding.EncodeToString(standardSum(secret, m))
	}
	return strings.Join(all, " ")
}

// CheckStandard is Check for the Standard Webhooks headers. Signatures of other
// versions in the list are passed over, as that specification asks.
func CheckStandard(m Message, secret, signature string, now time.Time) error {
	if err := checkTimestamp(m.Timestamp, now); err != nil {
		return err
	}
	return anyFits(strings.Fields(signature), standardSum(secret, m), func(text string) ([]byte, bool) {
		sum, found := strings.CutPrefix(text, "v1,")
		if !found {
			return nil, false
		}
		return Scheme{Format: Base64}.read(sum)
	})
}

func standardSum(secret string, m Message) []byte {
	return mac(standardKey(secret), m.ID+"."+m.Timestamp+".", m.Body)
}

// standardKey is the key of the Standard Webhooks header: the bytes behind a
// whsec_ secret, which stock libraries decode; any other secret as it is.
func standardKey(secret string) []byte {
	if encoded, ok := strings.CutPrefix(secret, "whsec_"); ok {
		if key, err := base64.StdEncoding.DecodeString(encoded); err == nil {
			return key
		}
	}
	return []byte(secret)
}
