package ubl

import "strings"

// receiptRules judges everything of an answer to a despatch note but its sums.
func (c *checker) receiptRules() {
	r := c.root
	c.identity()
	id := r.find("cbc:ID")
	c.need(len([]rune(strings.TrimSpace(id.value()))) == 16, id, "ReceiptAdviceIDCheck-1", "%q has not 16 characters", id.value())
	if kind := c.filled(r, "ReceiptAdviceTypeCodeCheck-1", "cbc:ReceiptAdviceTypeCode"); kind != nil {
		c.listed(kind, "ReceiptAdviceTypeCodeCheck-1", "SEVK")
	}
	c.dates()
	c.codes()
	c.signature()
	// The one who answers is the buyer and stands first here.
	c.party(r.find("cac:DeliveryCustomerParty", "cac:Party"), true)
	c.party(r.find("cac:DespatchSupplierParty", "cac:Party"), false)
	for _, l := range r.all("cac:ReceiptLine") {
		c.goods(l)
	}
}

// receiptSums judges what can be counted of an answer: no more is rejected than came.
func (c *checker) receiptSums() {
	lines := c.root.all("cac:ReceiptLine")
	c.lineNumbers(lines)
	for _, l := range lines {
		for _, name := range strings.Fields(quantities) {
			if n := l.find(name); n != nil {
				c.need(quantityOf(n) >= 0, n, "QUANTITY-SIGN", "the quantity %s is less than zero", n.value())
			}
		}
		received, rejected := l.find("cbc:ReceivedQuantity"), l.find("cbc:RejectedQuantity")
		c.need(quantityOf(rejected) <= quantityOf(received), l, "RECEIPT-REJECTED",
			"%s is rejected, but only %s came", rejected.value(), received.value())
	}
}
