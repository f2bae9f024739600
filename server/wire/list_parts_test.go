package wire_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
)

// fillLarge makes n companies of some 87 KB each, at a second of its own each.
func (w *world) fillLarge(n int) {
	w.t.Helper()
	labels := map[string]string{}
	for i := range 50 {
		labels[fmt.Sprint(i)] = strings.Repeat("漢", 500)
	}
	for i := range n {
		c := trade.Company{Meta: trade.Meta{Notes: strings.Repeat("漢", 4000), Metadata: labels}, Name: fmt.Sprintf("Firma %03d", i*7%n)}
		err := w.db.Write(context.Background(), store.Who{Tenant: w.t1, Actor: "test"}, func(tx *store.Tx) error {
			_, err := tx.CreateCompany(c)
			return err
		})
		if err != nil {
			w.t.Fatal(err)
		}
		w.clock.Advance(time.Second)
	}
}

// names are those of all that a list has, as many pages as that are.
func (w *world) names(path string) (names []string) {
	w.t.Helper()
	for next := path; next != ""; {
		p := w.page(next)
		for _, c := range p.Data {
			names = append(names, c.Name)
		}
		if next = ""; p.Meta.NextCursor != nil {
			next = path + "&cursor=" + *p.Meta.NextCursor
		}
	}
	return names
}

// TestLargePages is that a page which is read in parts is the one that was asked for.
func TestLargePages(t *testing.T) {
	w := newWorld(t)
	const n = 60 // a part has 49
	w.fillLarge(n)
	for _, by := range []string{"", "sort=-createdAt&", "sort=name&", "sort=-updatedAt&", "q=firma&", "updatedSince=1970-01-01T00:00:00Z&"} {
		light := w.names("/api/companies?" + by + "limit=40")
		if len(light) != n {
			t.Fatalf("%q: %d of %d", by, len(light), n)
		}
		for _, limit := range []string{"50", "200"} {
			if got := w.names("/api/v1/companies?" + by + "limit=" + limit); !slices.Equal(got, light) {
				t.Errorf("%s limit=%s is another list: %q", by, limit, got)
			}
		}
		p := w.page("/api/companies?" + by + "limit=55")
		if len(p.Data) != 55 || !p.Meta.HasMore || p.Meta.Limit != 55 {
			t.Errorf("%s a page of 55 has %d: %+v", by, len(p.Data), p.Meta)
		}
		if strings.HasPrefix(by, "updatedSince") {
			continue // goes by cursor alone
		}
		first, second := w.page("/api/companies?"+by+"page=1&limit=55"), w.page("/api/companies?"+by+"page=2&limit=55")
		if len(first.Data) != 55 || len(second.Data) != 5 || *first.Meta.Total != n || *second.Meta.Total != n || second.Data[0].Name != light[55] {
			t.Errorf("%s by page: %d and %d, %+v %+v", by, len(first.Data), len(second.Data), first.Meta, second.Meta)
		}
	}
}

// TestLargePageOnTheWire is about the headers of such a page, and its end.
func TestLargePageOnTheWire(t *testing.T) {
	w := newWorld(t)
	w.fillLarge(60)
	const path = "/api/companies?limit=200"
	head := w.do("HEAD", path, "")
	plain, packed := w.do("GET", path, ""), w.do("GET", path, "", "Accept-Encoding: gzip")
	if head.StatusCode != 200 || len(head.body) != 0 {
		t.Errorf("HEAD: %d, %d bytes", head.StatusCode, len(head.body))
	}
	z, err := gzip.NewReader(bytes.NewReader(packed.body))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, plain.body) || packed.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("packed it is another: %d and %d bytes", len(got), len(plain.body))
	}
	for _, a := range []*answer{head, plain, packed} {
		if h := a.Header; h.Get("Content-Type") != "application/json" || h.Get("Cache-Control") != "no-store" || h.Get("Vary") != "Accept-Encoding" || a.ContentLength > 0 {
			t.Errorf("%v, length %d", h, a.ContentLength)
		}
	}
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("a page of which a part is missing passes for the whole: %v", p)
		}
	}()
	w.handler.ServeHTTP(closing{httptest.NewRecorder(), w.db}, w.request("GET", path, ""))
}

// closing is an answer with whose first bytes the store closes.
type closing struct {
	*httptest.ResponseRecorder
	db *store.DB
}

func (c closing) Write(p []byte) (int, error) {
	c.db.Close()
	return c.ResponseRecorder.Write(p)
}
