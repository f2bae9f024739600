package trade

import (
	"slices"
	"strings"
	"time"
)

// SaleKind tells the sales that take a way of their own through the tax office.
type SaleKind string

// The kinds of sale; the plain one is the empty one.
const (
	DomesticSale  SaleKind = ""
	GoodsExport   SaleKind = "EXPORT_GOODS"   // leaves through customs (mal ihracatı)
	ServiceExport SaleKind = "EXPORT_SERVICE" // never passes customs (hizmet ihracatı)
	TaxFreeSale   SaleKind = "TAX_FREE"       // to a tourist (yolcu beraberi)
)

// IsCustoms tells whether a tax number is that of the customs ministry, which buys by no
// ordinary sale (rule TaxFreeInvoiceCheck-1).
func IsCustoms(taxNumber string) bool { return taxNumber == customsTaxNumber }

// Mailbox is one alias (posta kutusu etiketi) under which the tax office lists a
// registered user. Invoices and despatch notes have lists of their own.
type Mailbox struct {
	Alias   string
	Created time.Time
	Deleted time.Time // zero while it is in use
}

// KindQuery is what decides which electronic document a sale becomes.
type KindQuery struct {
	Despatch         bool // a despatch note (irsaliye) and no invoice
	SellerRegistered bool // the seller takes part in the system at all
	Sale             SaleKind
	InvoiceType      string // the type wanted; "" is SATIS
	Internet         bool   // sold and paid over the internet
	DefaultProfile   string // the seller's choice for registered buyers: TEMELFATURA, otherwise TICARIFATURA

	BuyerTaxNumber string // "" when the buyer has none or did not tell
	BuyerCountry   string // ISO 3166 alpha-2; "" is TR
	BuyerIsPerson  bool   // a natural person
	BuyerIsPublic  bool   // listed as a public body (KAMU)
	BuyerAlias     string // the mailbox kept with the buyer, used while it is in use
	Mailboxes      []Mailbox
	Now            time.Time // compared with Mailboxes, so of the same zone as they
}

// KindChoice is the document a sale becomes and whom it goes to.
type KindChoice struct {
	DocumentType string // E_FATURA, E_ARSIV or E_IRSALIYE; "" when the seller may only write paper or use the tax office's portal
	Profile      string // UBL-TR ProfileID
	InvoiceType  string // UBL-TR type code; of a despatch note SEVK
	SeriesGroup  string // documents of different groups must not share a series: E_FATURA, EXPORT, E_ARSIV, E_ARSIV_INTERNET, DESPATCH

	ReceiverTaxNumber string // whom the envelope is addressed to; "" for an E_ARSIV, which has none
	ReceiverAlias     string
	BuyerTaxNumber    string // what the document prints, a customary number where the buyer has none
	BuyerPartyType    string // EXPORT or TAXFREE: the buyer stands as BuyerCustomerParty of this PARTYTYPE, the customs ministry as customer

	ExemptionCode         string // reason of lines without VAT that name none
	SendType              string // E_ARSIV: ELEKTRONIK; the seller may choose KAGIT unless the sale is INTERNET
	SalesPlatform         string // E_ARSIV: NORMAL or INTERNET
	NeedsBillingReference bool   // names the invoice that is returned
	NeedsIBAN             bool   // names the account to pay into
}

// The tax office's fixed receivers and the social security institution, whose
// invoices have a type of their own.
const (
	customsTaxNumber  = "1460415308"
	customsExport     = "urn:mail:ihracatpk@gtb.gov.tr"
	customsTaxFree    = "urn:mail:yolcuberaberpk@gtb.gov.tr"
	despatchTaxNumber = "3900892152" // takes the notes whose receiver is not registered
	despatchAlias     = "urn:mail:irsaliyepk@gib.gov.tr"
	sgkTaxNumber      = "7750409379"
)

// ChooseDocument decides which electronic document a sale becomes (general
// communiqués 509 and 535; the schematron's rules on profiles, types and
// receivers). It must be asked again at send: the buyer may have registered, or
// have left, since the invoice was written.
func ChooseDocument(q KindQuery) KindChoice {
	c := KindChoice{InvoiceType: q.InvoiceType, BuyerTaxNumber: q.BuyerTaxNumber}
	if c.InvoiceType == "" {
		c.InvoiceType = "SATIS"
	}
	alias := q.mailbox()
	switch {
	case !q.SellerRegistered:
	case q.Despatch:
		c.despatch(alias)
	case q.Sale == GoodsExport:
		c.customs("IHRACAT", customsExport, "EXPORT", "301")
		c.SeriesGroup = "EXPORT"
	case q.Sale == TaxFreeSale:
		c.customs("YOLCUBERABERFATURA", customsTaxFree, "TAXFREE", "501")
	default:
		c.sale(q, alias)
	}
	return c
}

