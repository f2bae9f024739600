package trade

import (
	"fmt"
	"reflect"

	"esnaf/store/money"
)

// Order is what a customer has ordered (sipariş).
type Order struct {
	Meta
	Number            string         `json:"number" doc:"unique among live orders; drawn as O000001 on when absent"`
	CompanyID         string         `json:"companyId" api:"required"`
	CompanyName       string         `json:"companyName" api:"readonly"`
	QuoteID           string         `json:"quoteId,omitempty" api:"readonly" doc:"the quote it was made from, which is ACCEPTED again when the draft is deleted"`
	OrderDate         Date           `json:"orderDate" doc:"today in the account's zone, or in Türkiye where it is not that day yet, when absent; not later, and from 2005-01-01 on, for e-documents name it"`
	RequestedShipDate Date           `json:"requestedShipDate,omitempty" doc:"when the customer wants it, not before orderDate"`
	WarehouseID       string         `json:"warehouseId,omitempty" doc:"where it is shipped from; the default one when absent"`
	Backorder         bool           `json:"backorder,omitzero" doc:"confirm it even if stock does not cover it: what there is, is reserved"`
	DeliveryAddress   *Address       `json:"deliveryAddress,omitempty" doc:"where it is shipped to; the company's address when absent"`
	Currency          string         `json:"currency" doc:"ISO 4217, the company's when absent"`
	ExchangeRate      money.Exchange `json:"exchangeRate" api:"positive" doc:"TRY for one unit of currency; 1 for TRY"`
	ExchangeRateDate  Date           `json:"exchangeRateDate,omitempty" doc:"of the rate, for the invoice; not after today, and from 2005-01-01 on"`
	Lines             []OrderLine    `json:"lines" api:"required" doc:"1 to 1000 lines, of at most 524288 bytes of text together"`
	Totals
	Status           OrderState        `json:"status" api:"readonly"`
	PriceApproval    PriceApproval     `json:"priceApproval" api:"readonly" doc:"taken away when the customer or the lines change"`
	PlannedShipments []PlannedShipment `json:"plannedShipments" doc:"at most 100, with at most 10000 lines together, no line more than ordered"`
	ShipmentIDs      []string          `json:"shipmentIds" api:"readonly"`
	InvoiceIDs       []string          `json:"invoiceIds" api:"readonly"`
}

// OrderLine is a Line, of which quantity is what was ordered, and how far its
// delivery has come. All are in the line's unit.
type OrderLine struct {
	Line
	Reserved money.Quantity `json:"reserved" api:"readonly" doc:"held back in stock for this order and not shipped yet"`
	Shipped  money.Quantity `json:"shipped" api:"readonly"`
	Returned money.Quantity `json:"returned" api:"readonly" doc:"of the shipped, what has come back"`
	Invoiced money.Quantity `json:"invoiced" api:"readonly"`

	Cancelled        money.Quantity `json:"cancelled" api:"readonly" doc:"given up when the order was closed: it is not shipped any more"`
	Credited         money.Quantity `json:"credited,omitzero" api:"readonly" doc:"of the invoiced, what came back after its invoice was sent: the customer gives it back by an invoice as well (iade faturası)"`
	Service          bool           `json:"service,omitzero" api:"readonly" doc:"nothing of it is despatched: it counts as shipped from confirmation on"`
	InvoicedDiscount money.Amount   `json:"invoicedDiscount,omitzero" api:"readonly" doc:"of discountAmount, what is on invoices"`
}

// PlannedShipment is a part of an order that is to leave on a day (sevkiyat planı).
type PlannedShipment struct {
	Date  Date          `json:"date" api:"required"`
	Lines []PlannedLine `json:"lines" doc:"empty: all that is left"`
	Notes string        `json:"notes,omitempty" doc:"vehicle, driver and the like, at most 500 characters"`
}

// PlannedLine is how much of a line is to leave.
type PlannedLine struct {
	Line     int            `json:"line" api:"required" doc:"number of the order's line, from 1 on"`
	Quantity money.Quantity `json:"quantity" api:"required"`
}

// Defaults fills what a caller may leave out; company may be nil.
func (o *Order) Defaults(company *Company, today Date) {
	defaultTo(&o.OrderDate, today)
	if company != nil {
		o.CompanyName = company.Name
		defaultTo(&o.Currency, company.Currency)
		if o.DeliveryAddress == nil {
			o.DeliveryAddress = company.deliveryAddress()
		}
	}
	defaultTo(&o.Currency, "TRY")
	if o.DeliveryAddress != nil {
		defaultTo(&o.DeliveryAddress.Country, "TR")
	}
}

