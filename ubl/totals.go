package ubl

import (
	"esnaf/store/money"
	"esnaf/store/trade"
)

// taxTotal is the VAT of the document by rate and exemption.
func (w *writer) taxTotal(v *trade.Invoice) {
	w.in("cac:TaxTotal", func() {
		w.amount("cbc:TaxAmount", v.VATTotal)
		for i := range v.Taxes {
			t := &v.Taxes[i]
			w.vatSubtotal(t.Base, t.Amount, t.Rate, t.ExemptionCode)
		}
	})
}

// What every VAT subtotal says alike; whole, since it is half of the elements of a
// long invoice.
const (
	onlyTax   = "<cbc:CalculationSequenceNumeric>1</cbc:CalculationSequenceNumeric>"
	vatScheme = "<cac:TaxScheme><cbc:Name>KDV</cbc:Name><cbc:TaxTypeCode>" + vatCode + "</cbc:TaxTypeCode></cac:TaxScheme>"
)

// vatSubtotal is one share of VAT (KDV), of the document or of a line. code says
// why none is charged, "" where it is.
func (w *writer) vatSubtotal(base, vat money.Amount, rate money.Rate, code string) {
	w.in("cac:TaxSubtotal", func() {
		w.amount("cbc:TaxableAmount", base)
		w.amount("cbc:TaxAmount", vat)
		w.buf = append(w.buf, onlyTax...)
		number(w, "cbc:Percent", rate)
		w.in("cac:TaxCategory", func() {
			if code != "" {
				w.required("cbc:TaxExemptionReasonCode", "exemptionCode", code)
				w.required("cbc:TaxExemptionReason", "exemptionCode", exemptionName(code))
			}
			w.buf = append(w.buf, vatScheme...)
		})
	})
}

// monetaryTotal is the foot of the invoice. Its LineExtensionAmount is the sum
// before discounts, as in the tax office's own sample, although each line's is
// after its discount: so exclusive = extension - allowance holds.
func (w *writer) monetaryTotal(v *trade.Invoice) {
	w.in("cac:LegalMonetaryTotal", func() {
		w.amount("cbc:LineExtensionAmount", v.Subtotal)
		w.amount("cbc:TaxExclusiveAmount", v.Net())
		w.amount("cbc:TaxInclusiveAmount", v.Total)
		if v.DiscountTotal != 0 {
			w.amount("cbc:AllowanceTotalAmount", v.DiscountTotal)
		}
		w.amount("cbc:PayableAmount", v.Payable)
	})
}
