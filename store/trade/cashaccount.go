package trade

import "esnaf/store/money"

// CashAccount is a till (kasa). It never holds less than nothing.
type CashAccount struct {
	Meta
	Code           string         `json:"code" doc:"unique among live cash accounts; drawn as K000001 on when absent"`
	Name           string         `json:"name" api:"required"`
	Currency       string         `json:"currency" doc:"ISO 4217, TRY when absent; it stays once money has moved"`
	OpeningBalance money.Amount   `json:"openingBalance" doc:"what the till holds when it is entered (açılış bakiyesi), never negative; later it is taken and ignored"`
	OpeningRate    money.Exchange `json:"openingRate,omitzero" api:"positive" doc:"TRY for one unit of currency at the opening; without it a foreign opening balance has no value in lira"`
	OpeningDate    Date           `json:"openingDate,omitempty" doc:"the day of that balance; today when absent"`
	Balance        *money.Amount  `json:"balance,omitzero" api:"readonly" doc:"the sum of all movements"`
}

// Defaults fills what a caller may leave out.
func (a *CashAccount) Defaults(today Date) {
	defaultTo(&a.Currency, "TRY")
	a.OpeningDate = openedOn(a.OpeningDate, a.OpeningBalance, today)
}

// Check finds what is wrong with the fields that a caller sets.
func (a *CashAccount) Check(f *Check) {
	a.Meta.check(f)
	checkAccount(f, &a.Code, a.Name, a.Currency, a.OpeningRate)
	if a.OpeningBalance < 0 {
		f.Add("openingBalance", MustNotBeNegative)
	}
}

// Keep carries over from old what a caller may not set.
func (a *CashAccount) Keep(old *CashAccount) {
	a.Meta.keep(old.Meta)
	defaultTo(&a.Code, old.Code)
	a.OpeningBalance, a.OpeningRate, a.OpeningDate = old.OpeningBalance, old.OpeningRate, old.OpeningDate
}

// Opening is what the till held when it was entered.
func (a *CashAccount) Opening() Opening {
	return Opening{a.Code, a.Currency, a.OpeningBalance, a.OpeningRate, a.OpeningDate}
}

// SearchText is what q finds a cash account by.
func (a *CashAccount) SearchText() string { return a.Code + " " + a.Name }
