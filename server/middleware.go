package server

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"

	"esnaf/server/wire"
	"esnaf/store/trade"
)

// around is what every request passes, whatever it asks for: it gets its id, its
// caller's address, and the headers of every answer; a panic becomes one plain
// answer and one whole line in the log.
func (s *Server) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := s.requestID(r)
		h := w.Header()
		h["X-Request-Id"] = []string{id}
		h["X-Content-Type-Options"] = []string{"nosniff"}
		r = r.WithContext(wire.WithRequestID(r.Context(), id))
		if len(s.proxies) > 0 {
			if !s.overTLS(w, r) {
				return
			}
			r.RemoteAddr = net.JoinHostPort(s.address(r), "0")
		}
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler {
					panic(p)
				}
				wire.Problem(w, r, s.log, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		if s.log.Enabled(r.Context(), slog.LevelDebug) { // the arguments alone cost what a small answer costs
			s.log.Debug("request", "method", r.Method, "path", r.URL.Path, "request", id, "address", r.RemoteAddr)
		}
		if len(r.RequestURI) > maxURI {
			wire.Problem(w, r, s.log, trade.Fail(trade.TooBig, trade.URITooLong, maxURI))
			return
		}
		if len(r.TransferEncoding) > 0 {
			// A length that was sent beside the chunks is gone by now, and whoever
			// stands before us may have gone by it: what follows on this connection
			// could be somebody else's request.
			h["Connection"] = []string{"close"}
		}
		next.ServeHTTP(w, r)
	})
}

// maxURI is the longest path and query, in bytes.
const maxURI = 8 << 10

// requestID keeps the id that a request comes with when it is harmless in logs
// and headers, else makes one.
func (s *Server) requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); id != "" && len(id) <= 128 && harmless(id) {
		return id
	}
	return s.db.IDs().New("req", s.db.Clock().Now())
}

func harmless(s string) bool {
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}