// Check finds what is wrong with the fields that a caller sets, and computes the
// sums. products gives the product of a productId that is known; lines are filled
// from it first.
func (o *Order) Check(f *Check, products map[string]*Product) {
	o.Meta.check(f)
	checkCode(f, "number", &o.Number)
	checkCurrency(f, "currency", o.Currency)
	checkExchange(f, o.Currency, &o.ExchangeRate, &o.ExchangeRateDate)
	if o.RequestedShipDate != "" && o.RequestedShipDate < o.OrderDate {
		f.Add("requestedShipDate", OutOfRange, string(o.OrderDate), string(lastDate))
	}
	if o.DeliveryAddress != nil {
		o.DeliveryAddress.check(f.In("deliveryAddress"))
	}
	lines := o.Goods()
	if !checkLines(f, lines, products, o.Currency) {
		return
	}
	o.Totals = sumLines(f, lines)
	for i := range lines {
		o.Lines[i].Line = lines[i]
	}
	o.checkPlan(f)
}

// CheckDate refuses a date that no document may name: the despatch note and the invoice of
// an order say when it was given (rule TimeCheck), and the invoice of what day its rate is.
func (o *Order) CheckDate(f *Check, today Date) {
	checkNameable(f, "orderDate", o.OrderDate, today)
	checkNameable(f, "exchangeRateDate", o.ExchangeRateDate, today)
}

// Goods are the lines as they were ordered, without how far their delivery has come.
func (o *Order) Goods() []Line {
	if o.Lines == nil {
		return nil // which is another fault than a list of none
	}
	lines := make([]Line, len(o.Lines))
	for i := range o.Lines {
		lines[i] = o.Lines[i].Line
	}
	return lines
}

// They bound the plan of an order: its shipments, and the lines of all of them.
const (
	maxPlanned      = 100
	maxPlannedLines = 10_000
)

// checkPlan refuses a plan for lines that are not there, and for more of a line than
// was ordered.
func (o *Order) checkPlan(f *Check) {
	if len(o.PlannedShipments) > maxPlanned {
		f.Add("plannedShipments", TooMany, maxPlanned)
		return
	}
	named := 0
	for _, p := range o.PlannedShipments {
		named += len(p.Lines)
	}
	if named > maxPlannedLines {
		f.Add("plannedShipments", TooMany, maxPlannedLines, Aside{"The lines of all of them count.", "Hepsinin satırları sayılır."})
		return
	}
	planned := make([]money.Quantity, len(o.Lines))
	for i, p := range o.PlannedShipments {
		in := f.In(fmt.Sprintf("plannedShipments[%d]", i))
		switch {
		case p.Date == "":
			in.Add("date", Required)
		case p.Date < o.OrderDate:
			in.Add("date", OutOfRange, string(o.OrderDate), string(lastDate))
		}
		in.Max("notes", p.Notes, 500)
		if len(p.Lines) > MaxLines {
			in.Add("lines", TooMany, MaxLines)
			continue
		}
		for j, l := range p.Lines {
			in := in.In(fmt.Sprintf("lines[%d]", j))
			switch {
			case l.Line < 1 || l.Line > len(o.Lines):
				in.Add("line", OutOfRange, 1, len(o.Lines))
			case l.Quantity <= 0:
				in.Add("quantity", MustBePositive)
			case f.In(fmt.Sprintf("lines[%d]", l.Line-1)).Has("quantity"): // told already
			case l.Quantity > o.Lines[l.Line-1].Quantity-planned[l.Line-1]:
				in.Add("quantity", ExceedsRest, o.Lines[l.Line-1].Quantity-planned[l.Line-1])
			default:
				planned[l.Line-1] += l.Quantity
			}
		}
	}
}

// Keep carries over from old, a draft, what a caller may not set.
func (o *Order) Keep(old *Order) {
	o.Meta.keep(old.Meta)
	o.QuoteID, o.Status, o.ShipmentIDs, o.InvoiceIDs = old.QuoteID, old.Status, old.ShipmentIDs, old.InvoiceIDs
	defaultTo(&o.Number, old.Number)
	forgetRate(o.Currency, old.Currency, &o.ExchangeRate, &o.ExchangeRateDate, old.ExchangeRate, old.ExchangeRateDate)
}

// KeepApproval carries the approval over from old if it was given for the very same
// customer and lines: a good price for one is none for another. It is asked after
// Check, when the lines are filled.
func (o *Order) KeepApproval(old *Order) {
	if o.CompanyID == old.CompanyID && o.Currency == old.Currency && o.ExchangeRate == old.ExchangeRate && reflect.DeepEqual(o.Goods(), old.Goods()) {
		o.PriceApproval = old.PriceApproval
	}
}

// SearchText is what q finds an order by.
func (o *Order) SearchText() string { return o.Number + " " + o.CompanyName }
