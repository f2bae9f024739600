package money

// The room a Rate and an Exchange have. The tax office takes an exchange rate of
// at most 6 decimals (schematron CurrencyCodeCheck).
const (
	RateDigits       = 3
	RateDecimals     = 4
	ExchangeDigits   = 9
	ExchangeDecimals = 6

	hundred = 100_0000 // 100 percent as a Rate
	maxRate = 999_9999
)

// Rate is a percentage (VAT, discount, withholding) in 1/10^4 percent. Which
// rates make sense, such as 0 to 100, is for the caller to judge.
type Rate int64

// Percent is the Rate of n whole percent.
func Percent(n int) Rate { return Rate(n) * (hundred / 100) }

// ParseRate reads a decimal number of at most RateDigits digits and RateDecimals
// decimals. Errors: ErrSyntax, ErrTooManyDigits, ErrTooManyDecimals.
func ParseRate(s string) (Rate, error) { return parse[Rate](s, RateDigits, RateDecimals) }

// Of is r percent of a, rounded to two decimals. Of a rate over 100 percent it
// may be more than an Amount holds; Add tells.
func (r Rate) Of(a Amount) Amount {
	n, _ := round(int64(a), int64(r), hundred) // what does not fit stays out of every bound
	return Amount(n)
}

// Split takes a total that includes r percent of tax apart: net = total / (1 + r)
// rounded, and vat is the rest, so that the total a customer saw never changes.
// It must be done on the total of a line: splitting the unit price first loses a
// kuruş. A negative rate, which no tax has, splits nothing off.
func (r Rate) Split(total Amount) (net, vat Amount) {
	n, _ := round(int64(total), hundred, r.onTop()) // at most total, so it fits
	return Amount(n), total - Amount(n)
}

// Strip is the unit price p, which includes r percent of tax, without the tax, to
// eight decimals.
func (r Rate) Strip(p Price) Price {
	n, _ := round(int64(p), hundred, r.onTop()) // at most p, so it fits
	return Price(n)
}

// onTop is 100 percent plus r, never less than 100 percent.
func (r Rate) onTop() int64 { return hundred + int64(min(max(r, 0), maxRate)) }

// Append writes the rate without needless zeros, as in 20 or 9.975.
func (r Rate) Append(dst []byte) []byte { return write(dst, int64(r), RateDecimals, 0) }

// String is the rate as Append writes it, without a percent sign.
func (r Rate) String() string { return string(r.Append(nil)) }

// AppendText is Append; JSON writes the rate as a string with it.
func (r Rate) AppendText(dst []byte) ([]byte, error) { return r.Append(dst), nil }

// MarshalText is AppendText into a new slice.
func (r Rate) MarshalText() ([]byte, error) { return r.Append(nil), nil }

// UnmarshalJSON reads a JSON string or number; errors as ParseRate.
func (r *Rate) UnmarshalJSON(b []byte) error { return decode(r, b, RateDigits, RateDecimals) }

// Exchange is a rate of exchange (kur): Turkish lira for one unit of a foreign
// currency, in millionths.
type Exchange int64

// ParseExchange reads a decimal number of at most ExchangeDigits digits and
// ExchangeDecimals decimals. Errors: ErrSyntax, ErrTooManyDigits,
// ErrTooManyDecimals.
func ParseExchange(s string) (Exchange, error) {
	return parse[Exchange](s, ExchangeDigits, ExchangeDecimals)
}

// Of is the foreign amount a in Turkish lira, rounded to two decimals; ok is
// false when that is more than an Amount holds.
func (x Exchange) Of(a Amount) (lira Amount, ok bool) {
	return bounded(round(int64(a), int64(x), 1e6))
}

// Into is the lira amount in the foreign currency, rounded to two decimals; ok is
// false when that is more than an Amount holds, or x is no rate.
func (x Exchange) Into(lira Amount) (a Amount, ok bool) {
	if x <= 0 {
		return 0, false
	}
	return bounded(round(int64(lira), 1e6, int64(x)))
}

// Append writes the rate with at least four decimals and no needless zeros
// beyond them, as in 40.0000 or 40.123456.
func (x Exchange) Append(dst []byte) []byte { return write(dst, int64(x), ExchangeDecimals, 4) }

// String is the rate as Append writes it.
func (x Exchange) String() string { return string(x.Append(nil)) }

// AppendText is Append; JSON writes the rate as a string with it.
func (x Exchange) AppendText(dst []byte) ([]byte, error) { return x.Append(dst), nil }

// MarshalText is AppendText into a new slice.
func (x Exchange) MarshalText() ([]byte, error) { return x.Append(nil), nil }

// UnmarshalJSON reads a JSON string or number; errors as ParseExchange.
func (x *Exchange) UnmarshalJSON(b []byte) error {
	return decode(x, b, ExchangeDigits, ExchangeDecimals)
}
