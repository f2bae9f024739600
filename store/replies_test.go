package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/clock"
	"esnaf/store/trade"
)

const someKey = "4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e21"

func once(key, print string) store.Once {
	return store.Once{Key: key, Scope: "usr_1 POST /api/companies", Print: []byte(print), Refusal: conflicts}
}

// conflicts keeps the answer to what the state of things forbids, as the server
// does.
func conflicts(err error) (store.Reply, bool) {
	return store.Reply{Status: 409, ContentType: "application/problem+json", Body: []byte(err.Error())}, trade.KindOf(err) == trade.Conflict
}

// adding is a change that adds a company and answers with it.
func adding(c trade.Company) func(*store.Tx) (store.Reply, error) {
	return func(tx *store.Tx) (store.Reply, error) {
		d, err := tx.CreateCompany(c)
		return store.Reply{Status: 201, ContentType: "application/json", Location: "/api/companies/x", ETag: `"1"`, Body: d.JSON}, err
	}
}

func (b *book) once(who store.Who, o store.Once, fn func(*store.Tx) (store.Reply, error)) (store.Reply, bool, error) {
	return b.WriteOnce(context.Background(), who, o, fn)
}

func (b *book) companies(who store.Who) int {
	b.t.Helper()
	return sqlRow[int](b, "SELECT count(*) FROM companies WHERE tenant = ?", who.Tenant)
}

func TestARepeatGetsTheFirstAnswer(t *testing.T) {
	b := open(t)
	first, replayed, err := b.once(b.who, once(someKey, "p"), adding(named(1)))
	if err != nil || replayed {
		t.Fatalf("replayed %v, %v", replayed, err)
	}
	again, replayed, err := b.once(b.who, once(someKey, "p"), adding(named(1)))
	if err != nil || !replayed {
		t.Fatalf("replayed %v, %v", replayed, err)
	}
	if diff := gocmp.Diff(first, again); diff != "" {
		t.Errorf("the repeat differs:\n%s", diff)
	}
	if n := b.companies(b.who); n != 1 {
		t.Errorf("%d companies, want 1", n)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	reopened, err := store.Open(store.Options{Dir: b.Dir(), Clock: b.clock, IDs: clock.RandomIDs()})
	if err != nil {
		t.Fatal(err)
	}
	defer reopened.Close()
	again, replayed, err = reopened.WriteOnce(context.Background(), b.who, once(someKey, "p"), adding(named(1)))
	if diff := gocmp.Diff(first, again); diff != "" || !replayed || err != nil {
		t.Errorf("after a restart: replayed %v, %v\n%s", replayed, err, diff)
	}
}

// Without a key every request is its own.
func TestWithoutAKeyNothingIsKept(t *testing.T) {
	b := open(t)
	for range 2 {
		if _, replayed, err := b.once(b.who, store.Once{Print: []byte("p")}, adding(named(1))); replayed || err != nil {
			t.Fatal(replayed, err)
		}
	}
	if n := b.companies(b.who); n != 2 || sqlRow[int](b, "SELECT count(*) FROM replies") != 0 {
		t.Errorf("%d companies, want 2 and no answer kept", n)
	}
}

func TestAKeyWithAnotherBodyIsRefused(t *testing.T) {
	b := open(t)
	if _, _, err := b.once(b.who, once(someKey, "p"), adding(named(1))); err != nil {
		t.Fatal(err)
	}
	_, _, err := b.once(b.who, once(someKey, "q"), adding(named(2)))
	var e *trade.Error
	if !errors.As(err, &e) || e.Kind != trade.Invalid || e.Code != trade.KeyReused {
		t.Errorf("got %v, want %s", err, trade.KeyReused)
	}
	if _, replayed, err := b.once(b.who, once(someKey, "p"), adding(named(1))); !replayed || err != nil {
		t.Errorf("the first body is no longer answered: %v", err)
	}
}

// The same key means something else for another credential, method, path or
// account.
func TestAKeyMeansNothingOutsideItsScope(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	if _, _, err := b.once(b.who, once(someKey, "p"), adding(named(1))); err != nil {
		t.Fatal(err)
	}
	scopes := []string{"usr_2 POST /api/companies", "usr_1 PUT /api/companies", "usr_1 POST /api/products"}
	for _, scope := range scopes {
		o := once(someKey, "p")
		o.Scope = scope
		if _, replayed, err := b.once(b.who, o, adding(named(2))); replayed || err != nil {
			t.Errorf("%s: replayed %v, %v", scope, replayed, err)
		}
	}
	if _, replayed, err := b.once(other, once(someKey, "p"), adding(named(3))); replayed || err != nil {
		t.Errorf("another account: replayed %v, %v", replayed, err)
	}
	if mine, theirs := b.companies(b.who), b.companies(other); mine != 4 || theirs != 1 {
		t.Errorf("%d and %d companies, want 4 and 1", mine, theirs)
	}
}

// While the first request is at work a second one is told to wait; it holds
// nobody up and executes nothing.
func TestASecondRequestMeanwhileIsToldToWait(t *testing.T) {
	b := open(t)
	begun, goOn, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		_, _, err := b.once(b.who, once(someKey, "p"), func(tx *store.Tx) (store.Reply, error) {
			close(begun)
			<-goOn
			return adding(named(1))(tx)
		})
		done <- err
	}()
	<-begun
	for _, print := range []string{"p", "q"} {
		_, _, err := b.once(b.who, once(someKey, print), adding(named(1)))
		var e *trade.Error
		if !errors.As(err, &e) || e.Kind != trade.Conflict || e.Code != trade.KeyInProgress || e.Wait != 1 {
			t.Errorf("got %v, want %s and a second to wait", err, trade.KeyInProgress)
		}
	}
	close(goOn)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if _, replayed, err := b.once(b.who, once(someKey, "p"), adding(named(1))); !replayed || err != nil {
		t.Errorf("afterwards: replayed %v, %v", replayed, err)
	}
}

