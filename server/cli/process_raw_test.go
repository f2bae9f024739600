package cli_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// spoken is what came back on a connection of its own.
type spoken struct {
	status int // of the first answer; 0 when there was none
	body   []byte
	closed bool // the server closed the connection behind it
}

// speak writes text to the server as it stands and reads the first answer; then it
// looks whether the connection is closed. Writing may fail half way, when the
// server has answered and closed already.
func (s *site) speak(text io.Reader, limit time.Duration) (a spoken, err error) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		return a, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(limit))
	go io.Copy(conn, text)
	r := bufio.NewReader(conn)
	res, err := http.ReadResponse(r, nil)
	if err != nil {
		return a, err
	}
	defer res.Body.Close()
	a.status = res.StatusCode
	if a.body, err = io.ReadAll(res.Body); err != nil {
		return a, err
	}
	conn.SetReadDeadline(time.Now().Add(300 * time.Millisecond)) // long after a server that closes has done so
	_, err = r.ReadByte()
	nerr, ok := err.(net.Error)
	a.closed = err != nil && !(ok && nerr.Timeout())
	return a, nil
}

// TestRawRequests sends what no client library would (ACCEPTANCE H8, H11).
func TestRawRequests(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	auth := "Authorization: Bearer " + s.token + "\r\n"
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, goes, _ := strings.Cut(string(readme), "is\n  answered by Go's own server")
	goes, _, _ = strings.Cut(goes, ")")
	const get = "GET /api/companies HTTP/1.1\r\n"
	post := func(headers string) string {
		return "POST /api/companies HTTP/1.1\r\nHost: x\r\n" + auth + "Idempotency-Key: " + uuid.NewString() + "\r\nContent-Type: application/json\r\n" + headers + "\r\n"
	}
	for _, row := range []struct {
		name, text string
		want       []int
		open       bool // the connection may go on
	}{
		{name: "as it should be", text: get + "Host: x\r\n" + auth + "\r\n", want: []int{200}, open: true},
		{name: "20 KB of headers", text: get + "Host: x\r\nX-Long: " + strings.Repeat("a", 20<<10) + "\r\n\r\n", want: []int{431}},
		{name: "a URI of 9 KB", text: "GET /api/companies?q=" + strings.Repeat("a", 9<<10) + " HTTP/1.1\r\nHost: x\r\n" + auth + "\r\n", want: []int{414, 431}, open: true},
		{name: "200 headers", text: get + "Host: x\r\n" + auth + headers(200) + "\r\n", want: []int{200, 431}, open: true},
		{name: "length and chunks", text: post("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n") + "4\r\n{\"a\"\r\n0\r\n\r\n", want: []int{400, 501}},
		{name: "two lengths", text: post("Content-Length: 2\r\nContent-Length: 3\r\n") + "{} ", want: []int{400}},
		{name: "length with a sign", text: post("Content-Length: +2\r\n") + "{}", want: []int{400}},
		{name: "unknown coding", text: post("Transfer-Encoding: xchunked\r\n") + "0\r\n\r\n", want: []int{400, 501}},
		{name: "space before the colon", text: get + "Host: x\r\nX-Odd : 1\r\n\r\n", want: []int{400}},
		{name: "NUL in a header", text: get + "Host: x\r\nX-Odd: a\x00b\r\n\r\n", want: []int{400}},
		{name: "no host", text: get + "\r\n", want: []int{400}},
		{name: "two hosts", text: get + "Host: x\r\nHost: y\r\n\r\n", want: []int{400}},
		{name: "folded header", text: get + "Host: x\r\nX-Odd: a\r\n b\r\n\r\n", want: []int{200, 400, 401}, open: true},
		{name: "an expectation that nobody knows", text: get + "Host: x\r\nExpect: foo\r\n\r\n", want: []int{417}},
		{name: "another HTTP", text: "GET /api/companies HTTP/3.1\r\nHost: x\r\n\r\n", want: []int{505}},
		{name: "no HTTP at all", text: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", want: []int{400}},
	} {
		t.Run(row.name, func(t *testing.T) {
			a, err := s.speak(strings.NewReader(row.text), patience)
			if err != nil {
				t.Fatal(err)
			}
			fits := false
			for _, want := range row.want {
				fits = fits || a.status == want
			}
			if !fits || !a.closed && !row.open {
				t.Errorf("%d, closed %v, want one of %v: %.200s", a.status, a.closed, row.want, a.body)
			}
			if !bytes.HasPrefix(a.body, []byte("{")) && !strings.Contains(goes, strconv.Itoa(a.status)) {
				t.Errorf("README does not name %d among the answers that Go's own server makes:%s", a.status, goes)
			}
		})
	}
	if a := s.do("GET", "/api/companies", ""); !a.empty() {
		t.Errorf("one of them made a company: %s", a.body)
	}
}

func headers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "X-Number-%d: %d\r\n", i, i)
	}
	return b.String()
}

// chunks is a body without a length: size bytes in chunks of 1 MiB.
func chunks(size int) io.Reader {
	chunk := fmt.Sprintf("%x\r\n%s\r\n", 1<<20, strings.Repeat("a", 1<<20))
	return io.MultiReader(strings.NewReader(strings.Repeat(chunk, size>>20)), strings.NewReader("0\r\n\r\n"))
}

