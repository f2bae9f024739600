package store_test

import (
	"context"
	"fmt"
	"testing"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

// openSynced is open with a disk that is waited for, as in production.
func openSynced(b *testing.B) *book {
	db, err := store.Open(store.Options{Dir: b.TempDir(), Clock: clock.System{}, IDs: clock.RandomIDs()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	book := &book{DB: db, t: b}
	book.who = book.tenant("Örnek Ticaret A.Ş.", "1234567890")
	return book
}

// writing runs fn as the change of 32 callers at once.
func writing(b *testing.B, book *book, fn func(*store.Tx) error) {
	b.ReportAllocs()
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := book.Write(context.Background(), book.who, fn); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// reading runs fn over and over.
func reading(b *testing.B, book *book, fn func(*store.View) error) {
	b.ReportAllocs()
	for b.Loop() {
		if err := book.Read(context.Background(), book.who, fn); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCreateCompany(b *testing.B) {
	book := openSynced(b)
	writing(b, book, func(tx *store.Tx) error {
		_, err := tx.CreateCompany(trade.Company{Name: "Yıldız Güneş İnşaat San. ve Tic. Ltd. Şti.", TaxNumber: "1234567890", City: "İstanbul"})
		return err
	})
}

func BenchmarkCreateInvoice10Lines(b *testing.B) {
	book := openSynced(b)
	sale := book.sale(book.who)
	for i := range 9 {
		sale.Lines = append(sale.Lines, line(fmt.Sprintf("Kalem %d", i), "12.34"))
	}
	writing(b, book, func(tx *store.Tx) error {
		v := sale
		v.Lines = append([]trade.Line(nil), sale.Lines...)
		_, err := tx.CreateInvoice(v)
		return err
	})
}

func BenchmarkSendInvoice(b *testing.B) {
	book := openSynced(b)
	sale := book.sale(book.who)
	writing(b, book, func(tx *store.Tx) error {
		v := sale
		v.Lines = append([]trade.Line(nil), sale.Lines...)
		return createAndSend(tx, v)
	})
}

func firm(i int) trade.Company {
	return trade.Company{Name: fmt.Sprintf("Firma%d Yıldız İnşaat Ltd. Şti.", i), TaxNumber: "1234567890"}
}

// filled has 10,000 companies.
func filled(b *testing.B) (*book, []string) {
	book := openSynced(b)
	var ids []string
	for n := range 10 {
		book.write(book.who, func(tx *store.Tx) error {
			for i := range 1000 {
				var c trade.Company
				if err := into(&c)(tx.CreateCompany(firm(n*1000 + i))); err != nil {
					return err
				}
				ids = append(ids, c.ID)
			}
			return nil
		})
	}
	return book, ids
}

// BenchmarkUpdateCompany changes one company after the other of 10,000.
func BenchmarkUpdateCompany(b *testing.B) {
	book, ids := filled(b)
	n := 0 // the writer's own
	writing(b, book, func(tx *store.Tx) error {
		n++
		i := n * 7919 % len(ids)
		c := firm(i)
		c.Phone = fmt.Sprintf("+90 216 %07d", n)
		_, err := tx.UpdateCompany(ids[i], store.Any, c)
		return err
	})
}

func BenchmarkGet(b *testing.B) {
	book, ids := filled(b)
	id := ids[len(ids)-1]
	reading(b, book, func(v *store.View) error { _, err := store.Companies.Doc(v, id); return err })
}

func BenchmarkPageOf50(b *testing.B) {
	book, ids := filled(b)
	id := ids[len(ids)-1]
	var buf []byte
	for about, q := range map[string]trade.Query{
		"first": {Limit: 50}, "deep": {Limit: 50, Sort: "-createdAt", After: []string{id}}, "by name": {Limit: 50, Sort: "name"},
		"one word": {Limit: 50, Search: "firma77"}, "of all": {Limit: 50, Search: "yıldız"}, "two words": {Limit: 50, Search: "ins firma123"},
	} {
		b.Run(about, func(b *testing.B) {
			reading(b, book, func(v *store.View) error {
				p, err := store.Companies.List.Page(v, q, buf[:0])
				buf = p.Docs
				return err
			})
		})
	}
}
