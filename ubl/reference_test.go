package ubl

import (
	"encoding/xml"
	"math/big"
	"strconv"
	"testing"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// The invoice as encoding/xml writes it from structs: the oracle of the writer and
// the measure of its speed. Prefixes are spelled out, since encoding/xml would
// otherwise repeat the namespace on every element.
type (
	refInvoice struct {
		XMLName  xml.Name `xml:"Invoice"`
		NS       string   `xml:"xmlns,attr"`
		CAC      string   `xml:"xmlns:cac,attr"`
		CBC      string   `xml:"xmlns:cbc,attr"`
		Ext      string   `xml:"xmlns:ext,attr"`
		Unsigned struct {
			NS string `xml:"xmlns,attr"`
		} `xml:"ext:UBLExtensions>ext:UBLExtension>ext:ExtensionContent>placeholder"`
		Version       string      `xml:"cbc:UBLVersionID"`
		Customization string      `xml:"cbc:CustomizationID"`
		Profile       string      `xml:"cbc:ProfileID"`
		ID            string      `xml:"cbc:ID"`
		Copy          bool        `xml:"cbc:CopyIndicator"`
		UUID          string      `xml:"cbc:UUID"`
		IssueDate     string      `xml:"cbc:IssueDate"`
		IssueTime     string      `xml:"cbc:IssueTime,omitempty"`
		Type          string      `xml:"cbc:InvoiceTypeCode"`
		Notes         []string    `xml:"cbc:Note"`
		Currency      string      `xml:"cbc:DocumentCurrencyCode"`
		Count         int         `xml:"cbc:LineCountNumeric"`
		Order         *refDoc     `xml:"cac:OrderReference"`
		Despatches    []refDoc    `xml:"cac:DespatchDocumentReference"`
		SendType      *refSend    `xml:"cac:AdditionalDocumentReference"`
		Signature     refSign     `xml:"cac:Signature"`
		Seller        refParty    `xml:"cac:AccountingSupplierParty>cac:Party"`
		Buyer         refParty    `xml:"cac:AccountingCustomerParty>cac:Party"`
		Means         *refMeans   `xml:"cac:PaymentMeans"`
		Rate          *refRate    `xml:"cac:PricingExchangeRate"`
		Tax           refTax      `xml:"cac:TaxTotal"`
		Extension     refAmount   `xml:"cac:LegalMonetaryTotal>cbc:LineExtensionAmount"`
		Exclusive     refAmount   `xml:"cac:LegalMonetaryTotal>cbc:TaxExclusiveAmount"`
		Inclusive     refAmount   `xml:"cac:LegalMonetaryTotal>cbc:TaxInclusiveAmount"`
		Allowance     []refAmount `xml:"cac:LegalMonetaryTotal>cbc:AllowanceTotalAmount"`
		Payable       refAmount   `xml:"cac:LegalMonetaryTotal>cbc:PayableAmount"`
		Lines         []refLine   `xml:"cac:InvoiceLine"`
	}
	refID struct {
		Scheme string `xml:"schemeID,attr"`
		Value  string `xml:",chardata"`
	}
	refAmount struct {
		Currency string `xml:"currencyID,attr"`
		Value    string `xml:",chardata"`
	}
	refDoc struct {
		ID        string `xml:"cbc:ID"`
		IssueDate string `xml:"cbc:IssueDate"`
	}
	refSend struct {
		ID        string `xml:"cbc:ID"`
		IssueDate string `xml:"cbc:IssueDate"`
		Code      string `xml:"cbc:DocumentTypeCode"`
		Type      string `xml:"cbc:DocumentType"`
	}
	refSign struct {
		ID      refID      `xml:"cbc:ID"`
		Signer  refID      `xml:"cac:SignatoryParty>cac:PartyIdentification>cbc:ID"`
		Address refAddress `xml:"cac:SignatoryParty>cac:PostalAddress"`
		URI     string     `xml:"cac:DigitalSignatureAttachment>cac:ExternalReference>cbc:URI"`
	}
	refAddress struct {
		Street   string `xml:"cbc:StreetName,omitempty"`
		District string `xml:"cbc:CitySubdivisionName"`
		City     string `xml:"cbc:CityName"`
		Zone     string `xml:"cbc:PostalZone,omitempty"`
		Code     string `xml:"cac:Country>cbc:IdentificationCode"`
		Country  string `xml:"cac:Country>cbc:Name"`
	}
	refParty struct {
		ID      refID      `xml:"cac:PartyIdentification>cbc:ID"`
		Name    *string    `xml:"cac:PartyName>cbc:Name"`
		Address refAddress `xml:"cac:PostalAddress"`
		Office  *string    `xml:"cac:PartyTaxScheme>cac:TaxScheme>cbc:Name"`
		Phone   *string    `xml:"cac:Contact>cbc:Telephone"`
		Email   *string    `xml:"cac:Contact>cbc:ElectronicMail"`
		First   *string    `xml:"cac:Person>cbc:FirstName"`
		Last    *string    `xml:"cac:Person>cbc:FamilyName"`
	}
	refMeans struct {
		Code string `xml:"cbc:PaymentMeansCode"`
		Due  string `xml:"cbc:PaymentDueDate"`
	}
	refRate struct {
		Source string `xml:"cbc:SourceCurrencyCode"`
		Target string `xml:"cbc:TargetCurrencyCode"`
		Rate   string `xml:"cbc:CalculationRate"`
		Date   string `xml:"cbc:Date"`
	}
	refTax struct {
		Amount refAmount     `xml:"cbc:TaxAmount"`
		Parts  []refSubtotal `xml:"cac:TaxSubtotal"`
	}
	refSubtotal struct {
		Base     refAmount `xml:"cbc:TaxableAmount"`
		Amount   refAmount `xml:"cbc:TaxAmount"`
		Sequence int       `xml:"cbc:CalculationSequenceNumeric"`
		Percent  string    `xml:"cbc:Percent"`
		Code     string    `xml:"cac:TaxCategory>cbc:TaxExemptionReasonCode,omitempty"`
		Reason   string    `xml:"cac:TaxCategory>cbc:TaxExemptionReason,omitempty"`
		Name     string    `xml:"cac:TaxCategory>cac:TaxScheme>cbc:Name"`
		Type     string    `xml:"cac:TaxCategory>cac:TaxScheme>cbc:TaxTypeCode"`
	}
	refQuantity struct {
		Unit  string `xml:"unitCode,attr"`
		Value string `xml:",chardata"`
	}
	refLine struct {
		ID          int           `xml:"cbc:ID"`
		Quantity    refQuantity   `xml:"cbc:InvoicedQuantity"`
		Net         refAmount     `xml:"cbc:LineExtensionAmount"`
		Allowance   *refAllowance `xml:"cac:AllowanceCharge"`
		Tax         refTax        `xml:"cac:TaxTotal"`
		Description string        `xml:"cac:Item>cbc:Description,omitempty"`
		Name        string        `xml:"cac:Item>cbc:Name"`
		Code        *string       `xml:"cac:Item>cac:SellersItemIdentification>cbc:ID"`
		Price       refAmount     `xml:"cac:Price>cbc:PriceAmount"`
	}
	refAllowance struct {
		Charge     bool      `xml:"cbc:ChargeIndicator"`
		Multiplier string    `xml:"cbc:MultiplierFactorNumeric,omitempty"`
		Amount     refAmount `xml:"cbc:Amount"`
		Base       refAmount `xml:"cbc:BaseAmount"`
	}
)

// reference is the document of v by encoding/xml.
func reference(t testing.TB, v *trade.Invoice) []byte {
	t.Helper()
	money := func(s interface{ String() string }) refAmount { return refAmount{v.Currency, s.String()} }
	r := refInvoice{
		NS: nsInvoice, CAC: nsAggregate, CBC: nsBasic, Ext: nsExtension, Version: "2.1", Customization: "TR1.2.1",
		Profile: string(v.Profile), ID: v.Number, UUID: v.ETTN, IssueDate: string(v.IssueDate), IssueTime: v.IssueTime,
		Type: "SATIS", Currency: v.Currency, Count: len(v.Lines), Seller: refPartyOf(v.Seller), Buyer: refPartyOf(v.Buyer),
		Extension: money(v.Subtotal), Exclusive: money(v.Net()), Inclusive: money(v.Total), Payable: money(v.Payable),
	}
	r.Unsigned.NS = "urn:esnaf:unsigned"
	r.Signature = refSign{refID{"VKN_TCKN", v.Seller.TaxNumber}, r.Seller.ID, r.Seller.Address, "#Signature_" + v.Number}
	if v.DiscountTotal != 0 {
		r.Allowance = []refAmount{money(v.DiscountTotal)}
	}
	if v.Notes != "" {
		r.Notes = append(r.Notes, v.Notes)
	}
	if v.Profile == trade.EArsivFatura {
		r.SendType = &refSend{"ELEKTRONIK", string(v.IssueDate), "SEND_TYPE", "ELEKTRONIK"}
	}
	if len(v.Orders) == 1 {
		r.Order = &refDoc{v.Orders[0].Number, string(v.Orders[0].Date)}
	}
	for _, d := range v.Despatches {
		r.Despatches = append(r.Despatches, refDoc{d.Number, string(d.Date)})
	}
	if v.DueDate != "" {
		r.Means = &refMeans{"1", string(v.DueDate)}
	}
	if v.Currency != "TRY" {
		date := v.ExchangeRateDate
		if date == "" {
			date = v.IssueDate
		}
		r.Rate = &refRate{v.Currency, "TRY", v.ExchangeRate.String(), string(date)}
		r.Notes = append(r.Notes, refLira(v))
	}
	r.Tax = refTax{Amount: money(v.VATTotal)}
	for _, x := range v.Taxes {
		r.Tax.Parts = append(r.Tax.Parts, refPart(money(x.Base), money(x.Amount), x.Rate.String(), x.ExemptionCode))
	}
	for i := range v.Lines {
		r.Lines = append(r.Lines, refLineOf(i, &v.Lines[i], money))
	}
	doc, err := xml.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte(xml.Header), doc...)
}

