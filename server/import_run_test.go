package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"esnaf/server/sheet"
	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// An import that is stopped half-way tells exactly what it has written.
func TestAnImportThatIsStopped(t *testing.T) {
	dir := t.TempDir()
	begin := func() *store.DB {
		db, err := store.Open(store.Options{Dir: dir, Clock: clock.NewManual(time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)), IDs: clock.RandomIDs(), NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
	db, tenant := begin(), ""
	err := db.Write(t.Context(), operator(""), func(tx *store.Tx) error {
		made, err := tx.CreateTenant(trade.Tenant{Name: "A", TaxNumber: "1234567890"})
		tenant = made.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var file strings.Builder
	file.WriteString("code,name\n")
	for i := range 3 * together {
		fmt.Fprintf(&file, "A%d,Firma %d\n", i, i)
	}
	table, err := sheet.Read(strings.NewReader(file.String()), int64(file.Len()), "", importLimits)
	if err != nil {
		t.Fatal(err)
	}
	m := fileImport{db: db, who: operator(tenant), resource: "companies", tell: func(int64, int64) {}, once: func(row int) store.Once {
		if row == 2*together { // two parts are written
			db.Close()
		}
		return store.Once{}
	}}
	err = m.run(t.Context(), table)
	var e *trade.Error
	if !errors.As(err, &e) || e.Code != trade.ImportStopped || e.Kind != trade.Unavailable || e.Extra["row"] != 2*together+2 || e.Extra["created"] != 2*together {
		t.Fatalf("%v %+v", err, e)
	}
	db, written := begin(), 0
	err = db.Read(context.Background(), operator(tenant), func(v *store.View) error {
		for i := range 3 * together {
			id, _, err := store.Companies.ByCode(v, fmt.Sprintf("A%d", i))
			if err != nil {
				return err
			}
			if id != "" {
				written++
			}
		}
		return nil
	})
	if err != nil || written != 2*together {
		t.Errorf("%d are written: %v", written, err)
	}
}
