package wire

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"sync"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// Type is what a body holds. It is made from a Go type by Of; what is derived
// from that type is worked out at its first use, so that a start need not wait
// for it.
type Type struct {
	of    reflect.Type
	shape func() *shape
}

// Of is the Type of T.
func Of[T any]() *Type {
	t := reflect.TypeFor[T]()
	return &Type{of: t, shape: sync.OnceValue(func() *shape { return shapeOf(t, map[reflect.Type]*shape{}) })}
}

// kind is how a value stands in JSON.
type kind int

const (
	anything kind = iota
	object
	array
	labels // an object of texts under names of the caller's choice
	text
	integer
	boolean
	decimal // a money.Amount and the like: a string or a number
	date
	instant
)

// shape is a Go type seen as JSON: what may stand in a body, and where. The
// strict reader and the API description both go by it.
type shape struct {
	kind   kind
	of     reflect.Type
	fields []field  // of an object, those of embedded structs among them
	elem   *shape   // of an array
	values []string // that a text may have, when they are few
	number *number  // of a decimal

	positive bool // an object some of whose fields, or of what lies in it, are positive

	sealed [][]int // read-only fields, to be emptied after reading
	deeper []int   // places in fields of those that hold read-only fields
}

// field is one member of an object.
type field struct {
	name     string
	index    []int // for reflect.Value.FieldByIndex
	shape    *shape
	readonly bool   // accepted and ignored in a body
	required bool   // must be given in a body
	positive bool   // a decimal that may be left out, but not given as zero
	always   bool   // stands in every answer
	doc      string // for the reader of the API description
}

// number says how the decimals of one type are written.
type number struct {
	digits, decimals int
	example          string
	check            func(string) error
}

func reads[T any](parse func(string) (T, error)) func(string) error {
	return func(s string) error { _, err := parse(s); return err }
}

// numbers lists the decimal types, each with its room.
var numbers = map[reflect.Type]*number{
	reflect.TypeFor[money.Amount]():   {money.AmountDigits, money.AmountDecimals, "1234.50", reads(money.ParseAmount)},
	reflect.TypeFor[money.Price]():    {money.PriceDigits, money.PriceDecimals, "49.90", reads(money.ParsePrice)},
	reflect.TypeFor[money.Quantity](): {money.QuantityDigits, money.QuantityDecimals, "2.5", reads(money.ParseQuantity)},
	reflect.TypeFor[money.Rate]():     {money.RateDigits, money.RateDecimals, "20", reads(money.ParseRate)},
	reflect.TypeFor[money.Exchange](): {money.ExchangeDigits, money.ExchangeDecimals, "41.2345", reads(money.ParseExchange)},
}

// shapeOf works out the shape of t; known keeps types that contain themselves
// from going round for ever.
func shapeOf(t reflect.Type, known map[reflect.Type]*shape) *shape {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s := known[t]; s != nil {
		return s
	}
	s := &shape{of: t, number: numbers[t]}
	known[t] = s
	switch {
	case s.number != nil:
		s.kind = decimal
	case t == reflect.TypeFor[trade.Date]():
		s.kind = date
	case t == reflect.TypeFor[trade.Instant]():
		s.kind = instant
	case t == reflect.TypeFor[map[string]string]():
		s.kind = labels
	case t.Kind() == reflect.String:
		s.kind, s.values = text, valuesOf(t)
	case t.Kind() == reflect.Bool:
		s.kind = boolean
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		s.kind = integer
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		s.kind, s.elem = array, shapeOf(t.Elem(), known)
	case t.Kind() == reflect.Struct:
		s.kind = object
		s.addFields(t, nil, known)
	}
	return s
}

// valuesOf asks a type of texts for the values it has; nil when any text will do.
func valuesOf(t reflect.Type) []string {
	if v, ok := reflect.Zero(t).Interface().(interface{ Values() []string }); ok {
		return v.Values()
	}
	return nil
}

func (s *shape) addFields(t reflect.Type, index []int, known map[reflect.Type]*shape) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clone(index), i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			s.addFields(f.Type, at, known)
			continue
		case !f.IsExported() || name == "-":
			continue
		case name == "":
			name = f.Name
		}
		api := f.Tag.Get("api")
		m := field{
			name: name, index: at, shape: shapeOf(f.Type, known), doc: f.Tag.Get("doc"),
			readonly: api == "readonly", required: strings.HasPrefix(api, "required"), positive: strings.HasSuffix(api, "positive"), always: !strings.Contains(options, "omit"),
		}
		switch {
		case m.readonly:
			s.sealed = append(s.sealed, at)
		case m.shape.holdsSealed():
			s.deeper = append(s.deeper, len(s.fields))
		}
		s.positive = s.positive || m.positive || m.shape.positive || m.shape.elem != nil && m.shape.elem.positive
		s.fields = append(s.fields, m)
	}
}

// holdsSealed tells whether something read-only lies in a value of this shape.
func (s *shape) holdsSealed() bool {
	return len(s.sealed) > 0 || len(s.deeper) > 0 || s.elem != nil && s.elem.holdsSealed()
}

// field finds a member by its name, which is case-sensitive; nil when there is
// none.
func (s *shape) field(name string) *field {
	for i := range s.fields {
		if s.fields[i].name == name {
			return &s.fields[i]
		}
	}
	return nil
}

// isRecord tells whether the shape is a record of the account: it has an id that no
// caller sets.
func (s *shape) isRecord() bool {
	f := s.field("id")
	return f != nil && f.readonly
}

// saysZero tells whether the body b of v may say zero of a positive field. What is left
// out is zero in v too, but its name does not stand in b.
func (s *shape) saysZero(b []byte, v reflect.Value) bool {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return false
		}
		v = v.Elem()
	}
	switch {
	case s.kind == array && s.elem.positive:
		for i := range v.Len() {
			if s.elem.saysZero(b, v.Index(i)) {
				return true
			}
		}
	case s.kind == object && s.positive:
		for i := range s.fields {
			f := &s.fields[i]
			at := v.FieldByIndex(f.index)
			if f.positive && at.IsZero() && bytes.Contains(b, []byte(`"`+f.name+`"`)) || f.shape.saysZero(b, at) {
				return true
			}
		}
	}
	return false
}

// clear empties what a caller may send but not set: the server's own figures
// must never come from a body.
func (s *shape) clear(v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	switch s.kind {
	case object:
		for _, at := range s.sealed {
			v.FieldByIndex(at).SetZero()
		}
		for _, i := range s.deeper {
			s.fields[i].shape.clear(v.FieldByIndex(s.fields[i].index))
		}
	case array:
		if s.elem.holdsSealed() {
			for i := range v.Len() {
				s.elem.clear(v.Index(i))
			}
		}
	}
}
