package clock

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"io"
	mrand "math/rand/v2"
	"slices"
	"sync"
	"time"
)

// IDs makes record ids and UUIDs from a source of random bytes.
type IDs struct {
	mu   sync.Mutex // a seeded source is not safe for concurrent use
	from io.Reader

	order sync.Mutex // held while one of tails is taken
	ms    int64      // the millisecond of which tails are
	tails [together]tail
	used  int // how many of them are in ids already
}

// tail is the random part of an id.
type tail [10]byte

// together is how many tails InOrder draws at once.
const together = 32

// RandomIDs draws from the operating system's random source.
func RandomIDs() *IDs { return &IDs{from: rand.Reader, used: together} }

// SeededIDs draws the same sequence for the same seed (tests, the stand-in).
func SeededIDs(seed [32]byte) *IDs { return &IDs{from: mrand.NewChaCha8(seed), used: together} }

// Read fills p with random bytes, so that IDs can also serve as the one source
// of keys, tokens and nonces.
func (g *IDs) Read(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return io.ReadFull(g.from, p)
}

// crockford is the lower-case Crockford base32 alphabet: no i, l, o, u.
const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

// New returns prefix_ and 26 characters that sort by now's millisecond: the
// UUIDv7 layout of 48 bits of time and 74 random bits, no counter, so that an
// id tells nothing of how many came before it.
func (g *IDs) New(prefix string, now time.Time) string {
	var t tail
	g.fill(t[:])
	return id(prefix, now, t.marked())
}

// InOrder is New for records. Some of a millisecond are drawn at once and used in their
// order: records made one after the other are then listed in that order (but for the
// rare ones that come after so many others in one millisecond), and SQLite finds their
// rows side by side.
func (g *IDs) InOrder(prefix string, now time.Time) string {
	return id(prefix, now, g.next(now.UnixMilli()))
}

func id(prefix string, now time.Time, t tail) string {
	var b [16]byte
	putMillis(&b, now)
	copy(b[6:], t[:])
	return prefix + "_" + encode(b)
}

// marked is t with the two marks of UUIDv7.
func (t tail) marked() tail {
	t[0] = t[0]&0x0f | 0x70
	t[2] = t[2]&0x3f | 0x80
	return t
}

func (g *IDs) next(ms int64) tail {
	g.order.Lock()
	defer g.order.Unlock()
	if g.ms != ms || g.used == together {
		g.ms, g.used = ms, 0
		all := make([]byte, together*len(tail{}))
		g.fill(all)
		for i := range g.tails {
			g.tails[i] = tail(all[i*len(tail{}):]).marked()
		}
		slices.SortFunc(g.tails[:], func(a, b tail) int { return bytes.Compare(a[:], b[:]) })
	}
	g.used++
	return g.tails[g.used-1]
}

// FirstAt is the smallest id that New can make at t: a bound for lists by time.
func FirstAt(prefix string, t time.Time) string { return id(prefix, t, tail{}) }

// UUID returns a random version 4 UUID in lower case (ETTN, envelope ids).
func (g *IDs) UUID() string {
	var b [16]byte
	g.fill(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func (g *IDs) fill(p []byte) {
	if _, err := g.Read(p); err != nil {
		panic("clock: the random source failed: " + err.Error()) // nothing safe can follow
	}
}

func putMillis(b *[16]byte, t time.Time) {
	ms := uint64(t.UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
}

// encode writes 128 bits as 26 base32 characters, most significant first.
func encode(b [16]byte) string {
	var out [26]byte
	var acc uint64
	bits, n := 2, 0 // 26*5 = 130: two zero bits lead
	for _, x := range b {
		acc = acc<<8 | uint64(x)
		bits += 8
		for bits >= 5 {
			bits -= 5
			out[n] = crockford[acc>>bits&31]
			n++
		}
	}
	return string(out[:])
}
