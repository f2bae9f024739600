package server

import (
	"net/http"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

func quotes() wire.Resource {
	routes := append(wire.Records("/quotes", "quotes", wire.Ops[trade.Quote, *trade.Quote]{
		Table: store.Quotes, Create: (*store.Tx).CreateQuote, Update: (*store.Tx).UpdateQuote, Delete: (*store.Tx).DeleteQuote,
	}),
		moveQuote(trade.SendQuote).Emits(trade.EventQuoteSent),
		moveQuote(trade.AcceptQuote).Emits(trade.EventQuoteAccepted),
		moveQuote(trade.ExpireQuote),
		wire.ActionWith[rejectInput, trade.Quote]("/quotes/{id}/reject", "quotes:update", http.StatusOK,
			func(tx *store.Tx, id string, in rejectInput) (store.Doc, error) {
				return tx.MoveQuote(id, trade.RejectQuote, in.Reason)
			}).Emits(trade.EventQuoteRejected),
		wire.Action[trade.Order]("/quotes/{id}/convert", "quotes:update", http.StatusCreated, (*store.Tx).ConvertQuote).
			At("/orders").Emits(trade.EventOrderCreated),
	)
	return wire.Resource{Name: "quotes", A: routes, B: routes}
}

type rejectInput struct {
	Reason string `json:"reason" doc:"at most 500 characters"`
}

func moveQuote(action trade.QuoteAction) wire.Route {
	return wire.Action[trade.Quote]("/quotes/{id}/"+string(action), "quotes:update", http.StatusOK,
		func(tx *store.Tx, id string) (store.Doc, error) { return tx.MoveQuote(id, action, "") })
}
