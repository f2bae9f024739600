package webhook

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Schedule is when a delivery is tried again: the wait before its second
// attempt, before its third and so on. The first attempt is always made at once,
// so that a Schedule of n waits makes n+1 attempts.
type Schedule []time.Duration

// DefaultSchedule makes 10 attempts over about 75 hours (DECISIONS 41).
func DefaultSchedule() Schedule {
	return Schedule{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}
}

// A longer plan would be a way of never finding out that a receiver is gone.
const (
	maxWaits = 100
	maxWait  = 30 * 24 * time.Hour
)

// atOnce is how a schedule in words begins.
const atOnce = "immediate"

// ParseSchedule reads waits such as 1s,2s,4s or 5m,2h. What String writes, with
// "immediate" in front, is read too; "immediate" alone is one attempt and no
// other.
func ParseSchedule(text string) (Schedule, error) {
	s := Schedule{}
	for i, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		if i == 0 && part == atOnce {
			continue
		}
		d, err := time.ParseDuration(part)
		if err != nil || d <= 0 || d > maxWait || len(s) == maxWaits {
			return nil, fmt.Errorf("webhook-schedule: %q must be at most %d waits above 0 and up to 720h, such as 5s,5m,2h", text, maxWaits)
		}
		s = append(s, d)
	}
	return s, nil
}

// String is the whole plan in words: "immediate,5s,5m,30m,2h".
func (s Schedule) String() string {
	parts := []string{atOnce}
	for _, d := range s {
		text := d.String() // of two hours 2h0m0s
		if short, ok := strings.CutSuffix(text, "m0s"); ok {
			text = short + "m"
		}
		if short, ok := strings.CutSuffix(text, "h0m"); ok {
			text = short + "h"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ",")
}

// Wait is how long to wait after the made-th attempt has failed, give or take a
// fifth, so that what failed together does not come back together. A receiver
// that asked for longer gets it, up to twice the planned wait. ok is false when
// there is no further attempt.
func (s Schedule) Wait(made int, asked time.Duration, random rand.Source) (wait time.Duration, ok bool) {
	if made < 1 || made > len(s) {
		return 0, false
	}
	planned := s[made-1]
	fifth := int64(planned / 5)
	jitter := time.Duration(int64(random.Uint64()%uint64(2*fifth+1)) - fifth)
	wait = planned + jitter
	if asked > wait {
		asked = min(asked, 2*planned) // before anything is added: a date may be centuries away
		wait = min(asked+jitter.Abs(), 2*planned)
	}
	return wait, true
}

// askedWait reads Retry-After, in seconds or as a date: how long after now the
// receiver wants to be left alone, 0 when it says nothing that makes sense.
func askedWait(retryAfter string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(retryAfter, 10, 32); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(retryAfter); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
