package store_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"esnaf/auth"
	"esnaf/store"
)

// tried settles a login and tells how long it has to wait.
func tried(t *testing.T, db *store.DB, who string, good bool) int {
	t.Helper()
	wait, err := db.LoginTried(context.Background(), who, good)
	if err != nil {
		t.Error(err)
	}
	return wait
}

// Failed logins are counted one by one even when they come at once: of any number the
// free ones are looked at, and the rest has to wait, with the right password as with a
// wrong one. That survives a restart (acceptance A5).
func TestFailedLoginsAreCounted(t *testing.T) {
	b := open(t)
	var wg sync.WaitGroup
	var looked, waits atomic.Int64
	for range 12 {
		wg.Go(func() {
			if tried(t, b.DB, "ayse", false) == 0 {
				looked.Add(1)
			} else {
				waits.Add(1)
			}
		})
	}
	wg.Wait()
	if looked.Load() != 5 || waits.Load() != 7 {
		t.Errorf("%d of 12 were looked at, %d wait", looked.Load(), waits.Load())
	}
	if wait := tried(t, b.DB, "ayse", true); wait != 60 {
		t.Errorf("the right one waits %d s", wait)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	again := openIn(t, b.Dir(), b.clock)
	throttle := func(who string) auth.Throttle {
		th, err := again.LoginThrottle(context.Background(), who)
		if err != nil {
			t.Fatal(err)
		}
		return th
	}
	if th := throttle("ayse"); th.Failures != 5 || !th.Last.Equal(start) || th.RetryAfter(start) == 0 {
		t.Errorf("counted %+v", th)
	}
	if th := throttle("veli"); th != (auth.Throttle{}) {
		t.Errorf("another one has %+v", th)
	}
	b.clock.Advance(time.Minute)
	if wait := tried(t, again.DB, "ayse", true); wait != 0 {
		t.Errorf("after the wait: %d s", wait)
	}
	if th := throttle("ayse"); th != (auth.Throttle{}) {
		t.Errorf("after a login %+v", th)
	}
}

// Guessing at ever new addresses does not fill the disk.
func TestOldFailuresAreForgotten(t *testing.T) {
	b := open(t)
	for i := range 100 {
		tried(t, b.DB, fmt.Sprint(i), false)
		b.clock.Advance(10 * time.Minute)
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM login_failures"); n > 13 {
		t.Errorf("%d failures remembered", n)
	}
}
