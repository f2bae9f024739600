// Package ubl writes the electronic documents of the Turkish tax office (UBL-TR
// 1.2.1) and checks them by the office's rules and by the arithmetic that those
// leave out. It is pure: the same record gives the same bytes.
package ubl

import (
	"fmt"
	"slices"

	"esnaf/store/trade"
)

// Invoice appends the UBL-TR invoice of v to dst. v must have been summed, and
// frozen by sending: seller, buyer, number, ETTN, issue date and (of an e-Arşiv)
// issue time set. The document is of type SATIS in one of the profiles
// TEMELFATURA, TICARIFATURA and EARSIVFATURA, in v's own currency, unsigned.
//
// Where something needed is missing, or a text has a character that XML cannot
// carry, dst comes back as it was with a *trade.Error of kind Invalid that lists
// every such field.
func Invoice(dst []byte, v *trade.Invoice) ([]byte, error) {
	w := writer{currency: v.Currency, line: -1}
	w.checkFrozen(v)
	return w.document(dst, invoiceHead, "</Invoice>", len(v.Lines), func() {
		w.header(v)
		w.references(v)
		w.sendType(v)
		w.signature(v.Number, "seller.", v.Seller)
		w.roleParty("cac:AccountingSupplierParty", "seller.", v.Seller, nil)
		w.roleParty("cac:AccountingCustomerParty", "buyer.", v.Buyer, nil)
		w.paymentMeans(v)
		w.exchangeRate(v)
		w.taxTotal(v)
		w.monetaryTotal(v)
		for i := range v.Lines {
			w.line = i
			w.invoiceLine(&v.Lines[i])
		}
	})
}

// checkFrozen finds what the writing itself could not do without.
func (w *writer) checkFrozen(v *trade.Invoice) {
	trade.OneOf(&w.faults, "profile", v.Profile, trade.TemelFatura, trade.TicariFatura, trade.EArsivFatura)
	trade.OneOf(&w.faults, "invoiceType", v.InvoiceType, trade.Satis)
	if !trade.ValidCurrency(v.Currency) {
		w.fault("currency", trade.BadCode, v.Currency, "an ISO 4217 code such as TRY")
	}
	w.checkParties(v.Seller, v.Buyer, len(v.Lines))
	for i := range v.Lines {
		w.line = i
		w.checkLine(&v.Lines[i])
	}
	w.line = -1
}

func (w *writer) header(v *trade.Invoice) {
	w.identity(string(v.Profile), v.Number, v.ETTN, v.IssueDate)
	if v.Profile == trade.EArsivFatura {
		w.required("cbc:IssueTime", "issueTime", v.IssueTime)
	} else {
		w.optional("cbc:IssueTime", "issueTime", v.IssueTime)
	}
	w.constant("cbc:InvoiceTypeCode", string(v.InvoiceType))
	w.optional("cbc:Note", "notes", v.Notes)
	w.liraNote(v)
	w.constant("cbc:DocumentCurrencyCode", v.Currency)
	w.integer("cbc:LineCountNumeric", len(v.Lines))
}

// references names what the invoice was made from: the despatch notes of its goods
// (VUK 230/5), and its order, for which the schema has one place only.
func (w *writer) references(v *trade.Invoice) {
	if len(v.Orders) == 1 {
		w.reference("cac:OrderReference", "orders[0].", v.Orders[0], nil)
	}
	for i, d := range v.Despatches {
		w.reference("cac:DespatchDocumentReference", fmt.Sprintf("despatches[%d].", i), d, nil)
	}
}

// liraNote says what a foreign amount is in Turkish lira: the document must tell
// it (Tax Procedure Law 215), yet all its amounts stay in their own currency. An
// amount in lira of more than 15 digits is left to the reader.
func (w *writer) liraNote(v *trade.Invoice) {
	inLira, ok := v.ExchangeRate.Of(v.Payable)
	if v.Currency == lira || !ok {
		return
	}
	w.open("cbc:Note")
	w.buf = appendTurkish(w.buf, inLira)
	w.buf = append(w.buf, " TL karşılığıdır (1 "...)
	w.buf = append(w.buf, v.Currency...)
	w.buf = append(w.buf, " = "...)
	w.buf = appendTurkish(w.buf, v.ExchangeRate)
	w.buf = append(w.buf, " TL)"...)
	w.end("cbc:Note")
}

// sendType tells how an e-Arşiv invoice reaches its buyer; esnaf sends it by
// electronic means only. Integrators read it from a reference like this one.
func (w *writer) sendType(v *trade.Invoice) {
	if v.Profile != trade.EArsivFatura {
		return
	}
	w.in("cac:AdditionalDocumentReference", func() {
		w.constant("cbc:ID", "ELEKTRONIK")
		w.required("cbc:IssueDate", "issueDate", string(v.IssueDate))
		w.constant("cbc:DocumentTypeCode", "SEND_TYPE")
		w.constant("cbc:DocumentType", "ELEKTRONIK")
	})
}

// paymentMeans carries the due date (vade). How it will be paid is not agreed on
// the invoice, hence code 1 (any means).
func (w *writer) paymentMeans(v *trade.Invoice) {
	if v.DueDate == "" {
		return
	}
	w.in("cac:PaymentMeans", func() {
		w.constant("cbc:PaymentMeansCode", anyMeans)
		w.required("cbc:PaymentDueDate", "dueDate", string(v.DueDate))
	})
}

// exchangeRate is lira for one unit of the document's currency; the rules want it
// for every currency but lira (CurrencyCodeCheck-6).
func (w *writer) exchangeRate(v *trade.Invoice) {
	if v.Currency == lira {
		return
	}
	date := v.ExchangeRateDate
	if date == "" {
		date = v.IssueDate
	}
	w.in("cac:PricingExchangeRate", func() {
		w.constant("cbc:SourceCurrencyCode", v.Currency)
		w.constant("cbc:TargetCurrencyCode", lira)
		number(w, "cbc:CalculationRate", v.ExchangeRate)
		w.required("cbc:Date", "exchangeRateDate", string(date))
	})
}

// appendTurkish appends a number as Turks write it: 26.003,40.
func appendTurkish[N interface{ Append([]byte) []byte }](dst []byte, n N) []byte {
	start := len(dst)
	dst = n.Append(dst)
	point := len(dst)
	if i := slices.Index(dst[start:], '.'); i >= 0 {
		point = start + i
		dst[point] = ','
	}
	for i := point - 3; i > start; i -= 3 {
		dst = slices.Insert(dst, i, '.')
	}
	return dst
}
