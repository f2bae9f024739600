package trade

import (
	"strings"

	"esnaf/store/money"
)

// BankAccount is an own account at a bank (banka hesabı). It may be overdrawn.
type BankAccount struct {
	Meta
	Code           string         `json:"code" doc:"unique among live bank accounts; drawn as B000001 on when absent"`
	Name           string         `json:"name" api:"required"`
	BankName       string         `json:"bankName,omitempty"`
	Branch         string         `json:"branch,omitempty" doc:"şube"`
	IBAN           string         `json:"iban,omitempty"`
	Currency       string         `json:"currency" doc:"ISO 4217, TRY when absent; it stays once money has moved"`
	OpeningBalance money.Amount   `json:"openingBalance" doc:"what the account holds when it is entered (açılış bakiyesi); later it is taken and ignored"`
	OpeningRate    money.Exchange `json:"openingRate,omitzero" api:"positive" doc:"TRY for one unit of currency at the opening; without it a foreign opening balance has no value in lira"`
	OpeningDate    Date           `json:"openingDate,omitempty" doc:"the day of that balance; today when absent"`
	Balance        *money.Amount  `json:"balance,omitzero" api:"readonly" doc:"the sum of all movements"`
}

// Defaults fills what a caller may leave out and writes the IBAN without spaces.
func (a *BankAccount) Defaults(today Date) {
	defaultTo(&a.Currency, "TRY")
	a.OpeningDate = openedOn(a.OpeningDate, a.OpeningBalance, today)
	a.IBAN = strings.ToUpper(strings.ReplaceAll(a.IBAN, " ", ""))
}

// Check finds what is wrong with the fields that a caller sets.
func (a *BankAccount) Check(f *Check) {
	a.Meta.check(f)
	checkAccount(f, &a.Code, a.Name, a.Currency, a.OpeningRate)
	f.Max("bankName", a.BankName, 100)
	f.Max("branch", a.Branch, 100)
	checkIBAN(f, "iban", a.IBAN)
}

// Keep carries over from old what a caller may not set.
func (a *BankAccount) Keep(old *BankAccount) {
	a.Meta.keep(old.Meta)
	defaultTo(&a.Code, old.Code)
	a.OpeningBalance, a.OpeningRate, a.OpeningDate = old.OpeningBalance, old.OpeningRate, old.OpeningDate
}

// Opening is what the account held when it was entered.
func (a *BankAccount) Opening() Opening {
	return Opening{a.Code, a.Currency, a.OpeningBalance, a.OpeningRate, a.OpeningDate}
}

// SearchText is what q finds a bank account by.
func (a *BankAccount) SearchText() string { return a.Code + " " + a.Name + " " + a.IBAN }

// Opening is what an account held when it was entered (açılış bakiyesi).
type Opening struct {
	Code, Currency string // of the account
	Balance        money.Amount
	Rate           money.Exchange // 0 for none
	Date           Date
}

// openedOn is the day of an opening balance; one of nothing needs none.
func openedOn(date Date, balance money.Amount, today Date) Date {
	if balance != 0 {
		defaultTo(&date, today)
	}
	return date
}

// checkAccount judges what bank and cash accounts have in common.
func checkAccount(f *Check, code *string, name, currency string, rate money.Exchange) {
	checkCode(f, "code", code)
	f.Required("name", strings.TrimSpace(name))
	f.Max("name", name, 250)
	checkCurrency(f, "currency", currency)
	if rate < 0 {
		f.Add("openingRate", MustBePositive)
	}
}
