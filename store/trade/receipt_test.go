package trade

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"esnaf/store/money"
)

// delivered is a shipment of 20 boxes, 12 pieces and 5 metres whose note is with its
// buyer.
func delivered() *Shipment {
	return &Shipment{
		Number: "IRS2026000000001", ETTN: "3f0c1b1e-7a54-4c3b-9a77-0d6f0f2f6a01", Status: ShipmentDespatched,
		DespatchAt: 1_000, Seller: &Party{TaxNumber: "4810058891"}, Buyer: &Party{TaxNumber: "1234567890"}, EDocument: EDocument{Status: EDocumentSent},
		Lines: []ShipmentLine{{Quantity: 20_000_000, Unit: "BX"}, {Quantity: 12_000_000, Unit: "C62"}, {Quantity: 5_000_000, Unit: "MTR"}},
	}
}

// today is the day of its despatch.
const today Date = "1970-01-01"

// saying is an answer to it.
func saying(lines ...ReceiptLine) *ReceiptAnswer {
	return &ReceiptAnswer{
		DespatchETTN: "3F0C1B1E-7a54-4c3b-9a77-0d6f0f2f6a01", DespatchNumber: "IRS2026000000001",
		Seller: Party{TaxNumber: "4810058891"}, Buyer: Party{TaxNumber: "1234567890"}, Notes: []string{" Alındı ", ""}, Lines: lines,
	}
}

func TestReceive(t *testing.T) {
	boxes := func(received, rejected money.Quantity) ReceiptLine {
		return ReceiptLine{Line: 1, Unit: "BX", Received: received * 1_000_000, Rejected: rejected * 1_000_000}
	}
	pieces := func(received, rejected money.Quantity) ReceiptLine {
		return ReceiptLine{Line: 2, Unit: "C62", Received: received * 1_000_000, Rejected: rejected * 1_000_000, RejectReason: "hasarlı"}
	}
	metres := func(received money.Quantity) ReceiptLine {
		return ReceiptLine{Line: 3, Unit: "MTR", Received: received * 1_000_000}
	}
	for _, c := range []struct {
		about   string
		lines   []ReceiptLine
		verdict Verdict
		status  EDocumentStatus
		kept    []string // received/rejected
		text    string
	}{
		{"all came", []ReceiptLine{boxes(20, 0), pieces(12, 0), metres(5)}, VerdictAccepted, EDocumentAccepted, []string{"20/0", "12/0", "5/0"}, "Alındı; hasarlı"},
		{"not named, so it came", nil, VerdictAccepted, EDocumentAccepted, []string{"20/0", "12/0", "5/0"}, "Alındı"},
		{"some damaged", []ReceiptLine{pieces(12, 2), boxes(20, 0)}, VerdictPartly, EDocumentAccepted, []string{"20/0", "12/2", "5/0"}, "Alındı; hasarlı"},
		{"short", []ReceiptLine{boxes(18, 0)}, VerdictPartly, EDocumentAccepted, []string{"18/0", "12/0", "5/0"}, "Alındı"},
		{"all rejected", []ReceiptLine{boxes(20, 20), pieces(12, 12), metres(0)}, VerdictRejected, EDocumentRejected, []string{"20/20", "12/12", "0/0"}, "Alındı; hasarlı"},
	} {
		s := delivered()
		verdict, err := s.Receive(saying(c.lines...), 2_000, today)
		if err != nil || verdict != c.verdict || s.EDocument.Status != c.status || s.EDocument.AnsweredAt != 2_000 || s.EDocument.StatusText != c.text {
			t.Errorf("%s: %s, %v, %+v", c.about, verdict, err, s.EDocument)
		}
		var kept []string
		for _, l := range s.Lines {
			kept = append(kept, l.ReceivedQuantity.String()+"/"+l.RejectedQuantity.String())
		}
		if diff := cmp.Diff(c.kept, kept); diff != "" || s.Status != ShipmentDespatched {
			t.Errorf("%s, %s (-want +got):\n%s", c.about, s.Status, diff)
		}
	}
}

