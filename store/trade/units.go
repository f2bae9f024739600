package trade

import "esnaf/store/money"

// parity is the rate of TRY against itself.
const parity money.Exchange = 1_000_000
