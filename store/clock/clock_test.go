package clock_test

import (
	"regexp"
	"testing"
	"time"

	"esnaf/store/clock"
)

var start = time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)

func TestManualWakesSleepersWhenDue(t *testing.T) {
	m := clock.NewManual(start)
	soon, _ := m.After(start.Add(time.Second))
	late, stop := m.After(start.Add(time.Hour))
	m.Advance(time.Minute)
	select {
	case <-soon:
	default:
		t.Error("the sleeper that was due still sleeps")
	}
	select {
	case <-late:
		t.Error("the sleeper woke early")
	default:
	}
	stop()
	m.Advance(time.Hour)
	select {
	case <-late:
		t.Error("a stopped sleeper woke")
	default:
	}
	if now, _ := m.After(start); now != nil {
		<-now // a time already reached is closed at once
	}
}

func TestSystemWakesSleepers(t *testing.T) {
	reached, stop := clock.System{}.After(clock.System{}.Now().Add(time.Millisecond))
	defer stop()
	<-reached
}

func TestIDsSortByTimeAndHideNothingElse(t *testing.T) {
	ids := clock.RandomIDs()
	shape := regexp.MustCompile(`^cmp_[0-9a-hjkmnp-tv-z]{26}$`)
	seen := map[string]bool{}
	last := ""
	for i := range 200 {
		at := start.Add(time.Duration(i) * time.Millisecond)
		id := ids.New("cmp", at)
		switch {
		case !shape.MatchString(id):
			t.Fatalf("id %q has another shape", id)
		case id <= last:
			t.Fatalf("%q does not sort after %q", id, last)
		case id < clock.FirstAt("cmp", at) || id >= clock.FirstAt("cmp", at.Add(time.Millisecond)):
			t.Fatalf("%q lies outside the bounds of its millisecond", id)
		case seen[id]:
			t.Fatalf("%q was made twice", id)
		}
		seen[id], last = true, id
	}
}

func TestIDsOfOneMillisecondComeInTheirOrder(t *testing.T) {
	for _, at := range []time.Time{time.UnixMilli(0), start} {
		ids := clock.RandomIDs()
		last := ""
		for range 32 {
			id := ids.InOrder("cmp", at)
			if id <= last {
				t.Fatalf("%q does not sort after %q", id, last)
			}
			last = id
		}
	}
}

func TestSeededIDsRepeat(t *testing.T) {
	a, b := clock.SeededIDs([32]byte{1}), clock.SeededIDs([32]byte{1})
	if x, y := a.New("inv", start), b.New("inv", start); x != y {
		t.Errorf("same seed, different ids: %s %s", x, y)
	}
	x, y := a.UUID(), b.UUID()
	if x != y {
		t.Errorf("same seed, different UUIDs: %s %s", x, y)
	}
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(x) {
		t.Errorf("%q is no version 4 UUID", x)
	}
}
