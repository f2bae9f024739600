package gib

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
)

// Config says what a courier works with.
type Config struct {
	DB        *store.DB
	Authority Authority
	Log       *slog.Logger

	// Workers is how many documents are under way at the same time, 8 when 0. With
	// 1 they go one after the other as they fall due, so that runs repeat exactly.
	Workers int

	// Waits are how long to wait before asking or trying again, one after the other
	// and the last one for ever; AnswerWaits are those for the buyer's answer. When
	// nil they are 10 s, 30 s, 1 min, 5 min, 15 min and 1 min, 5 min, 15 min, 1 h.
	// None may be zero.
	Waits, AnswerWaits []time.Duration
}

// Courier takes queued documents to the tax office and records what becomes of
// them.
type Courier struct {
	Config
	mu sync.Mutex // held by the one Drain that works
}

// New makes a courier. It does nothing until Drain or Run is called; both must
// have returned before the store is closed.
func New(c Config) *Courier {
	if c.Workers == 0 {
		c.Workers = 8
	}
	if c.Waits == nil {
		c.Waits = []time.Duration{10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute}
	}
	if c.AnswerWaits == nil {
		c.AnswerWaits = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}
	}
	return &Courier{Config: c}
}

// callTime bounds a call of the tax office, and with it what a stop waits for.
const callTime = 10 * time.Second

// Drain does everything that is due now and returns how many errands it carried.
// What went wrong with one document is recorded there; an error means that the
// store could not be read or written, or that ctx ended.
func (c *Courier) Drain(ctx context.Context) (n int, err error) {
	n, _, err = c.drain(ctx)
	return n, err
}

// Run drains whenever something is due, until ctx ends. Calls that are being made
// then are finished and recorded.
func (c *Courier) Run(ctx context.Context) {
	for {
		wake := c.DB.Wake() // before looking, so that nothing is missed
		_, next, err := c.drain(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			c.Log.Error("the courier cannot work", "error", err)
			next = c.DB.Clock().Now().Add(c.Waits[0])
		}
		var due <-chan struct{}
		stop := func() {}
		if !next.IsZero() {
			due, stop = c.DB.Clock().After(next)
		}
		select {
		case <-wake:
		case <-due:
		case <-ctx.Done():
		}
		stop()
	}
}

// drain is Drain that also tells when the next errand is due.
func (c *Courier) drain(ctx context.Context) (n int, next time.Time, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		var due []store.Errand
		due, next, err = c.DB.Errands(ctx, c.DB.Clock().Now(), 4*c.Workers)
		if err != nil || len(due) == 0 {
			return n, next, err
		}
		carried, err := c.carryAll(ctx, due)
		n += carried
		if err != nil {
			return n, next, err
		}
	}
}

// carryAll carries errands, a few at a time.
func (c *Courier) carryAll(ctx context.Context, due []store.Errand) (n int, err error) {
	errs := make([]error, len(due))
	free := make(chan struct{}, c.Workers)
	var all sync.WaitGroup
	for i := range due {
		free <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		n++
		all.Go(func() {
			defer func() { <-free }()
			errs[i] = c.carry(ctx, &trip{Errand: due[i]})
		})
	}
	all.Wait()
	return n, errors.Join(append(errs, ctx.Err())...)
}

// trip is one errand while it is carried.
type trip struct {
	store.Errand
	paper
	xml []byte // as it was handed over, or is about to be

	testNumbers bool // the account lets tax numbers with wrong check digits through
}

// carry brings one errand as far as it gets now. Whatever goes wrong with it, it
// is put off rather than left due, so that it never stands in the way of others.
func (c *Courier) carry(ctx context.Context, t *trip) error {
	ctx = context.WithoutCancel(ctx) // a document under way is not dropped half way
	err := safely(func() error { return c.step(ctx, t) })
	if err == nil || errors.Is(err, store.ErrOvertaken) {
		return nil
	}
	c.Log.Error("an errand failed", "tenant", t.Tenant, "document", t.Owner, "step", t.Step, "error", err)
	err = c.write(ctx, t, func(tx *store.Tx) error {
		return tx.Postpone(t.Errand, store.Pause{Until: c.later(c.Waits, t.Tries)})
	})
	if errors.Is(err, store.ErrOvertaken) {
		return nil
	}
	return err
}

// step does what the errand is at, if its document still waits for that.
func (c *Courier) step(ctx context.Context, t *trip) error {
	if err := c.read(ctx, t); err != nil {
		return err
	}
	switch {
	case t.Step == store.StepSubmit && t.stands.Status == trade.EDocumentQueued:
		return c.submit(ctx, t)
	case t.Step.Asks() && t.stands.Status == trade.EDocumentQueued:
		return c.ask(ctx, t)
	case t.Step == store.StepAnswer && t.stands.Status == trade.EDocumentSent:
		return c.awaitAnswer(ctx, t)
	}
	return c.write(ctx, t, func(tx *store.Tx) error { return tx.EndErrand(t.Errand) })
}

func (c *Courier) read(ctx context.Context, t *trip) error {
	return c.DB.Read(ctx, c.who(t), func(v *store.View) (err error) {
		if t.paper, err = paperOf(v, t.Owner); err != nil {
			return err
		}
		settings, err := v.Settings()
		if err != nil {
			return err
		}
		t.testNumbers = settings.TaxNumberCheck == trade.CheckWarn
		if !t.Step.Asks() {
			return nil
		}
		xml, ok, err := v.Document(t.Owner)
		if !ok && err == nil {
			err = errors.New("the document that was handed over is not in the store")
		}
		t.xml = xml
		return err
	})
}

func (c *Courier) write(ctx context.Context, t *trip, fn func(*store.Tx) error) error {
	return c.DB.Write(ctx, c.who(t), fn)
}

func (c *Courier) who(t *trip) store.Who { return store.Who{Tenant: t.Tenant, Actor: "courier"} }

// later is when to try again after so many tries in vain.
func (c *Courier) later(waits []time.Duration, tries int) time.Time {
	return c.DB.Clock().Now().Add(waits[min(tries, len(waits)-1)])
}

// safely turns a panic in fn into an error that tells where it was.
func safely(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn()
}
