package auth

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTakeCountsDown(t *testing.T) {
	l := NewLimits()
	for i := range 60 {
		want := Decision{Limit: 60, Remaining: 59 - i, Reset: i + 1, OK: true}
		if diff := cmp.Diff(want, l.Take("ten_1", 60, noon)); diff != "" {
			t.Fatalf("request %d:\n%s", i+1, diff)
		}
	}
	want := Decision{Limit: 60, Remaining: 0, Reset: 60, RetryAfter: 1}
	for range 3 { // a refused request costs nothing
		if diff := cmp.Diff(want, l.Take("ten_1", 60, noon)); diff != "" {
			t.Errorf("request 61:\n%s", diff)
		}
	}
	if d := l.Take("ten_2", 60, noon); d.Remaining != 59 {
		t.Errorf("another key is affected: %+v", d)
	}
	want = Decision{Limit: 60, Remaining: 59, Reset: 1, OK: true}
	if diff := cmp.Diff(want, l.Take("ten_1", 60, noon.Add(time.Minute))); diff != "" {
		t.Errorf("a minute later:\n%s", diff)
	}
}

// After the bucket is empty, a client that tries without pause gets the limit
// and no more; and whoever waits as told is served.
func TestTakeOverTwoMinutes(t *testing.T) {
	for _, perMinute := range []int{1, 7, 60, 120, 200, 1000} {
		l := NewLimits()
		for l.Take("k", perMinute, noon).OK {
		}
		served := 0
		for at := noon; at.Before(noon.Add(2 * time.Minute)); at = at.Add(3 * time.Millisecond) {
			if l.Take("k", perMinute, at).OK {
				served++
			}
		}
		if want := 2 * perMinute; served < want-want/50-1 || served > want+want/50 {
			t.Errorf("%d a minute: %d served in two minutes", perMinute, served)
		}
		at := noon.Add(2 * time.Minute)
		for range 50 {
			d := l.Take("k", perMinute, at)
			for d.OK {
				d = l.Take("k", perMinute, at)
			}
			at = at.Add(time.Duration(d.RetryAfter) * time.Second)
			if d := l.Take("k", perMinute, at); !d.OK {
				t.Fatalf("%d a minute: waited as told, got %+v", perMinute, d)
			}
		}
	}
}

func TestTakeWithoutLimit(t *testing.T) {
	l := NewLimits()
	want := Decision{Limit: 1_000_000, Remaining: 1_000_000, OK: true}
	for range 2000 {
		if diff := cmp.Diff(want, l.Take("ten_1", 0, noon)); diff != "" {
			t.Fatal(diff)
		}
	}
	if n := size(l); n != 0 {
		t.Errorf("%d buckets for a caller without a limit", n)
	}
}

func TestLimitChanges(t *testing.T) {
	for _, row := range []struct {
		name             string
		before, used, to int
		ok               bool
		remaining        int
	}{
		{"raised when full", 60, 0, 200, true, 199},
		{"raised when half used", 60, 30, 1000, true, 499},
		{"raised when empty", 60, 60, 200, false, 0},
		{"lowered when full", 200, 0, 60, true, 59},
		{"lowered when half used", 200, 100, 60, true, 29},
		{"lowered when empty", 200, 200, 60, false, 0},
		{"lifted", 60, 60, 0, true, Unlimited},
	} {
		l := NewLimits()
		for range row.used {
			l.Take("k", row.before, noon)
		}
		if d := l.Take("k", row.to, noon); d.OK != row.ok || d.Remaining != row.remaining {
			t.Errorf("%s: %+v, want %v, %d", row.name, d, row.ok, row.remaining)
		}
		if d := l.Take("k", row.to, noon.Add(time.Second)); !d.OK {
			t.Errorf("%s: the new limit does not fill the bucket: %+v", row.name, d)
		}
	}
}

// A caller whose limit is read differently by two requests at once must not
// win a fresh bucket by every change.
func TestLimitFlapping(t *testing.T) {
	l := NewLimits()
	served := 0
	for i := range 1000 {
		if l.Take("k", 60+i%2, noon).OK {
			served++
		}
	}
	if served > 61 {
		t.Errorf("%d served, want 61 at most", served)
	}
}

