package server_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"esnaf/store/trade"
)

// TestHooksRetried is what happens when a receiver does not take a delivery.
func TestHooksRetried(t *testing.T) {
	t.Run("W6", testHooksRepeatTheSame)
	t.Run("W7", testHooksGaps)
	t.Run("W8", testHooksDefaultPlan)
	t.Run("W9", testHooksRetryAfter)
	t.Run("W10", testHooksFollowNothing)
	t.Run("W11", testHooksGone)
	t.Run("resumed", testHooksResumed)
	t.Run("W12", testHooksSuccess)
}

// testHooksRepeatTheSame fails three times and succeeds at the fourth.
func testHooksRepeatTheSame(t *testing.T) {
	h := startHooked(t)
	e := h.listen(func(n int, w http.ResponseWriter) {
		if n <= 3 {
			http.Error(w, "the till is closed", http.StatusInternalServerError)
		}
	})
	id := h.register("company.created", e.URL)
	h.company("Ada Ltd")
	h.drain()
	for range 3 {
		h.comesDue(id)
	}
	h.advance("100h")
	h.drain()
	knocks := h.heard(e, 4)
	for i, k := range knocks {
		if !bytes.Equal(k.body, knocks[0].body) || k.header.Get("X-Svc-Event-Id") != knocks[0].header.Get("X-Svc-Event-Id") {
			t.Errorf("attempt %d has another body or event id: %s", i+1, k.body)
		}
		if got := k.header.Get("X-Svc-Attempt"); got != fmt.Sprint(i+1) {
			t.Errorf("attempt %d calls itself %s", i+1, got)
		}
	}
	d := h.delivery(id)
	if d.State != trade.Delivered || d.NextAttempt != 0 || len(d.Attempts) != 4 || d.EventID != knocks[0].header.Get("X-Svc-Event-Id") {
		t.Fatalf("the log says %+v", d)
	}
	for i, a := range d.Attempts {
		ok := i == 3
		if a.Number != i+1 || a.At.Time() != knocks[i].at || (a.Status == 200) != ok || (a.Error == "") != ok || (a.Excerpt == "the till is closed\n") == ok {
			t.Errorf("attempt %d is logged as %+v", i+1, a)
		}
	}
}

// testHooksGaps looks a millisecond early at every attempt of a schedule.
func testHooksGaps(t *testing.T) {
	h := startHooked(t)
	h.serve("1s,2s,4s,8s", "127.0.0.0/8")
	e := h.listen(always(503))
	id := h.register("company.created", e.URL)
	h.company("Ada Ltd")
	h.drain()
	for _, planned := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second} {
		next := h.delivery(id).NextAttempt.Time()
		h.clock.Set(next.Add(-time.Millisecond))
		h.drain()
		made := len(h.delivery(id).Attempts)
		last := h.heard(e, made)[made-1].at
		h.comesDue(id)
		if gap := h.heard(e, made+1)[made].at.Sub(last); gap < planned*8/10 || gap > planned*12/10 {
			t.Errorf("%v passed after attempt %d, planned were %v", gap, made, planned)
		}
	}
	if d := h.delivery(id); d.State != trade.DeliveryFailed || d.NextAttempt != 0 {
		t.Errorf("after the last attempt the delivery is %+v", d)
	}
	h.advance("1000h")
	h.drain()
	h.heard(e, 5)
}

// testHooksDefaultPlan lives through the ten attempts; cli tests how the plan is
// printed.
func testHooksDefaultPlan(t *testing.T) {
	h := startHooked(t)
	e := h.listen(always(500))
	id := h.register("company.created", e.URL)
	h.company("Ada Ltd")
	h.drain()
	h.heard(e, 1) // at once
	var total time.Duration
	for _, planned := range []string{"5s", "5m", "30m", "2h", "5h", "10h", "14h", "20h", "24h"} {
		want, err := time.ParseDuration(planned)
		if err != nil {
			t.Fatal(err)
		}
		gap := h.comesDue(id)
		if total += gap; gap < want*8/10 || gap > want*12/10 {
			t.Errorf("the wait of %s took %v", planned, gap)
		}
	}
	h.heard(e, 10)
	if d := h.delivery(id); d.State != trade.DeliveryFailed {
		t.Errorf("after 10 attempts in %v the delivery is %s", total, d.State)
	}
}

