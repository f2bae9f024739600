package server_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	_ "modernc.org/sqlite"

	"esnaf/store/trade"
)

// scalar asks the database itself one number, beside the server.
func (h *hooked) scalar(query string) (n int) {
	h.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(h.db.Dir(), "esnaf.db")+"?mode=ro")
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		h.t.Fatalf("%s: %v", query, err)
	}
	return n
}

// TestHooksRules is what may be registered, who sees it and how it ends.
func TestHooksRules(t *testing.T) {
	t.Run("W20", testHooksOutlive)
	t.Run("W21", testHooksOnlyOfCommits)
	t.Run("W22", testHooksStop)
	t.Run("W23", testHooksAddresses)
	t.Run("W31", testHooksEvents)
	t.Run("W32", testHooksLog)
	t.Run("W36", testHooksDeleted)
	t.Run("W37", testHooksOfOthers)
}

// testHooksOutlive loses the process, as the store sees it, with everything still to
// be delivered. cli kills the process itself.
func testHooksOutlive(t *testing.T) {
	h := startHooked(t)
	e := h.listen(nil)
	id := h.register("company.created", e.URL)
	for range 30 {
		h.company("Ada Ltd")
	}
	h.serve("", "127.0.0.0/8") // the next one knows nothing but the store
	h.drain()
	seen := map[string]bool{}
	for _, k := range h.heard(e, 30) {
		seen[k.header.Get("X-Svc-Event-Id")] = true
	}
	if left := h.deliveries(id, "?status=pending"); len(seen) != 30 || len(left) != 0 {
		t.Errorf("%d events arrived, %d are left", len(seen), len(left))
	}
}

// testHooksOnlyOfCommits refuses changes of all kinds: none is told of.
func testHooksOnlyOfCommits(t *testing.T) {
	h := startHooked(t)
	e := h.listen(nil)
	company, webhook := h.company("Ada Ltd"), h.register("*", e.URL)
	invoice := h.invoice(company, 1)
	h.drain()
	h.heard(e, 1)
	h.want(409, "PUT", "/api/companies/"+company, `{"name":"Ada A.Ş."}`, "If-Match", `"7"`)
	h.want(409, "DELETE", "/api/companies/"+company, "", "If-Match", `"7"`)
	h.want(422, "PUT", "/api/companies/"+company, `{"name":""}`, "If-Match", `"1"`)
	h.want(422, "POST", "/api/companies", `{"name":"Bora","taxNumber":"1"}`)
	h.want(409, "POST", "/api/companies", `{"name":"Bora","code":"C000001"}`)
	h.want(422, "POST", "/api/invoices/"+invoice+"/send", "") // a buyer without an address
	h.drain()
	h.heard(e, 1)
	if log := h.deliveries(webhook, ""); len(log) != 1 {
		t.Errorf("the log has %v", log)
	}
	if n := h.scalar("SELECT count(*) FROM events"); n != 2 {
		t.Errorf("%d events of two changes", n)
	}
}

// testHooksDeleted deletes a webhook that has deliveries to come.
func testHooksDeleted(t *testing.T) {
	h := startHooked(t)
	e := h.listen(always(500))
	id := h.register("company.created", e.URL)
	h.company("Ada Ltd")
	h.drain()
	h.advance("1ms")
	h.company("Bora Ltd") // not tried yet
	h.want(204, "DELETE", "/api/webhooks/"+id, "")
	h.company("Can Ltd")
	h.advance("100h")
	h.drain()
	h.heard(e, 1)
	h.want(404, "GET", "/api/webhooks/"+id, "")
	log := h.deliveries(id, "")
	if len(log) != 2 || log[0].State != trade.DeliveryCancelled || log[1].State != trade.DeliveryCancelled || len(log[1].Attempts) != 1 || log[1].NextAttempt != 0 {
		t.Errorf("the log is %+v", log)
	}
}

