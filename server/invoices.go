package server

import (
	"net/http"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/ubl"
)

func invoices() wire.Resource {
	return wire.Resource{Name: "invoices", A: invoiceRoutes("/invoices", "/payments"), B: invoiceRoutes("/finance/invoices", "/finance/payments")}
}

func invoiceRoutes(path, payments string) []wire.Route {
	return append(wire.Records(path, "invoices", wire.Ops[trade.Invoice, *trade.Invoice]{
		Table: store.Invoices, Create: (*store.Tx).CreateInvoice, Update: (*store.Tx).UpdateInvoice, Delete: (*store.Tx).DeleteInvoice,
	}),
		send(path+"/{id}/send", "invoices:update", store.Invoices, (*store.Tx).SendInvoice, wire.Info{
			Summary: "Send an invoice to the tax office", About: "Draws the legal number of a draft, freezes seller and buyer and queues the document. One that FAILED goes with seller and buyer as they are now; but what the tax office says it has already (codes 1163 and 1164) goes once more as it was, which asks what became of it. " + sendAbout +
				" To see one that FAILED in a test: make a company whose tax number has wrong check digits, 1234567891 say, while taxNumberCheck of the account is warn; set that to error and send the company an invoice.",
		}).Emits(trade.EventInvoiceQueued),
		wire.Action[trade.Invoice](path+"/{id}/cancel", "invoices:update", http.StatusOK, (*store.Tx).CancelInvoice).Emits(trade.EventInvoiceCanceled).
			Tells("Cancels an e-Arşiv invoice within 8 days of its being sent, or gives up an invoice that FAILED. The number stays used, that of a failed one as void; what it took of an order is due again. A failed one that the tax office says it has already (codes 1163 and 1164) may have been delivered: 409 registered_already, to a change as well, until it is sent again and taken, or the operator has seen that the tax office has another document there (esnaf document settle). A draft is deleted instead."),
		payInvoice(path+"/{id}/payments", payments),
		invoiceUBL(path+"/{id}/ubl"),
	)
}

// invoiceUBL downloads the XML as it was handed to the tax office, or of a draft
// a preview that says so.
func invoiceUBL(path string) wire.Route {
	about := wire.Info{
		Summary: "Download an invoice's UBL-TR XML", Media: "application/xml",
		About: "A sent document is returned byte for byte as it was handed to the tax office. A draft, and one that was refused, gives a preview, marked X-Document-Preview: true, or 422 with all that it lacks for one.",
	}
	return wire.Plain(http.MethodGet, path, "invoices:export", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		var xml []byte
		var v trade.Invoice
		var sent bool
		id := r.PathValue("id")
		err := c.DB.Read(r.Context(), c.Who(r), func(view *store.View) (err error) {
			if v, err = view.PreviewInvoice(id); err != nil {
				return err
			}
			xml, sent, err = view.Document(id)
			return err
		})
		if err != nil {
			return err
		}
		if !sent || v.EDocument.Refused() { // what was refused is no document
			w.Header().Set("X-Document-Preview", "true")
			if xml, err = ubl.Invoice(nil, &v); err != nil {
				return err
			}
		}
		return c.AttachAs(w, r, v.Number+".xml", xmlMedia, xml)
	}).Refuses(http.StatusUnprocessableEntity)
}
