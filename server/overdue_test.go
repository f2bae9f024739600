package server_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestOverdueAtMidnight lets a server run beyond the day on which an invoice is due:
// the worker wakes by the clock, marks it, and webhooks are told.
func TestOverdueAtMidnight(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	told := make(chan []byte, 8)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if body, err := io.ReadAll(r.Body); err == nil {
			told <- body
		}
	}))
	t.Cleanup(receiver.Close)
	f.made("/api/webhooks", `{"event":"invoice.updated","url":"`+receiver.URL+`"}`)
	company := f.made("/api/companies", buyerBody)
	id := f.made("/api/invoices", `{"companyId":"`+company+`","dueDate":"2026-09-20","lines":[{"name":"Defter","quantity":"1","unitPrice":"10","vatRate":"20"}]}`)
	f.do("POST", "/api/v1/finance/invoices/"+id+"/send", "", "X-Api-Key", f.one.key)
	f.drain()

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.srv.Run(ctx, ln, noReady) }()
	f.clock.Advance(7 * 24 * time.Hour) // several days at once, as after a pause
	select {
	case body := <-told:
		if member(body, "data.object.id") != id || member(body, "data.object.paymentStatus") != "OVERDUE" || member(body, "data.previous.paymentStatus") != "UNPAID" {
			t.Errorf("told was %s", body)
		}
	case <-time.After(20 * time.Second):
		t.Error("nobody was told")
	}
	got := f.do("GET", "/api/v1/finance/invoices/"+id, "", "X-Api-Key", f.one.key)
	if got.part("paymentStatus") != "OVERDUE" || got.part("status") != "SENT" {
		t.Errorf("the invoice is %s", got.body)
	}
	stop()
	if err := <-ended; err != nil && !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
	if len(told) > 0 {
		t.Errorf("told again was %s", <-told)
	}
}
