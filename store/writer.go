package store

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// Tx is one change being written. Its now stands still, but for Happen.
type Tx struct {
	View
	now    time.Time
	day    trade.Date // see today
	check  trade.Check
	head   *head
	told   told
	queued bool // something waits for a worker
	after  []func()
	levels map[string]watched           // by product: those whose stock has moved
	past   map[[2]string]money.Quantity // by product and warehouse: see pastTheirDay
}

// Now is the moment of this change.
func (tx *Tx) Now() time.Time { return tx.now }

// Happen lets what follows in this change have happened at the moment at. It is for the
// demo, whose firms have a past.
func (tx *Tx) Happen(at time.Time) { tx.now, tx.day, tx.past = at.Truncate(time.Millisecond), "", nil }

// Check collects the faults of this change; those the request was read with are
// already in it.
func (tx *Tx) Check() *trade.Check { return &tx.check }

// afterCommit runs fn once the change is on disk, before its caller is answered.
func (tx *Tx) afterCommit(fn func()) { tx.after = append(tx.after, fn) }

// job is a change on its way to the writer.
type job struct {
	who    Who
	faults []trade.Fault
	fn     func(*Tx) error
	// salvage, when set, may write an answer after a failed fn was rolled back.
	salvage func(*Tx, error) error
	err     error
	tx      *Tx
	done    chan struct{}
}

// Write runs fn alone on the single write connection and returns once its
// effects are on disk. Changes that wait together share one commit; a failing
// one is rolled back to its own savepoint and leaves the others alone. A caller
// that leaves does not cut its change short.
func (db *DB) Write(ctx context.Context, who Who, fn func(*Tx) error) error {
	return db.submit(ctx, &job{who: who, fn: fn})
}

func (db *DB) submit(ctx context.Context, j *job) error { return db.submitEach(ctx, []*job{j})[0] }

// submitEach hands jobs to the writer in their order, waits for all of them, and tells
// what became of each; nil ones are passed over.
func (db *DB) submitEach(ctx context.Context, jobs []*job) []error {
	errs, begun := make([]error, len(jobs)), make([]bool, len(jobs))
	for i, j := range jobs {
		if j == nil {
			continue
		}
		j.done = make(chan struct{})
		errs[i] = db.enqueue(ctx, j)
		begun[i] = errs[i] == nil
	}
	for i, j := range jobs {
		if begun[i] {
			<-j.done
			errs[i] = plain(j.err)
		}
	}
	return errs
}

