package trade

import (
	"errors"
	"fmt"
	"strings"

	"esnaf/store/money"
)

// Tax is one VAT subtotal of the document.
type Tax struct {
	Rate          money.Rate   `json:"rate" doc:"percent"`
	ExemptionCode string       `json:"exemptionCode,omitempty"`
	Base          money.Amount `json:"base"`
	Amount        money.Amount `json:"amount"`
}

// Line is one row of a quote, an order or an invoice.
type Line struct {
	ProductID        string         `json:"productId,omitempty"`
	Code             string         `json:"code,omitempty"`
	Name             string         `json:"name" doc:"the product's when absent"`
	Description      string         `json:"description,omitempty"`
	Quantity         money.Quantity `json:"quantity" api:"required"`
	Unit             string         `json:"unit" doc:"the product's, else C62, when absent"`
	UnitPrice        *money.Price   `json:"unitPrice" doc:"the product's in the document's currency when absent"`
	PriceIncludesVAT bool           `json:"priceIncludesVat,omitzero"`
	DiscountRate     *money.Rate    `json:"discountRate,omitempty" doc:"percent; not together with discountAmount"`
	DiscountAmount   *money.Amount  `json:"discountAmount,omitempty"`
	VATRate          *money.Rate    `json:"vatRate" doc:"percent, 0 to 100; the product's when absent"`
	ExemptionCode    string         `json:"exemptionCode,omitempty" doc:"why no VAT is charged: 351, the only reason that a SATIS invoice takes; needed at send when a line's VAT is or rounds to zero, and refused on other lines"`
	WarehouseID      string         `json:"warehouseId,omitempty" doc:"where it is taken from; the document's when absent"`
	LotNo            string         `json:"lotNo,omitempty" doc:"lot (parti) to be taken; the first to expire when absent"`
	SerialNos        []string       `json:"serialNos,omitempty" doc:"serial numbers to be taken, one a piece; any when absent"`
	Gross            money.Amount   `json:"gross" api:"readonly" doc:"quantity x price without VAT"`
	Discount         money.Amount   `json:"discount" api:"readonly"`
	Net              money.Amount   `json:"net" api:"readonly"`
	VAT              money.Amount   `json:"vat" api:"readonly"`
	Total            money.Amount   `json:"total" api:"readonly" doc:"with VAT"`
}

// fill takes from p what the line, in a document of a currency, leaves out.
func (l *Line) fill(p *Product, currency string) {
	if p != nil {
		defaultTo(&l.Code, p.Code)
		defaultTo(&l.Name, p.Name)
		defaultTo(&l.Unit, p.Unit)
		if l.UnitPrice == nil {
			l.UnitPrice, _ = p.PriceIn(currency)
		}
		if l.UnitPrice == nil && !ValidCurrency(currency) {
			l.UnitPrice = &p.SalePrice // what is wrong is the currency
		}
		if l.VATRate == nil {
			l.VATRate = p.VATRate
		}
	}
	defaultTo(&l.Unit, "C62")
}

// MaxLines bounds a document, so that one request cannot hold the writer.
const MaxLines = 1000

// MaxTexts bounds the texts of a document's lines together, in bytes of UTF-8: a document
// is read and written whole whenever it changes, and a list may hold 200 of them. A
// thousand lines with 200 characters of description each fit.
const MaxTexts = 512 << 10

// Texts is how many bytes the texts of lines have: what callers may write at length.
func Texts(lines []Line) (n int) {
	for i := range lines {
		l := &lines[i]
		n += len(l.Code) + len(l.Name) + len(l.Description) + labels(l.LotNo, l.SerialNos)
	}
	return n
}

// labels is how many bytes a lot and serial numbers have.
func labels(lot string, serials []string) int {
	n := len(lot)
	for _, s := range serials {
		n += len(s)
	}
	return n
}

// CheckTexts refuses lines with more text than a document may have, and than this one had
// already, or the one that it is made from.
func CheckTexts(f *Check, lines []Line, had int) { checkTexts(f, Texts(lines), had) }

func checkTexts(f *Check, texts, had int) {
	if texts > max(MaxTexts, had) {
		f.Add("lines", TextsTooLong, texts, max(MaxTexts, had))
	}
}

// CheckReasons refuses, on lines that are summed up, reasons with which no document that
// this version makes passes, unless the record had them already, or the one that it is
// made from. That one is missing is said at send.
func CheckReasons(f *Check, lines []Line, had map[string]bool) {
	if len(lines) > MaxLines {
		return // a fault already
	}
	for i := range lines {
		if l := &lines[i]; l.ExemptionCode != "" && !had[l.ExemptionCode] {
			l.checkExemption(f.In(fmt.Sprintf("lines[%d]", i)))
		}
	}
}

