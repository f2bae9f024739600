package webhook

import (
	"cmp"
	"context"
	"slices"
	"time"

	"esnaf/store"
)

// How many lanes there are at most. Receivers that fail have their own share:
// however many of them hang, those that answer find a lane free. With the spare
// calls that lanes borrow, no more than 1,024 calls are under way and as many
// bodies in memory. Of each kind no tenant takes more than it leaves free (share.go),
// and where a webhook finds none the lanes take turns (givers).
const (
	soundLanes   = 256
	failingLanes = 256
	spareCalls   = 512
)

// round is one Drain or Run. Its fields belong to the goroutine of Drain or Run;
// lanes share only the contexts, givers and spare.
type round struct {
	sender  *Sender
	ctx     context.Context // no attempt begins after it has ended
	calls   context.Context // of the attempts under way; ends a grace time later
	abort   context.CancelFunc
	forget  func() bool              // that abort follows the end of ctx
	lanes   map[string]store.Waiting // by webhook, as it was when the lane began
	started int                      // lanes
	turns   map[string]turn          // by webhook: its last lane, while some find none
	givers  map[bool]*givers         // by Failing
	spare   *share                   // calls
	done    chan finished
	made    int
}

// turn is the last lane that a webhook had.
type turn struct {
	number int // of the lanes started
	calls  int // at a time when it ended
}

// finished is a lane that has ended.
type finished struct {
	webhook string
	made    int
	calls   int // at a time
	err     error
}

func (s *Sender) begin(ctx context.Context) *round {
	r := &round{
		sender: s, ctx: ctx, lanes: map[string]store.Waiting{}, turns: map[string]turn{},
		givers: map[bool]*givers{false: {}, true: {}}, spare: newShare(spareCalls), done: make(chan finished),
	}
	r.calls, r.abort = context.WithCancel(context.WithoutCancel(ctx))
	r.forget = context.AfterFunc(ctx, func() { time.AfterFunc(s.grace, r.abort) })
	return r
}

// close ends what is left; all lanes have ended.
func (r *round) close() {
	r.forget()
	r.abort()
	r.sender.transport.CloseIdleConnections()
}

// look starts a lane for every webhook that has something due and none yet, and
// returns when the next delivery of another webhook is due (zero: none waits). Those
// that had no lane for longest come first. What waits for a webhook that is over it
// cancels, a step at a time: the store wakes it up for the next.
func (r *round) look() (next time.Time, err error) {
	due, next, err := r.sender.db.Waiting(r.ctx, r.sender.clock.Now())
	if err != nil {
		return next, err
	}
	free := map[bool]*share{false: newShare(soundLanes), true: newShare(failingLanes)}
	for _, w := range r.lanes {
		free[w.Failing].move(w.Tenant, 1)
	}
	slices.SortStableFunc(due, func(a, b store.Waiting) int { return cmp.Compare(r.turns[a.Webhook].number, r.turns[b.Webhook].number) })
	refused := map[bool]map[string]bool{false: {}, true: {}}
	for _, w := range due {
		_, has := r.lanes[w.Webhook]
		switch {
		case w.Over:
			if err := r.sender.db.CancelWaiting(r.ctx, w); err != nil {
				return next, err
			}
		case has:
		case free[w.Failing].take(w.Tenant):
			r.start(w)
		default:
			refused[w.Failing][w.Tenant] = true
		}
	}
	for failing, givers := range r.givers {
		givers.set(free[failing].giving(refused[failing]))
	}
	if len(refused[false])+len(refused[true]) == 0 {
		clear(r.turns)
	}
	return next, nil
}

func (r *round) start(w store.Waiting) {
	r.lanes[w.Webhook] = w
	r.started++
	l := newLane(r, w, r.turns[w.Webhook].calls)
	r.turns[w.Webhook] = turn{number: r.started}
	go func() {
		err := l.run()
		r.done <- finished{l.Webhook, l.made, l.allowed, err}
	}()
}

// end takes note of a lane that has ended.
func (r *round) end(f finished) error {
	delete(r.lanes, f.webhook)
	r.turns[f.webhook] = turn{max(1, r.turns[f.webhook].number), f.calls} // after those that have had none
	r.made += f.made
	return f.err
}

// wait returns when another look may find something: after a commit that queued
// deliveries, at next, or when a lane has ended.
func (r *round) wait(wake <-chan struct{}, next time.Time) {
	var due <-chan struct{}
	if !next.IsZero() {
		reached, stop := r.sender.clock.After(next)
		defer stop()
		due = reached
	}
	select {
	case <-r.ctx.Done():
	case <-wake:
	case <-due:
	case f := <-r.done:
		r.end(f)
	}
}

const (
	// between is the least time from one look to the next: what is queued at
	// short intervals is found together. A look costs 3 us for every webhook
	// with something pending, and there may be thousands.
	between = 10 * time.Millisecond
	// pause is between two calls of a store that answers with errors.
	pause = time.Second
)

// rest lets d pass, by the wall clock, or less when the round is cut off.
func (r *round) rest(d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.calls.Done():
	}
}
