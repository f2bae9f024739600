package ubl

import (
	"slices"
	"strings"
	"testing"
)

// mutant is a good document with one thing changed.
type mutant struct {
	name     string
	base     string // see bases
	old, new string // the first old in base becomes new; "a...b" is all from a to b
	rule     string // what Check must find
	// The kit must find it too, under the same id, unless its own differs or it
	// does not look ("-").
	kit string
}

// TestMutants breaks good documents in one place each.
func TestMutants(t *testing.T) {
	all := bases(t)
	for name, doc := range all {
		for _, f := range Check([]byte(doc)) {
			t.Errorf("%s is good, yet: %s at %s: %s", name, f.Rule, f.Path, f.Message)
		}
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			found := CheckOn([]byte(m.apply(t, all)), "2026-09-15")
			rules := make([]string, len(found))
			for i, f := range found {
				rules[i] = f.Rule
				if f.Path == "" || f.Message == "" || strings.Contains(f.Message, "%!") {
					t.Errorf("poor finding %+v", f)
				}
			}
			if !slices.Contains(rules, m.rule) {
				t.Errorf("%s is not found, but %q", m.rule, found)
			}
		})
	}
}

func (m mutant) apply(t testing.TB, all map[string]string) string {
	t.Helper()
	doc, old := all[m.base], m.old
	if from, to, ok := strings.Cut(m.old, "..."); ok {
		_, rest, _ := strings.Cut(doc, from)
		inside, _, _ := strings.Cut(rest, to)
		old = from + inside + to
	}
	if !strings.Contains(doc, old) {
		t.Fatalf("%s: %q is not in the base %q", m.name, old, m.base)
	}
	return strings.Replace(doc, old, m.new, 1)
}

// bases are good documents: some of ours, and of the types that are judged but not
// written yet.
func bases(t testing.TB) map[string]string {
	t.Helper()
	sale := golden(t, "temelfatura/vat-27") // 27000.00 + 5400.00
	put := func(doc string, pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(doc, pairs[i]) {
				t.Fatalf("no %q in the document", pairs[i])
			}
		}
		return strings.NewReplacer(pairs...).Replace(doc)
	}
	withheld := `<cac:WithholdingTaxTotal><cbc:TaxAmount currencyID="TRY">4860.00</cbc:TaxAmount><cac:TaxSubtotal>` +
		`<cbc:TaxableAmount currencyID="TRY">5400.00</cbc:TaxableAmount><cbc:TaxAmount currencyID="TRY">4860.00</cbc:TaxAmount>` +
		`<cbc:Percent>90</cbc:Percent><cac:TaxCategory><cac:TaxScheme><cbc:Name>x</cbc:Name><cbc:TaxTypeCode>606</cbc:TaxTypeCode>` +
		`</cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal></cac:WithholdingTaxTotal>`
	return map[string]string{
		"sale":     sale,
		"lines":    golden(t, "ticarifatura/vat-02"),
		"usd":      golden(t, "ticarifatura/vat-20-usd"),
		"zero":     golden(t, "temelfatura/discount-all"),
		"person":   golden(t, "earsivfatura/person"),
		"consumer": golden(t, "earsivfatura/consumer"),
		"return": put(sale, "SATIS", "IADE", "\n<cac:Signature>",
			"\n<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>EFA2026000000001</cbc:ID><cbc:IssueDate>2026-09-01</cbc:IssueDate>"+
				"<cbc:DocumentTypeCode>IADE</cbc:DocumentTypeCode></cac:InvoiceDocumentReference></cac:BillingReference>\n<cac:Signature>"),
		"withheld": put(sale, "SATIS", "TEVKIFAT", "<cac:LegalMonetaryTotal>", withheld+"<cac:LegalMonetaryTotal>", "<cac:Item>", withheld+"<cac:Item>",
			"32400.00</cbc:PayableAmount>", "27540.00</cbc:PayableAmount>"),
		"public": put(sale, "TEMELFATURA", "KAMU", "\n<cac:TaxTotal>",
			"\n<cac:PaymentMeans><cbc:PaymentMeansCode>42</cbc:PaymentMeansCode><cac:PayeeFinancialAccount><cbc:ID>TR330006100519786457841326</cbc:ID>"+
				"</cac:PayeeFinancialAccount></cac:PaymentMeans>\n<cac:TaxTotal>"),
		"note":    golden(t, "temelirsaliye/everything"),
		"printed": golden(t, "temelirsaliye/printed"),
		"abroad":  golden(t, "temelirsaliye/abroad"),
		"carrier": golden(t, "temelirsaliye/carrier"),
		"answer":  golden(t, "irsaliyeyaniti/partly"),
		"exempt":  put(golden(t, "temelfatura/vat-34-rounds-to-zero"), "SATIS", "ISTISNA", "351", "301"),
	}
}

var mutants = slices.Concat(structureMutants, ruleMutants, partyMutants, taxMutants, sumMutants, noteMutants, answerMutants)
