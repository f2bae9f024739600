package store

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// member is one of a stored document as it stands there: "name":value.
type member struct {
	text []byte
	size int // of the name
}

func (m member) name() []byte  { return m.text[1 : 1+m.size] }
func (m member) value() []byte { return m.text[m.size+3:] }

// changed lists the members that differ between was and is, as a JSON object of
// their old values, null for one that was absent; "" when none differ. It is the
// previous of an event and the detail of an audit row.
func changed(was, is []byte) string {
	var room [48]member // not on the heap, as the writer does this at every change
	old := members(room[:0], was)
	out := []byte{'{'}
	add := func(name, value []byte) {
		if string(name) == "version" || string(name) == "updatedAt" {
			return
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, name)
		out = append(append(out, ':'), value...)
	}
	for at := 1; at < len(is)-1; at++ { // from quote to quote; at++ passes the comma
		if len(old) > 0 && begins(is[at:], old[0].text) { // as most do: both have one order
			at += len(old[0].text)
			old = old[1:]
			continue
		}
		now := memberOf(is[at:])
		at += len(now.text)
		i := slices.IndexFunc(old, func(m member) bool { return bytes.Equal(m.name(), now.name()) })
		if i < 0 {
			add(now.name(), []byte("null"))
			continue
		}
		if !bytes.Equal(old[i].value(), now.value()) {
			add(now.name(), old[i].value())
		}
		old = slices.Delete(old, i, i+1)
	}
	for _, gone := range old {
		add(gone.name(), gone.value())
	}
	if len(out) == 1 {
		return ""
	}
	return string(append(out, '}'))
}

// begins tells whether the first member of b is this very text.
func begins(b, text []byte) bool {
	return bytes.HasPrefix(b, text) && (b[len(text)] == ',' || b[len(text)] == '}')
}

// members takes a document apart and appends what it consists of to out. It must be one
// that encode wrote: an object without white space, whose names need no escapes.
func members(out []member, doc []byte) []member {
	for i := 1; i < len(doc)-1; i++ {
		m := memberOf(doc[i:])
		out = append(out, m)
		i += len(m.text)
	}
	return out
}

// memberOf is the member that b begins with.
func memberOf(b []byte) member {
	size := bytes.IndexByte(b[1:], '"')
	return member{b[:size+3+valueEnd(b[size+3:])], size}
}

// valueEnd is where the JSON value at the beginning of b ends.
func valueEnd(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			i += textEnd(b[i+1:])
		case c == '{' || c == '[':
			depth++
		case (c == '}' || c == ']' || c == ',') && depth == 0:
			return i
		case c == '}' || c == ']':
			depth--
		}
	}
	return len(b)
}

// textEnd is where the JSON text ends of which b is what follows its first quote.
func textEnd(b []byte) int {
	for end := 0; ; {
		i := bytes.IndexByte(b[end:], '"')
		if i < 0 {
			return len(b)
		}
		end += i + 1
		text := b[:end-1]
		if escapes := len(text) - len(bytes.TrimRight(text, `\`)); escapes%2 == 0 {
			return end
		}
	}
}
