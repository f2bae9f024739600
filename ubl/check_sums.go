package ubl

import (
	"strings"

	"esnaf/store/money"
)

// numbers judges the form of every number that is added up. The schema would let
// them be longer, but not the tax office (of the totals) and its integrators.
func (c *checker) numbers() {
	c.root.each(func(n *node) {
		var err error
		text := strings.TrimSpace(n.value())
		switch {
		case n.name == "cbc:PriceAmount":
			_, err = money.ParsePrice(text)
		case isListed(n.name, quantities):
			_, err = money.ParseQuantity(text)
		case n.name == "cbc:Percent":
			_, err = money.ParseRate(text)
		case n.name == "cbc:PerUnitAmount":
			// a price that no sum is made of
		case strings.HasPrefix(n.name, "cbc:") && strings.HasSuffix(n.name, "Amount"):
			c.amountForm(n, text)
		}
		if err != nil {
			c.add(n, "NUMBER-FORM", "%s: %v", text, err)
		}
	})
}

// amountForm judges an amount: 15 digits and 2 decimals, and of the document's
// totals that they are not negative (decimalCheck-1).
func (c *checker) amountForm(n *node, text string) {
	a, err := money.ParseAmount(text)
	total := n.parent.name == "cac:LegalMonetaryTotal" && n.name != "cbc:PayableRoundingAmount" && n.name != "cbc:ChargeTotalAmount" ||
		n.parent.name == "cac:TaxTotal" && n.parent.parent == c.root
	switch {
	case total && (err != nil || a < 0):
		c.add(n, "decimalCheck-1", "%q is not an amount of at most 15 digits and 2 decimals, zero or more", text)
	case err != nil:
		c.add(n, "NUMBER-FORM", "%s: %v", text, err)
	}
}

// What a number says. It has been judged before that it can be read; an element
// that is not there counts zero.

func amountOf(n *node) money.Amount {
	a, _ := money.ParseAmount(strings.TrimSpace(n.value()))
	return a
}

func rateOf(n *node) money.Rate {
	r, _ := money.ParseRate(strings.TrimSpace(n.value()))
	return r
}

// sum adds up amounts. One of more than 15 digits is no invoice's, and is given up
// with a finding.
func (c *checker) sum(of []*node) money.Amount {
	var total money.Amount
	for _, n := range of {
		next, ok := total.Add(amountOf(n))
		if !ok {
			c.add(n, "NUMBER-FORM", "the amounts up to here have more than 15 digits")
			return 0
		}
		total = next
	}
	return total
}

// sums judges the arithmetic, of which the tax office publishes no rules: these
// are read off its samples. Sums must be exact; where a product was rounded, one
// kuruş is let go for each.
func (c *checker) sums() {
	lines := c.root.all("cac:InvoiceLine")
	for _, l := range lines {
		c.lineSum(l)
	}
	c.lineNumbers(lines)
	c.taxSums(c.root, len(lines))
	for _, l := range lines {
		c.taxSums(l, 1)
	}
	c.subtotalsOfLines(lines)
	c.totals(lines)
}

// lineSum is quantity x price - discounts + charges. A price is printed with 8
// decimals even if it comes from one including VAT, so a large quantity may be
// off by more.
func (c *checker) lineSum(l *node) {
	q, _ := money.ParseQuantity(strings.TrimSpace(l.get("cbc:InvoicedQuantity")))
	p, _ := money.ParsePrice(strings.TrimSpace(l.get("cac:Price", "cbc:PriceAmount")))
	gross, ok := p.Times(q)
	allowances, charges := c.adjustments(l)
	want := gross - allowances + charges
	n := l.find("cbc:LineExtensionAmount")
	// Half a unit in the price's 8th decimal is 5e-9 of the currency, a kuruş for
	// every two million units; quantities count in millionths.
	slack := 1 + money.Amount((int64(max(q, 0))+1e12)/2e12)
	c.need(ok && near(amountOf(n), want, slack), n, "CALC-LINE",
		"the line's amount is %s, quantity x price less discounts makes %s", amountOf(n), want)
}

// adjustments adds up the discounts and the charges of lines or of the document.
func (c *checker) adjustments(of ...*node) (allowances, charges money.Amount) {
	var less, more []*node
	for _, n := range of {
		for _, a := range n.all("cac:AllowanceCharge") {
			amount := a.find("cbc:Amount")
			if flag := strings.TrimSpace(a.get("cbc:ChargeIndicator")); flag == "true" || flag == "1" {
				more = append(more, amount)
			} else {
				less = append(less, amount)
			}
		}
	}
	return c.sum(less), c.sum(more)
}

