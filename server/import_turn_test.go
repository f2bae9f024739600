package server

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"esnaf/server/sheet"
	"esnaf/store/trade"
)

// An account sends one file at a time, a few accounts send at once, and one file at a
// time is imported: others wait for a while, and are told when that is over.
func TestImportsWaitForEachOther(t *testing.T) {
	busy := func(err error) bool {
		var e *trade.Error
		return errors.As(err, &e) && e.Code == trade.ImportBusy && e.Kind == trade.Unavailable && e.Wait == patience
	}
	synctest.Test(t, func(t *testing.T) {
		turns := newImportTurns()
		enter := func(account string) func() {
			leave, err := turns.enter(t.Context(), account)
			if err != nil {
				t.Fatalf("%s: %v", account, err)
			}
			return leave
		}
		leave := []func(){enter("1"), enter("2"), enter("3")}
		began := time.Now()
		if _, err := turns.enter(t.Context(), "1"); !busy(err) || time.Since(began) != patience*time.Second {
			t.Errorf("the first account's second file: %v after %v", err, time.Since(began))
		}
		leave = append(leave, enter("4"))
		if _, err := turns.enter(t.Context(), "5"); !busy(err) {
			t.Errorf("one account too many: %v", err)
		}
		time.AfterFunc(2*time.Second, leave[0])
		leave[0] = enter("5")
		end, err := turns.begin(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := turns.begin(t.Context(), 1); !busy(err) {
			t.Errorf("imported beside another: %v", err)
		}
		gone, left := context.WithCancel(t.Context())
		left()
		if _, err := turns.begin(gone, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("one whose client has left: %v", err)
		}
		end()
		for _, l := range leave {
			l()
		}
		if len(turns.accounts)+len(turns.files)+len(turns.work) != 0 {
			t.Errorf("turns are left: %+v", turns)
		}
	})
}

// An upload that does not come on loses its turn once somebody waits for it: its own
// account's next file, or any account where no place is left. One that comes on keeps it.
func TestUploadsThatStandStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bringing{t: t, turns: newImportTurns(), began: time.Now(), cut: map[string]time.Duration{}}
		b.send("still", time.Hour, 10)
		b.send("dripping", time.Second, 10)
		ends := []func(){b.send("slow", 2*time.Second, comesOn), b.send("fast", time.Second, 1<<20)}
		time.Sleep(20 * time.Second)
		if len(b.cut) > 0 {
			t.Errorf("lost, while nobody waited: %v", b.cut)
		}
		ends = append(ends, b.send("still", time.Second, comesOn))
		if len(b.cut) != 1 || b.cut["still"] != 21*time.Second {
			t.Errorf("for the account's own next file: %v", b.cut)
		}
		ends = append(ends, b.send("fifth", time.Second, comesOn))
		if len(b.cut) != 2 || b.cut["dripping"] != 22*time.Second {
			t.Errorf("for want of a place: %v", b.cut)
		}
		if _, err := b.turns.enter(t.Context(), "sixth"); err == nil || len(b.cut) != 2 {
			t.Errorf("all come on: %v, %v", err, b.cut)
		}
		for _, end := range ends {
			end()
		}
		time.Sleep(time.Hour) // by then everybody has left
		synctest.Wait()
		if len(b.turns.accounts)+len(b.turns.files) != 0 {
			t.Errorf("turns are left: %+v", b.turns)
		}
	})
}

// bringing is accounts that send files, and when each lost its turn.
type bringing struct {
	t     *testing.T
	turns *importTurns
	began time.Time
	cut   map[string]time.Duration
}

// send has an account send a part of a file every so often, until end.
func (b *bringing) send(account string, every time.Duration, part int) (end func()) {
	b.t.Helper()
	leave, err := b.turns.enter(b.t.Context(), account)
	if err != nil {
		b.t.Fatalf("%s: %v", account, err)
	}
	body, file := io.Pipe()
	coming := b.turns.receive(account, body, func() {
		b.cut[account] = time.Since(b.began)
		file.CloseWithError(os.ErrDeadlineExceeded)
	})
	go func() {
		for err := error(nil); err == nil; _, err = file.Write(make([]byte, part)) {
			time.Sleep(every)
		}
	}()
	go func() {
		_, err := io.Copy(io.Discard, coming)
		var lost *trade.Error
		if was := errors.As(coming.end(), &lost); was != errors.Is(err, os.ErrDeadlineExceeded) || was && (lost.Code != trade.ImportStalled || lost.Wait != patience) {
			b.t.Errorf("%s: %v after %v", account, lost, err)
		}
		leave()
	}()
	return func() { file.Close() }
}

// A file full of faults tells the first of them and counts the rest.
func TestFaultsAreBounded(t *testing.T) {
	file := "name\nx\ny\n"
	table, err := sheet.Read(strings.NewReader(file), int64(len(file)), "", importLimits)
	if err != nil {
		t.Fatal(err)
	}
	m := fileImport{bad: map[int]bool{}, head: head{table: table}}
	var f trade.Check
	for i := range maxFaults + 7 {
		f.Add(columnName(i), trade.Required)
	}
	if !m.note(1, f.Err()) || len(m.faults) != maxFaults || m.more != 7 || m.report(trade.English).MoreFaults != 7 {
		t.Errorf("%d faults are kept, %d counted", len(m.faults), m.more)
	}
}
