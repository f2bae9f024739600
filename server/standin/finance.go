package standin

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// purses are the firm's own accounts, by what is paid into them.
type purses struct{ lira, dollars, cash string }

// overCounter is how large an e-Arşiv invoice is at most that is paid in cash; larger
// sums go through the bank.
const overCounter = 20_000_00

// finance writes what the firm has been paid: of three invoices one in full, one in
// part and one not at all, each some days after its date; then it brings a part of
// the cash to the bank.
func (l *ledger) finance() error {
	p, err := l.open()
	if err != nil {
		return err
	}
	taken, err := l.taken()
	if err != nil {
		return err
	}
	for i, v := range taken {
		if err := l.receive(p, i, v); err != nil {
			return err
		}
	}
	_, err = l.tx.CreateTransfer(trade.Transfer{FromAccountID: p.cash, ToAccountID: p.lira, Date: l.today, Amount: 1_000_00, Description: "Kasadan bankaya"})
	return err
}

// open makes the firm's accounts with what they held before the first sale.
func (l *ledger) open() (p purses, err error) {
	t, err := l.tx.Settings()
	if err != nil {
		return p, err
	}
	for _, a := range []struct {
		id *string
		trade.BankAccount
	}{
		{&p.lira, trade.BankAccount{Name: "Vadesiz TL hesabı", Currency: "TRY", OpeningBalance: 125_000_00, IBAN: t.IBAN}},
		// of a bank that does not exist, like all of the demo's
		{&p.dollars, trade.BankAccount{Name: "Vadesiz dolar hesabı", Currency: "USD", OpeningBalance: 4_000_00, OpeningRate: 41_500_000, IBAN: trade.CompleteIBAN("TR", "0999900000084"+t.TaxNumber[:9])}},
	} {
		a.BankName, a.Branch, a.OpeningDate = "Örnek Bank", t.District, l.today.AddDays(-95)
		made, err := stored[trade.BankAccount](l.tx.CreateBankAccount(a.BankAccount))
		if err != nil {
			return p, err
		}
		*a.id = made.ID
	}
	cash, err := stored[trade.CashAccount](l.tx.CreateCashAccount(trade.CashAccount{Name: "Merkez kasa", OpeningBalance: 3_500_00, OpeningDate: l.today.AddDays(-95)}))
	p.cash = cash.ID
	return p, err
}

// taken are the invoices that can be paid, by number.
func (l *ledger) taken() (open []trade.Invoice, err error) {
	for _, state := range []trade.InvoiceState{trade.InvoiceSent, trade.InvoiceAccepted} {
		page, err := store.Invoices.List.Page(&l.tx.View, trade.Query{Limit: 200, Status: string(state), Sort: "number"}, []byte{'['})
		if err != nil {
			return nil, err
		}
		var some []trade.Invoice
		if err := json.Unmarshal(append(page.Docs, ']'), &some); err != nil {
			return nil, fmt.Errorf("invoices: %w", err)
		}
		open = append(open, some...)
	}
	return open, nil
}

// receive books what came in for the i-th invoice. Dollars are worth a little more
// or less by then. The firm has no account in euro: those invoices are still open.
func (l *ledger) receive(p purses, i int, v trade.Invoice) error {
	in := trade.Payment{
		CompanyID: v.CompanyID, AccountID: p.lira, Direction: trade.PaymentIn, Method: trade.ByTransfer,
		Date: min(v.IssueDate.AddDays(4+i%11), l.today), Amount: v.Payable,
	}
	switch i % 3 {
	case 1:
		in.Amount = max(v.Payable/2, 1)
	case 2:
		return nil
	}
	switch {
	case v.Currency == "USD":
		in.AccountID, in.ExchangeRate = p.dollars, v.ExchangeRate+money.Exchange(150_000*(i%5-2))
	case v.Currency != "TRY":
		return nil
	case v.DocumentType == trade.EArsiv && v.Payable < overCounter:
		in.AccountID, in.Method = p.cash, trade.ByCash
	}
	in.Allocations = []trade.Allocation{{InvoiceID: v.ID, Amount: in.Amount}}
	_, err := l.tx.CreatePayment(in)
	return err
}
