package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// maxFaults bounds how many faults one answer tells, so that a body of a million
// wrong fields costs no more than one of a few.
const maxFaults = 100

// tenantRule judges a tenantId in a body: "" lets it pass, anything else is its
// fault.
type tenantRule func(id string) trade.Code

// walker reads a body that does not fit its shape as it is. It collects every
// fault and copies the rest, so that what is right can still be judged by the
// operation and the caller hears of everything at once.
type walker struct {
	b       []byte
	d       *jsontext.Decoder
	out     []byte
	faults  []trade.Fault
	foreign tenantRule
}

// clean returns b without what is faulty, unknown, null or read-only. Errors are
// those of the decoder: b is not JSON.
func (w *walker) clean(b []byte, s *shape) ([]byte, error) {
	w.b, w.d = b, jsontext.NewDecoder(bytes.NewReader(b))
	w.out = make([]byte, 0, len(b))
	if err := w.object(s, ""); err != nil {
		return nil, err
	}
	switch _, err := w.d.ReadToken(); {
	case err == nil: // to the decoder another value may follow, to us not
		return nil, malformed(int(w.d.InputOffset())-1, "something after the object", "nesneden sonra bir şey")
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return w.out, nil
}

func (w *walker) fault(path string, code trade.Code, args ...any) {
	if len(w.faults) < maxFaults {
		w.faults = append(w.faults, trade.Fault{Field: path, Code: code, Args: args})
	}
}

// object copies an object member by member; the decoder stands before it.
func (w *walker) object(s *shape, path string) error {
	return w.members(func(name string) error {
		f, at := s.field(name), under(path, name)
		switch {
		case f == nil && name == "tenantId" && (path == "" || s.isRecord()):
			return w.tenant(at)
		case f == nil:
			w.fault(at, trade.UnknownField)
			return w.d.SkipValue()
		case f.readonly:
			return w.d.SkipValue()
		case w.d.PeekKind() == 'n':
			if f.required {
				w.fault(at, trade.Required)
			}
			return w.d.SkipValue()
		}
		mark := w.d.InputOffset()
		if err := w.member(name, f.shape, at); err != nil || !f.positive {
			return err
		}
		if given := w.b[mark:w.d.InputOffset()]; !bytes.ContainsAny(given, "123456789") {
			w.fault(at, trade.MustBePositive)
		}
		return nil
	})
}

// labels copies an object of texts under names of the caller's choice.
func (w *walker) labels(path string) error {
	label := &shape{kind: text}
	return w.members(func(name string) error {
		if w.d.PeekKind() == 'n' {
			return w.d.SkipValue()
		}
		return w.member(name, label, under(path, name))
	})
}

// members calls copy with each name of an object; copy must read its value.
func (w *walker) members(copy func(name string) error) error {
	if _, err := w.d.ReadToken(); err != nil {
		return err
	}
	w.out = append(w.out, '{')
	for w.d.PeekKind() != '}' {
		name, err := w.d.ReadToken()
		if err != nil {
			return err
		}
		if err := copy(name.String()); err != nil {
			return err
		}
	}
	w.out = append(bytes.TrimSuffix(w.out, []byte(",")), '}')
	_, err := w.d.ReadToken()
	return err
}

// member copies one member, or takes its name back when its value is faulty.
func (w *walker) member(name string, s *shape, path string) error {
	mark := len(w.out)
	w.out, _ = jsontext.AppendQuote(w.out, name)
	w.out = append(w.out, ':')
	ok, err := w.value(s, path)
	if !ok {
		w.out = w.out[:mark]
		return err
	}
	w.out = append(w.out, ',')
	return err
}

// array copies an array. A faulty element is replaced by an empty one, so that
// those behind it keep their numbers.
func (w *walker) array(s *shape, path string) error {
	if _, err := w.d.ReadToken(); err != nil {
		return err
	}
	w.out = append(w.out, '[')
	for i := 0; w.d.PeekKind() != ']'; i++ {
		mark := len(w.out)
		ok, err := w.value(s.elem, fmt.Sprintf("%s[%d]", path, i))
		if err != nil {
			return err
		}
		if !ok {
			w.out = append(w.out[:mark], s.elem.empty()...)
		}
		w.out = append(w.out, ',')
	}
	w.out = append(bytes.TrimSuffix(w.out, []byte(",")), ']')
	_, err := w.d.ReadToken()
	return err
}

// value copies one value; not ok means that it is faulty and was not copied.
func (w *walker) value(s *shape, path string) (ok bool, err error) {
	k := w.d.PeekKind()
	switch {
	case s.kind == object && k == '{':
		return true, w.object(s, path)
	case s.kind == labels && k == '{':
		return true, w.labels(path)
	case s.kind == array && k == '[':
		return true, w.array(s, path)
	}
	v, err := w.d.ReadValue()
	if err != nil {
		return false, err
	}
	if code, args := s.judge(k, v); code != "" {
		w.fault(path, code, args...)
		return false, nil
	}
	w.out = append(w.out, v...)
	return true, nil
}

// tenant lets the caller's own tenantId pass, which the credentials say already.
func (w *walker) tenant(at string) error {
	v, err := w.d.ReadValue()
	if err != nil {
		return err
	}
	switch v.Kind() {
	case 'n':
	case '"':
		id, _ := jsontext.AppendUnquote(nil, v)
		if code := w.foreign(string(id)); code != "" {
			w.fault(at, code)
		}
	default:
		w.fault(at, trade.WrongType, aText)
	}
	return nil
}

func under(path, name string) string {
	if path == "" {
		return short(name)
	}
	return path + "." + short(name)
}

// What a value must be, as a fault says it.
var (
	aText    = trade.Phrase{"a text", "metin"}
	aNumber  = trade.Phrase{"a whole number", "tam sayı"}
	aDecimal = trade.Phrase{"a decimal number, best as a text", "ondalık sayı (tercihen metin olarak)"}
	aBoolean = trade.Phrase{"true or false", "true ya da false"}
	anObject = trade.Phrase{"an object", "nesne"}
	anArray  = trade.Phrase{"an array", "dizi"}
)

// judge finds what is wrong with a value that is no container of this shape.
func (s *shape) judge(k jsontext.Kind, v jsontext.Value) (trade.Code, []any) {
	switch s.kind {
	case object, labels:
		return trade.WrongType, []any{anObject}
	case array:
		return trade.WrongType, []any{anArray}
	case text:
		if k != '"' {
			return trade.WrongType, []any{aText}
		}
	case boolean:
		if k != 't' && k != 'f' {
			return trade.WrongType, []any{aBoolean}
		}
	case integer:
		return judgeInteger(k, string(v))
	case decimal:
		return s.number.judge(k, v)
	case date:
		if _, err := trade.ParseDate(unquoted(v)); k != '"' || err != nil {
			return trade.BadDate, nil
		}
	case instant:
		if err := new(trade.Instant).UnmarshalText([]byte(unquoted(v))); k != '"' || err != nil {
			return trade.BadInstant, nil
		}
	}
	return "", nil
}

// maxIntegerDigits keeps whole numbers within what every client can hold exactly.
const maxIntegerDigits = 15

func judgeInteger(k jsontext.Kind, v string) (trade.Code, []any) {
	digits := strings.TrimPrefix(v, "-")
	switch {
	case k != '0' || strings.Trim(digits, "0123456789") != "":
		return trade.WrongType, []any{aNumber}
	case len(digits) > maxIntegerDigits:
		return trade.TooManyDigits, []any{maxIntegerDigits}
	}
	return "", nil
}

func (n *number) judge(k jsontext.Kind, v jsontext.Value) (trade.Code, []any) {
	if k != '"' && k != '0' {
		return trade.WrongType, []any{aDecimal}
	}
	switch err := n.check(unquoted(v)); {
	case errors.Is(err, money.ErrTooManyDigits):
		return trade.TooManyDigits, []any{n.digits}
	case errors.Is(err, money.ErrTooManyDecimals):
		return trade.TooManyDecimals, []any{n.decimals}
	case err != nil:
		return trade.BadDecimal, []any{n.example}
	}
	return "", nil
}

// unquoted is what a JSON string says; any other value stays as it is written.
func unquoted(v jsontext.Value) string {
	if v.Kind() != '"' {
		return string(v)
	}
	b, _ := jsontext.AppendUnquote(nil, v) // the decoder has checked it
	return string(b)
}

// empty stands in the place of a faulty element.
func (s *shape) empty() string {
	if s.kind == decimal {
		return "0"
	}
	return "null"
}