func TestAnAnswerIsForgottenAfter24Hours(t *testing.T) {
	b := open(t)
	for _, step := range []struct {
		after    time.Duration
		replayed bool
	}{{0, false}, {23*time.Hour + 59*time.Minute, true}, {time.Minute - time.Millisecond, true}, {time.Millisecond, false}, {time.Hour, true}} {
		b.clock.Advance(step.after)
		_, replayed, err := b.once(b.who, once(someKey, "p"), adding(named(1)))
		if replayed != step.replayed || err != nil {
			t.Errorf("at %s: replayed %v, %v; want %v", b.clock.Now().Sub(start), replayed, err, step.replayed)
		}
	}
	if n := b.companies(b.who); n != 2 {
		t.Errorf("%d companies, want 2", n)
	}
}

// An expired key may be used for another body: nothing is remembered of it.
func TestAnExpiredKeyIsFree(t *testing.T) {
	b := open(t)
	if _, _, err := b.once(b.who, once(someKey, "p"), adding(named(1))); err != nil {
		t.Fatal(err)
	}
	b.clock.Advance(25 * time.Hour)
	if _, replayed, err := b.once(b.who, once(someKey, "q"), adding(named(2))); replayed || err != nil {
		t.Errorf("replayed %v, %v", replayed, err)
	}
}

func TestWhatIsKeptOfAFailure(t *testing.T) {
	taken := trade.Company{Name: "Dolu", Code: "K1"}
	for _, test := range []struct {
		about string
		o     store.Once
		fn    func(*store.Tx) (store.Reply, error)
		kept  bool
	}{
		{"a business conflict", once(someKey, "p"), adding(taken), true},
		{"a conflict in a body with faults", store.Once{Key: someKey, Scope: "s", Print: []byte("p"), Refusal: conflicts, Faults: []trade.Fault{{Field: "x", Code: trade.UnknownField}}}, clashing, true},
		{"a validation failure", once(someKey, "p"), adding(trade.Company{}), false},
		{"faults of the body", store.Once{Key: someKey, Scope: "s", Print: []byte("p"), Refusal: conflicts, Faults: []trade.Fault{{Field: "x", Code: trade.UnknownField}}}, adding(named(1)), false},
		{"something missing", once(someKey, "p"), func(tx *store.Tx) (store.Reply, error) {
			_, err := tx.UpdateCompany("cmp_none", store.Any, named(1))
			return store.Reply{}, err
		}, false},
		{"an internal error", once(someKey, "p"), func(*store.Tx) (store.Reply, error) { return store.Reply{Status: 201}, errors.New("boom") }, false},
		{"a panic", once(someKey, "p"), func(*store.Tx) (store.Reply, error) { panic("boom") }, false},
	} {
		t.Run(test.about, func(t *testing.T) {
			b := open(t)
			b.company(b.who, taken)
			before := state(b)
			rep, replayed, err := b.once(b.who, test.o, test.fn)
			if replayed || (err == nil) != test.kept || test.kept && rep.Status != 409 || !test.kept && rep.Status != 0 {
				t.Fatalf("status %d, replayed %v, %v", rep.Status, replayed, err)
			}
			if diff := gocmp.Diff(before, state(b)); diff != "" {
				t.Errorf("the failed work left something:\n%s", diff)
			}
			test.o.Faults = nil
			again, replayed, err := b.once(b.who, test.o, adding(named(1)))
			if replayed != test.kept || err != nil {
				t.Errorf("the repeat: replayed %v, %v; want %v", replayed, err, test.kept)
			}
			if test.kept && !bytes.Equal(again.Body, rep.Body) {
				t.Errorf("the repeat says %s, the first answer %s", again.Body, rep.Body)
			}
		})
	}
}

