package trade

import "strings"

// Party is who stands on a document as seller or buyer, frozen when it is sent:
// what the document says must not follow later edits of the company.
type Party struct {
	Name       string     `json:"name"`
	PersonType PersonType `json:"personType"`
	FirstName  string     `json:"firstName,omitempty"`
	LastName   string     `json:"lastName,omitempty"`
	TaxNumber  string     `json:"taxNumber"`
	TaxOffice  string     `json:"taxOffice,omitempty"`
	Address    string     `json:"address,omitempty"`
	District   string     `json:"district,omitempty"`
	City       string     `json:"city,omitempty"`
	PostalCode string     `json:"postalCode,omitempty"`
	Country    string     `json:"country"`
	Phone      string     `json:"phone,omitempty"`
	Email      string     `json:"email,omitempty"`
	Alias      string     `json:"alias,omitempty" doc:"sender unit or mailbox (etiket) the document travels from or to"`
}

// Party is the company as it stands on a document.
func (c *Company) Party() Party {
	p := Party{
		Name: c.Name, PersonType: c.PersonType, FirstName: c.FirstName, LastName: c.LastName,
		TaxNumber: c.TaxNumber, TaxOffice: c.TaxOffice, Address: c.Address, District: c.District, City: c.City,
		PostalCode: c.PostalCode, Country: c.Country, Phone: c.Phone, Email: c.Email, Alias: c.EInvoice.Alias,
	}
	p.nameThePerson()
	return p
}

// nameThePerson splits the title of a natural person (an 11-digit number) who
// gave no first and family name: the last word is the family name.
func (p *Party) nameThePerson() {
	if len(p.TaxNumber) != 11 {
		return
	}
	p.PersonType = NaturalPerson
	if i := strings.LastIndexByte(p.Name, ' '); i > 0 && p.FirstName == "" && p.LastName == "" {
		p.FirstName, p.LastName = p.Name[:i], p.Name[i+1:]
	}
}

// checkForDocument finds what the UBL-TR party lacks: one VKN with a name or one
// TCKN with first and family name, and an address with district, city and
// country (UBL-TR 1.2.1 schema; rules PartyIdentificationPartyNamePersonCheck).
func (p *Party) checkForDocument(f *Check) {
	need := func(field, value string) {
		if strings.TrimSpace(value) == "" {
			f.Add(field, NeededForDocument)
		}
	}
	need("taxNumber", p.TaxNumber)
	need("district", p.District)
	need("city", p.City)
	if len(p.TaxNumber) == 11 {
		need("firstName", p.FirstName)
		need("lastName", p.LastName)
	} else {
		need("name", p.Name)
	}
}
