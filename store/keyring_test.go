package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"esnaf/store"
)

// A database whose keys are gone is not opened: new keys would bury what the old
// ones sealed.
func TestADatabaseWithoutItsKeysIsNotOpened(t *testing.T) {
	b := open(t)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	keys := filepath.Join(b.Dir(), "keys.json")
	if err := os.Remove(keys); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(store.Options{Dir: b.Dir(), Clock: b.clock, IDs: b.IDs()})
	if err == nil {
		db.Close()
		t.Fatal("opened")
	}
	if !strings.Contains(err.Error(), "keys.json is missing") {
		t.Error(err)
	}
	if _, err := os.Stat(keys); err == nil {
		t.Error("new keys were made")
	}
}
