package ubl

// Namespaces of UBL 2.1, as in the schemas of UBL-TR 1.2.1.
const (
	nsInvoice   = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
	nsDespatch  = "urn:oasis:names:specification:ubl:schema:xsd:DespatchAdvice-2"
	nsReceipt   = "urn:oasis:names:specification:ubl:schema:xsd:ReceiptAdvice-2"
	nsAggregate = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
	nsBasic     = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
	nsExtension = "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"
)

// Codes that the writer itself uses.
const (
	lira     = "TRY"
	vatCode  = "0015" // tax type code of VAT (KDV)
	anyMeans = "1"    // means of payment left open
)

// exemptionName is the official name of an exemption code. A sale of type SATIS
// knows only 351; for any other the code itself has to do.
func exemptionName(code string) string {
	if code == "351" {
		return "KDV İstisna Olmayan Diğer"
	}
	return code
}

// countryName is the Turkish name of a country, which every address must carry
// beside or instead of its code. Of rare countries it is the code.
func countryName(code string) string {
	if name, ok := countryNames[code]; ok {
		return name
	}
	return code
}

// countryNames has, by ISO 3166 code, the countries that Turkish traders deal with most.
var countryNames = map[string]string{
	"TR": "Türkiye", "AE": "Birleşik Arap Emirlikleri", "AL": "Arnavutluk", "AT": "Avusturya", "AU": "Avustralya",
	"AZ": "Azerbaycan", "BA": "Bosna-Hersek", "BE": "Belçika", "BG": "Bulgaristan", "BR": "Brezilya", "BY": "Belarus",
	"CA": "Kanada", "CH": "İsviçre", "CN": "Çin", "CZ": "Çekya", "DE": "Almanya", "DK": "Danimarka", "DZ": "Cezayir",
	"EG": "Mısır", "ES": "İspanya", "FI": "Finlandiya", "FR": "Fransa", "GB": "Birleşik Krallık", "GE": "Gürcistan",
	"GR": "Yunanistan", "HR": "Hırvatistan", "HU": "Macaristan", "IE": "İrlanda", "IL": "İsrail", "IN": "Hindistan",
	"IQ": "Irak", "IR": "İran", "IT": "İtalya", "JO": "Ürdün", "JP": "Japonya", "KR": "Güney Kore", "KW": "Kuveyt",
	"KZ": "Kazakistan", "LB": "Lübnan", "LY": "Libya", "MA": "Fas", "MD": "Moldova", "MK": "Kuzey Makedonya",
	"NL": "Hollanda", "NO": "Norveç", "PL": "Polonya", "PT": "Portekiz", "QA": "Katar", "RO": "Romanya",
	"RS": "Sırbistan", "RU": "Rusya", "SA": "Suudi Arabistan", "SE": "İsveç", "SI": "Slovenya", "SK": "Slovakya",
	"SY": "Suriye", "TM": "Türkmenistan", "TN": "Tunus", "UA": "Ukrayna", "US": "Amerika Birleşik Devletleri",
	"UZ": "Özbekistan", "XK": "Kosova",
}

// unitName is what people call a unit of measure. Of rare units it is the code.
func unitName(code string) string {
	if name, ok := unitNames[code]; ok {
		return name
	}
	return code
}

// unitNames has, by UN/ECE code, the units that goods are counted in most.
var unitNames = map[string]string{
	"26": "Ton", "BX": "Kutu", "C62": "Adet", "NIU": "Adet", "CLT": "Santilitre", "CMT": "Santimetre", "CPR": "Çift", "CTM": "Karat",
	"DAY": "Gün", "DPC": "Düzine", "GRM": "Gram", "GRO": "Grosa", "HUR": "Saat", "KGM": "Kilogram", "KTM": "Kilometre",
	"KWH": "Kilovatsaat", "LTR": "Litre", "MGM": "Miligram", "MLT": "Mililitre", "MMT": "Milimetre", "MON": "Ay", "MTK": "Metrekare",
	"MTQ": "Metreküp", "MTR": "Metre", "PA": "Paket", "PR": "Çift", "SET": "Takım", "TNE": "Ton",
}
