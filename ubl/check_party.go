package ubl

import (
	"strconv"
	"strings"

	"esnaf/store/trade"
)

// signature judges who signs; whether the signature itself holds is not judged. The
// form of the signer's number is ruled for invoices only.
func (c *checker) signature() {
	all := c.root.all("cac:Signature")
	c.need(len(all) == 1, c.root, "SignatureCountCheck-1", "there must be one cac:Signature, there are %d", len(all))
	if c.root.name != "Invoice" {
		return
	}
	for _, s := range all {
		id := s.find("cbc:ID")
		scheme, _ := id.attr("schemeID")
		c.need(scheme == "VKN_TCKN", id, "SignatureCheck-1", "the schemeID must be VKN_TCKN")
		c.need(scheme != "VKN_TCKN" || len(id.value()) == 10 || len(id.value()) == 11, id,
			"SignatureCheck-2", "%q is neither a VKN of 10 nor a TCKN of 11 digits", id.value())
		vkn, tckn := taxIDs(s.find("cac:SignatoryParty"))
		c.need(len(vkn)+len(tckn) > 0, s, "SignatoryPartyPartyIdentificationCheck-1", "the signing party has neither VKN nor TCKN")
	}
}

// taxIDs lists the tax numbers of a party by their kind.
func taxIDs(party *node) (vkn, tckn []*node) {
	for _, p := range party.all("cac:PartyIdentification") {
		id := p.find("cbc:ID")
		switch scheme, _ := id.attr("schemeID"); scheme {
		case "VKN":
			vkn = append(vkn, id)
		case "TCKN":
			tckn = append(tckn, id)
		}
	}
	return vkn, tckn
}

// party judges the seller or the buyer. Of a buyer, the numbers that stand for
// somebody without one are accepted.
func (c *checker) party(p *node, buyer bool) {
	c.partyNumbers(p, buyer)
	vkn, tckn := taxIDs(p)
	// The tax office counts each kind apart: two numbers of one kind are as wrong
	// as none.
	c.need(len(vkn) == 1 || len(tckn) == 1, p, "PartyIdentificationPartyNamePersonCheck-1", "the party must have one VKN or one TCKN")
	c.need(len(vkn) != 1 || len(tckn) != 1, p, "PartyIdentificationPartyNamePersonCheck-2", "the party has a VKN and a TCKN")
	if len(vkn) > 0 {
		c.named(p, "cac:PartyName", 3, "cbc:Name")
	}
	if len(tckn) > 0 {
		c.named(p, "cac:Person", 5, "cbc:FirstName", "cbc:FamilyName")
	}
}

// partyNumbers judges the numbers of a party, which a carrier may have none of.
func (c *checker) partyNumbers(p *node, buyer bool) {
	for _, id := range p.all("cac:PartyIdentification") {
		id := id.find("cbc:ID")
		scheme, _ := id.attr("schemeID")
		c.need(isListed(scheme, partySchemes), id, "PartyIdentificationSchemeIDCheck-1", "%q is not a scheme of party numbers such as VKN", scheme)
	}
	vkn, tckn := taxIDs(p)
	for _, id := range vkn {
		c.need(len(id.value()) == 10, id, "PartyIdentificationTCKNVKNCheck-1", "a VKN has 10 digits, %q has not", id.value())
	}
	for _, id := range tckn {
		c.need(len(id.value()) == 11, id, "PartyIdentificationTCKNVKNCheck-2", "a TCKN has 11 digits, %q has not", id.value())
	}
	// Ours: the rules above look at lengths only, and a document to a mistyped number
	// reaches nobody.
	for _, id := range append(vkn, tckn...) {
		no := id.value()
		c.need(trade.IsVKN(no) || trade.IsTCKN(no) || buyer && trade.IsDummyTaxNumber(no), id,
			RuleCheckDigit, "the check digits of %q are wrong", no)
	}
}

// customs judges that the customs ministry is the buyer of exports alone, and of what
// public bodies sell it.
func (c *checker) customs() {
	vkn, tckn := taxIDs(c.root.find("cac:AccountingCustomerParty", "cac:Party"))
	for _, id := range append(vkn, tckn...) {
		c.need(id.value() != customsNumber || c.root.get("cbc:ProfileID") == "KAMU", id,
			"TaxFreeInvoiceCheck-1", "the customs ministry (%s) is not the buyer of an ordinary sale", customsNumber)
	}
}

// named judges that a party has what it is called by (rule number first) and that it
// is not blank (the rule after it).
func (c *checker) named(party *node, element string, first int, names ...string) {
	const rule = "PartyIdentificationPartyNamePersonCheck-"
	n := party.find(element)
	if n == nil {
		c.add(party, rule+strconv.Itoa(first), "a party with this kind of number needs %s", element)
		return
	}
	for _, name := range names {
		text := n.find(name)
		c.need(!text.blank(), text, rule+strconv.Itoa(first+1), "the name is blank")
	}
}

// customsNumber is the VKN of the customs ministry, which receives exports.
const customsNumber = "1460415308"

// listed judges that the text of n is a word of list.
func (c *checker) listed(n *node, rule, list string) {
	c.need(isListed(n.value(), list), n, rule, "%q is not one of %s", n.value(), list)
}

// judged is listed for a code some of whose values this package knows no rules
// of, which is said apart.
func (c *checker) judged(n *node, rule, known, others string) {
	if isListed(n.value(), others) {
		c.add(n, "NOT-JUDGED", "%s has rules that are not known here; known are %s", n.value(), known)
		return
	}
	c.listed(n, rule, known)
}

// isListed tells whether value is a word of list. As in the tax office's rules
// it must be that to the letter: no space around it, no other case.
func isListed(value, list string) bool {
	for word := range strings.FieldsSeq(list) {
		if word == value {
			return true
		}
	}
	return false
}