// taxSums judges the tax totals of the document or of a line: each tax is its
// base x percent, rounded once a line, and the total is what they add up to, with
// or without the withheld part (GİB's samples leave that out, others do not).
func (c *checker) taxSums(n *node, lines int) {
	withheld := c.withheldTotal(n)
	for _, kind := range []string{"cac:TaxTotal", "cac:WithholdingTaxTotal"} {
		for _, t := range n.all(kind) {
			taxes := t.all("cac:TaxSubtotal")
			for _, s := range taxes {
				c.taxProduct(s, lines)
			}
			have, sum := amountOf(t.find("cbc:TaxAmount")), c.sum(parts(taxes, "cbc:TaxAmount"))
			after := kind == "cac:TaxTotal" && have == sum-withheld
			c.need(have == sum || after, t, "CALC-TAXTOTAL", "the total is %s, its parts make %s", have, sum)
		}
	}
}

// taxProduct judges base x percent of one tax.
func (c *checker) taxProduct(s *node, lines int) {
	tax, base, percent := s.find("cbc:TaxAmount"), s.find("cbc:TaxableAmount"), s.find("cbc:Percent")
	if base == nil || percent == nil {
		return
	}
	want := rateOf(percent).Of(amountOf(base))
	c.need(near(amountOf(tax), want, money.Amount(lines)), tax, "CALC-TAX",
		"the tax is %s, %s percent of %s makes %s", amountOf(tax), rateOf(percent), amountOf(base), want)
}

// withheldTotal is what the buyer keeps back of the document's or the line's VAT.
func (c *checker) withheldTotal(n *node) money.Amount {
	return c.sum(parts(n.all("cac:WithholdingTaxTotal"), "cbc:TaxAmount"))
}

// subtotalsOfLines judges that each tax of the document is what its lines say.
func (c *checker) subtotalsOfLines(lines []*node) {
	type tax struct{ code, percent string }
	type group struct{ stated, parts []*node }
	var order []tax // so that findings come in the order of the document
	groups := map[tax]*group{}
	at := func(s *node) *group {
		k := tax{taxCodeOf(s).value(), rateOf(s.find("cbc:Percent")).String()}
		if groups[k] == nil {
			order, groups[k] = append(order, k), &group{}
		}
		return groups[k]
	}
	for _, s := range subtotals(c.root) {
		g := at(s)
		g.stated = append(g.stated, s.find("cbc:TaxAmount"))
	}
	for _, l := range lines {
		if l.find("cac:TaxTotal") == nil { // a line may leave it out, then there is nothing to compare
			return
		}
		for _, s := range subtotals(l) {
			g := at(s)
			g.parts = append(g.parts, s.find("cbc:TaxAmount"))
		}
	}
	for _, k := range order {
		have, want := c.sum(groups[k].stated), c.sum(groups[k].parts)
		c.need(have == want, c.root.find("cac:TaxTotal"), "CALC-SUBTOTAL",
			"the tax %s at %s percent is %s, the lines make %s", k.code, k.percent, have, want)
	}
}

// subtotals lists the taxes of the document or of a line.
func subtotals(n *node) []*node {
	var found []*node
	for _, t := range n.all("cac:TaxTotal") {
		found = append(found, t.all("cac:TaxSubtotal")...)
	}
	return found
}

// parts lists the named element of each node.
func parts(of []*node, name string) []*node {
	var found []*node
	for _, n := range of {
		found = append(found, n.find(name))
	}
	return found
}

// totals judges cac:LegalMonetaryTotal.
func (c *checker) totals(lines []*node) {
	net := c.sum(parts(lines, "cbc:LineExtensionAmount"))
	lineAllowances, lineCharges := c.adjustments(lines...)
	allowances, charges := c.adjustments(c.root)
	t := c.root.find("cac:LegalMonetaryTotal")
	have := func(name string) money.Amount { return amountOf(t.find("cbc:" + name)) }
	must := func(ok bool, name, rule string, want money.Amount) {
		c.need(ok, t, rule, "%s is %s, it must be %s", name, have(name), want)
	}

	// GİB's sample prints the sum before the lines' discounts, others after.
	extension, gross := have("LineExtensionAmount"), net+lineAllowances-lineCharges
	must(extension == gross || extension == net, "LineExtensionAmount", "CALC-LINES", gross)
	exclusive := net - allowances + charges
	must(have("TaxExclusiveAmount") == exclusive, "TaxExclusiveAmount", "CALC-EXCLUSIVE", exclusive)
	if discounts := lineAllowances + allowances; t.find("cbc:AllowanceTotalAmount") != nil || extension != net {
		must(have("AllowanceTotalAmount") == discounts, "AllowanceTotalAmount", "CALC-ALLOWANCE", discounts)
	}
	// Each step counts from what is printed, so that one wrong figure is one finding.
	inclusive := have("TaxExclusiveAmount") + c.sum(parts(subtotals(c.root), "cbc:TaxAmount"))
	must(have("TaxInclusiveAmount") == inclusive, "TaxInclusiveAmount", "CALC-INCLUSIVE", inclusive)
	payable := have("TaxInclusiveAmount") - c.withheldTotal(c.root) + have("PayableRoundingAmount")
	must(have("PayableAmount") == payable, "PayableAmount", "CALC-PAYABLE", payable)
}

// near tells whether a and b differ by at most slack.
func near(a, b, slack money.Amount) bool { return max(a-b, b-a) <= slack }