// enqueue hands j to the writer. An error means that it was not begun, so that
// nothing is lost.
func (db *DB) enqueue(ctx context.Context, j *job) error {
	db.gate.RLock()
	defer db.gate.RUnlock()
	if db.closed {
		return errClosed()
	}
	select {
	case db.jobs <- j:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// maxGroup bounds how many changes share one commit, and so how long the first
// of them waits for its answer.
const maxGroup = 256

func (db *DB) writeLoop() {
	defer close(db.stopped)
	for first := db.next(); first != nil; first = db.next() {
		group, err := db.runGroup(first)
		if err != nil {
			db.abandon(group, err)
		}
		db.touched, db.restless = false, true
		queued := false
		for _, j := range group {
			if j.err == nil {
				for _, fn := range j.tx.after {
					fn()
				}
				queued = queued || j.tx.queued
			} else {
				db.fail(j.err)
			}
			close(j.done)
		}
		if queued {
			db.bell.ring()
		}
	}
}

// idle is how long the writer waits for changes before it turns to its chores.
const idle = 20 * time.Millisecond

// next is the next change to be written, nil when the store is closed. When nothing
// else is to be done, the chores come in between: the words of new records are
// filed (a step at a time also when too many wait), then the writer rests.
func (db *DB) next() *job {
	for db.restless {
		if db.pressed() {
			db.file()
			select {
			case j := <-db.jobs:
				return j
			default:
				continue
			}
		}
		quiet := time.NewTimer(idle)
		select {
		case j := <-db.jobs:
			quiet.Stop()
			return j
		case <-quiet.C:
		}
		if db.unfiled > 0 {
			db.file()
		} else {
			db.rest()
		}
	}
	return <-db.jobs
}

// file takes the filing of words a step further, in a transaction of its own: of the
// pages it changes no savepoint needs a copy. Should it fail, the words wait for the
// next time.
func (db *DB) file() {
	err := db.begin()
	if err == nil {
		err = db.newTx(&job{who: Who{Actor: "filer"}}).run((*Tx).fileSome)
	}
	if err == nil {
		err = db.commit()
	}
	if err != nil {
		db.fail(err)
		db.filing, db.unfiled = nil, 0
		db.abandon(nil, err)
	}
}

// rest folds the log into the file, so that a change need not wait for that, and
// gives SQLite's page cache back. All connections share one, and the writer's
// pages, which nobody else reads, would keep those of the readers out of it: once it
// is full, a connection that has few pages in it gets no more.
func (db *DB) rest() {
	db.restless = false
	if db.writer != nil {
		// Chores: if one fails nothing is lost.
		db.writer.exec("PRAGMA wal_checkpoint(PASSIVE)")
		db.writer.exec("PRAGMA shrink_memory")
	}
}

// runGroup runs first and every change that waits behind it in one transaction. Who comes
// meanwhile has the next one: were they taken along, all would soon wait for one another,
// and nobody would bring the next group while this one is written. An error means that
// nothing of the group is on disk.
func (db *DB) runGroup(first *job) (group []*job, err error) {
	size := min(1+len(db.jobs), maxGroup)
	if err := db.begin(); err != nil {
		group = append(group, first)
		for range len(db.jobs) { // they have waited for the same, and would for another try each
			group = append(group, <-db.jobs)
		}
		return group, err
	}
	for j := first; ; j = <-db.jobs { // nobody else takes any
		group = append(group, j)
		if err := db.runOne(j); err != nil {
			return group, err
		}
		if len(group) == size {
			return group, db.commit()
		}
	}
}

// commit writes the numbers that the group drew, and ends it.
func (db *DB) commit() error {
	if err := db.numbers.write(db.writer.putNumber); err != nil {
		return err
	}
	_, err := db.writer.exec("COMMIT")
	return err
}

// begin opens the transaction of a group; a connection that cannot is made anew.
func (db *DB) begin() (err error) {
	if db.writer != nil {
		db.writer.tidy()
		if _, err = db.writer.exec("BEGIN IMMEDIATE"); err == nil || codeOf(err)&0xff == codeBusy {
			return err
		}
		db.writer.close()
	}
	if db.writer, err = db.newWriter(); err == nil {
		_, err = db.writer.exec("BEGIN IMMEDIATE")
	}
	return err
}

// abandon answers a group whose transaction is gone. A COMMIT that failed may
// still have reached the disk, so nothing remembered is trusted any more. The
// connection stays: were it the last one, the files that readers need would go
// with it, and on a full disk they could not be made again.
func (db *DB) abandon(group []*job, err error) {
	for _, j := range group {
		if j.err == nil {
			j.err = unavailable(fmt.Errorf("commit: %w", err))
		}
	}
	if db.writer != nil {
		db.writer.exec("ROLLBACK")
	}
	db.numbers.forget()
	clear(db.listeners)
	db.tenants.clear()
	db.logins.clear()
	db.callers.clear()
}

// runOne runs one change in a savepoint of its own. The error it returns is not
// the change's but the connection's: the whole group is lost.
func (db *DB) runOne(j *job) error {
	if _, err := db.writer.exec("SAVEPOINT one"); err != nil {
		return err
	}
	if err := db.attempt(j, j.fn); err != nil {
		return err
	}
	if cause := j.err; cause != nil && j.salvage != nil {
		if err := db.attempt(j, func(tx *Tx) error { return j.salvage(tx, cause) }); err != nil {
			return err
		}
	}
	_, err := db.writer.exec("RELEASE one")
	return err
}

// attempt runs fn and takes back what it wrote when it fails.
func (db *DB) attempt(j *job, fn func(*Tx) error) error {
	j.tx = db.newTx(j)
	if j.err = j.tx.run(fn); j.err == nil {
		return nil
	}
	db.numbers.undo()
	clear(db.listeners)
	_, err := db.writer.exec("ROLLBACK TO one")
	return err
}

func (db *DB) newTx(j *job) *Tx {
	tx := &Tx{View: View{conn: db.writer, db: db, who: j.who}, now: db.clock.Now().Truncate(time.Millisecond)}
	for _, f := range j.faults {
		tx.check.AddFault(f)
	}
	return tx
}

// run calls fn, then asks the Check once more (a forgotten fault must not be
// written), puts the tenant's head back and takes over what it drew. A panic is an internal error of this
// one change.
func (tx *Tx) run(fn func(*Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a change: %v\n%s", p, debug.Stack())
		}
		tx.finish()
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if err := tx.check.Err(); err != nil {
		return err
	}
	if err := tx.tellLow(); err != nil {
		return err
	}
	if err := tx.putHead(); err != nil {
		return err
	}
	tx.db.numbers.settle()
	return nil
}