// mailbox is where the buyer receives this kind of document now: the one kept
// with the buyer, or else the oldest in use; "" when the buyer is not registered.
func (q *KindQuery) mailbox() string {
	inUse := slices.DeleteFunc(slices.Clone(q.Mailboxes), func(m Mailbox) bool {
		return !m.Deleted.IsZero() || m.Created.After(q.Now)
	})
	if len(inUse) == 0 {
		return ""
	}
	if slices.ContainsFunc(inUse, func(m Mailbox) bool { return m.Alias == q.BuyerAlias }) {
		return q.BuyerAlias
	}
	return slices.MinFunc(inUse, func(a, b Mailbox) int {
		if older := a.Created.Compare(b.Created); older != 0 {
			return older
		}
		return strings.Compare(a.Alias, b.Alias)
	}).Alias
}

// despatch is a despatch note. Only the envelope of an unregistered buyer goes to
// the tax office; the note itself names the buyer.
func (c *KindChoice) despatch(alias string) {
	c.DocumentType, c.SeriesGroup = "E_IRSALIYE", "DESPATCH"
	c.Profile, c.InvoiceType = "TEMELIRSALIYE", "SEVK"
	c.ReceiverTaxNumber, c.ReceiverAlias = c.BuyerTaxNumber, alias
	if alias == "" {
		c.ReceiverTaxNumber, c.ReceiverAlias = despatchTaxNumber, despatchAlias
	}
}

// customs is an invoice that the customs ministry receives, whoever buys.
func (c *KindChoice) customs(profile, alias, partyType, exemption string) {
	c.DocumentType, c.SeriesGroup = "E_FATURA", "E_FATURA"
	c.Profile, c.InvoiceType = profile, "ISTISNA"
	c.ReceiverTaxNumber, c.ReceiverAlias = customsTaxNumber, alias
	c.BuyerPartyType, c.ExemptionCode = partyType, exemption
}

// sale is an invoice that goes to the buyer: an e-Fatura when the buyer has a
// mailbox, otherwise an e-Arşiv.
func (c *KindChoice) sale(q KindQuery, alias string) {
	if q.Sale == ServiceExport {
		c.InvoiceType, c.ExemptionCode = "ISTISNA", "302"
	}
	if c.BuyerTaxNumber == sgkTaxNumber && c.InvoiceType == "SATIS" {
		c.InvoiceType = "SGK" // the schematron takes SGK and TEVKIFAT there, no plain sale
	}
	isReturn := strings.HasSuffix(c.InvoiceType, "IADE") // also TEVKIFATIADE and those with YTB before
	c.NeedsBillingReference = isReturn
	if alias == "" {
		c.archive(q)
		return
	}
	c.DocumentType, c.SeriesGroup = "E_FATURA", "E_FATURA"
	c.ReceiverTaxNumber, c.ReceiverAlias = c.BuyerTaxNumber, alias
	switch {
	case q.BuyerIsPublic:
		c.Profile, c.NeedsIBAN = "KAMU", true
	case isReturn, c.InvoiceType == "SGK", q.DefaultProfile == "TEMELFATURA":
		c.Profile = "TEMELFATURA" // the buyer of the others may reject, of these only object
	default:
		c.Profile = "TICARIFATURA"
	}
}

// archive is an e-Arşiv invoice. Sales over the internet are numbered apart and
// are never handed over on paper.
func (c *KindChoice) archive(q KindQuery) {
	c.DocumentType, c.Profile = "E_ARSIV", "EARSIVFATURA"
	c.SendType, c.SalesPlatform, c.SeriesGroup = "ELEKTRONIK", "NORMAL", "E_ARSIV"
	if q.Internet {
		c.SalesPlatform, c.SeriesGroup = "INTERNET", "E_ARSIV_INTERNET"
	}
	if c.BuyerTaxNumber != "" {
		return
	}
	switch {
	case q.BuyerCountry == "" || q.BuyerCountry == "TR":
		c.BuyerTaxNumber = unknownConsumer
	case q.BuyerIsPerson:
		c.BuyerTaxNumber = foreignPerson
	default:
		c.BuyerTaxNumber = foreignCompany
	}
}
