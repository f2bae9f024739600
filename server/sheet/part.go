package sheet

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
)

const (
	maxToken = 1 << 20 // bytes between two markup characters; a cell has far less
	maxDepth = 64      // of elements in each other
)

// part reads the XML of one part of a workbook token by token. It takes tokens
// raw, which is a third faster, and so holds itself that every element is closed
// by its own name, and that there is one root.
type part struct {
	name string
	d    *xml.Decoder
	room *room
	open []xml.Name
	done bool // the root was there and is closed
	row  int  // of the sheet, that is being read; for errors
}

// token is one of a start, an end, or a text.
type token struct {
	start *xml.StartElement
	end   bool
	text  []byte // the part's until the next token
}

func newPart(name string, r io.Reader) *part {
	p := &part{name: name, room: &room{r: r}}
	p.d = xml.NewDecoder(p.room)
	return p
}

// each calls take with every token. At a start its element is the innermost, and
// at an end it is so still.
func (p *part) each(take func(*part, token) error) error {
	for {
		p.room.left = maxToken
		raw, err := p.d.RawToken()
		if errors.Is(err, io.EOF) && p.done {
			return nil
		}
		if err != nil {
			return p.damaged(err)
		}
		if err := p.take(raw, take); err != nil {
			return err
		}
	}
}

func (p *part) take(raw xml.Token, take func(*part, token) error) error {
	switch t := raw.(type) {
	case xml.StartElement:
		if p.done || len(p.open) == maxDepth {
			return p.damaged(nil)
		}
		p.open = append(p.open, t.Name)
		return take(p, token{start: &t})
	case xml.EndElement:
		if len(p.open) == 0 || p.open[len(p.open)-1] != t.Name {
			return p.damaged(nil)
		}
		err := take(p, token{end: true})
		p.open = p.open[:len(p.open)-1]
		p.done = len(p.open) == 0
		return err
	case xml.CharData:
		if len(p.open) > 0 {
			return take(p, token{text: t})
		}
		if len(bytes.TrimSpace(bytes.TrimPrefix(t, []byte("\ufeff")))) > 0 {
			return p.damaged(nil)
		}
	case xml.Directive: // a document type may define entities that grow without end
		return p.damaged(nil)
	}
	return nil
}

// at tells whether the innermost element lies so in the root.
func (p *part) at(names ...string) bool {
	return len(p.open) == len(names)+1 && slices.EqualFunc(p.open[1:], names, func(n xml.Name, name string) bool { return n.Local == name })
}

// inside is the name of the innermost element.
func (p *part) inside() string { return p.open[len(p.open)-1].Local }

// damaged says where the part ends to be what it should.
func (p *part) damaged(err error) error {
	if errors.Is(err, errNoRoom) || p.row == 0 {
		return damagedPart(p.name, err)
	}
	return bad(fmt.Sprintf("its part %.100q is damaged at row %d", p.name, p.row), fmt.Sprintf("%.100q parçası %d. satırda bozuk", p.name, p.row))
}

// attr is an attribute of an element, whatever its name space; "" when there is
// none.
func attr(e *xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
