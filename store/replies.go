package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"esnaf/store/trade"
)

// Reply is an answer that can be kept for a repeated Idempotency-Key.
type Reply struct {
	Status      int
	ContentType string
	Location    string
	ETag        string
	Body        []byte
	Secret      bool // the body shows a secret: it is sealed at rest
}

// Once says how a change may be repeated.
type Once struct {
	Key    string        // the Idempotency-Key, "" for none
	Scope  string        // credential, method and path: the key means nothing outside
	Print  []byte        // of the body: the same JSON value has the same print
	Faults []trade.Fault // what was found wrong while the body was read
	// Refusal is the answer to a change that the state of things forbids. It is
	// kept like any other: a repeat must not try again.
	Refusal func(error) (Reply, bool)
}

// keepReplies is how long a key is remembered (specification 8).
const keepReplies = 24 * time.Hour

// Outcome is what became of a change that may be repeated.
type Outcome struct {
	Reply
	Replayed bool // it was a repeat
	Err      error
}

// WriteOnce is Write for a caller who may repeat itself: the first answer is
// stored in the same commit as the work and given to every repeat within 24
// hours. replayed tells that it was a repeat.
func (db *DB) WriteOnce(ctx context.Context, who Who, o Once, fn func(*Tx) (Reply, error)) (rep Reply, replayed bool, err error) {
	out := db.WriteEach(ctx, who, []Once{o}, func(tx *Tx, _ int) (Reply, error) { return fn(tx) })[0]
	return out.Reply, out.Replayed, out.Err
}

// WriteEach is WriteOnce for several changes, each for itself, in their order; fn is
// told which of them it is to do.
func (db *DB) WriteEach(ctx context.Context, who Who, list []Once, fn func(*Tx, int) (Reply, error)) []Outcome {
	out, jobs := make([]Outcome, len(list)), make([]*job, len(list))
	for i := range list {
		o := &list[i]
		if work := o.owner(who.Tenant); o.Key != "" {
			if !db.atWork.take(work) {
				out[i].Err = inProgress()
				continue
			}
			defer db.atWork.leave(work)
		}
		jobs[i] = o.job(who, &out[i], func(tx *Tx) (Reply, error) { return fn(tx, i) })
	}
	for i, err := range db.submitEach(ctx, jobs) {
		if err != nil {
			out[i] = Outcome{Err: err} // also when fn had answered: its commit failed
		}
	}
	return out
}

// inProgress asks the caller to come back: the first request with its key is at work.
func inProgress() error {
	e := trade.Fail(trade.Conflict, trade.KeyInProgress)
	e.Wait = 1
	return e
}

// job is the change that o is asked for, with its outcome in out.
func (o *Once) job(who Who, out *Outcome, fn func(*Tx) (Reply, error)) *job {
	j := &job{who: who, faults: o.Faults}
	if o.Key == "" {
		j.fn = func(tx *Tx) (err error) { out.Reply, err = fn(tx); return err }
		return j
	}
	j.fn = func(tx *Tx) (err error) { out.Reply, out.Replayed, err = tx.once(*o, fn); return err }
	j.salvage = func(tx *Tx, cause error) (err error) { out.Reply, err = tx.refuse(*o, cause); return err }
	return j
}

// owner is all that a key stands for: what is kept under it is nobody else's.
func (o *Once) owner(tenant string) string { return tenant + " " + o.Key + " " + o.Scope }

// mark is what the answer is found by: of one length, however long the scope is.
func (o *Once) mark(tenant string) []byte {
	sum := sha256.Sum256([]byte(o.owner(tenant)))
	return sum[:]
}

// once gives the answer an earlier request with this key got, or else does the
// work and keeps its answer.
func (tx *Tx) once(o Once, fn func(*Tx) (Reply, error)) (rep Reply, replayed bool, err error) {
	if rep, replayed, err = tx.replay(o); replayed || err != nil {
		return rep, replayed, err
	}
	if rep, err = fn(tx); err != nil {
		return rep, false, err
	}
	return rep, false, tx.keep(o, rep)
}

// refuse keeps the answer to work that the state of things forbids; any other
// cause stays the error it is.
func (tx *Tx) refuse(o Once, cause error) (Reply, error) {
	rep, ok := o.Refusal(cause)
	if !ok {
		return rep, cause
	}
	tx.check = trade.Check{} // faults of the body do not stand in the way of the answer
	return rep, tx.keep(o, rep)
}

// replay finds the answer an earlier request with this key got.
func (tx *Tx) replay(o Once) (rep Reply, found bool, err error) {
	var row [7]any
	err = tx.first(row[:], `SELECT r.print, r.status, r.content_type, r.location, r.etag, r.sealed,
		CASE WHEN r.event IS NULL THEN r.body ELSE substr(e.body, r.start + 1, r.size) END
		FROM replies r LEFT JOIN events e ON e.n = r.event WHERE r.mark = ? AND r.expires_at > ?`,
		o.mark(tx.who.Tenant), int64(trade.At(tx.now)))
	switch {
	case noRows(err):
		return rep, false, nil
	case err != nil:
		return rep, false, err
	case !bytes.Equal(row[0].([]byte), o.Print):
		return rep, false, trade.Fail(trade.Invalid, trade.KeyReused)
	}
	rep = Reply{Status: int(row[1].(int64)), ContentType: row[2].(string), Location: row[3].(string), ETag: row[4].(string), Secret: row[5].(int64) != 0, Body: row[6].([]byte)}
	if rep.Secret {
		rep.Body, err = tx.db.open(rep.Body, o.owner(tx.who.Tenant))
	}
	tx.check = trade.Check{} // whatever was wrong with the body, it was answered then
	return rep, true, err
}

func (tx *Tx) keep(o Once, rep Reply) (err error) {
	body, in := rep.Body, told{}
	switch {
	case rep.Secret:
		if body, err = tx.db.seal(body, o.owner(tx.who.Tenant)); err != nil {
			return err
		}
	case tx.told.is(body):
		in = tx.told
		body = nil
	}
	if body == nil {
		body = []byte{}
	}
	// A key used again after its time gets a new row: rows stand in the order they
	// expire, which is what sweeping goes by.
	_, err = tx.exec(`INSERT OR REPLACE INTO replies (mark, tenant, key, print, status, content_type, location, etag, sealed, event, start, size, body, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		o.mark(tx.who.Tenant), tx.who.Tenant, o.Key, o.Print, rep.Status, rep.ContentType, rep.Location, rep.ETag, rep.Secret,
		in.row(), in.start, len(in.object), body, int64(trade.At(tx.now.Add(keepReplies))))
	return err
}

// SweepReplies forgets at most 1000 answers whose time is over and tells how
// many it forgot.
func (db *DB) SweepReplies(ctx context.Context) (n int64, err error) {
	err = db.Write(ctx, Who{Actor: "sweeper"}, func(tx *Tx) (err error) {
		n, err = tx.exec("DELETE FROM replies WHERE n IN (SELECT n FROM replies ORDER BY n LIMIT 1000) AND expires_at <= ?", int64(trade.At(tx.now)))
		return err
	})
	return n, err
}

// keysAtWork holds the keys whose first request is not answered yet. It is
// memory only: what a crash leaves unfinished was not committed either.
type keysAtWork struct {
	mu   sync.Mutex
	keys map[string]bool
}

func (k *keysAtWork) take(key string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.keys[key] {
		return false
	}
	if k.keys == nil {
		k.keys = map[string]bool{}
	}
	k.keys[key] = true
	return true
}

func (k *keysAtWork) leave(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.keys, key)
}
