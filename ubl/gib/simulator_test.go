package gib

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"esnaf/store/trade"
)

// letter is a document that was handed over for real, to be sent by hand.
func letter(t *testing.T) (*Simulator, Envelope, *town) {
	t.Helper()
	s := found(t).shop(1)
	s.queue(s.ticari)
	s.drain()
	return NewSimulator(s.clock), s.door.seen[0], s.town
}

// submit hands e over and returns the code.
func submit(t *testing.T, o *Simulator, e Envelope) Status {
	t.Helper()
	st, err := o.Submit(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(st.Text, "simulated: ") {
		t.Errorf("the text does not say that it is simulated: %q", st.Text)
	}
	return st
}

func ask(t *testing.T, o *Simulator, e Envelope) Status {
	t.Helper()
	st, err := o.Status(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestTheSimulatorJudgesDocuments(t *testing.T) {
	for _, row := range []struct {
		name, old, new string
		code, text     string
	}{
		{"good", "", "", "1300", "completed"},
		{"cannot be read", "</Invoice>", "", "1140", "XML at /"},
		{"not of the schema", "<cbc:ProfileID>TICARIFATURA</cbc:ProfileID>", "", "1160", "XSD at /Invoice"},
		{"against a rule", "<cbc:CopyIndicator>false<", "<cbc:CopyIndicator>true<", "1150", "CopyIndicatorCheck-1"},
		{"of tomorrow", "<cbc:IssueDate>2026-09-15<", "<cbc:IssueDate>2026-09-16<", "1150", "TimeCheck-1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			o, e, _ := letter(t)
			if row.old != "" && !bytes.Contains(e.XML, []byte(row.old)) {
				t.Fatalf("the document has no %s", row.old)
			}
			e.XML = bytes.ReplaceAll(e.XML, []byte(row.old), []byte(row.new))
			st := submit(t, o, e)
			if st.Code != row.code || !strings.Contains(st.Text, row.text) {
				t.Errorf("%s %s, want %s with %q", st.Code, st.Text, row.code, row.text)
			}
			if again := ask(t, o, e); again != st {
				t.Errorf("asked, it says %+v, said %+v before", again, st)
			}
		})
	}
}

func TestTheSimulatorTakesNothingTwice(t *testing.T) {
	o, e, _ := letter(t)
	if st := ask(t, o, e); st.Class != Unknown || st.Code != "2004" {
		t.Errorf("an envelope never seen is %+v", st)
	}
	first := submit(t, o, e)
	if again := submit(t, o, e); again != first {
		t.Errorf("the same envelope again: %+v, then %+v", first, again)
	}
	other := e
	other.ID = "another envelope"
	if st := submit(t, o, other); st.Class != Registered {
		t.Errorf("the same document in another envelope: %+v", st)
	}
	if st := ask(t, o, other); st.Class != Taken || st.Envelope != e.ID {
		t.Errorf("asked about it: %+v", st)
	}
	for name, change := range map[string]func(*Envelope){
		"number alone": func(x *Envelope) { x.ETTN = "another" },
		"ETTN alone":   func(x *Envelope) { x.Number = "EFA2026000000099" },
	} {
		x := e
		x.ID = name
		x.XML = append(bytes.Clone(e.XML), '\n')
		change(&x)
		if st := submit(t, o, x); st.Class != Registered {
			t.Errorf("%s: %+v", name, st)
		}
		if st := ask(t, o, x); st.Class != Registered {
			t.Errorf("%s, asked: %+v", name, st)
		}
	}
	theirs := e
	theirs.ID, theirs.Tenant, theirs.ETTN = "theirs", "ten_other", "theirs"
	if st := submit(t, o, theirs); st.Class != Taken {
		t.Errorf("the same number of another account: %+v", st)
	}
}

func TestARefusedDocumentLeavesItsNumberFree(t *testing.T) {
	o, e, _ := letter(t)
	o.Script(Rule{Code: "1215", Times: 1})
	if st := submit(t, o, e); st.Class != Refused {
		t.Errorf("refused: %+v", st)
	}
	e.ID = "another envelope"
	if st := submit(t, o, e); st.Class != Taken {
		t.Errorf("sent again: %+v", st)
	}
}

func TestRulesAreUsedInOrder(t *testing.T) {
	o, e, w := letter(t)
	o.Script(
		Rule{Tenant: "ten_other", Code: "1195"},
		Rule{NumberPrefix: "EAR", Code: "1195"},
		Rule{ReceiverTaxNumber: "1234567890", Code: "1195"},
		Rule{DocumentType: trade.EArsiv, Code: "1195"},
		Rule{Unreachable: true, Times: 2},
		Rule{NumberPrefix: "EFA2026", Tenant: e.Tenant, ReceiverTaxNumber: e.ReceiverTaxNumber, DocumentType: trade.EFatura, Code: "1210", Times: 1},
		Rule{Code: "1181", After: time.Minute, Times: 1},
	)
	if _, err := o.Submit(t.Context(), e); err == nil {
		t.Error("reachable on the first call")
	}
	if _, err := o.Status(t.Context(), e); err == nil {
		t.Error("reachable on the second call")
	}
	if st := submit(t, o, e); st.Code != "1210" {
		t.Errorf("third rule: %+v", st)
	}
	if st := submit(t, o, e); st.Code != "1210" {
		t.Errorf("the same envelope uses up a rule: %+v", st)
	}
	e.ID, e.ETTN, e.Number = "b", "b", "EFA2026000000002"
	if st := submit(t, o, e); st.Code != "1100" || st.Class != Pending {
		t.Errorf("before its time: %+v", st)
	}
	w.clock.Advance(time.Minute)
	if st := ask(t, o, e); st.Code != "1181" {
		t.Errorf("after its time: %+v", st)
	}
	e.ID, e.ETTN, e.Number = "c", "c", "EFA2026000000003"
	if st := submit(t, o, e); st.Code != "1300" {
		t.Errorf("with no rule left: %+v", st)
	}
}

func TestTheSimulatorServesManyAtOnce(t *testing.T) {
	o, e, _ := letter(t)
	o.Script(Rule{Unreachable: true, Times: 5})
	var all sync.WaitGroup
	var mu sync.Mutex
	lost, taken := 0, map[string]int{}
	for i := range 20 {
		all.Go(func() {
			e := e
			e.ID = string(rune('a' + i%5)) // four calls an envelope, five envelopes of one document
			st, err := o.Submit(t.Context(), e)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				lost++
			} else if st.Class == Taken {
				taken[e.ID]++
			}
		})
	}
	all.Wait()
	if lost != 5 || len(taken) != 1 || o.taken(e.Tenant) != 1 {
		t.Errorf("%d calls lost, taken in %v", lost, taken)
	}
}

func TestCodesAreThoseOfTheKit(t *testing.T) {
	const file = "../../../shared/domain/vectors.json"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("the list of codes is not here: %v", err)
	}
	var kit struct {
		GibEnvelopeStatus []struct{ Code, Meaning, Class string }
	}
	if err := json.Unmarshal(text, &kit); err != nil {
		t.Fatal(err)
	}
	classes := map[string]Class{
		"pending": Pending, "intermediate": Pending, "intermediate-do-not-resend": Pending, "see-notes": Pending, "UNVERIFIED": Pending,
		"error-fix-resend": Refused, "error": Refused, "error-same-number-may-be-resent": Refused, "error-resend-allowed": Refused,
		"error-retry": Retry, "error-do-not-resend": Registered, "final-success": Taken,
	}
	if len(kit.GibEnvelopeStatus) < 30 {
		t.Fatalf("only %d codes read", len(kit.GibEnvelopeStatus))
	}
	for _, row := range kit.GibEnvelopeStatus {
		st := NewStatus(row.Code)
		if want, ok := classes[row.Class]; !ok || st.Class != want {
			t.Errorf("%s is %s, want %q (%s)", row.Code, st.Class, want, row.Class)
		}
		listed := row.Class != "UNVERIFIED"
		if (CodeText(row.Code, trade.English) != "") != listed || (CodeText(row.Code, trade.Turkish) != "") != listed || st.Text == "" {
			t.Errorf("%s has no text of its own in both languages", row.Code)
		}
	}
}