// testHooksOfOthers lets another account reach for a webhook (W37).
func testHooksOfOthers(t *testing.T) {
	h := startHooked(t)
	e := h.listen(nil)
	id := h.register("*", e.URL)
	h.company("Ada Ltd")
	h.drain()
	other := []string{"Authorization", "Bearer " + h.two.master}
	for _, row := range []struct{ method, path string }{{"GET", ""}, {"DELETE", ""}, {"GET", "/deliveries"}} {
		res := h.do(row.method, "/api/webhooks/"+id+row.path, "", other...)
		if res.status != 403 || member(res.body, "code") != "cross_tenant" || strings.Contains(string(res.body), e.URL) {
			t.Errorf("%s%s by another account: %d %s", row.method, row.path, res.status, res.body)
		}
	}
	if res := h.do("GET", "/api/webhooks", "", other...); res.status != 200 || !strings.Contains(string(res.body), `"data":[]`) {
		t.Errorf("another account lists %d %s", res.status, res.body)
	}
	if res := h.do("POST", "/api/companies", `{"name":"Theirs"}`, append(other, "Idempotency-Key", "4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e32")...); res.status != 201 {
		t.Fatalf("%d %s", res.status, res.body)
	}
	h.drain()
	h.heard(e, 1)
	h.want(200, "GET", "/api/webhooks/"+id, "")
}

// refusedURLs are those of ACCEPTANCE W23, and how they go on.
var refusedURLs = []string{
	"http://169.254.169.254/", "http://10.0.0.1/", "http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://[::]/", "http://0.0.0.0/",
	"http://[::ffff:127.0.0.1]/", "http://[::ffff:a9fe:a9fe]/", "http://[64:ff9b::a9fe:a9fe]/", "http://[2002:7f00:1::1]/", "http://[fec0::1]/",
	"http://100.64.0.1/", "http://0.1.2.3/", "http://198.18.0.1/", "http://240.0.0.1/", "http://255.255.255.255/", "http://168.63.129.16/",
	"http://%E2%91%A0%E2%91%A1%E2%91%A6.0.0.1/", "http://user:pw@example.com/", "ftp://", "ftp://example.com/", "file:///etc/passwd", "gopher://", "gopher://example.com/",
	"https://example.com/\r\nX-Evil: 1", "https://exam\nple.com/", "https:///", "https://", "http://:80/", "//example.com/", "example.com", "",
	"https://example.com/" + strings.Repeat("a", 2048),
}

// testHooksAddresses registers what no server should be made to call.
func testHooksAddresses(t *testing.T) {
	h := startHooked(t)
	h.serve("") // as in production: no exceptions
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var calls atomic.Int32
	trap := &http.Server{ConnState: func(net.Conn, http.ConnState) { calls.Add(1) }, Handler: http.NotFoundHandler()}
	go trap.Serve(ln)
	t.Cleanup(func() { trap.Close() })
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	urls := slices.Clone(refusedURLs)
	for _, u := range refusedURLs { // the same addresses over TLS, and at a port where somebody would hear
		if host, ok := strings.CutPrefix(u, "http://"); ok && strings.HasSuffix(host, "/") && !strings.HasPrefix(host, ":") {
			urls = append(urls, "https://"+host, "http://"+strings.TrimSuffix(host, "/")+":"+port+"/", "https://"+strings.TrimSuffix(host, "/")+":"+port+"/")
		}
	}
	for _, u := range urls {
		text, err := json.Marshal(map[string]string{"event": "*", "url": u})
		if err != nil {
			t.Fatal(err)
		}
		res := h.call("POST", "/api/webhooks", string(text))
		if res.status != 422 || member(res.body, "errors[0].field") != "url" {
			t.Errorf("%q: %d %s", u, res.status, res.body)
		}
	}
	h.company("Ada Ltd")
	h.drain()
	if res := h.call("GET", "/api/webhooks", ""); !strings.Contains(string(res.body), `"data":[]`) {
		t.Errorf("registered are %s", res.body)
	}
	if n := calls.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
	h.want(201, "POST", "/api/webhooks", `{"event":"*","url":"https://example.com:8443/hook?x=1"}`)
}

