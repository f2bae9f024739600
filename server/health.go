package server

import (
	"net/http"

	"esnaf/store/trade"
)

// errPlainHTTP answers a request that came to the proxy without TLS, or of which the proxy
// does not say that it came with it.
var errPlainHTTP = trade.Fail(trade.Malformed, trade.BadRequest, trade.Phrase{"this service is reached over HTTPS only, and its proxy must say so by one header X-Forwarded-Proto: https", "bu hizmete yalnızca HTTPS ile ulaşılır; önündeki sunucu bunu tek bir X-Forwarded-Proto: https başlığıyla bildirmeli"})

// Where probes ask.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// healthz is 200 as long as the process lives.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, `{"status":"ok"}`)
}

// readyz is 200 while the server is migrated, seeded, can read its store and is
// not stopping.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	switch {
	case !s.ready.Load():
		answer(w, http.StatusServiceUnavailable, `{"status":"not ready","reason":"starting or stopping"}`)
	case s.db.Ready(r.Context()) != nil:
		answer(w, http.StatusServiceUnavailable, `{"status":"not ready","reason":"the store cannot be read"}`)
	default:
		answer(w, http.StatusOK, `{"status":"ready"}`)
	}
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write([]byte(body)) // a client that left has no use for an error
}
