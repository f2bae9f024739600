package auth

import (
	"hash/maphash"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Unlimited is what a caller without a limit is shown as limit and remaining.
const Unlimited = 1_000_000

const (
	limitShards = 16   // so that callers on different cores seldom meet
	shardBound  = 4096 // buckets a shard holds at most; about 1 MB
)

// Limits counts requests in token buckets, one a key (a tenant on A, an API key
// on B): a burst of a whole minute's worth, refilled evenly over a minute. Ask
// it only about callers that have been identified; then strangers cannot fill
// it. It is safe for concurrent use.
type Limits struct {
	seed   maphash.Seed
	shards [limitShards]limitShard
}

type limitShard struct {
	mu      sync.Mutex
	buckets map[string]*bucket
	sweepAt int // size at which idle buckets are looked for
}

type bucket struct {
	*rate.Limiter
	perMinute int
	used      time.Time // of the latest request
}

// Decision is the answer to one request and what the caller is told about it.
type Decision struct {
	Limit      int // requests a minute, and of one burst
	Remaining  int // requests that could follow at once
	Reset      int // whole seconds until the bucket is full again
	RetryAfter int // whole seconds, at least 1, when refused; else 0
	OK         bool
}

// NewLimits makes an empty set of buckets.
func NewLimits() *Limits {
	l := &Limits{seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i] = limitShard{buckets: make(map[string]*bucket), sweepAt: 64}
	}
	return l
}

// Take counts one request of key at now. perMinute is the caller's limit as it
// stands; 0 is no limit, and nothing is counted. A limit that differs from the
// last one holds at once: a bucket half full stays half full.
func (l *Limits) Take(key string, perMinute int, now time.Time) Decision {
	if perMinute <= 0 {
		return Decision{Limit: Unlimited, Remaining: Unlimited, OK: true}
	}
	s := &l.shards[maphash.String(l.seed, key)%limitShards]
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.bucket(key, perMinute, now)
	if b.used.After(now) {
		// Another request read the clock later and came here sooner. Going back
		// would refill the same moment twice.
		now = b.used
	}
	b.used = now
	d := Decision{Limit: perMinute, OK: b.AllowN(now, 1)}

	tokens := b.TokensAt(now)
	d.Remaining = max(0, int(tokens))
	d.Reset = secondsFor(float64(perMinute)-tokens, perMinute)
	if !d.OK {
		d.RetryAfter = max(1, secondsFor(1-tokens, perMinute))
	}
	return d
}

// bucket finds or makes the bucket of a key; the shard is locked. A bucket from
// a second or more ahead is one from before the clock was set back: it would
// stand still until that time came round again, so it is made anew.
func (s *limitShard) bucket(key string, perMinute int, now time.Time) *bucket {
	b := s.buckets[key]
	switch {
	case b == nil, b.used.Sub(now) >= time.Second:
		s.makeRoom(now)
		b = newBucket(perMinute)
		s.buckets[key] = b
	case b.perMinute != perMinute:
		// In proportion, so that an empty bucket stays empty however often two
		// requests disagree about the limit.
		used := 1 - b.TokensAt(now)/float64(b.perMinute)
		b = newBucket(perMinute)
		b.AllowN(now, min(perMinute, int(math.Ceil(used*float64(perMinute)))))
		s.buckets[key] = b
	}
	return b
}

func newBucket(perMinute int) *bucket {
	return &bucket{
		Limiter:   rate.NewLimiter(rate.Limit(perMinute)/60, perMinute),
		perMinute: perMinute,
	}
}

// makeRoom forgets buckets that have been idle for a minute: those are full, so
// a new one in their place is the same. It looks only after the shard has
// doubled. Should every bucket be in use, the one idle longest goes.
func (s *limitShard) makeRoom(now time.Time) {
	if len(s.buckets) < s.sweepAt {
		return
	}
	oldest := ""
	for key, b := range s.buckets {
		if now.Sub(b.used) >= time.Minute {
			delete(s.buckets, key)
		} else if oldest == "" || b.used.Before(s.buckets[oldest].used) {
			oldest = key
		}
	}
	if len(s.buckets) >= shardBound {
		delete(s.buckets, oldest)
	}
	s.sweepAt = min(max(64, 2*len(s.buckets)), shardBound)
}

// secondsFor is how long tokens take to come, rounded up to whole seconds. What
// is left of a float below a nanosecond does not count as another second.
func secondsFor(tokens float64, perMinute int) int {
	return wholeSeconds(time.Duration(tokens * float64(time.Minute) / float64(perMinute)))
}

// wholeSeconds rounds a wait up, never below 0.
func wholeSeconds(d time.Duration) int {
	return int(max(0, (d+time.Second-1)/time.Second))
}
