package server

import (
	"io"
	"time"

	"esnaf/store/clock"
	"esnaf/store/trade"
)

// An upload comes on when it brings comesOn bytes within standstill.
const (
	standstill = 3 * time.Second
	comesOn    = 64 << 10
)

// upload is the body of a request that brings a file.
type upload struct {
	io.ReadCloser
	turns *importTurns
	own   *turn
	cut   func() // has its next Read fail
	since time.Time
	came  int // bytes since then
	lost  bool
}

// receive watches the file of an account whose turn it is.
func (t *importTurns) receive(account string, body io.ReadCloser, cut func()) *upload {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.accounts[account]
	own.upload = &upload{ReadCloser: body, turns: t, own: own, cut: cut, since: clock.System{}.Now()}
	return own.upload
}

// Read reads on.
func (u *upload) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	u.turns.mu.Lock()
	defer u.turns.mu.Unlock()
	if u.came += n; u.came >= comesOn {
		u.since, u.came = clock.System{}.Now(), 0
	}
	return n, err
}

// end tells that the file is here, or will not be; an error says that it has lost its turn.
func (u *upload) end() error {
	u.turns.mu.Lock()
	defer u.turns.mu.Unlock()
	u.own.upload = nil
	if u.lost {
		return trade.Later(trade.Unavailable, trade.ImportStalled, patience)
	}
	return nil
}

// hurry takes the turn from uploads that stand still: the own one, or any for nil.
func (t *importTurns) hurry(own *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	late := clock.System{}.Now().Add(-standstill)
	for _, one := range t.accounts {
		u := one.upload
		if u != nil && !u.lost && (own == nil || own == one) && !u.since.After(late) {
			u.lost = true
			u.cut()
		}
	}
}
