package ubl

import (
	"strings"
	"sync"
	"time"
)

// grammarText is the content of each element as the UBL-TR 1.2.1 schemas order
// it: "?" may stand once, "*" any number of times, "+" at least once, the others
// exactly once. Elements that share a content share a line. It knows what the
// documents of the judged profiles are made of; inside of others (a period, a
// package) nothing is judged but what every document has.
const grammarText = `
Invoice = ext:UBLExtensions cbc:UBLVersionID cbc:CustomizationID cbc:ProfileID cbc:ID cbc:CopyIndicator cbc:UUID cbc:IssueDate cbc:IssueTime? cbc:InvoiceTypeCode cbc:Note* cbc:DocumentCurrencyCode cbc:TaxCurrencyCode? cbc:PricingCurrencyCode? cbc:PaymentCurrencyCode? cbc:PaymentAlternativeCurrencyCode? cbc:AccountingCost? cbc:LineCountNumeric cac:InvoicePeriod? cac:OrderReference? cac:BillingReference* cac:DespatchDocumentReference* cac:ReceiptDocumentReference* cac:OriginatorDocumentReference* cac:ContractDocumentReference* cac:AdditionalDocumentReference* cac:Signature+ cac:AccountingSupplierParty cac:AccountingCustomerParty cac:BuyerCustomerParty? cac:SellerSupplierParty? cac:TaxRepresentativeParty? cac:Delivery* cac:PaymentMeans* cac:PaymentTerms? cac:AllowanceCharge* cac:TaxExchangeRate? cac:PricingExchangeRate? cac:PaymentExchangeRate? cac:PaymentAlternativeExchangeRate? cac:TaxTotal+ cac:WithholdingTaxTotal* cac:LegalMonetaryTotal cac:InvoiceLine+
DespatchAdvice = ext:UBLExtensions cbc:UBLVersionID cbc:CustomizationID cbc:ProfileID cbc:ID cbc:CopyIndicator cbc:UUID cbc:IssueDate cbc:IssueTime cbc:DespatchAdviceTypeCode? cbc:Note* cbc:LineCountNumeric? cac:OrderReference* cac:AdditionalDocumentReference* cac:Signature+ cac:DespatchSupplierParty cac:DeliveryCustomerParty cac:BuyerCustomerParty? cac:SellerSupplierParty? cac:OriginatorCustomerParty? cac:Shipment cac:DespatchLine+
ReceiptAdvice = ext:UBLExtensions cbc:UBLVersionID cbc:CustomizationID cbc:ProfileID cbc:ID cbc:CopyIndicator cbc:UUID cbc:IssueDate cbc:IssueTime? cbc:ReceiptAdviceTypeCode? cbc:Note* cbc:LineCountNumeric? cac:OrderReference* cac:DespatchDocumentReference cac:AdditionalDocumentReference* cac:Signature+ cac:DeliveryCustomerParty cac:DespatchSupplierParty cac:BuyerCustomerParty? cac:SellerSupplierParty? cac:Shipment? cac:ReceiptLine+
cac:Shipment = cbc:ID cbc:HandlingCode? cbc:HandlingInstructions? cbc:GrossWeightMeasure? cbc:NetWeightMeasure? cbc:GrossVolumeMeasure? cbc:NetVolumeMeasure? cbc:TotalGoodsItemQuantity? cbc:TotalTransportHandlingUnitQuantity? cbc:InsuranceValueAmount? cbc:DeclaredCustomsValueAmount? cbc:DeclaredForCarriageValueAmount? cbc:DeclaredStatisticsValueAmount? cbc:FreeOnBoardValueAmount? cbc:SpecialInstructions* cac:GoodsItem* cac:ShipmentStage* cac:Delivery? cac:TransportHandlingUnit* cac:ReturnAddress? cac:FirstArrivalPortLocation? cac:LastExitPortLocation?
cac:ShipmentStage = cbc:ID? cbc:TransportModeCode? cbc:TransportMeansTypeCode? cbc:TransitDirectionCode? cbc:Instructions* cac:TransitPeriod? cac:TransportMeans? cac:DriverPerson*
cac:TransportMeans = cbc:JourneyID? cbc:RegistrationNationalityID? cbc:RegistrationNationality* cbc:DirectionCode? cbc:TransportMeansTypeCode? cbc:TradeServiceCode? cac:Stowage? cac:AirTransport? cac:RoadTransport? cac:RailTransport? cac:MaritimeTransport? cac:OwnerParty? cac:MeasurementDimension*
cac:RoadTransport = cbc:LicensePlateID
cac:Delivery = cbc:ID? cbc:Quantity? cbc:ActualDeliveryDate? cbc:ActualDeliveryTime? cbc:LatestDeliveryDate? cbc:LatestDeliveryTime? cbc:TrackingID? cac:DeliveryAddress? cac:AlternativeDeliveryLocation? cac:EstimatedDeliveryPeriod? cac:CarrierParty? cac:DeliveryParty? cac:Despatch? cac:DeliveryTerms* cac:Shipment?
cac:Despatch = cbc:ID? cbc:ActualDespatchDate? cbc:ActualDespatchTime? cbc:Instructions? cac:DespatchAddress? cac:DespatchParty? cac:Contact? cac:EstimatedDespatchPeriod?
cac:TransportHandlingUnit = cbc:ID? cbc:TransportHandlingUnitTypeCode? cbc:HandlingCode? cbc:HandlingInstructions? cbc:HazardousRiskIndicator? cbc:TotalGoodsItemQuantity? cbc:TotalPackageQuantity? cbc:DamageRemarks* cbc:TraceID? cac:ActualPackage* cac:TransportEquipment* cac:TransportMeans* cac:HazardousGoodsTransit* cac:MeasurementDimension* cac:MinimumTemperature? cac:MaximumTemperature? cac:FloorSpaceMeasurementDimension? cac:PalletSpaceMeasurementDimension? cac:ShipmentDocumentReference* cac:CustomsDeclaration*
cac:TransportEquipment = cbc:ID? cbc:TransportEquipmentTypeCode? cbc:Description?
cac:DespatchLine = cbc:ID cbc:Note* cbc:DeliveredQuantity? cbc:OutstandingQuantity? cbc:OutstandingReason* cbc:OversupplyQuantity? cac:OrderLineReference cac:DocumentReference* cac:Item cac:Shipment*
cac:ReceiptLine = cbc:ID cbc:Note* cbc:ReceivedQuantity? cbc:ShortQuantity? cbc:RejectedQuantity? cbc:RejectReasonCode? cbc:RejectReason* cbc:OversupplyQuantity? cbc:ReceivedDate? cbc:TimingComplaintCode? cbc:TimingComplaint? cac:OrderLineReference? cac:DespatchLineReference? cac:DocumentReference* cac:Item cac:Shipment*
cac:OrderLineReference = cbc:LineID cbc:SalesOrderLineID? cbc:UUID? cbc:LineStatusCode? cac:OrderReference?
cac:DespatchLineReference cac:ReceiptLineReference = cbc:LineID cbc:LineStatusCode? cac:DocumentReference?
cac:ItemInstance = cbc:ProductTraceID? cbc:ManufactureDate? cbc:ManufactureTime? cbc:BestBeforeDate? cbc:RegistrationID? cbc:SerialID? cac:AdditionalItemProperty* cac:LotIdentification?
cac:LotIdentification = cbc:LotNumberID? cbc:ExpiryDate? cac:AdditionalItemProperty*
cac:PhysicalLocation = cbc:ID? cac:Address?
ext:UBLExtensions = ext:UBLExtension+
cac:Signature = cbc:ID cac:SignatoryParty cac:DigitalSignatureAttachment
cac:DigitalSignatureAttachment cac:Attachment = cbc:EmbeddedDocumentBinaryObject? cac:ExternalReference?
cac:ExternalReference = cbc:URI
cac:AccountingSupplierParty cac:SellerSupplierParty cac:DespatchSupplierParty = cac:Party cac:DespatchContact?
cac:AccountingCustomerParty cac:BuyerCustomerParty cac:DeliveryCustomerParty cac:OriginatorCustomerParty = cac:Party cac:DeliveryContact?
cac:Party cac:SignatoryParty cac:IssuerParty cac:TaxRepresentativeParty cac:CarrierParty cac:DeliveryParty = cbc:WebsiteURI? cbc:EndpointID? cbc:IndustryClassificationCode? cac:PartyIdentification+ cac:PartyName? cac:PostalAddress cac:PhysicalLocation? cac:PartyTaxScheme? cac:PartyLegalEntity* cac:Contact? cac:Person? cac:AgentParty?
cac:PartyIdentification = cbc:ID
cac:PartyName = cbc:Name
cac:PostalAddress cac:DeliveryAddress cac:DespatchAddress cac:Address = cbc:ID? cbc:Postbox? cbc:Room? cbc:StreetName? cbc:BlockName? cbc:BuildingName? cbc:BuildingNumber? cbc:CitySubdivisionName cbc:CityName cbc:PostalZone? cbc:Region? cbc:District? cac:Country
cac:Country = cbc:IdentificationCode? cbc:Name
cac:PartyTaxScheme = cbc:RegistrationName? cbc:CompanyID? cac:TaxScheme
cac:TaxScheme = cbc:ID? cbc:Name? cbc:TaxTypeCode?
cac:Contact cac:DespatchContact cac:DeliveryContact = cbc:ID? cbc:Name? cbc:Telephone? cbc:Telefax? cbc:ElectronicMail? cbc:Note? cac:OtherCommunication*
cac:Person cac:DriverPerson = cbc:FirstName cbc:FamilyName cbc:Title? cbc:MiddleName? cbc:NameSuffix? cbc:NationalityID? cac:FinancialAccount? cac:IdentityDocumentReference?
cac:AdditionalDocumentReference cac:InvoiceDocumentReference cac:DespatchDocumentReference cac:ReceiptDocumentReference cac:OriginatorDocumentReference cac:ContractDocumentReference cac:DocumentReference = cbc:ID cbc:IssueDate cbc:DocumentTypeCode? cbc:DocumentType? cbc:DocumentDescription* cac:Attachment? cac:ValidityPeriod? cac:IssuerParty?
cac:BillingReference = cac:InvoiceDocumentReference? cac:SelfBilledInvoiceDocumentReference? cac:CreditNoteDocumentReference? cac:SelfBilledCreditNoteDocumentReference? cac:DebitNoteDocumentReference? cac:ReminderDocumentReference? cac:AdditionalDocumentReference? cac:BillingReferenceLine*
cac:OrderReference = cbc:ID cbc:SalesOrderID? cbc:IssueDate cbc:OrderTypeCode? cac:DocumentReference?
cac:PaymentMeans = cbc:PaymentMeansCode cbc:PaymentDueDate? cbc:PaymentChannelCode? cbc:InstructionNote? cac:PayerFinancialAccount? cac:PayeeFinancialAccount?
cac:PayerFinancialAccount cac:PayeeFinancialAccount = cbc:ID cbc:CurrencyCode? cbc:PaymentNote? cac:FinancialInstitutionBranch?
cac:PaymentTerms = cbc:Note? cbc:PenaltySurchargePercent? cbc:Amount? cbc:PenaltyAmount? cbc:PaymentDueDate? cac:SettlementPeriod?
cac:AllowanceCharge = cbc:ChargeIndicator cbc:AllowanceChargeReason? cbc:MultiplierFactorNumeric? cbc:SequenceNumeric? cbc:Amount cbc:BaseAmount? cbc:PerUnitAmount?
cac:TaxExchangeRate cac:PricingExchangeRate cac:PaymentExchangeRate cac:PaymentAlternativeExchangeRate = cbc:SourceCurrencyCode cbc:TargetCurrencyCode cbc:CalculationRate cbc:Date?
cac:TaxTotal cac:WithholdingTaxTotal = cbc:TaxAmount cac:TaxSubtotal+
cac:TaxSubtotal = cbc:TaxableAmount? cbc:TaxAmount cbc:CalculationSequenceNumeric? cbc:TransactionCurrencyTaxAmount? cbc:Percent? cbc:BaseUnitMeasure? cbc:PerUnitAmount? cac:TaxCategory
cac:TaxCategory = cbc:Name? cbc:TaxExemptionReasonCode? cbc:TaxExemptionReason? cac:TaxScheme
cac:LegalMonetaryTotal = cbc:LineExtensionAmount cbc:TaxExclusiveAmount cbc:TaxInclusiveAmount cbc:AllowanceTotalAmount? cbc:ChargeTotalAmount? cbc:PayableRoundingAmount? cbc:PayableAmount
cac:InvoiceLine = cbc:ID cbc:Note* cbc:InvoicedQuantity cbc:LineExtensionAmount cac:OrderLineReference* cac:DespatchLineReference* cac:ReceiptLineReference* cac:Delivery* cac:AllowanceCharge* cac:TaxTotal? cac:WithholdingTaxTotal* cac:Item cac:Price cac:SubInvoiceLine*
cac:Item = cbc:Description? cbc:Name cbc:Keyword? cbc:BrandName? cbc:ModelName? cac:BuyersItemIdentification? cac:SellersItemIdentification? cac:ManufacturersItemIdentification? cac:AdditionalItemIdentification* cac:OriginCountry? cac:CommodityClassification* cac:ItemInstance*
cac:BuyersItemIdentification cac:SellersItemIdentification cac:ManufacturersItemIdentification cac:AdditionalItemIdentification = cbc:ID
cac:Price = cbc:PriceAmount
`

