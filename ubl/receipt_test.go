package ubl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"esnaf/store/money"
	"esnaf/store/trade"
	"esnaf/ubl/kittest"
)

func writeAnswer(t testing.TB, a *trade.ReceiptAnswer) []byte {
	t.Helper()
	doc, err := Receipt(nil, a)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestParseReceipt reads back what was written.
func TestParseReceipt(t *testing.T) {
	for _, name := range recordNames(t, answerFolder) {
		want := receipt(t, name)
		want.Seller.Alias, want.Buyer.Alias = "", "" // they stand on the envelope
		if len(want.Notes) == 0 {
			want.Notes = nil
		}
		got, err := ParseReceipt(writeAnswer(t, want))
		if diff := cmp.Diff(*want, got); diff != "" || err != nil {
			t.Errorf("%s (%v, -want +got):\n%s", name, err, diff)
		}
	}
}

// TestParseReceiptSamples reads the answers of the tax office's own package.
func TestParseReceiptSamples(t *testing.T) {
	for _, c := range []struct {
		file                            string
		received, rejected, short, more money.Quantity // of the first line
	}{
		{"IrsaliyeYaniti-Ornek1.xml", 20_000_000, 0, 0, 0},
		{"IrsaliyeYaniti-Ornek2.xml", 20_000_000, 0, 0, 0},
		{"IrsaliyeYaniti-Ornek3.xml", 20_000_000, 2_000_000, 0, 0},
		{"IrsaliyeYaniti-Ornek4.xml", 18_000_000, 0, 2_000_000, 0},
	} {
		doc, err := os.ReadFile(filepath.Join(kittest.Folder(t), "data/samples/gib-ubltr-1.2.1", c.file))
		if err != nil {
			t.Fatal(err)
		}
		a, err := ParseReceipt(doc)
		if err != nil || len(a.Lines) == 0 {
			t.Errorf("%s: %d lines, %v", c.file, len(a.Lines), err)
			continue
		}
		got, want := a.Lines[0], trade.ReceiptLine{
			Line: 1, Unit: "C62", Received: c.received, Rejected: c.rejected, Short: c.short, Oversupply: c.more,
			Name: a.Lines[0].Name, RejectReason: a.Lines[0].RejectReason, TimingComplaint: a.Lines[0].TimingComplaint,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.file, diff)
		}
		if a.DespatchETTN == "" || a.DespatchNumber == "" || a.Buyer.TaxNumber != "9205121120" || a.DeliveryDate == "" {
			t.Errorf("%s: %+v", c.file, a)
		}
	}
}

// TestParseReceiptRefuses tells why a document is no answer that can be used.
func TestParseReceiptRefuses(t *testing.T) {
	for _, c := range []struct{ name, base, old, new, want string }{
		{"an invoice", "sale", "", "", "no ReceiptAdvice"},
		{"a DOCTYPE", "answer", "<ReceiptAdvice ", "<!DOCTYPE x><ReceiptAdvice ", "DOCTYPE"},
		{"no lines", "answer", "<cac:ReceiptLine>...</ReceiptAdvice>", "</ReceiptAdvice>", "cac:ReceiptLine"},
		{"no quantity", "answer", `<cbc:ReceivedQuantity unitCode="BX">12</cbc:ReceivedQuantity>`, "", "how much came"},
		{"a quantity too fine", "answer", `"BX">12<`, `"BX">12.0000001<`, "ReceivedQuantity"},
		{"a line that is no number", "answer", "<cac:DespatchLineReference><cbc:LineID>1<", "<cac:DespatchLineReference><cbc:LineID>a<", `"a" is not the number`},
	} {
		m := mutant{base: c.base, old: c.old, new: c.new}
		if _, err := ParseReceipt([]byte(m.apply(t, bases(t)))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestParseReceiptReferences finds the note where other programs put it.
func TestParseReceiptReferences(t *testing.T) {
	for _, c := range []struct{ name, old, new, ettn, number string }{
		{"by both", "", "", "3f0c1b1e-7a54-4c3b-9a77-0d6f0f2f6a02", "IRS2026000000002"},
		{"by UUID alone", "<cac:AdditionalDocumentReference>...</cac:AdditionalDocumentReference>", "", "3f0c1b1e-7a54-4c3b-9a77-0d6f0f2f6a02", ""},
		{"by number alone", "<cbc:ID>3f0c1b1e-7a54-4c3b-9a77-0d6f0f2f6a02<", "<cbc:ID>IRS2026000000007<", "", "IRS2026000000007"},
	} {
		m := mutant{base: "answer", old: c.old, new: c.new}
		a, err := ParseReceipt([]byte(m.apply(t, bases(t))))
		if err != nil || a.DespatchETTN != c.ettn || a.DespatchNumber != c.number {
			t.Errorf("%s: %q, %q, %v", c.name, a.DespatchETTN, a.DespatchNumber, err)
		}
	}
}

// TestReceiptRefuses names every field that keeps an answer from being written.
func TestReceiptRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*trade.ReceiptAnswer)
		fields []string
	}{
		{"nothing", func(a *trade.ReceiptAnswer) { a.Lines = nil }, []string{"lines"}},
		{"no unit", func(a *trade.ReceiptAnswer) { a.Lines[1].Unit = "" }, []string{"lines[1].unit"}},
		{"no note", func(a *trade.ReceiptAnswer) { a.DespatchETTN, a.DespatchNumber = "", "" }, []string{"despatchEttn.number", "despatch.number"}},
		{"no day", func(a *trade.ReceiptAnswer) { a.DeliveryDate = "" }, []string{"deliveryDate"}},
		{"no words", func(a *trade.ReceiptAnswer) { a.Notes = []string{"\x00"} }, []string{"notes"}},
	} {
		a := receipt(t, "irsaliyeyaniti/partly")
		c.change(a)
		doc, err := Receipt([]byte("before"), a)
		if diff := cmp.Diff(c.fields, faulty(t, doc, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// FuzzParseReceipt reads anything and never falls; what it takes names a line and a
// note for everything it says.
func FuzzParseReceipt(f *testing.F) {
	for _, name := range recordNames(f, answerFolder) {
		f.Add([]byte(golden(f, name)))
	}
	for _, doc := range []string{"", "<a/>", `<ReceiptAdvice xmlns="` + nsReceipt + `"/>`, golden(f, "temelirsaliye/driver")} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		a, err := ParseReceipt(doc)
		if err != nil {
			if len(a.Lines) > 0 || a.Number != "" {
				t.Errorf("half an answer: %+v", a)
			}
			return
		}
		if len(a.Lines) == 0 {
			t.Error("an answer of nothing")
		}
	})
}
