package trade

import (
	"testing"

	"esnaf/store/money"
)

// Every case of how much is paid and when it was due, on 15 September.
func TestPaymentStatusOf(t *testing.T) {
	const today = Date("2026-09-15")
	for _, row := range []struct {
		payable, paid money.Amount
		due           Date
		want          PaymentStatus
	}{
		{24000, 0, "", Unpaid},
		{24000, 0, "2026-09-14", Overdue},
		{24000, 0, "2026-09-15", Unpaid}, // the day itself is in time
		{24000, 0, "2026-09-16", Unpaid},
		{24000, 1, "", PartiallyPaid},
		{24000, 1, "2026-09-14", Overdue},
		{24000, 23999, "2026-09-15", PartiallyPaid},
		{24000, 24000, "", Paid},
		{24000, 24000, "2026-09-14", Paid}, // late, but paid
		{24000, 24000, "2026-09-16", Paid},
		{0, 0, "2026-09-14", Paid}, // nothing is owed
	} {
		if got := PaymentStatusOf(row.payable, row.paid, row.due, today); got != row.want {
			t.Errorf("%s of %s, due on %q: %s, want %s", row.paid, row.payable, row.due, got, row.want)
		}
	}
}

// Only an invoice that is owed can fall due, and only once.
func TestFallsDue(t *testing.T) {
	for _, status := range InvoiceState("").Values() {
		for _, paid := range PaymentStatus("").Values() {
			v := Invoice{Status: InvoiceState(status), PaymentStatus: PaymentStatus(paid), DueDate: "2026-09-14"}
			want := Date("")
			if (status == "SENT" || status == "ACCEPTED") && (paid == "UNPAID" || paid == "PARTIALLY_PAID") {
				want = "2026-09-14"
			}
			if got := v.FallsDue(); got != want {
				t.Errorf("%s, %s: falls due on %q, want %q", status, paid, got, want)
			}
			v.Payable, v.PaidTotal = 24000, 0
			if v.Pay(0, "2026-09-15"); v.FallsDue() != "" || (v.PaymentStatus == Overdue) != v.Owed() {
				t.Errorf("%s: on the day after it is %s and falls due on %q", status, v.PaymentStatus, v.FallsDue())
			}
		}
	}
}
