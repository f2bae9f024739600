package webhook_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"esnaf/webhook"
)

// TestDefaultSchedule is ACCEPTANCE W8: 10 attempts over about 75.6 hours.
func TestDefaultSchedule(t *testing.T) {
	s := webhook.DefaultSchedule()
	if got, want := s.String(), "immediate,5s,5m,30m,2h,5h,10h,14h,20h,24h"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var whole time.Duration
	for _, d := range s {
		whole += d
	}
	if len(s)+1 != 10 || whole.Round(6*time.Minute) != 75*time.Hour+36*time.Minute {
		t.Errorf("%d attempts over %v", len(s)+1, whole)
	}
}

func TestParseSchedule(t *testing.T) {
	for text, want := range map[string]webhook.Schedule{
		"1s,2s,4s,8s":        {time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second},
		" 1m30s , 100ms":     {90 * time.Second, 100 * time.Millisecond},
		"immediate,1h30m,2h": {90 * time.Minute, 2 * time.Hour},
		"immediate":          {},
	} {
		got, err := webhook.ParseSchedule(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v\n%s", text, err, diff)
		}
	}
	for _, text := range []string{"", "5", "0s", "-1s", "1s,,2s", "1s;2s", "1s,immediate", "721h", "soon", "9999999h"} {
		if s, err := webhook.ParseSchedule(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}

// FuzzParseSchedule: what is read is written back so that it reads the same.
func FuzzParseSchedule(f *testing.F) {
	f.Add("1s,2s,4s,8s")
	f.Add("immediate,5s,5m,30m,2h,5h,10h,14h,20h,24h")
	f.Add("1h0m5s,0.5s,1h10m,600m")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := webhook.ParseSchedule(text)
		if err != nil {
			return
		}
		again, err := webhook.ParseSchedule(s.String())
		if diff := cmp.Diff(s, again); diff != "" || err != nil {
			t.Errorf("%q became %q: %v\n%s", text, s, err, diff)
		}
	})
}

// TestWait: whatever is asked and drawn, the wait is the planned one give or take
// a fifth, or what the receiver asked for up to twice the planned one.
func TestWait(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := webhook.DefaultSchedule()
		made := rapid.IntRange(1, len(s)).Draw(t, "made")
		asked := time.Duration(rapid.Int64().Draw(t, "asked"))
		wait, ok := s.Wait(made, asked, rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		planned := s[made-1]
		switch {
		case !ok:
			t.Fatal("there is another attempt")
		case wait < planned*4/5 || wait > 2*planned:
			t.Fatalf("%v is not of %v", wait, planned)
		case asked < planned*4/5 && wait > planned*6/5:
			t.Fatalf("%v is more than a fifth beyond %v", wait, planned)
		case wait < min(asked, 2*planned):
			t.Fatalf("%v is before the %v that was asked for", wait, asked)
		}
	})
	for _, made := range []int{-1, 0, 10, 11} {
		if wait, ok := webhook.DefaultSchedule().Wait(made, 0, rand.NewPCG(1, 2)); ok {
			t.Errorf("after attempt %d there is another one in %v", made, wait)
		}
	}
}

// TestWaitsAreSpread: deliveries that failed together do not come back together.
func TestWaitsAreSpread(t *testing.T) {
	shortest, longest := time.Hour, time.Duration(0)
	for seed := range uint64(1000) {
		wait, _ := webhook.Schedule{10 * time.Second}.Wait(1, 0, rand.NewPCG(seed, 1))
		shortest, longest = min(shortest, wait), max(longest, wait)
	}
	if shortest > 8100*time.Millisecond || longest < 11900*time.Millisecond {
		t.Errorf("the waits reach from %v to %v", shortest, longest)
	}
}