// testHooksRetryAfter lets receivers ask to be left alone for a while.
func testHooksRetryAfter(t *testing.T) {
	const base = 4 * time.Second
	h := startHooked(t)
	h.serve("4s", "127.0.0.0/8")
	rows := []struct {
		says     string
		from, to time.Duration
	}{
		{"6", 4800 * time.Millisecond, 9600 * time.Millisecond},
		{"99999999", 2 * base * 8 / 10, 2 * base},
		{"-1", base * 8 / 10, base * 12 / 10},
		{"abc", base * 8 / 10, base * 12 / 10},
		{"", base * 8 / 10, base * 12 / 10},
		{firstDay.Add(6 * time.Second).Format(http.TimeFormat), 4800 * time.Millisecond, 9600 * time.Millisecond},
	}
	var ids []string
	for _, row := range rows {
		e := h.listen(func(_ int, w http.ResponseWriter) {
			w.Header().Set("Retry-After", row.says)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		ids = append(ids, h.register("company.created", e.URL))
	}
	for range 5 { // each has a jitter of its own
		h.company("Ada Ltd")
	}
	h.drain()
	for i, row := range rows {
		log := h.deliveries(ids[i], "")
		if len(log) != 5 {
			t.Fatalf("%q: the log has %v", row.says, log)
		}
		for _, d := range log {
			if wait := d.NextAttempt.Time().Sub(firstDay); wait < row.from || wait > row.to {
				t.Errorf("after Retry-After: %s the next attempt is in %v, want %v to %v", row.says, wait, row.from, row.to)
			}
		}
	}
}

// testHooksFollowNothing redirects to a receiver that must not be reached.
func testHooksFollowNothing(t *testing.T) {
	h := startHooked(t)
	other := h.listen(nil)
	codes := []int{301, 302, 307, 308}
	e := h.listen(func(n int, w http.ResponseWriter) {
		w.Header().Set("Location", other.URL)
		w.WriteHeader(codes[n-1])
	})
	id := h.register("company.created", e.URL)
	for range codes {
		h.company("Ada Ltd")
		h.drain()
		h.advance("1ms") // the log is in the order of milliseconds
	}
	h.heard(e, len(codes))
	h.heard(other, 0)
	log := h.deliveries(id, "")
	for i, code := range codes {
		d := log[len(log)-1-i] // newest first
		if d.State != trade.DeliveryPending || d.NextAttempt == 0 || d.Attempts[0].Status != code || !strings.Contains(d.Attempts[0].Error, "redirect") {
			t.Errorf("a redirect %d is logged as %+v", code, d)
		}
	}
}

// testHooksGone answers 410, which ends that webhook and no other.
func testHooksGone(t *testing.T) {
	h := startHooked(t)
	gone, sound := h.listen(always(410)), h.listen(nil)
	id, other := h.register("company.created", gone.URL), h.register("*", sound.URL)
	h.company("Ada Ltd")
	h.drain()
	h.company("Bora Ltd") // told to the other alone
	h.advance("200h")
	h.drain()
	h.heard(gone, 1)
	h.heard(sound, 3) // two companies, and webhook.disabled
	res := h.call("GET", "/api/webhooks/"+id, "")
	if why, _ := member(res.body, "disabledReason").(string); member(res.body, "status") != "DISABLED" || !strings.Contains(why, "410") || member(res.body, "disabledAt") == nil {
		t.Errorf("the webhook is shown as %s", res.body)
	}
	if list := h.call("GET", "/api/webhooks", ""); !bytes.Contains(list.body, []byte(`"status":"DISABLED"`)) || !bytes.Contains(list.body, []byte(`"status":"ACTIVE"`)) {
		t.Errorf("the list shows %s", list.body)
	}
	if d := h.delivery(id); d.State == trade.DeliveryPending || d.State == trade.Delivered || d.NextAttempt != 0 || d.Attempts[0].Status != 410 {
		t.Errorf("the delivery is %+v", d)
	}
	for _, d := range h.deliveries(other, "") {
		if d.State != trade.Delivered {
			t.Errorf("the other webhook's delivery is %+v", d)
		}
	}
	if n := h.scalar("SELECT count(*) FROM audit WHERE action = 'webhook.disabled' AND object = '" + id + "'"); n != 1 {
		t.Errorf("%d audit rows tell that the webhook was switched off, want one", n)
	}
}

// testHooksResumed lets a receiver come back that was switched off: it hears of what happens
// from then on, and is judged anew.
func testHooksResumed(t *testing.T) {
	h := startHooked(t)
	back := h.listen(func(n int, w http.ResponseWriter) {
		if n == 1 {
			w.WriteHeader(http.StatusGone)
		}
	})
	id := h.register("company.created", back.URL)
	resume := "/api/webhooks/" + id + "/resume"
	if res := h.call("POST", resume, ""); res.status != 409 || member(res.body, "message") != "The action resume is not possible in the state ACTIVE; possible there: delete." {
		t.Errorf("%d %s", res.status, res.body)
	}
	h.company("Ada Ltd")
	h.drain()
	h.company("Bora Ltd")
	h.drain()
	h.heard(back, 1)
	res := h.call("POST", resume, "")
	if res.status != 200 || member(res.body, "status") != "ACTIVE" || member(res.body, "disabledReason") != nil || member(res.body, "disabledAt") != nil || member(res.body, "secret") != nil || res.header.Get("ETag") != `"3"` {
		t.Errorf("%d %v %s", res.status, res.header, res.body)
	}
	h.company("Cem Ltd")
	h.drain()
	h.heard(back, 2)
	if n := h.scalar("SELECT count(*) FROM webhooks WHERE id = '" + id + "' AND failing_since IS NULL AND failed_at IS NULL"); n != 1 {
		t.Error("it is not judged anew")
	}
	if n := h.scalar("SELECT count(*) FROM audit WHERE action = 'webhook.resume' AND object = '" + id + "'"); n != 1 {
		t.Errorf("%d audit rows tell of it", n)
	}
}

// testHooksSuccess goes through statuses that count as success and as failure.
func testHooksSuccess(t *testing.T) {
	h := startHooked(t)
	rows := map[int]trade.DeliveryState{
		200: trade.Delivered, 201: trade.Delivered, 204: trade.Delivered, 299: trade.Delivered,
		199: trade.DeliveryPending, 304: trade.DeliveryPending, 400: trade.DeliveryPending, 404: trade.DeliveryPending, 500: trade.DeliveryPending,
	}
	ids, ears := map[int]string{}, map[int]*ear{}
	for code := range rows {
		ears[code] = h.listen(func(_ int, w http.ResponseWriter) {
			if code >= 200 {
				w.WriteHeader(code)
				return
			}
			conn, _, err := http.NewResponseController(w).Hijack() // net/http would end a 1xx with a 200
			if err != nil {
				t.Error(err)
				return
			}
			fmt.Fprintf(conn, "HTTP/1.1 %d Odd\r\n\r\n", code)
			conn.Close()
		})
		ids[code] = h.register("company.created", ears[code].URL)
	}
	h.company("Ada Ltd")
	h.drain()
	for code, want := range rows {
		if d := h.delivery(ids[code]); d.State != want {
			t.Errorf("after %d the delivery is %+v, want it %s", code, d, want)
		}
		h.heard(ears[code], 1)
	}
}
