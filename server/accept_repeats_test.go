package server_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
)

const uuid4 = "4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e21"

// TestRepeats is the part of group I that testdata/http/repeats.txt cannot say:
// malformed keys, parallel requests, lost answers and a store that fails.
func TestRepeats(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	f.rows(malformedKeys)
	f.run("I2 no row", func() {
		if n := f.count("/api/companies"); n != 0 {
			f.t.Errorf("%d companies", n)
		}
	})
	f.run("I7 one key at once", f.oneKeyAtOnce)
	f.run("I7 while the first is at work", f.whileAtWork)
	f.run("I8 one code at once", f.oneCodeAtOnce)
	f.run("I12 nobody waits for the answer", f.nobodyWaits)
	f.run("I13 forgotten after a day", f.forgotten)
	f.run("I15 one invoice is sent once", f.sentOnce)
	f.run("I10 a refusal for want of budget is not kept", f.budgetNotKept)
	f.run("I10 a failing store is not kept", f.failureNotKept)
}

var malformedKeys = []row{
	{"I2 no UUID", "POST /api/companies", `{"name":"a"}`, "Idempotency-Key: abc", 400, trade.KeyInvalid, nil},
	{"I2 37 characters", "POST /api/companies", `{"name":"a"}`, "Idempotency-Key: " + uuid4 + "a", 400, trade.KeyInvalid, nil},
	{"I2 version 1", "POST /api/companies", `{"name":"a"}`, "Idempotency-Key: 4f9c1c1e-2b7a-1a51-9d3c-0c3f3a5b7e21", 400, trade.KeyInvalid, nil},
	{"I2 version 7", "POST /api/companies", `{"name":"a"}`, "Idempotency-Key: 4f9c1c1e-2b7a-7a51-9d3c-0c3f3a5b7e21", 400, trade.KeyInvalid, nil},
	{"I2 nil", "POST /api/companies", `{"name":"a"}`, "Idempotency-Key: 00000000-0000-0000-0000-000000000000", 400, trade.KeyInvalid, nil},
	{"I2 twice", "POST /api/companies", `{"name":"a"}`, "Idempotency-Key: " + uuid4 + "\nIdempotency-Key: " + uuid4, 400, trade.HeaderRepeated, nil},
	{"I2 braces", "POST /api/companies", `{"name":"a"}`, "Idempotency-Key: {" + uuid4 + "}", 400, trade.KeyInvalid, nil},
	{"I2 also where none is needed", "POST /api/products", `{"name":"a"}`, "Idempotency-Key: abc", 400, trade.KeyInvalid, nil},
}

// parallel sends n requests at once and counts their answers by status and code.
func (f *fixture) parallel(n int, request func(i int) *http.Request) (tally map[string]int, all []response) {
	f.t.Helper()
	all = make([]response, n)
	requests := make([]*http.Request, n)
	for i := range n {
		requests[i] = request(i)
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { all[i] = f.send(requests[i]) })
	}
	wg.Wait()
	tally = map[string]int{}
	for _, res := range all {
		tally[strings.TrimSpace(fmt.Sprint(res.status, " ", res.part("code")))]++
	}
	return tally, all
}

func (f *fixture) oneKeyAtOnce() {
	before := f.count("/api/companies")
	request := func(int) *http.Request {
		return f.ready("POST /api/companies", `{"name":"Aynı Anda"}`, "Idempotency-Key: {uuid 7}")
	}
	tally, all := f.parallel(50, request)
	made, first := 0, ""
	for _, res := range all {
		switch {
		case res.status == 201 && res.header.Get("Idempotent-Replayed") == "":
			made, first = made+1, string(res.body)
		case res.part("code") == string(trade.KeyInProgress) && res.header.Get("Retry-After") != "1":
			f.t.Errorf("Retry-After: %q", res.header.Get("Retry-After"))
		}
	}
	again := f.send(request(0))
	for _, res := range append(all, again) {
		// A 201 has no code: member code of a company is its own.
		if res.status == 201 && string(res.body) != first {
			f.t.Errorf("another company: %s", res.body)
		}
	}
	if tally["409 idempotency_in_progress"]+tally["201 C000001"] != 50 || made != 1 || again.header.Get("Idempotent-Replayed") != "true" {
		f.t.Errorf("%v, %d made, then %d %v", tally, made, again.status, again.header)
	}
	if n := f.count("/api/companies") - before; n != 1 {
		f.t.Errorf("%d companies", n)
	}
}

// whileAtWork holds the writer, so that of two requests the first cannot end: the
// second is told to come again.
func (f *fixture) whileAtWork() {
	held, release := make(chan struct{}), make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		f.write(store.Who{Tenant: f.one.tenant, Actor: "test"}, func(*store.Tx) error {
			close(held)
			<-release
			return nil
		})
	})
	<-held
	answers := make(chan response)
	for range 2 {
		req := f.ready("POST /api/companies", `{"name":"Çalışıyor"}`, "Idempotency-Key: {uuid 70}")
		go func() { answers <- f.send(req) }()
	}
	var second response
	select {
	case second = <-answers:
	case <-time.After(10 * time.Second): // both wait for the writer
	}
	close(release)
	first := <-answers
	writer.Wait()
	if second.status != 409 || second.part("code") != string(trade.KeyInProgress) || second.header.Get("Retry-After") != "1" || first.status != 201 {
		f.t.Errorf("%d %s, then %d", second.status, second.body, first.status)
	}
}

