package ubl

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// writer appends one document to a buffer. Elements are written in the order the
// schema wants them, so the order of the calls is the order of the document.
//
// Text comes out as canonical XML has it (no empty-element tags, the fewest
// escapes, no CDATA), so that a signature need not rewrite the document first.
type writer struct {
	buf      []byte
	currency string // of every amount
	depth    int    // of open elements below the root
	scope    string // "seller." or the like while that is written: it goes before a fault's field
	line     int    // index of the line being written, -1 outside lines
	faults   trade.Check
}

// in writes an element around what body writes.
func (w *writer) in(tag string, body func()) {
	w.open(tag)
	w.depth++
	body()
	w.depth--
	w.end(tag)
}

// open begins an element. Those directly below the root start a line of their
// own: a whole invoice on one line is hard on people, and more space is waste.
func (w *writer) open(tag string) {
	if w.depth == 0 {
		w.buf = append(w.buf, '\n')
	}
	w.buf = append(w.buf, '<')
	w.buf = append(w.buf, tag...)
	w.buf = append(w.buf, '>')
}

func (w *writer) end(tag string) {
	w.buf = append(w.buf, '<', '/')
	w.buf = append(w.buf, tag...)
	w.buf = append(w.buf, '>')
}

// constant writes an element whose text is ours and needs no escape.
func (w *writer) constant(tag, text string) {
	w.open(tag)
	w.buf = append(w.buf, text...)
	w.end(tag)
}

// identifier writes cbc:ID with its scheme.
func (w *writer) identifier(scheme, field, value string) {
	w.attributed("cbc:ID", "schemeID", scheme)
	w.text(field, value)
	w.end("cbc:ID")
}

// attributed begins an element with one attribute, whose value is a code from a
// list and needs no escape.
func (w *writer) attributed(tag, name, code string) {
	w.open(tag)
	w.buf[len(w.buf)-1] = ' ' // instead of the '>'
	w.buf = append(w.buf, name...)
	w.buf = append(w.buf, '=', '"')
	w.buf = append(w.buf, code...)
	w.buf = append(w.buf, '"', '>')
}

// required writes an element the schema or the rules ask for; when value is blank
// that is a fault of field.
func (w *writer) required(tag, field, value string) {
	if blank(value) {
		w.fault(field, trade.NeededForDocument)
		return
	}
	w.open(tag)
	w.text(field, value)
	w.end(tag)
}

// optional writes an element unless value is blank: an empty element says
// something else than none, and some rules refuse it.
func (w *writer) optional(tag, field, value string) {
	if !blank(value) {
		w.required(tag, field, value)
	}
}

// blank tells whether s says nothing.
func blank(s string) bool { return strings.TrimSpace(s) == "" }

// amount writes a sum of money with the document's currency.
func (w *writer) amount(tag string, a money.Amount) {
	w.attributed(tag, "currencyID", w.currency)
	w.buf = a.Append(w.buf)
	w.end(tag)
}

// number writes a rate, a quantity or the like.
func number[N interface{ Append([]byte) []byte }](w *writer, tag string, n N) {
	w.open(tag)
	w.buf = n.Append(w.buf)
	w.end(tag)
}

// text appends s escaped. Characters that XML cannot carry are refused where a
// record is written; should one have got past that, it is a fault here too, since
// a document with it would be lost at the first reader.
func (w *writer) text(field, s string) {
	from := 0
	for i, r := range s {
		escape := ""
		switch {
		case '>' < r && r < 0xD800: // nearly every character there is
			continue
		case r == '&':
			escape = "&amp;"
		case r == '<':
			escape = "&lt;"
		case r == '>':
			escape = "&gt;" // because of "]]>"
		case r == '\r':
			escape = "&#xD;" // a bare one is read as a line feed
		case legal(r, s[i:]):
			continue
		default:
			w.fault(field, trade.BadValue, s[i:i+runeLen(s[i:])], "characters that XML can carry")
			return
		}
		w.buf = append(w.buf, s[from:i]...)
		w.buf = append(w.buf, escape...)
		from = i + 1
	}
	w.buf = append(w.buf, s[from:]...)
}

// legal tells whether XML 1.0 can carry r, which rest begins with. Broken UTF-8
// shows as U+FFFD, which is itself legal when it is really there.
func legal(r rune, rest string) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	case r == utf8.RuneError:
		return strings.HasPrefix(rest, string(utf8.RuneError))
	}
	return r != 0xFFFE && r != 0xFFFF
}

func runeLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// fault records what is wrong with a field of the part being written.
func (w *writer) fault(field string, code trade.Code, args ...any) {
	path := w.scope + field
	if w.line >= 0 {
		path = fmt.Sprintf("lines[%d].%s", w.line, field)
	}
	w.faults.Add(path, code, args...)
}
