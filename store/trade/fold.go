package trade

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dotAbove is the combining dot that some programs leave behind when they lower
// an İ.
const dotAbove = '\u0307'

// Fold is the form in which text is searched: in lower case and without what
// sets Turkish letters apart from ASCII, so that sirket finds ŞİRKET and ısparta,
// isparta and ISPARTA are one word. All four i's are one letter here, whatever
// language's rules wrote the capital.
//
// It is for comparing only, never for codes or for what people read. s should be
// in NFC; a text that needs no change is returned as it is.
func Fold(s string) string { return strings.Map(foldRune, s) }

func foldRune(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + ('a' - 'A')
	case r < utf8.RuneSelf:
		return r
	}
	switch r {
	case 'İ', 'ı', 'Î', 'î':
		return 'i'
	case 'Ç', 'ç':
		return 'c'
	case 'Ğ', 'ğ':
		return 'g'
	case 'Ö', 'ö':
		return 'o'
	case 'Ş', 'ş':
		return 's'
	case 'Ü', 'ü', 'Û', 'û':
		return 'u'
	case 'Â', 'â':
		return 'a'
	case dotAbove:
		return -1
	}
	return unicode.ToLower(r)
}

// Words takes a folded text apart at everything that is neither a letter nor a
// digit. Records and questions are taken apart alike, and a record is found when
// every word of the question begins one of its words. So a code C-0001 is the
// words c and 0001: 0001 finds it, and c-0001 finds it because c and 0001 both do.
// Signs such as % match nothing special; a question of signs alone has no words,
// and must find nothing.
func Words(folded string) []string {
	return strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
