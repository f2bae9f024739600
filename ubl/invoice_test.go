package ubl

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"esnaf/store/trade"
)

// TestInvoiceRefuses names every field that keeps an invoice from being written,
// and leaves the buffer alone.
func TestInvoiceRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*trade.Invoice)
		fields []string
	}{
		{"not frozen", func(v *trade.Invoice) { v.Seller, v.Buyer = nil, nil }, []string{"seller", "buyer"}},
		{"not numbered", func(v *trade.Invoice) { v.Number, v.ETTN, v.IssueDate = "", "", "" }, []string{"number", "ettn", "issueDate"}},
		{"e-Arşiv without time", func(v *trade.Invoice) { v.IssueTime = "" }, []string{"issueTime"}},
		{"no lines", func(v *trade.Invoice) { v.Lines = nil }, []string{"lines"}},
		{"unknown codes", func(v *trade.Invoice) {
			v.Profile, v.InvoiceType, v.Currency, v.Lines[1].Unit = "HKS", "IADE", "TL", `x"y`
		}, []string{"profile", "invoiceType", "currency", "lines[1].unit"}},
		{"a line without price", func(v *trade.Invoice) { v.Lines[2].UnitPrice, v.Lines[2].VATRate = nil, nil }, []string{"lines[2].unitPrice", "lines[2].vatRate"}},
		{
			"parties without address", func(v *trade.Invoice) { v.Seller.District, v.Buyer.City, v.Buyer.Country = " ", "", "" },
			[]string{"seller.district", "buyer.city", "buyer.country"},
		},
		{
			"parties without name", func(v *trade.Invoice) { v.Seller.Name, v.Seller.TaxNumber, v.Buyer.LastName = "", "", "" },
			[]string{"seller.taxNumber", "seller.name", "buyer.lastName"},
		},
		{"a blank item", func(v *trade.Invoice) { v.Lines[0].Name = "\u00a0" }, []string{"lines[0].name"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := record(t, "earsivfatura/person")
			c.change(v)
			if diff := cmp.Diff(c.fields, refused(t, v)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

// TestInvoiceLeavesOut writes no element for what is only white space.
func TestInvoiceLeavesOut(t *testing.T) {
	v := record(t, "earsivfatura/person")
	v.Notes, v.Lines[0].Code, v.Lines[0].Description = " ", "\t", "\n"
	v.Buyer.Name, v.Buyer.TaxOffice, v.Buyer.Phone, v.Buyer.Email, v.Buyer.Address, v.Buyer.PostalCode = " ", " ", " ", " ", " ", " "
	root, err := parse(write(t, v))
	if err != nil {
		t.Fatal(err)
	}
	root.each(func(n *node) {
		if len(n.kids) == 0 && n.blank() && n.name != "{urn:esnaf:unsigned}placeholder" {
			t.Errorf("%s is empty", n.path())
		}
	})
	buyer, item := root.find("cac:AccountingCustomerParty", "cac:Party"), root.find("cac:InvoiceLine", "cac:Item")
	for _, n := range []*node{
		root.find("cbc:Note"), buyer.find("cac:PartyName"), buyer.find("cac:PartyTaxScheme"), buyer.find("cac:Contact"),
		item.find("cac:SellersItemIdentification"), item.find("cbc:Description"),
	} {
		if n != nil {
			t.Errorf("%s is there", n.path())
		}
	}
}

// TestInvoiceRefusesCharacters puts what XML cannot carry into every text that a
// person writes.
func TestInvoiceRefusesCharacters(t *testing.T) {
	texts := map[string]func(v *trade.Invoice) *string{
		"notes":                func(v *trade.Invoice) *string { return &v.Notes },
		"seller.address":       func(v *trade.Invoice) *string { return &v.Seller.Address },
		"seller.taxOffice":     func(v *trade.Invoice) *string { return &v.Seller.TaxOffice },
		"seller.name":          func(v *trade.Invoice) *string { return &v.Seller.Name },
		"buyer.firstName":      func(v *trade.Invoice) *string { return &v.Buyer.FirstName },
		"buyer.lastName":       func(v *trade.Invoice) *string { return &v.Buyer.LastName },
		"buyer.city":           func(v *trade.Invoice) *string { return &v.Buyer.City },
		"buyer.district":       func(v *trade.Invoice) *string { return &v.Buyer.District },
		"buyer.postalCode":     func(v *trade.Invoice) *string { return &v.Buyer.PostalCode },
		"buyer.phone":          func(v *trade.Invoice) *string { return &v.Buyer.Phone },
		"buyer.email":          func(v *trade.Invoice) *string { return &v.Buyer.Email },
		"lines[2].name":        func(v *trade.Invoice) *string { return &v.Lines[2].Name },
		"lines[2].description": func(v *trade.Invoice) *string { return &v.Lines[2].Description },
		"lines[2].code":        func(v *trade.Invoice) *string { return &v.Lines[2].Code },
	}
	for field, text := range texts {
		for _, bad := range []string{"\x00", "\x02", "\x0b", "\x1b", "\x1f", "\ufffe", "\uffff", "\xff", "\xed\xa0\x80"} {
			v := record(t, "earsivfatura/person")
			*text(v) = "Kalem " + bad + " <b>"
			if diff := cmp.Diff([]string{field}, refused(t, v)); diff != "" {
				t.Errorf("%q in %s (-want +got):\n%s", bad, field, diff)
			}
		}
	}
}

// refused is the fields for which v is not written.
func refused(t *testing.T, v *trade.Invoice) (fields []string) {
	t.Helper()
	doc, err := Invoice([]byte("before"), v)
	return faulty(t, doc, err)
}

// FuzzInvoice puts any text into a document: either it is refused, or the document
// is clean and the text comes back as it was.
func FuzzInvoice(f *testing.F) {
	v := record(f, "temelfatura/vat-27")
	for _, s := range []string{"", "Kalem", "&<>\"'", "]]>", "<?xml ?>", "<!-- -->", "\r\n\t", "😀", "\u00a0", "\ufffe", "\xff", strings.Repeat("ş", 450)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v.Lines[0].Name = "x" + s
		doc, err := Invoice(nil, v)
		if err != nil {
			if carries(s) {
				t.Errorf("%q is refused: %v", s, err)
			}
			return
		}
		if found := Check(doc); len(found) > 0 {
			t.Fatal(found)
		}
		root, err := parse(doc)
		if err != nil {
			t.Fatal(err)
		}
		if got := root.get("cac:InvoiceLine", "cac:Item", "cbc:Name"); got != "x"+s {
			t.Errorf("%q came back as %q", "x"+s, got)
		}
	})
}

// carries tells whether XML can carry s: encoding/xml then writes it without
// putting U+FFFD in the place of anything.
func carries(s string) bool {
	var b strings.Builder
	return xml.EscapeText(&b, []byte(s)) == nil && strings.Count(b.String(), "\ufffd") == strings.Count(s, "\ufffd")
}
