package ubl

import (
	"fmt"
	"slices"
	"strings"

	"esnaf/store/trade"
)

// Finding is one defect of a document.
type Finding struct {
	// Rule is XML (the document cannot be read), XSD (against the schema), the id
	// of one of the tax office's rules of 01.07.2026, such as InvoiceIDCheck-1, or
	// one of our own in capitals, such as CALC-PAYABLE.
	Rule    string
	Path    string // the element it is about, as in /Invoice/cac:InvoiceLine[2]/cbc:ID
	Message string // a sentence without the path
}

// RuleCheckDigit is the rule of our own that a VKN or TCKN has the right check
// digits; accounts that work with made-up numbers pass over it (Official).
const RuleCheckDigit = "ID-CHECKDIGIT"

// Official leaves out the findings that the tax office itself does not make: it
// looks at the length of a tax number only.
func Official(found []Finding) []Finding {
	return slices.DeleteFunc(found, func(f Finding) bool { return f.Rule == RuleCheckDigit })
}

// maxFindings bounds the answer to a document that is nothing but faults.
const maxFindings = 100

// Check judges an invoice as the tax office would: can it be read, does it fit
// the UBL-TR 1.2.1 schema, does it keep the schematron's rules, and do its sums
// add up. None means that it would be taken. It stops after the first of these
// layers that finds anything.
//
// It knows the profiles TEMELFATURA, TICARIFATURA, EARSIVFATURA and KAMU and the
// types SATIS, IADE, TEVKIFAT, TEVKIFATIADE and ISTISNA; of any other it says
// NOT-JUDGED, so that nothing passes unseen. A signature is not looked at. Whether
// a date lies in the future only CheckOn can tell.
func Check(doc []byte) []Finding { return CheckOn(doc, "") }

// CheckOn is Check with the day on which the document is judged, in Turkey; ""
// lets every future be.
func CheckOn(doc []byte, day trade.Date) []Finding {
	root, err := parse(doc)
	if err != nil {
		return []Finding{{Rule: "XML", Path: "/", Message: err.Error()}}
	}
	if root.name != "Invoice" {
		return []Finding{{Rule: ruleSchema, Path: root.path(), Message: "the root element must be Invoice of UBL 2.1"}}
	}
	c := &checker{root: root, day: day}
	for _, layer := range []func(){
		func() { c.structure(root) },
		c.rules,
		c.numbers,
		c.sums,
	} {
		if layer(); len(c.found) > 0 {
			return c.found
		}
	}
	return nil
}

// checker judges one document. The layers after structure rely on what it has
// seen to: required elements are there, numbers and dates can be read.
type checker struct {
	root  *node
	day   trade.Date
	found []Finding
}

// add records a finding about n.
func (c *checker) add(n *node, rule, message string, args ...any) {
	if len(c.found) < maxFindings {
		c.found = append(c.found, Finding{Rule: rule, Path: n.path(), Message: fmt.Sprintf(message, args...)})
	}
}

// need is add unless ok.
func (c *checker) need(ok bool, n *node, rule, message string, args ...any) {
	if !ok {
		c.add(n, rule, message, args...)
	}
}

// rules judges everything but the sums.
func (c *checker) rules() {
	c.header()
	c.dates()
	c.codes()
	c.currency()
	c.returned()
	c.signature()
	c.party(c.root.find("cac:AccountingSupplierParty", "cac:Party"), false)
	c.party(c.root.find("cac:AccountingCustomerParty", "cac:Party"), true)
	c.payment()
	c.taxes()
	c.withholding()
}

// kind is the document's InvoiceTypeCode.
func (c *checker) kind() string { return c.root.get("cbc:InvoiceTypeCode") }

// header judges the fixed values and codes of the first elements.
func (c *checker) header() {
	r := c.root
	c.listed(r.find("cbc:UBLVersionID"), "UBLVersionIDCheck-1", "2.1")
	c.listed(r.find("cbc:CustomizationID"), "CustomizationIDCheck-1", "TR1.2 TR1.2.1")
	c.judged(r.find("cbc:ProfileID"), "ProfileIDCheck-1", judgedProfiles, otherProfiles)
	c.judged(r.find("cbc:InvoiceTypeCode"), "InvoiceTypeCodeCheck-1", judgedTypes, otherTypes)
	c.need(c.kind() != "IADE" || r.get("cbc:ProfileID") != "TICARIFATURA", r.find("cbc:InvoiceTypeCode"),
		"InvoiceTypeCodeCheck-2", "a return (IADE) cannot be a TICARIFATURA")
	c.listed(r.find("cbc:CopyIndicator"), "CopyIndicatorCheck-1", "false")
	uuid := r.find("cbc:UUID")
	c.need(trade.ValidUUID(uuid.value()), uuid, "UUIDCheck-1", "%q is not a UUID", uuid.value())
	c.need(r.get("cbc:ProfileID") != "EARSIVFATURA" || r.find("cbc:IssueTime") != nil, r,
		"ISSUE-TIME", "an EARSIVFATURA needs cbc:IssueTime")

	id := r.find("cbc:ID")
	number := id.value()
	if !trade.ValidDocumentNumber(number) {
		c.add(id, "InvoiceIDCheck-1", "%q is not a document number: 3 of A-Z and 0-9, a year of this century, 9 digits", number)
		return
	}
	// The rules do not compare the two; integrators do and refuse.
	year := strings.TrimSpace(r.get("cbc:IssueDate"))[:4]
	c.need(number[3:7] == year, id, "NUMBER-YEAR", "the year in the number %s is not that of the issue date, %s", number, year)
}

