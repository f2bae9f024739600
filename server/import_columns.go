package server

import (
	"cmp"
	"strings"

	"esnaf/server/wire"
	"esnaf/store/trade"
)

// column is one field of a record as files bring it.
type column struct {
	field string            // its JSON name, which is also a title that is taken
	kind  cellKind          // how its cells are read
	names []string          // further titles; case, marks and spaces do not matter
	words map[string]string // further values and what they stand for, folded
}

// cellKind is how the cells of a column are read.
type cellKind int

const (
	textCell    cellKind = iota
	digitsCell           // a text of digits, that a workbook may hold as a number
	decimalCell          // an amount, a price or a rate
	integerCell
	booleanCell
	choiceCell  // a value of a closed list
	companyCell // the code of a company, or its id
	jsonCell    // a list or an object, as exports have it
	ignoredCell // what exports have, and no caller can set
	idCell      // of the record that the row is to change
	deletedCell // when the record was deleted
)

// importColumns are the columns of each resource that files can bring.
// What an export has beyond them is passed over, so that it can be brought back.
func importColumns(resource string) []column {
	switch resource {
	case "companies":
		return append(exported(wire.ReadOnly[trade.Company]()), companyColumns()...)
	case "contacts":
		return append(exported(wire.ReadOnly[trade.Contact]()), contactColumns()...)
	}
	return append(exported(wire.ReadOnly[trade.Product]()), productColumns()...)
}

func exported(titles []string) (columns []column) {
	kinds := map[string]cellKind{"id": idCell, "deletedAt": deletedCell}
	for _, t := range titles {
		columns = append(columns, column{field: t, kind: cmp.Or(kinds[t], ignoredCell)})
	}
	return columns
}

func companyColumns() []column {
	return []column{
		{field: "code", names: []string{"Kod", "Cari Kodu", "Cari Kod", "Firma Kodu", "Company Code"}},
		{field: "name", names: []string{"Ünvan", "Unvan", "Ad", "Adı", "Firma", "Firma Adı", "Firma Ünvanı", "Cari Adı", "Cari Ünvanı", "Ticari Ünvan", "Title", "Company", "Company Name"}},
		{field: "type", kind: choiceCell, names: []string{"Tür", "Tip", "Cari Türü", "Cari Tipi", "Firma Türü"}, words: map[string]string{
			"musteri": "CUSTOMER", "alici": "CUSTOMER", "tedarikci": "SUPPLIER", "satici": "SUPPLIER", "alicisatici": "BOTH", "musterivetedarikci": "BOTH",
			"musteritedarikci": "BOTH", "herikisi": "BOTH", "ikisi": "BOTH", "aday": "LEAD", "potansiyel": "LEAD",
		}},
		{field: "taxNumber", kind: digitsCell, names: []string{"Vergi No", "Vergi Numarası", "Vergi Kimlik No", "Vergi Kimlik Numarası", "VKN", "TCKN", "VKN/TCKN", "TC Kimlik No", "T.C. Kimlik No", "Tax No", "Tax ID", "VAT Number"}},
		{field: "taxOffice", names: []string{"Vergi Dairesi", "VD"}},
		{field: "phone", kind: digitsCell, names: []string{"Telefon", "Tel", "Telefon No", "Telefon Numarası", "Phone Number"}},
		{field: "email", names: []string{"E-posta", "Eposta", "E-posta Adresi", "E-mail", "Mail", "Email Address"}},
		{field: "city", names: []string{"Şehir", "İl", "Province"}},
		{field: "district", names: []string{"İlçe", "Semt"}},
		{field: "address", names: []string{"Adres", "Açık Adres", "Street"}},
		{field: "postalCode", kind: digitsCell, names: []string{"Posta Kodu", "PK", "ZIP", "ZIP Code"}},
		{field: "country", kind: choiceCell, names: []string{"Ülke", "Ülke Kodu", "Country Code"}, words: map[string]string{"turkiye": "TR", "turkey": "TR", "turkiyecumhuriyeti": "TR"}},
		{field: "personType", kind: choiceCell, names: []string{"Kişi Türü", "Kişi Tipi"}, words: map[string]string{
			"tuzel": "COMPANY", "tuzelkisi": "COMPANY", "sirket": "COMPANY", "gercek": "PERSON", "gercekkisi": "PERSON", "sahis": "PERSON",
		}},
		{field: "firstName", names: []string{"Kişi Adı", "Yetkili Adı"}},
		{field: "lastName", names: []string{"Soyad", "Soyadı", "Kişi Soyadı", "Surname"}},
		{field: "website", names: []string{"Web", "Web Sitesi", "Web Adresi", "İnternet Sitesi", "URL"}},
		currencyColumn("currency", "Para Birimi", "Döviz", "Döviz Cinsi"),
		{field: "paymentTermDays", kind: integerCell, names: []string{"Vade", "Vade Günü", "Vade (Gün)", "Ödeme Vadesi", "Payment Term"}},
		{field: "riskLimit", kind: decimalCell, names: []string{"Risk Limiti", "Kredi Limiti", "Credit Limit"}},
		{field: "iban", names: []string{"IBAN No", "IBAN Numarası"}},
		notesColumn(),
		externalColumn(),
		metadataColumn(),
	}
}

