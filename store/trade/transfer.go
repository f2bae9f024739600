package trade

import "esnaf/store/money"

// Transfer is money moved between two own accounts (virman).
type Transfer struct {
	Meta
	Number        string         `json:"number" api:"readonly"`
	FromAccountID string         `json:"fromAccountId" api:"required" doc:"bank or cash account"`
	ToAccountID   string         `json:"toAccountId" api:"required" doc:"another bank or cash account"`
	Date          Date           `json:"date" doc:"today when absent; not later, and not before the openingDate of either account"`
	Amount        money.Amount   `json:"amount" api:"required,positive" doc:"what leaves the first account, in its currency"`
	Currency      string         `json:"currency" api:"readonly" doc:"the first account's"`
	ToAmount      money.Amount   `json:"toAmount" api:"positive" doc:"what reaches the second account, in its currency; where the two differ it is required, unless exchangeRate and an account in TRY tell it, with which it must agree to 0.01"`
	ToCurrency    string         `json:"toCurrency" api:"readonly" doc:"the second account's"`
	ExchangeRate  money.Exchange `json:"exchangeRate,omitzero" api:"positive" doc:"TRY for one unit of the currency that is not TRY, or of the first where neither is; without it such a move has no value in lira. Between accounts of one currency there is none"`
	Description   string         `json:"description,omitempty"`
}

// Defaults fills what a caller may leave out.
func (t *Transfer) Defaults(today Date) {
	defaultTo(&t.Date, today)
	if t.Currency == t.ToCurrency && t.ExchangeRate == parity {
		t.ExchangeRate = 0 // it would say what one unit is worth in lira
	}
	if t.ToAmount == 0 {
		t.ToAmount, _ = t.told() // what is too large stays 0 and is a fault of toAmount
	}
}

// told is what reaches the second account by what else is said; not ok when that does
// not tell it.
func (t *Transfer) told() (to money.Amount, ok bool) {
	switch {
	case t.Currency == t.ToCurrency:
		return t.Amount, true
	case t.ExchangeRate <= 0:
		return 0, false
	case t.Currency == "TRY":
		return t.ExchangeRate.Into(t.Amount)
	case t.ToCurrency == "TRY":
		return t.ExchangeRate.Of(t.Amount)
	}
	return 0, false
}

// Check finds what is wrong with the fields that a caller sets.
func (t *Transfer) Check(f *Check) {
	t.Meta.check(f)
	f.Max("description", t.Description, 500)
	if t.FromAccountID != "" && t.FromAccountID == t.ToAccountID {
		f.Add("toAccountId", SameAccount, "fromAccountId")
	}
	checkGiven(f, "amount", t.Amount)
	switch {
	case t.ExchangeRate < 0:
		f.Add("exchangeRate", MustBePositive)
	case t.ExchangeRate != 0 && t.Currency == t.ToCurrency:
		f.Add("exchangeRate", RateNotAllowed)
	}
	t.checkReached(f)
}

// checkReached judges what reaches the second account. Banks round what they change, so
// that it may be a hundredth away from what the rate says.
func (t *Transfer) checkReached(f *Check) {
	to, ok := t.told()
	off := max(t.ToAmount-to, to-t.ToAmount)
	switch {
	case !ok && t.ExchangeRate > 0 && (t.Currency == "TRY" || t.ToCurrency == "TRY"):
		f.Add("toAmount", AmountTooLarge)
	case ok && to == 0 && t.ToAmount == 0 && t.Amount > 0:
		f.Add("amount", AmountTooSmall, "0.00 "+t.ToCurrency)
	case t.ToAmount < 0 || t.ToAmount == 0 && t.Currency != t.ToCurrency:
		checkGiven(f, "toAmount", t.ToAmount)
	case !ok || t.Amount <= 0:
	case off > 0 && t.Currency == t.ToCurrency:
		f.AddFault(Fault{Field: "toAmount", Code: BadValue, Args: []any{t.ToAmount.String(), to.String()}})
	case off > 1:
		f.Add("toAmount", OutOfRange, max(to-1, 1), to+1)
	}
}

// SearchText is what q finds a transfer by.
func (t *Transfer) SearchText() string { return t.Number + " " + t.Description }
