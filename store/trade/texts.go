package trade

import (
	"fmt"
	"regexp"
	"strings"
)

// Lang is the language of a sentence.
type Lang int

// The languages that sentences are written in.
const (
	English Lang = iota
	Turkish
)

// Phrase is an argument of a sentence that has a form in each language, English
// first: a reason, or what a field must be.
type Phrase [2]string

// Aside is a further sentence that follows the one it is given to as an argument.
type Aside Phrase

// Code is the stable name of a failure, for programs; its sentence may change.
type Code string

// The closed list of codes: those of a whole request first, then those of one
// field. The API description lists them with their sentences.
const (
	MalformedJSON        Code = "malformed_json"
	BadRequest           Code = "bad_request"
	BadParameter         Code = "parameter_invalid"
	BadLimit             Code = "limit_invalid"
	BadCursor            Code = "cursor_invalid"
	HeaderRepeated       Code = "header_repeated"
	KeyRequired          Code = "idempotency_key_required"
	KeyInvalid           Code = "idempotency_key_invalid"
	KeyReused            Code = "idempotency_key_reused"
	KeyInProgress        Code = "idempotency_in_progress"
	NoCredentials        Code = "unauthorized"
	BadLogin             Code = "invalid_credentials"
	TokenReused          Code = "refresh_token_reused"
	InsufficientScope    Code = "insufficient_scope"
	CrossTenant          Code = "cross_tenant"
	SessionRequired      Code = "session_required"
	UserRequired         Code = "user_context_required"
	RecordNotFound       Code = "not_found"
	PathNotFound         Code = "path_not_found"
	MethodNotAllowed     Code = "method_not_allowed"
	NotAcceptable        Code = "not_acceptable"
	Duplicate            Code = "duplicate"
	VersionConflict      Code = "version_conflict"
	InvalidState         Code = "invalid_state"
	NotCancellable       Code = "not_cancellable"
	RegisteredAlready    Code = "registered_already"
	WebhookLimit         Code = "webhook_limit"
	TenantRequired       Code = "tenant_required"
	BodyTooLarge         Code = "body_too_large"
	URITooLong           Code = "uri_too_long"
	UnsupportedMediaType Code = "unsupported_media_type"
	ValidationFailed     Code = "validation_failed"
	PreconditionRequired Code = "precondition_required"
	BadIfMatch           Code = "if_match_invalid"
	RateLimited          Code = "rate_limited"
	TooManyAttempts      Code = "too_many_attempts"
	Internal             Code = "internal"
	StoreUnavailable     Code = "unavailable"
	DatabaseDamaged      Code = "database_damaged"
	ImportBusy           Code = "import_busy"
	ImportStalled        Code = "import_stalled"
	LoginBusy            Code = "login_busy"
	Stopping             Code = "stopping"
	MustBeLater          Code = "must_be_later"
	Required             Code = "required"
	UnknownField         Code = "unknown_field"
	WrongType            Code = "wrong_type"
	BadValue             Code = "invalid_value"
	TooLong              Code = "too_long"
	TextsTooLong         Code = "texts_too_long"
	TooShort             Code = "too_short"
	TooMany              Code = "too_many"
	EmptyList            Code = "list_empty"
	BadMetadataKey       Code = "metadata_key_invalid"
	BadDecimal           Code = "decimal_invalid"
	TooManyDecimals      Code = "too_many_decimals"
	TooManyDigits        Code = "too_many_digits"
	OutOfRange           Code = "out_of_range"
	MustBePositive       Code = "must_be_positive"
	MustNotBeNegative    Code = "must_not_be_negative"
	BadDate              Code = "date_invalid"
	BadInstant           Code = "time_invalid"
	BadTaxNumber         Code = "tax_number_invalid"
	BadIBAN              Code = "iban_invalid"
	BadEmail             Code = "email_invalid"
	BadURL               Code = "url_invalid"
	BadAlias             Code = "alias_invalid"
	BadSeries            Code = "series_invalid"
	SeriesUsed           Code = "series_used"
	BadTimezone          Code = "timezone_invalid"
	BadScope             Code = "scope_invalid"
	BadCode              Code = "code_invalid"
	Exclusive            Code = "mutually_exclusive"
	DiscountTooLarge     Code = "discount_too_large"
	AmountTooLarge       Code = "amount_too_large"
	AmountTooSmall       Code = "amount_too_small"
	ExemptionRequired    Code = "exemption_required"
	ExemptionNotAllowed  Code = "exemption_not_allowed"
	RateRequired         Code = "exchange_rate_required"
	RateNotAllowed       Code = "exchange_rate_not_allowed"
	IssueDateOrder       Code = "issue_date_order"
	IssueDateFuture      Code = "issue_date_future"
	IssueDateFixed       Code = "issue_date_fixed"
	NeededForDocument    Code = "needed_for_document"
	NotSupported         Code = "not_supported"
	OtherCompany         Code = "other_company"
	OtherCurrency        Code = "other_currency"
	NotPayable           Code = "not_payable"
	ExceedsRest          Code = "exceeds_rest"
	SameAccount          Code = "same_account"
	InsufficientFunds    Code = "insufficient_funds"
	CurrencyFixed        Code = "currency_fixed"
	AddressRefused       Code = "address_refused"
	InsufficientStock    Code = "insufficient_stock"
	StockFixed           Code = "stock_fixed"
	HoldsStock           Code = "holds_stock"
	NotStocked           Code = "not_stocked"
	NotTracked           Code = "not_tracked"
	SerialCount          Code = "serial_count"
	SerialInStock        Code = "serial_in_stock"
	WholePieces          Code = "whole_pieces"
	SameWarehouse        Code = "same_warehouse"
	GivenTwice           Code = "given_twice"
	MustNotBeZero        Code = "must_not_be_zero"
	LotExpiry            Code = "lot_expiry"
	UnseenCharacter      Code = "unseen_character"
	CostNotTaken         Code = "unit_cost_not_taken"
	CountOpenAlready     Code = "count_open"
	WarehouseGone        Code = "warehouse_deleted"
	DefaultStays         Code = "default_warehouse_stays"
	InvalidSecret        Code = "secret_invalid"
	BadFile              Code = "file_invalid"
	ListShrinks          Code = "list_shrinks"
	UnknownColumn        Code = "unknown_column"
	RepeatedColumn       Code = "column_repeated"
	UntitledColumn       Code = "column_untitled"
	UnknownCompanyCode   Code = "company_code_unknown"
	DoubtfulDecimal      Code = "decimal_doubtful"
	GivenBefore          Code = "given_before"
	RowDeleted           Code = "row_deleted"
	SeveralContacts      Code = "several_contacts"
	ImportStopped        Code = "import_stopped"
	RoleRequired         Code = "role_required"
	NothingLeft          Code = "nothing_left"
	NotShippedYet        Code = "not_shipped_yet"
	InvoicedAlready      Code = "invoiced_already"
	OrderFixed           Code = "order_fixed"
	OnTheWay             Code = "on_the_way"
	GoodsHaveLeft        Code = "goods_have_left"
	DriverOrCarrier      Code = "driver_or_carrier_required"
	HoldsMoney           Code = "holds_money"
	ValidityOver         Code = "validity_over"
	StillValid           Code = "still_valid"
	StatementTooLong     Code = "statement_too_long"
	OneOfRequired        Code = "one_of_required"
	TooMuchToSettle      Code = "too_much_to_settle"
	NotRefundable        Code = "not_refundable"
	RefundedAlready      Code = "refunded_already"
	AccountGone          Code = "account_deleted"
)

