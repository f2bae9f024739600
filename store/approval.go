package store

import (
	"strings"

	"esnaf/auth"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// ApproveOrder lets the price of an order pass: it is a draft again, ready to be
// confirmed. A user must be a MASTER or an ADMIN.
func (tx *Tx) ApproveOrder(id string) (Doc, error) {
	return tx.decide(id, trade.ApproveOrder, trade.EventOrderApproved, func(o *trade.Order) error {
		return o.Approve(tx.who.Actor, trade.At(tx.now))
	})
}

// RejectOrder sends an order back to be changed, and says why. A user must be a MASTER
// or an ADMIN.
func (tx *Tx) RejectOrder(id, reason string) (Doc, error) {
	return tx.decide(id, trade.RejectOrder, "", func(o *trade.Order) error {
		f := tx.Check()
		f.Required("reason", strings.TrimSpace(reason))
		f.Max("reason", reason, 500)
		if err := f.Err(); err != nil {
			return err
		}
		return o.Reject(tx.who.Actor, trade.At(tx.now), reason)
	})
}

// decide does what only who approves prices may do with an order.
func (tx *Tx) decide(id string, action trade.OrderAction, event trade.Event, do func(*trade.Order) error) (Doc, error) {
	was, o, err := current(tx, Orders, id, Any)
	if err != nil {
		return Doc{}, err
	}
	if err := tx.mayApprove(); err != nil {
		return Doc{}, err
	}
	old := o
	if err := do(&o); err != nil {
		return Doc{}, err
	}
	return Orders.Move(tx, string(action), event, was, &old, &o)
}

// mayApprove is nil for who may approve prices: a MASTER, an ADMIN, and a key of
// Interface B, which has no role but whatever scopes the operator gave it.
func (tx *Tx) mayApprove() error {
	seller, ok, err := tx.seller()
	if err != nil || !ok || seller.Role == auth.Master || seller.Role == auth.Admin {
		return err
	}
	return trade.Fail(trade.Forbidden, trade.RoleRequired, string(auth.Master)+", "+string(auth.Admin))
}

// discountLimit is the highest discount in percent that who makes this change may give
// alone; nil for any. A key and a worker of our own have none.
func (tx *Tx) discountLimit() (*money.Rate, error) {
	seller, _, err := tx.seller()
	return seller.DiscountLimit, err
}

// seller is the user who makes this change; ok is false when it is none.
func (tx *Tx) seller() (u User, ok bool, err error) {
	if !strings.HasPrefix(tx.who.Actor, "usr_") {
		return u, false, nil
	}
	u, err = tx.FindUser(tx.who.Actor)
	return u, err == nil, err
}
