package store_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/trade"
)

func (b *book) getCompany(who store.Who, id string) (c trade.Company) {
	b.t.Helper()
	b.read(who, func(v *store.View) (err error) {
		c, err = store.Companies.Get(v, id)
		return err
	})
	return c
}

func (b *book) update(who store.Who, id string, m store.Match, c trade.Company) (out trade.Company, err error) {
	err = b.Write(context.Background(), who, func(tx *store.Tx) error { return into(&out)(tx.UpdateCompany(id, m, c)) })
	return out, err
}

func (b *book) drop(who store.Who, id string, m store.Match) error {
	return b.Write(context.Background(), who, func(tx *store.Tx) error { return tx.DeleteCompany(id, m) })
}

func TestTheLifeOfACompany(t *testing.T) {
	b := open(t)
	c := trade.Company{Name: "Akar", TaxNumber: buyer().TaxNumber, IBAN: "tr33 0006 1005 1978 6457 8413 26", Meta: trade.Meta{ExternalID: "ERP-1", Metadata: map[string]string{"b": "2", "a": "1"}}}
	made := b.company(b.who, c)
	want := c
	want.Meta = trade.Meta{ID: made.ID, Version: 1, CreatedAt: trade.At(start), UpdatedAt: trade.At(start), ExternalID: "ERP-1", Metadata: c.Metadata}
	want.Code, want.Type, want.PersonType, want.Country, want.Currency, want.IBAN = "C000001", trade.Customer, trade.LegalPerson, "TR", "TRY", "TR330006100519786457841326"
	if diff := gocmp.Diff(want, made); diff != "" {
		t.Errorf("made (-want +got):\n%s", diff)
	}
	b.clock.Advance(time.Hour)
	change := trade.Company{Name: "Akar Değişti", City: "Bursa", Meta: trade.Meta{ID: "cmp_x", Version: 9, CreatedAt: 1, DeletedAt: 1}}
	changed, err := b.update(b.who, made.ID, store.Match{Versions: []int64{1}}, change)
	if err != nil {
		t.Fatal(err)
	}
	want.Meta = trade.Meta{ID: made.ID, Version: 2, CreatedAt: trade.At(start), UpdatedAt: trade.At(start.Add(time.Hour))}
	want.Name, want.City, want.TaxNumber, want.IBAN = "Akar Değişti", "Bursa", "", "" // the code stays, what is left out goes
	if diff := gocmp.Diff(want, changed); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff(changed, b.getCompany(b.who, made.ID)); diff != "" {
		t.Errorf("read again:\n%s", diff)
	}
	if err := b.drop(b.who, made.ID, store.Match{Versions: []int64{2}}); err != nil {
		t.Fatal(err)
	}
	err = b.Read(context.Background(), b.who, func(v *store.View) error { _, err := store.Companies.Get(v, made.ID); return err })
	if trade.KindOf(err) != trade.NotFound {
		t.Errorf("read after it was deleted: %v", err)
	}
	for about, err := range map[string]error{"deleting": b.drop(b.who, made.ID, store.Any), "updating": second(b.update(b.who, made.ID, store.Any, change))} {
		if asError(err).Code != trade.RecordNotFound {
			t.Errorf("%s a deleted company: %v", about, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// If-Match decides, and a stale one never writes (acceptance C2, C4, C9).
func TestVersionsDecide(t *testing.T) {
	b := open(t)
	c := b.company(b.who, named(1))
	for i := range 3 {
		if _, err := b.update(b.who, c.ID, store.Any, named(i)); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		match store.Match
		fits  bool
	}{
		{store.Match{}, false},
		{store.Match{Versions: []int64{3}}, false},
		{store.Match{Versions: []int64{5}}, false},
		{store.Match{Versions: []int64{4}}, true},
		{store.Match{Versions: []int64{1, 5}}, true},
		{store.Any, true},
	} {
		before := b.getCompany(b.who, c.ID)
		_, err := b.update(b.who, c.ID, test.match, named(9))
		if (err == nil) != test.fits {
			t.Errorf("%+v of version %d: %v", test.match, before.Version, err)
		}
		if err == nil {
			continue
		}
		if e := asError(err); e.Kind != trade.Conflict || e.Code != trade.VersionConflict || e.Extra["currentVersion"] != before.Version {
			t.Errorf("%+v: %v %v", test.match, e, e.Extra)
		}
		if diff := gocmp.Diff(before, b.getCompany(b.who, c.ID)); diff != "" {
			t.Errorf("%+v wrote:\n%s", test.match, diff)
		}
	}
	if err := b.drop(b.who, c.ID, store.Match{Versions: []int64{1}}); asError(err).Code != trade.VersionConflict {
		t.Errorf("deleting an old version: %v", err)
	}
}

// Acceptance C7: of a hundred that start from one version, one wins.
func TestOneOfManyUpdatesWins(t *testing.T) {
	b := open(t)
	c := b.company(b.who, named(1))
	var wg sync.WaitGroup
	errs := make([]error, 100)
	for i := range errs {
		wg.Go(func() { _, errs[i] = b.update(b.who, c.ID, store.Match{Versions: []int64{1}}, named(i)) })
	}
	wg.Wait()
	won := 0
	for i, err := range errs {
		if err == nil {
			won++
			if now := b.getCompany(b.who, c.ID); now.Name != named(i).Name || now.Version != 2 {
				t.Errorf("%d won, but it is %q of version %d", i, now.Name, now.Version)
			}
		} else if asError(err).Code != trade.VersionConflict {
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("%d won", won)
	}
}

// Acceptance C6 and M7: clients that read, add one and write back, and try again
// when they were overtaken, lose nothing.
func TestNoUpdateIsLost(t *testing.T) {
	b := open(t)
	c := b.company(b.who, trade.Company{Name: "Sayaç", PaymentTermDays: 0})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for done := 0; done < 25; {
				now := b.getCompany(b.who, c.ID)
				next := now
				next.PaymentTermDays++
				switch _, err := b.update(b.who, c.ID, store.Match{Versions: []int64{now.Version}}, next); {
				case err == nil:
					done++
				case asError(err).Code != trade.VersionConflict:
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if now := b.getCompany(b.who, c.ID); now.PaymentTermDays != 200 || now.Version != 201 {
		t.Errorf("counted to %d at version %d, want 200 at 201", now.PaymentTermDays, now.Version)
	}
}

// A change after the clock was set back is found by who reads what has changed since the
// change before.
func TestAClockThatIsSetBackHidesNoChange(t *testing.T) {
	b := open(t)
	c := b.company(b.who, named(1))
	b.clock.Set(start.AddDate(-1, 0, 0))
	b.write(b.who, func(tx *store.Tx) error { _, err := tx.UpdateCompany(c.ID, store.Any, named(2)); return err })
	b.read(b.who, func(v *store.View) error {
		p, err := store.Companies.List.Page(v, trade.Query{Limit: 1, UpdatedSince: c.UpdatedAt}, nil)
		if p.Count != 1 || !strings.Contains(string(p.Docs), named(2).Name) {
			t.Errorf("changed since then: %s", p.Docs)
		}
		return err
	})
}

func TestCodes(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	code := func(who store.Who, given string) string {
		return b.company(who, trade.Company{Name: "x", Code: given}).Code
	}
	var got []string
	for _, given := range []string{"", "C000003", "C000004", "", "", "ABC", ""} {
		got = append(got, code(b.who, given))
	}
	got = append(got, code(other, ""), code(other, "ABC"))
	want := []string{"C000001", "C000003", "C000004", "C000002", "C000005", "ABC", "C000006", "C000001", "ABC"}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	if p := b.product(b.who, trade.Product{Name: "x"}); p.Code != "P000001" {
		t.Errorf("a product gets %s", p.Code)
	}
}

// A code that is taken is told by its field; one of a deleted record, or of
// another account, is free.
func TestATakenCode(t *testing.T) {
	b := open(t)
	first := b.company(b.who, trade.Company{Name: "Bir", Code: "K1"})
	second := b.company(b.who, trade.Company{Name: "İki", Code: "K2"})
	b.product(b.who, trade.Product{Name: "Çay", Code: "K1"}) // codes of other kinds of record are others
	clashes := map[string]func(*store.Tx) error{
		"create": func(tx *store.Tx) error {
			_, err := tx.CreateCompany(trade.Company{Name: "Üç", Code: "K1"})
			return err
		},
		"update": func(tx *store.Tx) error {
			_, err := tx.UpdateCompany(second.ID, store.Any, trade.Company{Name: "İki", Code: "K1"})
			return err
		},
		"create product": func(tx *store.Tx) error {
			_, err := tx.CreateProduct(trade.Product{Name: "Kahve", Code: "K1"})
			return err
		},
	}
	for about, fn := range clashes {
		e := b.refused(b.who, fn)
		if e.Kind != trade.Conflict || e.Code != trade.Duplicate || fields(e) != "code duplicate" {
			t.Errorf("%s: %s %v with %s", about, e.Kind, e, fields(e))
		}
		if text := e.Faults[0].Text(trade.English); text != "Another record already has this code." {
			t.Errorf("%s: %q", about, text)
		}
	}
	if err := b.drop(b.who, first.ID, store.Any); err != nil {
		t.Fatal(err)
	}
	if _, err := b.update(b.who, second.ID, store.Any, trade.Company{Name: "İki", Code: "K1"}); err != nil {
		t.Errorf("the code of a deleted company is not free: %v", err)
	}
}

// Acceptance I8 without keys: of fifty that take one code at once, one has it.
func TestACodeIsTakenOnce(t *testing.T) {
	b := open(t)
	errs := make(chan error)
	for i := range 50 {
		go func() {
			errs <- b.Write(context.Background(), b.who, func(tx *store.Tx) error {
				_, err := tx.CreateCompany(trade.Company{Name: fmt.Sprint(i), Code: "K1"})
				return err
			})
		}()
	}
	won := 0
	for range 50 {
		if err := <-errs; err == nil {
			won++
		} else if asError(err).Code != trade.Duplicate {
			t.Error(err)
		}
	}
	if won != 1 || b.companies(b.who) != 1 {
		t.Errorf("%d took it, %d companies", won, b.companies(b.who))
	}
}

// A wrong check digit is an error, or let through when the account says so.
func TestTheAccountDecidesOnTaxNumbers(t *testing.T) {
	b := open(t)
	c := trade.Company{Name: "Deneme", TaxNumber: "1234567891"}
	if e := b.refused(b.who, func(tx *store.Tx) error { _, err := tx.CreateCompany(c); return err }); fields(e) != "taxNumber tax_number_invalid" {
		t.Error(e)
	}
	b.write(b.who, func(tx *store.Tx) error {
		s, err := store.Tenants.Get(&tx.View, b.who.Tenant)
		if err != nil {
			return err
		}
		s.TaxNumberCheck = trade.CheckWarn
		if _, err := tx.UpdateTenant(store.Any, s); err != nil {
			return err
		}
		_, err = tx.CreateCompany(c) // in the very change that allows it
		return err
	})
	b.company(b.who, c)
}
