package auth

import (
	"sync"
	"time"
)

// maxVerified bounds the remembered tokens: about 4 MB when full.
const maxVerified = 8192

// verified remembers tokens whose signature and claims were good, by their
// SHA-256, because parsing one costs 10 us and a look-up half of one. It holds
// no clear token, and time is still judged on every hit.
type verified struct {
	mu     sync.RWMutex
	claims map[[32]byte]Claims
}

func newVerified() *verified {
	return &verified{claims: make(map[[32]byte]Claims)}
}

// get returns a remembered token's claims while the token is in its time.
func (v *verified) get(sum [32]byte, now time.Time) (Claims, bool) {
	v.mu.RLock()
	c, ok := v.claims[sum]
	v.mu.RUnlock()
	inTime := now.Before(c.Expires.Add(tokenLeeway)) && !now.Before(c.IssuedAt.Add(-tokenLeeway))
	return c, ok && inTime
}

// put remembers a token. When full it forgets whichever the map names first:
// at worst that token is parsed once more.
func (v *verified) put(sum [32]byte, c Claims) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.claims) >= maxVerified {
		for other := range v.claims {
			delete(v.claims, other)
			break
		}
	}
	v.claims[sum] = c
}
