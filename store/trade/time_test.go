package trade

import (
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

func TestInstants(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-31T21:30:00Z":             "2026-03-31T21:30:00.000Z",
		"2026-03-31T21:30:00.1239Z":        "2026-03-31T21:30:00.123Z",
		"2026-04-01T00:30:00+03:00":        "2026-03-31T21:30:00.000Z",
		"0001-01-01T00:00:00Z":             "0001-01-01T00:00:00.000Z",
		"9999-12-31T23:59:59.999999999Z":   "9999-12-31T23:59:59.999Z",
		"9999-12-31T23:59:59-01:00":        "", // in UTC the year 10000
		"0001-01-01T00:00:00+01:00":        "",
		"2026-02-29T00:00:00Z":             "",
		"2026-03-31":                       "",
		"2026-03-31 21:30:00Z":             "",
		"2026-03-31T21:30:00":              "",
		"1774992600":                       "",
		"":                                 "",
		"2026-03-31T21:30:00Z and further": "",
	} {
		var i Instant
		err := i.UnmarshalText([]byte(text))
		if (err == nil) != (want != "") || err == nil && i.String() != want {
			t.Errorf("%q is read as %s, %v; want %q", text, i, err, want)
		}
	}
}

func TestInstantsSurviveJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was := struct{ At Instant }{Instant(rapid.Int64Range(-62135596800000, 253402300799999).Draw(t, "ms"))}
		text, err := json.Marshal(was)
		if err != nil {
			t.Fatal(err)
		}
		is := was
		if err := json.Unmarshal(text, &is); err != nil || is != was || At(was.At.Time()) != was.At {
			t.Fatalf("%s became %v, %v", text, is, err)
		}
	})
}

func TestDates(t *testing.T) {
	for text, ok := range map[string]bool{
		"2026-09-15": true, "2024-02-29": true, "1900-01-01": true, "2999-12-31": true,
		"2026-02-29": false, "2026-13-01": false, "1899-12-31": false, "3000-01-01": false, "2026-9-15": false, "15.09.2026": false,
		"2026-09-15T00:00:00Z": false, "": false, "20260915": false, "2026-09-15 ": false,
	} {
		d, err := ParseDate(text)
		if (err == nil) != ok || ok && string(d) != text {
			t.Errorf("%q is read as %q, %v", text, d, err)
		}
	}
	d := Date("2026-12-31")
	if d.Year() != 2026 || d.AddDays(1) != "2027-01-01" || d.AddDays(-365) != "2025-12-31" || d.AddDays(0) != d {
		t.Error("days are counted wrongly")
	}
	istanbul, err := time.LoadLocation("Europe/Istanbul")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 12, 31, 21, 0, 0, 0, time.UTC)
	if DateOf(at) != "2026-12-31" || DateOf(at.In(istanbul)) != "2027-01-01" {
		t.Error("a day is that of the time's own zone")
	}
}

// Dates compare as the texts they are.
func TestDatesCompareAsTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		day := rapid.IntRange(0, 300_000)
		a, b := Date("1990-01-01").AddDays(day.Draw(t, "a")), Date("1990-01-01").AddDays(day.Draw(t, "b"))
		if (a < b) != a.time().Before(b.time()) {
			t.Fatalf("%s and %s", a, b)
		}
	})
}

func FuzzInstant(f *testing.F) {
	for _, s := range []string{"2026-03-31T21:30:00Z", "2026-03-31T21:30:00.5+03:00", "0000-00-00T00:00:00Z", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var i, again Instant
		if i.UnmarshalText([]byte(s)) != nil {
			return
		}
		if err := again.UnmarshalText([]byte(i.String())); err != nil || again != i {
			t.Errorf("%q becomes %s and then %s, %v", s, i, again, err)
		}
	})
}

func FuzzDate(f *testing.F) {
	for _, s := range []string{"2026-09-15", "2024-02-29", "0000-00-00", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, err := ParseDate(s); err == nil && (string(d) != s || d.AddDays(1).AddDays(-1) != d) {
			t.Errorf("%q is read as %q", s, d)
		}
	})
}

// Whatever is computed of dates can be read again.
func TestDatesStayWithinBounds(t *testing.T) {
	istanbul := time.FixedZone("", 3*3600)
	for _, d := range []Date{
		DateOf(time.Date(2999, 12, 31, 23, 0, 0, 0, time.UTC).In(istanbul)), DateOf(time.Date(9999, 12, 31, 23, 0, 0, 0, time.UTC).In(istanbul)),
		DateOf(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)), Date("2999-12-31").AddDays(3650), Date("1900-01-01").AddDays(-1), Date("2999-12-30").AddDays(1),
	} {
		if got, err := ParseDate(string(d)); err != nil || got != lastDate && got != firstDate {
			t.Errorf("%q: %v", d, err)
		}
	}
}
