package trade

import (
	"errors"
	"fmt"

	"esnaf/store/money"
)

// Sum computes every line and the document from them. Faults name the line's
// field. A line that f has found wrong is left out: what would be wrong with its
// sums is only a consequence.
func (v *Invoice) Sum(f *Check) {
	lines := make([]SummedLine, 0, len(v.Lines))
	for i := range v.Lines {
		l := &v.Lines[i]
		in := f.In(fmt.Sprintf("lines[%d]", i))
		if l.UnitPrice == nil || l.VATRate == nil || in.Has("quantity", "unitPrice", "vatRate", "discountRate", "discountAmount") {
			continue
		}
		s, err := SumLine(l.Quantity, *l.UnitPrice, l.PriceIncludesVAT, l.DiscountRate, l.DiscountAmount, *l.VATRate)
		switch {
		case errors.Is(err, ErrDiscountTooLarge):
			in.Add("discountAmount", DiscountTooLarge)
		case err != nil:
			in.Add("quantity", AmountTooLarge)
		}
		l.Gross, l.Discount, l.Net, l.VAT, l.Total = s.Gross, s.Discount, s.Net, s.VAT, s.Total
		lines = append(lines, SummedLine{LineSum: s, Rate: *l.VATRate, ExemptionCode: l.ExemptionCode})
	}
	d, err := SumDocument(lines)
	if err != nil {
		f.Add("lines", AmountTooLarge)
	}
	v.Subtotal, v.DiscountTotal, v.VATTotal, v.Total = d.Subtotal, d.DiscountTotal, d.VATTotal, d.Total
	v.Payable = v.Total
	v.Remaining = v.Payable - v.PaidTotal
	v.Taxes = make([]Tax, len(d.Taxes))
	for i, t := range d.Taxes {
		v.Taxes[i] = Tax{Rate: t.Rate, ExemptionCode: t.ExemptionCode, Base: t.Base, Amount: t.Tax}
	}
}

// Net is the document's base: lines after discount, without VAT.
func (v *Invoice) Net() money.Amount { return v.Subtotal - v.DiscountTotal }
