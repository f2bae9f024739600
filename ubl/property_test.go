package ubl

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// TestAnyInvoice draws invoices that may be sent: the document of each is found
// clean, and what a person wrote stands in it to the letter.
func TestAnyInvoice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := invoices().Draw(t, "invoice")
		root, same := cleanly(t, Invoice, v)
		same("notes", v.Notes, root.find("cbc:Note"))
		sameParty(same, "seller", v.Seller, root.find("cac:AccountingSupplierParty", "cac:Party"))
		sameParty(same, "buyer", v.Buyer, root.find("cac:AccountingCustomerParty", "cac:Party"))
		for i, n := range root.all("cac:InvoiceLine") {
			item := n.find("cac:Item")
			same(fmt.Sprintf("lines[%d].name", i), v.Lines[i].Name, item.find("cbc:Name"))
			same(fmt.Sprintf("lines[%d].description", i), v.Lines[i].Description, item.find("cbc:Description"))
			same(fmt.Sprintf("lines[%d].code", i), v.Lines[i].Code, item.find("cac:SellersItemIdentification", "cbc:ID"))
		}
		root.each(func(n *node) {
			if len(n.kids) == 0 && n.value() == "" && n.name != "{urn:esnaf:unsigned}placeholder" {
				t.Errorf("%s is empty", n.path())
			}
		})
	})
}

// cleanly writes rec, finds nothing wrong with the document, and gives it back parsed,
// with what tells whether a text stands in it as it went in.
func cleanly[R any](t *rapid.T, write func([]byte, R) ([]byte, error), rec R) (root *node, same func(field, want string, n *node)) {
	doc, err := write(nil, rec)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Check(doc) {
		t.Errorf("%s at %s: %s", f.Rule, f.Path, f.Message)
	}
	if root, err = parse(doc); err != nil {
		t.Fatal(err)
	}
	return root, func(field, want string, n *node) {
		if n.value() != want {
			t.Errorf("%s is %q, it went in as %q", field, n.value(), want)
		}
	}
}

func sameParty(same func(string, string, *node), who string, p *trade.Party, n *node) {
	if len(p.TaxNumber) == 11 {
		same(who+".firstName", p.FirstName, n.find("cac:Person", "cbc:FirstName"))
		same(who+".lastName", p.LastName, n.find("cac:Person", "cbc:FamilyName"))
	} else {
		same(who+".name", p.Name, n.find("cac:PartyName", "cbc:Name"))
	}
	same(who+".address", p.Address, n.find("cac:PostalAddress", "cbc:StreetName"))
	same(who+".district", p.District, n.find("cac:PostalAddress", "cbc:CitySubdivisionName"))
	same(who+".city", p.City, n.find("cac:PostalAddress", "cbc:CityName"))
	same(who+".taxOffice", p.TaxOffice, n.find("cac:PartyTaxScheme", "cac:TaxScheme", "cbc:Name"))
	same(who+".phone", p.Phone, n.find("cac:Contact", "cbc:Telephone"))
	same(who+".email", p.Email, n.find("cac:Contact", "cbc:ElectronicMail"))
}

// drawn is the documents of some drawn invoices, the same every time.
func drawn(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for seed := range 20 {
		files[fmt.Sprintf("drawn %d", seed)] = write(t, invoices().Example(seed))
		files[fmt.Sprintf("drawn note %d", seed)] = writeNote(t, shipments().Example(seed))
		files[fmt.Sprintf("drawn answer %d", seed)] = writeAnswer(t, answers().Example(seed))
	}
	return files
}

// words is a text of 1 to 12 characters and no mere blank; every character that
// XML can carry may be in it, those it must escape often.
func words() *rapid.Generator[string] {
	char := rapid.OneOf(rapid.SampledFrom([]rune("&<>\"']\r\n\t\u00a0\u2028\ufffd çğıöşüİ😀")),
		rapid.Rune().Filter(func(r rune) bool { return legal(r, string(r)) }))
	return rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"A", "ş", "]]>", "<!--", "&amp;"}).Draw(t, "first") +
			string(rapid.SliceOfN(char, 0, 11).Draw(t, "rest"))
	})
}

// maybe is what g draws, or nothing.
func maybe(g *rapid.Generator[string]) *rapid.Generator[string] {
	return rapid.OneOf(rapid.Just(""), g)
}

