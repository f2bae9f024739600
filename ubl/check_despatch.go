package ubl

import (
	"strings"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// despatchRules judges everything of a despatch note but its sums.
func (c *checker) despatchRules() {
	r := c.root
	c.identity()
	c.judged(r.find("cbc:ProfileID"), "ProfileIDTypeDespatchAdvice-1", string(trade.TemelIrsaliye), despatchProfiles)
	c.number()
	c.despatchType()
	c.dates()
	c.codes()
	c.signature()
	c.party(r.find("cac:DespatchSupplierParty", "cac:Party"), false)
	c.party(r.find("cac:DeliveryCustomerParty", "cac:Party"), true)
	c.delivery()
	c.drivers()
	c.plates()
	for _, l := range r.all("cac:DespatchLine") {
		c.goods(l)
		if q := c.filled(l, "DeliveredQuantityCheck-1", "cbc:DeliveredQuantity"); q != nil {
			unit, _ := q.attr("unitCode")
			c.need(!blank(unit), q, "DeliveredQuantityCheck-2", "the attribute unitCode is missing")
		}
	}
}

// filled is the element down the path, which must be there with something in it; nil,
// with a finding, when it is not.
func (c *checker) filled(n *node, rule string, path ...string) *node {
	at := n
	for i, name := range path {
		next := at.find(name)
		if next == nil {
			c.add(at, rule, "it needs %s", strings.Join(path[i:], "/"))
			return nil
		}
		at = next
	}
	if at.blank() && len(at.kids) == 0 {
		c.add(at, rule, "it must not be blank")
		return nil
	}
	return at
}

// despatchType judges the type, and the printed note that a MATBUDAN is the copy of.
func (c *checker) despatchType() {
	kind := c.filled(c.root, "DespatchAdviceTypeCodeCheck-1", "cbc:DespatchAdviceTypeCode")
	if kind == nil {
		return
	}
	c.listed(kind, "DespatchAdviceTypeCodeCheck-1", "SEVK MATBUDAN")
	named := false
	for _, d := range c.root.all("cac:AdditionalDocumentReference") {
		named = named || !d.find("cbc:ID").blank()
	}
	c.need(kind.value() != string(trade.Matbudan) || named, kind, "DespatchAdviceTypeCodeCheck-2",
		"a MATBUDAN must name the printed note in cac:AdditionalDocumentReference")
}

// delivery judges where the goods go and when they leave. That they do not leave
// before the note was issued is the law's (VUK 230/5) and no rule of the schematron.
func (c *checker) delivery() {
	d := c.root.find("cac:Shipment", "cac:Delivery")
	if d == nil {
		d = c.root.find("cac:Shipment")
	}
	day := c.filled(d, "DespatchDateCheck-1", "cac:Despatch", "cbc:ActualDespatchDate")
	c.filled(d, "DespatchTimeCheck-1", "cac:Despatch", "cbc:ActualDespatchTime")
	c.filled(d, "DespatchAddressCheck-1", "cac:DeliveryAddress", "cbc:CitySubdivisionName")
	c.filled(d, "DespatchAddressCheck-2", "cac:DeliveryAddress", "cbc:CityName")
	c.filled(d, "DespatchAddressCheck-3", "cac:DeliveryAddress", "cac:Country", "cbc:Name")
	if zone := c.filled(d, "DespatchAddressCheck-4", "cac:DeliveryAddress", "cbc:PostalZone"); zone != nil {
		c.need(trade.ValidPostalCode(zone.value()), zone, "DespatchAddressCheck-4", "%q is not a Turkish postal code", zone.value())
	}
	if day != nil && c.root.get("cbc:DespatchAdviceTypeCode") == string(trade.Sevk) {
		issued := strings.TrimSpace(c.root.get("cbc:IssueDate"))
		c.need(strings.TrimSpace(day.value()) >= issued, day, "DESPATCH-BEFORE-ISSUE", "the goods left before the note was issued, on %s", issued)
	}
}

// drivers judges who drives, and who carries for others.
func (c *checker) drivers() {
	s := c.root.find("cac:Shipment")
	carrier := s.find("cac:Delivery", "cac:CarrierParty")
	drivers := stages(s, "cac:DriverPerson")
	c.need(len(drivers) > 0 || carrier != nil, s, "DespatchCarrierDriverCheck-1", "there must be a driver or a carrier")
	if carrier != nil {
		c.partyNumbers(carrier, false)
	}
	for _, d := range drivers {
		c.filled(d, "DespatchCarrierDriverCheck-2", "cbc:FirstName")
		c.filled(d, "DespatchCarrierDriverCheck-3", "cbc:FamilyName")
		id := c.filled(d, "DespatchCarrierDriverCheck-4", "cbc:NationalityID")
		if no := id.value(); len(no) == personLength {
			c.need(trade.IsTCKN(no) || trade.IsDummyTaxNumber(no), id, RuleCheckDigit, "the check digits of %q are wrong", no)
		}
	}
}

// stages lists what stands down the path in every stage of a shipment.
func stages(shipment *node, path ...string) []*node {
	var found []*node
	for _, s := range shipment.all("cac:ShipmentStage") {
		if at := s.find(path[:len(path)-1]...); at != nil {
			found = append(found, at.all(path[len(path)-1])...)
		}
	}
	return found
}

// plates judges the plates of the vehicle, which a driver must have, and of its
// trailers.
func (c *checker) plates() {
	s := c.root.find("cac:Shipment")
	usable := false
	for _, p := range stages(s, "cac:TransportMeans", "cac:RoadTransport", "cbc:LicensePlateID") {
		scheme, _ := p.attr("schemeID")
		usable = usable || isListed(scheme, "PLAKA YABANCIPLAKA") && !p.blank()
		c.plate(p, "LicensePlateIDSchemeIDCheck-", "PLAKA", "YABANCIPLAKA")
	}
	c.need(usable || len(stages(s, "cac:DriverPerson")) == 0, s, "LicensePlateIDCheck-1", "where there is a driver there must be the plate of the vehicle")
	for _, u := range s.all("cac:TransportHandlingUnit") {
		for _, e := range u.all("cac:TransportEquipment") {
			if id := e.find("cbc:ID"); id != nil {
				c.plate(id, "TransportEquipmentIDSchemeIDCheck-", "DORSE DORSEPLAKA", "YABANCIDORSE YABANCIDORSEPLAKA")
			}
		}
	}
}

// plate judges a plate by the scheme it claims to be of; rule lacks its number.
func (c *checker) plate(n *node, rule, turkish, abroad string) {
	scheme, _ := n.attr("schemeID")
	text := strings.TrimSpace(n.value())
	id, foreign, ok := trade.LicensePlate(text)
	switch {
	case isListed(scheme, turkish):
		c.need(ok && !foreign && id == text, n, rule+"2", "%q is not a Turkish plate such as 34ABC123", text)
	case isListed(scheme, abroad):
		c.need(text != "" && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "", n, rule+"3", "%q is not a plate of A-Z, 0-9, - and _", text)
	default:
		c.add(n, rule+"1", "the schemeID %q is not one of %s %s", scheme, turkish, abroad)
	}
}

// goods judges a line of a note or of its answer.
func (c *checker) goods(l *node) {
	id := l.find("cbc:ID")
	c.need(isDecimal(strings.TrimSpace(id.value())), id, "DespatchLineIdCheck-1", "%q is not a number", id.value())
	c.filled(l, "ItemNameCheck-1", "cac:Item", "cbc:Name")
}

// despatchSums judges what can be counted of a note.
func (c *checker) despatchSums() {
	lines := c.root.all("cac:DespatchLine")
	c.lineNumbers(lines)
	for _, l := range lines {
		q := l.find("cbc:DeliveredQuantity")
		c.need(quantityOf(q) > 0, q, "QUANTITY-SIGN", "the quantity %s is not greater than zero", q.value())
	}
}

// quantityOf is what a quantity says, zero of nil.
func quantityOf(n *node) money.Quantity {
	q, _ := money.ParseQuantity(strings.TrimSpace(n.value()))
	return q
}
