package server

import (
	"context"
	"net/http"
	"strconv"
	"time"

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
		sendInvoice(path+"/{id}/send"),
		wire.Action[trade.Invoice](path+"/{id}/cancel", "invoices:update", http.StatusOK, (*store.Tx).CancelInvoice).Emits(trade.EventInvoiceCanceled),
		payInvoice(path+"/{id}/payments", payments),
		invoiceUBL(path+"/{id}/ubl"),
	)
}

// maxWait is how long a send may wait for the outcome.
const maxWait = 30

// sendInvoice queues an invoice (202), or with ?wait=SECONDS answers with what
// became of it (200) as soon as that is known.
func sendInvoice(path string) wire.Route {
	about := wire.Info{
		Summary: "Send an invoice to the tax office", Status: http.StatusAccepted, Or: http.StatusOK,
		About: "Answers 202 with the invoice QUEUED. With wait it answers 200 once the tax office has taken or refused the document, and 202 when the time is over.",
		In:    wire.Of[struct{}](), Out: wire.Of[trade.Invoice](),
		Params: []wire.Param{{Name: "wait", About: "seconds to wait for the outcome", Schema: map[string]any{"type": "integer", "minimum": 0, "maximum": maxWait, "default": 0}}},
	}
	return wire.Plain(http.MethodPost, path, "invoices:update", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		wait, err := waitOf(c, r)
		if err != nil {
			return err
		}
		_, sent, err := wire.Body[struct{}](c, w, r)
		if err != nil {
			return err
		}
		id := r.PathValue("id")
		rep, replayed, err := c.Once(r, sent, func(tx *store.Tx) (store.Doc, error) { return tx.SendInvoice(id) })
		if err != nil {
			return err
		}
		if wait > 0 && rep.Status == http.StatusAccepted {
			settled, err := awaitOutcome(r.Context(), c, c.Who(r), id, wait)
			if err != nil {
				return err
			}
			if settled.JSON != nil {
				return c.Doc(w, r, settled)
			}
		}
		return c.Reply(w, r, rep, replayed)
	}).Versioned().Emits(trade.EventInvoiceQueued)
}

func waitOf(c *wire.Call, r *http.Request) (time.Duration, error) {
	q, err := c.Query(r)
	if err != nil || q["wait"] == "" {
		return 0, err
	}
	n, err := strconv.Atoi(q["wait"])
	if err != nil || n < 0 || n > maxWait {
		return 0, wire.Refused("wait", trade.Phrase{"it must be a number of seconds from 0 to 30", "0 ile 30 arasında bir saniye sayısı olmalı"})
	}
	return time.Duration(n) * time.Second, nil
}

// awaitOutcome reads the invoice after every change of the store until it is no
// longer queued; an empty Doc says that the time is over.
func awaitOutcome(ctx context.Context, c *wire.Call, who store.Who, id string, wait time.Duration) (store.Doc, error) {
	over := time.NewTimer(wait)
	defer over.Stop()
	for {
		wake := c.DB.Wake()
		var doc store.Doc
		var status trade.InvoiceState
		err := c.DB.Read(ctx, who, func(v *store.View) (err error) {
			doc, status, err = v.InvoiceStatus(id)
			return err
		})
		if err != nil || status != trade.InvoiceQueued {
			return doc, err
		}
		select {
		case <-wake:
		case <-over.C:
			return store.Doc{}, nil
		case <-ctx.Done():
			return store.Doc{}, ctx.Err()
		}
	}
}

// invoiceUBL downloads the XML as it was handed to the tax office, or of a draft
// a preview that says so.
func invoiceUBL(path string) wire.Route {
	about := wire.Info{
		Summary: "Download an invoice's UBL-TR XML", Media: "application/xml",
		About: "A sent document is returned byte for byte as it was handed to the tax office. A draft gives a preview, marked X-Document-Preview: true, or 422 with all that it lacks for one.",
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
		if !sent || v.Status == trade.InvoiceFailed { // what was refused is no document
			w.Header().Set("X-Document-Preview", "true")
			if xml, err = ubl.Invoice(nil, &v); err != nil {
				return err
			}
		}
		return c.AttachAs(w, r, v.Number+".xml", xmlMedia, xml)
	}).Refuses(http.StatusUnprocessableEntity)
}