func parties(taxNumber string) *rapid.Generator[*trade.Party] {
	return rapid.Custom(func(t *rapid.T) *trade.Party {
		text, some := words(), maybe(words())
		return &trade.Party{
			Name: text.Draw(t, "name"), FirstName: text.Draw(t, "first"), LastName: text.Draw(t, "last"), TaxNumber: taxNumber,
			Address: some.Draw(t, "address"), District: text.Draw(t, "district"), City: text.Draw(t, "city"),
			TaxOffice: some.Draw(t, "office"), Phone: some.Draw(t, "phone"), Email: some.Draw(t, "email"),
			PostalCode: some.Draw(t, "postal"), Country: rapid.SampledFrom([]string{"TR", "DE", "NP"}).Draw(t, "country"),
		}
	})
}

func lines() *rapid.Generator[trade.Line] {
	return rapid.Custom(func(t *rapid.T) trade.Line {
		l := trade.Line{
			Name: words().Draw(t, "name"), Code: maybe(words()).Draw(t, "code"), Description: maybe(words()).Draw(t, "description"),
			Unit:             rapid.SampledFrom([]string{"C62", "KGM", "MTR", "HUR"}).Draw(t, "unit"),
			PriceIncludesVAT: rapid.Bool().Draw(t, "inclusive"),
			Quantity:         money.Quantity(rapid.Int64Range(1, 1e11).Draw(t, "quantity")),
			UnitPrice:        new(money.Price(rapid.Int64Range(0, 1e14).Draw(t, "price"))),
			VATRate: new(rapid.OneOf(rapid.SampledFrom([]money.Rate{0, money.Percent(1), money.Percent(10), money.Percent(20)}),
				rapid.Map(rapid.Int64Range(0, 100_0000), func(r int64) money.Rate { return money.Rate(r) })).Draw(t, "vat")),
		}
		rate := money.Rate(rapid.Int64Range(0, 100_0000).Draw(t, "discount"))
		switch rapid.IntRange(0, 2).Draw(t, "kind of discount") {
		case 1:
			l.DiscountRate = &rate
		case 2: // as much, given as an amount
			gross, _ := l.UnitPrice.Times(l.Quantity)
			l.DiscountAmount = new(rate.Of(gross))
		}
		return l
	})
}

// invoices draws what Check, Sum and CheckSend find nothing wrong with.
func invoices() *rapid.Generator[*trade.Invoice] {
	return rapid.Custom(func(t *rapid.T) *trade.Invoice {
		v := &trade.Invoice{
			Number: "EFA2026000000001", ETTN: "3f0c1b1e-7a54-4c3b-9a77-0d6f0f2f5a01", CompanyID: "cmp_1", InvoiceType: trade.Satis,
			DocumentType: trade.EFatura, IssueDate: "2026-09-15", IssueTime: "10:15:00", Currency: "TRY",
			Profile: rapid.SampledFrom([]trade.Profile{trade.TemelFatura, trade.TicariFatura, trade.EArsivFatura}).Draw(t, "profile"),
			Seller:  parties(rapid.SampledFrom([]string{"4810058891", "10000000146"}).Draw(t, "seller")).Draw(t, "seller"),
			Buyer: parties(rapid.SampledFrom([]string{"1234567890", "24681357994", "11111111111", "22222222222", "2222222222"}).
				Draw(t, "buyer")).Draw(t, "buyer"),
			Lines: rapid.SliceOfN(lines(), 1, 8).Draw(t, "lines"),
		}
		if v.Profile == trade.EArsivFatura {
			v.DocumentType = trade.EArsiv
		}
		v.Notes = maybe(words()).Draw(t, "notes")
		if rapid.Bool().Draw(t, "foreign") {
			v.Currency, v.ExchangeRate = "USD", money.Exchange(rapid.Int64Range(1, 1e9).Draw(t, "rate"))
			v.Notes = words().Draw(t, "notes") // the first note is ours then
		}
		v.DueDate = rapid.SampledFrom([]trade.Date{"", "2026-09-15", "2026-10-15"}).Draw(t, "due")
		_ = finish(v) // what is wrong may only be what comes next
		for i := range v.Lines {
			if l := &v.Lines[i]; l.VAT == 0 {
				l.ExemptionCode = "351"
			}
		}
		if err := finish(v); err != nil {
			t.Fatalf("this invoice cannot be sent: %v", err)
		}
		return v
	})
}
