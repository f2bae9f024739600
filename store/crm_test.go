package store_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"esnaf/store"
	"esnaf/store/trade"
)

// offer is a quote of 2 pieces at 100.00 with 20 percent VAT.
func offer(company string) trade.Quote {
	return trade.Quote{CompanyID: company, Lines: []trade.Line{line("Danışmanlık", "100")}}
}

// quoted makes a quote and does the actions with it.
func (b *book) quoted(q trade.Quote, actions ...trade.QuoteAction) (out trade.Quote) {
	b.t.Helper()
	b.write(b.who, func(tx *store.Tx) error {
		err := into(&out)(tx.CreateQuote(q))
		for _, a := range actions {
			if err == nil {
				err = into(&out)(tx.MoveQuote(out.ID, a, ""))
			}
		}
		return err
	})
	return out
}

func (b *book) contact(who store.Who, c trade.Contact) (out trade.Contact) {
	b.t.Helper()
	b.write(who, func(tx *store.Tx) error { return into(&out)(tx.CreateContact(c)) })
	return out
}

func (b *book) opportunity(who store.Who, o trade.Opportunity) (out trade.Opportunity) {
	b.t.Helper()
	b.write(who, func(tx *store.Tx) error { return into(&out)(tx.CreateOpportunity(o)) })
	return out
}

func (b *book) getQuote(id string) (q trade.Quote) {
	b.t.Helper()
	b.read(b.who, func(v *store.View) (err error) { q, err = store.Quotes.Get(v, id); return err })
	return q
}

// Many who convert one accepted quote at the same time get one order between them.
func TestConvertingAtOnce(t *testing.T) {
	b := open(t)
	q := b.quoted(offer(b.company(b.who, buyer()).ID), trade.SendQuote, trade.AcceptQuote)
	const callers = 8
	var made, late atomic.Int32
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			err := b.Write(context.Background(), b.who, func(tx *store.Tx) error { _, err := tx.ConvertQuote(q.ID); return err })
			switch {
			case err == nil:
				made.Add(1)
			case asError(err).Code == trade.InvalidState:
				late.Add(1)
			}
		})
	}
	all.Wait()
	if made.Load() != 1 || late.Load() != callers-1 {
		t.Errorf("%d made it, %d came late", made.Load(), late.Load())
	}
	orders := sqlRows[string](b, "SELECT id FROM orders")
	now := b.getQuote(q.ID)
	if len(orders) != 1 || now.Status != trade.QuoteConverted || now.OrderID != orders[0] || now.Version != q.Version+1 {
		t.Fatalf("orders %v of %+v", orders, now)
	}
	if o := b.getOrder(b.who, orders[0]); o.QuoteID != q.ID || o.Total != q.Total || o.Status != trade.OrderDraft || len(b.events(b.who)) != 5 {
		t.Errorf("%+v, and %d events", o, len(b.events(b.who)))
	}
}

