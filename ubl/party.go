package ubl

import "esnaf/store/trade"

// personLength is the length of a TCKN, the number of a natural person; a VKN is
// one digit shorter.
const personLength = 11

// signature names who signs and where the signature will be found. It must be
// there exactly once even while the document is unsigned (schema,
// SignatureCountCheck-1).
func (w *writer) signature(v *trade.Invoice) {
	p := v.Seller
	w.party = "seller."
	w.in("cac:Signature", func() {
		w.identifier("VKN_TCKN", "taxNumber", p.TaxNumber)
		w.in("cac:SignatoryParty", func() {
			w.taxIdentification(p)
			w.postalAddress(p)
		})
		w.party = ""
		w.in("cac:DigitalSignatureAttachment", func() {
			w.in("cac:ExternalReference", func() {
				w.open("cbc:URI")
				w.buf = append(w.buf, "#Signature_"...)
				w.text("number", v.Number)
				w.end("cbc:URI")
			})
		})
	})
}

// accountingParty writes the seller or the buyer.
func (w *writer) accountingParty(tag, scope string, p *trade.Party) {
	w.party = scope
	w.in(tag, func() {
		w.in("cac:Party", func() { w.partyBody(p) })
	})
	w.party = ""
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
	scheme := "VKN"
	if len(p.TaxNumber) == personLength {
		scheme = "TCKN"
	}
	if p.TaxNumber == "" {
		w.fault("taxNumber", trade.NeededForDocument)
	}
	w.in("cac:PartyIdentification", func() { w.identifier(scheme, "taxNumber", p.TaxNumber) })
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

// postalAddress has the district (ilçe) in CitySubdivisionName and the province
// (il) in CityName; both are mandatory, the street is not.
func (w *writer) postalAddress(p *trade.Party) {
	w.in("cac:PostalAddress", func() {
		w.optional("cbc:StreetName", "address", p.Address)
		w.required("cbc:CitySubdivisionName", "district", p.District)
		w.required("cbc:CityName", "city", p.City)
		w.optional("cbc:PostalZone", "postalCode", p.PostalCode)
		w.in("cac:Country", func() {
			w.optional("cbc:IdentificationCode", "country", p.Country)
			w.required("cbc:Name", "country", countryName(p.Country))
		})
	})
}
