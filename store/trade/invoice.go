package trade

import (
	"cmp"
	"fmt"
	"slices"

	"esnaf/store/money"
)

// DocumentType is the kind of electronic document an invoice becomes.
type DocumentType string

// The kinds: delivered to a registered buyer by the tax office, or kept and
// reported to it (VUK general communiqué 509).
const (
	EFatura DocumentType = "E_FATURA"
	EArsiv  DocumentType = "E_ARSIV"
)

// Values lists the document types.
func (DocumentType) Values() []string { return []string{"E_FATURA", "E_ARSIV"} }

// Profile is the UBL-TR ProfileID, the scenario (senaryo) a document follows.
type Profile string

// The profiles this version makes.
const (
	TemelFatura  Profile = "TEMELFATURA"
	TicariFatura Profile = "TICARIFATURA"
	EArsivFatura Profile = "EARSIVFATURA"
)

// Supported tells whether this version can make documents of the profile.
func (p Profile) Supported() bool { return slices.Contains(p.Values(), string(p)) }

// Values lists the profiles this version makes.
func (Profile) Values() []string { return []string{"TEMELFATURA", "TICARIFATURA", "EARSIVFATURA"} }

// InvoiceType is the UBL-TR InvoiceTypeCode.
type InvoiceType string

// Satis is a plain sale (SATIS), the type this version makes.
const Satis InvoiceType = "SATIS"

// Values lists the invoice types this version makes.
func (InvoiceType) Values() []string { return []string{"SATIS"} }

// Direction tells our own invoices from those of suppliers.
type Direction string

// The directions.
const (
	Sales    Direction = "SALES"
	Purchase Direction = "PURCHASE"
)

// Values lists the directions.
func (Direction) Values() []string { return []string{"SALES", "PURCHASE"} }

// PaymentStatus says how much of an invoice is paid; it moves apart from Status.
type PaymentStatus string

// The payment states.
const (
	Unpaid        PaymentStatus = "UNPAID"
	PartiallyPaid PaymentStatus = "PARTIALLY_PAID"
	Paid          PaymentStatus = "PAID"
	Overdue       PaymentStatus = "OVERDUE"
)

// Values lists the payment states.
func (PaymentStatus) Values() []string {
	return []string{"UNPAID", "PARTIALLY_PAID", "PAID", "OVERDUE"}
}

