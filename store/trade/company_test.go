package trade

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"esnaf/store/money"
)

func validCompany() Company {
	c := Company{Name: "Akar", TaxNumber: CompleteVKN("123456789"), Email: "a@example.com", Website: "https://example.com", IBAN: "TR330006100519786457841326"}
	c.Defaults()
	return c
}

// Every rule on a company has a row.
func TestCompanyCheck(t *testing.T) {
	long := func(n int) string { return strings.Repeat("ş", n) }
	for _, test := range []struct {
		about string
		edit  func(*Company)
		want  string
	}{
		{"all is well", func(*Company) {}, ""},
		{"the least", func(c *Company) { *c = Company{Name: "x"}; c.Defaults() }, ""},
		{"no name", func(c *Company) { c.Name = "" }, "name required"},
		{"a blank name", func(c *Company) { c.Name = " \t" }, "name required"},
		{"the longest name", func(c *Company) { c.Name = long(250) }, ""},
		{"a longer name", func(c *Company) { c.Name = long(251) }, "name too_long"},
		{"a longer code", func(c *Company) { c.Code = long(51) }, "code too_long"},
		{"an unknown type", func(c *Company) { c.Type = "FRIEND" }, "type invalid_value"},
		{"a type in small letters", func(c *Company) { c.Type = "customer" }, "type invalid_value"},
		{"an unknown kind of person", func(c *Company) { c.PersonType = "ROBOT" }, "personType invalid_value"},
		{"a wrong check digit", func(c *Company) { c.TaxNumber = "1234567891" }, "taxNumber tax_number_invalid"},
		{"letters in the tax number", func(c *Company) { c.TaxNumber = "12345678x0" }, "taxNumber tax_number_invalid"},
		{"a dummy tax number", func(c *Company) { c.TaxNumber = "2222222222" }, ""},
		{"a citizen's number", func(c *Company) { c.TaxNumber = CompleteTCKN("123456789") }, ""},
		{"long texts", func(c *Company) {
			c.TaxOffice, c.Phone, c.FirstName, c.LastName, c.Website = long(101), long(51), long(101), long(101), "https://example.com/"+long(500)
		}, "taxOffice too_long, phone too_long, firstName too_long, lastName too_long, website too_long"},
		{"a long address", func(c *Company) {
			c.Address, c.District, c.City, c.PostalCode = long(501), long(101), long(101), "12345678901"
		}, "address too_long, district too_long, city too_long, postalCode too_long"},
		{"an unknown country", func(c *Company) { c.Country = "TUR" }, "country code_invalid"},
		{"a country in small letters", func(c *Company) { c.Country = "tr" }, "country code_invalid"},
		{"no e-mail address", func(c *Company) { c.Email = "example.com" }, "email email_invalid"},
		{"an e-mail address with a name", func(c *Company) { c.Email = "Ali <a@example.com>" }, "email email_invalid"},
		{"a long e-mail address", func(c *Company) { c.Email = long(250) + "@example.com" }, "email too_long"},
		{"no web address", func(c *Company) { c.Website = "http://a b" }, "website url_invalid"},
		{"an unknown currency", func(c *Company) { c.Currency = "TL" }, "currency code_invalid"},
		{"a wrong IBAN", func(c *Company) { c.IBAN = "TR330006100519786457841327" }, "iban iban_invalid"},
		{"a negative term", func(c *Company) { c.PaymentTermDays = -1 }, "paymentTermDays out_of_range"},
		{"a term of years", func(c *Company) { c.PaymentTermDays = 3651 }, "paymentTermDays out_of_range"},
		{"a negative limit", func(c *Company) { c.RiskLimit = new(money.Amount(-1)) }, "riskLimit must_not_be_negative"},
		{"what every record has", func(c *Company) {
			c.ExternalID, c.Notes = long(101), long(4001)
			c.Metadata = map[string]string{"": "x", long(41): "x", "k": long(501)}
		}, "externalId too_long, notes too_long, metadata metadata_key_invalid, metadata.k too_long"},
		{"too many labels", func(c *Company) {
			c.Metadata = map[string]string{}
			for i := range 51 {
				c.Metadata[fmt.Sprint(i)] = ""
			}
		}, "metadata too_many"},
	} {
		t.Run(test.about, func(t *testing.T) {
			c, f := validCompany(), Check{}
			test.edit(&c)
			if c.Check(&f, false); f.list() != test.want {
				t.Errorf("found %s, want %s", f.list(), test.want)
			}
		})
	}
}

