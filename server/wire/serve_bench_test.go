package wire_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkServe answers from the handler down, without a network.
func BenchmarkServe(b *testing.B) {
	w := newWorld(b)
	w.fill(w.t1, 1000)
	cursor := *w.page("/api/v1/companies?limit=50").Meta.NextCursor
	id := w.company(`{"name":"a"}`)
	for _, bm := range []struct{ name, path, coding string }{
		{"get", "/api/v1/companies/" + id, ""},
		{"list", "/api/v1/companies?limit=50", ""},
		{"deep", "/api/v1/companies?limit=50&cursor=" + cursor, ""},
		{"list gzip", "/api/v1/companies?limit=50", "gzip"},
		{"404", "/api/v1/companies/cmp_01hzzzzzzzzzzzzzzzzzzzzzzz", ""},
	} {
		b.Run(bm.name, func(b *testing.B) {
			req := w.request("GET", bm.path, "", "Accept-Encoding: "+bm.coding)
			b.ReportAllocs()
			for b.Loop() {
				rec := nothing{header: http.Header{}}
				w.handler.ServeHTTP(&rec, req)
				if rec.status != 200 && bm.name != "404" {
					b.Fatal(rec.status)
				}
			}
		})
	}
	b.Run("update", func(b *testing.B) {
		body := `{"name":"Yıldız Güneş İnşaat San. ve Tic. Ltd. Şti.","taxOffice":"Kadıköy","phone":"+90 212 1234567"}`
		b.ReportAllocs()
		for b.Loop() {
			req := httptest.NewRequest("PUT", "/api/v1/companies/"+id, strings.NewReader(body))
			req.Header = http.Header{"X-Api-Key": {w.t1 + " key_one all"}, "Content-Type": {"application/json"}}
			rec := nothing{header: http.Header{}}
			w.handler.ServeHTTP(&rec, req)
			if rec.status != 200 {
				b.Fatal(rec.status)
			}
		}
	})
}

// nothing is a ResponseWriter that keeps the status alone.
type nothing struct {
	header http.Header
	status int
}

func (n *nothing) Header() http.Header         { return n.header }
func (n *nothing) WriteHeader(status int)      { n.status = status }
func (n *nothing) Write(p []byte) (int, error) { return len(p), nil }
