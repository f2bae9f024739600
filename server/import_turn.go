package server

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"esnaf/store/trade"
)

// importTurns is who may bring in a file now. A file may fill much of the memory: one
// is imported at a time, and a few more are here or on their way. An account has one of
// them, and one that does not come on loses its turn to those that wait, so that none
// keeps the others out by sending slowly.
type importTurns struct {
	mu       sync.Mutex
	accounts map[string]*turn
	files    chan struct{}
	work     chan struct{}
}

// turn is that of one account, and how many ask for it.
type turn struct {
	taken  chan struct{}
	users  int
	upload *upload // on its way; nil while none is
}

// filesAtOnce is how many accounts' files are here or on their way.
const filesAtOnce = 4

func newImportTurns() *importTurns {
	return &importTurns{accounts: map[string]*turn{}, files: make(chan struct{}, filesAtOnce), work: make(chan struct{}, 1)}
}

// enter waits until the account may send its file; leave ends that.
func (t *importTurns) enter(ctx context.Context, account string) (leave func(), err error) {
	own := t.of(account)
	if err = wait(ctx, own.taken, func() { t.hurry(own) }); err == nil {
		if err = wait(ctx, t.files, func() { t.hurry(nil) }); err == nil {
			return func() {
				<-t.files
				<-own.taken
				t.drop(account)
			}, nil
		}
		<-own.taken
	}
	t.drop(account)
	return nil, err
}

func (t *importTurns) of(account string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.accounts[account]
	if own == nil {
		own = &turn{taken: make(chan struct{}, 1)}
		t.accounts[account] = own
	}
	own.users++
	return own
}

// drop forgets the turn of an account for which nobody asks any more.
func (t *importTurns) drop(account string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.accounts[account]
	if own.users--; own.users == 0 {
		delete(t.accounts, account)
	}
}

// large is from how many bytes on the memory that a file took is given back to the
// system at once, which costs a tenth of a second.
const large = 1 << 20

// begin waits until no other file is being imported; end gives way to the next.
func (t *importTurns) begin(ctx context.Context, size int) (end func(), err error) {
	if err := wait(ctx, t.work, func() {}); err != nil {
		return nil, err
	}
	return func() {
		if size > large {
			debug.FreeOSMemory() // what the file took may be needed by others
		}
		<-t.work
	}, nil
}

// patience is how many seconds a request waits for another one's import to end: less
// than a body may take to come.
const patience = 10

// wait takes a place in busy as soon as there is one, and calls hurry every second until
// then.
func wait(ctx context.Context, busy chan<- struct{}, hurry func()) error {
	over, second := time.NewTimer(patience*time.Second), time.NewTicker(time.Second)
	defer over.Stop()
	defer second.Stop()
	for {
		select {
		case busy <- struct{}{}:
			return nil
		case <-second.C:
			hurry()
		case <-over.C:
			return trade.Later(trade.Unavailable, trade.ImportBusy, patience)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
