package webhook_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/webhook/sign"
)

// TestDelivery is ACCEPTANCE W1: one POST with the headers of DECISIONS 40.
func TestDelivery(t *testing.T) {
	s := newShop(t)
	r := s.receiver(nil)
	id := s.hook("company.created", r.URL+"/hook?x=1")
	s.hook("invoice.*", r.URL) // hears nothing of companies
	s.company(s.tenant, "Deneme")
	sender := s.sender("1s")
	s.drain(sender, 1)
	s.drain(sender, 0)
	calls := r.got()
	if len(calls) != 1 {
		t.Fatalf("%d calls", len(calls))
	}
	var body struct {
		ID, Event, APIVersion, TenantID string
		Data                            struct{ Object struct{ Name string } }
	}
	c := calls[0]
	if err := json.Unmarshal(c.body, &body); err != nil {
		t.Fatal(err)
	}
	if body.Event != "company.created" || body.TenantID != s.tenant || body.APIVersion == "" || body.Data.Object.Name != "Deneme" {
		t.Errorf("the body is %s", c.body)
	}
	want := http.Header{
		"Accept-Encoding": nil, "Content-Length": {strconv.Itoa(len(c.body))}, "Content-Type": {"application/json"}, "User-Agent": {"esnaf/1.2.3"},
		"X-Svc-Event": {"company.created"}, "X-Svc-Event-Id": {body.ID}, "X-Svc-Attempt": {"1"},
		"X-Svc-Timestamp": {strconv.FormatInt(start.Unix(), 10)}, "X-Svc-Signature": {sign.Sum(secret, start, c.body)},
		"Webhook-Id": {body.ID}, "Webhook-Timestamp": {strconv.FormatInt(start.Unix(), 10)},
		"Webhook-Signature": {sign.Standard(sign.Message{ID: body.ID, Timestamp: sign.Timestamp(start), Body: c.body}, secret)},
	}
	delete(want, "Accept-Encoding") // none is accepted, so none is asked for
	if diff := cmp.Diff(want, c.header); diff != "" {
		t.Error(diff)
	}
	log := s.log(id)
	if len(log) != 1 || log[0].State != trade.Delivered || len(log[0].Attempts) != 1 || log[0].Attempts[0].Status != 204 || log[0].EventID != body.ID {
		t.Errorf("the log says %+v", log)
	}
}

// TestSignaturesInASecondLanguage is ACCEPTANCE W2 over the wire.
func TestSignaturesInASecondLanguage(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("openssl is not on this machine: signatures are not compared with it")
	}
	s := newShop(t)
	r := s.receiver(nil)
	s.hook("company.created", r.URL)
	names := []string{"Plain Trading", "ığüşöçİ Ticaret", "Nazar 🧿", "Ahmet <b>&</b> Oğlu", "a\u2028b", strings.Repeat("Çay ", 60)}
	for _, name := range names {
		s.company(s.tenant, name)
	}
	s.drain(s.sender("1s"), len(names))
	for _, c := range r.got() {
		cmd := exec.Command(openssl, "dgst", "-sha256", "-hmac", secret)
		cmd.Stdin = strings.NewReader(c.header.Get("X-Svc-Timestamp") + "." + string(c.body))
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := c.header.Get("X-Svc-Signature"); !strings.HasSuffix(strings.TrimSpace(string(out)), "= "+got) {
			t.Errorf("%s\nis signed %s, openssl says %s", c.body, got, out)
		}
	}
}

// TestEveryScheme: what a webhook registered is what its receiver can check.
func TestEveryScheme(t *testing.T) {
	s := newShop(t)
	r := s.receiver(nil)
	n := 0
	for _, f := range trade.SignatureFormat("").Values() {
		for _, c := range trade.SignedContent("").Values() {
			s.register(s.tenant, trade.Webhook{
				Event: "company.created", URL: r.URL + "/" + f + "/" + c, Secret: secret,
				SignatureFormat: trade.SignatureFormat(f), SignedContent: trade.SignedContent(c),
			})
			n++
		}
	}
	s.company(s.tenant, "Deneme")
	s.drain(s.sender("1s"), n)
	for _, c := range r.got() {
		_, format, _ := strings.Cut(c.path, "/")
		format, content, _ := strings.Cut(format, "/")
		m := sign.Message{ID: c.header.Get("X-Svc-Event-Id"), Timestamp: c.header.Get("X-Svc-Timestamp"), Body: c.body}
		scheme := sign.Scheme{Format: sign.Format(format), Content: sign.Content(content)}
		if err := scheme.Check(m, secret, c.header.Get("X-Svc-Signature"), start); err != nil {
			t.Errorf("%s: %v", c.path, err)
		}
		if err := sign.CheckStandard(m, secret, c.header.Get("Webhook-Signature"), start); err != nil {
			t.Errorf("%s: %v", c.path, err)
		}
	}
}

