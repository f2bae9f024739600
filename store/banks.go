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
	return createAccount(tx, BankAccounts, sideBank, &a)
}

// UpdateBankAccount replaces what a caller may set of a bank account whose version
// match allows. Its currency stays once money has moved: Conflict currency_fixed.
func (tx *Tx) UpdateBankAccount(id string, match Match, a trade.BankAccount) (Doc, error) {
	return updateAccount(tx, BankAccounts, id, match, &a)
}

// DeleteBankAccount marks a bank account deleted, whatever was booked on it, unless it
// holds or owes something: Conflict holds_money.
func (tx *Tx) DeleteBankAccount(id string, match Match) error {
	return deleteAccount(tx, BankAccounts, id, match)
}

// account is a pointer to a bank or cash account.
type account[T any] interface {
	Record[T]
	Defaults(today trade.Date)
	Check(*trade.Check)
	Keep(old *T)
	Opening() trade.Opening
}

// createAccount adds an account and books what it holds.
func createAccount[T any, P account[T]](tx *Tx, t *Table[T, P], kind sideKind, a P) (Doc, error) {
	today, err := tx.today()
	if err != nil {
		return Doc{}, err
	}
	a.Defaults(today)
	a.Check(tx.Check())
	o := a.Opening()
	trade.CheckBooked(tx.Check(), "openingDate", o.Date, "", today)
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	if _, err := t.Create(tx, a); err != nil {
		return Doc{}, err
	}
	o = a.Opening() // its code may have been drawn
	if err := tx.bookOpening(&purse{kind, a.Base().ID, o.Currency, o.Date}, o); err != nil {
		return Doc{}, err
	}
	return t.Shown(&tx.View, a.Base().ID)
}

// updateAccount replaces what a caller may set of an account.
func updateAccount[T any, P account[T]](tx *Tx, t *Table[T, P], id string, match Match, a P) (Doc, error) {
	was, old, err := current(tx, t, id, match)
	if err != nil {
		return Doc{}, err
	}
	today, err := tx.today()
	if err != nil {
		return Doc{}, err
	}
	a.Keep(&old)
	a.Defaults(today)
	a.Check(tx.Check())
	if err := tx.Check().Err(); err != nil {
		return Doc{}, err
	}
	if err := tx.keepsCurrency(id, P(&old).Opening().Currency, a.Opening().Currency); err != nil {
		return Doc{}, err
	}
	if _, err := t.Replace(tx, was, &old, a); err != nil {
		return Doc{}, err
	}
	return t.Shown(&tx.View, id)
}

// deleteAccount marks an account deleted: what it held would vanish from the lists
// with it.
func deleteAccount[T any, P account[T]](tx *Tx, t *Table[T, P], id string, match Match) error {
	_, a, err := current(tx, t, id, match)
	if err != nil {
		return err
	}
	held, err := tx.balance(id)
	if err != nil {
		return err
	}
	if held != 0 {
		return trade.Fail(trade.Conflict, trade.HoldsMoney, held, P(&a).Opening().Currency)
	}
	return t.Remove(tx, id, match)
}

// purse is a bank or cash account as the ledger needs it.
type purse struct {
	kind     sideKind
	id       string
	currency string
	opened   trade.Date // the day from which it is kept, "" for always
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
		return &purse{sideCash, id, a.Currency, a.OpeningDate}, nil
	}
	a, ok, err := BankAccounts.Find(tx, f, field, id)
	if !ok {
		return nil, err
	}
	return &purse{sideBank, id, a.Currency, a.OpeningDate}, nil
}

// bookOpening books what an account held before there was a ledger.
func (tx *Tx) bookOpening(p *purse, o trade.Opening) error {
	if o.Balance == 0 {
		return nil
	}
	lira := tx.inLira("openingBalance", o.Balance, p.currency, o.Rate)
	if err := tx.Check().Err(); err != nil {
		return err
	}
	return tx.book(voucher{source: p.id, number: o.Code, date: o.Date}, p.side(o.Balance, lira), side{sideOpening, "", p.currency, -o.Balance, -lira})
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