// particle is one place in the content of an element.
type particle struct {
	name           string
	optional, many bool
}

// grammar is grammarText as a table; it is read once and never changed.
var grammar = sync.OnceValue(func() map[string][]particle {
	g := map[string][]particle{}
	for rule := range strings.Lines(strings.TrimSpace(grammarText)) {
		names, content, _ := strings.Cut(rule, "=")
		var model []particle
		for _, word := range strings.Fields(content) {
			name := strings.TrimRight(word, "?*+")
			mark := word[len(name):]
			model = append(model, particle{name, mark == "?" || mark == "*", mark == "*" || mark == "+"})
		}
		for _, name := range strings.Fields(names) {
			g[name] = model
		}
	}
	return g
})

// ruleSchema is the rule of everything the schema demands.
const ruleSchema = "XSD"

// structure judges n and all below it by the schema.
func (c *checker) structure(n *node) {
	model, known := grammar()[n.name]
	switch {
	case n.name == "ext:UBLExtension":
		// What an extension holds is its owner's affair; here it counts that there
		// is something. The signature that belongs there is not judged.
		if content := n.find("ext:ExtensionContent"); content == nil || len(content.kids) != 1 {
			c.add(n, ruleSchema, "it must hold one ext:ExtensionContent with exactly one element in it")
		}
		return
	case known:
		c.content(n, model)
	case strings.HasPrefix(n.name, "cbc:"):
		c.leaf(n)
	}
	for _, k := range n.kids {
		c.structure(k)
	}
}

