package trade

import (
	"strings"
	"time"
	_ "time/tzdata" // a small machine may have no zone files
)

// Plan is what a tenant has booked; it sets Interface A's requests per minute.
type Plan string

// The plans.
const (
	PlanStandard     Plan = "standard"
	PlanProfessional Plan = "professional"
	PlanEnterprise   Plan = "enterprise"
	PlanUnlimited    Plan = "unlimited"
)

// Values lists the plans.
func (Plan) Values() []string {
	return []string{"standard", "professional", "enterprise", "unlimited"}
}

// TaxNumberCheck says what a wrong check digit does.
type TaxNumberCheck string

// The settings: refuse it, or let test data through.
const (
	CheckError TaxNumberCheck = "error"
	CheckWarn  TaxNumberCheck = "warn"
)

// Values lists the settings.
func (TaxNumberCheck) Values() []string { return []string{"error", "warn"} }

// Tenant is one account: the seller on its documents, and its settings.
type Tenant struct {
	Meta
	Name           string         `json:"name" api:"required" doc:"legal title (ünvan)"`
	TaxNumber      string         `json:"taxNumber" api:"required"`
	FirstName      string         `json:"firstName,omitempty" doc:"of a sole trader, whose taxNumber is a citizen number"`
	LastName       string         `json:"lastName,omitempty"`
	TaxOffice      string         `json:"taxOffice,omitempty"`
	Address        string         `json:"address,omitempty"`
	District       string         `json:"district,omitempty"`
	City           string         `json:"city,omitempty"`
	PostalCode     string         `json:"postalCode,omitempty"`
	Country        string         `json:"country" doc:"TR when absent"`
	Phone          string         `json:"phone,omitempty"`
	Email          string         `json:"email,omitempty"`
	IBAN           string         `json:"iban,omitempty"`
	SenderAlias    string         `json:"senderAlias,omitempty" doc:"sender unit (gönderici birim etiketi) of our e-Fatura"`
	DefaultProfile Profile        `json:"defaultProfile" doc:"TICARIFATURA when absent, or TEMELFATURA"`
	Series         Series         `json:"series"`
	TaxNumberCheck TaxNumberCheck `json:"taxNumberCheck" doc:"error when absent; warn lets test numbers through"`
	Timezone       string         `json:"timezone" doc:"Europe/Istanbul when absent"`
	Plan           Plan           `json:"plan" api:"readonly"`
}

// Series is the three letters of the legal number, one set per kind of document:
// the kinds must not share a series (VUK general communiqué 509).
type Series struct {
	EFatura  string `json:"E_FATURA" doc:"EFA when absent"`
	EArsiv   string `json:"E_ARSIV" doc:"EAR when absent"`
	Export   string `json:"EXPORT" doc:"IHR when absent"`
	Despatch string `json:"DESPATCH" doc:"IRS when absent"`
}

// Defaults fills what a caller may leave out.
func (t *Tenant) Defaults() {
	defaultTo(&t.Country, "TR")
	defaultTo(&t.DefaultProfile, TicariFatura)
	defaultTo(&t.Series.EFatura, "EFA")
	defaultTo(&t.Series.EArsiv, "EAR")
	defaultTo(&t.Series.Export, "IHR")
	defaultTo(&t.Series.Despatch, "IRS")
	defaultTo(&t.TaxNumberCheck, CheckError)
	defaultTo(&t.Timezone, "Europe/Istanbul")
	t.IBAN = strings.ToUpper(strings.ReplaceAll(t.IBAN, " ", ""))
}

// Check finds what is wrong with the fields that a caller sets.
func (t *Tenant) Check(f *Check) {
	t.Meta.check(f)
	f.Required("name", strings.TrimSpace(t.Name))
	f.Max("name", t.Name, 250)
	f.Required("taxNumber", t.TaxNumber)
	checkOwnNumber(f, "taxNumber", t.TaxNumber, t.TaxNumberCheck == CheckWarn)
	checkAddress(f, t.Address, t.District, t.City, t.PostalCode, t.Country)
	f.Max("firstName", t.FirstName, 100)
	f.Max("lastName", t.LastName, 100)
	f.Max("taxOffice", t.TaxOffice, 100)
	f.Max("phone", t.Phone, 50)
	f.Max("email", t.Email, 254)
	checkEmail(f, "email", t.Email)
	checkIBAN(f, "iban", t.IBAN)
	if t.SenderAlias != "" && !ValidAlias(t.SenderAlias) {
		f.Add("senderAlias", BadAlias)
	}
	OneOf(f, "defaultProfile", t.DefaultProfile, TemelFatura, TicariFatura)
	OneOf(f, "taxNumberCheck", t.TaxNumberCheck, CheckError, CheckWarn)
	t.Series.check(f.In("series"))
	if _, err := time.LoadLocation(t.Timezone); err != nil || t.Timezone == "Local" {
		f.Add("timezone", BadTimezone)
	}
}

func (s *Series) check(f *Check) {
	seen := map[string]bool{}
	for _, x := range s.ByKind() {
		if !ValidSeries(x.Letters) || seen[x.Letters] {
			f.Add(x.Kind, BadSeries)
		}
		seen[x.Letters] = true
	}
}

// KindSeries is the series of one kind of document.
type KindSeries struct{ Kind, Letters string }

// ByKind lists the series by the kinds of document they are for.
func (s *Series) ByKind() []KindSeries {
	return []KindSeries{{string(EFatura), s.EFatura}, {string(EArsiv), s.EArsiv}, {"EXPORT", s.Export}, {Despatch, s.Despatch}}
}

// Despatch is the kind of document that a despatch note (irsaliye) is.
const Despatch = "DESPATCH"

// Of is the series of a kind of invoice.
func (s *Series) Of(kind DocumentType) string {
	if kind == EArsiv {
		return s.EArsiv
	}
	return s.EFatura
}

// Zone is the tenant's time zone; its name was judged by Check.
func (t *Tenant) Zone() *time.Location {
	if t.Timezone == istanbul.String() {
		return istanbul
	}
	z, err := time.LoadLocation(t.Timezone)
	if err != nil {
		return time.UTC
	}
	return z
}

// istanbul is the zone of nearly every account. To load one at every change would take
// as long as to check an invoice; with the zones inside the program it cannot fail.
var istanbul, _ = time.LoadLocation("Europe/Istanbul")

// InTurkey is the moment as the tax office sees it: three hours east of Greenwich all year
// since 2016 (Council of Ministers' decision 2016/9154).
func InTurkey(at time.Time) time.Time { return at.In(turkey) }

var turkey = time.FixedZone("TRT", 3*60*60)

// DocumentTime is now as documents are dated: in the tenant's zone, but on no day that has
// not begun in Türkiye, which the tax office would refuse (rule TimeCheck-1).
func (t *Tenant) DocumentTime(now time.Time) time.Time {
	local, there := now.In(t.Zone()), InTurkey(now)
	if DateOf(local) > DateOf(there) {
		return there
	}
	return local
}

// Party is the tenant as seller on a document.
func (t *Tenant) Party() Party {
	p := Party{
		Name: t.Name, PersonType: LegalPerson, FirstName: t.FirstName, LastName: t.LastName, TaxNumber: t.TaxNumber,
		TaxOffice: t.TaxOffice, Address: t.Address, District: t.District, City: t.City, PostalCode: t.PostalCode,
		Country: t.Country, Phone: t.Phone, Email: t.Email, Alias: t.SenderAlias,
	}
	p.nameThePerson()
	return p
}
