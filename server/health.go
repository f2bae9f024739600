package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"esnaf/store/trade"
)

// errPlainHTTP answers a request that came to the proxy without TLS, or of which the proxy
// does not say that it came with it.
var errPlainHTTP = trade.Fail(trade.Malformed, trade.BadRequest, trade.Phrase{"this service is reached over HTTPS only, and its proxy must say so by one header X-Forwarded-Proto: https", "bu hizmete yalnızca HTTPS ile ulaşılır; önündeki sunucu bunu tek bir X-Forwarded-Proto: https başlığıyla bildirmeli"})

// Where who knows the address alone finds the rest, and where probes ask.
const (
	rootPath   = "/"
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// root tells whoever has only the address where to go on.
func (s *Server) root(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, fmt.Sprintf(`{"name":"esnaf","docs":"/docs","openapi":[%q,%q],"alive":%q,"ready":%q}`,
		baseA+descriptionPath, baseB+descriptionPath, healthPath, readyPath))
}

// healthz is 200 as long as the process lives.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, `{"status":"ok"}`)
}

// readyTime is how long the store may take to show that it works.
const readyTime = 5 * time.Second

// readyz is 200 while the server is migrated, seeded, can read its store and, once a
// change failed for want of a working disk, write it, and is not stopping.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	if !s.ready.Load() {
		answer(w, http.StatusServiceUnavailable, `{"status":"not ready","reason":"starting or stopping"}`)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyTime)
	defer cancel()
	if err := s.db.Ready(ctx); err != nil {
		s.log.WarnContext(r.Context(), "not ready", "error", err)
		var e *trade.Error
		if !errors.As(err, &e) {
			e = trade.Fail("", trade.Internal)
		}
		answer(w, http.StatusServiceUnavailable, fmt.Sprintf(`{"status":"not ready","reason":%q}`, e.Text(trade.English)))
		return
	}
	answer(w, http.StatusOK, `{"status":"ready"}`)
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write([]byte(body)) // a client that left has no use for an error
}
