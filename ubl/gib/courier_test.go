package gib

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
	"esnaf/ubl"
)

func TestEveryProfileIsTaken(t *testing.T) {
	s := found(t).shop(1)
	for _, row := range []struct {
		buyer   string
		profile trade.Profile
		kind    trade.DocumentType
		number  string
	}{
		{s.temel, trade.TemelFatura, trade.EFatura, "EFA2026000000001"},
		{s.ticari, trade.TicariFatura, trade.EFatura, "EFA2026000000002"},
		{s.consumer, trade.EArsivFatura, trade.EArsiv, "EAR2026000000001"},
	} {
		t.Run(string(row.profile), func(t *testing.T) {
			draft := s.draft(row.buyer)
			if draft.Status != trade.InvoiceDraft {
				t.Fatalf("a new invoice is %s", draft.Status)
			}
			s.send(draft.ID)
			queued := s.is(draft.ID, trade.InvoiceQueued)
			if n := s.drain(); n != 1 {
				t.Errorf("%d errands carried, want 1", n)
			}
			v := s.is(draft.ID, trade.InvoiceSent)
			if v.Profile != row.profile || v.DocumentType != row.kind || v.Number != row.number || v.ETTN != queued.ETTN {
				t.Errorf("sent as %s %s %s %s", v.Profile, v.DocumentType, v.Number, v.ETTN)
			}
			e := s.door.seen[len(s.door.seen)-1]
			ed := v.EDocument
			if ed.StatusCode != "1300" || !strings.HasPrefix(ed.StatusText, "simulated") || ed.EnvelopeID != e.ID || ed.Attempts != 1 || ed.LastError != "" || ed.SentAt != trade.At(start) {
				t.Errorf("eDocument %+v", ed)
			}
			if cancellable := ed.CancellableUntil != 0; cancellable != (row.kind == trade.EArsiv) {
				t.Errorf("cancellable until %s", ed.CancellableUntil)
			}
			if kept := s.document(v.ID); !bytes.Equal(kept, e.XML) || !bytes.Contains(kept, []byte(v.Number)) {
				t.Errorf("kept %d bytes, handed over %d", len(kept), len(e.XML))
			}
			if got := s.events(v.ID); got != "created queued sent" {
				t.Errorf("events %q", got)
			}
		})
	}
}

