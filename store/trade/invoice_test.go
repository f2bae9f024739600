package trade

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"esnaf/store/money"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func validLine() Line {
	return Line{Name: "Danışmanlık", Unit: "C62", Quantity: must(money.ParseQuantity("2")), UnitPrice: new(must(money.ParsePrice("100"))), VATRate: new(money.Percent(20))}
}

func validInvoice() Invoice {
	v := Invoice{CompanyID: "cmp_1", Lines: []Line{validLine()}, Status: InvoiceDraft, DocumentType: EArsiv}
	v.Defaults(nil)
	return v
}

// Every rule on an invoice that a draft must keep has a row.
func TestInvoiceCheck(t *testing.T) {
	long := strings.Repeat("x", 1001)
	for _, test := range []struct {
		about string
		edit  func(*Invoice)
		want  string
	}{
		{"all is well", func(*Invoice) {}, ""},
		{"no lines", func(v *Invoice) { v.Lines = nil }, "lines required"},
		{"as many lines as may be", func(v *Invoice) { v.Lines = slicesOf(validLine(), MaxLines) }, ""},
		{"one line more", func(v *Invoice) { v.Lines = slicesOf(Line{}, MaxLines+1) }, "lines too_many"},
		{"a type that is not made", func(v *Invoice) { v.InvoiceType = "IADE" }, "invoiceType invalid_value"},
		{"a profile that is not made", func(v *Invoice) { v.Profile = "IHRACAT" }, "profile invalid_value"},
		{"an unknown currency", func(v *Invoice) { v.Currency, v.ExchangeRate = "XXA", 1 }, "currency code_invalid"},
		{"a foreign currency without a rate", func(v *Invoice) { v.Currency = "USD" }, "exchangeRate exchange_rate_required"},
		{"a foreign currency", func(v *Invoice) { v.Currency, v.ExchangeRate = "USD", must(money.ParseExchange("41.25")) }, ""},
		{"a rate below nothing", func(v *Invoice) { v.Currency, v.ExchangeRate = "USD", -1 }, "exchangeRate must_be_positive"},
		{"a rate of TRY against itself", func(v *Invoice) { v.ExchangeRate = must(money.ParseExchange("1")) }, ""},
		{"another rate for TRY", func(v *Invoice) { v.ExchangeRate = must(money.ParseExchange("2")) }, "exchangeRate exchange_rate_not_allowed"},
		{"a negative term", func(v *Invoice) { v.PaymentTermDays = -1 }, "paymentTermDays out_of_range"},
		{"due before it is issued", func(v *Invoice) { v.IssueDate, v.DueDate = "2026-09-15", "2026-09-14" }, "dueDate out_of_range"},
		{"due on the day", func(v *Invoice) { v.IssueDate, v.DueDate = "2026-09-15", "2026-09-15" }, ""},
		{"what every record has", func(v *Invoice) { v.ExternalID = long }, "externalId too_long"},
		{"a line of nothing", func(v *Invoice) { v.Lines[0] = Line{} }, "lines[0].name required, lines[0].quantity must_be_positive, lines[0].unitPrice required, lines[0].vatRate required"},
		{"long texts", func(v *Invoice) {
			l := &v.Lines[0]
			l.Name, l.Code, l.Description = long, long, long
		}, "lines[0].name too_long, lines[0].code too_long, lines[0].description too_long"},
		{"a word for a unit", func(v *Invoice) { v.Lines[0].Unit = "adet" }, "lines[0].unit code_invalid"},
		{"nothing of it", func(v *Invoice) { v.Lines[0].Quantity = 0 }, "lines[0].quantity must_be_positive"},
		{"less than nothing", func(v *Invoice) { v.Lines[0].Quantity = -1 }, "lines[0].quantity must_be_positive"},
		{"a price below nothing", func(v *Invoice) { v.Lines[0].UnitPrice = new(money.Price(-1)) }, "lines[0].unitPrice must_not_be_negative"},
		{"for free", func(v *Invoice) { v.Lines[0].UnitPrice = new(money.Price(0)) }, ""},
		{"VAT above all", func(v *Invoice) { v.Lines[0].VATRate = new(money.Percent(101)) }, "lines[0].vatRate out_of_range"},
		{"two discounts", func(v *Invoice) {
			v.Lines[0].DiscountRate, v.Lines[0].DiscountAmount = new(money.Percent(1)), new(money.Amount(1))
		}, "lines[0].discountRate mutually_exclusive"},
		{"a discount of more than all", func(v *Invoice) { v.Lines[0].DiscountRate = new(money.Percent(101)) }, "lines[0].discountRate out_of_range"},
		{"a discount below nothing", func(v *Invoice) { v.Lines[0].DiscountRate = new(money.Rate(-1)) }, "lines[0].discountRate out_of_range"},
		{"an amount below nothing", func(v *Invoice) { v.Lines[0].DiscountAmount = new(money.Amount(-1)) }, "lines[0].discountAmount must_not_be_negative"},
		{"an amount above the line's", func(v *Invoice) { v.Lines[0].DiscountAmount = new(money.Amount(20001)) }, "lines[0].discountAmount discount_too_large"},
		{"the whole line off", func(v *Invoice) { v.Lines[0].DiscountAmount = new(money.Amount(20000)) }, ""},
		{"more than can be counted", func(v *Invoice) {
			v.Lines[0].Quantity, v.Lines[0].UnitPrice = must(money.ParseQuantity("999999999")), new(must(money.ParsePrice("999999999")))
		}, "lines[0].quantity amount_too_large"},
		{"lines that add up to too much", func(v *Invoice) {
			l := validLine()
			l.Quantity, l.UnitPrice = must(money.ParseQuantity("99999")), new(must(money.ParsePrice("8000000000")))
			v.Lines = slicesOf(l, 2)
		}, "lines amount_too_large"},
		{"a line that is wrong is not summed", func(v *Invoice) {
			v.Lines[0].Quantity, v.Lines[0].DiscountRate = -2_000_000, new(money.Percent(10))
		}, "lines[0].quantity must_be_positive"},
	} {
		t.Run(test.about, func(t *testing.T) {
			v, f := validInvoice(), Check{}
			test.edit(&v)
			v.Check(&f, nil)
			if v.Sum(&f); f.list() != test.want {
				t.Errorf("found %s, want %s", f.list(), test.want)
			}
		})
	}
}

