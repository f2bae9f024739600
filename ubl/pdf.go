package ubl

import (
	"esnaf/store/trade"
	"esnaf/ubl/paper"
)

// noteColumns are those of the goods; they fill a line.
var noteColumns = []paper.Column{
	{Title: "No", Width: 10, Align: "R"},
	{Title: "Kod", Width: 32, Align: "L"},
	{Title: "Malın cinsi", Width: 88, Align: "L"},
	{Title: "Miktar", Width: 28, Align: "R"},
	{Title: "Birim", Width: 22, Align: "L"},
}

// factColumns are those of what is said of the journey.
var factColumns = []paper.Column{{Width: 35, Align: "L"}, {Width: 145, Align: "L"}}

// DespatchPDF is the despatch note of s on A4 paper, in Turkish: the sheet that
// travels with the goods (VUK 230/5). The same record gives the same bytes. s must be
// frozen, otherwise the error is a Conflict.
func DespatchPDF(s *trade.Shipment) ([]byte, error) {
	n, err := noteOf(s)
	if err != nil {
		return nil, err
	}
	inTable := false // a page that begins in it repeats its head
	d := paper.New(s.UpdatedAt.Time(), "tr", n.Title+" "+n.Number, "Sayfa", func(d paper.Sheet) {
		if inTable {
			d.Letters("B", 8)
			d.Titles(noteColumns)
		}
	})
	d.AddPage()
	d.Say("B", 16, n.Title)
	d.Ln(paper.Line / 2)
	printParty(d, "Gönderen", n.Seller)
	printParty(d, "Alıcı", n.Buyer)
	d.Letters("", 8)
	for _, f := range n.Facts {
		d.Wrapped(factColumns, "", f.Label, f.Text)
	}
	d.Ln(paper.Line)
	d.Letters("B", 8)
	d.Titles(noteColumns)
	d.Letters("", 8)
	inTable = true // from here, not before: the first head is printed above
	for _, g := range n.Goods {
		name := g.Name
		if g.Pieces != "" {
			name += "\n" + g.Pieces
		}
		d.Wrapped(noteColumns, "B", g.No, g.Code, name, g.Quantity, g.Unit)
	}
	inTable = false
	printEnd(d, n)
	return d.Bytes()
}

// printParty prints the seller or the buyer. Names may be long, and none may be cut:
// the paper must say whose goods these are.
func printParty(d paper.Sheet, role string, lines []string) {
	d.Say("", 7, role)
	for i, line := range lines {
		style := ""
		if i == 0 {
			style = "B"
		}
		d.Letters(style, 9)
		d.Wrapped([]paper.Column{{Width: paper.Width, Align: "L"}}, "", line)
	}
	d.Ln(paper.Line / 2)
}

// printEnd prints the notes, the hint and the places for signatures.
func printEnd(d paper.Sheet, n *note) {
	whole := []paper.Column{{Width: paper.Width, Align: "L"}}
	d.Ln(paper.Line)
	d.Letters("", 8)
	if !blank(n.Notes) {
		d.Wrapped(whole, "", n.Notes)
	}
	d.Letters("", 7)
	d.Wrapped(whole, "", n.Hint)
	d.Ln(paper.Line)
	d.Row([]paper.Column{{Width: paper.Width / 2, Align: "L"}, {Width: paper.Width / 2, Align: "L"}}, "T", n.Signers[0], n.Signers[1])
}