// Invoice is a sales invoice (satış faturası). Totals are sums of the printed
// lines; buyer and seller are frozen when it is sent.
type Invoice struct {
	Meta
	Number           string         `json:"number" api:"readonly" doc:"a draft number until the legal number is drawn at send"`
	CompanyID        string         `json:"companyId" api:"required"`
	BuyerName        string         `json:"buyerName" api:"readonly"`
	Total            money.Amount   `json:"total" api:"readonly" doc:"with VAT"`
	DocumentType     DocumentType   `json:"documentType" api:"readonly" doc:"chosen from the buyer's registration, again at send"`
	ETTN             string         `json:"ettn" api:"readonly" doc:"the document's UUID"`
	Profile          Profile        `json:"profile" doc:"of an e-Fatura: TEMELFATURA or TICARIFATURA; the account's default when absent"`
	InvoiceType      InvoiceType    `json:"invoiceType" doc:"SATIS when absent"`
	Direction        Direction      `json:"direction" api:"readonly"`
	Status           InvoiceState   `json:"status" api:"readonly"`
	IssueDate        Date           `json:"issueDate,omitempty" doc:"the day of sending in the account's zone when absent, but none that has not begun in Türkiye; stays once the invoice has its number"`
	IssueTime        string         `json:"issueTime,omitempty" api:"readonly" doc:"HH:MM:SS in the zone of issueDate: the account's, or Türkiye's where the account's is a day ahead"`
	DueDate          Date           `json:"dueDate,omitempty" doc:"issue date and payment term when absent"`
	PaymentTermDays  int            `json:"paymentTermDays,omitzero" doc:"days from issue to due; the company's when absent"`
	Currency         string         `json:"currency" doc:"ISO 4217, the company's when absent"`
	ExchangeRate     money.Exchange `json:"exchangeRate" api:"positive" doc:"TRY for one unit of currency; 1 for TRY"`
	ExchangeRateDate Date           `json:"exchangeRateDate,omitempty" doc:"of the rate; the day of sending when absent, not after today or issueDate, and from 2005-01-01 on"`
	Seller           *Party         `json:"seller,omitempty" api:"readonly" doc:"frozen at send"`
	Buyer            *Party         `json:"buyer,omitempty" api:"readonly" doc:"frozen at send"`
	Lines            []Line         `json:"lines" api:"required" doc:"1 to 1000 lines, of at most 524288 bytes of text together"`
	Taxes            []Tax          `json:"taxes" api:"readonly" doc:"VAT by rate and exemption"`
	Subtotal         money.Amount   `json:"subtotal" api:"readonly" doc:"lines before discount, without VAT"`
	DiscountTotal    money.Amount   `json:"discountTotal" api:"readonly"`
	VATTotal         money.Amount   `json:"vatTotal" api:"readonly"`
	Payable          money.Amount   `json:"payable" api:"readonly"`
	PaidTotal        money.Amount   `json:"paidTotal" api:"readonly"`
	Remaining        money.Amount   `json:"remaining" api:"readonly" doc:"0.00 once it is rejected or cancelled"`
	PaymentStatus    PaymentStatus  `json:"paymentStatus" api:"readonly" doc:"OVERDUE from the day after dueDate, at midnight in the account's zone, while something remains"`
	EDocument        EDocument      `json:"eDocument" api:"readonly"`
	OrderIDs         []string       `json:"orderIds" api:"readonly" doc:"orders it was made from"`
	DespatchIDs      []string       `json:"despatchIds" api:"readonly" doc:"shipments whose goods it bills"`
	Orders           []DocumentRef  `json:"orders,omitempty" api:"readonly" doc:"the orders as the document names them"`
	Despatches       []DocumentRef  `json:"despatches,omitempty" api:"readonly" doc:"the despatch notes as the document names them"`
	OrderLines       []InvoicedLine `json:"orderLines,omitempty" api:"readonly" doc:"what it takes of the orders' lines; deleting or cancelling it gives that back, also one that FAILED. Customer, currency and what it bills stay as they are then; prices, texts and dates can be changed"`
}

// DocumentRef names another document as it stood when this one was made.
type DocumentRef struct {
	ID     string `json:"id" doc:"of the record"`
	Number string `json:"number"`
	Date   Date   `json:"date" doc:"of issue"`
}

// Refer records what the invoice was made from: it must name the despatch notes of
// its goods (VUK 230/5) and may name its orders.
func (v *Invoice) Refer(orders, despatches []DocumentRef) {
	v.Orders, v.Despatches = orders, despatches
	v.OrderIDs, v.DespatchIDs = idsOf(orders), idsOf(despatches)
}

func idsOf(refs []DocumentRef) []string {
	ids := make([]string, len(refs))
	for i := range refs {
		ids[i] = refs[i].ID
	}
	return ids
}

// Ref is the note as an invoice names it.
func (s *Shipment) Ref() DocumentRef { return DocumentRef{s.ID, s.Number, s.IssueDate} }

// Ref is the order as an invoice names it.
func (o *Order) Ref() DocumentRef { return DocumentRef{o.ID, o.Number, o.OrderDate} }

// Defaults fills what a caller may leave out; buyer may be nil.
func (v *Invoice) Defaults(buyer *Company) {
	defaultTo(&v.InvoiceType, Satis)
	if buyer != nil {
		defaultTo(&v.Currency, buyer.Currency)
		if v.PaymentTermDays == 0 {
			v.PaymentTermDays = buyer.PaymentTermDays
		}
	}
	defaultTo(&v.Currency, "TRY")
}

