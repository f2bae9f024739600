package server

import (
	"net/http"
	"slices"
	"strings"

	"esnaf/auth"
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// payments are money from and to companies; transfers are money between the own
// accounts. Which scope they ask for depends on the accounts they touch.
func payments() wire.Resource {
	through := func(p *trade.Payment) []string { return []string{p.AccountID} }
	routes := func(path string) []wire.Route {
		return []wire.Route{
			moneyList(path, "payments", store.Payments),
			moneyExport(path+"/export", "payments", store.Payments),
			moneyCreate(path, "payment", through, (*store.Tx).CreatePayment).
				Emits(trade.EventPaymentReceived, trade.EventPaymentMade, trade.EventInvoicePaid),
			moneyBulk(path+"/bulk", "payments", through, (*store.Tx).CreatePayment).
				Emits(trade.EventPaymentReceived, trade.EventPaymentMade, trade.EventInvoicePaid),
			moneyRead(path+"/{id}", "payment", store.Payments, through),
			paymentAction(path, trade.AllocatePayment, "Spend what is left of one payment",
				"Counts the company's credit on more of its invoices, or says of which payment this one has given back; the account is not touched.", (*store.Tx).AllocatePayment).Emits(trade.EventInvoicePaid),
			paymentAction(path, trade.ReversePayment, "Reverse one payment",
				"Books the payment the other way round, dated today, and takes it off the invoices it paid and the payments it gave back of. Refused (409) while something of it is given back itself, and when its account was deleted.",
				func(tx *store.Tx, id string, _ struct{}) (store.Doc, error) { return tx.ReversePayment(id) }).Emits(trade.EventInvoiceUpdated),
		}
	}
	return wire.Resource{Name: "payments", A: routes("/payments"), B: routes("/finance/payments")}
}

func transfers() wire.Resource {
	between := func(t *trade.Transfer) []string { return []string{t.FromAccountID, t.ToAccountID} }
	routes := func(path string) []wire.Route {
		return []wire.Route{
			moneyList(path, "transfers", store.Transfers),
			moneyExport(path+"/export", "transfers", store.Transfers),
			moneyCreate(path, "transfer", between, (*store.Tx).CreateTransfer),
			moneyBulk(path+"/bulk", "transfers", between, (*store.Tx).CreateTransfer),
			moneyRead(path+"/{id}", "transfer", store.Transfers, between),
		}
	}
	return wire.Resource{Name: "transfers", A: routes("/transfers"), B: routes("/finance/transfers")}
}

// mayTouch refuses whoever lacks the scope of an account: bank:action or
// cashAccount:action. What is no cash account counts as one at a bank. Where no account
// is named either scope will do: that one is missing is then told as any other fault.
func mayTouch(p auth.Principal, action string, accounts []string) error {
	for _, id := range accounts {
		enough := []string{"bank:" + action, "cashAccount:" + action}
		switch {
		case id == "":
		case strings.HasPrefix(id, store.CashAccounts.Prefix+"_"):
			enough = enough[1:]
		default:
			enough = enough[:1]
		}
		if !slices.ContainsFunc(enough, p.May) {
			return trade.Fail(trade.Forbidden, trade.InsufficientScope, trade.Phrase{strings.Join(enough, " or "), strings.Join(enough, " ya da ")})
		}
	}
	return nil
}

// scopeNote tells in the API description what mayTouch asks for.
func scopeNote(action string) string {
	return "Needs bank:" + action + " for a bank account and cashAccount:" + action + " for a cash account that is touched."
}

// moneyList lists what touches only accounts that the caller may read.
func moneyList[T any, P store.Record[T]](path, name string, t *store.Table[T, P]) wire.Route {
	return wire.NarrowedList(path, "", t, within("read")).
		Named(name+".list", "List "+name+", of bank accounts with bank:read and of cash accounts with cashAccount:read").
		Tells("Needs bank:read or cashAccount:read. With one of them it lists only what touches no account of the other kind.")
}

// moneyExport is moneyList as a file, for who may export.
func moneyExport[T any, P store.Record[T]](path, name string, t *store.Table[T, P]) wire.Route {
	return wire.NarrowedExport(path, "", t, within("export")).
		Named(name+".export", "Export "+name+", of bank accounts with bank:export and of cash accounts with cashAccount:export")
}

// within narrows a list to the kinds of accounts that the caller has the scope of.
func within(action string) func(auth.Principal, *trade.Query) error {
	return func(p auth.Principal, q *trade.Query) error {
		bank, cash := p.May("bank:"+action), p.May("cashAccount:"+action)
		switch {
		case bank && cash:
		case bank:
			q.Touches = store.BankAccounts.Prefix
		case cash:
			q.Touches = store.CashAccounts.Prefix
		default:
			return mayTouch(p, action, []string{""})
		}
		return nil
	}
}

// moneyCreate makes a record that moves money of the accounts that of names.
func moneyCreate[T any](path, one string, of func(*T) []string, op func(*store.Tx, T) (store.Doc, error)) wire.Route {
	about := wire.Info{
		Name: one + "s.create", Summary: "Create one " + one, About: scopeNote("create"), Status: http.StatusCreated,
		In: wire.Of[T](), Out: wire.Of[T](),
	}
	return wire.Plain(http.MethodPost, path, "", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		in, sent, err := wire.Body[T](c, w, r)
		if err != nil {
			return err
		}
		if err := mayTouch(c.Principal, "create", of(&in)); err != nil {
			return err
		}
		return c.Change(w, r, sent, func(tx *store.Tx) (store.Doc, error) { return op(tx, in) })
	}).Versioned()
}

