package money

// Share is what part of whole pieces, which have cost a together, have cost; whole is
// positive, and part at most whole.
func (a Amount) Share(part, whole Quantity) Amount {
	n, _ := round(int64(a), int64(part), int64(whole))
	return Amount(n)
}

// Each is what one of q pieces, which have cost a together, has cost, to eight
// decimals; 0 for no pieces. A cost that no Price holds is cut to the largest of its
// sign.
func (a Amount) Each(q Quantity) Price {
	if q == 0 {
		return 0
	}
	n, _ := round(int64(a), 1e12, int64(max(q, -q))) // 2 decimals more than 6 less, to 8
	return Price(min(max(n, -maxPrice), maxPrice))
}

// maxPrice is the largest Price.
const maxPrice = 9_999_999_999_99999999