// TestSeveralEventsOfOneChange is ACCEPTANCE W38.
func TestSeveralEventsOfOneChange(t *testing.T) {
	s := newShop(t)
	r := s.receiver(nil)
	s.hook("*", r.URL)
	s.companies(s.tenant, 2)
	s.company(s.tenant, "Deneme")
	s.drain(s.sender("1s"), 3)
	var order []int
	for _, c := range r.got() {
		var body struct{ Sequence int }
		if err := json.Unmarshal(c.body, &body); err != nil {
			t.Fatal(err)
		}
		order = append(order, body.Sequence)
	}
	slices.Sort(order) // as a receiver restores it
	if diff := cmp.Diff([]int{order[0], order[0] + 1, order[0] + 2}, order); diff != "" {
		t.Error(diff)
	}
}

// TestNothingButWhatWasCommitted is ACCEPTANCE W21.
func TestNothingButWhatWasCommitted(t *testing.T) {
	s := newShop(t)
	r := s.receiver(nil)
	s.hook("company.*", r.URL)
	want := map[string]bool{}
	sender := s.sender("1s")
	for i := range 60 {
		failed := errors.New("after the event was made")
		err := s.db.Write(t.Context(), store.Who{Tenant: s.tenant, Actor: "test"}, func(tx *store.Tx) error {
			doc, err := tx.CreateCompany(trade.Company{Name: fmt.Sprint("Firma ", i)})
			if err != nil {
				return err
			}
			id, err := idOf(doc.JSON)
			switch i % 4 {
			case 0:
				return failed
			case 1:
				_, err = tx.UpdateCompany(id, store.Match{Versions: []int64{99}}, trade.Company{Name: "Stale"})
			case 2:
				_, err = tx.CreateCompany(trade.Company{})
			default:
				want[fmt.Sprint("Firma ", i)] = true
			}
			return err
		})
		if (err == nil) != (i%4 == 3) {
			t.Fatalf("write %d: %v", i, err)
		}
		if i%7 == 0 {
			if _, err := sender.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := sender.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, c := range r.got() {
		var body struct {
			Data struct{ Object struct{ Name string } }
		}
		if err := json.Unmarshal(c.body, &body); err != nil {
			t.Fatal(err)
		}
		got[body.Data.Object.Name] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestMoreReceiversThanLanes: those that find no lane free have their turn later.
func TestMoreReceiversThanLanes(t *testing.T) {
	s := newShop(t)
	r := s.receiver(nil)
	const accounts = 3 // with as many as each can have
	for range accounts {
		s.tenant = s.newTenant()
		s.hooks(s.tenant, trade.MaxWebhooks, r.URL)
		s.company(s.tenant, "Deneme")
	}
	s.drain(s.sender("1s"), accounts*trade.MaxWebhooks)
}

// TestDeletedWebhook is ACCEPTANCE W36: nothing more is sent, the log stays.
func TestDeletedWebhook(t *testing.T) {
	s := newShop(t)
	r := s.receiver(answer(500))
	id := s.hook("company.created", r.URL)
	s.company(s.tenant, "Deneme")
	sender := s.sender("1s,1s,1s")
	s.drain(sender, 1)
	s.write(s.tenant, func(tx *store.Tx) error { return tx.DeleteWebhook(id, store.Any) })
	s.company(s.tenant, "Deneme 2")
	s.clock.Advance(time.Hour)
	s.drain(sender, 0)
	if log := s.log(id); len(log) != 1 || log[0].State != trade.DeliveryCancelled || len(log[0].Attempts) != 1 {
		t.Errorf("the log says %+v", log)
	}
}