// texts holds, per code, the English and the Turkish sentence, as Say takes them. A fault's
// first argument is its field.
var texts = map[Code][2]string{
	MalformedJSON:        {"The body cannot be taken as JSON: %v.", "Gövde JSON olarak alınamıyor: %v."},
	BadRequest:           {"The request cannot be read: %v.", "İstek okunamıyor: %v."},
	BadParameter:         {"The parameter %v is not accepted: %v.", "%v parametresi kabul edilmiyor: %v."},
	BadLimit:             {"limit must be a whole number from 1 to 200.", "limit 1 ile 200 arasında bir tam sayı olmalı."},
	BadCursor:            {"The cursor is not valid for this list; start again without one.", "İmleç bu liste için geçerli değil; imleçsiz yeniden başlayın."},
	HeaderRepeated:       {"The header %v is given more than once.", "%v başlığı birden çok kez verilmiş."},
	KeyRequired:          {"This request needs an Idempotency-Key header with a UUID version 4.", "Bu istek, UUID sürüm 4 taşıyan bir Idempotency-Key başlığı gerektirir."},
	KeyInvalid:           {"Idempotency-Key must be one UUID version 4, such as 4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e21.", "Idempotency-Key tek bir UUID sürüm 4 olmalı, örneğin 4f9c1c1e-2b7a-4a51-9d3c-0c3f3a5b7e21."},
	KeyReused:            {"This Idempotency-Key was used for another request (other body or parameters); use a new key for a new request.", "Bu Idempotency-Key başka bir istekte (başka gövde ya da parametreler) kullanıldı; yeni istek için yeni anahtar kullanın."},
	KeyInProgress:        {"A request with this Idempotency-Key is still at work; try again in a second.", "Bu Idempotency-Key ile bir istek hâlâ sürüyor; bir saniye sonra yeniden deneyin."},
	NoCredentials:        {"Missing or invalid credentials.", "Kimlik bilgisi yok ya da geçersiz."},
	BadLogin:             {"The e-mail address or the password is wrong.", "E-posta adresi ya da parola yanlış."},
	TokenReused:          {"This refresh token was used before; sign in again.", "Bu yenileme belirteci daha önce kullanıldı; yeniden giriş yapın."},
	InsufficientScope:    {"This needs the scope %v.", "Bu işlem için %v yetkisi gerekir."},
	CrossTenant:          {"This belongs to another account.", "Bu kayıt başka bir hesaba ait."},
	SessionRequired:      {"Only a signed-in user may do this, not a key.", "Bunu yalnızca giriş yapmış bir kullanıcı yapabilir, anahtar yapamaz."},
	UserRequired:         {"A key alone is not enough here; name an active user of its account in X-User-Id.", "Anahtar tek başına yetmez; X-User-Id başlığında hesabın etkin bir kullanıcısını belirtin."},
	RecordNotFound:       {"%v was not found.", "%v bulunamadı."},
	PathNotFound:         {"There is nothing at this path.", "Bu adreste bir şey yok."},
	MethodNotAllowed:     {"%v is not allowed here; allowed are %v.", "Burada %v kullanılamaz; kullanılabilenler: %v."},
	NotAcceptable:        {"The answer can only be given as %v.", "Yanıt yalnızca şu türde verilebilir: %v."},
	Duplicate:            {"Another record already has this %v.", "Başka bir kayıt bu alanı zaten kullanıyor: %v."},
	VersionConflict:      {"The record was changed meanwhile; its version is now %v.", "Kayıt bu arada değişti; güncel sürümü %v."},
	InvalidState:         {"The action %v is not possible in the state %v; possible there: %v.", "%v işlemi %v durumunda yapılamaz; bu durumda yapılabilenler: %v."},
	WebhookLimit:         {"The account has %v active webhook{1:|s}, as many as it can: delete one of them first.", "Hesabın %v etkin webhook kaydı var, bundan fazlası olamaz: önce birini silin."},
	NotCancellable:       {"Of the invoices that the tax office has, only an e-Arşiv invoice can be cancelled, and only for 8 days after it was sent.", "Gelir İdaresinin aldığı faturalardan yalnızca e-Arşiv fatura, gönderildikten sonra 8 gün içinde iptal edilebilir."},
	RegisteredAlready:    {"The tax office says that it has a document of the number %v or of its ETTN already, so this one may have been delivered. To send it again asks what became of it. Look for it at the tax office; if that is another document, the operator says so with the command document settle --as refused, and this one can be changed or given up.", "Gelir İdaresi %v numaralı ya da aynı ETTN'li bir belgenin zaten kayıtlı olduğunu bildirdi, bu belge teslim edilmiş olabilir. Yeniden göndermek (send) ne olduğunu sordurur. Belgeyi Gelir İdaresinde arayın; başka bir belgeyse sistemi işleten bunu document settle --as refused komutuyla bildirir, bu belge o zaman değiştirilebilir ya da iptal edilebilir."},
	TenantRequired:       {"This user belongs to several accounts; name one in tenantId.", "Bu kullanıcı birden çok hesaba bağlı; tenantId ile birini belirtin."},
	BodyTooLarge:         {"The body is larger than %v byte{1:|s}.", "Gövde %v bayttan büyük."},
	URITooLong:           {"The address is longer than %v byte{1:|s}.", "Adres %v bayttan uzun."},
	UnsupportedMediaType: {"The body must be %v.", "Gövde %v olmalı."},
	ValidationFailed:     {"%[1]d field{1: is|s are} not valid. %[2]v", "%[1]d alan geçerli değil. %[2]v"},
	PreconditionRequired: {"This needs an If-Match header with the record's current version.", "Bu istek, kaydın güncel sürümünü taşıyan bir If-Match başlığı gerektirir."},
	BadIfMatch:           {"If-Match must hold versions such as \"7\", or *.", "If-Match \"7\" gibi sürümler ya da * içermeli."},
	RateLimited:          {"Too many requests; wait %v second{1:|s}.", "Çok fazla istek; %v saniye bekleyin."},
	TooManyAttempts:      {"Too many failed attempts; wait %v second{1:|s}.", "Çok fazla başarısız deneme; %v saniye bekleyin."},
	Internal:             {"Something went wrong on our side; nothing was changed.", "Bizim tarafımızda bir şey ters gitti; hiçbir şey değişmedi."},
	ImportBusy:           {"Another file is being imported, and one at a time is; try again in %v second{1:|s}.", "Başka bir dosya içe aktarılıyor, aynı anda bir dosya aktarılır; %v saniye sonra yeniden deneyin."},
	ImportStalled:        {"The file did not come on while others waited; send it again in %v second{1:|s}.", "Dosya gelmezken başkaları bekliyordu; %v saniye sonra yeniden gönderin."},
	LoginBusy:            {"Too many are signing in just now; try again in %v second{1:|s}.", "Şu anda çok fazla kişi giriş yapıyor; %v saniye sonra yeniden deneyin."},
	StoreUnavailable:     {"The data cannot be reached just now: %v. Try again later.", "Verilere şu anda ulaşılamıyor: %v. Daha sonra yeniden deneyin."},
	DatabaseDamaged:      {"The database is damaged: part of what this needs cannot be read, and nothing was changed. Trying again does not help: esnaf check tells the operator where it is damaged, and what helps: a backup, or repair indexes.", "Veritabanı bozuk: bu işlem için gerekenlerin bir bölümü okunamıyor, hiçbir şey değişmedi. Yeniden denemek işe yaramaz: bozuk yeri ve çareyi (yedek ya da repair indexes) sistemi işletene esnaf check gösterir."},
	Stopping:             {"The server is stopping, so this was ended before it was done; nothing was changed. Try again in %v second{1:|s}.", "Sunucu duruyor; bu nedenle işlem bitmeden kesildi, hiçbir şey değişmedi. %v saniye sonra yeniden deneyin."},
	MustBeLater:          {"%v must be later than %v.", "%v %v anından sonra olmalı."},
	Required:             {"%v is required.", "%v gerekli."},
	UnknownField:         {"%v is not a field of this record.", "%v bu kaydın bir alanı değil."},
	WrongType:            {"%v must be %v.", "%v şu türde olmalı: %v."},
	BadValue:             {"%v cannot be %q; allowed are %v.", "%v %q olamaz; kabul edilenler: %v."},
	TooLong:              {"%v has more than %v character{2:|s}.", "%v %v karakterden uzun."},
	TextsTooLong:         {"The texts of %v (code, name, description, lot and serial numbers) have %v byte{2:|s} together, at most %v are allowed: write less, or make several documents.", "%v içindeki metinler (kod, ad, açıklama, parti ve seri numaraları) birlikte %v bayt, en çok %v olabilir: daha kısa yazın ya da birkaç belgeye bölün."},
	TooShort:             {"%v has fewer than %v character{2:|s}.", "%v %v karakterden kısa."},
	TooMany:              {"%v has more than %v entr{2:y|ies}.", "%v %v girişten fazla."},
	EmptyList:            {"%v is empty: name at least one.", "%v boş: en az bir tane yazın."},
	BadMetadataKey:       {"%v has a key that is empty or longer than %v character{2:|s}.", "%v içinde boş ya da %v karakterden uzun bir anahtar var."},
	BadDecimal:           {"%v must be a decimal number such as %v.", "%v %v gibi bir ondalık sayı olmalı."},
	TooManyDecimals:      {"%v has more than %v decimal{2:|s}.", "%v %v ondalıktan fazla."},
	TooManyDigits:        {"%v has more than %v digit{2:|s} before the point.", "%v noktadan önce %v basamaktan fazla."},
	OutOfRange:           {"%v must be from %v to %v.", "%v %v ile %v arasında olmalı."},
	MustBePositive:       {"%v must be greater than zero.", "%v sıfırdan büyük olmalı."},
	MustNotBeNegative:    {"%v must not be negative.", "%v eksi olamaz."},
	BadDate:              {"%v must be a date as YYYY-MM-DD, from 1900-01-01 to 2999-12-31.", "%v YYYY-AA-GG biçiminde, 1900-01-01 ile 2999-12-31 arasında bir tarih olmalı."},
	BadInstant:           {"%v must be a time as RFC 3339, such as 2026-03-31T21:30:00Z.", "%v RFC 3339 biçiminde bir zaman olmalı, örneğin 2026-03-31T21:30:00Z."},
	BadTaxNumber:         {"%v must be a tax number (10 digits) or a citizen number (11 digits) with the right check digit.", "%v kontrol basamağı doğru bir vergi kimlik numarası (10 hane) ya da T.C. kimlik numarası (11 hane) olmalı."},
	BadIBAN:              {"%v must be an IBAN with the right check digits.", "%v kontrol basamakları doğru bir IBAN olmalı."},
	BadEmail:             {"%v must be an e-mail address.", "%v bir e-posta adresi olmalı."},
	BadURL:               {"%v cannot be %q: it must be an address such as https://example.com/hook.", "%v %q olamaz: https://example.com/hook gibi bir adres olmalı."},
	BadAlias:             {"%v must be an alias such as urn:mail:defaultgb@example.com.tr.", "%v urn:mail:defaultgb@example.com.tr gibi bir etiket olmalı."},
	BadSeries:            {"%v must be three characters of A-Z and 0-9, different for each kind of document.", "%v A-Z ve 0-9 içinden üç karakter olmalı ve her belge türünde farklı olmalı."},
	SeriesUsed:           {"%v is the series of documents of another kind already (%v): each kind has its own.", "%v başka türden belgelerin serisi (%v): her türün kendi serisi olmalı."},
	BadTimezone:          {"%v must be a time zone such as Europe/Istanbul.", "%v Europe/Istanbul gibi bir saat dilimi olmalı."},
	BadScope:             {"%v is not accepted: %v.", "%v kabul edilmiyor: %v."},
	BadCode:              {"%v cannot be %q: it must be %v.", "%v %q olamaz: %v olmalı."},
	Exclusive:            {"%v and %v cannot both be given.", "%v ile %v birlikte verilemez."},
	DiscountTooLarge:     {"%v is more than the line's amount.", "%v satır tutarından büyük."},
	AmountTooLarge:       {"%v makes an amount of more than 15 digits.", "%v 15 basamaktan büyük bir tutar oluşturuyor."},
	AmountTooSmall:       {"%v is too small: by the exchangeRate it rounds to %v; move more, or say in toAmount what arrives.", "%v çok küçük: exchangeRate ile %v tutarına yuvarlanıyor; daha çok aktarın ya da varan tutarı toAmount ile verin."},
	ExemptionRequired:    {"%v is required where no VAT is charged, or where it rounds to zero; a SATIS invoice takes 351.", "KDV hesaplanmayan ya da sıfıra yuvarlanan satırda %v gerekli; SATIS faturasında 351 kullanılır."},
	ExemptionNotAllowed:  {"%v %v does not fit this line; a SATIS invoice takes 351 on a line without VAT and none on the others.", "%v %v bu satıra uymuyor; SATIS faturasında KDV'siz satırda 351, diğerlerinde hiçbiri kullanılır."},
	RateRequired:         {"%v must be given for a currency other than TRY, anew when the currency changes, and be greater than zero.", "TRY dışındaki para birimlerinde %v verilmeli, para birimi değişince yeniden, ve sıfırdan büyük olmalı."},
	RateNotAllowed:       {"%v must be 1 or absent for TRY, and between accounts of the same currency.", "TRY için ve aynı para birimindeki hesaplar arasında %v 1 olmalı ya da verilmemeli."},
	IssueDateOrder:       {"%v lies before %v, the date of the last document of its series.", "%v, serinin son belgesinin tarihinden (%v) önce."},
	IssueDateFuture:      {"%v lies after today, %v.", "%v bugünden (%v) sonra."},
	IssueDateFixed:       {"%v stays %v: the invoice has its number %v, and numbers and dates of a series rise together. For another date, cancel the invoice and make another.", "%v %v kalır: fatura numarasını (%v) aldı, bir serinin numaraları ve tarihleri birlikte ilerler. Başka bir tarih için faturayı iptal edip yenisini yapın."},
	NeededForDocument:    {"%v is needed for the electronic document.", "Elektronik belge için %v gerekli."},
	NotSupported:         {"%v: %v is not supported yet.", "%v: %v henüz desteklenmiyor."},
	OtherCompany:         {"%v belongs to another company.", "%v başka bir firmaya ait."},
	OtherCurrency:        {"%v is in %v, not in %v.", "%v %v para biriminde, %v değil."},
	NotPayable:           {"%v cannot be paid by this: %v.", "%v bununla ödenemez: %v."},
	ExceedsRest:          {"%v is more than the %v that is left.", "%v kalan %v tutarından fazla."},
	SameAccount:          {"%v must be another account than %v.", "%v, %v alanındakinden başka bir hesap olmalı."},
	InsufficientFunds:    {"The cash account holds only %v %v on %v.", "Kasada yalnızca %v %v var (%v günü)."},
	CurrencyFixed:        {"The currency stays %v: money has moved on this account.", "Para birimi %v kalır: bu hesapta para hareketi var."},
	InsufficientStock:    {"%v: %v: %v wanted, %v available.", "%v: %v: %v isteniyor, %v var."},
	StockFixed:           {"%v stays %v while the product is in stock, on an order that is to be shipped, or with customers, who may send it back.", "%v, ürün stokta, sevk edilecek bir siparişte ya da geri gönderebilecek müşterilerdeyken %v kalır."},
	HoldsStock:           {"It cannot be deleted while it has stock.", "Stoku varken silinemez."},
	NotStocked:           {"%v is a service, which has no stock.", "%v bir hizmet, stoku olmaz."},
	NotTracked:           {"%v is not taken: the product is tracked %v.", "%v kabul edilmiyor: ürün %v izleniyor."},
	SerialCount:          {"%v must have %v serial number{2:|s}, one for each whole piece.", "%v, her tam adet için bir tane olmak üzere %v seri numarası içermeli."},
	GivenTwice:           {"%v is given twice.", "%v iki kez verilmiş."},
	SameWarehouse:        {"%v must be another warehouse than %v.", "%v, %v alanındakinden başka bir depo olmalı."},
	WholePieces:          {"%v must be whole pieces, since each has a serial number.", "Her adedin seri numarası olduğundan %v tam adet olmalı."},
	MustNotBeZero:        {"%v must not be zero.", "%v sıfır olamaz."},
	SerialInStock:        {"%v: the serial number %v is in stock already.", "%v: %v seri numarası zaten stokta."},
	LotExpiry:            {"%v: the lot %v has an expiry date already, in stock or on an earlier line: %v.", "%v: %v partisinin son kullanma tarihi stokta ya da önceki bir satırda zaten belli: %v."},
	UnseenCharacter:      {"%v has a character that cannot be seen, %v; leave it out.", "%v görünmeyen bir karakter (%v) içeriyor; onu çıkarın."},
	CostNotTaken:         {"%v is not taken where goods leave: they leave at their average cost.", "Mal çıkarken %v kabul edilmez: mal ortalama maliyetiyle çıkar."},
	CountOpenAlready:     {"%v is being counted: the sheet %v is open there; close or cancel it first.", "%v sayılıyor: %v sayım fişi orada açık; önce onu kapatın ya da iptal edin."},
	WarehouseGone:        {"The warehouse was deleted: nothing can be booked there.", "Depo silinmiş: oraya kayıt yapılamaz."},
	DefaultStays:         {"%v: there is always a default warehouse; make another one the default instead, with isDefault true there.", "%v: her zaman bir varsayılan depo vardır; bunun yerine bir başkasını, orada isDefault true ile, varsayılan yapın."},
	AddressRefused:       {"%v cannot be %q: it points to a private or reserved address, which this server does not call.", "%v %q olamaz: özel ya da ayrılmış bir adresi gösteriyor, bu sunucu oraya istek göndermez."},
	BadFile:              {"The file is not taken: %v.", "Dosya kabul edilmiyor: %v."},
	ListShrinks:          {"%v of the %v entr{2:y|ies} in force would go: the file may be cut off. If it is right, import it with --force.", "%v kayıt silinecek, yürürlükte %v kayıt var: dosya eksik olabilir. Doğruysa --force ile alın."},
	UnknownColumn:        {"%[2]q is not a column of this import; known are %[3]v.", "%[2]q bu aktarımın bir sütunu değil; bilinenler: %[3]v."},
	RepeatedColumn:       {"%[2]q is given twice: columns %[3]v and %[4]v are both %[5]v.", "%[2]q iki kez verilmiş: %[3]v ve %[4]v sütunlarının ikisi de %[5]v."},
	UntitledColumn:       {"Row %[2]v has more cells than there are titles in row %[3]v: column %[4]v has none.", "%[2]v. satırda %[3]v. satırdaki başlıklardan çok hücre var: %[4]v sütununun başlığı yok."},
	UnknownCompanyCode:   {"%[2]v: there is no company with the code %[3]q.", "%[2]v: kodu %[3]q olan bir firma yok."},
	DoubtfulDecimal:      {"%v could be a thousand or a fraction, and %v: write %q without its sign, or with another number of decimals.", "%v binlik de olabilir ondalık da, %v: %q değerini ayraçsız ya da başka sayıda ondalıkla yazın."},
	GivenBefore:          {"%v is given already in row %v.", "%v %v. satırda zaten verilmiş."},
	RowDeleted:           {"%v is filled: the record was deleted, and a file does not bring it back. Leave the row out, or empty its id and this cell to make a new record.", "%v dolu: kayıt silinmiş, dosyayla geri getirilmez. Satırı çıkarın ya da yeni kayıt için id hücresini ve bu hücreyi boşaltın."},
	SeveralContacts:      {"%v: the company has several contacts with this address; say by the column id which of them is meant.", "%v: firmanın bu adresli birden çok kişisi var; hangisi olduğunu id sütunuyla belirtin."},
	ImportStopped:        {"%v The import stopped at row %v: %v record{3:|s} that it created and %v that it changed before stay so.", "%v Aktarım %v. satırda durdu: önceden oluşturduğu %v ve değiştirdiği %v kayıt öyle kalıyor."},
	RoleRequired:         {"Only these roles may do this: %v.", "Bunu yalnızca şu roller yapabilir: %v."},
	NothingLeft:          {"Nothing is left to be %v.", "%v bir şey kalmadı."},
	NotShippedYet:        {"There is nothing to invoice yet: the goods of the order are invoiced once they are shipped.", "Henüz faturalanacak bir şey yok: siparişin malları sevk edildikten sonra faturalanır."},
	InvoicedAlready:      {"%v stands for this already; %v.", "Bunun için zaten %v var; %v."},
	OrderFixed:           {"%v stays %v: the invoice was made from the order %v. To change it, %v and make another.", "%v %v kalır: fatura %v numaralı siparişten yapıldı. Değiştirmek için %v yenisini yapın."},
	OnTheWay:             {"The document is on its way to the tax office; try again when that has answered.", "Belge Gelir İdaresi yolunda; yanıt gelince yeniden deneyin."},
	GoodsHaveLeft:        {"The goods have left: some have come back, or the buyer has answered. What comes back is recorded by a return.", "Mallar yola çıkmış: bir kısmı geri gelmiş ya da alıcı yanıt vermiş. Geri gelen mal iade ile kaydedilir."},
	DriverOrCarrier:      {"%v: a driver with the plate of the vehicle, or a carrier, is required.", "%v: aracın plakasıyla birlikte bir şoför ya da bir taşıyıcı gerekli."},
	HoldsMoney:           {"It cannot be deleted while it holds %v %v; move that to another account first.", "İçinde %v %v varken silinemez; önce başka bir hesaba aktarın."},
	ValidityOver:         {"The quote was valid until %v (validUntil); it can no longer be accepted.", "Teklif %v gününe kadar geçerliydi (validUntil); artık kabul edilemez."},
	StillValid:           {"The quote cannot expire yet: %v.", "Teklifin süresi henüz dolamaz: %v."},
	StatementTooLong:     {"The statement has more than %v row{1:|s}; give from and to, or a shorter period between them.", "Ekstrede %v satırdan fazlası var; from ve to verin ya da aralarındaki dönemi kısaltın."},
	OneOfRequired:        {"%v: exactly one of %v must be given.", "%v: şunlardan tam biri verilmeli: %v."},
	TooMuchToSettle:      {"%v names invoices that have %v byte{2:|s} together, at most %v can be paid by one payment: pay some of them by another.", "%v içindeki faturalar birlikte %v bayt; bir ödemeyle en çok %v bayt ödenebilir: bir kısmını başka bir ödemeyle ödeyin."},
	NotRefundable:        {"%v cannot be given back by this: %v.", "%v bununla geri verilemez: %v."},
	RefundedAlready:      {"%v %v of it was given back by %v; reverse that first.", "Bunun %v %v tutarı %v ile geri verilmiş; önce onu iptal edin (reverse)."},
	AccountGone:          {"No money can go through %v any more: it was deleted. Make a payment the other way through another account instead.", "%v silinmiş, oradan artık para geçemez. Bunun yerine başka bir hesaptan ters yönde bir ödeme yapın."},
	InvalidSecret:        {"%v must have 16 to 256 bytes.", "%v 16 ile 256 bayt arasında olmalı."},
}