func productColumns() []column {
	return []column{
		{field: "code", names: []string{"Kod", "Stok Kodu", "Ürün Kodu", "Malzeme Kodu", "SKU", "Product Code"}},
		{field: "name", names: []string{"Ad", "Adı", "Ürün", "Ürün Adı", "Stok Adı", "Malzeme Adı", "Mal/Hizmet", "Product", "Product Name"}},
		{field: "type", kind: choiceCell, names: []string{"Tür", "Tip", "Stok Türü", "Ürün Türü"}, words: map[string]string{
			"mal": "GOODS", "urun": "GOODS", "stok": "GOODS", "ticarimal": "GOODS", "hizmet": "SERVICE",
		}},
		{field: "unit", kind: choiceCell, names: []string{"Birim", "Ölçü Birimi", "Birim Kodu"}, words: map[string]string{
			"adet": "C62", "ad": "C62", "piece": "C62", "kg": "KGM", "kilogram": "KGM", "kilo": "KGM", "gr": "GRM", "gram": "GRM", "ton": "TNE",
			"lt": "LTR", "litre": "LTR", "m": "MTR", "mt": "MTR", "metre": "MTR", "m2": "MTK", "metrekare": "MTK", "m3": "MTQ", "metrekup": "MTQ",
			"paket": "PA", "kutu": "BX", "koli": "CT", "cift": "PR", "saat": "HUR", "gun": "DAY", "ay": "MON", "yil": "ANN", "set": "SET", "takim": "SET",
		}},
		{field: "category", names: []string{"Kategori", "Grup", "Stok Grubu", "Ürün Grubu", "Ürün Kategorisi"}},
		{field: "barcode", kind: digitsCell, names: []string{"Barkod", "Barkod No", "EAN", "GTIN"}},
		{field: "gtip", kind: digitsCell, names: []string{"GTİP No", "GTİP Kodu", "HS Code"}},
		{field: "vatRate", kind: decimalCell, names: []string{"KDV", "KDV Oranı", "KDV %", "KDV (%)", "VAT", "VAT %"}},
		{field: "salePrice", kind: decimalCell, names: []string{"Fiyat", "Satış Fiyatı", "Birim Fiyat", "Liste Fiyatı", "Price", "Unit Price"}},
		currencyColumn("saleCurrency", "Para Birimi", "Döviz", "Döviz Cinsi", "Currency"),
		{field: "minimumPrice", kind: decimalCell, names: []string{"En Düşük Fiyat", "Asgari Fiyat", "Minimum Fiyat"}},
		{field: "prices", kind: jsonCell},
		{field: "purchasePrice", kind: decimalCell, names: []string{"Alış Fiyatı", "Maliyet", "Cost"}},
		{field: "tracking", kind: choiceCell, names: []string{"Takip", "Takip Türü", "İzleme"}, words: map[string]string{
			"yok": "NONE", "parti": "LOT", "seri": "SERIAL", "serino": "SERIAL",
		}},
		{field: "criticalStock", kind: decimalCell, names: []string{"Kritik Stok", "Asgari Stok", "Minimum Stok"}},
		notesColumn(),
		externalColumn(),
		metadataColumn(),
	}
}

