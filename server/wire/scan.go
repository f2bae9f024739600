package wire

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"esnaf/store/trade"
)

// maxDepth is how deep objects and arrays may be nested in a body.
const maxDepth = 32

// look is what a glance over a body's bytes tells about it.
type look struct {
	nulls   bool // a null stands somewhere
	foreign bool // a character of U+0300 or beyond stands in a text
	escaped bool // a \u escape stands in a text
}

// scanner glances over the bytes of a body before anything is made of them. It
// finds what is legal JSON and still not wanted: characters that could never
// stand in an XML document later (XML 1.0 section 2.2), halves of surrogate
// pairs, and nesting that costs more than it says. Whether the rest is JSON at
// all is left to the decoder.
type scanner struct {
	b  []byte
	at int
	look
}

// scan looks over a whole body; its error is a Malformed.
func scan(b []byte) (look, error) {
	s := scanner{b: b}
	if bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
		return s.look, malformed(0, "a byte order mark", "bayt sırası işareti (BOM)")
	}
	for s.at < len(b) && isSpace(b[s.at]) {
		s.at++
	}
	if s.at == len(b) {
		return s.look, notJSON(trade.Phrase{"it is empty", "boş"})
	}
	if b[s.at] != '{' {
		if r, size := utf8.DecodeRune(b[s.at:]); r == utf8.RuneError && size == 1 {
			return s.look, s.noUTF8()
		}
		return s.look, notJSON(trade.Phrase{"it must be one object, in braces", "süslü parantez içinde tek bir nesne olmalı"})
	}
	return s.look, s.document()
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (s *scanner) document() error {
	depth := 0
	for s.at < len(s.b) {
		switch c := s.b[s.at]; {
		case c == '"':
			s.at++
			if err := s.text(); err != nil {
				return err
			}
			continue
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return malformed(s.at, fmt.Sprintf("more than %d levels", maxDepth), fmt.Sprintf("%d düzeyden fazla iç içelik", maxDepth))
			}
		case c == '}' || c == ']':
			depth--
		case c == 'n': // of all that may stand outside a text, only null has one
			s.nulls = true
		case c < ' ' && !isSpace(c):
			return s.control(s.at)
		case c >= utf8.RuneSelf:
			if err := s.beyondASCII(); err != nil {
				return err
			}
			continue
		}
		s.at++
	}
	return nil
}

// plain marks the bytes of a text that need no second look.
var plain = func() (p [256]bool) {
	for c := ' '; c < 0x7f; c++ {
		p[c] = c != '"' && c != '\\'
	}
	return p
}()

// text passes over a text whose opening quote is behind.
func (s *scanner) text() error {
	for s.at < len(s.b) {
		c := s.b[s.at]
		switch {
		case plain[c]:
			s.at++
		case c == '"':
			s.at++
			return nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		case c < ' ' || c == 0x7f:
			return s.control(s.at)
		default:
			if err := s.beyondASCII(); err != nil {
				return err
			}
		}
	}
	return nil
}

// beyondASCII judges a character of several bytes: U+0080 to U+009F are controls, U+FFFE
// and U+FFFF no characters at all, and bytes that make none are in another code page.
func (s *scanner) beyondASCII() error {
	r, size := utf8.DecodeRune(s.b[s.at:])
	// Below U+0300 lie the Latin letters, Turkish ones included, and every one of
	// them is in NFC: only from there on must a text be looked at more closely.
	s.foreign = s.foreign || r >= 0x300
	switch {
	case r == utf8.RuneError && size == 1:
		return s.noUTF8()
	case r < 0xa0:
		return s.control(s.at)
	case r == 0xfffe || r == 0xffff:
		return s.noCharacter(s.at)
	case trade.TurnsText(r):
		return s.turning(s.at)
	}
	s.at += size
	return nil
}

// escape judges what a backslash stands for.
func (s *scanner) escape() error {
	from := s.at
	s.at += 2
	if s.at > len(s.b) {
		return nil // the decoder says that the body ends too early
	}
	switch s.b[from+1] {
	case 'b', 'f':
		return s.control(from)
	case 'u':
		s.escaped = true
	default:
		return nil
	}
	r, ok := hex4(s.b[s.at:])
	if !ok {
		return nil // no escape; the decoder says so
	}
	s.at += 4
	switch {
	case r >= 0xd800 && r < 0xe000:
		low, ok := rune(0), false
		if r < 0xdc00 && bytes.HasPrefix(s.b[s.at:], []byte(`\u`)) {
			low, ok = hex4(s.b[s.at+2:])
		}
		if !ok || low < 0xdc00 || low > 0xdfff {
			return malformed(from, "half of a surrogate pair", "yarım bir vekil (surrogate) çifti")
		}
		s.at += 6
	case r < ' ' && !isSpace(byte(r)), r >= 0x7f && r < 0xa0:
		return s.control(from)
	case r == 0xfffe || r == 0xffff:
		return s.noCharacter(from)
	case trade.TurnsText(r):
		return s.turning(from)
	}
	return nil
}

// hex4 reads four hexadecimal digits.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

func (s *scanner) control(at int) error {
	return malformed(at, "a control character other than tab, newline and return", "sekme, satır sonu ve satır başı dışında bir denetim karakteri")
}

func (s *scanner) noUTF8() error {
	c := s.b[s.at]
	return malformed(s.at, fmt.Sprintf("text that is not in UTF-8 (0x%02x)", c), fmt.Sprintf("UTF-8 olmayan metin (0x%02x)", c))
}

func (s *scanner) noCharacter(at int) error {
	return malformed(at, "U+FFFE or U+FFFF, which are no characters", "karakter olmayan U+FFFE ya da U+FFFF")
}

func (s *scanner) turning(at int) error {
	return malformed(at, "a character that turns the direction of the text (U+202A to U+202E, U+2066 to U+2069)", "metnin yönünü çeviren bir karakter (U+202A - U+202E, U+2066 - U+2069)")
}

// malformed says what stands at a place where it must not.
func malformed(at int, english, turkish string) error {
	return notJSON(trade.Phrase{fmt.Sprintf("%s at byte %d", english, at), fmt.Sprintf("%d. baytta %s", at, turkish)})
}

func notJSON(why trade.Phrase) error { return trade.Fail(trade.Malformed, trade.MalformedJSON, why) }
