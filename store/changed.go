package store

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// pair is a member of a stored document: its name and its JSON.
type pair struct{ name, value []byte }

// changed lists the members that differ between was and is, as a JSON object of
// their old values, null for one that was absent; "" when none differ. It is the
// previous of an event and the detail of an audit row.
func changed(was, is []byte) string {
	old := members(was)
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
	for _, now := range members(is) {
		i := slices.IndexFunc(old, func(p pair) bool { return bytes.Equal(p.name, now.name) })
		switch {
		case i < 0:
			add(now.name, []byte("null"))
		case !bytes.Equal(old[i].value, now.value):
			add(now.name, old[i].value)
		}
		if i >= 0 {
			old = slices.Delete(old, i, i+1) // both are in the same order, so i is mostly 0
		}
	}
	for _, gone := range old {
		add(gone.name, gone.value)
	}
	if len(out) == 1 {
		return ""
	}
	return string(append(out, '}'))
}

// members takes a document apart. It must be one that encode wrote: an object
// without white space, whose names need no escapes.
func members(doc []byte) []pair {
	out := make([]pair, 0, 48)
	for i := 1; i < len(doc)-1; i++ { // from quote to quote; i++ passes the comma
		name := doc[i+1 : i+1+bytes.IndexByte(doc[i+1:], '"')]
		i += len(name) + 3
		end := i + valueEnd(doc[i:])
		out = append(out, pair{name, doc[i:end]})
		i = end
	}
	return out
}

// valueEnd is where the JSON value at the beginning of b ends.
func valueEnd(b []byte) int {
	depth, inText := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
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
