package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// What is revoked while someone looks it up must not be remembered as it was:
// the old answer may be given that once, never again.
func TestACacheForgetsWhatItReadBeforeTheChange(t *testing.T) {
	var c cache[string]
	value := "alive"
	read := func() (string, error) { return value, nil }
	got, err := c.get("key", func() (string, error) {
		v := value // read ...
		value = "revoked"
		c.clear() // ... and revoked before it is remembered
		return v, nil
	})
	if got != "alive" || err != nil {
		t.Fatalf("%q, %v", got, err)
	}
	if got, _ := c.get("key", read); got != "revoked" {
		t.Errorf("the next look-up says %q", got)
	}
	value = "other"
	if got, _ := c.get("key", read); got != "revoked" {
		t.Errorf("what is remembered was read again: %q", got)
	}
	if c.clear(); must(c.get("key", read)) != "other" {
		t.Error("what was cleared is still remembered")
	}
}

func TestACacheRemembersNoErrors(t *testing.T) {
	var c cache[string]
	boom := errors.New("boom")
	if _, err := c.get("key", func() (string, error) { return "half", boom }); !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
	if _, known := c.peek("key"); known {
		t.Error("an error is remembered")
	}
}

func TestACacheIsBounded(t *testing.T) {
	var c cache[int]
	for i := range 3 * maxKept {
		c.get(fmt.Sprint(i), func() (int, error) { return i, nil })
	}
	if len(c.kept) > maxKept {
		t.Errorf("%d kept, at most %d allowed", len(c.kept), maxKept)
	}
}

// Who is asked for by names that nobody has finds nothing remembered of them.
func TestStrangersAreNotRemembered(t *testing.T) {
	d := openDesk(t)
	for i := range 3 {
		if l, err := d.FindMember(context.Background(), fmt.Sprint("usr_", i), d.who.Tenant); err != nil || l != (Login{}) {
			t.Errorf("%+v, %v", l, err)
		}
	}
	if len(d.logins.kept) > 0 {
		t.Errorf("%d are remembered", len(d.logins.kept))
	}
}

// Readers and clearers at once: nobody sees the past again, and whoever looks
// after the last change sees it.
func TestACacheUnderLoad(t *testing.T) {
	var c cache[int]
	var value atomic.Int64
	read := func() (int, error) { return int(value.Load()), nil }
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for last := 0; ; {
				select {
				case <-stop:
					return
				default:
				}
				got, _ := c.get("key", read)
				if got < last {
					t.Errorf("saw %d after %d", got, last)
					return
				}
				last = got
			}
		})
	}
	for i := range 500 {
		value.Store(int64(i + 1))
		c.clear()
		if got, _ := c.get("key", read); got != i+1 {
			t.Errorf("after change %d the cache says %d", i+1, got)
			break
		}
	}
	close(stop)
	wg.Wait()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
