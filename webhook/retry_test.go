package webhook_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/webhook/sign"
)

// next moves the clock to when the only delivery of a webhook is due again and
// returns how long that took.
func (s *shop) next(webhookID string) time.Duration {
	s.t.Helper()
	log := s.log(webhookID)
	at := log[len(log)-1].NextAttempt
	if at == 0 {
		s.t.Fatalf("no attempt follows: %+v", log)
	}
	gap := at.Time().Sub(s.clock.Now())
	s.clock.Set(at.Time())
	return gap
}

// TestRetries is ACCEPTANCE W5, W6 and W7.
func TestRetries(t *testing.T) {
	s := newShop(t)
	failures := 3
	r := s.receiver(func(w http.ResponseWriter, _ *http.Request) {
		if failures--; failures >= 0 {
			http.Error(w, "bakımdayız", http.StatusInternalServerError)
		}
	})
	id := s.hook("company.created", r.URL)
	s.company(s.tenant, "Deneme")
	sender := s.sender("1s,2s,4s,8s")
	s.drain(sender, 1)
	for _, planned := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
		gap := s.next(id)
		if gap < planned*4/5 || gap > planned*6/5 {
			t.Errorf("the gap is %v, planned %v", gap, planned)
		}
		s.clock.Advance(-time.Millisecond)
		s.drain(sender, 0)
		s.clock.Advance(time.Millisecond)
		s.drain(sender, 1)
	}
	s.clock.Advance(time.Hour)
	s.drain(sender, 0)

	calls := r.got()
	for i, c := range calls {
		h := c.header
		if string(c.body) != string(calls[0].body) || h.Get("X-Svc-Event-Id") != calls[0].header.Get("X-Svc-Event-Id") || h.Get("X-Svc-Attempt") != fmt.Sprint(i+1) {
			t.Errorf("attempt %d: %v %s", i+1, h, c.body)
		}
		if err := sign.Check(secret, h.Get("X-Svc-Signature"), h.Get("X-Svc-Timestamp"), c.body, c.at); err != nil || h.Get("X-Svc-Timestamp") != sign.Timestamp(c.at) {
			t.Errorf("attempt %d at %d: %v %v", i+1, c.at.Unix(), h, err)
		}
	}
	log := s.log(id)
	if len(log) != 1 || log[0].State != trade.Delivered || log[0].NextAttempt != 0 || len(log[0].Attempts) != 4 {
		t.Fatalf("the log says %+v", log)
	}
	if first := log[0].Attempts[0]; first.Status != 500 || first.Error != "answered 500 Internal Server Error" || first.Excerpt != "bakımdayız\n" {
		t.Errorf("the first attempt is %+v", first)
	}
}

// TestThePlanEnds: after the last attempt a delivery has failed, and that is final.
func TestThePlanEnds(t *testing.T) {
	s := newShop(t)
	r := s.receiver(answer(503))
	id := s.hook("company.created", r.URL)
	s.company(s.tenant, "Deneme")
	sender := s.sender("1s,2s")
	s.drain(sender, 1)
	s.next(id)
	s.drain(sender, 1)
	s.next(id)
	s.drain(sender, 1)
	s.clock.Advance(1000 * time.Hour)
	s.drain(sender, 0)
	if log := s.log(id); log[0].State != trade.DeliveryFailed || log[0].NextAttempt != 0 || len(log[0].Attempts) != 3 {
		t.Errorf("the log says %+v", log)
	}
}

