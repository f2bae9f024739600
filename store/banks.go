package store

import (
	"slices"
	"strings"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// CreateBankAccount adds a bank account and books what it holds; a code is drawn
// when none is given. The answer shows the balance.
func (tx *Tx) CreateBankAccount(a trade.BankAccount) (Doc, error) {
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
		if a.Code, err = tx.drawCode("bank_accounts", "code", "B"); err != nil {
			return Doc{}, err
		}
	}
	if _, err := BankAccounts.Create(tx, &a); err != nil {
		return Doc{}, err
	}
	if err := tx.bookOpening(&purse{sideBank, a.ID, a.Currency}, a.Code, a.OpeningDate, a.OpeningBalance, a.OpeningRate); err != nil {
		return Doc{}, err
	}
	return BankAccounts.Shown(&tx.View, a.ID)
}

// UpdateBankAccount replaces what a caller may set of a bank account whose version
// match allows. Its currency stays once money has moved: Conflict currency_fixed.
func (tx *Tx) UpdateBankAccount(id string, match Match, a trade.BankAccount) (Doc, error) {
	was, old, err := current(tx, BankAccounts, id, match)
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
	if _, err := BankAccounts.Replace(tx, was, &old, &a); err != nil {
		return Doc{}, err
	}
	return BankAccounts.Shown(&tx.View, id)
}

// DeleteBankAccount marks a bank account deleted, whatever was booked on it.
func (tx *Tx) DeleteBankAccount(id string, match Match) error {
	return BankAccounts.Remove(tx, id, match)
}

// purse is a bank or cash account as the ledger needs it.
type purse struct {
	kind     sideKind
	id       string
	currency string
}

// side is what the account gets.
func (p *purse) side(amount, lira money.Amount) side {
	return side{p.kind, p.id, p.currency, amount, lira}
}

// purseOf finds the account that field refers to; nil when there is none, which is
// a fault of field.
func (tx *Tx) purseOf(field, id string) (*purse, error) {
	f := tx.Check()
	if id == "" {
		f.Required(field, "")
		return nil, nil
	}
	if touching(id) == CashAccounts.Prefix {
		a, ok, err := CashAccounts.Find(tx, f, field, id)
		if !ok {
			return nil, err
		}
		return &purse{sideCash, id, a.Currency}, nil
	}
	a, ok, err := BankAccounts.Find(tx, f, field, id)
	if !ok {
		return nil, err
	}
	return &purse{sideBank, id, a.Currency}, nil
}

// openedOn fills in the day of an opening balance.
func (tx *Tx) openedOn(date *trade.Date, amount money.Amount) (err error) {
	if *date == "" && amount != 0 {
		*date, err = tx.today()
	}
	return err
}

// bookOpening books what an account held before there was a ledger.
func (tx *Tx) bookOpening(p *purse, code string, date trade.Date, amount money.Amount, rate money.Exchange) error {
	if amount == 0 {
		return nil
	}
	lira := tx.inLira("openingBalance", amount, p.currency, rate)
	if err := tx.Check().Err(); err != nil {
		return err
	}
	return tx.book(voucher{source: p.id, number: code, date: date}, p.side(amount, lira), side{sideOpening, "", p.currency, -amount, -lira})
}

// keepsCurrency refuses another currency for an account on which money has moved.
func (tx *Tx) keepsCurrency(id, was, is string) error {
	if was == is {
		return nil
	}
	moved, err := tx.moved(id)
	if err == nil && moved {
		err = trade.Fail(trade.Conflict, trade.CurrencyFixed, was)
	}
	return err
}

// withBalance shows what an account holds: the sum of all that was booked on it.
func withBalance(v *View, id string, dst []byte) ([]byte, error) {
	sum, err := v.balance(id)
	if err != nil {
		return nil, err
	}
	return append(sum.Append(append(dst, `,"balance":"`...)), '"'), nil
}

// touching names the kinds of the accounts with these ids, each once: bnk, csh or
// "bnk csh".
func touching(ids ...string) string {
	var kinds []string
	for _, id := range ids {
		kind, _, _ := strings.Cut(id, "_")
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return strings.Join(slices.Compact(kinds), " ")
}
