package trade

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"esnaf/store/money"
)

// Every rule on a product has a row.
func TestProductCheck(t *testing.T) {
	for _, test := range []struct {
		about string
		edit  func(*Product)
		want  string
	}{
		{"all is well", func(*Product) {}, ""},
		{"no name", func(p *Product) { p.Name = " " }, "name required"},
		{"long texts", func(p *Product) {
			p.Name, p.Code, p.Barcode = strings.Repeat("x", 251), strings.Repeat("x", 51), strings.Repeat("x", 51)
		}, "code too_long, name too_long, barcode too_long"},
		{"an unknown type", func(p *Product) { p.Type = "IDEA" }, "type invalid_value"},
		{"an unknown tracking", func(p *Product) { p.Tracking = "EYE" }, "tracking invalid_value"},
		{"a word for a unit", func(p *Product) { p.Unit = "adet" }, "unit code_invalid"},
		{"a short customs number", func(p *Product) { p.GTIP = "8471300000" }, "gtip code_invalid"},
		{"letters in the customs number", func(p *Product) { p.GTIP = "84713000001x" }, "gtip code_invalid"},
		{"a customs number", func(p *Product) { p.GTIP = "847130000011" }, ""},
		{"VAT below nothing", func(p *Product) { p.VATRate = new(money.Rate(-1)) }, "vatRate out_of_range"},
		{"all of it VAT", func(p *Product) { p.VATRate = new(money.Percent(100)) }, ""},
		{"more than all", func(p *Product) { p.VATRate = new(money.Percent(100) + 1) }, "vatRate out_of_range"},
		{"an unknown currency", func(p *Product) { p.SaleCurrency = "LIRA" }, "saleCurrency code_invalid"},
		{"negative figures", func(p *Product) {
			p.SalePrice, p.MinimumPrice, p.PurchasePrice, p.CriticalStock = -1, new(money.Price(-1)), new(money.Price(-1)), new(money.Quantity(-1))
		}, "salePrice must_not_be_negative, minimumPrice must_not_be_negative, purchasePrice must_not_be_negative, criticalStock must_not_be_negative"},
		{"a tracked service", func(p *Product) { p.Type, p.Tracking = Service, ByLot }, "tracking invalid_value"},
		{"a long category", func(p *Product) { p.Category = strings.Repeat("x", 101) }, "category too_long"},
		{"prices", func(p *Product) { p.Prices = []CurrencyPrice{{"USD", 1, nil}, {"EUR", 1, nil}} }, ""},
		{"too many prices", func(p *Product) { p.Prices = make([]CurrencyPrice, 51) }, "prices too_many"},
		{"wrong prices", func(p *Product) {
			p.Prices = []CurrencyPrice{{"USD", -1, new(money.Price(-1))}, {"USD", 1, nil}, {"TRY", 1, nil}, {"DOLLAR", 1, nil}}
		}, "prices[0].salePrice must_not_be_negative, prices[0].minimumPrice must_not_be_negative, prices[1].currency given_twice, prices[2].currency given_twice, prices[3].currency code_invalid"},
		{"what every record has", func(p *Product) { p.Notes = strings.Repeat("x", 4001) }, "notes too_long"},
	} {
		t.Run(test.about, func(t *testing.T) {
			p, f := Product{Name: "Çay"}, Check{}
			p.Defaults()
			test.edit(&p)
			if p.Check(&f); f.list() != test.want {
				t.Errorf("found %s, want %s", f.list(), test.want)
			}
		})
	}
}

func TestProductDefaults(t *testing.T) {
	p := Product{Name: "Çay"}
	p.Defaults()
	want := Product{Name: "Çay", Type: Goods, Unit: "C62", SaleCurrency: "TRY", Tracking: Untracked, VATRate: new(money.Percent(20))}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	free := Product{VATRate: new(money.Rate(0))}
	if free.Defaults(); *free.VATRate != 0 {
		t.Error("a rate of zero is a rate")
	}
}

// The lists are whole, and hold codes alone.
func TestCodeLists(t *testing.T) {
	for about, test := range map[string]struct {
		text    string
		valid   func(string) bool
		least   int
		yes, no []string
	}{
		"units":      {unitText, ValidUnit, 100, []string{"C62", "KGM", "MTR", "HUR", "DAY"}, []string{"", "c62", "adet", "C62 "}},
		"currencies": {currencyText, ValidCurrency, 100, []string{"TRY", "USD", "EUR"}, []string{"", "try", "TL", "XXX", "XTS"}},
		"countries":  {countryText, ValidCountry, 200, []string{"TR", "DE", "US"}, []string{"", "tr", "TUR"}},
	} {
		codes := strings.Fields(test.text)
		if len(codes) < test.least {
			t.Errorf("%s: only %d codes", about, len(codes))
		}
		for _, c := range append(codes, test.yes...) {
			if !test.valid(c) {
				t.Errorf("%s: %q is not valid", about, c)
			}
		}
		for _, c := range test.no {
			if test.valid(c) {
				t.Errorf("%s: %q is valid", about, c)
			}
		}
	}
}