// What each change of contacts, opportunities and quotes tells, and to whom.
func TestWhatCustomersChangesTell(t *testing.T) {
	b := open(t)
	company := b.company(b.who, buyer()).ID
	person := b.contact(b.who, trade.Contact{CompanyID: company, FirstName: "Ayşe", IsPrimary: true})
	chance := b.opportunity(b.who, trade.Opportunity{CompanyID: company, Name: "Yeni şube"})
	lost := b.opportunity(b.who, trade.Opportunity{CompanyID: company, Name: "Fuar"})
	draft, open := b.quoted(offer(company)), b.quoted(offer(company))
	over := offer(company)
	over.IssueDate, over.ValidUntil = "2026-09-01", "2026-09-15"
	over = b.quoted(over, trade.SendQuote)
	refused := b.quoted(offer(company), trade.SendQuote)
	b.clock.Advance(24 * time.Hour)
	move := func(id string, a trade.OpportunityAction) func(*store.Tx) error {
		return func(tx *store.Tx) error { _, err := tx.MoveOpportunity(id, a, ""); return err }
	}
	quote := func(id string, a trade.QuoteAction) func(*store.Tx) error {
		return func(tx *store.Tx) error { _, err := tx.MoveQuote(id, a, ""); return err }
	}
	for _, change := range []struct {
		audit, events string
		fn            func(*store.Tx) error
	}{
		{"contact.create", "contact.created", func(tx *store.Tx) error {
			_, err := tx.CreateContact(trade.Contact{CompanyID: company, FirstName: "Can"})
			return err
		}},
		{"contact.update contact.create", "contact.created", func(tx *store.Tx) error {
			_, err := tx.CreateContact(trade.Contact{CompanyID: company, FirstName: "Ece", IsPrimary: true})
			return err
		}},
		{"contact.update", "contact.updated", func(tx *store.Tx) error {
			_, err := tx.UpdateContact(person.ID, store.Any, trade.Contact{CompanyID: company, FirstName: "Ayşe", LastName: "Ak"})
			return err
		}},
		{"contact.update contact.update", "contact.updated", func(tx *store.Tx) error {
			_, err := tx.UpdateContact(person.ID, store.Any, trade.Contact{CompanyID: company, FirstName: "Ayşe", IsPrimary: true})
			return err
		}},
		{"contact.delete", "contact.deleted", func(tx *store.Tx) error { return tx.DeleteContact(person.ID, store.Any) }},
		{"opportunity.create", "opportunity.created", func(tx *store.Tx) error {
			_, err := tx.CreateOpportunity(trade.Opportunity{CompanyID: company, Name: "a"})
			return err
		}},
		{"opportunity.update", "opportunity.updated", func(tx *store.Tx) error {
			_, err := tx.UpdateOpportunity(chance.ID, store.Any, trade.Opportunity{CompanyID: company, Name: "b"})
			return err
		}},
		{"opportunity.qualify", "opportunity.updated", move(chance.ID, trade.Qualify)},
		{"opportunity.propose", "opportunity.updated", move(chance.ID, trade.Propose)},
		{"opportunity.negotiate", "opportunity.updated", move(chance.ID, trade.Negotiate)},
		{"opportunity.win", "opportunity.won", move(chance.ID, trade.Win)},
		{"opportunity.reopen", "opportunity.updated", move(chance.ID, trade.Reopen)},
		{"opportunity.lose", "opportunity.lost", move(lost.ID, trade.Lose)},
		{"opportunity.delete", "", func(tx *store.Tx) error { return tx.DeleteOpportunity(chance.ID, store.Any) }},
		{"quote.create", "quote.created", func(tx *store.Tx) error { _, err := tx.CreateQuote(offer(company)); return err }},
		{"quote.update", "", func(tx *store.Tx) error { _, err := tx.UpdateQuote(draft.ID, store.Any, offer(company)); return err }},
		{"quote.delete", "", func(tx *store.Tx) error { return tx.DeleteQuote(draft.ID, store.Any) }},
		{"quote.send", "quote.sent", quote(open.ID, trade.SendQuote)},
		{"quote.accept", "quote.accepted", quote(open.ID, trade.AcceptQuote)},
		{"order.create quote.convert", "order.created", func(tx *store.Tx) error { _, err := tx.ConvertQuote(open.ID); return err }},
		{"quote.reject", "quote.rejected", quote(refused.ID, trade.RejectQuote)},
		{"quote.expire", "", quote(over.ID, trade.ExpireQuote)},
	} {
		t.Run(change.audit, func(t *testing.T) {
			b.tells(t, change.audit, change.events, change.fn)
		})
	}
}

