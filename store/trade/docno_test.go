package trade

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type validity struct{ Valid, Invalid []string }

func (v validity) judge(t *testing.T, what string, is func(string) bool) {
	t.Helper()
	if len(v.Valid) == 0 || len(v.Invalid) == 0 {
		t.Errorf("no rows for %s", what)
	}
	for _, s := range v.Valid {
		if !is(s) {
			t.Errorf("%q is no valid %s", s, what)
		}
	}
	for _, s := range v.Invalid {
		if is(s) {
			t.Errorf("%q is a valid %s", s, what)
		}
	}
}

func TestIdentifierVectors(t *testing.T) {
	readVectors[validity](t, "document-numbers").judge(t, "document number", ValidDocumentNumber)
	readVectors[validity](t, "aliases").judge(t, "alias", ValidAlias)
	readVectors[validity](t, "ibans").judge(t, "IBAN", ValidIBAN)
	validity{
		Valid:   []string{"EFA", "A1B", "001"},
		Invalid: []string{"", "EF", "EFAT", "efa", "ŞAB", "İR", "E-A", "E A", "Ş1"},
	}.judge(t, "series", ValidSeries)
	validity{
		Valid: []string{"f47ac10b-58cc-4372-a567-0e02b2c3d479", "F47AC10B-58CC-4372-A567-0E02B2C3D479"},
		Invalid: []string{
			"", "f47ac10b58cc4372a5670e02b2c3d479", "{f47ac10b-58cc-4372-a567-0e02b2c3d479}", "urn:uuid:f47ac10b-58cc-4372-a567-0e02b2c3d479",
			"f47ac10b-58cc-4372-a567-0e02b2c3d47g", "f47ac10b-58cc-4372-a5670-e02b2c3d479", "f47ac10b-58cc-4372-a567-0e02b2c3d47-",
		},
	}.judge(t, "UUID", ValidUUID)
}

func TestDocumentNumber(t *testing.T) {
	for _, c := range []struct {
		series  string
		year, n int
		want    string
	}{
		{"EFA", 2026, 1, "EFA2026000000001"},
		{"A1B", 2099, 999_999_999, "A1B2099999999999"},
		{"EFA", 2026, 0, ""},
		{"EFA", 2026, -1, ""},
		{"EFA", 2026, 1_000_000_000, ""},
		{"EFA", 1999, 1, ""},
		{"EFA", 20261, 1, ""},
		{"EF", 2026, 1, ""},
		{"efa", 2026, 1, ""},
		{"EFA2", 26, 1, ""},
	} {
		if got := DocumentNumber(c.series, c.year, c.n); got != c.want {
			t.Errorf("DocumentNumber(%q, %d, %d) = %q, want %q", c.series, c.year, c.n, got, c.want)
		}
	}
}

func TestCompleteIBAN(t *testing.T) {
	for _, c := range []struct{ country, bban, want string }{
		{"TR", "0006100519786457841326", "TR330006100519786457841326"},
		{"DE", "370400440532013000", "DE89370400440532013000"},
		{"TR", "000610051978645784132", ""},   // too short
		{"TR", "A006100519786457841326", ""},  // a bank's code is digits
		{"TR", "0006100519786457841326 ", ""}, // a space
		{"tr", "0006100519786457841326", ""},
		{"T1", "0006100519786457841326", ""},
		{"TRY", "0006100519786457841326", ""},
		{"", "", ""},
		{"İR", "0006100519786457841326", ""},
	} {
		if got := CompleteIBAN(c.country, c.bban); got != c.want {
			t.Errorf("CompleteIBAN(%q, %q) = %q, want %q", c.country, c.bban, got, c.want)
		}
	}
	bban := rapid.StringMatching(`[0-9]{5}0[0-9A-Z]{16}`)
	rapid.Check(t, func(t *rapid.T) {
		iban := CompleteIBAN("TR", bban.Draw(t, "bban"))
		if !ValidIBAN(iban) {
			t.Fatalf("%q", iban)
		}
		at := rapid.IntRange(2, 25).Draw(t, "at")
		if c := iban[at]; decimal(c) {
			wrong := iban[:at] + string('0'+(c-'0'+1)%10) + iban[at+1:]
			if ValidIBAN(wrong) {
				t.Fatalf("%q and %q are both valid", iban, wrong)
			}
		}
	})
}

// 00, 01 and 99 satisfy mod 97 where 97, 98 and 02 do, but nobody issues them.
func TestUnusedCheckDigits(t *testing.T) {
	twins := map[string]string{"97": "00", "98": "01", "02": "99"}
	for account := 0; len(twins) > 0; account++ {
		iban := CompleteIBAN("TR", fmt.Sprintf("00061%017d", account))
		if twin, ok := twins[iban[2:4]]; ok {
			delete(twins, iban[2:4])
			if wrong := "TR" + twin + iban[4:]; ValidIBAN(wrong) || mod97(wrong[4:]+wrong[:4]) != 1 {
				t.Errorf("%s is taken for valid beside %s", wrong, iban)
			}
		}
	}
}

// The schematron's own patterns, to which the hand-written tests must come.
func FuzzIdentifiers(f *testing.F) {
	number := regexp.MustCompile(`^[A-Z0-9]{3}20[0-9]{2}[0-9]{9}$`)
	uuid := regexp.MustCompile(`^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}$`)
	alias := regexp.MustCompile(`^urn:[A-Za-z0-9][A-Za-z0-9-]{0,31}:([A-Za-z0-9()+,\-.:=@;$_!*]|%[0-9A-Fa-f]{2})+$`)
	for _, s := range []string{
		"EFA2026000000001", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "urn:mail:defaultpk@firma.com.tr", "urn:a:%2", "urn:a:%2F%", "urn:a::",
		"urn:" + strings.Repeat("a", 32) + ":b", "urn:" + strings.Repeat("a", 33) + ":b", "urn:mail:" + strings.Repeat("a", 242), "urn:-a:b", "urn:a\n:b", "URN:a:b", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := ValidDocumentNumber(s), number.MatchString(s); got != want {
			t.Errorf("ValidDocumentNumber(%q) = %v", s, got)
		}
		if got, want := ValidUUID(s), uuid.MatchString(s); got != want {
			t.Errorf("ValidUUID(%q) = %v", s, got)
		}
		if got, want := ValidAlias(s), alias.MatchString(s) && len(s) <= 250; got != want {
			t.Errorf("ValidAlias(%q) = %v", s, got)
		}
	})
}

func FuzzIBAN(f *testing.F) {
	for _, s := range []string{"TR330006100519786457841326", "MT84MALT011000012345MTLCAST001S", "TR33", "XX0000000000000", "XX9900000000000", ""} {
		f.Add(s)
	}
	shape := regexp.MustCompile(`^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`)
	f.Fuzz(func(t *testing.T, s string) {
		if !ValidIBAN(s) {
			return
		}
		if !shape.MatchString(s) || s[:2] == "TR" && len(s) != 26 {
			t.Fatalf("%q is valid", s)
		}
		var number strings.Builder // the rule as ISO 13616 puts it, in one big number
		for _, c := range s[4:] + s[:4] {
			if c >= 'A' {
				number.WriteString(big.NewInt(int64(c - 'A' + 10)).String())
			} else {
				number.WriteRune(c)
			}
		}
		n, _ := new(big.Int).SetString(number.String(), 10)
		if n.Mod(n, big.NewInt(97)).Int64() != 1 {
			t.Errorf("%q is valid", s)
		}
	})
}
