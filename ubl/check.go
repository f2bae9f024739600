package ubl

import (
	"fmt"
	"slices"
	"strconv"
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

// Check judges an invoice, a despatch note or the answer to one as the tax office
// would: can it be read, does it fit the UBL-TR 1.2.1 schema, does it keep the
// schematron's rules, and do its sums add up. None means that it would be taken. It
// stops after the first of these layers that finds anything.
//
// Of invoices it knows the profiles TEMELFATURA, TICARIFATURA, EARSIVFATURA and KAMU
// and the types SATIS, IADE, TEVKIFAT, TEVKIFATIADE and ISTISNA, of despatch notes
// the profile TEMELIRSALIYE; of any other it says NOT-JUDGED, so that nothing passes
// unseen. A signature is not looked at. Whether a date lies in the future only
// CheckOn can tell.
func Check(doc []byte) []Finding { return CheckOn(doc, "") }

// CheckOn is Check with the day on which the document is judged, in Turkey; ""
// lets every future be.
func CheckOn(doc []byte, day trade.Date) []Finding {
	root, err := parse(doc)
	if err != nil {
		return []Finding{{Rule: "XML", Path: "/", Message: err.Error()}}
	}
	c := &checker{root: root, day: day}
	for _, layer := range c.layers() {
		if layer(); len(c.found) > 0 {
			return c.found
		}
	}
	return nil
}

// layers are what this kind of document is judged by, one after the other. Those
// after the first rely on what it has seen to: required elements are there, numbers
// and dates can be read.
func (c *checker) layers() []func() {
	structure := func() { c.structure(c.root) }
	switch c.root.name {
	case "Invoice":
		return []func(){structure, c.rules, c.numbers, c.sums}
	case "DespatchAdvice":
		return []func(){structure, c.despatchRules, c.numbers, c.despatchSums}
	case "ReceiptAdvice":
		return []func(){structure, c.receiptRules, c.numbers, c.receiptSums}
	}
	return []func(){func() {
		c.add(c.root, ruleSchema, "the root element must be Invoice, DespatchAdvice or ReceiptAdvice of UBL 2.1")
	}}
}

// checker judges one document.
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

// rules judges everything of an invoice but the sums.
func (c *checker) rules() {
	c.header()
	c.dates()
	c.codes()
	c.currency()
	c.returned()
	c.signature()
	c.party(c.root.find("cac:AccountingSupplierParty", "cac:Party"), false)
	c.party(c.root.find("cac:AccountingCustomerParty", "cac:Party"), true)
	c.customs()
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
	c.identity()
	c.judged(r.find("cbc:ProfileID"), "ProfileIDCheck-1", judgedProfiles, otherProfiles)
	c.judged(r.find("cbc:InvoiceTypeCode"), "InvoiceTypeCodeCheck-1", judgedTypes, otherTypes)
	c.need(c.kind() != "IADE" || r.get("cbc:ProfileID") != "TICARIFATURA", r.find("cbc:InvoiceTypeCode"),
		"InvoiceTypeCodeCheck-2", "a return (IADE) cannot be a TICARIFATURA")
	c.listed(r.find("cbc:CopyIndicator"), "CopyIndicatorCheck-1", "false")
	c.need(r.get("cbc:ProfileID") != "EARSIVFATURA" || r.find("cbc:IssueTime") != nil, r,
		"ISSUE-TIME", "an EARSIVFATURA needs cbc:IssueTime")
	c.number()
}

// identity judges what every document begins with.
func (c *checker) identity() {
	c.listed(c.root.find("cbc:CustomizationID"), "CustomizationIDCheck-1", "TR1.2 TR1.2.1")
	uuid := c.root.find("cbc:UUID")
	c.need(trade.ValidUUID(uuid.value()), uuid, "UUIDCheck-1", "%q is not a UUID", uuid.value())
}

// number judges the legal number of an invoice or a despatch note.
func (c *checker) number() {
	id := c.root.find("cbc:ID")
	number := id.value()
	if !trade.ValidDocumentNumber(number) {
		c.add(id, "InvoiceIDCheck-1", "%q is not a document number: 3 of A-Z and 0-9, a year of this century, 9 digits", number)
		return
	}
	// The rules do not compare the two; integrators do and refuse.
	year := strings.TrimSpace(c.root.get("cbc:IssueDate"))[:4]
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

// lineNumbers judges that each line has a number of its own, since a reference to it
// would be ambiguous otherwise, and that they are as many as the document says.
func (c *checker) lineNumbers(lines []*node) {
	ids := map[string]bool{}
	for _, l := range lines {
		id := strings.TrimSpace(l.get("cbc:ID"))
		c.need(!ids[id], l.find("cbc:ID"), "CALC-LINEID", "another line has the number %s", id)
		ids[id] = true
	}
	if count := c.root.find("cbc:LineCountNumeric"); count != nil {
		n, err := strconv.Atoi(strings.TrimSpace(count.value()))
		c.need(err == nil && n == len(lines), count, "CALC-COUNT", "there are %d lines, not %s", len(lines), count.value())
	}
}
