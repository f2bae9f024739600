package wire_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"esnaf/store/trade"
)

// TestIfMatch is C1 to C4 and C9.
func TestIfMatch(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		header string
		status int
		code   trade.Code
	}{
		{`"1"`, 200, ""},
		{`1`, 200, ""},
		{`*`, 200, ""},
		{`"9", "1"`, 200, ""},
		{`"9",1`, 200, ""},
		{` ,"1", `, 200, ""},
		{`"2"`, 409, trade.VersionConflict},
		{`W/"1"`, 409, trade.VersionConflict},
		{`"1-gzip"`, 409, trade.VersionConflict},
		{`"01"`, 409, trade.VersionConflict},
		{`"a,b", W/"x"`, 409, trade.VersionConflict},
		{`"99999999999999999999"`, 409, trade.VersionConflict},
		{`""`, 409, trade.VersionConflict},
		{`"`, 400, trade.BadIfMatch},
		{`"1" "2"`, 400, trade.BadIfMatch},
		{`abc`, 400, trade.BadIfMatch},
		{`W/1`, 400, trade.BadIfMatch},
		{`*, "1"`, 400, trade.BadIfMatch},
		{`<empty>`, 400, trade.BadIfMatch},
		{``, 428, trade.PreconditionRequired},
	} {
		t.Run(tt.header, func(t *testing.T) {
			w.t = t
			id := w.company(`{"name":"a"}`)
			a := w.do("PUT", "/api/companies/"+id, `{"name":"b"}`, "If-Match: "+tt.header)
			w.want(a, tt.status, tt.code)
			switch tt.status {
			case 200:
				if a.num("version") != 2 || a.Header.Get("ETag") != `"2"` || a.text("name") != "b" {
					t.Errorf("%v %s", a.Header, a.body)
				}
			case 409:
				if a.num("currentVersion") != 1 {
					t.Errorf("no current version: %s", a.body)
				}
			}
			b := w.do("PUT", "/api/v1/companies/"+id, `{"name":"c"}`, "If-Match:")
			w.want(b, 200, "")
		})
	}
	w.t = t
	gone := "cmp_01hzzzzzzzzzzzzzzzzzzzzzzz"
	w.want(w.do("PUT", "/api/companies/"+gone, `{"name":"b"}`, "If-Match: *"), 404, trade.RecordNotFound)
	w.want(w.do("PUT", "/api/companies/"+gone, `{"name":"b"}`, "If-Match: \"1\""), 404, trade.RecordNotFound)
}

func TestDelete(t *testing.T) {
	w := newWorld(t)
	id := w.company(`{"name":"a","code":"X"}`)
	path := "/api/companies/" + id
	w.want(w.do("DELETE", path, "", `If-Match: "7"`), 409, trade.VersionConflict)
	w.want(w.do("DELETE", path, "", `If-Match: "`), 400, trade.BadIfMatch)
	a := w.do("DELETE", path, "")
	w.want(a, 204, "")
	if len(a.body) > 0 || a.Header.Get("Content-Length") != "" || a.Header.Get("Content-Type") != "" {
		t.Errorf("a 204 with a body: %v %q", a.Header, a.body)
	}
	w.want(w.do("DELETE", path, ""), 404, trade.RecordNotFound)
	w.want(w.do("GET", path, ""), 404, trade.RecordNotFound)
	w.company(`{"name":"b","code":"X"}`) // the code is free again
	if w.count() != 1 {
		t.Error("the deleted one is still listed")
	}
}

// TestIfNoneMatch is C1 and C8.
func TestIfNoneMatch(t *testing.T) {
	w := newWorld(t)
	path := "/api/companies/" + w.company(`{"name":"a"}`)
	for header, status := range map[string]int{
		``: 200, `"1"`: 304, `W/"1"`: 304, `*`: 304, `"9", "1"`: 304, `"9"`: 200, `1`: 200, `"`: 200, `"1-gzip"`: 200,
	} {
		for _, method := range []string{"GET", "HEAD"} {
			a := w.do(method, path, "", "If-None-Match: "+header)
			if a.StatusCode != status || a.Header.Get("ETag") != `"1"` {
				t.Errorf("%s %s: %d %v", method, header, a.StatusCode, a.Header)
			}
			if status == 304 && (len(a.body) > 0 || a.Header.Get("Content-Length") != "" || a.Header.Get("Content-Type") != "") {
				t.Errorf("a 304 with a body: %v", a.Header)
			}
		}
	}
}

// TestGetEditPut sends a record back as it was read, but for one field.
func TestGetEditPut(t *testing.T) {
	w := newWorld(t)
	path := "/api/companies/" + w.company(`{"name":"a","riskLimit":"5.00","metadata":{"k":"v"}}`)
	was := w.do("GET", path, "")
	is := w.do("PUT", path, strings.Replace(string(was.body), `"name":"a"`, `"name":"b"`, 1), "If-Match: "+was.Header.Get("ETag"))
	w.want(is, 200, "")
	want := strings.NewReplacer(`"name":"a"`, `"name":"b"`, `"version":1`, `"version":2`).Replace(string(was.body))
	if string(is.body) != want {
		t.Errorf("got  %s\nwant %s", is.body, want)
	}
}

// TestLostUpdates is C6 and C7 with fewer clients.
func TestLostUpdates(t *testing.T) {
	w := newWorld(t)
	path := "/api/companies/" + w.company(`{"name":"0"}`)
	const clients, times = 8, 5
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range times {
				for {
					a := w.do("GET", path, "")
					n := 0
					fmt.Sscan(a.text("name"), &n)
					a = w.do("PUT", path, fmt.Sprintf(`{"name":"%d"}`, n+1), "If-Match: "+a.Header.Get("ETag"))
					if a.StatusCode == 200 {
						break
					}
					if a.code() != trade.VersionConflict {
						t.Errorf("%d %s", a.StatusCode, a.body)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	if a := w.do("GET", path, ""); a.text("name") != fmt.Sprint(clients*times) {
		t.Errorf("updates were lost: %s", a.body)
	}
}
