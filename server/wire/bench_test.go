package wire

import (
	"errors"
	"io"
	"strconv"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

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

// benchRows is how many rows the workbooks of the benchmarks have.
const benchRows = 10_000

// BenchmarkWorkbook writes a workbook; BenchmarkWorkbookExcelize is the yardstick.
func BenchmarkWorkbook(b *testing.B) {
	doc := []byte(`{"text":"Yıldız Güneş İnşaat","amount":"1234.50","rate":"20","count":5,"flag":true,"day":"2026-09-15","at":"2026-09-15T21:30:15.000Z"}`)
	b.ReportAllocs()
	for b.Loop() {
		book := newBook(io.Discard, "samples")
		t, err := newTable(book, Of[sample]())
		for range benchRows {
			err = errors.Join(err, t.add(doc))
		}
		if err = errors.Join(err, book.close()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWorkbookExcelize(b *testing.B) {
	at := time.Date(2026, 9, 15, 21, 30, 15, 0, time.UTC)
	row := []any{"Yıldız Güneş İnşaat", 1234.5, 20, 5, true, at, at}
	b.ReportAllocs()
	for b.Loop() {
		f := excelize.NewFile(excelize.Options{TmpDir: b.TempDir()})
		s, err := f.NewStreamWriter("Sheet1")
		for i := range benchRows {
			err = errors.Join(err, s.SetRow("A"+strconv.Itoa(i+1), row))
		}
		if err = errors.Join(err, s.Flush(), f.Write(io.Discard), f.Close()); err != nil {
			b.Fatal(err)
		}
	}
}
