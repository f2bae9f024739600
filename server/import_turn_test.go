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

// One import at a time: others wait for a while, and are told when that is over.
func TestImportsWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := make(chan struct{}, 1)
		if err := turn(t.Context(), busy); err != nil {
			t.Fatalf("the first: %v", err)
		}
		time.AfterFunc(2*time.Second, func() { <-busy })
		if err := turn(t.Context(), busy); err != nil {
			t.Errorf("the second, after the first: %v", err)
		}
		began := time.Now()
		var e *trade.Error
		if err := turn(t.Context(), busy); !errors.As(err, &e) || e.Code != trade.ImportBusy || e.Kind != trade.Unavailable || e.Wait != patience || time.Since(began) != patience*time.Second {
			t.Errorf("the third: %v after %v", err, time.Since(began))
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if err := turn(gone, busy); !errors.Is(err, context.Canceled) {
			t.Errorf("one whose client has left: %v", err)
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
