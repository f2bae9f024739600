package server

import (
	"cmp"
	"context"

	"esnaf/store"
	"esnaf/store/trade"
)

// DocumentSettle are the parameters, and the result, of "document settle": what a person
// has seen at the tax office of the document of an invoice or a shipment.
type DocumentSettle struct {
	Tenant string `json:"tenant"`
	ID     string `json:"id"`
	As     string `json:"as"` // taken or refused
}

func (a *Admin) settleDocument(ctx context.Context, in DocumentSettle) (DocumentSettle, error) {
	var f trade.Check
	if in.As == "" {
		f.Add("as", trade.Required, trade.Aside{"Say taken or refused.", "taken ya da refused deyin."})
	}
	trade.OneOf(&f, "as", in.As, "taken", "refused")
	if err := cmp.Or(a.checkTenant(ctx, &f, in.Tenant), f.Err()); err != nil {
		return in, err
	}
	outcome := trade.Failed
	if in.As == "taken" {
		outcome = trade.Taken
	}
	return in, a.DB.Write(ctx, operator(in.Tenant), func(tx *store.Tx) error { return tx.Settle(in.ID, outcome) })
}
