package store

import "esnaf/store/trade"

// CreateCashAccount adds a cash account and books what it holds; a code is drawn
// when none is given. The answer shows the balance.
func (tx *Tx) CreateCashAccount(a trade.CashAccount) (Doc, error) {
	a.Defaults()
	a.Check(tx.Check())
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	if err := tx.openedOn(&a.OpeningDate, a.OpeningBalance); err != nil {
		return Doc{}, err
	}
	if a.Code == "" {
		var err error
		if a.Code, err = tx.drawCode("cash_accounts", "code", "K"); err != nil {
			return Doc{}, err
		}
	}
	if _, err := CashAccounts.Create(tx, &a); err != nil {
		return Doc{}, err
	}
	if err := tx.bookOpening(&purse{sideCash, a.ID, a.Currency}, a.Code, a.OpeningDate, a.OpeningBalance, a.OpeningRate); err != nil {
		return Doc{}, err
	}
	return CashAccounts.Shown(&tx.View, a.ID)
}

// UpdateCashAccount replaces what a caller may set of a cash account whose version
// match allows. Its currency stays once money has moved: Conflict currency_fixed.
func (tx *Tx) UpdateCashAccount(id string, match Match, a trade.CashAccount) (Doc, error) {
	was, old, err := current(tx, CashAccounts, id, match)
	if err != nil {
		return Doc{}, err
	}
	a.Keep(&old)
	a.Defaults()
	a.Check(tx.Check())
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	if err := tx.keepsCurrency(id, old.Currency, a.Currency); err != nil {
		return Doc{}, err
	}
	if _, err := CashAccounts.Replace(tx, was, &old, &a); err != nil {
		return Doc{}, err
	}
	return CashAccounts.Shown(&tx.View, id)
}

// DeleteCashAccount marks a cash account deleted, whatever was booked on it.
func (tx *Tx) DeleteCashAccount(id string, match Match) error {
	return CashAccounts.Remove(tx, id, match)
}
