package store_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// Many writers at once: those that fail take nothing of the others with them.
func TestGroupCommitKeepsTheGoodAndDropsTheBad(t *testing.T) {
	b := open(t)
	boom := errors.New("boom")
	var wg sync.WaitGroup
	for i := range 300 {
		wg.Go(func() {
			err := b.Write(context.Background(), b.who, func(tx *store.Tx) error {
				if _, err := tx.CreateCompany(named(i)); err != nil {
					return err
				}
				switch i % 10 {
				case 0:
					return boom
				case 1:
					panic("a bug in one change")
				case 2:
					tx.Check().Add("name", trade.TooLong, 1) // forgotten by the operation
				}
				return nil
			})
			if (err != nil) != (i%10 <= 2) {
				t.Errorf("writer %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	got, _ := list[trade.Company](b, b.who, &store.Companies.List, trade.Query{})
	more, _ := list[trade.Company](b, b.who, &store.Companies.List, trade.Query{After: []string{got[len(got)-1].ID}})
	if n := len(got) + len(more); n != 210 {
		t.Errorf("kept %d companies, want 210", n)
	}
}

func TestAClientThatLeavesDoesNotCutItsChangeShort(t *testing.T) {
	b := open(t)
	ctx, leave := context.WithCancel(context.Background())
	err := b.Write(ctx, b.who, func(tx *store.Tx) error {
		leave()
		_, err := tx.CreateCompany(named(1))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := list[trade.Company](b, b.who, &store.Companies.List, trade.Query{}); len(got) != 1 {
		t.Errorf("%d companies, want 1", len(got))
	}
}

func TestASecondServerOnTheFolderIsRefused(t *testing.T) {
	b := open(t)
	_, err := store.Open(store.Options{Dir: b.Dir(), Clock: b.clock, IDs: b.IDs()})
	if !errors.Is(err, store.ErrBusy) || !strings.Contains(err.Error(), b.Dir()) {
		t.Errorf("opened twice: %v", err)
	}
}

func TestWhatWasAnsweredIsThereAfterReopening(t *testing.T) {
	b := open(t)
	c := b.company(b.who, named(1))
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open(store.Options{Dir: b.Dir(), Clock: b.clock, IDs: b.IDs()})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	err = again.Read(context.Background(), b.who, func(v *store.View) error {
		got, err := store.Companies.Get(v, c.ID)
		if err == nil && got.Name != c.Name {
			t.Errorf("read %q, wrote %q", got.Name, c.Name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
