package trade

import "esnaf/store/money"

// Transfer is money moved between two own accounts (virman).
type Transfer struct {
	Meta
	Number        string         `json:"number" api:"readonly"`
	FromAccountID string         `json:"fromAccountId" api:"required" doc:"bank or cash account"`
	ToAccountID   string         `json:"toAccountId" api:"required" doc:"another bank or cash account"`
	Date          Date           `json:"date" doc:"today when absent"`
	Amount        money.Amount   `json:"amount" api:"required" doc:"what leaves the first account, in its currency"`
	Currency      string         `json:"currency" api:"readonly" doc:"the first account's"`
	ToAmount      money.Amount   `json:"toAmount" doc:"what reaches the second account, in its currency; where the two differ it is required, unless exchangeRate and an account in TRY tell it"`
	ToCurrency    string         `json:"toCurrency" api:"readonly" doc:"the second account's"`
	ExchangeRate  money.Exchange `json:"exchangeRate,omitzero" doc:"TRY for one unit of the currency that is not TRY, or of the first where neither is; without it such a move has no value in lira"`
	Description   string         `json:"description,omitempty"`
}

// Defaults fills what a caller may leave out.
func (t *Transfer) Defaults(today Date) {
	defaultTo(&t.Date, today)
	if t.ToAmount != 0 {
		return
	}
	// What is too large stays 0 and is a fault of toAmount.
	switch {
	case t.Currency == t.ToCurrency:
		t.ToAmount = t.Amount
	case t.Currency == "TRY":
		t.ToAmount, _ = t.ExchangeRate.Into(t.Amount)
	case t.ToCurrency == "TRY":
		t.ToAmount, _ = t.ExchangeRate.Of(t.Amount)
	}
}

// Check finds what is wrong with the fields that a caller sets.
func (t *Transfer) Check(f *Check) {
	t.Meta.check(f)
	f.Max("description", t.Description, 500)
	if t.FromAccountID != "" && t.FromAccountID == t.ToAccountID {
		f.Add("toAccountId", SameAccount, "fromAccountId")
	}
	if t.Amount <= 0 {
		f.Add("amount", MustBePositive)
	}
	if t.ExchangeRate < 0 {
		f.Add("exchangeRate", MustBePositive)
	}
	switch {
	case t.ToAmount == 0 && t.Currency != t.ToCurrency:
		f.Add("toAmount", Required)
	case t.ToAmount < 0:
		f.Add("toAmount", MustBePositive)
	case t.Currency == t.ToCurrency && t.ToAmount != t.Amount:
		f.AddFault(Fault{Field: "toAmount", Code: BadValue, Args: []any{t.ToAmount.String(), t.Amount.String()}})
	}
}

// SearchText is what q finds a transfer by.
func (t *Transfer) SearchText() string { return t.Number + " " + t.Description }
