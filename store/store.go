// Package store keeps the business in one SQLite file: one writer that commits
// in groups, many readers, and everything that must not be forgotten (the
// repeat-safe answer, the event, the audit row) in the same commit as the change.
package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite"

	"esnaf/auth"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// Options say which store to open and what it is driven by.
type Options struct {
	Dir    string      // data folder; made when absent
	Clock  clock.Clock // what "now" is
	IDs    *clock.IDs  // source of ids and of all other randomness
	NoSync bool        // do not wait for the disk: for throw-away folders only
	// Existing refuses with ErrNoData a folder that holds nothing yet.
	Existing bool
}

// readers is how many connections read at the same time. Two cores are kept busy
// by a few; more only hold memory.
const readers = 2

// DB is an open store.
type DB struct {
	dir   string
	lock  *folderLock
	clock clock.Clock
	ids   *clock.IDs
	keys  *auth.Keyring

	noSync  bool
	writer  *conn // nil when it broke and is to be made anew
	jobs    chan *job
	gate    sync.RWMutex // held for reading while a job goes into jobs
	closed  bool         // jobs takes no more
	stopped chan struct{}
	health  health

	readers chan *conn    // each free reader, nil for one that is not opened yet
	surveys chan struct{} // full while somebody looks through the whole file: see survey

	atWork  keysAtWork
	tenants cache[*trade.Tenant]
	logins  cache[Login]
	callers cache[Key]
	uses    uses
	bell    bell

	// importing is held while a list of registered users is taken in: there is
	// room beside the one in force for one more.
	importing sync.Mutex

	// listeners is the writer's own: the active webhooks of accounts.
	listeners map[string][]listener

	// payload is the writer's own: room for an event until it is stored.
	payload []byte

	// numbers is the writer's own: the last number of each series.
	numbers tally

	// unfiled is the writer's own: how many records may wait for their words to be
	// filed, and filing those that are being filed. sought says that somebody has
	// searched among them.
	unfiled int
	filing  *filing
	sought  atomic.Bool

	// restless is the writer's own: something was written since it last rested.
	restless bool

	// touched is the writer's own: some tenant's settings were changed in the group
	// at work, so what is remembered of them is not what this group must see.
	touched bool
}

// Open takes the data folder for this process, creating and migrating what is
// needed. A folder that another process holds is refused, and so is one of which a part
// is missing.
func Open(o Options) (_ *DB, err error) {
	lock, begins, err := takeFolder(o)
	if err != nil {
		return nil, err
	}
	db := &DB{listeners: map[string][]listener{}, dir: o.Dir, noSync: o.NoSync, lock: lock, clock: o.Clock, ids: o.IDs, jobs: make(chan *job, 1024), stopped: make(chan struct{}), readers: make(chan *conn, readers), surveys: make(chan struct{}, 1)}
	defer func() {
		if err != nil {
			db.release()
		}
	}()
	if db.keys, err = loadKeyring(o, begins); err != nil {
		return nil, err
	}
	sqlite.Fdatasync(true) // the file's size is settled by fdatasync too; fsync would also wait for its times
	path := filepath.Join(o.Dir, dbFile)
	if err := makePrivate(path); err != nil {
		return nil, notOpened(path, err)
	}
	if db.writer, err = db.newWriter(); err != nil {
		return nil, notOpened(path, err)
	}
	if err := migrate(db.writer); err != nil {
		return nil, notOpened(path, err)
	}
	if err := db.match(); err != nil {
		return nil, Trouble(err)
	}
	if begins {
		if err := begun(o.Dir, o.NoSync); err != nil {
			return nil, fmt.Errorf("the data folder %s cannot be written: %w", o.Dir, Trouble(err))
		}
	}
	for range readers {
		db.readers <- nil // opened at first use: a start need not wait for them
	}
	db.unfiled, db.restless = 1, true // what the last run left
	go db.writeLoop()
	return db, nil
}

func (db *DB) newWriter() (*conn, error) {
	sync := "synchronous(FULL)"
	if db.noSync {
		sync = "synchronous(OFF)"
	}
	// The cache is small: wherever SQLite has put the pages of a tree into order (which moves
	// one far behind the end for a moment), COMMIT looks at every page it keeps.
	return newConn(filepath.Join(db.dir, dbFile), "", "journal_mode(WAL)", sync, "cache_size(-6000)", "journal_size_limit(67108864)", "wal_autocheckpoint(16000)")
}

func (db *DB) newReader() (*conn, error) {
	return newConn(filepath.Join(db.dir, dbFile), "", "query_only(1)", "cache_size(-24000)")
}

// Close stops the writer once all waiting changes are done, waits for the reads
// at work, folds the log into the file where the disk has the room, and gives the folder
// free. What is asked of the store afterwards is Unavailable. Closing again does nothing.
func (db *DB) Close() error {
	db.gate.Lock()
	if db.closed {
		db.gate.Unlock()
		return nil
	}
	db.closed = true
	close(db.jobs)
	db.gate.Unlock()
	<-db.stopped
	db.health.work.Wait()
	for range readers {
		if c := <-db.readers; c != nil {
			c.close()
		}
	}
	close(db.readers)
	var err error
	if db.writer != nil {
		if _, err = db.writer.exec("PRAGMA wal_checkpoint(TRUNCATE)"); outOfRoom(err) {
			err = nil // the log stays, with all that is in it, for whoever opens the folder next
		}
	}
	return errors.Join(err, db.release())
}

// release gives up what Open took. The last connection to go takes the empty
// log with it.
func (db *DB) release() error {
	var errs []error
	if db.writer != nil {
		db.writer.close()
	}
	return errors.Join(append(errs, db.lock.release())...)
}

// Dir is the data folder.
func (db *DB) Dir() string { return db.dir }

// Clock is what the store takes the time from.
func (db *DB) Clock() clock.Clock { return db.clock }

// IDs is what the store makes ids with.
func (db *DB) IDs() *clock.IDs { return db.ids }

// Keys are the folder's secrets.
func (db *DB) Keys() *auth.Keyring { return db.keys }

// Wake returns a channel that is closed by the next commit that leaves work for
// a worker. Take it before looking for work, so that none is missed.
func (db *DB) Wake() <-chan struct{} { return db.bell.heard() }

// bell wakes everyone who listens.
type bell struct {
	mu sync.Mutex
	c  chan struct{}
}

func (b *bell) heard() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.c == nil {
		b.c = make(chan struct{})
	}
	return b.c
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.c != nil {
		close(b.c)
		b.c = nil
	}
}
