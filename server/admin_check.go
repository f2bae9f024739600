package server

import (
	"context"

	"esnaf/store"
)

// CheckReport is the result of "check".
type CheckReport struct {
	Checks      []store.Checked `json:"checks"`
	Differences int             `json:"differences"` // of all checks together
}

// checkData looks whether the books agree with themselves. It changes nothing, and a
// server goes on meanwhile: all is read from one snapshot.
func (a *Admin) checkData(ctx context.Context, _ None) (out CheckReport, err error) {
	out.Checks, err = a.DB.CheckData(ctx)
	for _, c := range out.Checks {
		out.Differences += len(c.Differences)
	}
	return out, err
}
