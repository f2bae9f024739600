package trade

import (
	"strings"
	"testing"
	"time"
)

func validTenant() Tenant {
	t := Tenant{Name: "Örnek A.Ş.", TaxNumber: CompleteVKN("123456789")}
	t.Defaults()
	return t
}

// Every rule on an account has a row.
func TestTenantCheck(t *testing.T) {
	long := strings.Repeat("x", 501)
	for _, test := range []struct {
		about string
		edit  func(*Tenant)
		want  string
	}{
		{"all is well", func(*Tenant) {}, ""},
		{"nothing given", func(t *Tenant) { *t = Tenant{}; t.Defaults() }, "name required, taxNumber required"},
		{"a wrong check digit", func(t *Tenant) { t.TaxNumber = "1234567891" }, "taxNumber tax_number_invalid"},
		{"a number of buyers without one", func(t *Tenant) { t.TaxNumber = "11111111111" }, "taxNumber tax_number_invalid"},
		{"a wrong check digit among test data", func(t *Tenant) { t.TaxNumber, t.TaxNumberCheck = "1234567891", CheckWarn }, ""},
		{"long texts", func(t *Tenant) {
			t.Name, t.FirstName, t.LastName, t.TaxOffice, t.Phone, t.Email, t.Address = long, long, long, long, long, long, long
		}, "name too_long, address too_long, firstName too_long, lastName too_long, taxOffice too_long, phone too_long, email too_long"},
		{"an unknown country", func(t *Tenant) { t.Country = "XX" }, "country code_invalid"},
		{"no e-mail address", func(t *Tenant) { t.Email = "x" }, "email email_invalid"},
		{"a wrong IBAN", func(t *Tenant) { t.IBAN = "TR1" }, "iban iban_invalid"},
		{"no alias", func(t *Tenant) { t.SenderAlias = "defaultgb@example.com" }, "senderAlias alias_invalid"},
		{"an alias", func(t *Tenant) { t.SenderAlias = "urn:mail:defaultgb@example.com.tr" }, ""},
		{"a profile that is none to choose", func(t *Tenant) { t.DefaultProfile = EArsivFatura }, "defaultProfile invalid_value"},
		{"an unknown way to check", func(t *Tenant) { t.TaxNumberCheck = "off" }, "taxNumberCheck invalid_value"},
		{"a short series", func(t *Tenant) { t.Series.EFatura = "EF" }, "series.E_FATURA series_invalid"},
		{"Turkish letters in a series", func(t *Tenant) { t.Series.Export = "İHR" }, "series.EXPORT series_invalid"},
		{"two kinds of one series", func(t *Tenant) { t.Series.EArsiv = "EFA" }, "series.E_ARSIV series_invalid"},
		{"an unknown zone", func(t *Tenant) { t.Timezone = "Istanbul" }, "timezone timezone_invalid"},
		{"the machine's zone", func(t *Tenant) { t.Timezone = "Local" }, "timezone timezone_invalid"},
		{"a path for a zone", func(t *Tenant) { t.Timezone = "../../etc/passwd" }, "timezone timezone_invalid"},
	} {
		t.Run(test.about, func(t *testing.T) {
			a, f := validTenant(), Check{}
			test.edit(&a)
			if a.Check(&f); f.list() != test.want {
				t.Errorf("found %s, want %s", f.list(), test.want)
			}
		})
	}
}

func TestTenantAsSeller(t *testing.T) {
	a := validTenant()
	a.SenderAlias = "urn:mail:gb@x.com"
	if p := a.Party(); p.Name != "Örnek A.Ş." || p.PersonType != LegalPerson || p.Alias != a.SenderAlias || p.TaxNumber != a.TaxNumber {
		t.Errorf("%+v", p)
	}
	a.TaxNumber, a.FirstName, a.LastName = CompleteTCKN("123456789"), "Ayşe", "Yılmaz"
	if p := a.Party(); p.PersonType != NaturalPerson || p.FirstName != "Ayşe" || p.LastName != "Yılmaz" {
		t.Errorf("a sole trader is %+v", p)
	}
}

func TestTenantZoneAndSeries(t *testing.T) {
	a := validTenant()
	at := time.Date(2026, 12, 31, 21, 0, 0, 0, time.UTC)
	if day := DateOf(at.In(a.Zone())); day != "2027-01-01" {
		t.Errorf("the day in Istanbul is %s", day)
	}
	a.Timezone = "nowhere"
	if a.Zone() != time.UTC {
		t.Error("an unreadable zone is UTC")
	}
	if a.Series.Of(EArsiv) != "EAR" || a.Series.Of(EFatura) != "EFA" {
		t.Errorf("series %+v", a.Series)
	}
}

// Documents are dated in the account's zone, but on no day that has not begun in Türkiye.
func TestDocumentTime(t *testing.T) {
	for _, row := range []struct{ zone, now, want string }{
		{"Europe/Istanbul", "2026-11-28T20:59:59Z", "2026-11-28 23:59:59"},
		{"Europe/Istanbul", "2026-11-28T21:00:00Z", "2026-11-29 00:00:00"},
		{"Pacific/Kiritimati", "2026-11-28T16:45:00Z", "2026-11-28 19:45:00"},
		{"Pacific/Kiritimati", "2026-11-28T21:45:00Z", "2026-11-29 11:45:00"},
		{"America/New_York", "2026-11-28T21:45:00Z", "2026-11-28 16:45:00"},
	} {
		now, err := time.Parse(time.RFC3339, row.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&Tenant{Timezone: row.zone}).DocumentTime(now).Format(time.DateTime); got != row.want {
			t.Errorf("%s at %s: %s, want %s", row.zone, row.now, got, row.want)
		}
	}
}
