package ubl

import (
	"fmt"

	"esnaf/store/trade"
)

// Despatch appends the UBL-TR despatch note (e-İrsaliye, DespatchAdvice) of s to dst.
// s must be frozen and judged as trade.Shipment.CheckNote does, and have its number
// and ETTN. The note is of profile TEMELIRSALIYE and of type SEVK or MATBUDAN,
// unsigned.
//
// Where something needed is missing, or a text has a character that XML cannot
// carry, dst comes back as it was with a *trade.Error of kind Invalid that lists
// every such field.
func Despatch(dst []byte, s *trade.Shipment) ([]byte, error) {
	w := writer{currency: s.Currency, line: -1}
	w.checkNote(s)
	return w.document(dst, despatchHead, "</DespatchAdvice>", len(s.Lines), func() {
		w.despatchHeader(s)
		w.despatchReferences(s)
		w.signature(s.Number, "seller.", s.Seller)
		w.roleParty("cac:DespatchSupplierParty", "seller.", s.Seller, nil)
		w.roleParty("cac:DeliveryCustomerParty", "buyer.", s.Buyer, w.consignee(s.DeliveryAddress))
		w.in("cac:Shipment", func() { w.shipment(s) })
		for i := range s.Lines {
			w.line = i
			w.despatchLine(&s.Lines[i])
		}
	})
}

// checkNote finds what the writing itself could not do without.
func (w *writer) checkNote(s *trade.Shipment) {
	trade.OneOf(&w.faults, "profile", s.Profile, trade.TemelIrsaliye)
	trade.OneOf(&w.faults, "despatchType", s.DespatchType, trade.Sevk, trade.Matbudan)
	if s.DespatchType == trade.Matbudan && s.Printed == nil {
		w.fault("printed", trade.NeededForDocument)
	}
	if s.GoodsValue != nil && !trade.ValidCurrency(s.Currency) {
		w.fault("currency", trade.BadCode, s.Currency, "an ISO 4217 code such as TRY")
	}
	w.checkParties(s.Seller, s.Buyer, len(s.Lines))
	if s.DeliveryAddress == nil {
		w.fault("deliveryAddress", trade.NeededForDocument)
	}
	if len(s.Drivers) == 0 && s.Carrier == nil {
		w.fault("drivers", trade.DriverOrCarrier)
	}
	for i := range s.Lines {
		w.line = i
		w.checkUnit(s.Lines[i].Unit)
	}
	w.line = -1
}

// despatchHeader differs from an invoice's in that the time of issue must be there:
// a note must be older than the journey of its goods.
func (w *writer) despatchHeader(s *trade.Shipment) {
	w.identity(string(s.Profile), s.Number, s.ETTN, s.IssueDate)
	w.required("cbc:IssueTime", "issueTime", s.IssueTime)
	w.constant("cbc:DespatchAdviceTypeCode", string(s.DespatchType))
	w.optional("cbc:Note", "notes", s.Notes)
	w.integer("cbc:LineCountNumeric", len(s.Lines))
}

// despatchReferences names the order, and the printed note that a MATBUDAN copies.
func (w *writer) despatchReferences(s *trade.Shipment) {
	if s.OrderNumber != "" && s.OrderDate != "" {
		w.reference("cac:OrderReference", "order.", trade.DocumentRef{Number: s.OrderNumber, Date: s.OrderDate}, nil)
	}
	if p := s.Printed; p != nil {
		printed := trade.DocumentRef{Number: p.FullNumber(), Date: p.Date}
		w.reference("cac:AdditionalDocumentReference", "printed.", printed, func() {
			w.constant("cbc:DocumentType", "MATBU")
			w.constant("cbc:DocumentDescription", "Matbu sevk irsaliyesi")
		})
	}
}

// consignee writes who takes the goods when it is not the buyer; nil when it is.
func (w *writer) consignee(a *trade.Address) func() {
	if a == nil || blank(a.Name) {
		return nil
	}
	return func() {
		w.scope = "deliveryAddress."
		w.in("cac:DeliveryContact", func() { w.required("cbc:Name", "name", a.Name) })
	}
}

