package money

// The room a Price and a Quantity have: a unit price may need more decimals than
// an amount (0.01 per gram, or a price including VAT taken apart), and goods are
// sold by the millilitre.
const (
	PriceDigits      = 10
	PriceDecimals    = 8
	QuantityDigits   = 12
	QuantityDecimals = 6
)

// Price is the price of one unit (birim fiyat) in 1/10^8 of its currency.
type Price int64

// ParsePrice reads a decimal number of at most PriceDigits digits and
// PriceDecimals decimals. Errors: ErrSyntax, ErrTooManyDigits,
// ErrTooManyDecimals.
func ParsePrice(s string) (Price, error) { return parse[Price](s, PriceDigits, PriceDecimals) }

// Times is p x q rounded to two decimals; ok is false when that is more than an
// Amount holds.
func (p Price) Times(q Quantity) (a Amount, ok bool) {
	return bounded(round(int64(p), int64(q), 1e12)) // 8 + 6 decimals, less the 2 that stay
}

// Append writes the price with at least two decimals and no needless zeros
// beyond them, as in 50.00 or 8.325.
func (p Price) Append(dst []byte) []byte { return write(dst, int64(p), PriceDecimals, 2) }

// String is the price as Append writes it.
func (p Price) String() string { return string(p.Append(nil)) }

// AppendText is Append; JSON writes the price as a string with it.
func (p Price) AppendText(dst []byte) ([]byte, error) { return p.Append(dst), nil }

// MarshalText is AppendText into a new slice.
func (p Price) MarshalText() ([]byte, error) { return p.Append(nil), nil }

// UnmarshalJSON reads a JSON string or number; errors as ParsePrice.
func (p *Price) UnmarshalJSON(b []byte) error { return decode(p, b, PriceDigits, PriceDecimals) }

// Quantity is how many units there are (miktar), in millionths.
type Quantity int64

// ParseQuantity reads a decimal number of at most QuantityDigits digits and
// QuantityDecimals decimals. Errors: ErrSyntax, ErrTooManyDigits,
// ErrTooManyDecimals.
func ParseQuantity(s string) (Quantity, error) {
	return parse[Quantity](s, QuantityDigits, QuantityDecimals)
}

// Append writes the quantity without needless zeros, as in 3 or 2.5.
func (q Quantity) Append(dst []byte) []byte { return write(dst, int64(q), QuantityDecimals, 0) }

// String is the quantity as Append writes it.
func (q Quantity) String() string { return string(q.Append(nil)) }

// AppendText is Append; JSON writes the quantity as a string with it.
func (q Quantity) AppendText(dst []byte) ([]byte, error) { return q.Append(dst), nil }

// MarshalText is AppendText into a new slice.
func (q Quantity) MarshalText() ([]byte, error) { return q.Append(nil), nil }

// UnmarshalJSON reads a JSON string or number; errors as ParseQuantity.
func (q *Quantity) UnmarshalJSON(b []byte) error {
	return decode(q, b, QuantityDigits, QuantityDecimals)
}
