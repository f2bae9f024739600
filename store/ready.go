package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"esnaf/store/trade"
)

// health is whether the disk takes writes, and the file can be read.
type health struct {
	damage atomic.Pointer[error] // the first that was met since the start: only another file mends it
	ailing atomic.Bool           // an attempt to write failed for want of a working disk; until recover finds that it works
	mu     sync.Mutex
	probe  *probe         // under way; nil for none
	work   sync.WaitGroup // its goroutine
}

// probe finds out whether the store works, for all who ask meanwhile: on a disk that
// hangs no more than one waits for it.
type probe struct {
	ended chan struct{}
	err   error
}

// roomNeeded is how many bytes the disk must take before it counts as working again: a
// page may find room where the next large request does not.
const roomNeeded = 4 << 20

// Ready tells whether the store can be read, no damage of it was met and, once a change
// has failed for want of a working disk, whether the disk takes writes again. It gives up
// with ctx.
func (db *DB) Ready(ctx context.Context) error {
	if damage := db.health.damage.Load(); damage != nil {
		return *damage
	}
	p, err := db.probe()
	if err != nil {
		return err
	}
	select {
	case <-p.ended:
		return p.err
	case <-ctx.Done():
		return errors.Join(trade.Fail(trade.Unavailable, trade.StoreUnavailable, trade.Phrase{"the database has not answered yet", "veritabanı henüz yanıt vermedi"}), ctx.Err())
	}
}

// probe is the one under way, or a new one. Close waits for it.
func (db *DB) probe() (*probe, error) {
	db.gate.RLock()
	defer db.gate.RUnlock()
	if db.closed {
		return nil, errClosed()
	}
	h := &db.health
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.probe == nil {
		p := &probe{ended: make(chan struct{})}
		h.probe = p
		h.work.Go(func() {
			p.err = db.look(context.Background())
			h.mu.Lock()
			h.probe = nil
			h.mu.Unlock()
			close(p.ended)
		})
	}
	return h.probe, nil
}

// look tells whether the store works.
func (db *DB) look(ctx context.Context) error {
	if err := db.recover(ctx); err != nil {
		return err
	}
	return db.Read(ctx, Who{}, func(v *View) error {
		var one int
		return v.row("SELECT 1").Scan(&one)
	})
}

// recover looks whether a disk that did not work does so again.
func (db *DB) recover(ctx context.Context) error {
	if !db.health.ailing.Load() {
		return nil
	}
	if err := db.fillRoom(); err != nil {
		return unavailable(err)
	}
	// Settings of the file are part of it: this writes a page and changes nothing.
	err := db.Write(ctx, Who{}, func(tx *Tx) error {
		var schema int
		if err := tx.row("PRAGMA user_version").Scan(&schema); err != nil {
			return err
		}
		return tx.script(fmt.Sprintf("PRAGMA user_version = %d", schema))
	})
	if err == nil {
		db.health.ailing.Store(false)
	}
	return err
}

// fillRoom writes as much as there must be room for into a file that has no name any
// more: however this ends, nothing of it stays.
func (db *DB) fillRoom() error {
	f, err := os.CreateTemp(filepath.Dir(dbPath(db.dir)), dbFile+"-room-*")
	if err != nil {
		return err
	}
	err = os.Remove(f.Name())
	zeros := make([]byte, 64<<10)
	for n := 0; n < roomNeeded && err == nil; n += len(zeros) {
		_, err = f.Write(zeros)
	}
	return errors.Join(err, f.Close())
}

// fail remembers that err kept something from being written.
func (db *DB) fail(err error) {
	if trade.KindOf(db.heard(err)) == trade.Unavailable {
		db.health.ailing.Store(true)
	}
}

// heard is what a caller may hear of err. That the file is damaged is remembered; a single
// record that cannot be read is nothing to the others.
func (db *DB) heard(err error) error {
	err = plain(err)
	if trade.KindOf(err) == trade.Damaged && !errors.Is(err, errUnreadable) {
		db.health.damage.CompareAndSwap(nil, &err)
	}
	return err
}
