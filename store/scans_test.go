package store_test

import (
	"fmt"
	"os"

	"esnaf/store"
)

// scanned prints the statements of writers that look through more than they must, and is 1
// when there are any.
func scanned() int {
	dir, err := os.MkdirTemp("", "esnaf")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	db, err := reopen(dir)
	if err != nil {
		panic(err)
	}
	defer db.Close()
	all, err := store.Scans(db)
	if err != nil {
		panic(err)
	}
	for _, s := range all {
		fmt.Println("a change looks through more than it finds:", s)
	}
	return min(len(all), 1)
}
