package store_test

import (
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
)

// The list of registered users changes the companies it touches, in every
// account, and nothing else (DECISIONS 20).
func TestTheRegisteredUserListReachesCompanies(t *testing.T) {
	b := open(t)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	number := buyer().TaxNumber
	mine, theirs := b.company(b.who, buyer()), b.company(other, buyer())
	stranger := b.company(b.who, trade.Company{Name: "Adı " + number, TaxNumber: trade.CompleteVKN("444555666")}) // found by the number, but another's
	gone := b.company(b.who, buyer())
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteCompany(gone.ID, store.Any) })
	b.clock.Advance(time.Minute)
	b.register(number)
	for _, c := range []trade.Company{b.getCompany(b.who, mine.ID), b.getCompany(other, theirs.ID)} {
		if c.Version != 2 || !c.EInvoice.Registered || c.EInvoice.Alias != "urn:mail:defaultpk@example.com.tr" || c.EDespatch.Registered {
			t.Errorf("version %d, e-Fatura %+v, e-İrsaliye %+v", c.Version, c.EInvoice, c.EDespatch)
		}
	}
	if c := b.getCompany(b.who, stranger.ID); c.Version != 1 || c.EInvoice.Registered {
		t.Errorf("another company changed: version %d, %+v", c.Version, c.EInvoice)
	}
	for _, who := range []store.Who{b.who, other} {
		events := b.events(who)
		if last := events[len(events)-1]; last.Event != "company.updated" || string(last.Data.Previous) != `{"eInvoice":{"registered":false}}` {
			t.Errorf("told as %s with %s", last.Event, last.Data.Previous)
		}
	}
	before := state(b)
	b.register(number) // the same again is no change
	if after := state(b); after["events"] != before["events"] || after["audit"] != before["audit"] {
		t.Error("the same list again was told as a change")
	}
	if _, err := checkAudit(file(t, b.Dir())); err != nil {
		t.Error(err)
	}
	later := b.company(b.who, buyer())
	if !later.EInvoice.Registered {
		t.Error("a company made later is not taken for registered")
	}
}

// Of several mailboxes the oldest is used; one that is not open yet is none.
func TestTheMailboxUsed(t *testing.T) {
	b := open(t)
	c := b.company(b.who, buyer())
	entry := func(alias string, since time.Time) store.Taxpayer {
		x := registered(c.TaxNumber, since)
		x.Alias = "urn:mail:" + alias + "@example.com.tr"
		return x
	}
	b.write(store.Who{Actor: "operator"}, func(tx *store.Tx) error {
		return tx.PutTaxpayers([]store.Taxpayer{entry("yeni", start.Add(-time.Hour)), entry("eski", start.Add(-48*time.Hour)), entry("yarin", start.Add(24*time.Hour))})
	})
	v := b.send(b.who, b.invoice(b.who, draft(c.ID)).ID)
	if v.DocumentType != trade.EFatura || v.Buyer.Alias != "urn:mail:eski@example.com.tr" || b.getCompany(b.who, c.ID).EInvoice.Alias != v.Buyer.Alias {
		t.Errorf("%s to %q", v.DocumentType, v.Buyer.Alias)
	}
}

// The kind is chosen at create and again at send: the buyer may have registered
// in between.
func TestTheKindIsChosenAgainAtSend(t *testing.T) {
	b := open(t)
	v := b.invoice(b.who, b.sale(b.who))
	if v.DocumentType != trade.EArsiv || v.Profile != trade.EArsivFatura {
		t.Fatalf("created as %s %s", v.DocumentType, v.Profile)
	}
	b.register(buyer().TaxNumber)
	sent := b.send(b.who, v.ID)
	if sent.DocumentType != trade.EFatura || sent.Profile != trade.TicariFatura || sent.Number != "EFA2026000000001" {
		t.Errorf("sent as %s %s %s", sent.DocumentType, sent.Profile, sent.Number)
	}
	basic := b.sale(b.who)
	basic.Profile = trade.TemelFatura
	if v := b.invoice(b.who, basic); v.Profile != trade.TemelFatura || v.DocumentType != trade.EFatura {
		t.Errorf("the wished profile became %s", v.Profile)
	}
}
