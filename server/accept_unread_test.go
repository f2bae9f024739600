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

	"esnaf/store/trade"
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
		conn := f.dial(8 * time.Second) // the rest of a body would be waited for longer
		_, err := io.WriteString(conn, f.fill(asks)+fmt.Sprintf("Host: x\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", large))
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
	conn := f.dial(time.Minute)
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
	return readAnswer(bufio.NewReader(conn))
}

// dial connects to the server for at most limit.
func (f *fixture) dial(limit time.Duration) net.Conn {
	f.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(f.url, "http://"))
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(limit))
	return conn
}

func readAnswer(r *bufio.Reader) (status int, answer string, err error) {
	res, err := http.ReadResponse(r, nil)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res.StatusCode, string(body), err
}

// TestAnswerToAStalledUpload: who sends on a file that has lost its turn finds the answer
// that says so, however it was sent.
func TestAnswerToAStalledUpload(t *testing.T) {
	t.Parallel()
	f := start(t)
	for name, row := range map[string]struct{ header, first, part, end string }{
		"of a length": {"Content-Length: 8388608", "name\n", strings.Repeat("a", 1<<20-1) + "\n", ""},
		"in chunks":   {"Transfer-Encoding: chunked", "5\r\nname\n\r\n", "100000\r\n" + strings.Repeat("a", 1<<20) + "\r\n", "0\r\n\r\n"},
	} {
		f.run(name, func() {
			conn := f.dial(time.Minute)
			_, err := io.WriteString(conn, "POST /api/imports?resource=companies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+f.one.master+"\r\nContent-Type: text/csv\r\n"+row.header+"\r\n\r\n"+row.first)
			if err != nil {
				f.t.Fatal(err)
			}
			f.as = "one"
			answer := bufio.NewReader(conn)
			for n := 0; n == 0; n = answer.Buffered() { // until the upload has lost its turn
				if res := f.ask("POST /api/imports?resource=companies", "name\nAda\n", asCSV); res.status != 200 {
					f.t.Fatalf("the next file: %d %s", res.status, res.body)
				}
				conn.SetReadDeadline(time.Now().Add(time.Second))
				answer.Peek(1)
			}
			conn.SetReadDeadline(time.Now().Add(time.Minute))
			rest := strings.Repeat(row.part, 8)
			if row.end == "" {
				rest = rest[len(row.first):]
			}
			_, err = io.WriteString(conn, rest+row.end)
			status, body, e := readAnswer(answer)
			if err != nil || e != nil || status != 503 || !strings.Contains(body, string(trade.ImportStalled)) {
				f.t.Errorf("%d %s %v %v", status, body, err, e)
			}
		})
	}
}
