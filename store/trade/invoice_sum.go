package trade

import "esnaf/store/money"

// Sum computes every line and the document from them. Faults name the line's
// field.
func (v *Invoice) Sum(f *Check) {
	t := sumLines(f, v.Lines)
	v.Taxes, v.Subtotal, v.DiscountTotal, v.VATTotal, v.Total = t.Taxes, t.Subtotal, t.DiscountTotal, t.VATTotal, t.Total
	v.Payable = v.Total
	v.Remaining = v.Payable - v.PaidTotal
}

// Net is the document's base: lines after discount, without VAT.
func (v *Invoice) Net() money.Amount { return v.Subtotal - v.DiscountTotal }
