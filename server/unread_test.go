package server

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// What is left of a body is waited for no longer than the server has patience, whether
// it never comes or drips, and however long the answer is, which arrives whole.
func TestPatienceForTheRest(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		size, length int // of the answer and of the body
		drips        bool
	}{
		"a small body":            {10, 1000, false},
		"a large body":            {10, 1 << 20, false},
		"a large answer":          {1 << 20, 1000, false},
		"a large body that drips": {10, 1 << 20, true},
	} {
		srv := httptest.NewServer(heard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			answer(w, http.StatusUnauthorized, strings.Repeat("a", row.size))
		}), time.Second))
		defer srv.Close()
		conn, err := net.Dial("tcp", srv.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(30 * time.Second))
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", row.length)
		go func() {
			for err := error(nil); row.drips && err == nil; time.Sleep(10 * time.Millisecond) {
				_, err = conn.Write([]byte("a"))
			}
		}()
		r := bufio.NewReader(conn)
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if body, err := io.ReadAll(res.Body); len(body) != row.size || err != nil {
			t.Errorf("%s: %d bytes of the answer, %v", name, len(body), err)
		}
		if _, err := r.ReadByte(); err == nil || errors.Is(err, os.ErrDeadlineExceeded) { // it is to be closed
			t.Errorf("%s: %v", name, err)
		}
	}
}
