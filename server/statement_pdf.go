package server

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"codeberg.org/go-pdf/fpdf"

	"esnaf/store/money"
	"esnaf/store/trade"
	"esnaf/ubl/font"
)

// The words of the paper.
var (
	wordTitle   = trade.Phrase{"Statement of account", "Hesap ekstresi"}
	wordPeriod  = trade.Phrase{"Period", "Dönem"}
	wordMade    = trade.Phrase{"Made on", "Düzenlenme tarihi"}
	wordTaxNo   = trade.Phrase{"Tax number", "Vergi no"}
	wordClosing = trade.Phrase{"Closing balance", "Kapanış bakiyesi"}
	wordPage    = trade.Phrase{"Page", "Sayfa"}
)

// paperColumn is a column on paper; the widths, in millimetres, fill a line.
type paperColumn struct {
	title trade.Phrase
	width float64
	align string // L or R
}

var paperColumns = []paperColumn{
	{trade.Phrase{"Date", "Tarih"}, 20, "L"},
	{trade.Phrase{"Description", "Açıklama"}, 33, "L"},
	{trade.Phrase{"Number", "Belge no"}, 35, "L"},
	{trade.Phrase{"", ""}, 11, "L"},
	{trade.Phrase{"Debit", "Borç"}, 27, "R"},
	{trade.Phrase{"Credit", "Alacak"}, 27, "R"},
	{trade.Phrase{"Balance", "Bakiye"}, 27, "R"},
}

// Measures of the paper in millimetres; it is A4, 210 wide.
const (
	paperMargin = 15.0
	lineWidth   = 180.0
	lineHeight  = 5.0
)

// fontName is what the fonts are called within a file.
const fontName = "DejaVu"

// pdf is the statement on paper. It follows from the statement, the language and the
// moment alone.
func (p *printout) pdf() ([]byte, error) {
	d := fpdf.New("P", "mm", "A4", "")
	d.SetCreationDate(p.now)
	d.SetModificationDate(p.now)
	d.SetCatalogSort(true)
	d.SetProducer("esnaf", true)
	d.SetTitle(printable(wordTitle[p.lang]+", "+p.holder.name), true)
	d.SetLang([]string{"en", "tr"}[p.lang])
	d.SetMargins(paperMargin, paperMargin, paperMargin)
	d.SetAutoPageBreak(true, paperMargin+lineHeight)
	d.AddUTF8FontFromBytes(fontName, "", font.Regular())
	d.AddUTF8FontFromBytes(fontName, "B", font.Bold())
	d.SetHeaderFunc(func() {
		if d.PageNo() == 1 {
			p.heading(d)
		}
		d.SetFont(fontName, "B", 8)
		titles := make([]string, len(paperColumns))
		for i, c := range paperColumns {
			titles[i] = c.title[p.lang]
		}
		printRow(d, "B", titles...)
	})
	d.SetFooterFunc(func() {
		d.SetY(-paperMargin)
		d.SetFont(fontName, "", 7)
		d.CellFormat(0, lineHeight, fmt.Sprintf("%s %d / {nb}", wordPage[p.lang], d.PageNo()), "", 0, "L", false, 0, "")
	})
	d.AliasNbPages("{nb}")
	d.AddPage()
	p.body(d)
	var file bytes.Buffer
	err := d.Output(&file)
	return file.Bytes(), err
}

