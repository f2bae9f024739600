package trade

import (
	"net/mail"
	"net/url"
	"strings"

	"esnaf/store/money"
)

// CompanyType says which way trade goes with a company.
type CompanyType string

// The company types: buys from us, sells to us, both, not yet either.
const (
	Customer CompanyType = "CUSTOMER"
	Supplier CompanyType = "SUPPLIER"
	Both     CompanyType = "BOTH"
	Lead     CompanyType = "LEAD"
)

// Values lists the company types.
func (CompanyType) Values() []string { return []string{"CUSTOMER", "SUPPLIER", "BOTH", "LEAD"} }

// PersonType tells a legal person from a natural one (tüzel, gerçek kişi).
type PersonType string

// The kinds of person.
const (
	LegalPerson   PersonType = "COMPANY"
	NaturalPerson PersonType = "PERSON"
)

// Values lists the kinds of person.
func (PersonType) Values() []string { return []string{"COMPANY", "PERSON"} }

// Registration tells whether the tax office lists a company as a user of one
// kind of electronic document, and under which alias (etiket).
type Registration struct {
	Registered bool    `json:"registered"`
	Alias      string  `json:"alias,omitempty" doc:"mailbox alias (posta kutusu etiketi)"`
	Profile    Profile `json:"profile,omitempty"`
}

// Company is a customer or a supplier (cari).
type Company struct {
	Meta
	Code            string        `json:"code" doc:"unique among live companies; drawn as C000001 on when absent"`
	Name            string        `json:"name" api:"required" doc:"legal title (ünvan)"`
	Type            CompanyType   `json:"type" doc:"CUSTOMER when absent"`
	TaxNumber       string        `json:"taxNumber" doc:"VKN (10 digits) or TCKN (11 digits)"`
	TaxOffice       string        `json:"taxOffice" doc:"name of the tax office (vergi dairesi)"`
	Phone           string        `json:"phone"`
	Email           string        `json:"email"`
	City            string        `json:"city" doc:"province (il)"`
	PersonType      PersonType    `json:"personType" doc:"COMPANY when absent"`
	FirstName       string        `json:"firstName,omitempty"`
	LastName        string        `json:"lastName,omitempty"`
	District        string        `json:"district,omitempty" doc:"ilçe"`
	Address         string        `json:"address,omitempty"`
	PostalCode      string        `json:"postalCode,omitempty"`
	Country         string        `json:"country" doc:"ISO 3166 alpha-2, TR when absent"`
	Website         string        `json:"website,omitempty"`
	Currency        string        `json:"currency" doc:"ISO 4217, TRY when absent"`
	PaymentTermDays int           `json:"paymentTermDays,omitzero" doc:"days from issue to due, 0 to 3650"`
	RiskLimit       *money.Amount `json:"riskLimit,omitempty" doc:"credit limit in currency (risk limiti)"`
	IBAN            string        `json:"iban,omitempty"`
	EInvoice        Registration  `json:"eInvoice" api:"readonly" doc:"from the tax office's list of registered users"`
	EDespatch       Registration  `json:"eDespatch" api:"readonly" doc:"from the tax office's list of registered users"`
}

// Defaults fills what a caller may leave out and tidies what may be written in
// several ways (an IBAN with spaces).
func (c *Company) Defaults() {
	defaultTo(&c.Type, Customer)
	defaultTo(&c.PersonType, LegalPerson)
	defaultTo(&c.Country, "TR")
	defaultTo(&c.Currency, "TRY")
	c.IBAN = strings.ToUpper(strings.ReplaceAll(c.IBAN, " ", ""))
	if c.Name == "" && c.PersonType == NaturalPerson {
		c.Name = strings.TrimSpace(c.FirstName + " " + c.LastName)
	}
}

