package ubl

import (
	"esnaf/store/money"
	"esnaf/store/trade"
)

// checkLine finds what the writing of a line could not do without.
func (w *writer) checkLine(l *trade.Line) {
	w.checkUnit(l.Unit)
	if l.UnitPrice == nil {
		w.fault("unitPrice", trade.Required)
	}
	if l.VATRate == nil {
		w.fault("vatRate", trade.Required)
	}
}

// invoiceLine writes a row. Its amount is after the discount, while the foot of the
// invoice begins with the sum before all discounts (see monetaryTotal).
func (w *writer) invoiceLine(l *trade.Line) {
	w.in("cac:InvoiceLine", func() {
		w.integer("cbc:ID", w.line+1)
		w.quantity("cbc:InvoicedQuantity", l.Quantity, l.Unit)
		w.amount("cbc:LineExtensionAmount", l.Net)
		w.allowance(l)
		w.in("cac:TaxTotal", func() {
			w.amount("cbc:TaxAmount", l.VAT)
			w.vatSubtotal(l.Net, l.VAT, *l.VATRate, l.ExemptionCode)
		})
		w.item(l.Description, l.Name, l.Code, nil)
		w.in("cac:Price", func() {
			w.attributed("cbc:PriceAmount", "currencyID", w.currency)
			w.buf = netPrice(l).Append(w.buf)
			w.end("cbc:PriceAmount")
		})
	})
}

// allowance is the line's discount (iskonto). Its multiplier is a fraction, 0.05
// for 5 percent, and stands only where a rate was agreed. A reason code, which
// other profiles of UBL have here, is refused by UBL-TR.
func (w *writer) allowance(l *trade.Line) {
	if l.Discount == 0 {
		return
	}
	w.in("cac:AllowanceCharge", func() {
		w.constant("cbc:ChargeIndicator", "false")
		if l.DiscountRate != nil {
			// A Rate counts 1/10^4 percent, which is 1/10^6 of the whole, and so
			// does a Quantity.
			number(w, "cbc:MultiplierFactorNumeric", money.Quantity(*l.DiscountRate))
		}
		w.amount("cbc:Amount", l.Discount)
		w.amount("cbc:BaseAmount", l.Gross)
	})
}

// netPrice is the unit price without VAT; a document knows no other.
func netPrice(l *trade.Line) money.Price {
	if l.PriceIncludesVAT {
		return trade.NetUnitPrice(*l.UnitPrice, *l.VATRate)
	}
	return *l.UnitPrice
}

// item is what was sold. UBL-TR wants the name; the seller's own code goes where
// buyers look for it to match the goods. instances, if not nil, writes which pieces
// they are.
func (w *writer) item(description, name, code string, instances func()) {
	w.in("cac:Item", func() {
		w.optional("cbc:Description", "description", description)
		w.required("cbc:Name", "name", name)
		if !blank(code) {
			w.in("cac:SellersItemIdentification", func() { w.required("cbc:ID", "code", code) })
		}
		if instances != nil {
			instances()
		}
	})
}
