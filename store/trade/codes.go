package trade

import (
	_ "embed" // the code lists are text files beside this one
	"strings"
	"sync"
)

// The lists are those of the tax office's rules of 01.07.2026 (in force since
// 14.09.2026): what they refuse, the authority refuses. XXX (no currency) and XTS
// (for tests) of ISO 4217 are left out: nobody owes in them.
var (
	//go:embed codes/units.txt
	unitText string
	//go:embed codes/currencies.txt
	currencyText string
	//go:embed codes/countries.txt
	countryText string

	units      = sync.OnceValue(func() map[string]bool { return set(unitText) })
	currencies = sync.OnceValue(func() map[string]bool { return set(currencyText) })
	countries  = sync.OnceValue(func() map[string]bool { return set(countryText) })
)

// ValidUnit tells whether code is a UN/ECE Recommendation 20 unit that UBL-TR
// takes (UnitCodeList).
func ValidUnit(code string) bool { return units()[code] }

// ValidCurrency tells whether code is a currency of the list (CurrencyCodeList).
func ValidCurrency(code string) bool { return currencies()[code] }

// ValidCountry tells whether code is an ISO 3166 alpha-2 country of the list.
func ValidCountry(code string) bool { return countries()[code] }

func set(text string) map[string]bool {
	lines := strings.Fields(text)
	m := make(map[string]bool, len(lines))
	for _, l := range lines {
		m[l] = true
	}
	return m
}
