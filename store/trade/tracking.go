package trade

import (
	"fmt"
	"strings"
	"unicode"
)

// checkTracking trims and bounds what names single pieces of a product. Whether it fits
// the product is judged where stock is moved.
func checkTracking(f *Check, lot *string, serials []string) {
	checkLabel(f, "lotNo", lot)
	checkLabels(f, "serialNos", serials, MaxSerials)
}

func checkLabels(f *Check, field string, labels []string, most int) {
	if len(labels) > most {
		f.Add(field, TooMany, most)
		return
	}
	for i := range labels {
		checkLabel(f, fmt.Sprintf("%s[%d]", field, i), &labels[i])
	}
}

// checkLabel judges what is printed on goods and read off them: a lot, a serial number
// or a barcode of at most 50 characters. White space around it is nobody's meaning and
// goes, and blanks inside are one; what nobody can see would make two of what people
// read as one.
func checkLabel(f *Check, field string, label *string) {
	blank := func(r rune) bool { return unicode.Is(unicode.Zs, r) }
	*label = strings.Join(strings.FieldsFunc(strings.TrimSpace(*label), blank), " ")
	f.Max(field, *label, 50)
	for _, r := range *label {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) {
			f.Add(field, UnseenCharacter, fmt.Sprintf("U+%04X", r))
		}
	}
}

// TurnsText tells whether a character turns the direction in which text is read (U+202A to
// U+202E, U+2066 to U+2069): with one, people sign what they do not read (Unicode Technical
// Report 36, bidirectional text spoofing). Those that join and part letters and emoji turn
// nothing.
func TurnsText(r rune) bool {
	return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}

// checkCode judges what people call a record by: a label that is not of white space
// alone. One that is left out is drawn.
func checkCode(f *Check, field string, code *string) {
	given := *code
	if checkLabel(f, field, code); given != "" && *code == "" {
		f.Add(field, UnseenCharacter, "U+0020")
	}
}