// TestRawBodies sends bodies that are too large, packed, or of a strange kind
// (ACCEPTANCE H5, H6, H7).
func TestRawBodies(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.begin()
	head := func(headers string) io.Reader {
		return strings.NewReader("POST /api/companies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + s.token + "\r\nIdempotency-Key: " + uuid.NewString() + "\r\nContent-Type: application/json\r\n" + headers + "\r\n")
	}
	const limit = 4 << 20
	var member bytes.Buffer // of 1 MiB; gzip allows many of them, one after the other
	z := gzip.NewWriter(&member)
	if _, err := z.Write(make([]byte, 1<<20)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	bomb := bytes.Repeat(member.Bytes(), 128)
	before := s.memory()
	for _, row := range []struct {
		name string
		text io.Reader
		want int
	}{
		{"a byte too long", io.MultiReader(head("Content-Length: "+strconv.Itoa(limit+1)+"\r\n"), strings.NewReader(strings.Repeat(" ", limit+1))), 413},
		{"twice too long in chunks", io.MultiReader(head("Transfer-Encoding: chunked\r\n"), chunks(2*limit)), 413},
		{"a gzip bomb", io.MultiReader(head("Content-Encoding: gzip\r\nContent-Length: "+strconv.Itoa(len(bomb))+"\r\n"), bytes.NewReader(bomb)), 415},
	} {
		t.Run(row.name, func(t *testing.T) {
			a, err := s.speak(row.text, patience)
			if err != nil || a.status != row.want || !bytes.Contains(a.body, []byte(`"message"`)) {
				t.Errorf("%d %s %v, want %d", a.status, a.body, err, row.want)
			}
			if row.want == 413 && !a.closed {
				t.Error("the connection goes on, with the rest of the body before the next request")
			}
		})
	}
	t.Logf("memory: %d MiB before, %d MiB after", before>>20, s.memory()>>20)
	made := s.must(201, "POST", "/api/companies", company(registered, "Yıldız Gıda"), "Idempotency-Key", uuid.NewString()).text("id")
	invoice := s.must(201, "POST", "/api/invoices", `{"companyId":"`+made+`","lines":[{"name":"Çay","quantity":"3","unitPrice":"9.99","vatRate":"20"}]}`).text("id")
	for _, row := range []struct {
		path, accept string
		want         int
		media        string
	}{
		{"/api/companies", "application/xml", 406, "application/problem+json"},
		{"/api/companies", "*/*", 200, "application/json"},
		{"/api/companies", "", 200, "application/json"},
		{"/api/companies", "application/*;q=0.5", 200, "application/json"},
		{"/api/invoices/" + invoice + "/ubl", "application/xml", 200, "application/xml; charset=utf-8"},
	} {
		a := s.must(row.want, "GET", row.path, "", "Accept", row.accept)
		if got := a.header.Get("Content-Type"); got != row.media {
			t.Errorf("%s for %s is %s, want %s", row.path, row.accept, got, row.media)
		}
	}
}

// memory is the resident set of the server in bytes, 0 where it cannot be told.
func (s *site) memory() int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.Process.Pid))
	if fields := strings.Fields(string(text)); len(fields) > 1 {
		pages, _ := strconv.ParseInt(fields[1], 10, 64)
		return pages * int64(os.Getpagesize())
	}
	return 0
}

// TestRawSlow holds connections open with a header, and with a body, that never
// ends: they are cut, and hold nobody else up (ACCEPTANCE H9, one of each kind).
func TestRawSlow(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the limits of a connection, which are 10 and 30 s")
	}
	s := newSite(t)
	s.begin()
	header := s.drip("GET /api/companies HTTP/1.1\r\nHost: x\r\nX-Slow: ")
	body := s.drip("POST /api/companies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + s.token + "\r\nIdempotency-Key: " + uuid.NewString() +
		"\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
	t.Parallel() // the other tests run while time passes
	asked := time.Now()
	s.must(200, "GET", "/api/companies", "")
	if took := time.Since(asked); took > 8*time.Second {
		t.Errorf("meanwhile a normal request takes %v", took)
	}
	if took := <-header; took < 9*time.Second || took > 12*time.Second {
		t.Errorf("a header without end is cut after %v, want 10 s", took)
	}
	if took := <-body; took < 29*time.Second || took > 33*time.Second {
		t.Errorf("a body without end is cut after %v, want 30 s", took)
	}
}

// drip writes text and then a byte every half second, until the server closes the
// connection; it tells how long that took.
func (s *site) drip(text string) <-chan time.Duration {
	s.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	began, cut := time.Now(), make(chan time.Duration, 1)
	go func() {
		for _, err := io.WriteString(conn, text); err == nil; _, err = io.WriteString(conn, "a") {
			time.Sleep(500 * time.Millisecond)
		}
	}()
	go func() {
		conn.SetReadDeadline(began.Add(patience))
		_, _ = io.Copy(io.Discard, conn) // closed or reset, it is over
		cut <- time.Since(began)
	}()
	return cut
}