func slicesOf(l Line, n int) []Line {
	all := make([]Line, n)
	for i := range all {
		all[i] = l
	}
	return all
}

func TestInvoiceDefaults(t *testing.T) {
	company := &Company{Currency: "EUR", PaymentTermDays: 30}
	for _, test := range []struct {
		about string
		v     Invoice
		buyer *Company
		want  string
	}{
		{"all from the company", Invoice{}, company, "SATIS EUR 30"},
		{"no company known", Invoice{}, nil, "SATIS TRY 0"},
		{"all given", Invoice{InvoiceType: "X", Currency: "USD", PaymentTermDays: 7}, company, "X USD 7"},
	} {
		test.v.Defaults(test.buyer)
		if got := fmt.Sprint(test.v.InvoiceType, " ", test.v.Currency, " ", test.v.PaymentTermDays); got != test.want {
			t.Errorf("%s: %s, want %s", test.about, got, test.want)
		}
	}
}

func TestInvoiceKeepsWhatACallerMayNotSet(t *testing.T) {
	old := Invoice{
		Meta: Meta{ID: "inv_1", Version: 3}, Number: "EAR2026000000001", ETTN: "e", Direction: Sales, Status: InvoiceFailed, PaidTotal: 5, PaymentStatus: PartiallyPaid,
		EDocument: EDocument{Attempts: 2}, DocumentType: EArsiv, Profile: EArsivFatura, IssueDate: "2026-09-15", IssueTime: "12:00:00", DueDate: "2026-10-15",
	}
	given := Invoice{Number: "X", ETTN: "X", Status: InvoiceSent, PaidTotal: 9, IssueDate: "2020-01-01", DueDate: "2026-11-15", Lines: []Line{validLine()}}
	v := given
	v.Keep(&old)
	want := old
	want.DueDate, want.Lines = given.DueDate, given.Lines
	if diff := cmp.Diff(want, v); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	old.Status = InvoiceDraft // a draft has no number yet, and its date may change
	v = given
	if v.Keep(&old); v.IssueDate != "2020-01-01" || v.Profile != "" {
		t.Errorf("a draft keeps %s %s", v.IssueDate, v.Profile)
	}
}

