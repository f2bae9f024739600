package ubl

import (
	"slices"
	"strconv"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// The first lines of every document. The extension is where the signature will
// stand; an empty one is invalid, so until documents are signed it holds an
// element that says so.
const (
	declaration = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	prologue    = `" xmlns:cac="` + nsAggregate + `" xmlns:cbc="` + nsBasic + `" xmlns:ext="` + nsExtension + `">
<ext:UBLExtensions><ext:UBLExtension><ext:ExtensionContent>` + unsigned + `</ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>`

	invoiceHead  = declaration + `<Invoice xmlns="` + nsInvoice + prologue
	despatchHead = declaration + `<DespatchAdvice xmlns="` + nsDespatch + prologue
	receiptHead  = declaration + `<ReceiptAdvice xmlns="` + nsReceipt + prologue
)

// unsigned marks a document without a signature. Signing is to put ds:Signature
// in its place.
const unsigned = `<placeholder xmlns="urn:esnaf:unsigned"/>`

// Room for a document, so that its buffer is made once: what a frame and a line
// take with long names. Longer texts only cost another growth.
const (
	frameSize = 6 << 10
	lineSize  = 1000
)

// document appends to dst what body writes between head and the root's end tag,
// unless w has faults before or after: then dst comes back as it was.
func (w *writer) document(dst []byte, head, tail string, lines int, body func()) ([]byte, error) {
	if err := w.faults.Err(); err != nil {
		return dst, err
	}
	w.buf = slices.Grow(dst, frameSize+lineSize*lines)
	w.buf = append(w.buf, head...)
	body()
	w.buf = append(w.buf, '\n')
	w.buf = append(w.buf, tail...)
	w.buf = append(w.buf, '\n')
	if err := w.faults.Err(); err != nil {
		return dst, err
	}
	return w.buf, nil
}

// identity is what every document begins with.
func (w *writer) identity(profile, number, ettn string, date trade.Date) {
	w.constant("cbc:UBLVersionID", "2.1")
	w.constant("cbc:CustomizationID", "TR1.2.1")
	w.constant("cbc:ProfileID", profile)
	w.required("cbc:ID", "number", number)
	w.constant("cbc:CopyIndicator", "false")
	w.required("cbc:UUID", "ettn", ettn)
	w.required("cbc:IssueDate", "issueDate", string(date))
}

// reference names another document; more, if not nil, says what kind it is.
func (w *writer) reference(tag, scope string, r trade.DocumentRef, more func()) {
	w.scope = scope
	w.in(tag, func() {
		w.required("cbc:ID", "number", r.Number)
		w.required("cbc:IssueDate", "date", string(r.Date))
		if more != nil {
			more()
		}
	})
	w.scope = ""
}

// integer writes a number that counts something.
func (w *writer) integer(tag string, n int) {
	w.open(tag)
	w.buf = strconv.AppendInt(w.buf, int64(n), 10)
	w.end(tag)
}

// quantity writes how much of a unit, which must have been judged.
func (w *writer) quantity(tag string, q money.Quantity, unit string) {
	w.attributed(tag, "unitCode", unit)
	w.buf = q.Append(w.buf)
	w.end(tag)
}

// checkParties finds what no document can do without.
func (w *writer) checkParties(seller, buyer *trade.Party, lines int) {
	if seller == nil {
		w.fault("seller", trade.NeededForDocument)
	}
	if buyer == nil {
		w.fault("buyer", trade.NeededForDocument)
	}
	if lines == 0 {
		w.fault("lines", trade.Required)
	}
}

// checkUnit sees to it that a unit can stand in an attribute, which is written without
// escapes.
func (w *writer) checkUnit(unit string) {
	if !trade.ValidUnit(unit) {
		w.fault("unit", trade.BadCode, unit, "a UN/ECE unit code such as C62")
	}
}