// moneyBulk makes many records, each by the scopes of its own accounts.
func moneyBulk[T any](path, name string, of func(*T) []string, op func(*store.Tx, T) (store.Doc, error)) wire.Route {
	may := func(p auth.Principal, rec *T) error { return mayTouch(p, "create", of(rec)) }
	return wire.NarrowedBulk(path, "", may, op).
		Named(name+".bulk", "Create many "+name+", of bank accounts with bank:create and of cash accounts with cashAccount:create")
}

// moneyRead reads one record.
func moneyRead[T any, P store.Record[T]](path, one string, t *store.Table[T, P], of func(*T) []string) wire.Route {
	about := wire.Info{Name: one + "s.read", Summary: "Read one " + one, About: scopeNote("read"), Out: wire.Of[T]()}
	return wire.Plain(http.MethodGet, path, "", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		doc, rec, err := found(c, r, t)
		if err != nil {
			return err
		}
		if err := mayTouch(c.Principal, "read", of(&rec)); err != nil {
			return err
		}
		return c.Doc(w, r, doc)
	}).Versioned()
}

// paymentAction does something to one of the payments under path and answers with
// it. note tells what.
func paymentAction[In any](path string, a trade.PaymentAction, summary, note string, op func(*store.Tx, string, In) (store.Doc, error)) wire.Route {
	about := wire.Info{Name: "payments." + string(a), Summary: summary, About: note + " " + scopeNote("update"), In: wire.Of[In](), Out: wire.Of[trade.Payment]()}
	return wire.Plain(http.MethodPost, path+"/{id}/"+string(a), "", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		in, sent, err := wire.Body[In](c, w, r)
		if err != nil {
			return err
		}
		_, p, err := found(c, r, store.Payments)
		if err != nil {
			return err
		}
		if err := mayTouch(c.Principal, "update", []string{p.AccountID}); err != nil {
			return err
		}
		return c.Change(w, r, sent, func(tx *store.Tx) (store.Doc, error) { return op(tx, p.ID, in) })
	}).Versioned()
}

// payInvoice pays one invoice; the payments are under the path payments.
func payInvoice(path, payments string) wire.Route {
	about := wire.Info{
		Name: "invoices.pay", Summary: "Pay one invoice", Status: http.StatusCreated, In: wire.Of[trade.InvoicePayment](), Out: wire.Of[trade.Payment](),
		About: "Makes a payment of the invoice's company that is allocated to it. " + scopeNote("create"),
	}
	return wire.Plain(http.MethodPost, path, "invoices:update", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		in, sent, err := wire.Body[trade.InvoicePayment](c, w, r)
		if err != nil {
			return err
		}
		_, v, err := found(c, r, store.Invoices)
		if err != nil {
			return err
		}
		if err := mayTouch(c.Principal, "create", []string{in.AccountID}); err != nil {
			return err
		}
		return c.Change(w, r, sent, func(tx *store.Tx) (store.Doc, error) { return tx.PayInvoice(v.ID, in) })
	}).Versioned().At(payments).Emits(trade.EventPaymentReceived, trade.EventPaymentMade, trade.EventInvoicePaid)
}

// found is the record that the path names, as stored and decoded.
func found[T any, P store.Record[T]](c *wire.Call, r *http.Request, t *store.Table[T, P]) (doc store.Doc, rec T, err error) {
	err = c.DB.Peek(r.Context(), c.Who(r), func(v *store.View) (err error) {
		doc, rec, err = t.Record(v, r.PathValue("id"))
		return err
	})
	return doc, rec, err
}
