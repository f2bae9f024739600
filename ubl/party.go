package ubl

import "esnaf/store/trade"

// personLength is the length of a TCKN, the number of a natural person; a VKN is
// one digit shorter.
const personLength = 11

// signature names who signs and where the signature will be found. It must be
// there exactly once even while the document is unsigned (schema,
// SignatureCountCheck-1).
func (w *writer) signature(number, scope string, p *trade.Party) {
	w.scope = scope
	w.in("cac:Signature", func() {
		w.identifier("VKN_TCKN", "taxNumber", p.TaxNumber)
		w.in("cac:SignatoryParty", func() {
			w.taxIdentification(p)
			w.postalAddress(p)
		})
		w.scope = ""
		w.in("cac:DigitalSignatureAttachment", func() {
			w.in("cac:ExternalReference", func() {
				w.open("cbc:URI")
				w.buf = append(w.buf, "#Signature_"...)
				w.text("number", number)
				w.end("cbc:URI")
			})
		})
	})
}

// roleParty writes the seller or the buyer. contact is whom to ask for there; most
// have none.
func (w *writer) roleParty(tag, scope string, p *trade.Party, contact func()) {
	w.scope = scope
	w.in(tag, func() {
		w.in("cac:Party", func() { w.partyBody(p) })
		if contact != nil {
			contact()
		}
	})
	w.scope = ""
}

// partyBody writes what a party is in the order of the schema. What is not known is
// left out; district and province must be known (see postalAddress).
func (w *writer) partyBody(p *trade.Party) {
	w.taxIdentification(p)
	w.partyName(p)
	w.postalAddress(p)
	if !blank(p.TaxOffice) {
		// Nothing but the office's name: integrators refuse anything else here.
		w.in("cac:PartyTaxScheme", func() {
			w.in("cac:TaxScheme", func() { w.required("cbc:Name", "taxOffice", p.TaxOffice) })
		})
	}
	if !blank(p.Phone) || !blank(p.Email) {
		w.in("cac:Contact", func() {
			w.optional("cbc:Telephone", "phone", p.Phone)
			w.optional("cbc:ElectronicMail", "email", p.Email)
		})
	}
	if len(p.TaxNumber) == personLength {
		w.in("cac:Person", func() {
			w.required("cbc:FirstName", "firstName", p.FirstName)
			w.required("cbc:FamilyName", "lastName", p.LastName)
		})
	}
}

// taxIdentification writes the one number a party has: VKN or TCKN, told apart by
// its length.
func (w *writer) taxIdentification(p *trade.Party) {
	if p.TaxNumber == "" {
		w.fault("taxNumber", trade.NeededForDocument)
	}
	w.in("cac:PartyIdentification", func() { w.identifier(taxScheme(p.TaxNumber), "taxNumber", p.TaxNumber) })
}

// taxScheme tells by its length what kind of number it is.
func taxScheme(number string) string {
	if len(number) == personLength {
		return "TCKN"
	}
	return "VKN"
}

// partyName writes the title. A natural person has it only where the business is
// called otherwise than the person.
func (w *writer) partyName(p *trade.Party) {
	switch {
	case len(p.TaxNumber) != personLength:
		w.in("cac:PartyName", func() { w.required("cbc:Name", "name", p.Name) })
	case !blank(p.Name) && p.Name != p.FirstName+" "+p.LastName:
		w.in("cac:PartyName", func() { w.required("cbc:Name", "name", p.Name) })
	}
}

// postalAddress is the address of a party.
func (w *writer) postalAddress(p *trade.Party) {
	w.address("cac:PostalAddress", &trade.Address{Address: p.Address, District: p.District, City: p.City, PostalCode: p.PostalCode, Country: p.Country})
}

// address has the district (ilçe) in CitySubdivisionName and the province (il) in
// CityName; both are mandatory, the street is not.
func (w *writer) address(tag string, a *trade.Address) {
	w.in(tag, func() {
		w.optional("cbc:StreetName", "address", a.Address)
		w.required("cbc:CitySubdivisionName", "district", a.District)
		w.required("cbc:CityName", "city", a.City)
		w.optional("cbc:PostalZone", "postalCode", a.PostalCode)
		w.in("cac:Country", func() {
			w.optional("cbc:IdentificationCode", "country", a.Country)
			w.required("cbc:Name", "country", countryName(a.Country))
		})
	})
}
