package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestAnswersReachWhoReadsLast sends bodies that nobody wants by clients that read nothing
// before they have sent everything: the answer must be there for them.
func TestAnswersReachWhoReadsLast(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.vars["master"] = f.one.master
	const (
		known = "Authorization: Bearer {master}\r\n"
		asks  = "POST /api/companies HTTP/1.1\r\n" + known + "Idempotency-Key: 4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e21\r\nContent-Type: application/json\r\n"
		file  = "POST /api/imports?resource=companies HTTP/1.1\r\n" + known + "Content-Type: text/csv\r\n"
		large = 24 << 20
	)
	for _, row := range []struct {
		name, head string
		size       int
		chunked    bool
		want       int
	}{
		{"a body too large", asks, large, false, 413},
		{"in chunks", asks, large, true, 413},
		{"many records", strings.Replace(asks, "companies", "products/bulk", 1), large, false, 413},
		{"a file too large", file, 33 << 20, false, 413},
		{"a file in chunks", file, 33 << 20, true, 413},
		{"from a stranger", strings.Replace(asks, known, "", 1), large, false, 401},
		{"without the key", strings.Replace(asks, "Idempotency", "X-No", 1), large, false, 400},
		{"of another kind", strings.Replace(asks, "/json", "/xml", 1), large, true, 415},
		{"to nowhere", strings.Replace(asks, "companies", "nowhere", 1), large, false, 404},
		{"with a method that is none", strings.Replace(asks, "POST", "PATCH", 1), large, false, 405},
		{"to who reads none", strings.Replace(asks, "POST /api/companies", "GET /healthz", 1), large, true, 200},
	} {
		f.run(row.name, func() {
			status, body, err := f.sendFirst(f.fill(row.head), row.size, row.chunked)
			if err != nil || status != row.want || status >= 400 && !strings.Contains(body, `"message"`) {
				f.t.Errorf("%d %s %v, want %d", status, body, err, row.want)
			}
		})
	}
	f.run("of who asks first and sends none, nothing is waited for", func() {
		conn, err := net.Dial("tcp", strings.TrimPrefix(f.url, "http://"))
		if err != nil {
			f.t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(8 * time.Second)) // the rest of a body would be waited for longer
		_, err = io.WriteString(conn, f.fill(asks)+fmt.Sprintf("Host: x\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", large))
		all, e := io.ReadAll(conn)
		if err != nil || e != nil || !strings.HasPrefix(string(all), "HTTP/1.1 413 ") {
			f.t.Errorf("%.200s %v %v", all, err, e)
		}
	})
	f.as = "one"
	if n := f.count("/api/companies"); n != 0 {
		t.Errorf("%d companies were made", n)
	}
}

// sendFirst sends a request whole, with size bytes of body, before it reads the answer.
func (f *fixture) sendFirst(head string, size int, chunked bool) (status int, answer string, err error) {
	f.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(f.url, "http://"))
	if err != nil {
		f.t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	head += "Host: x\r\n"
	part, end := strings.Repeat("a", 1<<20), ""
	if chunked {
		head += "Transfer-Encoding: chunked\r\n"
		part, end = fmt.Sprintf("%x\r\n%s\r\n", len(part), part), "0\r\n\r\n"
	} else {
		head += fmt.Sprintf("Content-Length: %d\r\n", size)
	}
	if _, err := io.WriteString(conn, head+"\r\n"+strings.Repeat(part, size>>20)+end); err != nil {
		return 0, "", err
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res.StatusCode, string(body), err
}
