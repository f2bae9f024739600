package ubl

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// What a document may ask of the reader. A thousand lines make 2 MB and 40,000
// elements, nested 8 deep; whatever is beyond these bounds is no invoice.
const (
	maxDocument   = 4 << 20
	maxDepth      = 64
	maxElements   = 200_000
	maxAttributes = 64
)

// node is an element of a document that was read.
type node struct {
	name   string // with the customary prefix, as in cbc:ID, whatever the document's own is
	attrs  []xml.Attr
	text   []byte // between its tags, without that of its children
	kids   []*node
	parent *node
}

// parse reads a whole document. What makes reading XML dangerous is refused: a
// DOCTYPE (and with it every entity but the five), too much of anything, an
// encoding that is not UTF-8. The error is a sentence for the sender.
func parse(doc []byte) (*node, error) {
	if len(doc) > maxDocument {
		return nil, fmt.Errorf("the document has more than %d bytes", maxDocument)
	}
	// encoding/xml is strict about nesting, entities and characters, but lets pass
	// what concerns the document as a whole; tree.take sees to that.
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(doc, []byte("\uFEFF"))))
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errNotUTF8 }
	var t tree
	for first := true; ; first = false {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, unread(d, err)
		}
		if err := t.take(token, first); err != nil {
			return nil, err
		}
	}
	if t.root == nil {
		return nil, errors.New("the document is empty")
	}
	return t.root, nil
}

var errNotUTF8 = errors.New("the document is declared to be in another encoding than UTF-8, the only one that is taken")

// unread says where the document stops being XML, in words for its sender.
func unread(d *xml.Decoder, err error) error {
	if errors.Is(err, errNotUTF8) {
		return errNotUTF8
	}
	line, _ := d.InputPos()
	return fmt.Errorf("the document is not well-formed XML 1.0 in UTF-8: look at line %d", line)
}

// tree is what has been read so far.
type tree struct {
	root, at        *node // at is the innermost open element
	depth, elements int
}

// take takes up one token; first is true for the first of the document.
func (t *tree) take(token xml.Token, first bool) error {
	switch token := token.(type) {
	case xml.StartElement:
		return t.open(token)
	case xml.EndElement: // encoding/xml has seen to it that it fits
		t.at = t.at.parent
		t.depth--
	case xml.CharData:
		if t.at != nil {
			t.at.text = append(t.at.text, token...)
		} else if len(bytes.TrimSpace(token)) > 0 {
			return errors.New("the document has text outside its root element")
		}
	case xml.Directive:
		return errors.New("the document has a DOCTYPE or another declaration, which is not accepted")
	case xml.ProcInst:
		if token.Target == "xml" && !first {
			return errors.New("the XML declaration is not at the beginning of the document")
		}
	}
	return nil
}

// open takes up the beginning of an element. The bounds are judged before anything
// is kept of it, so that memory is bounded too.
func (t *tree) open(e xml.StartElement) error {
	t.depth++
	t.elements++
	switch {
	case t.at == nil && t.root != nil:
		return errors.New("the document has more than one root element")
	case t.depth > maxDepth:
		return fmt.Errorf("the document is nested more than %d deep", maxDepth)
	case t.elements > maxElements:
		return fmt.Errorf("the document has more than %d elements", maxElements)
	case len(e.Attr) > maxAttributes:
		return fmt.Errorf("an element has more than %d attributes", maxAttributes)
	}
	// Not well-formed, though encoding/xml takes it. The bound above keeps this
	// comparison of each with each short.
	for i, a := range e.Attr {
		if slices.ContainsFunc(e.Attr[:i], func(b xml.Attr) bool { return a.Name == b.Name }) {
			return fmt.Errorf("the element %s has the attribute %s twice", e.Name.Local, a.Name.Local)
		}
	}
	n := &node{name: prefixed(e.Name), attrs: slices.Clone(e.Attr), parent: t.at}
	if t.at == nil {
		t.root = n
	} else {
		t.at.kids = append(t.at.kids, n)
	}
	t.at = n
	return nil
}

// prefixed names an element independently of the prefixes its document chose.
func prefixed(name xml.Name) string {
	switch name.Space {
	case nsInvoice, nsDespatch, nsReceipt:
		return name.Local
	case nsAggregate:
		return "cac:" + name.Local
	case nsBasic:
		return "cbc:" + name.Local
	case nsExtension:
		return "ext:" + name.Local
	}
	return "{" + name.Space + "}" + name.Local
}

// find is the first element down the path of names, nil when there is none. It
// may be asked of nil, as may every method that reads.
func (n *node) find(path ...string) *node {
	for _, name := range path {
		if n == nil {
			return nil
		}
		i := slices.IndexFunc(n.kids, func(k *node) bool { return k.name == name })
		if i < 0 {
			return nil
		}
		n = n.kids[i]
	}
	return n
}

// value is the text of n as it stands, "" of nil.
func (n *node) value() string {
	if n == nil {
		return ""
	}
	return string(n.text)
}

// get is the text of the first element down the path.
func (n *node) get(path ...string) string { return n.find(path...).value() }

// all lists the children of that name, in order. Unlike find it is not for nil.
func (n *node) all(name string) []*node {
	var found []*node
	for _, k := range n.kids {
		if k.name == name {
			found = append(found, k)
		}
	}
	return found
}

// attr is the attribute of that name, and whether n has it.
func (n *node) attr(name string) (string, bool) {
	for _, a := range n.attrs {
		if a.Name.Space == "" && a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

// each calls do for n and everything below it, in document order.
func (n *node) each(do func(*node)) {
	do(n)
	for _, k := range n.kids {
		k.each(do)
	}
}

// path says where n stands, as in /Invoice/cac:InvoiceLine[2]/cbc:ID.
func (n *node) path() string {
	if n.parent == nil {
		return "/" + n.name
	}
	place, others := 0, 0
	for _, k := range n.parent.kids {
		if k.name == n.name {
			others++
		}
		if k == n {
			place = others
		}
	}
	if others == 1 {
		return n.parent.path() + "/" + n.name
	}
	return fmt.Sprintf("%s/%s[%d]", n.parent.path(), n.name, place)
}

// blank tells whether n holds nothing but white space.
func (n *node) blank() bool { return strings.TrimSpace(n.value()) == "" }
