package trade

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTaxNumberVectors(t *testing.T) {
	v := readVectors[struct{ VKN, NotVKN, TCKN, NotTCKN, Dummies []string }](t, "tax-numbers")
	for _, set := range []struct {
		name    string
		numbers []string
		is      func(string) bool
		want    bool
	}{
		{"VKN", v.VKN, IsVKN, true},
		{"no VKN", v.NotVKN, IsVKN, false},
		{"no VKN", v.TCKN, IsVKN, false},
		{"no VKN", v.Dummies, IsVKN, false},
		{"TCKN", v.TCKN, IsTCKN, true},
		{"no TCKN", v.NotTCKN, IsTCKN, false},
		{"no TCKN", v.VKN, IsTCKN, false},
		{"no TCKN", v.Dummies, IsTCKN, false},
		{"a dummy", v.Dummies, IsDummyTaxNumber, true},
		{"no dummy", append(v.VKN, v.TCKN...), IsDummyTaxNumber, false},
		{"valid", v.VKN, ValidTaxNumber, true},
		{"valid", v.TCKN, ValidTaxNumber, true},
		{"valid", v.Dummies, ValidTaxNumber, true},
	} {
		if len(set.numbers) == 0 {
			t.Errorf("no numbers to be %s", set.name)
		}
		for _, no := range set.numbers {
			if set.is(no) != set.want {
				t.Errorf("%q is not found to be %s", no, set.name)
			}
		}
	}
}

// A single changed digit is what check digits are for. A TCKN's two catch every
// one; those of a VKN only most (its terms are taken mod 9), so that only its last
// digit is tried.
func TestCheckDigits(t *testing.T) {
	change := func(s string, at int) string {
		return s[:at] + string('0'+(s[at]-'0'+1)%10) + s[at+1:]
	}
	nine := rapid.StringMatching(`[1-9][0-9]{8}`)
	rapid.Check(t, func(t *rapid.T) {
		vkn, tckn := CompleteVKN(nine.Draw(t, "vkn")), CompleteTCKN(nine.Draw(t, "tckn"))
		if !IsVKN(vkn) || !ValidTaxNumber(vkn) || IsVKN(change(vkn, 9)) {
			t.Fatalf("VKN %s", vkn)
		}
		if !IsTCKN(tckn) || !ValidTaxNumber(tckn) || IsTCKN(change(tckn, rapid.IntRange(0, 10).Draw(t, "at"))) {
			t.Fatalf("TCKN %s", tckn)
		}
		if (tckn[10]-'0')%2 != 0 {
			t.Fatalf("TCKN %s ends in an odd digit", tckn)
		}
	})
}

func TestCompleteRefuses(t *testing.T) {
	for _, s := range []string{"", "12345678", "1234567890", "12345678x", "١٢٣٤٥٦٧٨٩", strings.Repeat("9", 1000)} {
		if got := CompleteVKN(s); got != "" {
			t.Errorf("CompleteVKN(%q) = %q", s, got)
		}
		if got := CompleteTCKN(s); got != "" {
			t.Errorf("CompleteTCKN(%q) = %q", s, got)
		}
	}
	if got := CompleteTCKN("012345678"); got != "" {
		t.Errorf("a TCKN that begins with 0: %q", got)
	}
	if got, want := CompleteVKN("012345678"), "0123456789"; got != want {
		t.Errorf("a VKN that begins with 0: %q, want %q", got, want)
	}
}

func FuzzTaxNumbers(f *testing.F) {
	for _, s := range []string{"3900383669", "10000000146", "11111111111", "", "12345678A0", "12345 7890"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if ok := ValidTaxNumber(s); ok && (len(s) != 10 && len(s) != 11 || strings.Trim(s, "0123456789") != "") {
			t.Errorf("%q is valid", s)
		}
		if IsVKN(s) && IsTCKN(s) {
			t.Errorf("%q is both", s)
		}
	})
}
