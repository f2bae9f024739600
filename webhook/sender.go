// Package webhook tells receivers what happened: it makes the deliveries that
// the store's outbox holds, at least once each, and records what became of
// them. It also judges which addresses may be called at all.
//
// Every webhook with something due has a lane of its own (lane.go), so that a
// slow receiver delays no other. Nothing is kept in memory but the calls under
// way: what is due is asked of the store, so that a crash loses nothing.
package webhook

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"esnaf/store"
	"esnaf/store/clock"
)

// Config is what a Sender works with.
type Config struct {
	DB       *store.DB
	Schedule Schedule     // nil: DefaultSchedule
	Policy   Policy       // which addresses may be called
	Version  string       // of the program, for User-Agent
	Log      *slog.Logger // nil: nothing is logged
	// Limit is how long one attempt may take, by the wall clock even where the
	// store's clock stands still; 15 s when 0.
	Limit time.Duration
	// Grace is how long attempts under way may go on after Run was told to stop;
	// 8 s when 0, which leaves a server time to close within 10.
	Grace time.Duration
}

// Sender makes deliveries. Only one Drain or Run may work on a store at a time.
type Sender struct {
	db        *store.DB
	clock     clock.Clock
	schedule  Schedule
	policy    Policy
	agent     string
	log       *slog.Logger
	limit     time.Duration
	grace     time.Duration
	transport *http.Transport
}

// New makes a Sender; it does nothing before Drain or Run.
func New(c Config) *Sender {
	s := &Sender{
		db: c.DB, clock: c.DB.Clock(), schedule: c.Schedule, policy: c.Policy,
		agent: "esnaf/" + c.Version, log: c.Log, limit: c.Limit, grace: c.Grace,
	}
	if s.schedule == nil {
		s.schedule = DefaultSchedule()
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.limit == 0 {
		s.limit = 15 * time.Second
	}
	if s.grace == 0 {
		s.grace = 8 * time.Second
	}
	s.transport = s.policy.Transport(s.limit, mostCalls)
	if len(c.Policy.Allow) > 0 {
		s.log.Warn("webhooks may call addresses that are not public; metadata services stay refused", "allow", c.Policy.Allow)
	}
	return s
}

// Drain makes every delivery that is due now and returns when all are settled,
// with the number of attempts made. It stops early, as Run does, when ctx ends.
func (s *Sender) Drain(ctx context.Context) (attempts int, err error) {
	r := s.begin(ctx)
	defer r.close()
	for ctx.Err() == nil {
		if _, err = r.look(); err != nil || len(r.lanes) == 0 {
			break
		}
		if err = r.end(<-r.done); err != nil {
			break
		}
	}
	for len(r.lanes) > 0 {
		r.end(<-r.done)
	}
	if err == nil {
		err = ctx.Err()
	}
	return r.made, err
}

// Run makes deliveries as they become due until ctx ends. Attempts under way then
// have the grace time to end; those cut off are made again after the next start.
func (s *Sender) Run(ctx context.Context) {
	r := s.begin(ctx)
	defer r.close()
	for ctx.Err() == nil {
		wake := s.db.Wake() // before looking, so that nothing slips between
		next, err := r.look()
		if err != nil && ctx.Err() == nil {
			s.log.Warn("webhook deliveries are held up", "error", err)
			r.rest(pause)
			continue
		}
		r.rest(between)
		r.wait(wake, next)
	}
	for len(r.lanes) > 0 {
		r.end(<-r.done)
	}
}
