package trade

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// readVectors reads a table of facts into to; a field that to does not have, or
// an empty table, is an error of the test.
func readVectors[T any](t *testing.T, name string) T {
	t.Helper()
	b, err := os.ReadFile("../../testdata/vectors/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var to T
	if err := d.Decode(&to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return to
}
