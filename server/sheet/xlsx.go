package sheet

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What Excel can hold.
const (
	excelRows    = 1 << 20
	excelColumns = 1 << 14
	excelCell    = 32_767 // characters
)

// readXLSX reads the first sheet of a workbook. Numbers are taken as they are
// stored, not as they are shown: how many decimals are seen, and with which signs
// between them, is a matter of taste.
//
// The library that writes workbooks reads a damaged one up to the damage, and says
// nothing; it does not tell an error from a text either. So they are read here, in
// one walk that keeps nothing but the table.
func readXLSX(file io.ReaderAt, size int64, limits Limits) (*Table, error) {
	b, err := openBook(file, size)
	if err != nil {
		return nil, err
	}
	sheet, names, err := b.firstSheet()
	if err != nil {
		return nil, err
	}
	s := &sheetReader{table: &Table{limits: limits}}
	if names != "" {
		texts := textReader{limits: limits}
		if err := b.each(names, texts.take); err != nil {
			return nil, err
		}
		s.texts, s.table.held = texts.list, texts.size
	}
	if err := b.each(sheet, s.take); err != nil {
		return nil, err
	}
	return s.table, b.rest()
}

// textReader reads the texts that cells name by number (ECMA-376 part 1, 18.4).
type textReader struct {
	limits Limits
	list   []string
	size   int // bytes in memory
	text   []byte
}

func (r *textReader) take(p *part, t token) error {
	switch {
	case t.start != nil && p.At("si"):
		r.text = r.text[:0]
	case t.text != nil && (p.At("si", "t") || p.At("si", "r", "t")): // rPh tells how it is spoken
		if r.text = append(r.text, t.text...); len(r.text) > excelCell*utf8.UTFMax {
			return bad(fmt.Sprintf("a text has more than %d characters", excelCell), fmt.Sprintf("bir metin %d karakterden uzun", excelCell))
		}
	case t.end && p.At("si"):
		text := clean(unescaped(string(r.text)))
		if r.size += len(text) + header; r.size > r.limits.Bytes {
			return r.limits.tooMuch()
		}
		r.list = append(r.list, text)
	}
	return nil
}

// sheetReader reads the cells of a sheet (ECMA-376 part 1, 18.3).
type sheetReader struct {
	table *Table
	texts []string

	row     Row
	column  int    // of the cell, from 1; 0 before the first
	kind    string // what its value is, as the file says
	formula bool
	value   []byte
}

func (s *sheetReader) take(p *part, t token) error {
	switch {
	case t.start != nil:
		return s.open(p, t.start)
	case t.text != nil:
		if s.holdsValue(p) {
			if s.value = append(s.value, t.text...); len(s.value) > excelCell*utf8.UTFMax {
				return inRow(s.row.N, fmt.Sprintf("a cell has more than %d characters", excelCell), fmt.Sprintf("bir hücre %d karakterden uzun", excelCell))
			}
		}
	case p.At("sheetData", "row", "c"):
		return s.closeCell(p)
	case p.At("sheetData", "row"):
		return s.table.add(s.row)
	}
	return nil
}

// holdsValue tells whether a text is a cell's value, and not white space between
// elements, or a formula.
func (s *sheetReader) holdsValue(p *part) bool {
	switch p.Inside() {
	case "v":
		return p.At("sheetData", "row", "c", "v")
	case "t":
		return p.At("sheetData", "row", "c", "is", "t") || p.At("sheetData", "row", "c", "is", "r", "t")
	}
	return false
}

// open begins a row or a cell. Both may leave out where they are: then they stand
// behind the one before. What is out of its order would hide what it stands on.
func (s *sheetReader) open(p *part, e *xml.StartElement) error {
	switch {
	case p.At("sheetData", "row"):
		n := s.row.N + 1
		if r := attr(e, "r"); r != "" {
			n, _ = strconv.Atoi(r)
		}
		if n <= s.row.N || n > excelRows {
			return p.damaged(nil)
		}
		s.row, s.column, p.row = Row{N: n, Cells: s.row.Cells[:0], kinds: s.row.kinds[:0]}, 0, n
	case p.At("sheetData", "row", "c"):
		column := s.column + 1
		if r := attr(e, "r"); r != "" {
			column = columnOf(r, s.row.N)
		}
		if column <= s.column || column > excelColumns {
			return p.damaged(nil)
		}
		s.column, s.kind, s.formula, s.value = column, attr(e, "t"), false, s.value[:0]
	case p.At("sheetData", "row", "c", "f"):
		s.formula = true
	}
	return nil
}

// closeCell reads what stands in a cell.
func (s *sheetReader) closeCell(p *part) error {
	text, kind := string(s.value), Plain
	switch {
	case s.kind == "e":
		if kind = Failed; text == "" {
			text = "#ERROR"
		}
	case text == "":
		if s.formula && s.kind != "str" { // whoever wrote it did not reckon
			text, kind = "=", Failed
		}
	case s.kind == "s":
		i, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || i < 0 || i >= len(s.texts) {
			return p.damaged(nil) // whatever stood there is lost
		}
		text = s.texts[i]
	case s.kind == "b":
		text, kind = map[string]string{"1": "TRUE", "0": "FALSE", "true": "TRUE", "false": "FALSE"}[strings.TrimSpace(text)], Boolean
		if text == "" {
			return p.damaged(nil)
		}
	case s.kind == "str", s.kind == "inlineStr":
		text = unescaped(text)
	case (s.kind == "" || s.kind == "n") && strings.TrimSpace(text) != "":
		kind = Number
	}
	if text != "" {
		s.put(text, kind)
	}
	return nil
}

// put puts a cell that is not empty in its place in the row.
func (s *sheetReader) put(text string, kind Kind) {
	for len(s.row.Cells) < s.column-1 {
		s.row.Cells = append(s.row.Cells, "")
	}
	s.row.Cells = append(s.row.Cells, text)
	if kind != Plain {
		s.row.kinds = append(s.row.kinds, make([]Kind, s.column-len(s.row.kinds))...)
		s.row.kinds[s.column-1] = kind
	}
}

// columnOf reads where a cell is: C7 is in the third column of row 7. 0 is a place
// that is none, or in another row.
func columnOf(place string, row int) (column int) {
	letters := strings.TrimRight(place, "0123456789")
	if n, err := strconv.Atoi(place[len(letters):]); err != nil || n != row || len(letters) > 3 {
		return 0
	}
	for _, c := range strings.ToUpper(letters) {
		if c < 'A' || c > 'Z' {
			return 0
		}
		column = column*26 + int(c-'A') + 1
	}
	return column
}

// unescaped is a text in which _x000D_ and the like stand for the characters that
// XML cannot hold (ECMA-376 part 1, 22.9.2.19).
func unescaped(s string) string {
	var out strings.Builder
	for {
		at := strings.Index(s, "_x")
		if at < 0 {
			break
		}
		out.WriteString(s[:at])
		s = s[at:]
		code, err := uint64(0), strconv.ErrSyntax
		if len(s) >= 7 && s[6] == '_' {
			code, err = strconv.ParseUint(s[2:6], 16, 16)
		}
		if err != nil {
			out.WriteString(s[:2])
			s = s[2:]
			continue
		}
		out.WriteRune(rune(code))
		s = s[7:]
	}
	if out.Len() == 0 {
		return s
	}
	return out.String() + s
}
