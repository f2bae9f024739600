package money

// The room an Amount has. The tax office's integrators refuse an amount of more
// than 15 digits before the point, and its rules (schematron decimalCheck) more
// than 2 after it.
const (
	AmountDigits   = 15
	AmountDecimals = 2

	MaxAmount = 999_999_999_999_999_99 // the largest there is, in hundredths
)

// Amount is a sum of money in hundredths of its currency (kuruş, cent); which
// currency that is, the record around it says.
type Amount int64

// ParseAmount reads a decimal number of at most AmountDigits digits and
// AmountDecimals decimals. Errors: ErrSyntax, ErrTooManyDigits,
// ErrTooManyDecimals.
func ParseAmount(s string) (Amount, error) {
	return parse[Amount](s, AmountDigits, AmountDecimals)
}

// Add is a + b; ok is false when either of them or the sum has more than
// AmountDigits digits.
func (a Amount) Add(b Amount) (sum Amount, ok bool) {
	return bounded(int64(a+b), a.fits() && b.fits())
}

// fits tells whether a has at most AmountDigits digits before the point.
func (a Amount) fits() bool { return -MaxAmount <= a && a <= MaxAmount }

// Append writes the amount with two decimals, as in 1234.50.
func (a Amount) Append(dst []byte) []byte {
	return write(dst, int64(a), AmountDecimals, AmountDecimals)
}

// String is the amount with two decimals, as in 1234.50.
func (a Amount) String() string { return string(a.Append(nil)) }

// AppendText is Append; JSON writes the amount as a string with it.
func (a Amount) AppendText(dst []byte) ([]byte, error) { return a.Append(dst), nil }

// MarshalText is AppendText into a new slice.
func (a Amount) MarshalText() ([]byte, error) { return a.Append(nil), nil }

// UnmarshalJSON reads a JSON string or number; errors as ParseAmount.
func (a *Amount) UnmarshalJSON(b []byte) error {
	return decode(a, b, AmountDigits, AmountDecimals)
}
