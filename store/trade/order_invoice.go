package trade

import (
	"slices"

	"esnaf/store/money"
)

// InvoicedLine is what an invoice takes of an order's line. It stays as it is when the
// draft is edited: whoever wants to invoice less deletes the draft and makes another.
type InvoicedLine struct {
	OrderID  string         `json:"orderId"`
	Line     int            `json:"line" doc:"number of the order's line, from 1 on"`
	Quantity money.Quantity `json:"quantity"`
	Discount money.Amount   `json:"discount,omitzero" doc:"of the line's discountAmount"`
}

// Due is how much of a line can be invoiced: what is shipped, has not come back and is
// on no invoice. What came back of the invoiced counts neither here nor there.
func (l *OrderLine) Due() money.Quantity { return max(0, -l.over()) }

// over is how much more of a line is on invoices than the customer has; negative where
// it is less.
func (l *OrderLine) over() money.Quantity { return l.Invoiced - l.Credited - (l.Shipped - l.Returned) }

// billable tells whether the order stands, so that it can be invoiced.
func (o *Order) billable() bool {
	return o.Status == OrderConfirmed || o.Status == OrderPartiallyShipped || o.Status == OrderShipped
}

// Bill makes the draft of an invoice for all of an order that is due, and records that
// it is on one. Prices, discounts and VAT are the order's. Nothing due is a Conflict. today
// is the day of documents.
func (o *Order) Bill(today Date) (Invoice, error) {
	if !o.billable() {
		return Invoice{}, o.refuse(invoiceOrder)
	}
	v := Invoice{
		CompanyID: o.CompanyID, Currency: o.Currency, ExchangeRate: o.ExchangeRate, ExchangeRateDate: RateDate(o.ExchangeRateDate, o.OrderDate, today),
	}
	for i := range o.Lines {
		of := &o.Lines[i]
		due := of.Due()
		if due == 0 {
			continue
		}
		line := of.Line
		line.Quantity = due
		took := InvoicedLine{OrderID: o.ID, Line: i + 1, Quantity: due}
		if of.DiscountAmount != nil {
			took.Discount = of.shareOfDiscount(due)
			line.DiscountAmount = &took.Discount
		}
		of.Invoiced += due
		of.InvoicedDiscount += took.Discount
		v.Lines = append(v.Lines, line)
		v.OrderLines = append(v.OrderLines, took)
	}
	if len(v.Lines) == 0 && len(o.rest()) > 0 {
		return Invoice{}, Fail(Conflict, NotShippedYet)
	}
	if len(v.Lines) == 0 {
		return Invoice{}, Fail(Conflict, NothingLeft, Phrase{"invoiced", "Faturalanacak"})
	}
	if o.Status == OrderConfirmed && len(o.rest()) == 0 { // services alone: until now it could be cancelled
		return v, o.Move(ShipOrder)
	}
	return v, nil
}

// Return records that goods have come back. What is on a draft must not: it would be
// invoiced all the same. What was invoiced by a document that was sent may, since the
// customer gives it back by an invoice too (iade faturası). drafts are those of the
// order.
func (o *Order) Return(back []ShipmentLine, drafts []Invoice) error {
	for i := range back {
		o.Lines[back[i].OrderLine-1].Returned += back[i].Quantity
	}
	for i := range back {
		l, n := &o.Lines[back[i].OrderLine-1], back[i].OrderLine
		if l.over() <= 0 {
			continue
		}
		if slices.ContainsFunc(drafts, func(v Invoice) bool { return v.bills(o.ID, n) }) {
			return o.billedBy(drafts, n)
		}
		l.Credited += l.over()
	}
	return nil
}

// bills tells whether the invoice takes anything of a line of an order.
func (v *Invoice) bills(order string, line int) bool {
	return slices.ContainsFunc(v.OrderLines, func(l InvoicedLine) bool { return l.OrderID == order && l.Line == line })
}

// billedBy is the Conflict of what an invoice stands against: the first of invoices that
// bills a line of the order.
func (o *Order) billedBy(invoices []Invoice, line int) error {
	which, instead := Phrase{"An invoice", "bir fatura"}, Phrase{"delete or cancel that first", "önce onu silin ya da iptal edin"}
	for i := range invoices {
		if v := &invoices[i]; v.bills(o.ID, line) {
			which = Phrase{"The invoice " + v.Number, v.Number + " numaralı fatura"}
			if v.Status == InvoiceDraft {
				which = Phrase{"The draft invoice " + v.Number, v.Number + " numaralı fatura taslağı"}
			}
			instead = v.undone()
			break
		}
	}
	return Fail(Conflict, InvoicedAlready, which, instead)
}

// undone says what becomes of an invoice that stands in the way of something.
func (v *Invoice) undone() Phrase {
	switch {
	case v.Status == InvoiceDraft:
		return Phrase{"delete that first", "önce onu silin"}
	case v.Status == InvoiceQueued:
		return Phrase{"wait until the tax office has answered", "Gelir İdaresinin yanıtını bekleyin"}
	case v.Status == InvoiceFailed && !v.EDocument.MayBeThere():
		return Phrase{"the tax office has refused that, cancel it first", "Gelir İdaresi onu reddetti, önce onu iptal edin"}
	case v.Status == InvoiceFailed:
		return Phrase{"the tax office may have that, send it again to learn so", "Gelir İdaresinde kayıtlı olabilir, öğrenmek için onu yeniden gönderin"}
	case v.Status == InvoiceSent && v.DocumentType == EArsiv:
		until := v.EDocument.CancellableUntil.String()
		return Phrase{"cancel that first, which is possible until " + until, "önce onu iptal edin, " + until + " anına kadar edilebilir"}
	}
	return Phrase{"that can no longer be cancelled; goods on it come back by a return", "o artık iptal edilemez; üzerindeki mallar iade ile geri gelir"}
}

// shareOfDiscount is the part of a line's discount amount that goes with quantity. The
// last part takes what is left, so that the parts add up to the whole to the kuruş.
func (l *OrderLine) shareOfDiscount(quantity money.Quantity) money.Amount {
	share := *l.DiscountAmount - l.InvoicedDiscount
	if l.Invoiced+quantity < l.Quantity {
		share = min(share, l.DiscountAmount.Share(quantity, l.Quantity))
	}
	gross, _ := l.UnitPrice.Times(quantity)
	return min(share, gross) // the grosses of the parts are rounded too: none gets more off than it has
}

// Unbill gives back what an invoice took of the order, which is due again. An order of
// which nothing was despatched can then be cancelled again.
func (o *Order) Unbill(v *Invoice) error {
	for _, took := range v.OrderLines {
		if took.OrderID != o.ID {
			continue
		}
		l := &o.Lines[took.Line-1]
		l.Invoiced -= took.Quantity
		l.InvoicedDiscount -= took.Discount
		l.Credited = min(l.Credited, l.Invoiced)
	}
	kept := make([]string, 0, len(o.InvoiceIDs))
	for _, id := range o.InvoiceIDs {
		if id != v.ID {
			kept = append(kept, id)
		}
	}
	o.InvoiceIDs = kept
	if o.Status == OrderShipped && !o.onNotes() {
		return o.Move(RecallOrder)
	}
	return nil
}