// checkCount finds what is wrong with the number of lines, and tells whether they are
// few enough to be looked at.
func checkCount[T any](f *Check, lines []T) bool {
	CheckSome(f, "lines", lines)
	if len(lines) > MaxLines {
		f.Add("lines", TooMany, MaxLines)
	}
	return len(lines) <= MaxLines
}

// CheckSome refuses a list that is not there, and one that is there and empty.
func CheckSome[T any](f *Check, field string, list []T) {
	switch {
	case list == nil:
		f.Add(field, Required)
	case len(list) == 0:
		f.Add(field, EmptyList)
	}
}

// NamesNone is the fault of a list that is there and empty where one that is left out
// means all: that is a program's mistake, and does not mean everything.
func NamesNone(f *Check, field string) {
	f.Add(field, EmptyList, Aside{"Leave it out for all.", "Hepsi için hiç vermeyin."})
}

// checkLines fills the lines of a document from their products, those that are
// known, and finds what is wrong with them. It tells whether it looked at them: too
// many are wrong as they are.
func checkLines(f *Check, lines []Line, products map[string]*Product, currency string) bool {
	if !checkCount(f, lines) {
		return false
	}
	for i := range lines {
		l := &lines[i]
		l.fill(products[l.ProductID], currency)
		l.check(f.In(fmt.Sprintf("lines[%d]", i)))
	}
	return true
}

// check judges a line. Where its product is wrong, nobody knows what it leaves out.
func (l *Line) check(f *Check) {
	lost := f.Has("productId")
	if !lost {
		f.Required("name", strings.TrimSpace(l.Name))
	}
	f.Max("name", l.Name, 250)
	f.Max("code", l.Code, 50)
	f.Max("description", l.Description, 1000)
	checkUnit(f, "unit", l.Unit)
	if l.Quantity <= 0 {
		f.Add("quantity", MustBePositive)
	}
	switch {
	case l.UnitPrice == nil:
		if !lost {
			f.Add("unitPrice", Required)
		}
	case *l.UnitPrice < 0:
		f.Add("unitPrice", MustNotBeNegative)
	}
	if l.VATRate == nil && !lost {
		f.Add("vatRate", Required)
	}
	checkVATRate(f, "vatRate", l.VATRate)
	if l.DiscountRate != nil && l.DiscountAmount != nil {
		f.Add("discountRate", Exclusive, "discountAmount")
	}
	if l.DiscountRate != nil && (*l.DiscountRate < 0 || *l.DiscountRate > money.Percent(100)) {
		f.Add("discountRate", OutOfRange, 0, 100)
	}
	if l.DiscountAmount != nil && *l.DiscountAmount < 0 {
		f.Add("discountAmount", MustNotBeNegative)
	}
	checkTracking(f, &l.LotNo, l.SerialNos)
}

// Totals are the sums of a quote or an order.
type Totals struct {
	Taxes         []Tax        `json:"taxes" api:"readonly" doc:"VAT by rate and exemption"`
	Subtotal      money.Amount `json:"subtotal" api:"readonly" doc:"lines before discount, without VAT"`
	DiscountTotal money.Amount `json:"discountTotal" api:"readonly"`
	VATTotal      money.Amount `json:"vatTotal" api:"readonly"`
	Total         money.Amount `json:"total" api:"readonly" doc:"with VAT"`
}

// sumLines computes every line, and the document and its taxes from them. Faults
// name the line's field. A line that f has found wrong is left out: what would be
// wrong with its sums is only a consequence.
func sumLines(f *Check, all []Line) Totals {
	lines := make([]SummedLine, 0, len(all))
	for i := range all {
		l := &all[i]
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
	taxes := make([]Tax, len(d.Taxes))
	for i, t := range d.Taxes {
		taxes[i] = Tax{Rate: t.Rate, ExemptionCode: t.ExemptionCode, Base: t.Base, Amount: t.Tax}
	}
	return Totals{taxes, d.Subtotal, d.DiscountTotal, d.VATTotal, d.Total}
}

// forgetRate takes the rate of the currency that was off a document that has another
// now: what a caller did not touch was never said of the new one.
func forgetRate(currency, was string, rate *money.Exchange, date *Date, rateWas money.Exchange, dateWas Date) {
	if currency == "" || currency == was {
		return
	}
	if *rate == rateWas {
		*rate = 0
	}
	if *date == dateWas {
		*date = ""
	}
}

// checkExchange judges the rate of a document's currency; that of TRY is 1.
func checkExchange(f *Check, currency string, rate *money.Exchange, date *Date) {
	switch {
	case currency == "TRY" && *rate != 0 && *rate != parity:
		f.Add("exchangeRate", RateNotAllowed)
	case currency == "TRY":
		*rate, *date = parity, ""
	case *rate < 0:
		f.Add("exchangeRate", MustBePositive)
	case *rate == 0:
		f.Add("exchangeRate", RateRequired)
	}
}
