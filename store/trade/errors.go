package trade

import (
	"errors"
	"slices"
)

// Kind says what sort of failure an Error is; one table in server/wire turns it
// into a status.
type Kind string

// The kinds of failure a caller may see. Anything else is internal and hidden.
const (
	Malformed   Kind = "malformed"    // the request cannot be read
	Unknown     Kind = "unauthorized" // nobody knows who is calling
	Forbidden   Kind = "forbidden"
	NotFound    Kind = "not_found"
	Conflict    Kind = "conflict" // the state of things forbids it
	Invalid     Kind = "invalid"  // read, but its fields are wrong
	Unmet       Kind = "unmet"    // a required precondition is not given
	TooBig      Kind = "too_big"
	Unsupported Kind = "unsupported" // of a media type that is not taken
	Throttled   Kind = "throttled"
	Unavailable Kind = "unavailable" // the store cannot write just now, or too many want the same
	Damaged     Kind = "damaged"     // what is stored cannot be read any more
)

// Error is a failure the caller may see, told by a code from the closed list and
// said in Turkish or English by Text.
type Error struct {
	Kind   Kind
	Code   Code
	Args   []any          // what the sentence of Code speaks of
	Faults []Fault        // one entry per wrong field
	Extra  map[string]any // further members of the error body, such as currentVersion
	Wait   int            // seconds to wait before another try, 0 when that does not help
}

// Fail builds an Error.
func Fail(k Kind, code Code, args ...any) *Error { return &Error{Kind: k, Code: code, Args: args} }

// Later builds an Error that another try in wait seconds may not meet; its sentence says
// how many.
func Later(k Kind, code Code, wait int) *Error {
	e := Fail(k, code, wait)
	e.Wait = wait
	return e
}

// With adds a further member to the error body.
func (e *Error) With(name string, value any) *Error {
	if e.Extra == nil {
		e.Extra = map[string]any{}
	}
	e.Extra[name] = value
	return e
}

// Error is the English sentence.
func (e *Error) Error() string { return e.Text(English) }

// Text is the sentence in lang.
func (e *Error) Text(lang Lang) string { return sentence(e.Code, lang, e.Args) }

// KindOf reports the kind of err, "" when it is not an *Error.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// Fault is one wrong field.
type Fault struct {
	Field   string // JSON path such as lines[0].vatRate
	Code    Code
	Args    []any
	Allowed []string // the values the field may have, when they are few
}

// Text is the fault's sentence in lang; it begins with the field.
func (f Fault) Text(lang Lang) string {
	return sentence(f.Code, lang, append([]any{f.Field}, f.Args...))
}

// Check collects the faults of one request, so that a caller sees all of them at
// once. The first fault of a field stands; later ones of the same field are
// consequences and are left out.
type Check struct {
	faults []Fault
	wrong  map[string]bool // fields in faults: a body can have thousands of them
	prefix string
	root   *Check
}

// In is the Check of a part of the body: its fields get path before their names.
func (c *Check) In(path string) *Check {
	return &Check{prefix: c.prefix + path + ".", root: c.top()}
}

func (c *Check) top() *Check {
	if c.root != nil {
		return c.root
	}
	return c
}

// Add records that field is wrong.
func (c *Check) Add(field string, code Code, args ...any) {
	c.AddFault(Fault{Field: c.prefix + field, Code: code, Args: args})
}

// AddFault records a fault whose field is a whole path.
func (c *Check) AddFault(f Fault) {
	t := c.top()
	if t.wrong[f.Field] {
		return
	}
	if t.wrong == nil {
		t.wrong = map[string]bool{}
	}
	t.wrong[f.Field] = true
	t.faults = append(t.faults, f)
}

// Has tells whether one of the fields already has a fault.
func (c *Check) Has(fields ...string) bool {
	wrong := c.top().wrong
	return len(wrong) > 0 && slices.ContainsFunc(fields, func(f string) bool { return wrong[c.prefix+f] })
}

// Required records a fault when value is empty.
func (c *Check) Required(field, value string) {
	if value == "" {
		c.Add(field, Required)
	}
}

// Max records a fault when value has more than n characters.
func (c *Check) Max(field, value string, n int) {
	if len(value) > n && len([]rune(value)) > n {
		c.Add(field, TooLong, n)
	}
}

// OneOf records a fault when value is not one of allowed.
func OneOf[S ~string](c *Check, field string, value S, allowed ...S) {
	if slices.Contains(allowed, value) {
		return
	}
	names := make([]string, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
	}
	c.AddFault(Fault{Field: c.prefix + field, Code: BadValue, Args: []any{string(value), list(names)}, Allowed: names})
}

// Err is nil when nothing was found, otherwise one Error with every fault. A
// reference into another tenant outweighs the rest.
func (c *Check) Err() error {
	faults := c.top().faults
	if len(faults) == 0 {
		return nil
	}
	e := Fail(Invalid, ValidationFailed, len(faults), faults[0])
	if slices.ContainsFunc(faults, func(f Fault) bool { return f.Code == CrossTenant }) {
		e = Fail(Forbidden, CrossTenant)
	}
	e.Faults = slices.Clone(faults)
	return e
}
