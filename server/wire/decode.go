package wire

import (
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"

	"esnaf/store/trade"
)

// decode reads the JSON object in b into v, a pointer to what s is the shape of.
//
// The error is a Malformed: b is no JSON object, or one that is not taken. What
// is wrong with single fields comes back as faults, all of them, each with its
// JSON path; those fields are left empty. They are for the operation to join
// with its own. What a caller may not set is passed over.
//
// normal is b with its texts in NFC, to be fingerprinted. It may share b.
func decode(b []byte, s *shape, v any, foreign tenantRule) (normal []byte, faults []trade.Fault, err error) {
	seen, err := scan(b)
	if err != nil {
		return nil, nil, err
	}
	if b, err = compose(b, seen); err != nil {
		return nil, nil, err
	}
	// Nearly every body fits: it goes straight into its struct. One with nulls
	// takes the slow way, since the decoder would make an empty value of a null.
	if !seen.nulls {
		err := json.Unmarshal(b, v, json.RejectUnknownMembers(true))
		if err == nil && !s.saysZero(b, reflect.ValueOf(v).Elem()) {
			s.clear(reflect.ValueOf(v).Elem())
			return b, nil, nil
		}
		if err != nil && isSyntax(err) {
			return nil, nil, syntax(b, err)
		}
	}
	w := walker{foreign: foreign}
	clean, err := w.clean(b, s)
	if err != nil {
		return nil, nil, syntax(b, err)
	}
	reflect.ValueOf(v).Elem().SetZero() // the first try may have got half way
	return b, w.faults, json.Unmarshal(clean, v)
}

// compose brings the texts of a body to NFC, so that what looks alike is found
// and compared alike. Escapes are undone first: they may hide a letter's mark.
func compose(b []byte, seen look) ([]byte, error) {
	if seen.escaped {
		v, err := jsontext.AppendFormat(nil, b)
		if err != nil {
			return nil, syntax(b, err)
		}
		b = v
	}
	if (seen.foreign || seen.escaped) && !norm.NFC.IsNormal(b) {
		b = norm.NFC.Bytes(b)
	}
	return b, nil
}

func isSyntax(err error) bool {
	var e *jsontext.SyntacticError
	return errors.As(err, &e) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// syntax says where b stops being JSON. Anything but a syntax error passes
// through.
func syntax(b []byte, err error) error {
	var e *jsontext.SyntacticError
	switch {
	case !isSyntax(err):
		return err
	case !errors.As(err, &e) || errors.Is(err, io.ErrUnexpectedEOF):
		return notJSON(trade.Phrase{"it ends too early", "erken bitiyor"})
	case errors.Is(err, jsontext.ErrDuplicateName):
		path := pathOf(e.JSONPointer)
		return notJSON(trade.Phrase{path + " is given twice", path + " iki kez verilmiş"})
	}
	return malformed(int(e.ByteOffset), "something else than JSON", "JSON olmayan bir şey")
}

// pathOf writes a JSON pointer the way faults name fields: lines[0].name.
func pathOf(p jsontext.Pointer) string {
	var path strings.Builder
	for name := range p.Tokens() {
		if _, err := strconv.Atoi(name); err == nil {
			path.WriteString("[" + name + "]")
			continue
		}
		if path.Len() > 0 {
			path.WriteByte('.')
		}
		path.WriteString(short(name))
	}
	return path.String()
}

// short cuts a name that somebody else chose to what fits into a sentence.
func short(name string) string {
	if r := []rune(name); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return name
}
