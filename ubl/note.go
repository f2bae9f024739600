package ubl

import (
	"fmt"
	"slices"
	"strings"

	"esnaf/store/trade"
)

// note is what a despatch note says to people, in Turkish: what the law wants on the
// paper that travels with the goods (VUK 230/5). Page and PDF show the same.
type note struct {
	Title   string
	Number  string
	Seller  []string // name first
	Buyer   []string
	Facts   []fact // about the document and the journey
	Goods   []goods
	Notes   string
	Hint    string // what the reader should know of the paper
	Signers [2]string
}

// fact is one labelled saying.
type fact struct{ Label, Text string }

// goods is one row of the table.
type goods struct{ No, Code, Name, Pieces, Quantity, Unit string }

// noteOf puts s into words. Facts that there are none of are left out.
func noteOf(s *trade.Shipment) (*note, error) {
	if s.Seller == nil || s.Buyer == nil {
		return nil, trade.NotPossible("print", string(s.Status))
	}
	n := &note{
		Title: "e-İrsaliye", Number: s.Number, Seller: partyLines(s.Seller), Buyer: partyLines(s.Buyer), Notes: s.Notes,
		Hint:    "Bu belge, elektronik sevk irsaliyesinin (e-İrsaliye) kâğıt görüntüsüdür; malla birlikte taşınır (VUK 230/5).",
		Signers: [2]string{"Teslim eden", "Teslim alan"},
	}
	if s.Status == trade.ShipmentCancelled {
		n.Hint = "Bu irsaliye iptal edilmiştir."
	}
	n.say("İrsaliye no", s.Number)
	n.say("ETTN", s.ETTN)
	n.say("Senaryo ve tip", string(s.Profile)+" "+string(s.DespatchType))
	n.say("Düzenleme tarihi", s.IssueDate.Dotted()+" "+s.IssueTime)
	n.say("Fiili sevk tarihi", s.DespatchDate.Dotted()+" "+s.DespatchTime)
	if p := s.Printed; p != nil {
		n.say("Matbu irsaliye", p.FullNumber()+" / "+p.Date.Dotted())
	}
	if s.OrderNumber != "" {
		n.say("Sipariş", s.OrderNumber+" / "+s.OrderDate.Dotted())
	}
	n.journey(s)
	if s.GoodsValue != nil {
		n.say("Mal bedeli", string(appendTurkish(nil, *s.GoodsValue))+" "+s.Currency)
	}
	for i := range s.Lines {
		n.Goods = append(n.Goods, goodsOf(i, &s.Lines[i]))
	}
	return n, nil
}

// say adds a fact, unless it says nothing.
func (n *note) say(label, text string) {
	if !blank(text) {
		n.Facts = append(n.Facts, fact{label, strings.TrimSpace(text)})
	}
}

// journey tells where the goods go, by whom and in what.
func (n *note) journey(s *trade.Shipment) {
	if a := s.DeliveryAddress; a != nil {
		n.say("Teslim yeri", joined(", ", a.Name, a.Address, joined(" ", a.PostalCode, a.District), a.City, abroad(a.Country)))
	}
	if c := s.Carrier; c != nil {
		n.say("Taşıyıcı", joined(", ", c.Name, taxScheme(c.TaxNumber)+" "+c.TaxNumber, c.District, c.City))
	}
	n.say("Araç plakası", s.Plate)
	n.say("Dorse plakası", strings.Join(s.TrailerPlates, ", "))
	var drivers []string
	for _, d := range s.Drivers {
		drivers = append(drivers, fmt.Sprintf("%s %s (TCKN %s)", d.FirstName, d.LastName, d.NationalID))
	}
	n.say("Şoför", strings.Join(drivers, ", "))
}

// partyLines is a party as the head of a letter has it.
func partyLines(p *trade.Party) []string {
	name := p.Name
	if blank(name) {
		name = joined(" ", p.FirstName, p.LastName)
	}
	office := ""
	if !blank(p.TaxOffice) {
		office = p.TaxOffice + " V.D."
	}
	lines := []string{
		name, p.Address, joined(" ", p.PostalCode, joined(" / ", p.District, p.City), abroad(p.Country)),
		joined(" ", office, taxScheme(p.TaxNumber)+": "+p.TaxNumber), joined(" ", p.Phone, p.Email),
	}
	return slices.DeleteFunc(lines, blank)
}

// goodsOf is the row of line i.
func goodsOf(i int, l *trade.ShipmentLine) goods {
	var pieces []string
	if l.LotNo != "" {
		lot := "Parti " + l.LotNo
		if l.ExpiryDate != "" {
			lot += " (SKT " + l.ExpiryDate.Dotted() + ")"
		}
		pieces = append(pieces, lot)
	}
	if len(l.SerialNos) > 0 {
		pieces = append(pieces, "Seri no "+strings.Join(l.SerialNos, ", "))
	}
	return goods{
		No: fmt.Sprint(i + 1), Code: l.Code, Name: l.Name, Pieces: strings.Join(pieces, "; "),
		Quantity: string(appendTurkish(nil, l.Quantity)), Unit: unitName(l.Unit),
	}
}

// joined joins what there is of parts.
func joined(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, blank), between)
}

// abroad is the name of a country, "" of Turkey.
func abroad(country string) string {
	if country == "TR" {
		return ""
	}
	return countryName(country)
}
