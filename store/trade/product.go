package trade

import (
	"fmt"
	"strings"

	"esnaf/store/money"
)

// ProductType tells goods from services.
type ProductType string

// The product types.
const (
	Goods   ProductType = "GOODS"
	Service ProductType = "SERVICE"
)

// Values lists the product types.
func (ProductType) Values() []string { return []string{"GOODS", "SERVICE"} }

// Tracking says how single pieces of a product are told apart in stock.
type Tracking string

// The kinds of tracking: not at all, by lot (parti), by serial number (seri no).
const (
	Untracked Tracking = "NONE"
	ByLot     Tracking = "LOT"
	BySerial  Tracking = "SERIAL"
)

// Values lists the kinds of tracking.
func (Tracking) Values() []string { return []string{"NONE", "LOT", "SERIAL"} }

// Product is a thing or a service that is bought and sold (stok kartı).
type Product struct {
	Meta
	Code          string          `json:"code" doc:"unique among live products; drawn as P000001 on when absent"`
	Name          string          `json:"name" api:"required"`
	Type          ProductType     `json:"type" doc:"GOODS when absent; type, unit and tracking stay while the product is in stock, on an order that is to be shipped, or on a shipment that is neither returned nor cancelled"`
	Unit          string          `json:"unit" doc:"UN/ECE Recommendation 20 code, C62 (piece, adet) when absent; see type"`
	Category      string          `json:"category,omitempty" doc:"at most 100 characters; lists can be filtered by it"`
	Barcode       string          `json:"barcode,omitempty"`
	GTIP          string          `json:"gtip,omitempty" doc:"customs tariff number of 12 digits"`
	VATRate       *money.Rate     `json:"vatRate" doc:"percent of VAT (KDV), 20 when absent"`
	SalePrice     money.Price     `json:"salePrice" doc:"without VAT, in saleCurrency"`
	SaleCurrency  string          `json:"saleCurrency" doc:"ISO 4217, TRY when absent"`
	MinimumPrice  *money.Price    `json:"minimumPrice,omitempty" doc:"an order below it needs approval"`
	Prices        []CurrencyPrice `json:"prices" doc:"in further currencies, each once; a document in one of them takes its price from here"`
	PurchasePrice *money.Price    `json:"purchasePrice,omitempty"`
	Tracking      Tracking        `json:"tracking" doc:"NONE when absent; see type"`
	CriticalStock *money.Quantity `json:"criticalStock,omitempty" doc:"when less than this is available, stock is low (kritik stok); goods only"`
	OnHand        *money.Quantity `json:"onHand,omitempty" api:"readonly" doc:"in all warehouses"`
	Reserved      *money.Quantity `json:"reserved,omitempty" api:"readonly" doc:"of onHand, what is held for orders"`
	Available     *money.Quantity `json:"available,omitempty" api:"readonly" doc:"onHand without reserved"`
}

// CurrencyPrice is what a product costs in a currency.
type CurrencyPrice struct {
	Currency     string       `json:"currency" api:"required" doc:"ISO 4217"`
	SalePrice    money.Price  `json:"salePrice" api:"required" doc:"without VAT"`
	MinimumPrice *money.Price `json:"minimumPrice,omitempty" doc:"an order below it needs approval"`
}

// Defaults fills what a caller may leave out. The general VAT rate is 20 percent
// since 10.07.2023 (Presidential Decree 7346).
func (p *Product) Defaults() {
	defaultTo(&p.Type, Goods)
	defaultTo(&p.Unit, "C62")
	defaultTo(&p.SaleCurrency, "TRY")
	defaultTo(&p.Tracking, Untracked)
	if p.VATRate == nil {
		p.VATRate = new(money.Percent(20))
	}
}