func contactColumns() []column {
	return []column{
		{field: "companyId", kind: companyCell, names: []string{"Firma Kodu", "Cari Kodu", "Cari Kod", "Company Code"}},
		{field: "firstName", names: []string{"Ad", "Adı", "İsim", "Yetkili Adı"}},
		{field: "lastName", names: []string{"Soyad", "Soyadı", "Surname"}},
		{field: "title", names: []string{"Görev", "Görevi", "Ünvan", "Unvan", "Pozisyon", "Position"}},
		{field: "email", names: []string{"E-posta", "Eposta", "E-posta Adresi", "E-mail", "Mail", "Email Address"}},
		{field: "phone", kind: digitsCell, names: []string{"Telefon", "Tel", "İş Telefonu", "Phone Number"}},
		{field: "mobile", kind: digitsCell, names: []string{"Cep", "Cep Telefonu", "GSM", "Mobil", "Mobile Phone"}},
		{field: "isPrimary", kind: booleanCell, names: []string{"Birincil", "Ana Kişi", "Primary"}},
		notesColumn(),
		externalColumn(),
		metadataColumn(),
	}
}

func currencyColumn(field string, names ...string) column {
	return column{field: field, kind: choiceCell, names: names, words: map[string]string{
		"tl": "TRY", "ytl": "TRY", "lira": "TRY", "turklirasi": "TRY", "dolar": "USD", "avro": "EUR", "euro": "EUR", "sterlin": "GBP",
	}}
}

func notesColumn() column {
	return column{field: "notes", names: []string{"Not", "Notlar", "Note", "Açıklama"}}
}

func externalColumn() column {
	return column{field: "externalId", names: []string{"Dış Kod", "Harici Kod", "Entegrasyon Kodu"}}
}

func metadataColumn() column { return column{field: "metadata", kind: jsonCell} }

// folded is the form in which titles and values are compared: VERGİ NO., vergi_no
// and Vergi no are one.
func folded(s string) string { return strings.Join(trade.Words(trade.Fold(s)), "") }

// titlesOf names the columns that a file may have, in English and in Turkish: by
// their fields and what most files call them.
func titlesOf(columns []column) trade.Phrase {
	var english, turkish []string
	for _, c := range columns {
		switch {
		case c.kind == ignoredCell || c.kind == deletedCell:
		case c.names == nil:
			english, turkish = append(english, c.field), append(turkish, c.field)
		default:
			english, turkish = append(english, c.field+" ("+c.names[0]+")"), append(turkish, c.names[0]+" ("+c.field+")")
		}
	}
	return trade.Phrase{strings.Join(english, ", "), strings.Join(turkish, ", ")}
}

// columnsByTitle are the columns by every title they may have, folded.
func columnsByTitle(columns []column) map[string]*column {
	known := map[string]*column{}
	for i := range columns {
		c := &columns[i]
		for _, name := range append([]string{c.field}, c.names...) {
			known[folded(name)] = c
		}
	}
	return known
}

// booleans are the words of a yes and a no, folded.
var booleans = map[string]string{
	"evet": "true", "e": "true", "true": "true", "yes": "true", "x": "true", "1": "true", "dogru": "true",
	"hayir": "false", "h": "false", "false": "false", "no": "false", "0": "false", "yanlis": "false",
}
