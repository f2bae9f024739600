package ubl

import "strings"

// taxes judges the tax codes everywhere and the reasons for charging no VAT, which
// the rules ask for on the document and not on its lines.
func (c *checker) taxes() {
	c.root.each(func(n *node) {
		if n.name == "cac:TaxTotal" {
			for _, s := range n.all("cac:TaxSubtotal") {
				c.taxCode(s)
			}
		}
	})
	for _, s := range subtotals(c.root) {
		c.reason(s)
		c.reasonCode(s.find("cac:TaxCategory"))
	}
}

// taxCodeOf is the code of a tax, nil when it has none.
func taxCodeOf(subtotal *node) *node {
	return subtotal.find("cac:TaxCategory", "cac:TaxScheme", "cbc:TaxTypeCode")
}

// taxCode judges which tax it is. The schema would let it be left out, but then
// the rules on VAT would pass over it.
func (c *checker) taxCode(subtotal *node) {
	code := taxCodeOf(subtotal)
	if code == nil {
		c.add(subtotal, "TAX-CODE", "the tax has no cbc:TaxTypeCode")
		return
	}
	c.judged(code, "TaxTypeCheck-1", judgedTaxes, otherTaxes)
}

// reason asks why a VAT of zero is zero, also where it only rounds to that: the
// rule looks at the amount and not at the rate. A return repeats the reason of what
// it returns, or none.
func (c *checker) reason(subtotal *node) {
	category := subtotal.find("cac:TaxCategory")
	if c.kind() == "IADE" || taxCodeOf(subtotal).value() != vatCode {
		return
	}
	reason, code := category.find("cbc:TaxExemptionReason"), category.get("cbc:TaxExemptionReasonCode")
	if !isZero(subtotal.get("cbc:TaxAmount")) {
		c.need(code != "351", category, "EXEMPTION-WITH-VAT", "the reason 351 stands where VAT is charged")
		return
	}
	c.need(reason != nil && !reason.blank(), category, "TaxExemptionReasonCheck-1", "no VAT is charged here, which needs cbc:TaxExemptionReason")
	c.need(code != "555", category, "DemirbasKDVTaxExemptionCheck-2", "the reason 555 stands where no VAT is charged")
}

// reasonCode judges that the reason fits the type of the invoice. The three that
// are no exemptions (151, 351, 555) go with any, the others each with its own type
// and with returns.
func (c *checker) reasonCode(category *node) {
	n := category.find("cbc:TaxExemptionReasonCode")
	code, kind := n.value(), c.kind()
	switch {
	case n == nil:
		c.need(category.find("cbc:TaxExemptionReason") == nil, category,
			"TaxExemptionReasonCodeCheck-2", "cbc:TaxExemptionReason needs cbc:TaxExemptionReasonCode")
	case isListed(code, exemptions):
		c.need(kind == "ISTISNA" || kind == "IADE", n,
			"TaxExemptionReasonCodeCheck-3", "the exemption %s needs an invoice of type ISTISNA, not %s", code, kind)
	case isListed(code, specialBases):
		c.need(kind == "IADE", n, "TaxExemptionReasonCodeCheck-4", "the reason %s needs an invoice of type OZELMATRAH, not %s", code, kind)
	case isListed(code, exportRegistered):
		c.need(kind == "IADE", n, "TaxExemptionReasonCodeCheck-5", "the reason %s needs an invoice of type IHRACKAYITLI, not %s", code, kind)
	case code == "555":
		c.need(kind != "ISTISNA" && c.root.get("cbc:ProfileID") != "KAMU", n,
			"DemirbasKDVTaxExemptionCheck-1", "the reason 555 does not fit this kind of invoice")
	default:
		c.listed(n, "TaxExemptionReasonCodeCheck-2", noExemptions)
	}
}

// withholding judges the VAT that the buyer withholds (tevkifat).
func (c *checker) withholding() {
	// Not TEVKIFATIADE: such a return states the VAT it gives back and no more.
	if totals := c.root.all("cac:WithholdingTaxTotal"); len(totals) > 0 {
		c.need(c.kind() == "TEVKIFAT" || c.kind() == "IADE", totals[0],
			"GeneralWithholdingTaxTotalCheck-1", "an invoice of type %s has no withholding", c.kind())
	}
	c.root.each(func(n *node) {
		if n.name == "cac:WithholdingTaxTotal" {
			for _, s := range n.all("cac:TaxSubtotal") {
				c.withheld(s)
			}
		}
	})
}

// withheld judges code and rate together, as text: 90 is right, 90.00 is not.
func (c *checker) withheld(subtotal *node) {
	code, percent := taxCodeOf(subtotal), subtotal.find("cbc:Percent")
	if code == nil || percent == nil {
		c.add(subtotal, "WithholdingTaxTotalCheck-1", "a withholding needs cbc:TaxTypeCode and cbc:Percent")
		return
	}
	c.need(isListed(code.value(), withholdingCodes), code, "WithholdingTaxTotalCheck-2", "%q is not a withholding code", code.value())
	c.need(isListed(code.value()+percent.value(), withholdings), percent,
		"WithholdingTaxTotalCheck-3", "the code %s has no rate written %q", code.value(), percent.value())
}

// isZero tells whether the decimal number s is zero, however it is written.
func isZero(s string) bool { return strings.Trim(strings.TrimSpace(s), "+-0.") == "" }
