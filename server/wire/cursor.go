package wire

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"esnaf/store/trade"
)

// A cursor is where the next page of a list begins: the sort key and the id of
// the last row seen, each with its length before it, and 16 bytes of an HMAC.
//
// The HMAC also covers the tenant, the list, its filters and its order, which
// the cursor does not carry: the request must repeat them, and with any of them
// changed the cursor does not verify. limit is left out, so that a caller may
// change the size of pages on the way.

// cursorMAC is how many bytes of the HMAC a cursor carries.
const cursorMAC = 16

// maxCursor bounds the text of a cursor; the longest that is given out ends in a
// sort key of 250 characters.
const maxCursor = 4096

var cursorText = base64.RawURLEncoding.Strict()

// cursors makes and reads the cursors of one tenant's list.
type cursors struct {
	key    [32]byte
	tenant string
	list   string // name of the list, whichever path it is served at
}

// next is the cursor of the page after the row with these keys.
func (c cursors) next(q *trade.Query, last []string) string {
	b := make([]byte, 0, 128)
	for _, k := range last {
		b = binary.AppendUvarint(b, uint64(len(k)))
		b = append(b, k...)
	}
	return cursorText.EncodeToString(append(b, c.mac(q, b)...))
}

// after reads a cursor that next made for the same list and the same query; the
// error is a Malformed.
func (c cursors) after(q *trade.Query, cursor string) ([]string, error) {
	bad := trade.Fail(trade.Malformed, trade.BadCursor)
	// The decoder passes over line ends, which would let a changed cursor through.
	if len(cursor) > maxCursor || strings.ContainsAny(cursor, "\r\n") {
		return nil, bad
	}
	b, err := cursorText.DecodeString(cursor)
	if err != nil || len(b) < cursorMAC {
		return nil, bad
	}
	b, mac := b[:len(b)-cursorMAC], b[len(b)-cursorMAC:]
	if !hmac.Equal(mac, c.mac(q, b)) {
		return nil, bad
	}
	var last []string
	for len(b) > 0 { // it is ours, so every length is right
		n, size := binary.Uvarint(b)
		b = b[size:]
		last, b = append(last, string(b[:n])), b[n:]
	}
	return last, nil
}

// mac signs keys together with all that they mean something in. No text of a
// query holds a zero byte, so that the parts cannot run into each other.
func (c cursors) mac(q *trade.Query, keys []byte) []byte {
	b := make([]byte, 0, 256)
	for _, s := range [...]string{c.tenant, c.list, q.Search, q.Sort, q.CompanyID, q.Status, string(q.From), string(q.To)} {
		b = append(append(b, s...), 0)
	}
	for _, field := range slices.Sorted(maps.Keys(q.Where)) {
		b = append(append(append(append(b, field...), 0), q.Where[field]...), 0)
	}
	for _, at := range [...]trade.Instant{q.CreatedFrom, q.CreatedTo, q.UpdatedSince} {
		b = binary.BigEndian.AppendUint64(b, uint64(at))
	}
	deleted := byte(0)
	if q.IncludeDeleted {
		deleted = 1
	}
	b = append(append(b, deleted), keys...)
	h := hmac.New(sha256.New, c.key[:])
	h.Write(b)
	return h.Sum(nil)[:cursorMAC]
}
