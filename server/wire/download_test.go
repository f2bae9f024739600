package wire_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"esnaf/auth"
	"esnaf/server/wire"
	"esnaf/store/trade"
)

// file is what the server of downloads sends.
type file struct {
	name string
	rows func(add func([]byte) error) error
}

// downloads serves files with as little time for an answer as a server can give.
func downloads(t *testing.T, ended chan<- error, files ...file) (h http.Handler, base string) {
	t.Helper()
	var all []wire.Route
	for _, f := range files {
		about := wire.Info{Formats: []string{"csv", "xlsx", "ndjson"}, Params: wire.FormatParams("csv", "xlsx", "ndjson")}
		all = append(all, wire.Plain("GET", "/"+f.name, "", about, func(c *wire.Call, rw http.ResponseWriter, r *http.Request) error {
			given, err := c.Query()
			if err != nil {
				return err
			}
			format, err := wire.FormatOf(r, given, "csv", "xlsx", "ndjson")
			if err != nil {
				return err
			}
			return c.Download(rw, r, f.name, format, wire.Of[trade.Company](), func(add func([]byte) error) error {
				err := f.rows(add)
				ended <- err
				return err
			})
		}))
	}
	r, w := chi.NewRouter(), newWorld(t)
	anyone := func(*http.Request) (auth.Principal, error) { return auth.Principal{Tenant: w.t1}, nil }
	wire.Mount(r, wire.Config{DB: w.db, Log: slog.New(slog.DiscardHandler), Interface: auth.InterfaceA, Base: "/files", Identify: anyone}, all)
	srv := httptest.NewUnstartedServer(r)
	srv.Config.WriteTimeout = time.Nanosecond
	srv.Start()
	t.Cleanup(srv.Close)
	return r, srv.URL + "/files/"
}

var errHalf = errors.New("half of it is gone")

// company is the document of the i-th.
func company(i int) []byte { return fmt.Appendf(nil, `{"id":"cmp_%d","name":"Ada Ltd"}`, i) }

func some(n int, err error) func(add func([]byte) error) error {
	return func(add func([]byte) error) error {
		for i := range n {
			if err := add(company(i)); err != nil {
				return err
			}
		}
		return err
	}
}

// TestDownload is about what a client gets when all goes well, and when not.
func TestDownload(t *testing.T) {
	ended := make(chan error, 1)
	_, base := downloads(t, ended,
		file{"whole", some(20_000, nil)}, file{"cut", some(100_000, errHalf)}, file{"nothing", some(0, nil)},
	)
	for _, tt := range []struct {
		path, coding string
		status       int
		lines        int // -1: it ends too early
	}{
		{"whole", "", 200, 20_001},
		{"whole?format=ndjson", "", 200, 20_000},
		{"whole?format=ndjson", "gzip", 200, 20_000},
		{"nothing", "gzip", 200, 1},
		{"nothing?format=ndjson", "", 200, 0},
		{"cut", "", 200, -1},
		{"cut?format=ndjson", "", 200, -1},
		{"cut?format=ndjson", "gzip", 200, -1},
	} {
		t.Run(tt.path+" "+tt.coding, func(t *testing.T) {
			res := get(t, base+tt.path, tt.coding)
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			<-ended
			if tt.coding == "gzip" && err == nil {
				z, e := gzip.NewReader(bytes.NewReader(body))
				if e != nil {
					t.Fatal(e)
				}
				body, err = io.ReadAll(z)
			}
			if whole := tt.lines >= 0; res.StatusCode != tt.status || (err == nil) != whole || whole && bytes.Count(body, []byte("\n")) != tt.lines || res.ContentLength >= 0 {
				t.Errorf("%d, %d lines, length %d, %v", res.StatusCode, bytes.Count(body, []byte("\n")), res.ContentLength, err)
			}
			if res.Header.Get("Content-Encoding") != tt.coding || !strings.Contains(res.Header.Get("Content-Disposition"), "-2026-09-15.") {
				t.Error(res.Header)
			}
		})
	}
}

// TestDownloadLeft asks for a file that never ends, and leaves.
func TestDownloadLeft(t *testing.T) {
	ended := make(chan error, 1)
	endless := func(add func([]byte) error) error {
		for i := 0; ; i++ {
			if err := add(company(i)); err != nil {
				return err
			}
		}
	}
	_, base := downloads(t, ended, file{"endless", endless})
	for _, format := range []string{"csv", "ndjson"} {
		res := get(t, base+"endless?format="+format, "")
		if _, err := io.CopyN(io.Discard, res.Body, 1<<20); err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if err := <-ended; err == nil {
			t.Error("an endless file has ended")
		}
	}
}

// TestDownloadRefused is an error before the first byte: it is an answer like any.
func TestDownloadRefused(t *testing.T) {
	ended := make(chan error, 1)
	h, _ := downloads(t, ended, file{"broken", some(1, errHalf)})
	for _, format := range []string{"csv", "xlsx", "ndjson"} {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest("GET", "/files/broken?format="+format, nil))
		<-ended
		if rec.Code != 500 || rec.Header().Get("Content-Disposition") != "" || rec.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %v", format, rec.Code, rec.Header())
		}
	}
}

// get asks for a file as it is, or packed.
func get(t *testing.T, url, coding string) *http.Response {
	t.Helper()
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if req.Header.Set("Accept-Encoding", "identity"); coding != "" {
		req.Header.Set("Accept-Encoding", coding)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}