// An account with test data lets any number of the right length through.
func TestLenientTaxNumbers(t *testing.T) {
	for number, ok := range map[string]bool{"1234567891": true, "12345678901": true, "": true, "123456789": false, "123456789x": false, "123456789012": false} {
		c, f := validCompany(), Check{}
		c.TaxNumber = number
		if c.Check(&f, true); (f.list() == "") != ok {
			t.Errorf("%q: %s", number, f.list())
		}
	}
}

func TestCompanyDefaults(t *testing.T) {
	c := Company{PersonType: NaturalPerson, FirstName: "Ayşe", LastName: "Yılmaz", IBAN: "tr33 0006 1005 1978 6457 8413 26"}
	c.Defaults()
	want := Company{Name: "Ayşe Yılmaz", Type: Customer, PersonType: NaturalPerson, FirstName: "Ayşe", LastName: "Yılmaz", Country: "TR", Currency: "TRY", IBAN: "TR330006100519786457841326"}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	given := Company{Name: "x", Type: Lead, PersonType: LegalPerson, Country: "DE", Currency: "EUR"}
	kept := given
	if kept.Defaults(); !cmp.Equal(given, kept) {
		t.Errorf("what was given changed: %+v", kept)
	}
}

func TestCompanyKeepsWhatACallerMayNotSet(t *testing.T) {
	old := Company{Meta: Meta{ID: "cmp_1", Version: 3, CreatedAt: 1, UpdatedAt: 2, Notes: "alt"}, Code: "K1", EInvoice: Registration{Registered: true, Alias: "urn:mail:pk@x"}}
	c := Company{Meta: Meta{ID: "x", Version: 9, Notes: "neu"}, Name: "Yeni"}
	c.Keep(&old)
	want := Company{Meta: Meta{ID: "cmp_1", Version: 3, CreatedAt: 1, UpdatedAt: 2, Notes: "neu"}, Code: "K1", Name: "Yeni", EInvoice: old.EInvoice}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c.Code = "K2"; true {
		c.Keep(&old)
	}
	if c.Code != "K2" {
		t.Error("another code was not taken")
	}
}

func TestPartiesOfDocuments(t *testing.T) {
	for _, test := range []struct {
		about string
		c     Company
		want  Party
		lacks string
	}{
		{
			"a legal person",
			Company{Name: "Akar A.Ş.", PersonType: LegalPerson, TaxNumber: "1234567890", District: "Çankaya", City: "Ankara", Country: "TR", EInvoice: Registration{Alias: "urn:mail:pk@x"}},
			Party{Name: "Akar A.Ş.", PersonType: LegalPerson, TaxNumber: "1234567890", District: "Çankaya", City: "Ankara", Country: "TR", Alias: "urn:mail:pk@x"},
			"",
		},
		{
			"a citizen who gave a title alone",
			Company{Name: "Ayşe Nur Yılmaz", PersonType: LegalPerson, TaxNumber: "12345678950", District: "x", City: "y"},
			Party{Name: "Ayşe Nur Yılmaz", PersonType: NaturalPerson, FirstName: "Ayşe Nur", LastName: "Yılmaz", TaxNumber: "12345678950", District: "x", City: "y"},
			"",
		},
		{
			"a citizen with both names",
			Company{Name: "Market", FirstName: "Ayşe", LastName: "Yılmaz", PersonType: NaturalPerson, TaxNumber: "12345678950", District: "x", City: "y"},
			Party{Name: "Market", PersonType: NaturalPerson, FirstName: "Ayşe", LastName: "Yılmaz", TaxNumber: "12345678950", District: "x", City: "y"},
			"",
		},
		{
			"a citizen of one word",
			Company{Name: "Ayşe", TaxNumber: "12345678950", District: "x", City: "y"},
			Party{Name: "Ayşe", PersonType: NaturalPerson, TaxNumber: "12345678950", District: "x", City: "y"},
			"buyer.firstName needed_for_document, buyer.lastName needed_for_document",
		},
		{"nothing known", Company{}, Party{}, "buyer.taxNumber needed_for_document, buyer.district needed_for_document, buyer.city needed_for_document, buyer.name needed_for_document"},
		{
			"blanks",
			Company{Name: " ", TaxNumber: "1234567890", District: " ", City: "\t"},
			Party{Name: " ", TaxNumber: "1234567890", District: " ", City: "\t"},
			"buyer.district needed_for_document, buyer.city needed_for_document, buyer.name needed_for_document",
		},
	} {
		t.Run(test.about, func(t *testing.T) {
			p, f := test.c.Party(), Check{}
			if diff := cmp.Diff(test.want, p); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if p.checkForDocument(f.In("buyer")); f.list() != test.lacks {
				t.Errorf("lacks %s, want %s", f.list(), test.lacks)
			}
		})
	}
}