// testHooksEvents registers for events that exist, and for some that do not.
func testHooksEvents(t *testing.T) {
	h := startHooked(t)
	for _, event := range []string{"invoice.made", "Invoice.created", "invoice", "inv*", "*.created", "", " *"} {
		res := h.call("POST", "/api/webhooks", fmt.Sprintf(`{"event":%q,"url":"https://example.com/"}`, event))
		allowed, _ := member(res.body, "errors[0].allowed").([]any)
		if res.status != 422 || member(res.body, "errors[0].field") != "event" || len(allowed) <= 20 || !slices.Contains(allowed, any("invoice.created")) || !slices.Contains(allowed, any("*")) {
			t.Errorf("event %q: %d %s", event, res.status, res.body)
		}
	}
	all, some, one := h.listen(nil), h.listen(nil), h.listen(nil)
	h.register("*", all.URL)
	h.register("invoice.*", some.URL)
	h.register("invoice.created", one.URL)
	company := h.company("Ada Ltd")
	h.want(200, "PUT", "/api/companies/"+company, `{"name":"Ada A.Ş."}`, "If-Match", `"1"`)
	invoice := h.invoice(company, 1)
	h.want(200, "PUT", "/api/invoices/"+invoice, `{"companyId":"`+company+`","lines":[{"name":"Kalem","quantity":"1","unitPrice":"1","vatRate":"20"}]}`, "If-Match", `"1"`)
	h.want(204, "DELETE", "/api/companies/"+company, "")
	h.want(201, "POST", "/api/products", `{"name":"Kalem"}`)
	h.drain()
	for e, want := range map[*ear]string{
		all:  "company.created company.updated invoice.created invoice.updated company.deleted product.created",
		some: "invoice.created invoice.updated",
		one:  "invoice.created",
	} {
		got := map[string]int{}
		names := strings.Fields(want)
		for _, k := range h.heard(e, len(names)) {
			got[k.header.Get("X-Svc-Event")]++
		}
		for _, name := range names {
			if got[name] != 1 {
				t.Errorf("%s was heard %d times where %q was expected", name, got[name], want)
			}
		}
	}
}

// testHooksLog walks the delivery log page by page, as it is filtered.
func testHooksLog(t *testing.T) {
	h := startHooked(t)
	h.serve("1s", "127.0.0.0/8")
	e := h.listen(func(n int, w http.ResponseWriter) {
		if n <= 3 || n > 10 { // the first three, and once more
			http.Error(w, strings.Repeat("ş", 5000), http.StatusBadGateway)
		}
	})
	id := h.register("company.created", e.URL)
	for range 10 {
		h.company("Ada Ltd")
		h.drain()
	}
	h.advance("2s")
	h.drain()
	for filter, want := range map[string]int{"": 10, "?status=failed": 3, "?status=delivered": 7, "?status=pending": 0, "?status=cancelled": 0} {
		if log := h.deliveries(id, filter); len(log) != want {
			t.Errorf("%q lists %d, want %d", filter, len(log), want)
		}
	}
	seen, cursor := map[string]bool{}, ""
	for pages := 1; ; pages++ {
		res := h.call("GET", "/api/webhooks/"+id+"/deliveries?limit=3"+cursor, "")
		rows, _ := member(res.body, "data").([]any)
		for i := range rows {
			seen[member(res.body, fmt.Sprintf("data[%d].id", i)).(string)] = true
		}
		if next, more := member(res.body, "meta.nextCursor").(string); more && next != "" {
			cursor = "&cursor=" + next
			continue
		}
		if pages != 4 || len(seen) != 10 || len(rows) != 1 {
			t.Errorf("%d pages with %d deliveries, the last has %d", pages, len(seen), len(rows))
		}
		break
	}
	for _, d := range h.deliveries(id, "?status=failed") {
		for i, a := range d.Attempts {
			if a.Number != i+1 || a.Status != 502 || a.At == 0 || a.DurationMS < 0 || !strings.HasPrefix(a.Excerpt, "şşş") || len(a.Excerpt) > 4096 || a.Error == "" {
				t.Errorf("attempt %d is logged as %.200s", i+1, fmt.Sprint(a))
			}
		}
	}
	for _, bad := range []string{"?status=lost", "?limit=0", "?limit=201", "?cursor=x", "?sort=id"} {
		h.want(400, "GET", "/api/webhooks/"+id+"/deliveries"+bad, "")
	}
	h.want(404, "GET", "/api/webhooks/whk_00000000000000000000000000/deliveries", "")
}
