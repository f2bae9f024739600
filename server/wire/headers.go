package wire

import (
	"net/http"

	"esnaf/store/trade"
)

// The headers of which a request has one at most: of two values a proxy before us may
// have gone by the other one. (If-Match is a list, which may come in parts.)
var (
	credentials = []string{"Authorization", "X-Api-Key"}
	single      = []string{"X-User-Id", "Content-Type", "Content-Encoding", "Idempotency-Key"}
)

// repeatedHeader refuses a request that gives one of them twice. Two credentials, where
// any are asked for, are none (Unknown); the others are Malformed.
func repeatedHeader(h http.Header, public bool) error {
	if !public {
		for _, name := range credentials {
			if len(h[name]) > 1 {
				return trade.Fail(trade.Unknown, trade.HeaderRepeated, name)
			}
		}
	}
	for _, name := range single {
		if len(h[name]) > 1 {
			return trade.Fail(trade.Malformed, trade.HeaderRepeated, name)
		}
	}
	return nil
}