// heading tells whose statement it is, by whom, of when.
func (p *printout) heading(d *fpdf.Fpdf) {
	line := func(style string, size float64, text string) {
		if text != "" {
			d.SetFont(fontName, style, size)
			d.CellFormat(0, size*0.55, fitting(d, text, lineWidth-2), "", 1, "L", false, 0, "")
		}
	}
	s := p.seller
	line("B", 11, s.Name)
	line("", 8, spaced(s.Address, s.PostalCode, s.District, s.City))
	line("", 8, spaced(s.TaxOffice, wordTaxNo[p.lang]+": "+s.TaxNumber))
	d.Ln(lineHeight)
	line("B", 14, wordTitle[p.lang])
	line("", 10, p.holder.kind[p.lang]+": "+p.holder.name)
	line("", 8, p.holder.detail)
	if p.s.From != "" || p.s.To != "" {
		line("", 8, wordPeriod[p.lang]+": "+p.day(p.s.From)+" – "+p.day(p.s.To))
	}
	line("", 8, wordMade[p.lang]+": "+p.day(trade.DateOf(p.now.In(s.Zone()))))
	d.Ln(lineHeight)
}

// body is the rows, and at the end what those of each currency come to.
func (p *printout) body(d *fpdf.Fpdf) {
	debit, credit := map[string]money.Amount{}, map[string]money.Amount{}
	d.SetFont(fontName, "", 8)
	for _, l := range p.lines() {
		printRow(d, "", p.day(l.Date), l.Description, l.Number, l.Currency, p.sum(l.Debit), p.sum(l.Credit), p.amount(l.Balance))
		debit[l.Currency] = plus(debit[l.Currency], l.Debit)
		credit[l.Currency] = plus(credit[l.Currency], l.Credit)
	}
	d.SetFont(fontName, "B", 8)
	for _, b := range p.s.Closing {
		printRow(d, "T", p.day(p.s.To), wordClosing[p.lang], "", b.Currency, p.sum(debit[b.Currency]), p.sum(credit[b.Currency]), p.amount(b.Amount))
	}
}

// printRow prints the cells of one row with a border, which is a side or none. What
// does not fit is cut in a text and smaller in an amount, which must stay whole.
func printRow(d *fpdf.Fpdf, border string, cells ...string) {
	normal, _ := d.GetFontSize()
	for i, c := range paperColumns {
		room, text := c.width-2, cells[i]
		if c.align == "L" {
			text = fitting(d, text, room)
		} else if w := d.GetStringWidth(text); w > room {
			d.SetFontSize(normal * room / w)
		}
		d.CellFormat(c.width, lineHeight, text, border, 0, c.align, false, 0, "")
		d.SetFontSize(normal)
	}
	d.Ln(lineHeight)
}

// fitting is text as it can be printed on so many millimetres, cut where it does
// not fit.
func fitting(d *fpdf.Fpdf, text string, width float64) string {
	text = printable(text)
	if d.GetStringWidth(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && d.GetStringWidth(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// printable replaces what the library cannot print: beyond the first plane of
// Unicode it fails.
func printable(text string) string {
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

// spaced joins what there is of parts.
func spaced(parts ...string) string {
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// day is a date as people write it.
func (p *printout) day(d trade.Date) string {
	if p.lang == trade.Turkish && d != "" {
		return string(d[8:] + "." + d[5:7] + "." + d[:4])
	}
	return string(d)
}

// plus is a + b, and -1 from where on an amount cannot hold it.
func plus(a, b money.Amount) money.Amount {
	if sum, ok := a.Add(b); ok && a >= 0 {
		return sum
	}
	return -1
}

// sum is what plus came to, or nothing for none.
func (p *printout) sum(a money.Amount) string {
	if a <= 0 {
		return ""
	}
	return p.amount(a)
}

// amount is an amount with its thousands apart: 1.234,50 in Turkish, 1,234.50 in
// English.
func (p *printout) amount(a money.Amount) string {
	group, point := ",", "."
	if p.lang == trade.Turkish {
		group, point = ".", ","
	}
	whole, part, _ := strings.Cut(a.String(), ".")
	digits, minus := strings.CutPrefix(whole, "-")
	out := point + part
	for ; len(digits) > 3; digits = digits[:len(digits)-3] {
		out = group + digits[len(digits)-3:] + out
	}
	if minus {
		digits = "-" + digits
	}
	return digits + out
}
