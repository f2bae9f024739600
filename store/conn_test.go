package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// What is given to a statement comes back as it was, in the type it is asked for.
func TestValuesComeBack(t *testing.T) {
	d := openDesk(t)
	large := strings.Repeat("ığ\x00ç", 10_000)
	for _, test := range []struct{ in, want any }{
		{"", ""},
		{large, large},
		{large, []byte(large)},
		{trade.Date("2026-09-15"), trade.Date("2026-09-15")},
		{[]byte(large), []byte(large)},
		{[]byte{}, []byte{}},
		{json.RawMessage("{}"), []byte("{}")},
		{-1, -1},
		{int64(1) << 62, int64(1) << 62},
		{money.Amount(1250), money.Amount(1250)},
		{true, true},
		{false, false},
		{1, true},
		{new(money.Rate(5)), new(int64(5))},
		{(*money.Rate)(nil), (*int64)(nil)},
		{nil, (*int64)(nil)},
		{[]byte(nil), (*int64)(nil)},
		{nil, []byte(nil)},
	} {
		got := reflect.New(reflect.TypeOf(test.want))
		err := d.Read(context.Background(), d.who, func(v *View) error { return v.row("SELECT ?", test.in).Scan(got.Interface()) })
		if err != nil || !reflect.DeepEqual(got.Elem().Interface(), test.want) {
			t.Errorf("%T %.20v comes back as %.20v, %v", test.in, test.in, got.Elem(), err)
		}
	}
}

// What does not fit is an error, and nothing of an earlier question is in a later one.
func TestQuestionsThatDoNotFit(t *testing.T) {
	d := openDesk(t)
	var s string
	var n int
	for says, ask := range map[string]func(v *View) error{
		"0 arguments for the 1 of":   func(v *View) error { return v.row("SELECT ?").Scan(&s) },
		"2 arguments for the 1 of":   func(v *View) error { return v.row("SELECT ?", 1, 2).Scan(&s) },
		"time.Time is nothing that":  func(v *View) error { return v.row("SELECT ?", time.Time{}).Scan(&s) },
		"does not fit into int":      func(v *View) error { return v.row("SELECT ?", "a").Scan(&n) },
		"does not fit into int8":     func(v *View) error { return v.row("SELECT 1000").Scan(new(int8)) },
		"does not fit into string":   func(v *View) error { return v.row("SELECT NULL").Scan(&s) },
		"1 columns, 2 are asked for": func(v *View) error { return v.row("SELECT 1").Scan(&n, &n) },
		"no rows":                    func(v *View) error { return v.row("SELECT 1 WHERE 0").Scan(&n) },
		"nonsense":                   func(v *View) error { return v.row("SELECT nonsense").Scan(&n) },
		"trailing bytes":             func(v *View) error { _, err := v.exec("SELECT 1; SELECT 2"); return err },
		"are being read": func(v *View) error {
			rows, err := v.query("SELECT 1 UNION ALL SELECT 2")
			if err != nil || !rows.Next() {
				return fmt.Errorf("not read: %w", err)
			}
			return v.row("SELECT 1 UNION ALL SELECT 2").Scan(&n)
		},
	} {
		err := d.Read(context.Background(), d.who, func(v *View) error {
			if err := v.row("SELECT ?", "earlier").Scan(&s); err != nil {
				return err
			}
			return ask(v)
		})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want %s, got %v", says, err)
		}
	}
}

// A survey ends with its caller, in the middle of a question.
func TestASurveyEnds(t *testing.T) {
	d := openDesk(t)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err := d.survey(ctx, d.who, func(v *View) error {
		_, err := v.any("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 1 FROM n WHERE i < 0")
		return err
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if err := d.add("afterwards"); err != nil || d.count() != 1 {
		t.Errorf("afterwards %v", err)
	}
}

// An interrupt that comes just before SQLite begins with a question is not lost.
func TestAnInterruptBeforeAQuestion(t *testing.T) {
	d := openDesk(t)
	err := d.Read(context.Background(), d.who, func(v *View) error {
		done := make(chan struct{}) // never closed: only SQLite itself hears of it
		v.endsBy(done)
		defer v.endsBy(nil)
		done <- struct{}{}
		time.Sleep(50 * time.Millisecond)
		_, err := v.any("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000) SELECT 1 FROM n WHERE i < 0")
		return err
	})
	if codeOf(err) != 9 {
		t.Errorf("got %v", err)
	}
}

// While another program holds the file, all who wait hear so after one try: none waits for
// the tries of those before it.
func TestWhoWaitsForTheFileWaitsOnce(t *testing.T) {
	d := openDesk(t)
	try := 100 * time.Millisecond
	d.Write(context.Background(), Who{}, func(tx *Tx) error { tx.c.SetBusyTimeout(try); return nil })
	other, err := newConn(filepath.Join(d.Dir(), dbFile), "")
	if err != nil {
		t.Fatal(err)
	}
	defer other.close()
	if _, err := other.exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	const writers = 50
	begun := time.Now()
	for i := range writers {
		all.Go(func() {
			if err := d.add(fmt.Sprint(i)); trade.KindOf(err) != trade.Unavailable {
				t.Errorf("got %v", err)
			}
		})
	}
	all.Wait()
	if took := time.Since(begun); took > writers*try/2 {
		t.Errorf("%d writers heard after %v, each try is %v", writers, took, try)
	}
	if _, err := other.exec("ROLLBACK"); err != nil || d.add("afterwards") != nil {
		t.Errorf("afterwards: %v", err)
	}
}
