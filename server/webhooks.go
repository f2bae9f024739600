package server

import (
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

func (s *Server) webhooks() wire.Resource {
	register := func(tx *store.Tx, w trade.Webhook) (store.Doc, error) { return tx.CreateWebhook(w, s.policy.Refused) }
	return wire.Resource{
		Name: "webhooks",
		A: []wire.Route{
			wire.List("/webhooks", "webhooks:read", store.Webhooks),
			wire.Create("/webhooks", "webhooks:create", register).ShowsSecret(),
			wire.Read("/webhooks/{id}", "webhooks:read", store.Webhooks),
			wire.Delete("/webhooks/{id}", "webhooks:delete", (*store.Tx).DeleteWebhook),
			wire.ListOf("/webhooks/{id}/deliveries", "webhooks:read", "deliveries", trade.DeliveryState("").Values(), (*store.View).Deliveries,
				func(d trade.Delivery) string { return d.ID }),
		},
	}
}
