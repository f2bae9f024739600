package server_test

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"
)

// TestVersionsAtOnce is the part of group C that needs many clients; the rest is
// testdata/http/versions.txt.
func TestVersionsAtOnce(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	f.plan("unlimited")
	f.run("C6 no update is lost", f.lostUpdates)
	f.run("C6 no patch is lost", f.patchesAtOnce)
	f.run("C7 one of a hundred", func() {
		id := f.made("/api/companies", `{"name":"a"}`)
		tally, _ := f.parallel(100, func(i int) *http.Request {
			return f.ready("PUT /api/companies/"+id, fmt.Sprintf(`{"name":"%d","code":"C7"}`, i), `If-Match: "1"`)
		})
		if tally["200 C7"] != 1 || tally["409 version_conflict"] != 99 {
			f.t.Errorf("%v", tally)
		}
	})
}

// lostUpdates has many clients count up one field, each by the version it read.
func (f *fixture) lostUpdates() {
	const clients, times = 10, 6
	path := "/api/companies/" + f.made("/api/companies", `{"name":"a","paymentTermDays":0}`)
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for done := 0; done < times; {
				read := f.ask("GET "+path, "", "")
				n, _ := member(read.body, "paymentTermDays").(float64) // left out when 0
				wrote := f.ask("PUT "+path, `{"name":"a","paymentTermDays":`+strconv.Itoa(int(n)+1)+`}`, "If-Match: "+read.header.Get("ETag"))
				switch {
				case wrote.status == 200:
					done++
				case wrote.part("code") != "version_conflict":
					f.t.Errorf("%d %s", wrote.status, wrote.body)
					return
				}
			}
		})
	}
	wg.Wait()
	res := f.ask("GET "+path, "", "")
	if res.part("paymentTermDays") != fmt.Sprint(clients*times) || res.part("version") != fmt.Sprint(clients*times+1) {
		f.t.Errorf("%s", res.body)
	}
}

// patchesAtOnce has many clients patch one record, each a member of its own.
func (f *fixture) patchesAtOnce() {
	const clients = 30
	path := "/api/v1/companies/" + f.made("/api/companies", `{"name":"a"}`)
	f.parallel(clients, func(i int) *http.Request {
		return f.ready("PATCH "+path, fmt.Sprintf(`{"metadata":{"k%d":"v"}}`, i), "Content-Type: application/merge-patch+json")
	})
	res := f.ask("GET "+path, "", "")
	kept, _ := member(res.body, "metadata").(map[string]any)
	if len(kept) != clients || res.part("version") != fmt.Sprint(clients+1) {
		f.t.Errorf("%s", res.body)
	}
}