// clashing writes and then finds that it may not.
func clashing(tx *store.Tx) (store.Reply, error) {
	if _, err := tx.CreateCompany(named(7)); err != nil && trade.KindOf(err) != trade.Invalid {
		return store.Reply{}, err
	}
	return store.Reply{Status: 201}, trade.NotPossible("send", "SENT")
}

// state counts what a change writes, once the words of all records are filed: that
// is done a moment later, and tells nobody.
func state(b *book) map[string]int {
	b.t.Helper()
	for _, table := range []string{"companies", "products", "invoices", "contacts"} {
		behind := "SELECT coalesce((SELECT max(n) FROM " + table + "), 0) > coalesce((SELECT upto FROM files WHERE name = '" + table + "'), 0)"
		for i := 0; sqlRow[bool](b, behind); i++ {
			if i == 2000 {
				b.t.Fatalf("the words of %s are not filed", table)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	counts := map[string]int{}
	for _, table := range []string{"companies", "products", "invoices", "events", "audit", "deliveries", "words", "courier", "void_numbers"} {
		counts[table] = sqlRow[int](b, "SELECT count(*) FROM "+table)
	}
	counts["drawn"] = sqlRow[int](b, "SELECT coalesce(sum(last), 0) FROM numbers")
	counts["sequence"] = sqlRow[int](b, "SELECT coalesce(sum(event_seq + audit_seq), 0) FROM heads")
	return counts
}

// A secret in a kept answer can be given again, and is nowhere in the files.
func TestSecretsInAnswersAreSealed(t *testing.T) {
	b := open(t)
	secret := "svc_user_gizli0123456789gizli0123456789"
	answer := func(*store.Tx) (store.Reply, error) {
		return store.Reply{Status: 201, Body: []byte(`{"key":"` + secret + `"}`), Secret: true}, nil
	}
	first, _, err := b.once(b.who, once(someKey, "p"), answer)
	if err != nil {
		t.Fatal(err)
	}
	again, replayed, err := b.once(b.who, once(someKey, "p"), answer)
	if !replayed || err != nil || !bytes.Equal(first.Body, again.Body) || !again.Secret {
		t.Errorf("replayed %v, %v: %s", replayed, err, again.Body)
	}
	b.hides(secret)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b.hides(secret)
}

// hides looks for a secret in every file of the folder.
func (b *book) hides(secret string) {
	b.t.Helper()
	files, err := filepath.Glob(filepath.Join(b.Dir(), "*"))
	if err != nil || len(files) < 3 {
		b.t.Fatal(files, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.t.Fatal(err)
		}
		if bytes.Contains(text, []byte(secret)) {
			b.t.Errorf("%s shows the secret", f)
		}
	}
}

func TestSweepingForgetsOnlyWhatIsOver(t *testing.T) {
	b := open(t)
	answer := func(*store.Tx) (store.Reply, error) { return store.Reply{Status: 200}, nil }
	ask := func(from, to int) {
		for i := from; i < to; i++ {
			if _, _, err := b.once(b.who, once(fmt.Sprintf("%s-%d", someKey, i), "p"), answer); err != nil {
				t.Fatal(err)
			}
		}
	}
	sweep := func() int64 {
		n, err := b.SweepReplies(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	ask(0, 1100)
	b.clock.Advance(12 * time.Hour)
	ask(1100, 1110)
	if n := sweep(); n != 0 {
		t.Errorf("%d answers forgotten before their time", n)
	}
	b.clock.Advance(12 * time.Hour)
	ask(0, 1050) // keys used again: their answers are new
	if n := sweep(); n != 50 {
		t.Errorf("%d answers forgotten, want the 50 that are over", n)
	}
	b.clock.Advance(12 * time.Hour)
	if n := sweep(); n != 10 {
		t.Errorf("%d answers forgotten, want 10", n)
	}
	b.clock.Advance(12 * time.Hour)
	if first, rest, none := sweep(), sweep(), sweep(); first != 1000 || rest != 50 || none != 0 {
		t.Errorf("%d, %d and %d answers forgotten, want 1000, 50 and none", first, rest, none)
	}
}
