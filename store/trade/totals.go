package trade

import (
	"errors"

	"esnaf/store/money"
)

// What can be wrong with a line or a document that is well formed by itself.
var (
	// ErrTooLarge is an amount of more than 15 digits before the point.
	ErrTooLarge = errors.New("an amount has more than 15 digits")
	// ErrDiscountTooLarge is a discount that is not from 0 to the line's gross.
	ErrDiscountTooLarge = errors.New("the discount is not between zero and the gross of its line")
)

// LineSum is the arithmetic of one line, in the currency of the document. All
// figures are rounded to two decimals and are those that are printed. Gross,
// Discount and Net are without VAT, whatever the price was given as. It always
// holds that Gross - Discount = Net and Net + VAT = Total.
type LineSum struct {
	Gross    money.Amount // quantity x price (mal hizmet tutarı)
	Discount money.Amount // iskonto
	Net      money.Amount // base of the VAT (matrah)
	VAT      money.Amount // KDV
	Total    money.Amount // with VAT
}

// SumLine computes one line. At most one of discountRate (percent of the gross)
// and discountAmount is given; both count in the figures the price is in, with or
// without VAT. vat is from 0 to 100 percent. Errors: ErrTooLarge,
// ErrDiscountTooLarge.
//
// Every figure is rounded where it arises: the gross, the discount, the VAT on the
// net. That is how the tax office's sample invoices are computed (HASTANE.xml: per
// line 11.28, once over the document it would be 11.29).
func SumLine(qty money.Quantity, price money.Price, includesVAT bool, discountRate *money.Rate, discountAmount *money.Amount, vat money.Rate) (LineSum, error) {
	gross, ok := price.Times(qty)
	if !ok {
		return LineSum{}, ErrTooLarge
	}
	discount, err := discountOf(gross, discountRate, discountAmount)
	if err != nil {
		return LineSum{}, err
	}
	if includesVAT {
		return splitLine(gross, discount, vat), nil
	}
	net := gross - discount
	tax := vat.Of(net)
	total, ok := net.Add(tax)
	if !ok {
		return LineSum{}, ErrTooLarge
	}
	return LineSum{Gross: gross, Discount: discount, Net: net, VAT: tax, Total: total}, nil
}

func discountOf(gross money.Amount, rate *money.Rate, amount *money.Amount) (money.Amount, error) {
	var discount money.Amount
	switch {
	case amount != nil:
		discount = *amount
	case rate != nil:
		discount = rate.Of(gross)
	default:
		return 0, nil
	}
	if discount < 0 || discount > gross {
		return 0, ErrDiscountTooLarge
	}
	return discount, nil
}

// splitLine is the line whose gross and discount include VAT. What the customer
// was told to pay, gross - discount, stays to the kuruş; net and VAT are its
// parts. The printed gross is the same split of the gross, and the printed
// discount is what lies between gross and net: it may differ by 0.01 from the rate
// of the printed gross, since one of the three has to take up the rounding.
func splitLine(gross, discount money.Amount, vat money.Rate) LineSum {
	total := gross - discount
	net, tax := vat.Split(total)
	before, _ := vat.Split(gross)
	return LineSum{Gross: before, Discount: before - net, Net: net, VAT: tax, Total: total}
}

// NetUnitPrice is the unit price without VAT of a price that includes it, to eight
// decimals: the PriceAmount of the document. Rounded any earlier it would not
// bring back the line (3 x 9.99 with 20 percent is 24.98 without VAT: 3 x 8.325,
// but 3 x 8.33 = 24.99). Where eight decimals cut the price short, quantity x
// NetUnitPrice can still be 0.01 off the line's gross; the line is what counts.
func NetUnitPrice(price money.Price, vat money.Rate) money.Price { return vat.Strip(price) }

// SummedLine is a computed line with what its VAT is grouped by.
type SummedLine struct {
	LineSum
	Rate          money.Rate // percent of VAT
	ExemptionCode string     // why no VAT is charged, if so (istisna kodu)
}

// TaxSum is the VAT of a document for one rate and exemption code.
type TaxSum struct {
	Rate          money.Rate // percent
	ExemptionCode string
	Base          money.Amount // sum of the lines' net
	Tax           money.Amount // sum of the lines' VAT
}

// DocumentSum is the arithmetic of a whole document, in its currency. It always
// holds that Subtotal - DiscountTotal = Net, Net + VATTotal = Total, and that the
// Taxes add up to Net and VATTotal.
type DocumentSum struct {
	Subtotal      money.Amount // sum of the lines' gross
	DiscountTotal money.Amount
	Net           money.Amount
	VATTotal      money.Amount
	Total         money.Amount // with VAT
	Taxes         []TaxSum     // in the order in which the lines first name them
}

// SumDocument adds up the printed figures of the lines and computes nothing anew,
// so that every total can be checked with a pencil. Error: ErrTooLarge.
func SumDocument(lines []SummedLine) (DocumentSum, error) {
	type group struct {
		rate money.Rate
		code string
	}
	var d DocumentSum
	add := adder{ok: true}
	place := make(map[group]int, 8)
	for i := range lines {
		l := &lines[i]
		g := group{l.Rate, l.ExemptionCode}
		at, known := place[g]
		if !known {
			at = len(d.Taxes)
			place[g] = at
			d.Taxes = append(d.Taxes, TaxSum{Rate: l.Rate, ExemptionCode: l.ExemptionCode})
		}
		t := &d.Taxes[at]
		add.to(&t.Base, l.Net)
		add.to(&t.Tax, l.VAT)
		add.to(&d.Subtotal, l.Gross)
		add.to(&d.DiscountTotal, l.Discount)
		add.to(&d.Net, l.Net)
		add.to(&d.VATTotal, l.VAT)
		add.to(&d.Total, l.Total)
	}
	if !add.ok {
		return DocumentSum{}, ErrTooLarge
	}
	return d, nil
}

// adder adds amounts and remembers whether any sum was too large.
type adder struct{ ok bool }

func (a *adder) to(sum *money.Amount, x money.Amount) {
	next, ok := sum.Add(x)
	*sum = next
	a.ok = a.ok && ok
}
