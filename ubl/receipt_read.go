package ubl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// ParseReceipt reads an answer to a despatch note (irsaliye yanıtı, ReceiptAdvice).
// It comes from a stranger's program: its size is bounded as of any document, it must
// fit the schema, and every line must say how much came. Whether it belongs to a note
// of ours trade.Shipment.Receive judges. The error is a sentence for people.
func ParseReceipt(doc []byte) (trade.ReceiptAnswer, error) {
	root, err := parse(doc)
	if err != nil {
		return trade.ReceiptAnswer{}, err
	}
	if root.name != "ReceiptAdvice" {
		return trade.ReceiptAnswer{}, errors.New("the document is no ReceiptAdvice of UBL 2.1")
	}
	// Not the rules: an answer with a wrong unit or name is still the buyer's word.
	c := &checker{root: root}
	if c.structure(root); len(c.found) > 0 {
		return trade.ReceiptAnswer{}, fmt.Errorf("%s: %s", c.found[0].Path, c.found[0].Message)
	}
	a := trade.ReceiptAnswer{
		Number: root.word("cbc:ID"), ETTN: root.word("cbc:UUID"),
		IssueDate: trade.Date(root.word("cbc:IssueDate")), IssueTime: root.word("cbc:IssueTime"),
		DeliveryDate: trade.Date(root.word("cac:Shipment", "cac:Delivery", "cbc:ActualDeliveryDate")),
		DeliveryTime: root.word("cac:Shipment", "cac:Delivery", "cbc:ActualDeliveryTime"),
		Buyer:        partyOf(root.find("cac:DeliveryCustomerParty", "cac:Party")),
		Seller:       partyOf(root.find("cac:DespatchSupplierParty", "cac:Party")),
	}
	for _, n := range root.all("cbc:Note") {
		a.Notes = append(a.Notes, n.value())
	}
	readNote(root, &a)
	for _, n := range root.all("cac:ReceiptLine") {
		l, err := receiptLineOf(n)
		if err != nil {
			return trade.ReceiptAnswer{}, fmt.Errorf("%s: %w", n.path(), err)
		}
		a.Lines = append(a.Lines, l)
	}
	return a, nil
}

// readNote finds which note is answered. The tax office's samples name it by its UUID
// and, in a second reference, by its number; some programs put the number first.
func readNote(root *node, a *trade.ReceiptAnswer) {
	note := root.find("cac:DespatchDocumentReference")
	a.DespatchDate = trade.Date(note.word("cbc:IssueDate"))
	if id := note.word("cbc:ID"); trade.ValidUUID(id) {
		a.DespatchETTN = id
	} else {
		a.DespatchNumber = id
	}
	for _, d := range root.all("cac:AdditionalDocumentReference") {
		if d.word("cbc:DocumentTypeCode") == noteNumber && a.DespatchNumber == "" {
			a.DespatchNumber = d.word("cbc:ID")
		}
	}
}

// receiptLineOf reads one line. Where it does not say which line of the note it is
// about, its own number has to do.
func receiptLineOf(n *node) (l trade.ReceiptLine, err error) {
	line := n.word("cac:DespatchLineReference", "cbc:LineID")
	if line == "" {
		line = n.word("cbc:ID")
	}
	if l.Line, err = strconv.Atoi(line); err != nil {
		return l, fmt.Errorf("%q is not the number of a line", line)
	}
	received := n.find("cbc:ReceivedQuantity")
	if received == nil {
		return l, errors.New("it does not say how much came (cbc:ReceivedQuantity)")
	}
	l.Unit, _ = received.attr("unitCode")
	l.Name = n.get("cac:Item", "cbc:Name")
	l.TimingComplaint = n.get("cbc:TimingComplaint")
	var reasons []string
	for _, r := range n.all("cbc:RejectReason") {
		reasons = append(reasons, r.value())
	}
	l.RejectReason = strings.Join(reasons, "; ")
	for _, q := range []struct {
		name string
		to   *money.Quantity
	}{
		{"cbc:ReceivedQuantity", &l.Received},
		{"cbc:RejectedQuantity", &l.Rejected},
		{"cbc:ShortQuantity", &l.Short},
		{"cbc:OversupplyQuantity", &l.Oversupply},
	} {
		text := n.word(q.name)
		if text == "" {
			continue
		}
		if *q.to, err = money.ParseQuantity(text); err != nil {
			return l, fmt.Errorf("%s %q: %w", q.name, text, err)
		}
	}
	return l, nil
}

// partyOf reads what a party is. Of two numbers the company's counts.
func partyOf(p *node) trade.Party {
	address := p.find("cac:PostalAddress")
	read := trade.Party{
		PersonType: trade.LegalPerson, Name: p.get("cac:PartyName", "cbc:Name"),
		TaxOffice: p.get("cac:PartyTaxScheme", "cac:TaxScheme", "cbc:Name"),
		Address:   address.get("cbc:StreetName"), District: address.get("cbc:CitySubdivisionName"), City: address.get("cbc:CityName"),
		PostalCode: address.get("cbc:PostalZone"), Country: address.word("cac:Country", "cbc:IdentificationCode"),
		Phone: p.get("cac:Contact", "cbc:Telephone"), Email: p.get("cac:Contact", "cbc:ElectronicMail"),
		FirstName: p.get("cac:Person", "cbc:FirstName"), LastName: p.get("cac:Person", "cbc:FamilyName"),
	}
	vkn, tckn := taxIDs(p)
	for _, id := range append(tckn, vkn...) {
		read.TaxNumber = id.word()
	}
	if len(read.TaxNumber) == personLength {
		read.PersonType = trade.NaturalPerson
	}
	if read.Name == "" {
		read.Name = joined(" ", read.FirstName, read.LastName)
	}
	return read
}

// word is get without the space around it.
func (n *node) word(path ...string) string { return strings.TrimSpace(n.get(path...)) }