func (f *fixture) oneCodeAtOnce() {
	tally, _ := f.parallel(50, func(int) *http.Request {
		return f.ready("POST /api/companies", `{"name":"Tek","code":"ONLY"}`, "")
	})
	if tally["201 ONLY"] != 1 || tally["409 duplicate"] != 49 {
		f.t.Errorf("%v", tally)
	}
}

// nobodyWaits lets the client leave as soon as the server has its request.
func (f *fixture) nobodyWaits() {
	before := f.count("/api/companies")
	for range 20 {
		ctx, leave := context.WithCancel(f.t.Context())
		req := f.ready("POST /api/companies", `{"name":"Gitti"}`, "").WithContext(ctx)
		key := req.Header.Get("Idempotency-Key")
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			if resp, err := f.client.Do(req); err == nil {
				resp.Body.Close()
			}
		}()
		leave()
		<-gone
		res := f.ask("POST /api/companies", `{"name":"Gitti"}`, "Idempotency-Key: "+key)
		for res.part("code") == string(trade.KeyInProgress) {
			res = f.ask("POST /api/companies", `{"name":"Gitti"}`, "Idempotency-Key: "+key)
		}
		if res.status != 201 {
			f.t.Errorf("%d %s", res.status, res.body)
		}
	}
	if n := f.count("/api/companies") - before; n != 20 {
		f.t.Errorf("%d companies, want 20", n)
	}
}

func (f *fixture) forgotten() {
	if _, err := f.db.SweepReplies(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	f.made("/api/products", `{"name":"a"}`)
	f.clock.Advance(24*time.Hour - time.Minute)
	if n, err := f.db.SweepReplies(f.t.Context()); n != 0 || err != nil {
		f.t.Errorf("%d swept a minute too early, %v", n, err)
	}
	f.clock.Advance(2 * time.Minute)
	if n, err := f.db.SweepReplies(f.t.Context()); n == 0 || err != nil {
		f.t.Errorf("nothing swept, %v", err)
	}
	if n, err := f.db.SweepReplies(f.t.Context()); n != 0 || err != nil {
		f.t.Errorf("%d left by the first sweep, %v", n, err)
	}
	f.signIn()
}

func (f *fixture) sentOnce() {
	company := f.made("/api/companies", buyerBody)
	for _, keys := range []string{"Idempotency-Key: {fresh}", "Idempotency-Key: {uuid 15}"} {
		id := f.made("/api/invoices", `{"companyId":"`+company+`","lines":[{"name":"Defter","quantity":"1","unitPrice":"10","vatRate":"20"}]}`)
		_, all := f.parallel(8, func(int) *http.Request { return f.ready("POST /api/invoices/"+id+"/send", "", keys) })
		numbers := map[string]int{}
		for _, res := range all {
			switch {
			case res.status == 202:
				numbers[res.part("number")+" "+res.part("ettn")]++
			case res.part("code") == string(trade.KeyInProgress), res.part("code") == string(trade.InvalidState) && strings.Contains(keys, "fresh"):
			default:
				f.t.Errorf("%d %s", res.status, res.body)
			}
		}
		if len(numbers) != 1 {
			f.t.Errorf("numbers %v", numbers)
		}
	}
	f.drain()
	res := f.ask("GET /api/invoices?page=1&status=SENT", "", "")
	if res.part("meta.total") != "2" || !strings.Contains(res.part("body"), "EFA2026000000001") || !strings.Contains(res.part("body"), "EFA2026000000002") {
		f.t.Errorf("%s", res.body)
	}
}

// buyerBody is a company that can stand on an e-Fatura.
const buyerBody = `{"name":"Yıldız Gıda Ltd. Şti.","type":"CUSTOMER","taxNumber":"9205121120","taxOffice":"Çankaya","city":"Ankara","district":"Çankaya","address":"Deneme Sokak 1","postalCode":"06100"}`

func (f *fixture) budgetNotKept() {
	f.plan(trade.PlanStandard)
	defer f.plan(trade.PlanUnlimited)
	for range 60 {
		f.ask("GET /api/me", "", "")
	}
	const do, body, key = "POST /api/companies", `{"name":"Bekledi"}`, "Idempotency-Key: {uuid 29}"
	f.row(row{"", do, body, key, 429, trade.RateLimited, nil})
	f.clock.Advance(time.Second)
	f.row(row{"", do, body, key, 201, "", []string{"header Idempotent-Replayed ="}})
}

// failureNotKept closes the store under the server, which is all that a caller
// can tell of a disk that fails.
func (f *fixture) failureNotKept() {
	const do, body, key = "POST /api/companies", `{"name":"Yine"}`, "Idempotency-Key: {uuid 30}"
	req := f.ready(do, body, key)
	f.made("/api/products", `{"name":"known callers are remembered"}`)
	if err := f.db.Close(); err != nil {
		f.t.Fatal(err)
	}
	if res := f.send(req); res.status != 503 || res.part("code") != string(trade.StoreUnavailable) || res.header.Get("Retry-After") != "10" {
		f.t.Errorf("%d %s", res.status, res.body)
	}
	f.boot(nil)
	f.row(row{"", do, body, key, 201, "", []string{"header Idempotent-Replayed ="}})
}
