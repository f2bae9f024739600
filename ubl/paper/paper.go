// Package paper prints documents for people as PDF: what every sheet of ours has in
// common. The same calls give the same bytes.
package paper

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"codeberg.org/go-pdf/fpdf"

	"esnaf/ubl/font"
)

// Measures in millimetres; the sheet is A4, 210 wide.
const (
	Margin = 15.0
	Width  = 180.0 // between the margins
	Line   = 5.0   // height of a row
)

// Sheet is a document while it is printed.
type Sheet struct{ *fpdf.Fpdf }

// fontName is what the fonts are called within a file.
const fontName = "DejaVu"

// New is a document made at the moment made, in the language lang (en or tr), with
// the word page for "page" at the foot of each. head prints what stands on top of
// every page; the first is begun by AddPage.
func New(made time.Time, lang, title, page string, head func(s Sheet)) Sheet {
	s := Sheet{fpdf.New("P", "mm", "A4", "")}
	s.SetCreationDate(made)
	s.SetModificationDate(made)
	s.SetCatalogSort(true)
	s.SetProducer("esnaf", true)
	s.SetTitle(Printable(title), true)
	s.SetLang(lang)
	s.SetMargins(Margin, Margin, Margin)
	s.SetAutoPageBreak(true, Margin+Line)
	s.AddUTF8FontFromBytes(fontName, "", font.Regular())
	s.AddUTF8FontFromBytes(fontName, "B", font.Bold())
	s.SetHeaderFunc(func() { head(s) })
	s.SetFooterFunc(func() {
		s.SetY(-Margin)
		s.Letters("", 7)
		s.CellFormat(0, Line, fmt.Sprintf("%s %d / {nb}", page, s.PageNo()), "", 0, "L", false, 0, "")
	})
	s.AliasNbPages("{nb}")
	return s
}

// Bytes is the finished file.
func (s Sheet) Bytes() ([]byte, error) {
	var file bytes.Buffer
	err := s.Output(&file)
	return file.Bytes(), err
}

// Letters sets what follows in a style ("" or "B" for bold) of so many points.
func (s Sheet) Letters(style string, points float64) { s.SetFont(fontName, style, points) }

// Say prints one line of text, cut where it does not fit; nothing for no text.
func (s Sheet) Say(style string, points float64, text string) {
	if text != "" {
		s.Letters(style, points)
		s.CellFormat(0, points*0.55, s.Fitting(text, Width-2), "", 1, "L", false, 0, "")
	}
}

// Column is one of a table; the widths, in millimetres, fill a line.
type Column struct {
	Title string
	Width float64
	Align string // L or R
}

// Titles prints the head of a table.
func (s Sheet) Titles(columns []Column) {
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = c.Title
	}
	s.Row(columns, "B", titles...)
}

// Row prints the cells of one row with a border, which is a side or none. What does
// not fit is cut in a text and smaller in a number, which must stay whole.
func (s Sheet) Row(columns []Column, border string, cells ...string) {
	normal, _ := s.GetFontSize()
	for i, c := range columns {
		room, text := c.Width-2, cells[i]
		if c.Align == "L" {
			text = s.Fitting(text, room)
		} else if w := s.GetStringWidth(text); w > room {
			s.SetFontSize(normal * room / w)
		}
		s.CellFormat(c.Width, Line, text, border, 0, c.Align, false, 0, "")
		s.SetFontSize(normal)
	}
	s.Ln(Line)
}

// Wrapped prints a row whose texts go on in further lines where they do not fit, over
// the end of a page if need be. The last line of the row has the border.
func (s Sheet) Wrapped(columns []Column, border string, cells ...string) {
	parts, lines := make([][]string, len(cells)), 1
	for i, c := range columns {
		parts[i] = []string{cells[i]}
		if c.Align == "L" {
			parts[i] = s.wrap(cells[i], c.Width-2)
		}
		lines = max(lines, len(parts[i]))
	}
	for n := range lines {
		row := make([]string, len(cells))
		for i := range parts {
			if n < len(parts[i]) {
				row[i] = parts[i][n]
			}
		}
		side := ""
		if n == lines-1 {
			side = border
		}
		s.Row(columns, side, row...)
	}
}

// wrap splits text into lines of so many millimetres, between words where there is
// one and within a word that is longer than a line.
func (s Sheet) wrap(text string, width float64) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, word := range strings.Fields(Printable(paragraph)) {
			next := Spaced(line, word)
			if s.GetStringWidth(next) <= width {
				line = next
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			for line = word; utf8.RuneCountInString(line) > 1 && s.GetStringWidth(line) > width; {
				cut := s.fits(line, width)
				lines = append(lines, line[:cut])
				line = line[cut:]
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// fits is how many bytes of text go into so many millimetres: whole letters, and at
// least one.
func (s Sheet) fits(text string, width float64) int {
	_, n := utf8.DecodeRuneInString(text)
	for i := range text {
		if s.GetStringWidth(text[:i]) > width {
			break
		}
		n = max(n, i)
	}
	return n
}

// Fitting is text as it can be printed on so many millimetres, cut where it does not
// fit.
func (s Sheet) Fitting(text string, width float64) string {
	text = Printable(text)
	if s.GetStringWidth(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && s.GetStringWidth(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// Printable replaces what the library cannot print: beyond the first plane of
// Unicode it fails.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case r > 0xffff:
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// Spaced joins what there is of parts.
func Spaced(parts ...string) string {
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}
