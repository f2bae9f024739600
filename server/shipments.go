package server

import (
	"net/http"
	"strings"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/ubl"
)

// shipments are made by shipping an order, and moved by what becomes of the goods.
func shipments() wire.Resource {
	routes := []wire.Route{
		wire.List("/shipments", "shipments:read", store.Shipments),
		wire.Export("/shipments/export", "shipments:export", store.Shipments),
		wire.Read("/shipments/{id}", "shipments:read", store.Shipments),
		wire.Patch("/shipments/{id}", "shipments:update", store.Shipments, (*store.Tx).UpdateShipment).
			Tells("Corrects a despatch note that the tax office has refused (eDocument.status FAILED): deliveryAddress, carrier, plate, trailerPlates and drivers, also notes, externalId and metadata; nothing else can be set. It keeps its number, ETTN and date, and is handed over again by send. In any other state, or where the tax office may have the note (it has said that it has one of this number or ETTN), that is 409 invalid_state."),
		send("/shipments/{id}/send", "shipments:update", store.Shipments, (*store.Tx).SendShipment, wire.Info{
			Summary: "Send a despatch note once more",
			About:   "Hands a note that the tax office refused over once more, under the same number and ETTN. Seller and buyer are read anew, unless the tax office says that it has the note already (codes 1163 and 1164): that goes once more as it was, which asks what became of it. " + sendAbout,
		}),
		wire.Action[trade.Shipment]("/shipments/{id}/deliver", "shipments:update", http.StatusOK, (*store.Tx).DeliverShipment).
			Emits(trade.EventShipmentDelivered),
		wire.ActionWith[trade.Return, trade.Shipment]("/shipments/{id}/return", "shipments:update", http.StatusOK, (*store.Tx).ReturnShipment).
			Tells("Takes goods back into stock, into the lots they came from: all that is with the customer, or lines of it. The shipment is RETURNED once nothing is with the customer. The order keeps what was shipped and says what came back, which is not invoiced any more. Goods on the draft of an invoice are 409 invoiced_already, which names it; goods on an invoice that was sent may come back."),
		wire.Action[trade.Shipment]("/shipments/{id}/cancel", "shipments:update", http.StatusOK, (*store.Tx).CancelShipment).
			Tells("Cancels a shipment that never left: the goods are in stock again where they came from (in the default warehouse if that was deleted since) and reserved there for the order, which is to be shipped anew. Once something came back, or the buyer's answer is recorded, the goods have left: 409 goods_have_left, and they come back by a return. While the note is on its way to the tax office that is 409 on_the_way; once it is invoiced, 409 invoiced_already, which names the invoice. The electronic document is CANCELLED, also where the tax office has it."),
		receiptRoute("/shipments/{id}/receipt"),
		shipmentUBL("/shipments/{id}/ubl"),
		shipmentPaper("/shipments/{id}/html", "Read a despatch note as a page", "text/html; charset=utf-8", ".html", ubl.DespatchHTML),
		shipmentPaper("/shipments/{id}/pdf", "Print a despatch note", "application/pdf", ".pdf", ubl.DespatchPDF),
	}
	return wire.Resource{Name: "shipments", A: routes, B: routes}
}

// receiptRoute takes up the buyer's answer to a despatch note.
func receiptRoute(path string) wire.Route {
	about := wire.Info{
		Summary: "Record the buyer's answer to a despatch note", Files: []string{"application/xml", "text/xml"}, Out: wire.Of[trade.Shipment](),
		About: "Takes the ReceiptAdvice (irsaliye yanıtı) as it came: once, within 7 days, for a note that the tax office has taken and whose shipment was not cancelled. It must be in UTF-8 and of no day after today, name note, seller and buyer as the note does, and no line of it may have received more than was sent. Its quantities go to the lines, and a line that it does not name counts as received whole; unless everything was refused the shipment is DELIVERED. Stock does not follow: what was refused comes back by a return.",
	}
	return wire.Plain(http.MethodPost, path, "shipments:update", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		id := r.PathValue("id")
		file, sent, err := c.File(w, r)
		if err != nil {
			return err
		}
		a, err := ubl.ParseReceipt(file)
		if err != nil {
			return trade.Fail(trade.Malformed, trade.BadFile, err)
		}
		return c.Change(w, r, sent, func(tx *store.Tx) (store.Doc, error) { return tx.ReceiveShipment(id, &a) })
	}).Versioned().Emits(trade.EventShipmentDelivered)
}

// shipmentOf is the shipment that the path names.
func shipmentOf(c *wire.Call, r *http.Request) (s trade.Shipment, err error) {
	err = c.DB.Peek(r.Context(), c.Who(r), func(v *store.View) (err error) {
		s, err = store.Shipments.Get(v, r.PathValue("id"))
		return err
	})
	return s, err
}

// shipmentUBL downloads the XML as it was handed to the tax office, or of a note that
// is not there a preview that says so.
func shipmentUBL(path string) wire.Route {
	about := wire.Info{
		Summary: "Download a despatch note's UBL-TR XML", Media: "application/xml",
		About: "A note that was sent is returned byte for byte as it was handed to the tax office. One that was not, or was refused, gives a preview, marked X-Document-Preview: true.",
	}
	return wire.Plain(http.MethodGet, path, "shipments:export", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		var s trade.Shipment
		var xml []byte
		var sent bool
		err := c.DB.Read(r.Context(), c.Who(r), func(v *store.View) (err error) {
			if s, err = store.Shipments.Get(v, r.PathValue("id")); err != nil {
				return err
			}
			xml, sent, err = v.Document(s.ID)
			return err
		})
		if err != nil {
			return err
		}
		if !sent || s.EDocument.Refused() { // what was refused is no document
			w.Header().Set("X-Document-Preview", "true")
			if xml, err = ubl.Despatch(nil, &s); err != nil {
				return err
			}
		}
		return c.AttachAs(w, r, s.Number+".xml", xmlMedia, xml)
	})
}

// shipmentPaper serves a despatch note for people.
func shipmentPaper(path, summary, media, ending string, made func(*trade.Shipment) ([]byte, error)) wire.Route {
	kind, _, _ := strings.Cut(media, ";")
	about := wire.Info{Summary: summary, Media: kind, About: "In Turkish, as it is shown on the road (VUK 230/5)."}
	return wire.Plain(http.MethodGet, path, "shipments:export", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		s, err := shipmentOf(c, r)
		if err != nil {
			return err
		}
		body, err := made(&s)
		if err != nil {
			return err
		}
		return c.AttachAs(w, r, s.Number+ending, media, body)
	})
}

// xmlMedia is the media type of electronic documents.
const xmlMedia = "application/xml; charset=utf-8"
