package server

import (
	"io"
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
// arrives. Of more than maxRest it may not.
func heard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		body := &watched{ReadCloser: r.Body}
		inner := r.WithContext(r.Context()) // the server's own request stays as it is
		inner.Body = body
		next.ServeHTTP(w, inner)
		waits := !body.begun && r.Header.Get("Expect") != "" // for our word before it sends any
		if body.ended || waits || r.ContentLength > maxRest {
			return
		}
		control := http.NewResponseController(w)
		if control.Flush() == nil && control.SetReadDeadline(clock.System{}.Now().Add(restTime)) == nil {
			_, _ = io.CopyN(io.Discard, r.Body, maxRest) // an error means that nobody sends any more
		}
	})
}

// watched is a body that tells how far it was read.
type watched struct {
	io.ReadCloser
	begun bool
	ended bool // or cannot be read any further
}

// Read reads on.
func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.begun, b.ended = true, err != nil
	return n, err
}
