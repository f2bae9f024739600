package store

import "esnaf/store/trade"

// CreateCashAccount adds a cash account and books what it holds; a code is drawn
// when none is given. The answer shows the balance.
func (tx *Tx) CreateCashAccount(a trade.CashAccount) (Doc, error) {
	return createAccount(tx, CashAccounts, sideCash, &a)
}

// UpdateCashAccount replaces what a caller may set of a cash account whose version
// match allows. Its currency stays once money has moved: Conflict currency_fixed.
func (tx *Tx) UpdateCashAccount(id string, match Match, a trade.CashAccount) (Doc, error) {
	return updateAccount(tx, CashAccounts, id, match, &a)
}

// DeleteCashAccount marks a cash account deleted, whatever was booked on it, unless it
// holds something: Conflict holds_money.
func (tx *Tx) DeleteCashAccount(id string, match Match) error {
	return deleteAccount(tx, CashAccounts, id, match)
}
