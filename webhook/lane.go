package webhook

import (
	"slices"
	"sync"
	"time"

	"esnaf/store"
)

// How many calls of one receiver are under way at a time. Each lane begins with
// a few, or with as many as the one before that gave way, has one more for every
// success and half as many after a failure: a receiver that hangs soon holds a
// single call, whatever waits for it.
const (
	firstCalls = 4
	mostCalls  = 32
)

// turnTime is how long a lane goes on beside webhooks that find none.
const turnTime = time.Second

// lane makes the deliveries of one webhook. It belongs to one goroutine and ends
// when nothing is due and nothing under way; then the next look starts another. It
// begins no more once its webhook turns out to fail, whose place is with those that
// do, nor after its turn while it is to give way.
type lane struct {
	*round
	store.Waiting
	ill     bool    // nothing has reached it, though it was not Failing
	turned  bool    // it has had its turn
	target  target  // as last read
	allowed int     // calls at a time
	extra   int     // taken from the round's spare calls, beyond the lane's own one
	busy    []int64 // rows of the deliveries under way
	crew    sync.WaitGroup
	workers int
	begun   chan job
	ended   chan result
	made    int
}

// job is an attempt to be made.
type job struct {
	target   target
	delivery store.Delivery
}

// result is an attempt that has ended.
type result struct {
	row       int64
	settled   store.Settled
	abandoned bool
}

// newLane makes a lane that begins with so many calls (0: with as many as any does).
func newLane(r *round, w store.Waiting, calls int) *lane {
	l := &lane{round: r, Waiting: w, allowed: calls, begun: make(chan job, mostCalls), ended: make(chan result, mostCalls)}
	switch {
	case w.Failing:
		l.allowed = 1
	case calls == 0:
		l.allowed = firstCalls
	}
	return l
}

// run works until nothing is left to do. Its error is the store's; it is told
// after a pause, so that the next lane does not hurry into the same one.
func (l *lane) run() error {
	stopping, turned := l.ctx.Done(), time.After(turnTime)
	defer l.hold(0)
	defer l.crew.Wait()
	defer close(l.begun)
	wake := l.sender.db.Wake() // taken before looking, so that nothing slips between
	if err := l.look(); err != nil {
		return err
	}
	for len(l.busy) > 0 {
		if len(l.busy) >= l.allowed {
			wake = nil
		}
		select {
		case first := <-l.ended:
			wake = l.sender.db.Wake()
			l.settle(first)
		case <-wake:
			wake = l.sender.db.Wake()
			l.look() // it has said what went wrong; what is under way goes on
		case <-turned:
			l.turned = true
		case <-stopping:
			stopping = nil // said once; now only what is under way is waited for
		}
	}
	return nil
}

// look starts what is due and may be started.
func (l *lane) look() error {
	free := l.free()
	if free == 0 {
		return nil
	}
	r, due, err := l.sender.db.Due(l.ctx, l.Webhook, free, l.busy)
	if err != nil && l.ctx.Err() == nil {
		l.sender.log.Warn("webhook deliveries cannot be read", "webhook", l.Webhook, "error", err)
		l.rest(pause)
	}
	l.begin(r, due)
	return err
}

// free is how many more calls may be begun now.
func (l *lane) free() int {
	if l.ctx.Err() != nil || l.ill || l.turned && l.givers[l.Failing].has(l.Tenant) {
		return 0
	}
	return max(0, l.hold(max(l.allowed, len(l.busy)))-len(l.busy))
}

// begin starts the calls of deliveries that are due.
func (l *lane) begin(r *store.Receiver, due []store.Delivery) {
	if len(due) > 0 {
		l.target = l.sender.target(r)
	}
	for _, d := range due {
		l.busy = append(l.busy, d.Row)
		if l.workers < len(l.busy) {
			l.workers++
			l.crew.Go(l.work)
		}
		l.begun <- job{l.target, d}
	}
	l.hold(len(l.busy))
}

// work makes one attempt after the other, until the lane ends. It never waits
// for the lane: ended has room for all that can be under way.
func (l *lane) work() {
	for j := range l.begun {
		s, abandoned := l.sender.attempt(l.calls, j.target, j.delivery)
		l.ended <- result{j.delivery.Row, s, abandoned}
	}
}

// settle records first and the attempts that end together with it in one commit,
// and begins what is due in their place.
func (l *lane) settle(first result) {
	var done []store.Settled
	reached := false
	for _, e := range l.gather(first) {
		l.busy = slices.DeleteFunc(l.busy, func(row int64) bool { return row == e.row })
		if !e.abandoned {
			done = append(done, e.settled)
			l.judge(&e.settled)
			reached = reached || e.settled.Attempt.Error == ""
		}
	}
	l.ill = !reached && len(done) > 0 && !l.Failing
	l.begin(l.record(done))
}

// gatherTime is how long an ended attempt waits for others to share its commit:
// far less than a call, far more than the commit that is saved.
const gatherTime = 2 * time.Millisecond

// gather waits until half the calls of the lane, or all that are under way, have
// ended, but not for long.
func (l *lane) gather(first result) []result {
	all := []result{first}
	enough := time.After(gatherTime)
	for len(all) < min(len(l.busy), l.allowed/2) {
		select {
		case e := <-l.ended:
			all = append(all, e)
		case <-enough:
			return all
		}
	}
	return all
}

func (l *lane) judge(s *store.Settled) {
	if s.Attempt.Error == "" {
		l.allowed = min(l.allowed+1, mostCalls)
	} else {
		l.allowed = max(l.allowed/2, 1)
	}
}

// record writes what became of attempts, again and again while the store cannot:
// attempts that are not on record would be made once more, without end. Only
// when the server stops are they given up. It returns what is due next.
func (l *lane) record(done []store.Settled) (*store.Receiver, []store.Delivery) {
	for wait := pause; len(done) > 0; wait = min(2*wait, time.Minute) {
		next, due, err := l.sender.db.Settle(l.calls, l.target.Receiver, done, l.free(), l.busy)
		if err == nil {
			l.made += len(done)
			return next, due
		}
		l.sender.log.Warn("webhook attempts cannot be recorded", "webhook", l.Webhook, "attempts", len(done), "error", err)
		if l.calls.Err() != nil {
			break
		}
		l.rest(wait)
	}
	return nil, nil
}

// hold takes or gives back spare calls until the lane has n, or as many as there
// are, and returns how many it has. One is its own for as long as it lives.
func (l *lane) hold(n int) int {
	for l.extra < n-1 && l.spare.take(l.Tenant) {
		l.extra++
	}
	for ; l.extra > max(n-1, 0); l.extra-- {
		l.spare.give(l.Tenant)
	}
	return l.extra + 1
}
