package ubl

import (
	"fmt"
	"strings"

	"esnaf/store/trade"
)

// codes judges the codes that may stand anywhere.
func (c *checker) codes() {
	c.root.each(func(n *node) {
		switch n.name {
		case "cbc:IdentificationCode":
			c.need(trade.ValidCountry(n.value()), n, "CountryCodeCheck-1", "%q is not a country code such as TR", n.value())
		case "cbc:SourceCurrencyCode", "cbc:TargetCurrencyCode", "cbc:CurrencyCode":
			c.need(trade.ValidCurrency(n.value()), n, "GeneralCurrencyCodeCheck-1", "%q is not a currency code such as TRY", n.value())
		case "cbc:InvoicedQuantity":
			_, ok := n.attr("unitCode")
			c.need(ok || c.root.name != "Invoice", n, "InvoicedQuantityCheck-1", "the attribute unitCode is missing")
		case "cbc:PaymentMeansCode":
			c.listed(n, "PaymentMeansCodeCheck-1", paymentMeans)
		}
		if unit, ok := n.attr("unitCode"); ok {
			c.need(trade.ValidUnit(unit), n, "GeneralUnitCodeCheck-1", "%q is not a UN/ECE unit code such as C62", unit)
		}
		if currency, ok := n.attr("currencyID"); ok {
			c.need(trade.ValidCurrency(currency), n, "GeneralCurrencyIDCheck-1", "%q is not a currency code such as TRY", currency)
		}
	})
}

// currency judges the document's currency and its rate of exchange.
func (c *checker) currency() {
	for i, name := range []string{
		"cbc:DocumentCurrencyCode", "cbc:TaxCurrencyCode", "cbc:PricingCurrencyCode",
		"cbc:PaymentCurrencyCode", "cbc:PaymentAlternativeCurrencyCode",
	} {
		if n := c.root.find(name); n != nil {
			c.need(trade.ValidCurrency(n.value()), n, fmt.Sprintf("CurrencyCodeCheck-%d", i+1), "%q is not a currency code such as TRY", n.value())
		}
	}
	// One currency throughout: amounts of two could not be added up.
	currency := c.root.get("cbc:DocumentCurrencyCode")
	c.root.each(func(n *node) {
		if id, ok := n.attr("currencyID"); ok && id != currency {
			c.add(n, "CALC-CURRENCY", "the currency %q is not that of the document, %q", id, currency)
		}
	})
	if currency == lira {
		return
	}
	rate := c.root.find("cac:PricingExchangeRate")
	if rate == nil {
		c.add(c.root, "CurrencyCodeCheck-6", "a document in %s needs cac:PricingExchangeRate", currency)
		return
	}
	value := rate.find("cbc:CalculationRate")
	_, decimals, _ := strings.Cut(strings.TrimSpace(value.value()), ".")
	c.need(len(decimals) <= 6, value, "CurrencyCodeCheck-7", "the rate has more than 6 decimals")
	// The rules do not see a rate given the wrong way round, but every reader would
	// multiply by it.
	c.need(rate.get("cbc:SourceCurrencyCode") == currency && rate.get("cbc:TargetCurrencyCode") == lira, rate,
		"EXCHANGE-DIRECTION", "the rate must be from %s to TRY", currency)
}

// returned judges what a return refers to.
func (c *checker) returned() {
	if c.kind() != "IADE" && c.kind() != "TEVKIFATIADE" {
		return
	}
	references := 0
	for _, b := range c.root.all("cac:BillingReference") {
		d := b.find("cac:InvoiceDocumentReference")
		if d == nil {
			continue
		}
		references++
		kind := d.get("cbc:DocumentTypeCode")
		c.need((kind == "IADE" || kind == "İADE") && len(strings.TrimSpace(d.get("cbc:ID"))) == 16, d,
			"IADEInvioceCheck-1", "the returned invoice must be named by its 16-character number and the type code IADE")
	}
	c.need(references > 0, c.root, "IADEInvioceCheck-1", "a return must name the returned invoice in cac:BillingReference")
}

// payment judges the account a public body pays to.
func (c *checker) payment() {
	if c.root.get("cbc:ProfileID") != "KAMU" {
		return
	}
	for _, m := range c.root.all("cac:PaymentMeans") {
		iban := m.get("cac:PayeeFinancialAccount", "cbc:ID")
		if strings.HasPrefix(iban, "TR") && trade.ValidIBAN(iban) {
			return
		}
	}
	c.add(c.root, "KamuFaturaCheck-1", "a KAMU invoice needs a Turkish IBAN in cac:PaymentMeans/cac:PayeeFinancialAccount")
}
