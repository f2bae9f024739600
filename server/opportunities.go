package server

import (
	"net/http"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

func opportunities() wire.Resource {
	routes := append(wire.Records("/opportunities", "opportunities", wire.Ops[trade.Opportunity, *trade.Opportunity]{
		Table: store.Opportunities, Create: (*store.Tx).CreateOpportunity, Update: (*store.Tx).UpdateOpportunity, Delete: (*store.Tx).DeleteOpportunity,
	}),
		moveOpportunity(trade.Qualify, trade.EventOpportunityUpdated),
		moveOpportunity(trade.Propose, trade.EventOpportunityUpdated),
		moveOpportunity(trade.Negotiate, trade.EventOpportunityUpdated),
		moveOpportunity(trade.Win, trade.EventOpportunityWon),
		moveOpportunity(trade.Reopen, trade.EventOpportunityUpdated),
		wire.ActionWith[loseInput, trade.Opportunity]("/opportunities/{id}/lose", "opportunities:update", http.StatusOK,
			func(tx *store.Tx, id string, in loseInput) (store.Doc, error) {
				return tx.MoveOpportunity(id, trade.Lose, in.LostReason)
			}).Emits(trade.EventOpportunityLost),
	)
	return wire.Resource{Name: "opportunities", A: routes, B: routes}
}

type loseInput struct {
	LostReason string `json:"lostReason" doc:"at most 500 characters"`
}

func moveOpportunity(action trade.OpportunityAction, event trade.Event) wire.Route {
	return wire.Action[trade.Opportunity]("/opportunities/{id}/"+string(action), "opportunities:update", http.StatusOK,
		func(tx *store.Tx, id string) (store.Doc, error) { return tx.MoveOpportunity(id, action, "") }).Emits(event)
}
