package server

import (
	"context"
	"errors"
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

// A file full of faults tells the first of them and counts the rest.
func TestFaultsAreBounded(t *testing.T) {
	file := "name\nx\ny\n"
	table, err := sheet.Read(strings.NewReader(file), int64(len(file)), importLimits)
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
