package trade

import (
	"slices"
	"strings"
	"testing"
)

// moved is what an action does, however it is done.
func moved(v *Invoice, a InvoiceAction) error {
	switch a {
	case TakeInvoice, FailInvoice, AcceptInvoice, RejectInvoice:
		_, err := v.Answered(Outcome(a), "1300", "text", "env", 1000)
		return err
	case CancelInvoice:
		return v.Move(CancelInvoice, 1000)
	}
	return v.Move(a, 0)
}

// Every cell of the table: state x action x kind of document.
func TestInvoiceMoves(t *testing.T) {
	states := InvoiceState("").Values()
	actions := []InvoiceAction{EditInvoice, DiscardInvoice, SendInvoice, TakeInvoice, FailInvoice, AcceptInvoice, RejectInvoice, CancelInvoice}
	cells := 0
	for from, row := range InvoiceMoves {
		if !slices.Contains(states, string(from)) {
			t.Errorf("%s is no state", from)
		}
		for a, to := range row {
			if !slices.Contains(actions, a) || !slices.Contains(states, string(to)) {
				t.Errorf("%s: %s leads to %s", from, a, to)
			}
			cells++
		}
	}
	if cells != 11 {
		t.Errorf("the table has %d moves, this test knows 11", cells)
	}
	want := map[InvoiceState]map[InvoiceAction]InvoiceState{
		InvoiceDraft:  {EditInvoice: InvoiceDraft, DiscardInvoice: InvoiceDraft, SendInvoice: InvoiceQueued},
		InvoiceFailed: {EditInvoice: InvoiceFailed, SendInvoice: InvoiceQueued, CancelInvoice: InvoiceCancelled},
		InvoiceQueued: {TakeInvoice: InvoiceSent, FailInvoice: InvoiceFailed},
		InvoiceSent:   {AcceptInvoice: InvoiceAccepted, RejectInvoice: InvoiceRejected, CancelInvoice: InvoiceCancelled},
	}
	for _, kind := range []struct {
		document DocumentType
		profile  Profile
	}{{EArsiv, EArsivFatura}, {EFatura, TicariFatura}, {EFatura, TemelFatura}} {
		for _, from := range states {
			for _, a := range actions {
				v := Invoice{Status: InvoiceState(from), DocumentType: kind.document, Profile: kind.profile, EDocument: EDocument{Status: EDocumentStatus(from), CancellableUntil: 1000}}
				to, possible := want[InvoiceState(from)][a]
				if a == CancelInvoice && kind.document != EArsiv && v.Status != InvoiceFailed || (a == AcceptInvoice || a == RejectInvoice) && kind.profile != TicariFatura {
					possible = false
				}
				if !possible {
					to = InvoiceState(from)
				}
				err := moved(&v, a)
				if v.Status != to || (err == nil) != possible || err != nil && KindOf(err) != Conflict {
					t.Errorf("%s %s in %s: %s leads to %s, %v", kind.document, kind.profile, from, a, v.Status, err)
				}
				if possible && to != InvoiceDraft && string(v.EDocument.Status) != string(to) {
					t.Errorf("%s in %s: after %s the document is %s", kind.document, from, a, v.EDocument.Status)
				}
			}
		}
	}
}

// What the answers of tax office and buyer leave on the document.
func TestAnswers(t *testing.T) {
	const day = 24 * 60 * 60 * 1000
	for _, test := range []struct {
		about   string
		from    InvoiceState
		kind    DocumentType
		profile Profile
		action  InvoiceAction
		event   Event
		want    EDocument
	}{
		{
			"an e-Arşiv is taken", InvoiceQueued, EArsiv, EArsivFatura, TakeInvoice, EventInvoiceSent,
			EDocument{Status: "SENT", StatusCode: "1300", StatusText: "text", EnvelopeID: "env", SentAt: 5000, Attempts: 3, CancellableUntil: 5000 + 8*day},
		},
		{
			"an e-Fatura is taken", InvoiceQueued, EFatura, TicariFatura, TakeInvoice, EventInvoiceSent,
			EDocument{Status: "SENT", StatusCode: "1300", StatusText: "text", EnvelopeID: "env", SentAt: 5000, Attempts: 3},
		},
		{
			"it is refused", InvoiceQueued, EFatura, TicariFatura, FailInvoice, EventInvoiceFailed,
			EDocument{Status: "FAILED", StatusCode: "1300", StatusText: "text", EnvelopeID: "env", Attempts: 3, LastError: "text"},
		},
		{
			"the buyer accepts", InvoiceSent, EFatura, TicariFatura, AcceptInvoice, EventInvoiceAccepted,
			EDocument{Status: "ACCEPTED", StatusCode: "1300", StatusText: "text", EnvelopeID: "old", AnsweredAt: 5000, Attempts: 2, LastError: "timeout"},
		},
		{
			"the buyer rejects", InvoiceSent, EFatura, TicariFatura, RejectInvoice, EventInvoiceRejected,
			EDocument{Status: "REJECTED", StatusCode: "1300", StatusText: "text", EnvelopeID: "old", AnsweredAt: 5000, Attempts: 2, LastError: "timeout"},
		},
	} {
		v := Invoice{Status: test.from, DocumentType: test.kind, Profile: test.profile, EDocument: EDocument{EnvelopeID: "old", Attempts: 2, LastError: "timeout"}}
		event, err := v.Answered(Outcome(test.action), "1300", "text", "env", 5000)
		if err != nil || event != test.event || v.EDocument != test.want {
			t.Errorf("%s: %s, %v with\n%+v, want\n%+v", test.about, event, err, v.EDocument, test.want)
		}
	}
}

