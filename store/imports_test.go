package store_test

import (
	"context"
	"errors"
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// What is only tried is judged as if it were done, and leaves nothing behind: no
// record, no number, no event.
func TestTryEach(t *testing.T) {
	b := open(t)
	first := b.company(b.who, named(1))
	before := state(b)
	list := []trade.Company{named(2), {Name: ""}, {Name: "a", Code: first.Code}, named(3)}
	errs := b.TryEach(context.Background(), b.who, len(list), func(tx *store.Tx, i int) error {
		_, err := tx.CreateCompany(list[i])
		return err
	})
	if errs[0] != nil || errs[3] != nil || fields(errs[1]) != "name required" || fields(errs[2]) != "code duplicate" {
		t.Errorf("%v", errs)
	}
	forgotten := b.TryEach(context.Background(), b.who, 1, func(tx *store.Tx, _ int) error { tx.Check().Add("x", trade.Required); return nil })
	if fields(forgotten[0]) != "x required" {
		t.Errorf("a fault that nobody returned: %v", forgotten[0])
	}
	after := state(b)
	for name := range before {
		if before[name] != after[name] {
			t.Errorf("%s has changed", name)
		}
	}
	if next := b.company(b.who, named(4)); next.Code != "C000002" {
		t.Errorf("the next code is %s", next.Code)
	}
	b.Close()
	if errs := b.TryEach(context.Background(), b.who, 1, func(*store.Tx, int) error { return nil }); trade.KindOf(errs[0]) != trade.Unavailable {
		t.Errorf("closed: %v", errs)
	}
}

// A record is found by its code among the live ones of its account alone.
func TestByCode(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	c := b.company(b.who, trade.Company{Name: "Ada", Code: "A1"})
	gone := b.company(b.who, trade.Company{Name: "Bora", Code: "B1"})
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteCompany(gone.ID, store.Any) })
	var k trade.Contact
	b.write(b.who, func(tx *store.Tx) error {
		return into(&k)(tx.CreateContact(trade.Contact{CompanyID: c.ID, FirstName: "Ece", Email: "e@x.co"}))
	})
	for _, row := range []struct {
		who        store.Who
		code, want string
	}{{b.who, "A1", c.ID}, {b.who, "a1", ""}, {b.who, "B1", ""}, {b.who, "", ""}, {other, "A1", ""}} {
		b.read(row.who, func(v *store.View) error {
			id, doc, err := store.Companies.ByCode(v, row.code)
			if id != row.want || (doc == nil) != (id == "") {
				t.Errorf("%q: %s %s", row.code, id, doc)
			}
			return err
		})
	}
	for range 2 {
		b.write(b.who, func(tx *store.Tx) error {
			_, err := tx.CreateContact(trade.Contact{CompanyID: c.ID, FirstName: "İkiz", Email: "two@x.co"})
			return err
		})
	}
	for email, want := range map[string]string{"e@x.co": k.ID, "f@x.co": "", "two@x.co": "", "": ""} {
		b.read(b.who, func(v *store.View) error {
			id, doc, several, err := v.ContactByEmail(c.ID, email)
			none, _, _, e := v.ContactByEmail(gone.ID, email)
			if id != want || none != "" || (doc == nil) != (id == "") || several != (email == "two@x.co") {
				t.Errorf("%q: %s, at another company %s", email, id, none)
			}
			return errors.Join(err, e)
		})
	}
}

// Contacts of before there was a column for it are found by their e-mail address, beside
// one that cannot be read.
func TestContactsOfBeforeTheColumn(t *testing.T) {
	b := open(t)
	c := b.company(b.who, named(1))
	var ids [2]string
	for i, email := range []string{"e@x.co", "f@x.co"} {
		var k trade.Contact
		b.write(b.who, func(tx *store.Tx) error {
			return into(&k)(tx.CreateContact(trade.Contact{CompanyID: c.ID, FirstName: "Ece", Email: email}))
		})
		ids[i] = k.ID
	}
	again := b.aged(14, `UPDATE contacts SET doc = substr(doc, 1, 50) WHERE id = ?`, ids[1])
	again.read(b.who, func(v *store.View) error {
		if id, _, _, err := v.ContactByEmail(c.ID, "e@x.co"); id != ids[0] || err != nil {
			t.Errorf("found %q, %v", id, err)
		}
		return nil
	})
}