func refPart(base, amount refAmount, percent, code string) refSubtotal {
	s := refSubtotal{Base: base, Amount: amount, Sequence: 1, Percent: percent, Code: code, Name: "KDV", Type: "0015"}
	if code == "351" {
		s.Reason = "KDV İstisna Olmayan Diğer"
	}
	return s
}

func refPartyOf(p *trade.Party) refParty {
	country := map[string]string{"TR": "Türkiye", "DE": "Almanya"}[p.Country]
	r := refParty{
		ID: refID{"VKN", p.TaxNumber}, Name: given(p.Name), Office: given(p.TaxOffice), Phone: given(p.Phone), Email: given(p.Email),
		Address: refAddress{p.Address, p.District, p.City, p.PostalCode, p.Country, country},
	}
	if len(p.TaxNumber) == 11 {
		r.ID.Scheme, r.First, r.Last = "TCKN", &p.FirstName, &p.LastName
		if p.Name == p.FirstName+" "+p.LastName {
			r.Name = nil
		}
	}
	return r
}

// given is nil for a text that is not there: of a nil pointer encoding/xml leaves
// out the elements around it as well.
func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func refLineOf(i int, l *trade.Line, money func(interface{ String() string }) refAmount) refLine {
	r := refLine{
		ID: i + 1, Quantity: refQuantity{l.Unit, l.Quantity.String()}, Net: money(l.Net),
		Description: l.Description, Name: l.Name, Code: given(l.Code), Price: money(l.UnitPrice),
		Tax: refTax{money(l.VAT), []refSubtotal{refPart(money(l.Net), money(l.VAT), l.VATRate.String(), l.ExemptionCode)}},
	}
	if l.PriceIncludesVAT {
		r.Price = money(trade.NetUnitPrice(*l.UnitPrice, *l.VATRate))
	}
	if l.Discount != 0 {
		r.Allowance = &refAllowance{Amount: money(l.Discount), Base: money(l.Gross)}
		if l.DiscountRate != nil {
			r.Allowance.Multiplier = refFraction(*l.DiscountRate)
		}
	}
	return r
}

// refFraction is a percentage as the fraction it is.
func refFraction(rate money.Rate) string {
	f, _ := new(big.Rat).SetString(rate.String())
	exact, _ := new(big.Rat).Quo(f, big.NewRat(100, 1)).Float64()
	return strconv.FormatFloat(exact, 'f', -1, 64)
}

// refLira is the note on the value in lira, put together by hand: its records have
// amounts below a million.
func refLira(v *trade.Invoice) string {
	inLira, _ := v.ExchangeRate.Of(v.Payable)
	turkish := func(s string) string {
		for i := range s {
			if s[i] == '.' {
				s = s[:i] + "," + s[i+1:]
				if i > 3 {
					s = s[:i-3] + "." + s[i-3:]
				}
				break
			}
		}
		return s
	}
	return turkish(inLira.String()) + " TL karşılığıdır (1 " + v.Currency + " = " + turkish(v.ExchangeRate.String()) + " TL)"
}