// Codes lists every code, for the API description.
func Codes() []Code {
	out := make([]Code, 0, len(texts))
	for c := range texts {
		out = append(out, c)
	}
	return out
}

// Template is the sentence of code before its arguments.
func Template(code Code, lang Lang) string { return texts[code][lang] }

// Described is the sentence of code for the reference, with words where its arguments
// go: (value) is required.
func Described(code Code, lang Lang) string {
	words := map[byte]Phrase{'d': {"(number)", "(sayı)"}, 'q': {"“(text)”", "“(metin)”"}, 'v': {"(value)", "(değer)"}}
	return regexp.MustCompile(`%(\[\d+\])?[dqv]`).ReplaceAllStringFunc(counted(Template(code, lang), nil), func(verb string) string {
		return words[verb[len(verb)-1]][lang]
	})
}

// sentence says code in lang. A Fault, a Phrase or an Aside among args is said in the
// same language.
func sentence(code Code, lang Lang, args []any) string {
	form, ok := texts[code]
	if !ok {
		return string(code)
	}
	said := make([]any, 0, len(args))
	further := ""
	for _, a := range args {
		switch x := a.(type) {
		case Fault:
			a = x.Text(lang)
		case Phrase:
			a = x[lang]
		case Aside:
			further += " " + x[lang]
			continue
		}
		said = append(said, a)
	}
	if !strings.Contains(form[lang], "%") {
		return form[lang] + further
	}
	return Say(form[lang], said...) + further
}

// Say is fmt.Sprintf, where {2:y|ies} in the form is y if the second argument is 1, else
// ies. Turkish needs none: it counts without a plural.
func Say(form string, args ...any) string { return fmt.Sprintf(counted(form, args), args...) }

// countMark is made once: a flood of refusals is answered with it.
var countMark = regexp.MustCompile(`\{\d:[^}]*\}`)

func counted(form string, args []any) string {
	if !strings.Contains(form, "{") {
		return form
	}
	return countMark.ReplaceAllStringFunc(form, func(mark string) string {
		one, many, _ := strings.Cut(mark[3:len(mark)-1], "|")
		if i := int(mark[1] - '1'); i < len(args) && fmt.Sprint(args[i]) == "1" {
			return one
		}
		return many
	})
}

func list(names []string) string { return strings.Join(names, ", ") }
