package trade

import "esnaf/store/money"

// Sum computes every line and the document from them. Faults name the line's
// field.
func (v *Invoice) Sum(f *Check) {
	var d DocumentSum
	d, v.Taxes = sumLines(f, v.Lines)
	v.Subtotal, v.DiscountTotal, v.VATTotal, v.Total = d.Subtotal, d.DiscountTotal, d.VATTotal, d.Total
	v.Payable = v.Total
	v.Remaining = v.Payable - v.PaidTotal
}

// Net is the document's base: lines after discount, without VAT.
func (v *Invoice) Net() money.Amount { return v.Subtotal - v.DiscountTotal }
