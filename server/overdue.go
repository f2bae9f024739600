package server

import (
	"context"
	"log/slog"
	"time"

	"esnaf/store"
)

// overdue is the worker that says OVERDUE of invoices once their due date has gone by
// (DECISIONS 20): at midnight in their tenant's zone.
type overdue struct {
	db  *store.DB
	log *slog.Logger
}

// quarter is how often the worker looks: in every time zone of today midnight falls on
// a quarter of an hour of UTC, and a look that finds nothing is one step in an index.
const quarter = 15 * time.Minute

// Drain marks every invoice that is overdue by now and returns how many.
func (o *overdue) Drain(ctx context.Context) (int, error) { return o.db.MarkOverdue(ctx) }

// Run drains at once, for midnight may have gone by while nothing ran, and then at
// every quarter of an hour until ctx ends.
func (o *overdue) Run(ctx context.Context) {
	for {
		next := o.db.Clock().Now().Truncate(quarter).Add(quarter) // before the look, so that no midnight is missed
		if _, err := o.Drain(ctx); err != nil && ctx.Err() == nil {
			o.log.Error("overdue invoices cannot be marked", "error", err)
		}
		due, stop := o.db.Clock().After(next)
		select {
		case <-due:
		case <-ctx.Done():
			stop()
			return
		}
	}
}
