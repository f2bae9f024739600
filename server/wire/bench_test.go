package wire

import (
	"testing"

	"esnaf/store/trade"
)

// BenchmarkDecode reads a body and prints it, as a POST with a key does.
func BenchmarkDecode(b *testing.B) {
	company := []byte(`{"id":"","code":"N000000012","name":"Yıldız Güneş İnşaat San. ve Tic. Ltd. Şti.","type":"CUSTOMER","taxNumber":"1234567890","taxOffice":"Kadıköy","phone":"+90 212 1234567","email":"muhasebe@ornek.com.tr","city":"İstanbul"}`)
	b.Run("company", func(b *testing.B) { decodeLoop[trade.Company](b, company) })
	b.Run("invoice of 10 lines", func(b *testing.B) { decodeLoop[trade.Invoice](b, invoiceBody(10)) })
	b.Run("invoice of 10 lines with a null", func(b *testing.B) {
		body := invoiceBody(10)
		decodeLoop[trade.Invoice](b, append(body[:len(body)-1:len(body)-1], `,"dueDate":null}`...))
	})
}

func decodeLoop[T any](b *testing.B, body []byte) {
	s := Of[T]().shape()
	var scratch []byte
	b.ReportAllocs()
	for b.Loop() {
		var v T
		normal, faults, err := decode(body, s, &v, everyTenant)
		if err != nil || faults != nil {
			b.Fatal(faults, err)
		}
		_, scratch = fingerprint(normal, scratch)
	}
}

func BenchmarkScan(b *testing.B) {
	body := invoiceBody(10)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := scan(body); err != nil {
			b.Fatal(err)
		}
	}
}
