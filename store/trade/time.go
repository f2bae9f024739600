package trade

import (
	"errors"
	"time"
)

// Instant is a moment in milliseconds since 1970 UTC. It is written as RFC 3339
// in UTC with milliseconds; the zero Instant means "not set".
type Instant int64

// day is one day of an Instant.
const day Instant = 24 * 60 * 60 * 1000

const instantForm = "2006-01-02T15:04:05.000Z"

// At is the Instant of t, cut to the millisecond.
func At(t time.Time) Instant { return Instant(t.UnixMilli()) }

// Time is the Instant as a time in UTC.
func (i Instant) Time() time.Time { return time.UnixMilli(int64(i)).UTC() }

// String writes the Instant as it stands in an answer.
func (i Instant) String() string { return i.Time().Format(instantForm) }

// AppendText writes the Instant as RFC 3339 with milliseconds.
func (i Instant) AppendText(b []byte) ([]byte, error) {
	return i.Time().AppendFormat(b, instantForm), nil
}

// MarshalText is AppendText into a new slice.
func (i Instant) MarshalText() ([]byte, error) { return i.AppendText(nil) }

// UnmarshalText reads any RFC 3339 time, with or without a fraction.
func (i *Instant) UnmarshalText(b []byte) error {
	t, err := time.Parse(time.RFC3339Nano, string(b))
	if year := t.UTC().Year(); err != nil || year < 1 || year > 9999 {
		return errors.New("not an RFC 3339 time")
	}
	*i = At(t)
	return nil
}

// Date is a calendar day without a clock, written YYYY-MM-DD. The empty Date
// means "not set". Dates compare as strings.
type Date string

const dateForm = "2006-01-02"

// DateOf is the day that t falls on in its own zone. A moment before or after all that
// a Date can be falls on the first or the last day: whatever is computed can be read
// again.
func DateOf(t time.Time) Date {
	switch year := t.Year(); {
	case year < 1900:
		return firstDate
	case year > 2999:
		return lastDate
	}
	return Date(t.Format(dateForm))
}

// The first and the last day that a Date can be.
const (
	firstDate Date = "1900-01-01"
	lastDate  Date = "2999-12-31"
)

// ParseDate reads YYYY-MM-DD between the years 1900 and 2999 and nothing else;
// a timestamp is refused, since it would hide a question of zones.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(dateForm, s)
	if err != nil || len(s) != len(dateForm) || t.Year() < 1900 || t.Year() > 2999 {
		return "", errors.New("not a date")
	}
	return Date(s), nil
}

// UnmarshalText reads a Date; an empty text is refused.
func (d *Date) UnmarshalText(b []byte) (err error) {
	*d, err = ParseDate(string(b))
	return err
}

// MarshalText writes the Date.
func (d Date) MarshalText() ([]byte, error) { return []byte(d), nil }

// Dotted is the date as Turks write it, 15.09.2026; "" for none.
func (d Date) Dotted() string {
	if d == "" {
		return ""
	}
	return string(d[8:] + "." + d[5:7] + "." + d[:4])
}

// Year is the calendar year, 0 for an empty Date.
func (d Date) Year() int { return d.time().Year() }

// AddDays is the day n days later, at most the last that a Date can be.
func (d Date) AddDays(n int) Date { return DateOf(d.time().AddDate(0, 0, n)) }

func (d Date) time() time.Time {
	t, _ := time.Parse(dateForm, string(d)) // a Date is valid by construction
	return t
}
