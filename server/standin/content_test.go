package standin_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"esnaf/auth"
	"esnaf/server/standin"
	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// TestContent looks at one seeded folder from all sides.
func TestContent(t *testing.T) {
	db := open(t, noon, 1)
	d := seed(t, db, nil)
	for name, look := range map[string]func(*testing.T, *store.DB, standin.Demo){
		"credentials": credentials, "how much there is": howMuch, "variety": variety, "numbers": numbers,
		"sums": sums, "series": series, "accounts apart": apart,
	} {
		t.Run(name, func(t *testing.T) { look(t, db, d) })
	}
}

// howMuch counts what each account has.
func howMuch(t *testing.T, db *store.DB, d standin.Demo) {
	got := make([]map[string]int, len(d.Tenants))
	for i, te := range d.Tenants {
		n := map[string]int{}
		for _, c := range all[trade.Company](t, db, te.ID, &store.Companies.List, "") {
			n["companies"]++
			n[string(c.Type)]++
			n[string(c.PersonType)]++
			if c.EInvoice.Registered {
				n["e-Fatura users"]++
			}
			if c.EDespatch.Registered {
				n["e-İrsaliye users"]++
			}
		}
		for _, p := range all[trade.Product](t, db, te.ID, &store.Products.List, "") {
			n["products"]++
			n[string(p.Type)]++
		}
		for _, v := range invoices(t, db, te.ID) {
			n["invoices"]++
			n[string(v.Status)+" "+string(v.Profile)]++
		}
		n["bank accounts"] = len(all[trade.BankAccount](t, db, te.ID, &store.BankAccounts.List, ""))
		n["cash accounts"] = len(all[trade.CashAccount](t, db, te.ID, &store.CashAccounts.List, ""))
		n["transfers"] = len(all[trade.Transfer](t, db, te.ID, &store.Transfers.List, ""))
		for _, p := range all[trade.Payment](t, db, te.ID, &store.Payments.List, "") {
			n["payments by "+string(p.Method)]++
		}
		n["webhooks"] = len(all[trade.Webhook](t, db, te.ID, &store.Webhooks.List, ""))
		view(t, db, te.ID, func(v *store.View) error {
			users, err := v.Users()
			n["users"] = len(users)
			n["masters"] = len(slices.DeleteFunc(users, func(u store.User) bool { return u.Role != auth.Master }))
			return err
		})
		got[i] = n
	}
	want := []map[string]int{
		{
			"companies": 25, "CUSTOMER": 17, "BOTH": 3, "SUPPLIER": 3, "LEAD": 2, "COMPANY": 21, "PERSON": 4, "e-Fatura users": 12, "e-İrsaliye users": 5,
			"products": 35, "GOODS": 30, "SERVICE": 5, "users": 3, "masters": 1, "webhooks": 0, "invoices": 60,
			"bank accounts": 2, "cash accounts": 1, "transfers": 1, "payments by CASH": 8, "payments by TRANSFER": 20,
			"ACCEPTED TICARIFATURA": 14, "REJECTED TICARIFATURA": 3, "SENT TICARIFATURA": 4, "FAILED TICARIFATURA": 1, "QUEUED TICARIFATURA": 2, "DRAFT TICARIFATURA": 3,
			"SENT TEMELFATURA": 8, "DRAFT TEMELFATURA": 1,
			"SENT EARSIVFATURA": 16, "CANCELLED EARSIVFATURA": 3, "FAILED EARSIVFATURA": 1, "QUEUED EARSIVFATURA": 1, "DRAFT EARSIVFATURA": 3,
		},
		{
			"companies": 15, "CUSTOMER": 10, "BOTH": 2, "SUPPLIER": 2, "LEAD": 1, "COMPANY": 13, "PERSON": 2, "e-Fatura users": 8, "e-İrsaliye users": 4,
			"products": 25, "GOODS": 21, "SERVICE": 4, "users": 3, "masters": 1, "webhooks": 0, "invoices": 40,
			"bank accounts": 2, "cash accounts": 1, "transfers": 1, "payments by CASH": 4, "payments by TRANSFER": 9,
			"ACCEPTED TICARIFATURA": 8, "REJECTED TICARIFATURA": 2, "SENT TICARIFATURA": 3, "FAILED TICARIFATURA": 1, "QUEUED TICARIFATURA": 1, "DRAFT TICARIFATURA": 2,
			"SENT TEMELFATURA": 6, "DRAFT TEMELFATURA": 1,
			"SENT EARSIVFATURA": 10, "CANCELLED EARSIVFATURA": 2, "FAILED EARSIVFATURA": 1, "QUEUED EARSIVFATURA": 1, "DRAFT EARSIVFATURA": 2,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// variety makes sure that what a screen or a program has to cope with occurs
// in both accounts.
func variety(t *testing.T, db *store.DB, d standin.Demo) {
	for _, te := range d.Tenants {
		n := map[string]int{}
		count := func(what string, is bool) {
			if is {
				n[what]++
			}
		}
		for _, v := range invoices(t, db, te.ID) {
			n["in "+v.Currency]++
			n[fmt.Sprintf("of %d lines", len(v.Lines))]++
			count("past due", v.Status == trade.InvoiceSent && v.DueDate < trade.DateOf(noon) && v.Remaining > 0)
			count("not yet due", v.DueDate > trade.DateOf(noon))
			for _, l := range v.Lines {
				n["VAT "+l.VATRate.String()]++
				count("discount rate", l.DiscountRate != nil)
				count("discount amount", l.DiscountAmount != nil)
				count("price including VAT", l.PriceIncludesVAT)
				count("exemption 351", l.ExemptionCode == "351")
				count("fraction", l.Quantity%1_000_000 != 0)
			}
		}
		for _, what := range []string{
			"in TRY", "in EUR", "in USD", "of 1 lines", "of 8 lines", "past due", "not yet due", "VAT 0", "VAT 1", "VAT 10", "VAT 20",
			"discount rate", "discount amount", "price including VAT", "exemption 351", "fraction",
		} {
			if n[what] == 0 {
				t.Errorf("%s: nothing with %s", te.Name, what)
			}
		}
		if n["in TRY"] < 2*(n["in EUR"]+n["in USD"]) {
			t.Errorf("%s: lira are not the rule: %v", te.Name, n)
		}
	}
}

// numbers judges tax numbers, IBANs and aliases, and that no two
// parties share one.
func numbers(t *testing.T, db *store.DB, d standin.Demo) {
	seen := map[string]string{}
	once := func(what, no, name string) {
		if other, twice := seen[no]; no != "" && twice && !trade.IsDummyTaxNumber(no) {
			t.Errorf("%s %s is that of %s and of %s", what, no, other, name)
		}
		seen[no] = name
	}
	party := func(name, taxNo, iban string, registered ...trade.Registration) {
		once("tax number", taxNo, name)
		once("IBAN", iban, name)
		if !trade.ValidTaxNumber(taxNo) {
			t.Errorf("%s: the tax number %s should be %s or %s", name, taxNo, trade.CompleteVKN(taxNo[:9]), trade.CompleteTCKN(taxNo[:9]))
		}
		if iban != "" && !trade.ValidIBAN(iban) {
			t.Errorf("%s: the IBAN %s should be %s", name, iban, trade.CompleteIBAN("TR", iban[4:]))
		}
		for _, r := range registered {
			once("alias", r.Alias, name)
			if r.Registered != trade.ValidAlias(r.Alias) {
				t.Errorf("%s: alias %q, registered %v", name, r.Alias, r.Registered)
			}
		}
	}
	for _, te := range d.Tenants {
		view(t, db, te.ID, func(v *store.View) error {
			s, err := v.Settings()
			party(s.Name, s.TaxNumber, s.IBAN, trade.Registration{Registered: true, Alias: s.SenderAlias})
			return err
		})
		for _, c := range all[trade.Company](t, db, te.ID, &store.Companies.List, "code") {
			party(c.Name, c.TaxNumber, c.IBAN, c.EInvoice, c.EDespatch)
			if person := c.PersonType == trade.NaturalPerson; person != (len(c.TaxNumber) == 11) {
				t.Errorf("%s: a %s with the tax number %s", c.Name, c.PersonType, c.TaxNumber)
			}
		}
	}
}

// sums adds every invoice up with nothing but its lines.
func sums(t *testing.T, db *store.DB, d standin.Demo) {
	for _, te := range d.Tenants {
		for _, v := range invoices(t, db, te.ID) {
			var net, vat, total, discount, taxBase, tax money.Amount
			for i, l := range v.Lines {
				if l.Gross-l.Discount != l.Net || l.Net+l.VAT != l.Total || l.Net <= 0 {
					t.Errorf("%s line %d: %s - %s = %s, + %s = %s", v.Number, i, l.Gross, l.Discount, l.Net, l.VAT, l.Total)
				}
				net, vat, total, discount = net+l.Net, vat+l.VAT, total+l.Total, discount+l.Discount
			}
			for _, x := range v.Taxes {
				taxBase, tax = taxBase+x.Base, tax+x.Amount
			}
			got := []money.Amount{v.Subtotal - v.DiscountTotal, v.DiscountTotal, v.VATTotal, v.Total, v.Payable, v.Remaining + v.PaidTotal, taxBase, tax}
			want := []money.Amount{net, discount, vat, total, total, total, net, vat}
			if v.Status == trade.InvoiceRejected || v.Status == trade.InvoiceCancelled {
				want[5] = 0 // nothing is owed any more
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: net, discount, VAT, total, payable, remaining and paid, tax base, tax (-want +got):\n%s", v.Number, diff)
			}
		}
	}
}

// series walks every series: no gap, and dates of the last 90 days that never fall.
func series(t *testing.T, db *store.DB, d standin.Demo) {
	today := trade.DateOf(db.Clock().Now().Add(3 * time.Hour)) // in Turkey
	for _, te := range d.Tenants {
		last, date := map[string]int{}, map[string]trade.Date{}
		for _, v := range invoices(t, db, te.ID) { // by number
			if v.Status == trade.InvoiceDraft {
				continue
			}
			s := v.Number[:7]
			last[s]++
			if want := trade.DocumentNumber(v.Number[:3], v.IssueDate.Year(), last[s]); v.Number != want {
				t.Errorf("%s of %s should be %s", v.Number, v.IssueDate, want)
			}
			if v.IssueDate < date[s] || v.IssueDate > today || v.IssueDate < today.AddDays(-89) {
				t.Errorf("%s of %s, after one of %s; seeded on %s", v.Number, v.IssueDate, date[s], today)
			}
			date[s] = v.IssueDate
		}
		if want := 2 * (1 + today.Year() - noon.Year()); len(last) != want {
			t.Errorf("%s has the series %v, want %d", te.Name, last, want)
		}
	}
}

// TestTurnOfTheYear seeds in January, at an hour when Turkey is a day ahead of
// UTC: the series begin again with the year.
func TestTurnOfTheYear(t *testing.T) {
	db := open(t, time.Date(2027, 1, 20, 22, 30, 0, 0, time.UTC), 1)
	series(t, db, seed(t, db, nil))
}

// apart asks each account for what the other one has.
func apart(t *testing.T, db *store.DB, d standin.Demo) {
	for i, te := range d.Tenants {
		companies := map[string]bool{}
		for _, c := range all[trade.Company](t, db, te.ID, &store.Companies.List, "") {
			companies[c.ID] = true
		}
		other := d.Tenants[1-i].ID
		for _, v := range invoices(t, db, te.ID) {
			if !companies[v.CompanyID] {
				t.Errorf("%s is for a company of another account", v.Number)
			}
			view(t, db, other, func(view *store.View) error {
				if _, err := store.Invoices.Get(view, v.ID); trade.KindOf(err) != trade.Forbidden {
					t.Errorf("the other account reads %s: %v", v.Number, err)
				}
				return nil
			})
		}
	}
}