// Check finds what is wrong with the fields that a caller sets.
func (p *Product) Check(f *Check) {
	p.Meta.check(f)
	checkCode(f, "code", &p.Code)
	f.Required("name", strings.TrimSpace(p.Name))
	f.Max("name", p.Name, 250)
	OneOf(f, "type", p.Type, Goods, Service)
	OneOf(f, "tracking", p.Tracking, Untracked, ByLot, BySerial)
	checkUnit(f, "unit", p.Unit)
	f.Max("category", p.Category, 100)
	checkLabel(f, "barcode", &p.Barcode)
	if p.GTIP != "" && (len(p.GTIP) != 12 || !isDigits(p.GTIP)) {
		f.Add("gtip", BadCode, p.GTIP, Phrase{"12 digits", "12 hane"})
	}
	checkVATRate(f, "vatRate", p.VATRate)
	checkCurrency(f, "saleCurrency", p.SaleCurrency)
	if p.SalePrice < 0 {
		f.Add("salePrice", MustNotBeNegative)
	}
	if p.MinimumPrice != nil && *p.MinimumPrice < 0 {
		f.Add("minimumPrice", MustNotBeNegative)
	}
	p.checkPrices(f)
	if p.Type == Service {
		OneOf(f, "tracking", p.Tracking, Untracked)
	}
	if p.PurchasePrice != nil && *p.PurchasePrice < 0 {
		f.Add("purchasePrice", MustNotBeNegative)
	}
	switch {
	case p.CriticalStock == nil:
	case *p.CriticalStock < 0:
		f.Add("criticalStock", MustNotBeNegative)
	case p.Type == Service && *p.CriticalStock > 0:
		f.Add("criticalStock", Exclusive, "type SERVICE")
	}
}

// checkPrices judges the prices in further currencies.
func (p *Product) checkPrices(f *Check) {
	if p.Prices == nil {
		p.Prices = []CurrencyPrice{}
	}
	if len(p.Prices) > maxPrices {
		f.Add("prices", TooMany, maxPrices)
		return
	}
	seen := map[string]bool{p.SaleCurrency: true}
	for i, c := range p.Prices {
		in := f.In(fmt.Sprintf("prices[%d]", i))
		checkCurrency(in, "currency", c.Currency)
		if seen[c.Currency] {
			in.Add("currency", GivenTwice)
		}
		seen[c.Currency] = true
		if c.SalePrice < 0 {
			in.Add("salePrice", MustNotBeNegative)
		}
		if c.MinimumPrice != nil && *c.MinimumPrice < 0 {
			in.Add("minimumPrice", MustNotBeNegative)
		}
	}
}

// maxPrices bounds the prices of a product.
const maxPrices = 50

// PriceIn is what the product costs in a currency, and the least it may be sold for;
// nil where the product does not say.
func (p *Product) PriceIn(currency string) (sale, minimum *money.Price) {
	if currency == p.SaleCurrency {
		return &p.SalePrice, p.MinimumPrice
	}
	for i := range p.Prices {
		if c := &p.Prices[i]; c.Currency == currency {
			return &c.SalePrice, c.MinimumPrice
		}
	}
	return nil, nil
}

// StockFixed is the Conflict of a change that would make stock of old mean something
// else, nil when there is none.
func (p *Product) StockFixed(old *Product) error {
	for _, field := range []struct{ name, was, is string }{
		{"type", string(old.Type), string(p.Type)},
		{"unit", old.Unit, p.Unit},
		{"tracking", string(old.Tracking), string(p.Tracking)},
	} {
		if field.was != field.is {
			return Refused([]Fault{{Field: field.name, Code: StockFixed, Args: []any{field.was}}})
		}
	}
	return nil
}

// Keep carries over from old what a caller may not set.
func (p *Product) Keep(old *Product) {
	p.Meta.keep(old.Meta)
	defaultTo(&p.Code, old.Code)
}

// SearchText is what q finds a product by.
func (p *Product) SearchText() string { return p.Code + " " + p.Name + " " + p.Barcode }

func checkVATRate(f *Check, field string, r *money.Rate) {
	if r != nil && (*r < 0 || *r > money.Percent(100)) {
		f.Add(field, OutOfRange, 0, 100)
	}
}

func checkUnit(f *Check, field, unit string) {
	if !ValidUnit(unit) {
		f.Add(field, BadCode, unit, Phrase{"a UN/ECE Recommendation 20 code such as C62 (piece) or KGM (kilogram)", "C62 (adet) ya da KGM (kilogram) gibi bir UN/ECE Tavsiye 20 kodu"})
	}
}