// TestRetryAfter is ACCEPTANCE W9, with a planned wait of 4 s.
func TestRetryAfter(t *testing.T) {
	for asked, limits := range map[string][2]time.Duration{
		"6":                             {6 * time.Second, 8 * time.Second},
		"99999999":                      {8 * time.Second, 8 * time.Second},
		"Tue, 15 Sep 2026 09:00:07 GMT": {7 * time.Second, 8 * time.Second},
		"1":                             {3200 * time.Millisecond, 4800 * time.Millisecond},
		"-1":                            {3200 * time.Millisecond, 4800 * time.Millisecond},
		"abc":                           {3200 * time.Millisecond, 4800 * time.Millisecond},
		"":                              {3200 * time.Millisecond, 4800 * time.Millisecond},
	} {
		s := newShop(t)
		r := s.receiver(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", asked)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		id := s.hook("company.created", r.URL)
		s.company(s.tenant, "Deneme")
		s.drain(s.sender("4s,4s"), 1)
		if gap := s.next(id); gap < limits[0] || gap > limits[1] {
			t.Errorf("Retry-After %q: the next attempt is in %v", asked, gap)
		}
	}
}

// TestRedirectsAreFailures is ACCEPTANCE W10.
func TestRedirectsAreFailures(t *testing.T) {
	s := newShop(t)
	second := s.receiver(nil)
	for _, status := range []int{301, 302, 303, 307, 308} {
		r := s.receiver(func(w http.ResponseWriter, q *http.Request) { http.Redirect(w, q, second.URL, status) })
		id := s.hook("company.created", r.URL)
		s.company(s.tenant, "Deneme")
		if _, err := s.sender("1h").Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		a := s.log(id)[0].Attempts[0]
		if a.Status != status || a.Error != fmt.Sprintf("answered %d; redirects are not followed", status) {
			t.Errorf("%d: %+v", status, a)
		}
	}
	if n := len(second.got()); n != 0 {
		t.Errorf("the second server got %d calls", n)
	}
}

// TestGone is ACCEPTANCE W11.
func TestGone(t *testing.T) {
	s := newShop(t)
	gone, other := s.receiver(answer(410)), s.receiver(nil)
	id := s.hook("company.created", gone.URL)
	s.hook("*", other.URL)
	sender := s.sender("1s,1s")
	s.company(s.tenant, "Deneme")
	s.drain(sender, 3) // 410, and the other hears of the company and of the webhook
	s.company(s.tenant, "Deneme 2")
	s.clock.Advance(time.Hour)
	s.drain(sender, 1)
	if n := len(gone.got()); n != 1 {
		t.Errorf("the one that is gone got %d calls", n)
	}
	var heard []string
	for _, c := range other.got() {
		heard = append(heard, c.header.Get("X-Svc-Event"))
	}
	slices.Sort(heard) // calls are under way side by side
	if got := strings.Join(heard, " "); got != "company.created company.created webhook.disabled" {
		t.Errorf("the other heard %s", got)
	}
	err := s.db.Read(t.Context(), store.Who{Tenant: s.tenant}, func(v *store.View) error {
		w, err := store.Webhooks.Get(v, id)
		if w.Status != trade.WebhookSwitched || !strings.Contains(w.DisabledReason, "410") || w.DisabledAt != trade.At(start) {
			t.Errorf("the webhook is %+v", w)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestGoneAfterDeletion: the answer to a call that was under way when its webhook
// was deleted is recorded and changes nothing else.
func TestGoneAfterDeletion(t *testing.T) {
	s := newShop(t)
	var id string
	r := s.receiver(func(w http.ResponseWriter, _ *http.Request) {
		s.write(s.tenant, func(tx *store.Tx) error { return tx.DeleteWebhook(id, store.Any) })
		w.WriteHeader(http.StatusGone)
	})
	id = s.hook("company.created", r.URL)
	s.company(s.tenant, "Deneme")
	s.drain(s.sender("1s"), 1)
	if log := s.log(id); log[0].State != trade.DeliveryCancelled || log[0].Attempts[0].Status != 410 {
		t.Errorf("the log says %+v", log)
	}
}

// raw answers every call with text, as no HTTP server of Go would, and closes.
func raw(t *testing.T, text string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if q, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
				q.Body.Close() // reads it to its end
				fmt.Fprint(c, text)
			}
			c.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

// TestWhatIsASuccess is ACCEPTANCE W12, and what stands in the log of a failure.
func TestWhatIsASuccess(t *testing.T) {
	s := newShop(t)
	closed := s.receiver(nil)
	closed.Close()
	want := map[string]string{ // webhook -> error
		s.hook("company.created", s.receiver(answer(200)).URL):                               "",
		s.hook("company.created", s.receiver(answer(204)).URL):                               "",
		s.hook("company.created", s.receiver(answer(299)).URL):                               "",
		s.hook("company.created", s.receiver(answer(304)).URL):                               "answered 304 Not Modified",
		s.hook("company.created", s.receiver(answer(400)).URL):                               "answered 400 Bad Request",
		s.hook("company.created", s.receiver(answer(404)).URL):                               "answered 404 Not Found",
		s.hook("company.created", s.receiver(answer(500)).URL):                               "answered 500 Internal Server Error",
		s.hook("company.created", s.receiver(answer(599)).URL):                               "answered 599",
		s.hook("company.created", raw(t, "HTTP/1.1 199 Odd\r\n\r\n")):                        "the connection was closed before the answer was complete",
		s.hook("company.created", raw(t, "")):                                                "the connection was closed before the answer was complete",
		s.hook("company.created", raw(t, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal")): "the connection was closed before the answer was complete",
		s.hook("company.created", raw(t, "SSH-2.0-OpenSSH_9.9\r\n")):                         "the answer was not HTTP",
		s.hook("company.created", closed.URL):                                                "the connection was refused",
		s.hook("company.created", "https"+strings.TrimPrefix(s.receiver(nil).URL, "http")):   "no TLS connection could be made",
		s.hook("company.created", "https://10.0.0.1/"):                                       "the address is private or reserved and is not called",
	}
	s.company(s.tenant, "Deneme")
	s.drain(s.sender("1h"), len(want))
	for id, reason := range want {
		d := s.log(id)[0]
		a := d.Attempts[0]
		if state := d.State; a.Error != reason || (state == trade.Delivered) != (reason == "") || len(d.Attempts) != 1 {
			t.Errorf("%+v, want %q", d, reason)
		}
	}
}
