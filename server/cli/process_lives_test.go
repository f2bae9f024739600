package cli_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"
)

// life is one server of many that follow each other on a folder.
type life struct {
	url   string
	dying chan struct{} // closed just before it is killed
}

// lives tells callers which server to ask.
type lives struct {
	mu      sync.Mutex
	changed sync.Cond
	now     *life // nil between two servers
	over    bool
}

func newLives() *lives {
	l := &lives{}
	l.changed.L = &l.mu
	return l
}

func (l *lives) set(now *life, over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now != nil {
		close(l.now.dying)
	}
	l.now, l.over = now, over
	l.changed.Broadcast()
}

// current waits for a server; nil says that there will be no more.
func (l *lives) current() *life {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.now == nil && !l.over {
		l.changed.Wait()
	}
	return l.now
}

// book is what the writers were told, to be compared with what is on disk.
type book struct {
	mu       sync.Mutex
	versions map[string]int64  // newest version answered, by id
	bodies   map[string]string // answer to each Idempotency-Key
	numbers  map[string]string // legal number by invoice
	repeats  int               // keys that were used again
	lost     int               // requests whose answer a kill has cut off
}

// enough tells whether the writers have done of everything some.
func (b *book) enough() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	series := map[string]int{}
	for _, number := range b.numbers {
		series[number[:3]]++
	}
	return b.repeats > 5 && series["EFA"] > 5 && series["EAR"] > 5
}

func (b *book) saw(key string, a answer) error {
	id, v := a.text("id"), a.version()
	b.mu.Lock()
	defer b.mu.Unlock()
	if id == "" || v < b.versions[id] {
		return fmt.Errorf("an older version than before: %d after %d: %s", v, b.versions[id], a.body)
	}
	b.versions[id] = v
	if key == "" {
		return nil
	}
	if old, ok := b.bodies[key]; ok {
		b.repeats++
		if old != string(a.body) || a.header.Get("Idempotent-Replayed") != "true" {
			return fmt.Errorf("the repeated key %s got %s, before %s", key, a.body, old)
		}
	}
	b.bodies[key] = string(a.body)
	return nil
}

// writer is one client that never gives up: it asks again, with the same key,
// until it is answered.
type writer struct {
	*site
	lives     *lives
	book      *book
	rand      *rand.Rand
	stop      *atomic.Bool
	companies []string
	drafts    []string
}

var errOver = errors.New("there is no server any more")

// insist asks the server of the moment, and when that dies the next one.
func (w *writer) insist(method, path, body string, headers ...string) (answer, error) {
	for {
		life := w.lives.current()
		if life == nil {
			return answer{}, errOver
		}
		a, err := w.call(context.Background(), life.url, method, path, body, headers...)
		if err == nil {
			return a, nil
		}
		select {
		case <-life.dying:
			w.book.mu.Lock()
			w.book.lost++
			w.book.mu.Unlock()
		default:
			return a, fmt.Errorf("%s %s failed though nobody killed the server: %w", method, path, err)
		}
	}
}

// once is insist with a new key; now and then the same is asked once more.
func (w *writer) once(status int, path, body string) (answer, error) {
	key := uuid.NewString()
	a, err := w.insist(http.MethodPost, path, body, "Idempotency-Key", key)
	switch {
	case err != nil:
		return a, err
	case a.status != status:
		return a, fmt.Errorf("POST %s: %d, want %d: %s", path, a.status, status, a.body)
	case status >= 400:
		return a, nil
	}
	if err := w.book.saw(key, a); err != nil || w.rand.IntN(8) > 0 {
		return a, err
	}
	again, err := w.insist(http.MethodPost, path, body, "Idempotency-Key", key)
	if err == nil {
		err = w.book.saw(key, again)
	}
	return a, err
}

// run writes until it is told to stop.
func (w *writer) run() (err error) {
	for err == nil && !w.stop.Load() {
		switch n := w.rand.IntN(10); {
		case n < 3 || len(w.companies) == 0:
			err = w.addCompany()
		case n < 6 || len(w.drafts) == 0:
			err = w.addInvoice()
		case n < 9:
			err = w.send()
		default:
			err = w.rename()
		}
	}
	return err
}

// addCompany makes a customer that is registered for e-Fatura, or one that is not.
func (w *writer) addCompany() error {
	a, err := w.once(201, "/api/companies", company([]string{registered, "9876543217"}[w.rand.IntN(2)], "Yıldız Gıda"))
	w.companies = append(w.companies, a.text("id"))
	return err
}

// registered is the tax number of a buyer who is registered for e-Fatura.
const registered = "9205121120"

// company is a customer with all that an invoice must say of it.
func company(taxNumber, name string) string {
	return `{"name":"` + name + `","taxNumber":"` + taxNumber + `","taxOffice":"Çankaya","city":"Ankara","district":"Çankaya","address":"Deneme Sokak 1","postalCode":"06100"}`
}

func (w *writer) addInvoice() error {
	buyer := w.companies[w.rand.IntN(len(w.companies))]
	a, err := w.once(201, "/api/invoices", `{"companyId":"`+buyer+`","lines":[{"name":"Çay","quantity":"3","unitPrice":"9.99","vatRate":"20"}]}`)
	w.drafts = append(w.drafts, a.text("id"))
	if err == nil && w.rand.IntN(4) == 0 { // and one that cannot be sent: no VAT, and no reason why
		var bad answer
		if bad, err = w.once(201, "/api/invoices", `{"companyId":"`+buyer+`","lines":[{"name":"Çay","quantity":"1","unitPrice":"1","vatRate":"0"}]}`); err == nil {
			_, err = w.once(422, "/api/invoices/"+bad.text("id")+"/send", "")
		}
	}
	return err
}

// send queues a draft, whose number must be a legal one.
func (w *writer) send() error {
	id := w.drafts[0]
	w.drafts = w.drafts[1:]
	a, err := w.once(202, "/api/invoices/"+id+"/send", "")
	if err != nil {
		return err
	}
	w.book.mu.Lock()
	defer w.book.mu.Unlock()
	w.book.numbers[id] = a.text("number")
	return nil
}

// rename replaces a company. Whether a change that was not answered was made is
// told by the version.
func (w *writer) rename() error {
	id := w.companies[w.rand.IntN(len(w.companies))]
	w.book.mu.Lock()
	version := w.book.versions[id]
	w.book.mu.Unlock()
	name := fmt.Sprintf("Yıldız %d", version+1)
	a, err := w.insist(http.MethodPut, "/api/companies/"+id, company(registered, name), "If-Match", fmt.Sprintf(`"%d"`, version))
	switch {
	case err != nil:
		return err
	case a.status == 200 && a.version() == version+1:
	case a.status == 409: // it was made, and its answer lost
		if a, err = w.insist(http.MethodGet, "/api/companies/"+id, ""); err != nil {
			return err
		}
		if a.version() != version+1 || a.text("name") != name {
			return fmt.Errorf("after a change of version %d was lost on the way: %s", version, a.body)
		}
	default:
		return fmt.Errorf("PUT /api/companies/%s of version %d: %d %s", id, version, a.status, a.body)
	}
	return w.book.saw("", a)
}
