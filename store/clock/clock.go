// Package clock tells the time and makes ids, real or driven by a test.
//
// Both are made once, at the root of the program, and handed down: with the
// same seed, the same clock and the same calls the server answers the same
// bytes.
package clock

import (
	"sync"
	"time"
)

// Clock tells the time and wakes sleepers.
type Clock interface {
	// Now is the present moment in UTC.
	Now() time.Time
	// After closes the returned channel once the clock has reached t. The
	// caller calls stop when it no longer waits.
	After(t time.Time) (reached <-chan struct{}, stop func())
}

// System is the wall clock.
type System struct{}

// Now is the wall clock's time in UTC.
func (System) Now() time.Time { return time.Now().UTC() }

// After closes the channel at t by the wall clock.
func (System) After(t time.Time) (<-chan struct{}, func()) {
	c := make(chan struct{})
	timer := time.AfterFunc(time.Until(t), func() { close(c) })
	return c, func() { timer.Stop() }
}

// Manual stands still until it is moved. The stand-in and the tests use it.
type Manual struct {
	mu       sync.Mutex
	now      time.Time
	sleepers map[chan struct{}]time.Time
}

// NewManual returns a clock that shows t.
func NewManual(t time.Time) *Manual {
	return &Manual{now: t.UTC(), sleepers: map[chan struct{}]time.Time{}}
}

// Now is the time the clock was last set to.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// Advance moves the clock forward by d and wakes every sleeper that is due.
func (m *Manual) Advance(d time.Duration) { m.Set(m.Now().Add(d)) }

// Set moves the clock to t and wakes every sleeper that is due.
func (m *Manual) Set(t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = t.UTC()
	for c, at := range m.sleepers {
		if !at.After(m.now) {
			close(c)
			delete(m.sleepers, c)
		}
	}
}

// After closes the channel once the clock has been moved to t or beyond.
func (m *Manual) After(t time.Time) (<-chan struct{}, func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := make(chan struct{})
	if !t.After(m.now) {
		close(c)
		return c, func() {}
	}
	m.sleepers[c] = t
	return c, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.sleepers, c)
	}
}
