package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"esnaf/store"
	"esnaf/store/trade"
)

var office = store.Who{Actor: "operator"}

// importing hands a list to the store.
func (b *book) importing(force bool, list ...store.Taxpayer) (store.TaxpayerChanges, error) {
	return b.ImportTaxpayers(context.Background(), office, force, func(add func(store.Taxpayer) error) error {
		for _, t := range list {
			if err := add(t); err != nil {
				return err
			}
		}
		return nil
	})
}

// many are n entries; those of an odd number take despatch notes.
func many(n int) (list []store.Taxpayer) {
	for i := range n {
		t := registered(trade.CompleteVKN(fmt.Sprintf("%09d", 999_999_999-i*7)), start.AddDate(-1, 0, 0))
		if i%2 == 1 {
			t.Document = "DespatchAdvice"
		}
		list = append(list, t)
	}
	return list
}

// aliases is what look-ups find of a number: how many aliases of each kind.
func (b *book) aliases(number string) (found string) {
	b.t.Helper()
	b.read(b.who, func(v *store.View) error {
		t, err := v.Taxpayer(number)
		found = fmt.Sprint(len(t.EInvoice.Aliases), len(t.EDespatch.Aliases))
		return err
	})
	return found
}

// A new list takes the old one's place: entries come, go and stay, and companies
// follow in every account.
func TestANewListTakesTheOldOnesPlace(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	list := many(5000)
	if got, err := b.importing(false, list...); err != nil || got != (store.TaxpayerChanges{Entries: 5000, Added: 5000}) {
		t.Fatalf("%+v %v", got, err)
	}
	c := func(i int) trade.Company { return trade.Company{Name: "Firma", TaxNumber: list[i].TaxNumber} }
	goes, stays, comes := b.company(b.who, c(0)), b.company(other, c(1)), b.company(other, trade.Company{Name: "Yeni", TaxNumber: buyer().TaxNumber})
	if !goes.EInvoice.Registered || !stays.EDespatch.Registered || comes.EInvoice.Registered {
		t.Fatalf("%+v %+v %+v", goes.EInvoice, stays.EDespatch, comes.EInvoice)
	}
	newer := append(list[1:4900:4900], registered(comes.TaxNumber, start), registered(comes.TaxNumber, start)) // one of them twice
	got, err := b.importing(false, newer...)
	if want := (store.TaxpayerChanges{Entries: 4900, Before: 5000, Added: 1, Removed: 101, Companies: 2}); err != nil || got != want {
		t.Errorf("%+v %v, want %+v", got, err, want)
	}
	for _, row := range []struct {
		who     store.Who
		id      string
		version int64
		listed  bool
	}{{b.who, goes.ID, 2, false}, {other, stays.ID, 1, true}, {other, comes.ID, 2, true}} {
		if c := b.getCompany(row.who, row.id); c.Version != row.version || (c.EInvoice.Registered || c.EDespatch.Registered) != row.listed {
			t.Errorf("%s: version %d, %+v %+v", c.Name, c.Version, c.EInvoice, c.EDespatch)
		}
	}
	if events := b.events(other); events[len(events)-1].Event != "company.updated" {
		t.Errorf("last told is %s", events[len(events)-1].Event)
	}
	if n := sqlRow[int](b, "SELECT count(*) FROM taxpayers"); n != 4900 {
		t.Errorf("%d entries are kept", n)
	}
	if _, err := checkAudit(file(t, b.Dir())); err != nil {
		t.Error(err)
	}
}

// A company that cannot be read keeps no other from being brought up to date.
func TestAnUnreadableCompanyIsPassedOver(t *testing.T) {
	b := open(t)
	var all []trade.Company
	for range 3 {
		all = append(all, b.company(b.who, buyer()))
	}
	for i, doc := range []string{`replace(doc, '"name":"', '"name":7,"x":"')`, `'{'`} {
		if _, err := file(t, b.Dir()).Exec("UPDATE companies SET doc = "+doc+" WHERE id = ?", all[i].ID); err != nil {
			t.Fatal(err)
		}
	}
	got, err := b.importing(false, registered(buyer().TaxNumber, start))
	if err != nil || got.Companies != 1 || !b.getCompany(b.who, all[2].ID).EInvoice.Registered {
		t.Errorf("%+v %v", got, err)
	}
}