// content finds the first child that stands where it may not, and the elements
// missing before it. What follows would only be its consequences.
func (c *checker) content(n *node, model []particle) {
	if !n.blank() {
		c.add(n, ruleSchema, "it must hold elements and no text")
	}
	next, again := 0, false // model[next] may come, and has come already if again
	for _, k := range n.kids {
		at := next
		for at < len(model) && model[at].name != k.name {
			at++
		}
		switch {
		case at == len(model):
			c.add(k, ruleSchema, "this element is not allowed here")
			return
		case at == next && again && !model[at].many:
			c.add(k, ruleSchema, "this element may stand only once")
			return
		}
		c.missing(n, model[next:at], again)
		next, again = at, true
	}
	c.missing(n, model[next:], again)
}

// missing reports the required ones among skipped; the first of them has been
// seen if again.
func (c *checker) missing(n *node, skipped []particle, again bool) {
	for i, p := range skipped {
		if !p.optional && (i > 0 || !again) {
			c.add(n, ruleSchema, "the element %s is missing", p.name)
		}
	}
}

// leaf judges the text of an element by its name, which in UBL ends in the name
// of its type.
func (c *checker) leaf(n *node) {
	if len(n.kids) > 0 {
		c.add(n, ruleSchema, "it must hold text and no elements")
		return
	}
	text := strings.TrimSpace(n.value())
	ends := func(types ...string) bool {
		for _, t := range types {
			if strings.HasSuffix(n.name, t) {
				return true
			}
		}
		return false
	}
	switch {
	case ends("Amount", "Numeric", "Percent", "Rate", "Quantity") && !isDecimal(text):
		c.add(n, ruleSchema, "%q is not a decimal number such as 1234.50", text)
	case ends("Date") && !parses(text, time.DateOnly):
		c.add(n, ruleSchema, "%q is not a date such as 2026-09-15", text)
	case ends("Time") && !parses(text, time.TimeOnly) && !parses(text, "15:04:05Z07:00"):
		c.add(n, ruleSchema, "%q is not a time such as 10:15:00", text)
	case ends("Indicator") && text != "true" && text != "false" && text != "1" && text != "0":
		c.add(n, ruleSchema, "%q is neither true nor false", text)
	}
	// The only attribute the schema itself insists on; unitCode is for the rules.
	if _, ok := n.attr("currencyID"); ends("Amount") && !ok {
		c.add(n, ruleSchema, "the attribute currencyID is missing")
	}
}

// parses tells whether text has the form of layout and names a day or time there is.
func parses(text, layout string) bool {
	_, err := time.Parse(layout, text)
	return err == nil
}

// isDecimal tells whether s is a number as the schema writes them: an optional
// sign, digits, a point and digits.
func isDecimal(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	return whole+fraction != "" && strings.Trim(whole+fraction, "0123456789") == ""
}
