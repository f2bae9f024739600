package store

import (
	"slices"

	"esnaf/store/trade"
)

// Match is what If-Match asks of the record's current version.
type Match struct {
	Wild     bool    // *: whatever is there
	Versions []int64 // any of these
}

// Any matches whatever is there.
var Any = Match{Wild: true}

// Against is nil when current satisfies m, else a conflict that names the
// current version.
func (m Match) Against(current int64) error {
	if m.Wild || slices.Contains(m.Versions, current) {
		return nil
	}
	return trade.Fail(trade.Conflict, trade.VersionConflict, current).With("currentVersion", current)
}