// shipment writes what travels how, where to and when. The schema wants an ID, of
// which nobody makes use.
func (w *writer) shipment(s *trade.Shipment) {
	w.constant("cbc:ID", "1")
	if s.GoodsValue != nil {
		w.in("cac:GoodsItem", func() { w.amount("cbc:ValueAmount", *s.GoodsValue) })
	}
	w.stage(s)
	w.in("cac:Delivery", func() {
		w.scope = "deliveryAddress."
		// The rules ask for it even where it is the buyer's own address.
		w.address("cac:DeliveryAddress", s.DeliveryAddress)
		w.carrier(s.Carrier)
		w.scope = ""
		w.in("cac:Despatch", func() {
			w.required("cbc:ActualDespatchDate", "despatchDate", string(s.DespatchDate))
			w.required("cbc:ActualDespatchTime", "despatchTime", s.DespatchTime)
		})
	})
	if len(s.TrailerPlates) > 0 {
		w.in("cac:TransportHandlingUnit", func() {
			for i, plate := range s.TrailerPlates {
				w.in("cac:TransportEquipment", func() {
					w.plate("cbc:ID", fmt.Sprintf("trailerPlates[%d]", i), plate, "DORSEPLAKA", "YABANCIDORSEPLAKA")
				})
			}
		})
	}
}

// stage is the vehicle and who drives it. A carrier's need not be known yet.
func (w *writer) stage(s *trade.Shipment) {
	if s.Plate == "" && len(s.Drivers) == 0 {
		return
	}
	w.in("cac:ShipmentStage", func() {
		w.in("cac:TransportMeans", func() {
			w.in("cac:RoadTransport", func() { w.plate("cbc:LicensePlateID", "plate", s.Plate, "PLAKA", "YABANCIPLAKA") })
		})
		for i, d := range s.Drivers {
			w.scope = fmt.Sprintf("drivers[%d].", i)
			w.in("cac:DriverPerson", func() {
				w.required("cbc:FirstName", "firstName", d.FirstName)
				w.required("cbc:FamilyName", "lastName", d.LastName)
				w.constant("cbc:Title", "Şoför")
				w.required("cbc:NationalityID", "nationalId", d.NationalID)
			})
		}
		w.scope = ""
	})
}

// plate writes a plate without its spaces under the scheme that says whether it is
// Turkish.
func (w *writer) plate(tag, field, plate, turkish, abroad string) {
	id, foreign, ok := trade.LicensePlate(plate)
	if !ok {
		w.fault(field, trade.NeededForDocument)
	}
	scheme := turkish
	if foreign {
		scheme = abroad
	}
	w.attributed(tag, "schemeID", scheme)
	w.text(field, id)
	w.end(tag)
}

// carrier writes the company that carries the goods, if one does. The schema wants
// the elements of its address even where nobody has said it.
func (w *writer) carrier(c *trade.Carrier) {
	if c == nil {
		return
	}
	w.scope = "carrier."
	w.in("cac:CarrierParty", func() {
		w.taxIdentification(&trade.Party{TaxNumber: c.TaxNumber})
		w.in("cac:PartyName", func() { w.required("cbc:Name", "name", c.Name) })
		w.in("cac:PostalAddress", func() {
			w.whole("cbc:CitySubdivisionName", "district", c.District)
			w.whole("cbc:CityName", "city", c.City)
			w.in("cac:Country", func() { w.constant("cbc:Name", countryName("TR")) })
		})
	})
}

// whole writes an element that must be there, even with nothing in it.
func (w *writer) whole(tag, field, value string) {
	w.open(tag)
	w.text(field, value)
	w.end(tag)
}

// despatchLine writes a row. The schema wants the order's line of each.
func (w *writer) despatchLine(l *trade.ShipmentLine) {
	w.in("cac:DespatchLine", func() {
		w.integer("cbc:ID", w.line+1)
		w.quantity("cbc:DeliveredQuantity", l.Quantity, l.Unit)
		w.in("cac:OrderLineReference", func() { w.integer("cbc:LineID", l.OrderLine) })
		w.item("", l.Name, l.Code, func() { w.instances(l) })
	})
}

// instances tells the lot and the serial numbers, one piece at a time, as the schema
// has room for one serial in each.
func (w *writer) instances(l *trade.ShipmentLine) {
	for _, serial := range l.SerialNos {
		w.in("cac:ItemInstance", func() {
			w.required("cbc:SerialID", "serialNos", serial)
			w.lot(l)
		})
	}
	if len(l.SerialNos) == 0 && l.LotNo != "" {
		w.in("cac:ItemInstance", func() { w.lot(l) })
	}
}

// lot writes the batch (parti) of a piece and when it expires (son kullanma tarihi),
// by which a buyer traces goods back.
func (w *writer) lot(l *trade.ShipmentLine) {
	if l.LotNo == "" {
		return
	}
	w.in("cac:LotIdentification", func() {
		w.required("cbc:LotNumberID", "lotNo", l.LotNo)
		w.optional("cbc:ExpiryDate", "expiryDate", string(l.ExpiryDate))
	})
}
