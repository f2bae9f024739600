package sheet

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"esnaf/ubl/bounded"
)

const (
	maxToken = 1 << 20 // bytes between two markup characters; a cell has far less
	maxDepth = 64      // of elements in each other
)

// part reads the XML of one part of a workbook token by token.
type part struct {
	*bounded.XML
	name string
	row  int // of the sheet, that is being read; for errors
}

// token is one of a start, an end, or a text.
type token struct {
	start *xml.StartElement
	end   bool
	text  []byte // the part's until the next token
}

func newPart(name string, r io.Reader) *part {
	return &part{XML: bounded.NewXML(r, maxToken, maxDepth), name: name}
}

// each calls take with every token. At a start its element is the innermost, and
// at an end it is so still.
func (p *part) each(take func(*part, token) error) error {
	for {
		raw, err := p.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return p.damaged(err)
		}
		var t token
		switch raw := raw.(type) {
		case xml.StartElement:
			t.start = &raw
		case xml.EndElement:
			t.end = true
		case xml.CharData:
			t.text = raw
		}
		if err := take(p, t); err != nil {
			return err
		}
	}
}

// damaged says where the part ends to be what it should.
func (p *part) damaged(err error) error {
	if errors.Is(err, bounded.ErrFull) || p.row == 0 {
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