// document is the stored XML of an invoice.
func (s *shop) document(id string) (xml []byte) {
	s.t.Helper()
	err := s.db.Read(context.Background(), s.who, func(v *store.View) (err error) {
		xml, _, err = v.Document(id)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return xml
}

func TestARefusedInvoiceIsMendedAndSentUnderTheSameNumber(t *testing.T) {
	s := found(t).shop(1)
	s.office.Script(Rule{Code: "1171", Times: 1})
	id := s.queue(s.ticari).ID
	s.drain()
	failed := s.is(id, trade.InvoiceFailed)
	if e := failed.EDocument; e.StatusCode != "1171" || e.LastError != e.StatusText || !strings.Contains(e.LastError, "sender unit") || e.Attempts != 1 {
		t.Errorf("eDocument %+v", e)
	}
	s.clock.Advance(48 * time.Hour)
	if n := s.drain(); n != 0 {
		t.Errorf("%d errands are left after a failure", n)
	}
	failed.Notes = "gönderici birim düzeltildi"
	s.do(func(tx *store.Tx) (store.Doc, error) { return tx.UpdateInvoice(id, store.Any, failed) })
	if again := s.send(id); again.EDocument.LastError != "" || again.EDocument.StatusCode != "" {
		t.Errorf("the old error stays: %+v", again.EDocument)
	}
	s.drain()
	sent := s.is(id, trade.InvoiceSent)
	if sent.Number != failed.Number || sent.ETTN != failed.ETTN || sent.IssueDate != failed.IssueDate {
		t.Errorf("sent as %s %s of %s, failed as %s %s of %s", sent.Number, sent.ETTN, sent.IssueDate, failed.Number, failed.ETTN, failed.IssueDate)
	}
	if sent.EDocument.EnvelopeID == failed.EDocument.EnvelopeID {
		t.Error("the refused envelope was used again")
	}
	if got := s.events(id); got != "created queued failed updated queued sent" {
		t.Errorf("events %q", got)
	}
	s.gapless("EFA")
}

func TestAChangedKindDrawsANewNumberAndVoidsTheOld(t *testing.T) {
	for _, edited := range []bool{false, true} {
		s := found(t).shop(1)
		s.office.Script(Rule{DocumentType: trade.EArsiv, Code: "1230", Times: 1})
		id := s.queue(s.consumer).ID
		s.drain()
		failed := s.is(id, trade.InvoiceFailed)
		s.register(s.consumerNo)
		if edited { // that alone must not make the kind look unchanged
			s.do(func(tx *store.Tx) (store.Doc, error) { return tx.UpdateInvoice(id, store.Any, failed) })
		}
		s.send(id)
		s.drain()
		sent := s.is(id, trade.InvoiceSent)
		if failed.Number != "EAR2026000000001" || sent.Number != "EFA2026000000001" || sent.DocumentType != trade.EFatura || sent.ETTN != failed.ETTN {
			t.Errorf("edited %t: failed as %s, sent as %s %s", edited, failed.Number, sent.DocumentType, sent.Number)
		}
		if void := s.query("SELECT number || ' ' || owner FROM void_numbers"); len(void) != 1 || void[0] != failed.Number+" "+id {
			t.Errorf("edited %t: void numbers %q", edited, void)
		}
		if !bytes.Contains(s.document(id), []byte(sent.Number)) {
			t.Error("the stored document has the old number")
		}
		if s.gapless("EAR")+s.gapless("EFA") != 2 {
			t.Error("a number is missing")
		}
	}
}

// A document of a day that has not begun is the office's own example of one that it refuses.
func TestADefectiveDocumentIsNotHandedOver(t *testing.T) {
	w := found(t)
	s := w.shop(1)
	id := s.queue(s.temel).ID
	w.exec(`UPDATE invoices SET issue_date = '2026-09-16', doc = replace(replace(doc, '"issueDate":"2026-09-15"', '"issueDate":"2026-09-16"'), '"dueDate":"2026-09-15"', '"dueDate":"2026-09-16"') WHERE id = ?`, id)
	s.drain()
	v := s.is(id, trade.InvoiceFailed)
	if e := v.EDocument; !strings.Contains(e.LastError, "TimeCheck-1 at /Invoice/cbc:IssueDate") || e.StatusCode != "" || e.EnvelopeID != "" {
		t.Errorf("eDocument %+v", e)
	}
	if len(s.door.seen) != 0 || s.document(id) != nil {
		t.Error("the document went out")
	}
	s.clock.Advance(24 * time.Hour)
	s.send(id)
	s.drain()
	if sent := s.is(id, trade.InvoiceSent); sent.Number != v.Number {
		t.Errorf("sent as %s, failed as %s", sent.Number, v.Number)
	}
}

func TestWhatTheInvoiceSaysOfADefect(t *testing.T) {
	panicked := safely(func() error { panic("index out of range") })
	if panicked == nil || !strings.Contains(panicked.Error(), "courier_test.go") {
		t.Errorf("the log is told %v", panicked)
	}
	// What the store would not let through: a line without a unit and a price.
	incomplete := trip{paper: invoiceOf(&trade.Invoice{Profile: trade.TemelFatura, InvoiceType: trade.Satis, Currency: "TRY", Seller: &trade.Party{}, Buyer: &trade.Party{}, Lines: []trade.Line{{Name: "Kalem"}}})}
	many := slices.Repeat([]ubl.Finding{{Rule: "UUIDCheck-1", Path: "/Invoice/cbc:UUID", Message: "not a UUID"}}, 7)
	for name, row := range map[string]struct{ got, want string }{
		"panic":    {defectOf(panicked, nil), "the document could not be made because of an internal error, which has been logged"},
		"fields":   {found(t).courier.render(&incomplete), "the document could not be made: 3 fields are not valid. lines[0].unit"},
		"findings": {defectOf(nil, many), "the tax office would refuse it: UUIDCheck-1 at /Invoice/cbc:UUID: not a UUID; UUIDCheck-1"},
		"many":     {defectOf(nil, many), "; and 2 more"},
	} {
		if !strings.Contains(row.got, row.want) {
			t.Errorf("%s: the invoice says %q", name, row.got)
		}
	}
}

func TestARecordThatCannotBeReadHoldsUpNobody(t *testing.T) {
	w := found(t)
	s := w.shop(1)
	bad, good := s.queue(s.temel).ID, s.queue(s.temel).ID
	w.exec("UPDATE invoices SET doc = '{' WHERE id = ?", bad)
	w.drain()
	s.is(good, trade.InvoiceSent)
	if left := w.query("SELECT owner || ' ' || tries FROM courier"); len(left) != 1 || left[0] != bad+" 1" {
		t.Errorf("errands left: %q", left)
	}
	if n := w.drain(); n != 0 {
		t.Error("the bad errand is due again at once")
	}
}

func TestAnErrandWhoseInvoiceMovedOnEnds(t *testing.T) {
	w := found(t)
	s := w.shop(1)
	id := s.queue(s.consumer).ID
	w.exec(`UPDATE invoices SET status = 'CANCELLED', doc = replace(doc, '"status":"QUEUED"', '"status":"CANCELLED"') WHERE id = ?`, id)
	w.drain()
	s.is(id, trade.InvoiceCancelled)
	if left := w.query("SELECT owner FROM courier"); len(left) != 0 || len(w.door.seen) != 0 {
		t.Errorf("left %q, handed over %d", left, len(w.door.seen))
	}
}

func TestAnOutcomeIsRecordedOnce(t *testing.T) {
	s := found(t).shop(1)
	v := s.queue(s.temel)
	e := store.Errand{Tenant: s.who.Tenant, Owner: v.ID, Step: store.StepSubmit}
	s.drain()
	for name, fn := range map[string]func(*store.Tx) error{
		"post":     func(tx *store.Tx) error { return tx.Post(e, v.Number, []byte("<x/>"), "other") },
		"postpone": func(tx *store.Tx) error { return tx.Postpone(e, store.Pause{Until: start, Problem: "late"}) },
		"answer":   func(tx *store.Tx) error { return tx.Answer(e, store.Answer{Outcome: trade.Failed}) },
	} {
		if err := s.db.Write(t.Context(), s.who, fn); !errors.Is(err, store.ErrOvertaken) {
			t.Errorf("%s after the outcome: %v", name, err)
		}
	}
	if got := s.events(v.ID); got != "created queued sent" {
		t.Errorf("events %q", got)
	}
}