// dates judges every issue date, also those of other documents referred to.
func (c *checker) dates() {
	c.root.each(func(n *node) {
		if n.name != "cbc:IssueDate" {
			return
		}
		date := trade.Date(strings.TrimSpace(n.value()))
		c.need(date >= "2005-01-01", n, "TimeCheck-2", "the date %s lies before 2005", date)
		c.need(c.day == "" || date <= c.day, n, "TimeCheck-1", "the date %s lies after today, %s", date, c.day)
	})
}

// codes judges the codes that may stand anywhere.
func (c *checker) codes() {
	c.root.each(func(n *node) {
		switch n.name {
		case "cbc:IdentificationCode":
			c.need(trade.ValidCountry(n.value()), n, "CountryCodeCheck-1", "%q is not a country code such as TR", n.value())
		case "cbc:SourceCurrencyCode", "cbc:TargetCurrencyCode", "cbc:CurrencyCode":
			c.need(trade.ValidCurrency(n.value()), n, "GeneralCurrencyCodeCheck-1", "%q is not a currency code such as TRY", n.value())
		case "cbc:InvoicedQuantity":
			_, ok := n.attr("unitCode")
			c.need(ok, n, "InvoicedQuantityCheck-1", "the attribute unitCode is missing")
		case "cbc:PaymentMeansCode":
			c.listed(n, "PaymentMeansCodeCheck-1", paymentMeans)
		}
		if unit, ok := n.attr("unitCode"); ok {
			c.need(trade.ValidUnit(unit), n, "GeneralUnitCodeCheck-1", "%q is not a UN/ECE unit code such as C62", unit)
		}
		if currency, ok := n.attr("currencyID"); ok {
			c.need(trade.ValidCurrency(currency), n, "GeneralCurrencyIDCheck-1", "%q is not a currency code such as TRY", currency)
		}
	})
}

// currency judges the document's currency and its rate of exchange.
func (c *checker) currency() {
	for i, name := range []string{
		"cbc:DocumentCurrencyCode", "cbc:TaxCurrencyCode", "cbc:PricingCurrencyCode",
		"cbc:PaymentCurrencyCode", "cbc:PaymentAlternativeCurrencyCode",
	} {
		if n := c.root.find(name); n != nil {
			c.need(trade.ValidCurrency(n.value()), n, fmt.Sprintf("CurrencyCodeCheck-%d", i+1), "%q is not a currency code such as TRY", n.value())
		}
	}
	// One currency throughout: amounts of two could not be added up.
	currency := c.root.get("cbc:DocumentCurrencyCode")
	c.root.each(func(n *node) {
		if id, ok := n.attr("currencyID"); ok && id != currency {
			c.add(n, "CALC-CURRENCY", "the currency %q is not that of the document, %q", id, currency)
		}
	})
	if currency == lira {
		return
	}
	rate := c.root.find("cac:PricingExchangeRate")
	if rate == nil {
		c.add(c.root, "CurrencyCodeCheck-6", "a document in %s needs cac:PricingExchangeRate", currency)
		return
	}
	value := rate.find("cbc:CalculationRate")
	_, decimals, _ := strings.Cut(strings.TrimSpace(value.value()), ".")
	c.need(len(decimals) <= 6, value, "CurrencyCodeCheck-7", "the rate has more than 6 decimals")
	// The rules do not see a rate given the wrong way round, but every reader would
	// multiply by it.
	c.need(rate.get("cbc:SourceCurrencyCode") == currency && rate.get("cbc:TargetCurrencyCode") == lira, rate,
		"EXCHANGE-DIRECTION", "the rate must be from %s to TRY", currency)
}

// returned judges what a return refers to.
func (c *checker) returned() {
	if c.kind() != "IADE" && c.kind() != "TEVKIFATIADE" {
		return
	}
	references := 0
	for _, b := range c.root.all("cac:BillingReference") {
		d := b.find("cac:InvoiceDocumentReference")
		if d == nil {
			continue
		}
		references++
		kind := d.get("cbc:DocumentTypeCode")
		c.need((kind == "IADE" || kind == "İADE") && len(strings.TrimSpace(d.get("cbc:ID"))) == 16, d,
			"IADEInvioceCheck-1", "the returned invoice must be named by its 16-character number and the type code IADE")
	}
	c.need(references > 0, c.root, "IADEInvioceCheck-1", "a return must name the returned invoice in cac:BillingReference")
}

// payment judges the account a public body pays to.
func (c *checker) payment() {
	if c.root.get("cbc:ProfileID") != "KAMU" {
		return
	}
	for _, m := range c.root.all("cac:PaymentMeans") {
		iban := m.get("cac:PayeeFinancialAccount", "cbc:ID")
		if strings.HasPrefix(iban, "TR") && trade.ValidIBAN(iban) {
			return
		}
	}
	c.add(c.root, "KamuFaturaCheck-1", "a KAMU invoice needs a Turkish IBAN in cac:PaymentMeans/cac:PayeeFinancialAccount")
}