// Who takes the first place among a company's contacts is the one that the event is
// about; the one who loses it is a version on, and counts as changed.
func TestFirstContact(t *testing.T) {
	b := open(t)
	company := b.company(b.who, buyer()).ID
	first := b.contact(b.who, trade.Contact{CompanyID: company, FirstName: "Ayşe", IsPrimary: true})
	second := b.contact(b.who, trade.Contact{CompanyID: company, FirstName: "Can"})
	second.IsPrimary = true
	b.write(b.who, func(tx *store.Tx) error { return into(&second)(tx.UpdateContact(second.ID, store.Any, second)) })
	told := b.events(b.who)
	var about trade.Contact
	if err := json.Unmarshal(told[len(told)-1].Data.Object, &about); err != nil || about.ID != second.ID {
		t.Errorf("%v: told of %+v", err, about)
	}
	was := first
	b.read(b.who, func(v *store.View) (err error) { first, err = store.Contacts.Get(v, first.ID); return err })
	if first.IsPrimary || first.Version != was.Version+1 || !second.IsPrimary || second.Version != 2 {
		t.Errorf("%+v\n%+v", first, second)
	}
}

// References lead to live records of the account and of the company that the record
// names; an unknown one, a deleted one and a stranger's are each told at their field.
func TestReferencesOfCustomers(t *testing.T) {
	b := open(t)
	stranger := b.tenant("Yabancı Ltd.", trade.CompleteVKN("555555555"))
	company, other := b.company(b.who, buyer()).ID, b.company(b.who, named(1)).ID
	theirs := b.company(stranger, named(2)).ID
	gone := b.contact(b.who, trade.Contact{CompanyID: company, FirstName: "Can"})
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteContact(gone.ID, store.Any) })
	contacts := map[string]string{
		"": "", "con_x": "not_found", gone.ID: "not_found",
		b.contact(b.who, trade.Contact{CompanyID: company, FirstName: "Ayşe"}).ID:  "",
		b.contact(b.who, trade.Contact{CompanyID: other, FirstName: "Işık"}).ID:    "other_company",
		b.contact(stranger, trade.Contact{CompanyID: theirs, FirstName: "Ece"}).ID: "cross_tenant",
	}
	opportunities := map[string]string{
		"": "", "opp_x": "not_found",
		b.opportunity(b.who, trade.Opportunity{CompanyID: company, Name: "a"}).ID:   "",
		b.opportunity(b.who, trade.Opportunity{CompanyID: other, Name: "a"}).ID:     "other_company",
		b.opportunity(stranger, trade.Opportunity{CompanyID: theirs, Name: "a"}).ID: "cross_tenant",
	}
	judged := func(about, field, want string, fn func(*store.Tx) error) {
		t.Helper()
		if want != "" {
			want = fmt.Sprintf("%s %s", field, want)
		}
		if err := b.Write(context.Background(), b.who, fn); fields(err) != want || (err == nil) != (want == "") {
			t.Errorf("%s: %v with %q, want %q", about, err, fields(err), want)
		}
	}
	for id, want := range contacts {
		judged("opportunity", "contactId", want, func(tx *store.Tx) error {
			_, err := tx.CreateOpportunity(trade.Opportunity{CompanyID: company, Name: "a", ContactID: id})
			return err
		})
		judged("quote", "contactId", want, func(tx *store.Tx) error {
			q := offer(company)
			q.ContactID = id
			_, err := tx.CreateQuote(q)
			return err
		})
	}
	for id, want := range opportunities {
		judged("quote", "opportunityId", want, func(tx *store.Tx) error {
			q := offer(company)
			q.OpportunityID = id
			_, err := tx.CreateQuote(q)
			return err
		})
	}
	for id, want := range map[string]string{"": "required", "cmp_x": "not_found", theirs: "cross_tenant"} {
		judged("contact", "companyId", want, func(tx *store.Tx) error {
			_, err := tx.CreateContact(trade.Contact{CompanyID: id, FirstName: "a"})
			return err
		})
		judged("quote", "companyId", want, func(tx *store.Tx) error { _, err := tx.CreateQuote(offer(id)); return err })
	}
}
