package store_test

import (
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// busy has a bank account with 200,000 postings, as a busy one has in some years.
func busy(b *testing.B) (*book, string, string) {
	book := openSynced(b)
	bank, cash := book.purse(book.who, false, "TRY", 100), book.purse(book.who, true, "TRY", 0)
	book.fill(b, "BANK", bank)
	return book, bank, cash
}

// fill books 200,000 postings on an account or a company.
func (book *book) fill(b *testing.B, kind, account string) {
	f := file(b, book.Dir())
	_, err := f.Exec(`INSERT INTO postings (tenant, entry, date, source, number, kind, account, currency, amount, lira)
		WITH RECURSIVE i (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 200000)
		SELECT ?, 1000 + i.n / 2, date('2024-01-01', '+' || (i.n / 200) || ' days'), 'trf_' || hex(randomblob(13)), 'TRF-1', ?, ?, 'TRY', iif(i.n % 2, 100, -100), iif(i.n % 2, 100, -100) FROM i`, book.who.Tenant, kind, account)
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkBalanceOf200000Postings(b *testing.B) {
	book, bank, _ := busy(b)
	reading(b, book, func(v *store.View) error { _, err := store.BankAccounts.Shown(v, bank); return err })
}

func BenchmarkTransferOnABusyAccount(b *testing.B) {
	book, bank, cash := busy(b)
	for b.Loop() {
		book.write(book.who, func(tx *store.Tx) error {
			_, err := tx.CreateTransfer(trade.Transfer{FromAccountID: bank, ToAccountID: cash, Amount: 1, ToAmount: 1})
			return err
		})
	}
}

func BenchmarkPaymentOfABusyCompany(b *testing.B) {
	book := openSynced(b)
	cash, company := book.purse(book.who, true, "TRY", 0), book.company(book.who, buyer()).ID
	book.fill(b, "COMPANY", company)
	for _, date := range []trade.Date{"", "2026-09-01"} { // something is booked after the second
		b.Run(string(date), func(b *testing.B) {
			for b.Loop() {
				book.write(book.who, func(tx *store.Tx) error {
					_, err := tx.CreatePayment(trade.Payment{CompanyID: company, AccountID: cash, Direction: trade.PaymentIn, Amount: 1, Date: date})
					return err
				})
			}
		})
	}
}
