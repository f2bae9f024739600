package gib

import "esnaf/store/trade"

// Class sorts the office's codes by what is to be done about them.
type Class string

// The classes.
const (
	Pending    Class = "pending"    // nothing final: ask again later, never send again
	Taken      Class = "taken"      // completed: the number is used up
	Refused    Class = "refused"    // not taken: correct it, then the same number and ETTN may be sent again
	Registered Class = "registered" // the office has a document of this number or ETTN: do not send, ask
	Retry      Class = "retry"      // a fault of the office's own: send the same document in a new envelope
	Unknown    Class = "unknown"    // the office never saw the envelope: hand it over
)

// UnknownEnvelope is the fault code of a question about an envelope that the
// office never saw (EFaturaFault, e-Fatura web service guide).
const UnknownEnvelope = "2004"

// code is one row of the office's list.
type code struct {
	class   Class
	english string
	turkish string
}

// codes are the states of an envelope (e-Fatura package guide, annex 2: system
// response codes), and the one fault that a question may meet. 1182 and 1183
// belong to envelopes of the user list and never meet a document.
var codes = map[string]code{
	"1000": {Pending, "the envelope is queued", "zarf kuyruğa eklendi"},
	"1100": {Pending, "the envelope is being processed", "zarf işleniyor"},
	"1110": {Refused, "the package is not a ZIP file", "paket bir ZIP dosyası değil"},
	"1111": {Refused, "the envelope's id has a wrong length", "zarf numarasının uzunluğu geçersiz"},
	"1120": {Retry, "the envelope could not be copied from the archive", "zarf arşivden kopyalanamadı"},
	"1130": {Refused, "the ZIP file could not be opened", "ZIP dosyası açılamadı"},
	"1131": {Refused, "the ZIP file must hold exactly one file", "ZIP dosyası tek bir dosya içermeli"},
	"1132": {Refused, "the file is not XML", "dosya XML değil"},
	"1133": {Refused, "the envelope's id and the name of the XML file differ", "zarf numarası ile XML dosyasının adı aynı değil"},
	"1140": {Refused, "the document could not be read", "belge ayrıştırılamadı"},
	"1141": {Refused, "the envelope has no id", "zarf numarası yok"},
	"1142": {Refused, "the envelope's id and the name of the ZIP file differ", "zarf numarası ile ZIP dosyasının adı aynı değil"},
	"1143": {Refused, "the version is not valid", "geçersiz sürüm"},
	"1150": {Refused, "the document breaks a rule of the schematron", "belge şematron kontrolünden geçemedi"},
	"1160": {Refused, "the document does not fit the XML schema", "belge XML şema kontrolünden geçemedi"},
	"1161": {Refused, "the signer's tax number could not be read", "imza sahibinin VKN veya TCKN bilgisi alınamadı"},
	"1162": {Retry, "the signature could not be stored", "imza kaydedilemedi"},
	"1163": {Registered, "an invoice of this number or ETTN is registered already", "fatura sistemde daha önce kayıtlı"},
	"1164": {Registered, "a document of this number or ETTN is registered already", "belge sistemde daha önce kayıtlı"},
	"1170": {Retry, "the authorisation could not be checked", "yetki kontrol edilemedi"},
	"1171": {Refused, "the sender unit is not authorised", "gönderici birimin yetkisi yok"},
	"1172": {Refused, "the receiver's mailbox is not authorised", "alıcı posta kutusunun yetkisi yok"},
	"1175": {Retry, "the authority to sign could not be checked", "imza yetkisi kontrol edilemedi"},
	"1176": {Refused, "the signer is not authorised", "imza sahibi yetkisiz"},
	"1177": {Refused, "the signature is not valid", "geçersiz imza"},
	"1180": {Retry, "the address could not be checked", "adres kontrol edilemedi"},
	"1181": {Refused, "the address was not found", "adres bulunamadı"},
	"1182": {Refused, "the user could not be added", "kullanıcı eklenemedi"},
	"1183": {Refused, "the user could not be deleted", "kullanıcı silinemedi"},
	"1190": {Retry, "the system response could not be prepared", "sistem yanıtı hazırlanamadı"},
	"1195": {Retry, "the tax office reports an error of its system", "sistem hatası"},
	"1200": {Pending, "the envelope was processed by the tax office and goes on to the receiver", "zarf başarıyla işlendi"},
	"1210": {Pending, "the receiver could not be reached, delivery is tried again", "belge alıcıya iletilemedi, yeniden denenecek"},
	"1215": {Refused, "the receiver could not be reached, delivery was given up", "belge alıcıya iletilemedi, gönderim sonlandırıldı"},
	"1220": {Pending, "delivered, but the receiver's system does not answer", "hedeften sistem yanıtı gelmedi"},
	"1230": {Refused, "the receiver's system could not process the document", "hedeften başarısız sistem yanıtı geldi"},
	"1235": {Pending, "the invoice is subject to a cancellation on the tax office's portal", "fatura iptale konu edilmiş"},
	"1300": {Taken, "completed successfully", "başarıyla tamamlandı"},
	"2004": {Unknown, "the tax office does not know the envelope", "zarf bulunamadı"},
}

// NewStatus is the state that a code of the office tells. A code that its list
// lacks is Pending: it frees nobody to send the document again, and it says
// nothing of success either, so a person has to look.
func NewStatus(c string) Status {
	known, ok := codes[c]
	if !ok {
		known = code{Pending, "a code that is not on the tax office's list", ""}
	}
	return Status{Code: c, Text: known.english, Class: known.class}
}

// CodeText is the sentence for a code of the office in lang, without a full stop;
// "" for a code that its list lacks.
func CodeText(c string, lang trade.Lang) string {
	if lang == trade.Turkish {
		return codes[c].turkish
	}
	return codes[c].english
}