// The document is the sum of its printed lines, whatever they are.
func TestSumsAreThoseOfTheLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := validInvoice()
		v.PaidTotal = money.Amount(rapid.Int64Range(0, 1000).Draw(t, "paid"))
		v.Lines = nil
		for range rapid.IntRange(1, 8).Draw(t, "lines") {
			l := validLine()
			l.Quantity = money.Quantity(rapid.Int64Range(1, 99_000_000).Draw(t, "quantity"))
			l.UnitPrice = new(money.Price(rapid.Int64Range(0, 999_999_999_999).Draw(t, "price")))
			l.VATRate = new(money.Percent(rapid.SampledFrom([]int{0, 1, 10, 20}).Draw(t, "vat")))
			l.PriceIncludesVAT = rapid.Bool().Draw(t, "included")
			if rapid.Bool().Draw(t, "discount") {
				l.DiscountRate = new(money.Percent(rapid.IntRange(0, 100).Draw(t, "rate")))
			}
			v.Lines = append(v.Lines, l)
		}
		var f Check
		v.Check(&f, nil)
		if v.Sum(&f); f.Err() != nil {
			t.Fatal(f.Err())
		}
		var gross, discount, net, vat, total, base, tax money.Amount
		for _, l := range v.Lines {
			gross, discount, net, vat, total = gross+l.Gross, discount+l.Discount, net+l.Net, vat+l.VAT, total+l.Total
			if l.Gross-l.Discount != l.Net || l.Net+l.VAT != l.Total {
				t.Fatalf("a line does not add up: %+v", l)
			}
		}
		for _, x := range v.Taxes {
			base, tax = base+x.Base, tax+x.Amount
		}
		got := []money.Amount{v.Subtotal, v.DiscountTotal, v.Net(), v.VATTotal, v.Total, v.Payable, v.Remaining, base, tax}
		if diff := cmp.Diff([]money.Amount{gross, discount, net, vat, total, total, total - v.PaidTotal, net, vat}, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Every rule that is asked at send has a row.
func TestCheckSend(t *testing.T) {
	whole := Party{Name: "x", TaxNumber: "1234567890", District: "x", City: "x"}
	for _, test := range []struct {
		about string
		edit  func(*Invoice)
		want  string
	}{
		{"all is well", func(*Invoice) {}, ""},
		{"a seller without an address", func(v *Invoice) { v.Seller = &Party{Name: "x", TaxNumber: "1234567890"} }, "seller.district needed_for_document, seller.city needed_for_document"},
		{"a buyer nobody knows", func(v *Invoice) { v.Buyer = &Party{} }, "buyer.taxNumber needed_for_document, buyer.district needed_for_document, buyer.city needed_for_document, buyer.name needed_for_document"},
		{"an e-Fatura of the other kind's profile", func(v *Invoice) { v.DocumentType, v.Profile = EFatura, EArsivFatura }, "profile invalid_value"},
		{"no VAT and no reason", func(v *Invoice) { v.Lines[0].VAT = 0 }, "lines[0].exemptionCode exemption_required"},
		{"no VAT for a reason", func(v *Invoice) { v.Lines[0].VAT, v.Lines[0].ExemptionCode = 0, "351" }, ""},
		{"a reason that does not fit", func(v *Invoice) { v.Lines[0].VAT, v.Lines[0].ExemptionCode = 0, "301" }, "lines[0].exemptionCode exemption_not_allowed"},
		{"a reason and VAT", func(v *Invoice) { v.Lines[0].ExemptionCode = "351" }, "lines[0].exemptionCode exemption_not_allowed"},
	} {
		t.Run(test.about, func(t *testing.T) {
			v, f := validInvoice(), Check{}
			v.Freeze(whole, whole)
			v.Check(&f, nil)
			v.Sum(&f)
			test.edit(&v)
			if v.CheckSend(&f); f.list() != test.want {
				t.Errorf("found %s, want %s", f.list(), test.want)
			}
		})
	}
}

func TestCheckDate(t *testing.T) {
	for _, test := range []struct{ date, due, last, want string }{
		{"2026-09-15", "", "", ""},
		{"2026-09-16", "", "", "issueDate issue_date_future"},
		{"2026-09-14", "", "2026-09-15", "issueDate issue_date_order"},
		{"2026-09-15", "", "2026-09-15", ""},
		{"2005-01-01", "", "", ""},
		{"2004-12-31", "", "", "issueDate out_of_range"},
		{"2026-09-15", "2026-09-14", "", "dueDate out_of_range"},
		{"2026-09-16", "2026-09-14", "", "issueDate issue_date_future, dueDate out_of_range"},
	} {
		v, f := Invoice{IssueDate: Date(test.date), DueDate: Date(test.due)}, Check{}
		if v.CheckDate(&f, "2026-09-15", Date(test.last)); f.list() != test.want {
			t.Errorf("%+v: found %s", test, f.list())
		}
	}
}

func TestCheckDateOfTheRate(t *testing.T) {
	for day, want := range map[Date]string{"": "", "2004-12-31": "exchangeRateDate out_of_range", "2005-01-01": "", "2026-09-14": "", "2026-09-15": "", "2026-09-16": "exchangeRateDate out_of_range"} {
		v, f := Invoice{IssueDate: "2026-09-15", ExchangeRateDate: day}, Check{}
		if v.CheckDate(&f, "2026-09-15", ""); f.list() != want {
			t.Errorf("%s: found %s", day, f.list())
		}
	}
}

func TestIssue(t *testing.T) {
	now := time.Date(2026, 9, 15, 23, 59, 58, 0, time.FixedZone("TRT", 3*3600))
	for _, test := range []struct {
		about string
		v     Invoice
		want  string
	}{
		{"nothing given", Invoice{Currency: "TRY"}, "2026-09-15 23:59:58 2026-09-15 "},
		{"a term", Invoice{Currency: "TRY", PaymentTermDays: 30}, "2026-09-15 23:59:58 2026-10-15 "},
		{"all given", Invoice{Currency: "TRY", IssueDate: "2026-09-10", DueDate: "2026-12-01", PaymentTermDays: 30}, "2026-09-10 23:59:58 2026-12-01 "},
		{"a foreign currency", Invoice{Currency: "USD", IssueDate: "2026-09-10"}, "2026-09-10 23:59:58 2026-09-10 2026-09-10"},
		{"the day of its rate given", Invoice{Currency: "USD", ExchangeRateDate: "2026-09-09"}, "2026-09-15 23:59:58 2026-09-15 2026-09-09"},
	} {
		v := test.v
		if v.Issue(now); fmt.Sprint(v.IssueDate, " ", v.IssueTime, " ", v.DueDate, " ", v.ExchangeRateDate) != test.want {
			t.Errorf("%s: %s %s %s %s", test.about, v.IssueDate, v.IssueTime, v.DueDate, v.ExchangeRateDate)
		}
	}
}
