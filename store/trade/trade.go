// Package trade is the business itself: companies, products, invoices, the sums
// on them and the moves between their states. It knows nothing of SQL, HTTP or
// XML and reads neither the clock nor randomness; both are handed in.
package trade

import (
	"maps"
	"slices"
)

// Meta is carried by every stored record.
type Meta struct {
	ID         string            `json:"id" api:"readonly"`
	Version    int64             `json:"version" api:"readonly"`
	CreatedAt  Instant           `json:"createdAt" api:"readonly"`
	UpdatedAt  Instant           `json:"updatedAt" api:"readonly"`
	DeletedAt  Instant           `json:"deletedAt,omitzero" api:"readonly"`
	ExternalID string            `json:"externalId,omitempty" doc:"the record's id in the caller's own system, at most 100 characters"`
	Notes      string            `json:"notes,omitempty" doc:"free text, at most 4000 characters"`
	Metadata   map[string]string `json:"metadata,omitempty" doc:"the caller's own labels: at most 50 keys of 40 characters, values of 500"`
}

// Base is the Meta of any record that embeds one.
func (m *Meta) Base() *Meta { return m }

// check judges the fields that every record lets its caller set.
func (m *Meta) check(c *Check) {
	c.Max("externalId", m.ExternalID, 100)
	c.Max("notes", m.Notes, 4000)
	if len(m.Metadata) > 50 {
		c.Add("metadata", TooMany, 50)
		return
	}
	for _, k := range slices.Sorted(maps.Keys(m.Metadata)) {
		if k == "" || len([]rune(k)) > 40 {
			c.Add("metadata", BadMetadataKey, 40)
		}
		c.Max("metadata."+k, m.Metadata[k], 500)
	}
}

// keep carries over from old what a caller may not set when a record is put.
func (m *Meta) keep(old Meta) {
	m.ID, m.Version, m.CreatedAt, m.UpdatedAt, m.DeletedAt = old.ID, old.Version, old.CreatedAt, old.UpdatedAt, old.DeletedAt
}

// Query is what a list may be asked for. The zero value of a filter asks for
// nothing.
type Query struct {
	Limit  int    // 1..200
	Page   int    // 1..; 0 when the list is walked by cursor
	Search string // every folded word must begin some word of the record
	Sort   string // a field the resource lists, "-" before it for descending; "" is by id
	After  []string

	CompanyID              string
	Status                 string
	Touches                string            // only what moves money of this kind of account alone, bnk or csh
	Where                  map[string]string // by further fields that the resource lists
	From, To               Date              // by the document's own date, both included
	CreatedFrom, CreatedTo Instant
	UpdatedSince           Instant
	IncludeDeleted         bool
}

// Moves lists, per state, where each action leads: the whole life of a record.
type Moves[S, A ~string] map[S]map[A]S

// Next returns the state after action, or a Conflict that names the state and what the
// table allows there. A record for which that is not all says so itself.
func (m Moves[S, A]) Next(from S, action A) (S, error) {
	to, ok := m[from][action]
	if !ok {
		return from, NotPossible(string(action), string(from), m.possible(from)...)
	}
	return to, nil
}

// possible lists what a caller can do in the state from, but for barred, which the very
// record stands against. Actions that their type says are Inner nobody asks for.
func (m Moves[S, A]) possible(from S, barred ...A) (can []string) {
	for a := range m[from] {
		if inner, ok := any(a).(interface{ Inner() bool }); !slices.Contains(barred, a) && (!ok || !inner.Inner()) {
			can = append(can, string(a))
		}
	}
	return can
}

// NotPossible is the Conflict invalid_state of action in a state where a caller can do
// no more than can.
func NotPossible(action, state string, can ...string) *Error {
	can = slices.DeleteFunc(can, func(other string) bool { return other == action })
	slices.Sort(can)
	instead := Phrase{list(can), list(can)}
	if len(can) == 0 {
		instead = Phrase{"nothing", "hiçbiri"}
	}
	return Fail(Conflict, InvalidState, action, state, instead)
}
