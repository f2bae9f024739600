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

// document makes one of our documents, appending it to dst.
type document func(dst []byte) ([]byte, error)

// documents are those of every record of testdata, by their folder and name.
func documents(t testing.TB) map[string]document {
	t.Helper()
	all := map[string]document{}
	for name, v := range records(t) {
		all[name] = func(dst []byte) ([]byte, error) { return Invoice(dst, v) }
	}
	for _, name := range recordNames(t, noteFolder) {
		all[name] = func(dst []byte) ([]byte, error) { return Despatch(dst, shipment(t, name)) }
	}
	for _, name := range recordNames(t, answerFolder) {
		all[name] = func(dst []byte) ([]byte, error) { return Receipt(dst, receipt(t, name)) }
	}
	return all
}

// The folders of what is no invoice.
const (
	noteFolder   = "temelirsaliye"
	answerFolder = "irsaliyeyaniti"
)

// TestGolden writes each record of testdata/ubl/*/in and compares the document
// with the one in out, byte for byte: a document must not change by accident.
func TestGolden(t *testing.T) {
	for name, write := range documents(t) {
		t.Run(name, func(t *testing.T) {
			got, err := write(nil)
			if err != nil {
				t.Fatal(err)
			}
			want := asKept(t, outFile(name), got)
			for _, f := range Check(got) {
				t.Errorf("%s at %s: %s", f.Rule, f.Path, f.Message)
			}
			if again, err := write(nil); err != nil || !bytes.Equal(got, again) {
				t.Errorf("the same record made another document the second time (%v)", err)
			}
			if got, err := write([]byte("before")); err != nil || string(got) != "before"+string(want) {
				t.Errorf("it does not append to what is there (%v)", err)
			}
		})
	}
}

// asKept compares got with what file holds, and returns that.
func asKept(t *testing.T, file string, got []byte) []byte {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("not as in %s (-want +got; if it is meant, go test ./ubl -update):\n%s", file, diff)
	}
	return want
}

// TestGoldenComplete finds documents whose record is gone.
func TestGoldenComplete(t *testing.T) {
	files, err := filepath.Glob(testdata + "/*/out/*.xml")
	if all := documents(t); err != nil || len(files) != len(all) {
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

// records reads every invoice of testdata.
func records(t testing.TB) map[string]*trade.Invoice {
	t.Helper()
	all := map[string]*trade.Invoice{}
	for _, name := range recordNames(t, "*") {
		if folder := filepath.Dir(name); folder != noteFolder && folder != answerFolder {
			all[name] = record(t, name)
		}
	}
	return all
}

// recordNames lists the records of a folder, as in temelfatura/vat-27.
func recordNames(t testing.TB, folder string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testdata, folder, "in/*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no records under %s (%v)", testdata, err)
	}
	for _, file := range files {
		names = append(names, filepath.Base(filepath.Dir(filepath.Dir(file)))+"/"+strings.TrimSuffix(filepath.Base(file), ".json"))
	}
	return names
}

// decode reads a record of testdata.
func decode(t testing.TB, name string, into any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(testdata, filepath.Dir(name), "in", filepath.Base(name)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// record reads an invoice of testdata, summed and found fit to be sent.
func record(t testing.TB, name string) *trade.Invoice {
	t.Helper()
	v := new(trade.Invoice)
	decode(t, name, v)
	if err := finish(v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// shipment reads a shipment of testdata, found fit for its despatch note.
func shipment(t testing.TB, name string) *trade.Shipment {
	t.Helper()
	s := new(trade.Shipment)
	decode(t, name, s)
	var f trade.Check
	if s.CheckNote(&f, false); f.Err() != nil {
		t.Fatalf("%s: %v", name, f.Err())
	}
	return s
}

// receipt reads a buyer's answer of testdata.
func receipt(t testing.TB, name string) *trade.ReceiptAnswer {
	t.Helper()
	a := new(trade.ReceiptAnswer)
	decode(t, name, a)
	return a
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
