package gib

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
)

// forgetful is an office that takes the first document and says of it, at first, only that
// it has one of that number. Of a later envelope it knows by the ETTN alone what became of
// the document, as some do that stand between it and us.
type forgetful struct {
	*Simulator
	first string // the envelope that brought the document
}

func (f *forgetful) Submit(ctx context.Context, e Envelope) (Status, error) {
	if f.first == "" {
		f.first = e.ID
		_, err := f.Simulator.Submit(ctx, e)
		return NewStatus("1163"), err
	}
	return f.Simulator.Submit(ctx, e)
}

func (f *forgetful) Status(ctx context.Context, e Envelope) (Status, error) {
	st, err := f.Simulator.Status(ctx, e)
	switch {
	case e.ID == f.first:
		return NewStatus("1163"), nil
	case st.Class == Registered:
		st = NewStatus("1300")
		st.Envelope = f.first
	}
	return st, err
}

// What the office may have is not changed until it is settled: neither by its seller, nor
// by what its seller and buyer have become, nor by another kind of document. Where the office
// had the first try after all, that is the document that is kept.
func TestWhatTheOfficeMayHaveStaysAsItWas(t *testing.T) {
	t.Parallel()
	s := found(t).shop(1)
	s.door.Authority = &forgetful{Simulator: s.office}
	id := s.queue(s.consumer).ID
	s.drain()
	before := s.is(id, trade.InvoiceFailed)
	edit := before
	edit.Lines[0].Name = "Başka Kalem"
	err := s.db.Write(context.Background(), s.who, func(tx *store.Tx) error {
		_, err := tx.UpdateInvoice(id, store.Any, edit)
		return err
	})
	var e *trade.Error
	if !errors.As(err, &e) || e.Code != trade.RegisteredAlready {
		t.Errorf("edited: %v", err)
	}
	s.register(s.consumerNo)
	s.move(s.consumer, "İzmir")
	again := s.send(id)
	if again.Number != before.Number || again.DocumentType != before.DocumentType || again.Buyer.City != before.Buyer.City {
		t.Errorf("sent again as %s %s to %s", again.Number, again.DocumentType, again.Buyer.City)
	}
	s.pass(time.Minute)
	s.is(id, trade.InvoiceSent)
	if first := s.door.seen[0].XML; len(s.door.seen) != 2 || !bytes.Equal(s.document(id), first) {
		t.Errorf("handed over %d times, the kept document is another than the first one", len(s.door.seen))
	}
}

// move gives a company another city.
func (s *shop) move(company, city string) {
	s.t.Helper()
	s.do(func(tx *store.Tx) (store.Doc, error) {
		c, err := store.Companies.Get(&tx.View, company)
		if err != nil {
			return store.Doc{}, err
		}
		c.City = city
		return tx.UpdateCompany(company, store.Any, c)
	})
}
