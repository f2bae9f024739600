package store

import (
	"esnaf/store/money"
	"esnaf/store/trade"
)

// outgrows says that by what field says a company would owe, or be owed, too much.
func outgrows(f *trade.Check, field string) {
	f.Add(field, trade.AmountTooLarge, trade.Aside{
		"With it the company would owe, or be owed, more than a balance can hold.", "Bununla firmanın bakiyesi tutulabilecek en büyük tutarı aşar.",
	})
}

// bounded judges whether a side that has been booked leaves its account or company with
// no more than an amount holds, now and in each row of a statement: beyond that no sum
// could be answered any more. had is what the side has left it with.
func (tx *Tx) bounded(v voucher, s side, had sum) error {
	owes := had
	if s.kind == sideCompany && s.amount > 0 {
		way, err := tx.onTheWay(s.account, s.currency)
		if err != nil {
			return err
		}
		owes.amount, owes.lira = owes.amount+way.amount, owes.lira+way.lira
	}
	fits := endures(owes.amount, s.amount) && endures(owes.lira, s.lira)
	if fits {
		later, err := tx.bookedAfter(s.account, v.date)
		if err != nil {
			return err
		}
		if later { // else each row before was within it already
			if fits, err = tx.fitsSince(v.date, s.account, s.currency, had.amount); err != nil {
				return err
			}
		}
	}
	switch {
	case fits:
		return nil
	case s.kind == sideCompany:
		outgrows(tx.Check(), "amount")
	default:
		tx.Check().Add("amount", trade.AmountTooLarge)
	}
	return tx.Check().Err()
}

func within(a money.Amount) bool { return -money.MaxAmount <= a && a <= money.MaxAmount }

// endures tells whether a balance may be what a change has made it: what the tax office
// has decided may have driven it too far, from where changes lead back.
func endures(now, change money.Amount) bool {
	return within(now) || now > 0 && change <= 0 || now < 0 && change >= 0
}

// checkRoom refuses to send an invoice by which the company would owe more than a balance
// can hold. It is asked before the tax office has it: what that has taken is booked.
func (tx *Tx) checkRoom(v *trade.Invoice) error {
	owes, err := tx.held(v.CompanyID, v.Currency)
	if err != nil {
		return err
	}
	way, err := tx.onTheWay(v.CompanyID, v.Currency)
	if err != nil {
		return err
	}
	lira, ok := v.InLira()
	if !ok || !within(owes.amount+way.amount+v.Payable) || !within(owes.lira+way.lira+lira) {
		outgrows(tx.Check(), "payable")
	}
	return nil
}
