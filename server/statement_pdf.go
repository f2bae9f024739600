package server

import (
	"strings"

	"esnaf/store/money"
	"esnaf/store/trade"
	"esnaf/ubl/paper"
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

// paperColumns are the columns on paper in the language.
func paperColumns(lang trade.Lang) []paper.Column {
	return []paper.Column{
		{Title: trade.Phrase{"Date", "Tarih"}[lang], Width: 20, Align: "L"},
		{Title: trade.Phrase{"Description", "Açıklama"}[lang], Width: 33, Align: "L"},
		{Title: trade.Phrase{"Number", "Belge no"}[lang], Width: 35, Align: "L"},
		{Width: 11, Align: "L"},
		{Title: trade.Phrase{"Debit", "Borç"}[lang], Width: 27, Align: "R"},
		{Title: trade.Phrase{"Credit", "Alacak"}[lang], Width: 27, Align: "R"},
		{Title: trade.Phrase{"Balance", "Bakiye"}[lang], Width: 27, Align: "R"},
	}
}

// pdf is the statement on paper. It follows from the statement, the language and the
// moment alone.
func (p *printout) pdf() ([]byte, error) {
	columns := paperColumns(p.lang)
	s := paper.New(p.now, []string{"en", "tr"}[p.lang], wordTitle[p.lang]+", "+p.holder.name, wordPage[p.lang], func(s paper.Sheet) {
		if s.PageNo() == 1 {
			p.heading(s)
		}
		s.Letters("B", 8)
		s.Titles(columns)
	})
	s.AddPage()
	p.body(s, columns)
	return s.Bytes()
}

// heading tells whose statement it is, by whom, of when.
func (p *printout) heading(d paper.Sheet) {
	s := p.seller
	d.Say("B", 11, s.Name)
	d.Say("", 8, paper.Spaced(s.Address, s.PostalCode, s.District, s.City))
	d.Say("", 8, paper.Spaced(s.TaxOffice, wordTaxNo[p.lang]+": "+s.TaxNumber))
	d.Ln(paper.Line)
	d.Say("B", 14, wordTitle[p.lang])
	d.Say("", 10, p.holder.kind[p.lang]+": "+p.holder.name)
	d.Say("", 8, p.holder.detail)
	if p.s.From != "" || p.s.To != "" {
		d.Say("", 8, wordPeriod[p.lang]+": "+p.day(p.s.From)+" – "+p.day(p.s.To))
	}
	d.Say("", 8, wordMade[p.lang]+": "+p.day(trade.DateOf(p.now.In(s.Zone()))))
	d.Ln(paper.Line)
}

// body is the rows, and at the end what those of each currency come to.
func (p *printout) body(d paper.Sheet, columns []paper.Column) {
	debit, credit := map[string]money.Amount{}, map[string]money.Amount{}
	d.Letters("", 8)
	for _, l := range p.lines() {
		d.Row(columns, "", p.day(l.Date), l.Description, l.Number, l.Currency, p.sum(l.Debit), p.sum(l.Credit), p.amount(l.Balance))
		debit[l.Currency] = plus(debit[l.Currency], l.Debit)
		credit[l.Currency] = plus(credit[l.Currency], l.Credit)
	}
	d.Letters("B", 8)
	for _, b := range p.s.Closing {
		d.Row(columns, "T", p.day(p.s.To), wordClosing[p.lang], "", b.Currency, p.sum(debit[b.Currency]), p.sum(credit[b.Currency]), p.amount(b.Amount))
	}
}

// day is a date as people write it.
func (p *printout) day(d trade.Date) string {
	if p.lang == trade.Turkish {
		return d.Dotted()
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
