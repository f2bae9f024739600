package standin_test

import (
	"testing"

	"esnaf/server/standin"
)

// BenchmarkSeed is what `serve --demo` adds to its start: at most 300 ms, the two
// password hashes among them.
func BenchmarkSeed(b *testing.B) {
	for range b.N {
		b.StopTimer()
		db := open(b, noon, 1)
		b.StartTimer()
		if _, err := standin.Seed(b.Context(), db, nil, ""); err != nil {
			b.Fatal(err)
		}
	}
}
