package store

import (
	"fmt"

	"esnaf/store/trade"
)

// CreateTransfer moves money between two own accounts.
func (tx *Tx) CreateTransfer(t trade.Transfer) (Doc, error) {
	from, err := tx.purseOf("fromAccountId", t.FromAccountID)
	if err != nil {
		return Doc{}, err
	}
	to, err := tx.purseOf("toAccountId", t.ToAccountID)
	if err != nil {
		return Doc{}, err
	}
	today, err := tx.today()
	if err != nil {
		return Doc{}, err
	}
	var opened trade.Date
	if from != nil && to != nil {
		t.Currency, t.ToCurrency = from.currency, to.currency
		opened = max(from.opened, to.opened)
	}
	t.Defaults(today)
	t.Check(tx.Check())
	trade.CheckBooked(tx.Check(), "date", t.Date, opened, today)
	// What is in lira on either side says what the move is worth.
	lira := tx.inLira("amount", t.Amount, t.Currency, t.ExchangeRate)
	if t.ToCurrency == "TRY" {
		lira = t.ToAmount
	}
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	n, err := tx.draw("transfers")
	if err != nil {
		return Doc{}, err
	}
	t.Number = fmt.Sprintf("TRF-%06d", n)
	doc, err := Transfers.Create(tx, &t)
	if err != nil {
		return doc, err
	}
	return doc, tx.book(voucher{source: t.ID, number: t.Number, date: t.Date, crosses: t.Currency != t.ToCurrency},
		from.side(-t.Amount, -lira), to.side(t.ToAmount, lira))
}