// Whatever goes wrong while a list is read, and a list that lost more than a tenth,
// change nothing.
func TestAListThatIsNotWholeChangesNothing(t *testing.T) {
	b := open(t)
	list := many(3000)
	if _, err := b.importing(false, list...); err != nil {
		t.Fatal(err)
	}
	cut := errors.New("cut off")
	_, err := b.ImportTaxpayers(context.Background(), office, true, func(add func(store.Taxpayer) error) error {
		return errors.Join(add(registered(buyer().TaxNumber, start)), cut)
	})
	if !errors.Is(err, cut) {
		t.Errorf("got %v", err)
	}
	_, err = b.importing(false, list[:2699]...)
	if e := asError(err); e.Kind != trade.Conflict || e.Code != trade.ListShrinks || e.Text(trade.Turkish) == e.Error() {
		t.Errorf("301 of 3000 less: %v", err)
	}
	if got := []string{b.aliases(list[2999].TaxNumber), b.aliases(buyer().TaxNumber)}; !cmp.Equal(got, []string{"0 1", "0 0"}) || sqlRow[int](b, "SELECT count(*) FROM taxpayers") != 3000 {
		t.Errorf("the list has changed: %q", got)
	}
	if got, err := b.importing(false, list[:2700]...); err != nil || got.Removed != 300 {
		t.Errorf("a tenth less: %+v %v", got, err)
	}
	if got, err := b.importing(true); err != nil || got.Removed != 2700 || sqlRow[int](b, "SELECT count(*) FROM taxpayers") != 0 {
		t.Errorf("by force: %+v %v", got, err)
	}
}

// While a list is read, look-ups see the whole old one; what an import that was
// killed left behind is no part of the next.
func TestLookUpsSeeOneListOrTheOther(t *testing.T) {
	b := open(t)
	list := many(10)
	if _, err := b.importing(false, list...); err != nil {
		t.Fatal(err)
	}
	b.write(office, func(tx *store.Tx) error { return tx.PutTaxpayers(list[:1]) })
	_, err := file(t, b.Dir()).Exec("INSERT INTO taxpayers SELECT 7, tax_number, document, 'urn:left', title, type, since FROM taxpayers")
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.ImportTaxpayers(context.Background(), office, true, func(add func(store.Taxpayer) error) error {
		if n := sqlRow[int](b, "SELECT count(*) FROM taxpayers"); n != 10 {
			t.Errorf("%d entries when the list begins", n)
		}
		for range 100_000 { // as many as are written at once
			if err := add(registered(buyer().TaxNumber, start)); err != nil {
				return err
			}
		}
		if n := sqlRow[int](b, "SELECT count(*) FROM taxpayers"); n != 11 {
			t.Errorf("%d entries in the middle", n)
		}
		if old, next := b.aliases(list[0].TaxNumber), b.aliases(buyer().TaxNumber); old != "1 0" || next != "0 0" {
			t.Errorf("in the middle: %s of the old list, %s of the new one", old, next)
		}
		return nil
	})
	if old, next := b.aliases(list[0].TaxNumber), b.aliases(buyer().TaxNumber); err != nil || old != "0 0" || next != "1 0" {
		t.Errorf("%v: %s of the old list, %s of the new one", err, old, next)
	}
}

// A look-up says of every number what the list says; only a number that cannot be
// one is refused.
func TestLookingATaxNumberUp(t *testing.T) {
	b := open(t)
	number := buyer().TaxNumber
	older, later := registered(number, start.AddDate(-2, 0, 0)), registered(number, start.AddDate(0, 0, 1))
	older.Alias, later.Alias, older.Type = "urn:mail:eski@example.com.tr", "urn:mail:yarin@example.com.tr", "Özel"
	if _, err := b.importing(false, later, registered(number, start.AddDate(-1, 0, 0)), older); err != nil {
		t.Fatal(err)
	}
	look := func(number string) (got trade.Taxpayer, err error) {
		err = b.Read(context.Background(), b.who, func(v *store.View) (err error) { got, err = v.Taxpayer(number); return err })
		return got, err
	}
	none := trade.Listing{Aliases: []trade.ListedAlias{}}
	want := trade.Taxpayer{TaxNumber: number, Title: "Örnek", Type: "OZEL", EDespatch: none, EInvoice: trade.Listing{Registered: true, Aliases: []trade.ListedAlias{
		{Alias: older.Alias, Since: trade.At(older.Since)}, {Alias: "urn:mail:defaultpk@example.com.tr", Since: trade.At(start.AddDate(-1, 0, 0))},
	}}}
	if got, err := look(number); err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v %s", err, cmp.Diff(want, got))
	}
	if got, err := look("11111111111"); err != nil || !cmp.Equal(got, trade.Taxpayer{TaxNumber: "11111111111", EInvoice: none, EDespatch: none}) {
		t.Errorf("nobody: %+v %v", got, err)
	}
	for _, bad := range []string{"", "1", "1234567891", "12345678901", "abcdefghij", number + "0"} {
		if _, err := look(bad); fields(err) != "taxNumber tax_number_invalid" {
			t.Errorf("%q: %v", bad, err)
		}
	}
	b.write(b.who, func(tx *store.Tx) error {
		s, err := tx.Settings()
		if err != nil {
			return err
		}
		lenient := *s
		lenient.TaxNumberCheck = trade.CheckWarn
		_, err = tx.UpdateTenant(store.Any, lenient)
		return err
	})
	if _, err := look("1234567891"); err != nil {
		t.Errorf("a test number where they are let through: %v", err)
	}
	if _, err := look("abcdefghij"); err == nil {
		t.Error("letters are let through")
	}
}