// Requests overtake each other between reading the clock and being counted, and
// a stand-in's clock can be set back: neither refills a moment twice, neither
// freezes the bucket.
func TestTakeWithAnUnevenClock(t *testing.T) {
	l := NewLimits()
	served := 0
	for i := range 10_000 { // 10 s in which every other request comes 5 ms late
		at := noon.Add(time.Duration(i) * time.Millisecond)
		if i%2 == 1 {
			at = at.Add(-5 * time.Millisecond)
		}
		if l.Take("k", 600, at).OK {
			served++
		}
	}
	if want := 600 + 100; served < want-2 || served > want+2 {
		t.Errorf("%d served, want %d", served, want)
	}
	back := noon.Add(-24 * time.Hour)
	l.Take("k", 600, back)
	if d := l.Take("k", 600, back.Add(time.Second)); !d.OK {
		t.Errorf("a second after the clock was set back: %+v", d)
	}
}

func TestTakeIsExactUnderLoad(t *testing.T) {
	l := NewLimits()
	var served atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				if l.Take("k", 1000, noon).OK {
					served.Add(1)
				}
			}
		})
	}
	all.Wait()
	if served.Load() != 1000 {
		t.Errorf("%d of 1600 served, want 1000", served.Load())
	}
}

func TestIdleBucketsAreForgotten(t *testing.T) {
	l := NewLimits()
	at := noon
	for round := range 50 {
		for i := range 1000 {
			l.Take(fmt.Sprintf("key_%d_%d", round, i), 60, at)
		}
		at = at.Add(2 * time.Minute)
	}
	if n := size(l); n > 4000 {
		t.Errorf("%d buckets, although only 1000 callers were about at a time", n)
	}
}

// With the clock standing still no bucket is idle; the bound holds all the same
// and costs the quietest callers' buckets, not the latest one's.
func TestBucketsAreBounded(t *testing.T) {
	s := limitShard{buckets: map[string]*bucket{}, sweepAt: 64}
	for i := range shardBound + 50 {
		at := noon.Add(time.Duration(i))
		s.bucket(fmt.Sprint(i), 60, at).used = at
	}
	if len(s.buckets) != shardBound {
		t.Errorf("%d buckets, want %d", len(s.buckets), shardBound)
	}
	if s.buckets["49"] != nil || s.buckets["50"] == nil {
		t.Error("the quietest buckets are not the ones that went")
	}
}

// Whatever the order of waiting and asking, nobody gets more than a full bucket
// and what trickled in since.
func TestTakeNeverGivesTooMuch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, at := NewLimits(), noon
		perMinute := rapid.IntRange(1, 300).Draw(t, "perMinute")
		served := 0
		for _, step := range rapid.SliceOfN(rapid.IntRange(0, 5000), 1, 200).Draw(t, "milliseconds") {
			at = at.Add(time.Duration(step) * time.Millisecond)
			d := l.Take("k", perMinute, at)
			if d.OK {
				served++
			}
			if d.Remaining < 0 || d.Remaining >= perMinute || d.Reset < 0 || d.Reset > 60 || d.OK != (d.RetryAfter == 0) {
				t.Fatalf("%+v", d)
			}
		}
		most := float64(perMinute) * (1 + at.Sub(noon).Minutes())
		if float64(served) > most+1e-6 {
			t.Fatalf("%d served, at most %f allowed", served, most)
		}
	})
}

func TestPlanLimit(t *testing.T) {
	for plan, want := range map[string]int{"standard": 60, "professional": 200, "enterprise": 1000, "unlimited": 0} {
		if got, ok := PlanLimit(plan); !ok || got != want {
			t.Errorf("%s: %d, %v", plan, got, ok)
		}
	}
	for _, bad := range []string{"", "Standard", "free"} {
		if _, ok := PlanLimit(bad); ok {
			t.Errorf("%q is a plan", bad)
		}
	}
}

func size(l *Limits) (n int) {
	for i := range l.shards {
		n += len(l.shards[i].buckets)
	}
	return n
}

func BenchmarkTake(b *testing.B) {
	l := NewLimits()
	at := noon
	b.ReportAllocs()
	for b.Loop() {
		at = at.Add(time.Millisecond)
		l.Take("ten_01arz3ndektsv4rrffq69g5fav", 1000, at)
	}
}

func BenchmarkTakeParallel(b *testing.B) {
	l := NewLimits()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		at := noon
		for i := 0; pb.Next(); i++ {
			at = at.Add(time.Microsecond)
			l.Take(benchKeys[i%len(benchKeys)], 1000, at)
		}
	})
}

var benchKeys = func() (keys [256]string) {
	for i := range keys {
		keys[i] = fmt.Sprintf("key_%026d", i)
	}
	return keys
}()
