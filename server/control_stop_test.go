package server_test

import (
	"bufio"
	"database/sql"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"esnaf/server"
	"esnaf/store/trade"
)

// endless makes a table of a folder, whose server is stopped, one that has no end.
func endless(t *testing.T, dir, table, columns string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "esnaf.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("ALTER TABLE " + table + " RENAME TO was_" + table + "; CREATE VIEW " + table +
		" AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT " + columns + " FROM n"); err != nil {
		t.Fatal(err)
	}
}

// atWork returns once a function of this process is running.
func atWork(t *testing.T, function string) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		all := make([]byte, 4<<20)
		if strings.Contains(string(all[:runtime.Stack(all, true)]), function) {
			return
		}
		if time.Since(began) > 20*time.Second {
			t.Fatalf("%s does not begin", function)
		}
	}
}

// A check that would go on for long does not keep the server from stopping, whether it is
// at one statement or at one row after the other; whoever waits for it hears so.
func TestAStopEndsACheck(t *testing.T) {
	for table, columns := range map[string]string{
		"days":   "'' AS tenant, 'x' AS account, '' AS currency, '' AS date, 0 AS amount, 0 AS least, 0 AS most",
		"queued": "'' AS tenant, 'x' AS company, '' AS currency, 0 AS amount, 0 AS lira",
	} {
		dir := t.TempDir()
		_, stop := runServer(t, dir)
		stop()
		endless(t, dir, table, columns)
		_, stop = runServer(t, dir)
		ended := make(chan error, 1)
		go func() {
			_, err := server.Command(t.Context(), dir, "check", []byte("{}"))
			ended <- err
		}()
		atWork(t, "store.(*DB).CheckData")
		began := time.Now()
		stop()
		if took := time.Since(began); took > 8*time.Second {
			t.Errorf("%s: the server stopped after %v", table, took)
		}
		err := <-ended
		var refused *server.Refused
		if !errors.As(err, &refused) || refused.Code != trade.Stopping || !strings.Contains(err.Error(), "stopping") {
			t.Errorf("%s: %v", table, err)
		}
	}
}

// Who waits for a server that does nothing any more, held by a debugger say, gives up; one
// that is at work for long says so meanwhile.
func TestAServerThatHangs(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]struct {
		work time.Duration // 0: for ever
		want string
	}{"hangs": {0, "does not answer"}, "is at work": {server.Silence + 2*time.Second, ""}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			ln, err := net.Listen("unix", filepath.Join(dir, "control.sock"))
			if err != nil {
				t.Fatal(err)
			}
			defer ln.Close()
			go func() {
				conn, err := ln.Accept()
				if err != nil {
					return
				}
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
					return
				}
				for end := time.Now().Add(at.work); time.Now().Before(end); time.Sleep(time.Second) {
					io.WriteString(conn, "HTTP/1.1 102 Processing\r\n\r\n")
				}
				if at.work > 0 {
					io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
				}
				<-t.Context().Done()
			}()
			_, err = server.Command(t.Context(), dir, "tenant list", []byte("{}"))
			if at.want == "" && err != nil || at.want != "" && (err == nil || !strings.Contains(err.Error(), at.want)) {
				t.Errorf("it says %v", err)
			}
		})
	}
}

// A server says that it is at work for as long as it is.
func TestAServerAtWorkSaysSo(t *testing.T) {
	dir := t.TempDir()
	_, stop := runServer(t, dir)
	stop()
	endless(t, dir, "queued", "'' AS tenant, 'x' AS company, '' AS currency, 0 AS amount, 0 AS lira")
	_, stop = runServer(t, dir)
	conn, err := net.Dial("unix", filepath.Join(dir, "control.sock"))
	if err != nil {
		t.Fatal(err)
	}
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	io.WriteString(conn, "POST /check HTTP/1.1\r\nHost: control\r\nContent-Length: 2\r\n\r\n{}")
	const want = "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != want {
		t.Errorf("%q %v", got, err)
	}
	// Nobody waits for it any more: it ends.
	conn.Close()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		all := make([]byte, 4<<20)
		if !strings.Contains(string(all[:runtime.Stack(all, true)]), "store.(*DB).CheckData") {
			break
		}
		if time.Since(began) > 10*time.Second {
			t.Fatal("a check that nobody waits for goes on")
		}
	}
	for range 64 { // every reader is as good as before
		command(t, dir, "tenant list", "{}")
	}
	stop()
}
