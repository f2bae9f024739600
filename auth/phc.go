package auth

import (
	"encoding/base64"
	"strconv"
	"strings"

	"golang.org/x/crypto/argon2"
)

// What Hash makes: OWASP's first choice for argon2id, with the salt and tag
// lengths RFC 9106 section 4 recommends.
const (
	memoryKiB = 19 * 1024
	passes    = 2
	lanes     = 1
	saltLen   = 16 // bytes
	tagLen    = 32 // bytes
)

// phc is a password hash in the PHC string format:
// $argon2id$v=19$m=19456,t=2,p=1$SALT$TAG, base64 without padding.
type phc struct {
	memory    uint32 // KiB
	time      uint32 // passes over the memory
	threads   uint8  // lanes
	salt, tag []byte
}

// newPHC is a hash with today's costs and its tag still to come.
func newPHC(salt []byte) phc {
	return phc{memory: memoryKiB, time: passes, threads: lanes, salt: salt}
}

func (h phc) String() string {
	b64 := base64.RawStdEncoding
	return "$argon2id$v=" + strconv.Itoa(argon2.Version) +
		"$m=" + strconv.FormatUint(uint64(h.memory), 10) +
		",t=" + strconv.FormatUint(uint64(h.time), 10) +
		",p=" + strconv.FormatUint(uint64(h.threads), 10) +
		"$" + b64.EncodeToString(h.salt) + "$" + b64.EncodeToString(h.tag)
}

// parsePHC reads a stored hash with its own costs, so that raising the current
// ones leaves old hashes valid. The costs are bounded: a damaged row must not
// take the server's memory.
func parsePHC(s string) (phc, error) {
	part := strings.Split(s, "$")
	if len(part) != 6 || part[0] != "" || part[1] != "argon2id" || part[2] != "v="+strconv.Itoa(argon2.Version) {
		return phc{}, errHashBroken
	}
	cost := strings.Split(part[3], ",")
	if len(cost) != 3 {
		return phc{}, errHashBroken
	}
	m, ok1 := number(cost[0], "m=", 8, 256*1024)
	t, ok2 := number(cost[1], "t=", 1, 16)
	p, ok3 := number(cost[2], "p=", 1, 16)
	salt, err1 := base64.RawStdEncoding.Strict().DecodeString(part[4])
	tag, err2 := base64.RawStdEncoding.Strict().DecodeString(part[5])
	if !ok1 || !ok2 || !ok3 || err1 != nil || err2 != nil || len(salt) < 8 || len(tag) != tagLen {
		return phc{}, errHashBroken
	}
	return phc{m, t, uint8(p), salt, tag}, nil
}

// number reads "m=19456" and the like; false outside low..high.
func number(s, prefix string, low, high uint32) (uint32, bool) {
	digits, found := strings.CutPrefix(s, prefix)
	n, err := strconv.ParseUint(digits, 10, 32)
	return uint32(n), found && err == nil && uint32(n) >= low && uint32(n) <= high
}