func TestPending(t *testing.T) {
	e := EDocument{Status: "QUEUED"}
	e.Pending("env", "1210", "waits", "")
	if want := (EDocument{Status: "QUEUED", EnvelopeID: "env", StatusCode: "1210", StatusText: "waits"}); e != want {
		t.Errorf("%+v", e)
	}
	e.Pending("env", "", "", "timeout")
	if want := (EDocument{Status: "QUEUED", EnvelopeID: "env", StatusCode: "1210", StatusText: "waits", LastError: "timeout", Attempts: 1}); e != want {
		t.Errorf("%+v", e)
	}
}

func TestCancellingIsForEArsivInTime(t *testing.T) {
	for _, test := range []struct {
		kind DocumentType
		at   Instant
		code Code
	}{{EArsiv, 1000, ""}, {EArsiv, 1001, NotCancellable}, {EFatura, 1000, NotCancellable}} {
		v := Invoice{Status: InvoiceSent, DocumentType: test.kind, EDocument: EDocument{CancellableUntil: 1000}}
		err := v.Move(CancelInvoice, test.at)
		e, _ := err.(*Error)
		if (err == nil) != (test.code == "") || e != nil && e.Code != test.code {
			t.Errorf("%s at %d: %v", test.kind, test.at, err)
		}
	}
}

// A refusal offers what can be done with this very invoice: to cancel what the tax office
// has if it is an e-Arşiv in its term, and what it has refused if it has not got that all
// the same; to pay what is owed; to settle what is in doubt.
func TestWhatAnInvoiceCanBeAskedFor(t *testing.T) {
	for _, c := range []struct {
		v   Invoice
		can string
	}{
		{Invoice{Status: InvoiceSent, DocumentType: EArsiv, EDocument: EDocument{CancellableUntil: 1000}}, "cancel"},
		{Invoice{Status: InvoiceSent, DocumentType: EArsiv, EDocument: EDocument{CancellableUntil: 999}}, "nothing"},
		{Invoice{Status: InvoiceSent, DocumentType: EFatura}, "nothing"},
		{Invoice{Status: InvoiceSent, DocumentType: EFatura, Remaining: 5}, "pay"},
		{Invoice{Status: InvoiceAccepted, DocumentType: EFatura, Remaining: 5}, "pay"},
		{Invoice{Status: InvoiceRejected, DocumentType: EFatura, Remaining: 5}, "nothing"},
		{Invoice{Status: InvoiceFailed, DocumentType: EFatura, Remaining: 5}, "cancel, edit, send"},
		{Invoice{Status: InvoiceFailed, DocumentType: EArsiv, EDocument: EDocument{Status: EDocumentFailed, StatusCode: "1163"}}, "document settle --as refused, send"},
		{Invoice{Status: InvoiceQueued, DocumentType: EFatura, EDocument: EDocument{Status: EDocumentQueued}}, "nothing"},
		{Invoice{Status: InvoiceQueued, DocumentType: EFatura, EDocument: EDocument{Status: EDocumentQueued, EnvelopeID: "env"}}, "document settle --as refused, document settle --as taken"},
	} {
		if err := c.v.Move(DiscardInvoice, 1000); err == nil || !strings.HasSuffix(err.Error(), "possible there: "+c.can+".") {
			t.Errorf("%s %s: %v", c.v.DocumentType, c.v.Status, err)
		}
	}
}

// What the tax office has once said that it has, may be there until it takes it, whatever
// it says of later tries.
func TestWhatMayBeThere(t *testing.T) {
	for _, code := range []string{"1163", "1164"} {
		v := Invoice{Status: InvoiceQueued, DocumentType: EFatura, Number: "EFA2026000000001"}
		answer := func(o Outcome, code string) {
			t.Helper()
			if _, err := v.Answered(o, code, "text", "env", 1000); err != nil {
				t.Fatal(err)
			}
		}
		answer(Failed, code)
		for _, later := range []string{"", "1150"} {
			if err := v.Move(CancelInvoice, 1000); err == nil || err.(*Error).Code != RegisteredAlready || v.Status != InvoiceFailed {
				t.Errorf("%s: %v", code, err)
			}
			if err := v.Move(SendInvoice, 1000); err != nil {
				t.Fatal(err)
			}
			v.EDocument.Requeue(func() string { return "new" })
			answer(Failed, later)
		}
		if !v.EDocument.Registered || v.Move(SendInvoice, 1000) != nil {
			t.Errorf("%s: %+v", code, v.EDocument)
		}
		if answer(Taken, "1300"); v.EDocument.Registered {
			t.Errorf("%s: taken, %+v", code, v.EDocument)
		}
	}
}