// Check finds what is wrong with the fields that a caller sets. With lenient set
// (the tenant's taxNumberCheck is warn) a tax number needs only the right length.
func (c *Company) Check(f *Check, lenient bool) {
	c.Meta.check(f)
	checkCode(f, "code", &c.Code)
	f.Required("name", strings.TrimSpace(c.Name))
	f.Max("name", c.Name, 250)
	OneOf(f, "type", c.Type, Customer, Supplier, Both, Lead)
	OneOf(f, "personType", c.PersonType, LegalPerson, NaturalPerson)
	checkTaxNumber(f, "taxNumber", c.TaxNumber, lenient)
	checkAddress(f, c.Address, c.District, c.City, c.PostalCode, c.Country)
	for _, t := range []struct {
		field, value string
		max          int
	}{
		{"taxOffice", c.TaxOffice, 100},
		{"phone", c.Phone, 50},
		{"email", c.Email, 254},
		{"firstName", c.FirstName, 100},
		{"lastName", c.LastName, 100},
		{"website", c.Website, 500},
	} {
		f.Max(t.field, t.value, t.max)
	}
	checkEmail(f, "email", c.Email)
	if c.Website != "" {
		if u, err := url.Parse(c.Website); err != nil || strings.ContainsAny(c.Website, " \t\r\n") || u.Path+u.Host == "" {
			f.Add("website", BadURL, c.Website)
		}
	}
	checkCurrency(f, "currency", c.Currency)
	checkIBAN(f, "iban", c.IBAN)
	checkTerm(f, c.PaymentTermDays)
	if c.RiskLimit != nil && *c.RiskLimit < 0 {
		f.Add("riskLimit", MustNotBeNegative)
	}
}

// Keep carries over from old what a caller may not set.
func (c *Company) Keep(old *Company) {
	c.Meta.keep(old.Meta)
	c.EInvoice, c.EDespatch = old.EInvoice, old.EDespatch
	defaultTo(&c.Code, old.Code)
}

// SearchText is what q finds a company by.
func (c *Company) SearchText() string { return c.Code + " " + c.Name + " " + c.TaxNumber }

func defaultTo[S ~string](field *S, value S) {
	if *field == "" {
		*field = value
	}
}

func checkTaxNumber(f *Check, field, no string, lenient bool) {
	switch {
	case no == "" || ValidTaxNumber(no):
	case lenient && isDigits(no) && (len(no) == 10 || len(no) == 11):
	default:
		f.Add(field, BadTaxNumber)
	}
}

// checkOwnNumber is checkTaxNumber of somebody who must have a number: none of those that
// stand for a buyer without one, which the document would be refused for.
func checkOwnNumber(f *Check, field, no string, lenient bool) {
	if IsDummyTaxNumber(no) && !lenient {
		f.Add(field, BadTaxNumber)
		return
	}
	checkTaxNumber(f, field, no, lenient)
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func checkAddress(f *Check, address, district, city, postal, country string) {
	f.Max("address", address, 500)
	f.Max("district", district, 100)
	f.Max("city", city, 100)
	f.Max("postalCode", postal, 10)
	if !ValidCountry(country) {
		f.Add("country", BadCode, country, Phrase{"an ISO 3166 alpha-2 code such as TR", "TR gibi bir ISO 3166 alfa-2 kodu"})
	}
}

func checkEmail(f *Check, field, email string) {
	if email == "" {
		return
	}
	if a, err := mail.ParseAddress(email); err != nil || a.Address != email || a.Name != "" {
		f.Add(field, BadEmail)
	}
}

func checkIBAN(f *Check, field, iban string) {
	if iban != "" && !ValidIBAN(iban) {
		f.Add(field, BadIBAN)
	}
}

func checkCurrency(f *Check, field, code string) {
	if !ValidCurrency(code) {
		f.Add(field, BadCode, code, Phrase{"an ISO 4217 code such as TRY", "TRY gibi bir ISO 4217 kodu"})
	}
}

func checkTerm(f *Check, days int) {
	if days < 0 || days > 3650 {
		f.Add("paymentTermDays", OutOfRange, 0, 3650)
	}
}
