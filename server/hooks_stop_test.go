package server_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"time"

	"esnaf/store/trade"
)

// testHooksStop ends the server while a receiver has not answered yet: the
// attempt is waited for and recorded. cli does the same to the process.
func testHooksStop(t *testing.T) {
	h := startHooked(t)
	reached, answer := make(chan struct{}), make(chan struct{})
	e := h.listen(func(_ int, w http.ResponseWriter) {
		close(reached) // a second call would be a panic here
		<-answer
		w.WriteHeader(http.StatusNoContent)
	})
	id := h.register("company.created", e.URL)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.srv.Run(ctx, ln, noReady) }()
	h.company("Ada Ltd")
	<-reached
	if d := h.delivery(id); d.State != trade.DeliveryPending || len(d.Attempts) != 0 {
		t.Errorf("while the receiver thinks, the delivery is %+v", d)
	}
	if res := h.do("GET", "/readyz", ""); res.status != 200 {
		t.Errorf("/readyz before the stop: %d", res.status)
	}
	stop()
	select {
	case err := <-ended:
		t.Fatalf("the server ended before the receiver answered: %v", err)
	case <-time.After(100 * time.Millisecond): // there is nothing to wait on for what must not happen
	}
	if res := h.do("GET", "/readyz", ""); res.status != 503 {
		t.Errorf("/readyz of a server that stops: %d", res.status)
	}
	close(answer)
	if err := <-ended; err != nil && !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
	if d := h.delivery(id); d.State != trade.Delivered || len(d.Attempts) != 1 {
		t.Errorf("after the stop the delivery is %+v", d)
	}
	h.serve("", "127.0.0.0/8")
	h.advance("100h")
	h.drain()
	h.heard(e, 1)
}