// Keep carries over from old what a caller may not set. An invoice that has its
// legal number keeps its date too, for the number stands behind it.
func (v *Invoice) Keep(old *Invoice) {
	v.Meta.keep(old.Meta)
	v.Number, v.ETTN, v.Direction, v.Status = old.Number, old.ETTN, old.Direction, old.Status
	v.PaidTotal, v.PaymentStatus, v.EDocument = old.PaidTotal, old.PaymentStatus, old.EDocument
	v.DocumentType, v.IssueTime = old.DocumentType, old.IssueTime
	v.OrderIDs, v.DespatchIDs, v.Orders, v.Despatches = old.OrderIDs, old.DespatchIDs, old.Orders, old.Despatches
	v.OrderLines = old.OrderLines
	forgetRate(v.Currency, old.Currency, &v.ExchangeRate, &v.ExchangeRateDate, old.ExchangeRate, old.ExchangeRateDate)
	if old.Status == InvoiceFailed {
		v.IssueDate = old.IssueDate
		defaultTo(&v.Profile, old.Profile)
	}
}

// CheckIssued refuses another date for old, an invoice that failed with its number.
func (v *Invoice) CheckIssued(f *Check, old *Invoice) {
	if old.Status == InvoiceFailed && v.IssueDate != "" && v.IssueDate != old.IssueDate {
		f.Add("issueDate", IssueDateFixed, string(old.IssueDate), old.Number)
	}
}

// Billed tells whether the invoice was made from an order.
func (v *Invoice) Billed() bool { return len(v.OrderLines) > 0 }

// CheckBilled refuses to make something else of old, an invoice that was made from an
// order: the order says that just this of it is invoiced.
func (v *Invoice) CheckBilled(f *Check, old *Invoice) {
	if !old.Billed() || len(v.Lines) == 0 { // no lines are a fault anyway
		return
	}
	order := old.OrderLines[0].OrderID
	if len(old.Orders) > 0 {
		order = old.Orders[0].Number
	}
	undone := Phrase{"delete the draft", "taslağı silip"}
	if old.Status == InvoiceFailed {
		undone = Phrase{"cancel the invoice", "faturayı iptal edip"}
	}
	same := func(f *Check, field, was, is string) {
		if was != is {
			f.Add(field, OrderFixed, was, order, undone)
		}
	}
	same(f, "companyId", old.CompanyID, v.CompanyID)
	same(f, "currency", old.Currency, v.Currency)
	if len(v.Lines) != len(old.Lines) {
		f.Add("lines", OrderFixed, len(old.Lines), order, undone)
		return
	}
	for i := range v.Lines {
		in, was, is := f.In(fmt.Sprintf("lines[%d]", i)), &old.Lines[i], &v.Lines[i]
		same(in, "productId", was.ProductID, is.ProductID)
		same(in, "quantity", was.Quantity.String(), is.Quantity.String())
		defaultTo(&is.Unit, was.Unit)
		same(in, "unit", was.Unit, is.Unit)
		same(in, "warehouseId", was.WarehouseID, cmp.Or(is.WarehouseID, was.WarehouseID))
	}
}

// Check finds what is wrong with the fields that a caller sets. products gives
// the product of a productId that is known; lines are filled from it first.
func (v *Invoice) Check(f *Check, products map[string]*Product) {
	v.Meta.check(f)
	OneOf(f, "invoiceType", v.InvoiceType, Satis)
	if v.Profile != "" {
		OneOf(f, "profile", v.Profile, TemelFatura, TicariFatura, EArsivFatura)
	}
	checkCurrency(f, "currency", v.Currency)
	checkExchange(f, v.Currency, &v.ExchangeRate, &v.ExchangeRateDate)
	if !checkLines(f, v.Lines, products, v.Currency) {
		return
	}
	checkTerm(f, v.PaymentTermDays)
	v.checkDue(f)
}

// SearchText is what q finds an invoice by.
func (v *Invoice) SearchText() string { return v.Number + " " + v.BuyerName }
