// Package bounded reads files of strangers that may be made to exhaust their reader: no
// more of them is held than the bounds say, and what no honest file has is refused.
package bounded

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"slices"
)

// Reader gives no more bytes of R than are Left, which whoever reads sets anew with
// every piece that is to be bounded.
type Reader struct {
	R    io.Reader
	Left int
}

// ErrFull says that a piece is larger than its bound.
var ErrFull = errors.New("a piece is too large")

// Read reads at most what is left.
func (r *Reader) Read(p []byte) (int, error) {
	if r.Left <= 0 {
		return 0, ErrFull
	}
	n, err := r.R.Read(p[:min(len(p), r.Left)])
	r.Left -= n
	return n, err
}

// The bounds of packing. A real file packs to a tenth or a twentieth; what packs far
// tighter is made to fill the memory or the time of its reader.
const (
	MaxPacking  = 200     // how many bytes one packed byte may become
	packingFree = 1 << 20 // bytes that may be packed tighter
)

// TooTight tells whether a part of a ZIP file is packed as no real one is. What it says
// of its size is held against it by package zip while it is unpacked.
func TooTight(f *zip.File) bool {
	return f.UncompressedSize64 > packingFree && f.UncompressedSize64/MaxPacking > f.CompressedSize64
}

// What XML finds wrong beside what encoding/xml does.
var (
	ErrDirective = errors.New("a document type (DOCTYPE) is not taken") // it may define entities that grow without end
	ErrDeep      = errors.New("elements lie too deep in each other")
	ErrNesting   = errors.New("an element is closed that is not open")
	ErrOutside   = errors.New("there is something beside the one root")
)

// XML reads a document token by token. It takes tokens raw, which is a third faster, and
// so holds itself that every element is closed by its own name and that there is one
// root. A namespace is the prefix that is written.
type XML struct {
	d        *xml.Decoder
	in       *Reader
	maxToken int
	maxDepth int
	open     []xml.Name
	closing  bool // the innermost element ends with the token that was given
	done     bool // the root was there and is closed
}

// NewXML reads r. No more than maxToken bytes are held for one token (and as many as are
// read ahead), and no more than maxDepth elements are open in each other.
func NewXML(r io.Reader, maxToken, maxDepth int) *XML {
	x := &XML{in: &Reader{R: r}, maxToken: maxToken, maxDepth: maxDepth}
	x.d = xml.NewDecoder(x.in)
	return x
}

// Next is the next start, end or text within the root; others are passed over. It holds
// until the following one. At a start its element is the innermost, and at an end it is
// so still. io.EOF is the end of a whole document.
func (x *XML) Next() (xml.Token, error) {
	if x.closing {
		x.open, x.closing = x.open[:len(x.open)-1], false
		x.done = len(x.open) == 0
	}
	for {
		x.in.Left = x.maxToken
		token, err := x.d.RawToken()
		if err != nil {
			if errors.Is(err, io.EOF) && !x.done {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		if err := x.take(token); err != nil {
			return nil, err
		}
		switch token.(type) {
		case xml.StartElement, xml.EndElement:
			return token, nil
		case xml.CharData:
			if len(x.open) > 0 {
				return token, nil
			}
		}
	}
}

func (x *XML) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		switch {
		case x.done:
			return ErrOutside
		case len(x.open) == x.maxDepth:
			return ErrDeep
		}
		x.open = append(x.open, t.Name)
	case xml.EndElement:
		if len(x.open) == 0 || x.open[len(x.open)-1] != t.Name {
			return ErrNesting
		}
		x.closing = true
	case xml.CharData:
		if len(x.open) == 0 && !blank(t) {
			return ErrOutside
		}
	case xml.Directive:
		return ErrDirective
	}
	return nil
}

// blank tells whether there is nothing in a text that means anything before or behind
// the root: white space, and a mark of the byte order.
func blank(text []byte) bool {
	for _, r := range string(text) {
		if r != '\ufeff' && r != ' ' && r != '\t' && r != '\r' && r != '\n' {
			return false
		}
	}
	return true
}

// At tells whether the innermost element lies so in the root, whatever the prefixes.
func (x *XML) At(names ...string) bool {
	return len(x.open) == len(names)+1 && slices.EqualFunc(x.open[1:], names, func(n xml.Name, name string) bool { return n.Local == name })
}

// Inside is the name of the innermost element.
func (x *XML) Inside() string { return x.open[len(x.open)-1].Local }

// Line is how far the document has been read.
func (x *XML) Line() int {
	line, _ := x.d.InputPos()
	return line
}
