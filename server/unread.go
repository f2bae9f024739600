package server

import (
	"io"
	"net"
	"net/http"
	"time"

	"esnaf/store/clock"
)

// What of a body is read once its request is answered: most clients send all of it before
// they read, and a connection that is closed on the rest is reset, the answer with it.
const (
	maxRest  = 64 << 20
	restTime = 10 * time.Second
)

// heard takes in what next has left of a body, and throws it away, so that the answer
// arrives. Of more than maxRest, or what takes longer than patience, it may not.
func heard(next http.Handler, patience time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		answer := &bounded{ResponseWriter: w, body: watched{ReadCloser: r.Body, header: w.Header()}, patience: patience}
		body := &answer.body
		inner := r.WithContext(r.Context()) // the server's own request stays as it is
		inner.Body = body
		next.ServeHTTP(answer, inner)
		waits := !body.begun && r.Header.Get("Expect") != "" // for our word before it sends any
		if body.ended || waits || r.ContentLength > maxRest {
			return
		}
		answer.bound()
		if http.NewResponseController(w).Flush() != nil {
			return
		}
		if body.broken {
			answer.linger()
			return
		}
		_, _ = io.CopyN(io.Discard, r.Body, maxRest) // an error means that nobody sends any more
	})
}

// bounded is an answer from whose first byte on the rest of the body has patience to come:
// before it goes out the server itself waits for a small one.
type bounded struct {
	http.ResponseWriter
	body     watched
	patience time.Duration
	until    time.Time
}

// Unwrap is for http.ResponseController.
func (b *bounded) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// WriteHeader begins the answer.
func (b *bounded) WriteHeader(status int) {
	b.bound()
	b.ResponseWriter.WriteHeader(status)
}

// Write begins the answer or goes on with it.
func (b *bounded) Write(p []byte) (int, error) {
	b.bound()
	return b.ResponseWriter.Write(p)
}

func (b *bounded) bound() {
	if b.until.IsZero() && !b.body.ended {
		b.until = clock.System{}.Now().Add(b.patience)
		_ = http.NewResponseController(b.ResponseWriter).SetReadDeadline(b.until) // an error: there is no connection, as in a test
	}
}

// linger takes in what still comes as bytes, where no request can be told any more, and
// closes the connection. Who sends it sees the end of our side at once.
func (b *bounded) linger() {
	conn, rest, err := http.NewResponseController(b.ResponseWriter).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	if c, ok := conn.(*net.TCPConn); ok {
		_ = c.CloseWrite()
	}
	if conn.SetReadDeadline(b.until) == nil {
		_, _ = io.CopyN(io.Discard, rest, maxRest)
	}
}

// watched is a body that tells how far it was read.
type watched struct {
	io.ReadCloser
	header http.Header // of the answer
	begun  bool
	ended  bool
	broken bool // what is left is bytes, with no end that could be told
}

// Read reads on.
func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.begun = true
	switch err {
	case nil:
	case io.EOF:
		b.ended = true
	default:
		b.broken = true
		b.header["Connection"] = []string{"close"}
	}
	return n, err
}
