package ubl

import (
	"testing"

	"esnaf/store/trade"
)

// ten is an invoice of ten lines.
func ten(t testing.TB) *trade.Invoice {
	v := record(t, "ticarifatura/lines-200")
	v.Lines = v.Lines[:10]
	if err := finish(v); err != nil {
		t.Fatal(err)
	}
	return v
}

// BenchmarkInvoice is the price of an invoice of ten lines; the house limit is
// 10 us. BenchmarkReference is the same by encoding/xml, for the machine at hand.
func BenchmarkInvoice(b *testing.B) {
	v := ten(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Invoice(nil, v); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkInvoiceReused writes into a buffer that is kept.
func BenchmarkInvoiceReused(b *testing.B) {
	v := ten(b)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if buf, err = Invoice(buf[:0], v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReference(b *testing.B) {
	v := ten(b)
	b.ReportAllocs()
	for b.Loop() {
		reference(b, v)
	}
}

func BenchmarkCheck(b *testing.B) {
	doc := write(b, ten(b))
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if found := Check(doc); len(found) > 0 {
			b.Fatal(found)
		}
	}
}