// An answer that comes too late, twice, or to a note that is not with its buyer is
// refused, and one that does not fit changes nothing.
func TestReceiveRefuses(t *testing.T) {
	fine := ReceiptLine{Line: 1, Unit: "BX", Received: 1}
	for _, c := range []struct {
		about  string
		change func(*Shipment, *ReceiptAnswer)
		at     Instant
		want   string
	}{
		{"cancelled", func(s *Shipment, _ *ReceiptAnswer) { s.Status = ShipmentCancelled }, 2_000, "invalid_state"},
		{"not sent yet", func(s *Shipment, _ *ReceiptAnswer) { s.EDocument.Status = EDocumentQueued }, 2_000, "invalid_state"},
		{"answered before", func(s *Shipment, _ *ReceiptAnswer) { s.EDocument.AnsweredAt = 1 }, 2_000, "invalid_state"},
		{"a week gone", func(*Shipment, *ReceiptAnswer) {}, 1_000 + 7*day + 1, "invalid_state"},
		{"another note", func(_ *Shipment, a *ReceiptAnswer) { a.DespatchNumber = "IRS2026000000002" }, 2_000, "despatch code_invalid"},
		{"another ETTN", func(_ *Shipment, a *ReceiptAnswer) { a.DespatchETTN = "3f0c1b1e-7a54-4c3b-9a77-0d6f0f2f6a02" }, 2_000, "despatch code_invalid"},
		{"no note", func(_ *Shipment, a *ReceiptAnswer) { a.DespatchNumber, a.DespatchETTN = "", "" }, 2_000, "despatch code_invalid"},
		{"another seller", func(_ *Shipment, a *ReceiptAnswer) { a.Seller.TaxNumber = "1234567890" }, 2_000, "seller.taxNumber code_invalid"},
		{"another buyer", func(_ *Shipment, a *ReceiptAnswer) { a.Buyer.TaxNumber = "4810058891" }, 2_000, "buyer.taxNumber code_invalid"},
		{"no such line", func(_ *Shipment, a *ReceiptAnswer) { a.Lines[0].Line = 4 }, 2_000, "lines[0].line out_of_range"},
		{"a line twice", func(_ *Shipment, a *ReceiptAnswer) { a.Lines = append(a.Lines, fine) }, 2_000, "lines[1].line given_twice"},
		{"another unit", func(_ *Shipment, a *ReceiptAnswer) { a.Lines[0].Unit = "C62" }, 2_000, "lines[0].unit code_invalid"},
		{"less than nothing", func(_ *Shipment, a *ReceiptAnswer) { a.Lines[0].Received = -1 }, 2_000, "lines[0].received out_of_range"},
		{"of tomorrow", func(_ *Shipment, a *ReceiptAnswer) { a.IssueDate = "1970-01-02" }, 2_000, "issueDate issue_date_future"},
		{"it comes tomorrow", func(_ *Shipment, a *ReceiptAnswer) { a.DeliveryDate = "1970-01-02" }, 2_000, "deliveryDate issue_date_future"},
		{"more than was sent", func(_ *Shipment, a *ReceiptAnswer) { a.Lines[0].Received = 20_000_001 }, 2_000, "lines[0].received out_of_range"},
		{"more rejected than came", func(_ *Shipment, a *ReceiptAnswer) { a.Lines[0].Rejected = 2 }, 2_000, "lines[0].rejected out_of_range"},
	} {
		s, a := delivered(), saying(fine)
		c.change(s, a)
		before := *delivered()
		c.change(&before, saying(fine))
		_, err := s.Receive(a, c.at, today)
		e, _ := err.(*Error)
		if e == nil {
			t.Errorf("%s is taken", c.about)
			continue
		}
		got := string(e.Code)
		if len(e.Faults) == 1 {
			got = e.Faults[0].Field + " " + string(e.Faults[0].Code)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.about, got, c.want)
		}
		if diff := cmp.Diff(before, *s); diff != "" {
			t.Errorf("%s changes:\n%s", c.about, diff)
		}
	}
	if _, err := delivered().Receive(saying(), 1_000+7*day, today); err != nil {
		t.Errorf("the last moment is too late: %v", err)
	}
}

// A wrong number and a wrong ETTN are told each by itself.
func TestReceiveTellsWhichNote(t *testing.T) {
	for _, c := range []struct{ number, ettn, want string }{
		{"IRS2026000000001", "3f0c1b1e-7a54-4c3b-9a77-0d6f0f2f6a02", `despatch cannot be "3f0c1b1e-7a54-4c3b-9a77-0d6f0f2f6a02": it must be 3f0c1b1e-7a54-4c3b-9a77-0d6f0f2f6a01.`},
		{"IRS2026000000002", "", `despatch cannot be "IRS2026000000002": it must be IRS2026000000001.`},
		{"", "", `despatch cannot be "": it must be IRS2026000000001.`},
	} {
		a := saying()
		a.DespatchNumber, a.DespatchETTN = c.number, c.ettn
		_, err := delivered().Receive(a, 2_000, today)
		if e, _ := err.(*Error); e == nil || len(e.Faults) != 1 || e.Faults[0].Text(English) != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// What the buyer says is kept, but not without end.
func TestReceiveKeepsWords(t *testing.T) {
	s, a := delivered(), saying()
	a.Notes = []string{strings.Repeat("ş", 700)}
	if _, err := s.Receive(a, 2_000, today); err != nil || len([]rune(s.EDocument.StatusText)) != 500 {
		t.Errorf("%d characters, %v", len([]rune(s.EDocument.StatusText)), err)
	}
}

// TestAnyVerdict compares the verdict with what the kept quantities come to.
func TestAnyVerdict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := delivered()
		var lines []ReceiptLine
		whole, nothing := true, true
		for i, l := range s.Lines {
			received := rapid.Int64Range(0, int64(l.Quantity)).Draw(t, "received")
			rejected := rapid.Int64Range(0, received).Draw(t, "rejected")
			whole = whole && received-rejected >= int64(l.Quantity)
			nothing = nothing && received == rejected
			lines = append(lines, ReceiptLine{Line: i + 1, Unit: l.Unit, Received: money.Quantity(received), Rejected: money.Quantity(rejected)})
		}
		want := VerdictPartly
		if whole {
			want = VerdictAccepted
		} else if nothing {
			want = VerdictRejected
		}
		if got, err := s.Receive(saying(lines...), 2_000, today); got != want || err != nil {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	})
}
