package webhook_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"esnaf/webhook"
	"esnaf/webhook/sign"
)

// BenchmarkDeliveries drains an outbox into a local receiver and, in the same
// run, posts as many requests of the same shape in a plain loop of http.Client.
// PERFORMANCE asks for 0.6 of the loop's rate; "ratio" is what was reached.
func BenchmarkDeliveries(b *testing.B) {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()
	s := newShop(b)
	s.hook("company.created", receiver.URL)
	sender := webhook.New(webhook.Config{DB: s.db, Policy: loopback(b)})
	var plain, ours time.Duration
	for b.Loop() {
		const n = 5000
		b.StopTimer()
		s.companies(s.tenant, n)
		plain += timed(func() { plainLoop(b, receiver.URL, n) })
		b.StartTimer()
		ours += timed(func() { s.drain(sender, n) })
	}
	b.ReportMetric(5000*float64(b.N)/ours.Seconds(), "deliveries/s")
	b.ReportMetric(plain.Seconds()/ours.Seconds(), "ratio")
}

func timed(fn func()) time.Duration {
	began := time.Now()
	fn()
	return time.Since(began)
}

// plainLoop is what deliveries cost without a store: 8 workers, keep-alive.
func plainLoop(b testing.TB, url string, n int) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}, Timeout: 15 * time.Second}
	defer client.CloseIdleConnections()
	body := bytes.Repeat([]byte("x"), 600)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range n / 8 {
				at := time.Now()
				req, _ := http.NewRequest("POST", url, bytes.NewReader(body))
				m := sign.Message{ID: "evt_01m2j4psm0fncbsvrzzxzm6dtn", Timestamp: sign.Timestamp(at), Body: body}
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("User-Agent", "esnaf/1.2.3")
				req.Header.Set("X-Svc-Event", "company.created")
				req.Header.Set("X-Svc-Event-Id", m.ID)
				req.Header.Set("X-Svc-Attempt", "1")
				req.Header.Set("X-Svc-Timestamp", m.Timestamp)
				req.Header.Set("X-Svc-Signature", sign.Sum(secret, at, body))
				req.Header.Set("Webhook-Id", m.ID)
				req.Header.Set("Webhook-Timestamp", m.Timestamp)
				req.Header.Set("Webhook-Signature", sign.Standard(m, secret))
				resp, err := client.Do(req)
				if err != nil {
					b.Error(err)
					return
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	wg.Wait()
}
