package ubl

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"esnaf/store/trade"
)

var update = flag.Bool("update", false, "write testdata/ubl/*/out anew")

const testdata = "../testdata/ubl"

// TestGolden writes each record of testdata/ubl/*/in and compares the document
// with the one in out, byte for byte: a document must not change by accident.
func TestGolden(t *testing.T) {
	for name, v := range records(t) {
		t.Run(name, func(t *testing.T) {
			got := write(t, v)
			if *update {
				if err := os.WriteFile(outFile(name), got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(outFile(name))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("not as in %s (-want +got; if it is meant, go test ./ubl -update):\n%s", outFile(name), diff)
			}
			for _, f := range Check(got) {
				t.Errorf("%s at %s: %s", f.Rule, f.Path, f.Message)
			}
			if again := write(t, v); !bytes.Equal(got, again) {
				t.Error("the same record made another document the second time")
			}
			if got, err := Invoice([]byte("before"), v); err != nil || string(got) != "before"+string(want) {
				t.Errorf("it does not append to what is there (%v)", err)
			}
		})
	}
}

// TestGoldenComplete finds documents whose record is gone.
func TestGoldenComplete(t *testing.T) {
	files, err := filepath.Glob(testdata + "/*/out/*")
	if all := records(t); err != nil || len(files) != len(all) {
		t.Errorf("%d documents of %d records (%v): %q", len(files), len(all), err, files)
	}
}

// TestReference writes the same records by encoding/xml: two writers that share no
// line must make the same tree.
func TestReference(t *testing.T) {
	for name, v := range records(t) {
		if diff := cmp.Diff(outline(t, reference(t, v)), outline(t, write(t, v))); diff != "" {
			t.Errorf("%s (-encoding/xml +ours):\n%s", name, diff)
		}
	}
}

// records reads every record of testdata.
func records(t testing.TB) map[string]*trade.Invoice {
	t.Helper()
	files, err := filepath.Glob(testdata + "/*/in/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no records under %s (%v)", testdata, err)
	}
	all := map[string]*trade.Invoice{}
	for _, file := range files {
		profile := filepath.Base(filepath.Dir(filepath.Dir(file)))
		name := profile + "/" + strings.TrimSuffix(filepath.Base(file), ".json")
		all[name] = record(t, name)
	}
	return all
}

// record reads a record of testdata, summed and found fit to be sent.
func record(t testing.TB, name string) *trade.Invoice {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(testdata, filepath.Dir(name), "in", filepath.Base(name)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	v := new(trade.Invoice)
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := finish(v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// finish sums v and judges it as sending does.
func finish(v *trade.Invoice) error {
	var f trade.Check
	v.Check(&f, nil)
	v.Sum(&f)
	v.CheckSend(&f)
	return f.Err()
}

func outFile(name string) string {
	return filepath.Join(testdata, filepath.Dir(name), "out", filepath.Base(name)+".xml")
}

// golden is the document out/NAME.xml of a profile.
func golden(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(outFile(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t testing.TB, v *trade.Invoice) []byte {
	t.Helper()
	doc, err := Invoice(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// outline is a document as lines of path, attributes and text.
func outline(t testing.TB, doc []byte) string {
	t.Helper()
	root, err := parse(doc)
	if err != nil {
		t.Fatalf("%v\n%s", err, doc)
	}
	var out strings.Builder
	root.each(func(n *node) {
		out.WriteString(n.path())
		for _, a := range n.attrs {
			if a.Name.Local != "xmlns" && a.Name.Space != "xmlns" {
				out.WriteString(" " + a.Name.Local + "=" + a.Value)
			}
		}
		if len(n.kids) == 0 {
			out.WriteString(" " + n.value())
		}
		out.WriteByte('\n')
	})
	return out.String()
}
