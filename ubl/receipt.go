package ubl

import "esnaf/store/trade"

// The document type codes by which an answer names the note besides its UUID.
const (
	noteNumber     = "DespatchAdviceID"
	noteNumberName = "DespatchAdvice ID"
)

// Receipt appends the UBL-TR answer to a despatch note (irsaliye yanıtı,
// ReceiptAdvice) to dst: of profile TEMELIRSALIYE, signed for by the buyer, unsigned.
// Errors are those of Despatch.
func Receipt(dst []byte, a *trade.ReceiptAnswer) ([]byte, error) {
	w := writer{line: -1}
	w.checkParties(&a.Seller, &a.Buyer, len(a.Lines))
	for i := range a.Lines {
		w.line = i
		w.checkUnit(a.Lines[i].Unit)
	}
	w.line = -1
	return w.document(dst, receiptHead, "</ReceiptAdvice>", len(a.Lines), func() {
		w.receiptHeader(a)
		w.signature(a.Number, "buyer.", &a.Buyer)
		w.roleParty("cac:DeliveryCustomerParty", "buyer.", &a.Buyer, nil)
		w.roleParty("cac:DespatchSupplierParty", "seller.", &a.Seller, nil)
		w.in("cac:Shipment", func() {
			w.constant("cbc:ID", "1")
			w.in("cac:Delivery", func() {
				w.required("cbc:ActualDeliveryDate", "deliveryDate", string(a.DeliveryDate))
				w.optional("cbc:ActualDeliveryTime", "deliveryTime", a.DeliveryTime)
			})
		})
		for i := range a.Lines {
			w.line = i
			w.receiptLine(&a.Lines[i])
		}
	})
}

// receiptHeader names the note twice, as the tax office's samples do: by its UUID
// and by its number.
func (w *writer) receiptHeader(a *trade.ReceiptAnswer) {
	w.identity(string(trade.TemelIrsaliye), a.Number, a.ETTN, a.IssueDate)
	w.optional("cbc:IssueTime", "issueTime", a.IssueTime)
	w.constant("cbc:ReceiptAdviceTypeCode", string(trade.Sevk))
	for _, note := range a.Notes {
		w.optional("cbc:Note", "notes", note)
	}
	w.integer("cbc:LineCountNumeric", len(a.Lines))
	w.reference("cac:DespatchDocumentReference", "despatchEttn.", trade.DocumentRef{Number: a.DespatchETTN, Date: a.DespatchDate}, nil)
	w.reference("cac:AdditionalDocumentReference", "despatch.", trade.DocumentRef{Number: a.DespatchNumber, Date: a.DespatchDate}, func() {
		w.constant("cbc:DocumentTypeCode", noteNumber)
		w.constant("cbc:DocumentType", noteNumberName)
	})
}

// receiptLine writes what came of one line of the note; what is nothing is left out,
// but for what was received.
func (w *writer) receiptLine(l *trade.ReceiptLine) {
	w.in("cac:ReceiptLine", func() {
		w.integer("cbc:ID", w.line+1)
		w.quantity("cbc:ReceivedQuantity", l.Received, l.Unit)
		if l.Short != 0 {
			w.quantity("cbc:ShortQuantity", l.Short, l.Unit)
		}
		if l.Rejected != 0 {
			w.quantity("cbc:RejectedQuantity", l.Rejected, l.Unit)
		}
		w.optional("cbc:RejectReason", "rejectReason", l.RejectReason)
		if l.Oversupply != 0 {
			w.quantity("cbc:OversupplyQuantity", l.Oversupply, l.Unit)
		}
		w.optional("cbc:TimingComplaint", "timingComplaint", l.TimingComplaint)
		w.in("cac:DespatchLineReference", func() { w.integer("cbc:LineID", l.Line) })
		w.item("", l.Name, "", nil)
	})
}
