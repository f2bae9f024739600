package server

import (
	"net/http"
	"strings"

	"esnaf/auth"
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

func (s *Server) webhooks() wire.Resource {
	return wire.Resource{
		Name: "webhooks",
		A: []wire.Route{
			wire.List("/webhooks", "webhooks:read", store.Webhooks),
			s.webhookRoute("/webhooks"),
			wire.Read("/webhooks/{id}", "webhooks:read", store.Webhooks),
			wire.Action[trade.Webhook]("/webhooks/{id}/resume", "webhooks:update", http.StatusOK, resume).
				Tells("Makes a webhook ACTIVE again that the server has switched off (DISABLED); any other is 409 invalid_state. Address and secret stay. It hears of what happens from then on: what waited for it was cancelled when it was switched off."),
			wire.Delete("/webhooks/{id}", "webhooks:delete", (*store.Tx).DeleteWebhook),
			wire.ListOf("/webhooks/{id}/deliveries", "webhooks:read", "deliveries", trade.DeliveryState("").Values(), (*store.View).Deliveries,
				func(d trade.Delivery) string { return d.ID }),
		},
	}
}

// webhookRoute registers a receiver, which hears of nothing that its maker may not read.
func (s *Server) webhookRoute(path string) wire.Route {
	about := wire.Info{
		Name: "webhooks.create", Summary: "Create one webhook", Status: http.StatusCreated, In: wire.Of[trade.Webhook](), Out: wire.Of[trade.Webhook](),
		About: "Needs the scope to read whatever the event tells of as well: for invoice.* invoices:read, for stock.* inventory:read, for payment.* bank:read and cashAccount:read, for * all of them.",
	}
	return wire.Plain(http.MethodPost, path, "webhooks:create", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		in, sent, err := wire.Body[trade.Webhook](c, w, r)
		if err != nil {
			return err
		}
		if err := mayHear(c.Principal, in.Event); err != nil {
			return err
		}
		return c.Change(w, r, sent, func(tx *store.Tx) (store.Doc, error) {
			if err := tx.StillLetIn(); err != nil {
				return store.Doc{}, err
			}
			return tx.CreateWebhook(in, s.policy.Refused)
		})
	}).Versioned().ShowsSecret()
}

// resume lets a webhook be called again; as what is registered, it goes on by itself.
func resume(tx *store.Tx, id string) (store.Doc, error) {
	if err := tx.StillLetIn(); err != nil {
		return store.Doc{}, err
	}
	return tx.ResumeWebhook(id)
}

// mayHear refuses events that tell of records which p may not read.
func mayHear(p auth.Principal, pattern string) error {
	for _, e := range trade.Events {
		group, _, _ := strings.Cut(string(e), ".")
		for _, name := range tellsOf[group] {
			if scope := name + ":read"; trade.Wants(pattern, e) && !p.May(scope) {
				return trade.Fail(trade.Forbidden, trade.InsufficientScope, scope)
			}
		}
	}
	return nil
}

// tellsOf are the resources whose records the events of a group carry.
var tellsOf = map[string][]string{
	"company": {"companies"}, "contact": {"contacts"}, "opportunity": {"opportunities"}, "quote": {"quotes"}, "order": {"orders"},
	"shipment": {"shipments"}, "invoice": {"invoices"}, "product": {"products"}, "stock": {"inventory"}, "payment": {"bank", "cashAccount"},
	"webhook": {"webhooks"},
}
