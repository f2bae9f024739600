package store

import (
	"bytes"
	"slices"

	"esnaf/store/trade"
)

// lean is an invoice before and after it was paid or became overdue. Its lines have
// nothing to do with that: they are neither read nor written anew, but left as they are
// stored, so that a thousand invoices with a thousand lines do not hold the writer.
type lean struct {
	old, now trade.Invoice // without lines
	was      []byte        // the document before, without lines
	lines    []byte        // JSON
}

func (v *View) leanInvoice(id string) (*lean, error) {
	d, err := Invoices.stored(v, id)
	if err != nil {
		return nil, err
	}
	l := &lean{}
	l.was, l.lines = cutLines(d.JSON)
	if err := decode(l.was, &l.old); err != nil {
		return nil, err
	}
	l.now = l.old
	return l, nil
}

// store writes the invoice as it is now, and tells the old values of what has changed.
func (l *lean) store(tx *Tx) (doc Doc, previous string, err error) {
	tx.follow(&l.old.Meta, &l.now.Meta)
	is, err := encode(&l.now)
	if err != nil {
		return doc, "", err
	}
	doc, err = Invoices.putDoc(tx, &l.old, &l.now, putLines(is, l.lines))
	return doc, changed(l.was, is), err
}

// linesOf is where the lines of a document stand, as encode wrote it; nothing where it
// has none.
func linesOf(doc []byte) (start, end int) {
	for i := 1; i < len(doc) && doc[i] == '"'; i++ { // from quote to quote; i++ passes the comma
		name := bytes.IndexByte(doc[i+1:], '"')
		if name < 0 {
			break
		}
		start = i + name + 3
		if start > len(doc) {
			break
		}
		end = start + valueEnd(doc[start:])
		if string(doc[i+1:i+1+name]) == "lines" {
			return start, end
		}
		i = end
	}
	return 0, 0
}

// cutLines takes the lines out of a document; the rest has an empty list in their place.
func cutLines(doc []byte) (rest, lines []byte) {
	start, end := linesOf(doc)
	if start == end {
		return doc, nil
	}
	return slices.Concat(doc[:start], []byte("[]"), doc[end:]), doc[start:end]
}

// putLines puts back what cutLines took out.
func putLines(rest, lines []byte) []byte {
	start, end := linesOf(rest)
	if lines == nil || start == end {
		return rest
	}
	return slices.Concat(rest[:start], lines, rest[end:])
}
