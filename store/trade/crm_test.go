package trade

import (
	"fmt"
	"testing"
)

// walkMoves compares every cell of a table with what is written down here, row by row
// as "ACTION STATE" pairs.
func walkMoves[S, A ~string](t *testing.T, table Moves[S, A], states []string, actions []A, want map[string]string, move func(from S, a A) (S, error)) {
	t.Helper()
	cells := 0
	for _, row := range table {
		cells += len(row)
	}
	if cells != len(want) {
		t.Errorf("the table has %d moves, this test knows %d", cells, len(want))
	}
	for _, from := range states {
		for _, a := range actions {
			to, err := move(S(from), a)
			expected, may := want[fmt.Sprintf("%s %s", from, a)]
			switch {
			case may && (err != nil || string(to) != expected):
				t.Errorf("%s %s leads to %s, %v, want %s", from, a, to, err, expected)
			case !may && (err == nil || string(to) != from):
				t.Errorf("%s %s leads to %s, want a refusal", from, a, to)
			}
		}
	}
}

func TestOpportunityMoves(t *testing.T) {
	actions := []OpportunityAction{EditOpportunity, Qualify, Propose, Negotiate, Win, Lose, Reopen}
	walkMoves(t, OpportunityMoves, Stage("").Values(), actions, map[string]string{
		"NEW edit": "NEW", "NEW qualify": "QUALIFIED", "NEW win": "WON", "NEW lose": "LOST",
		"QUALIFIED edit": "QUALIFIED", "QUALIFIED propose": "PROPOSAL", "QUALIFIED win": "WON", "QUALIFIED lose": "LOST",
		"PROPOSAL edit": "PROPOSAL", "PROPOSAL negotiate": "NEGOTIATION", "PROPOSAL win": "WON", "PROPOSAL lose": "LOST",
		"NEGOTIATION edit": "NEGOTIATION", "NEGOTIATION win": "WON", "NEGOTIATION lose": "LOST",
		"WON reopen": "NEGOTIATION", "LOST reopen": "NEGOTIATION",
	}, func(from Stage, a OpportunityAction) (Stage, error) {
		o := Opportunity{Stage: from, LostReason: "old"}
		err := o.Move(a, "new")
		if err == nil && o.LostReason != "new" || err != nil && o.LostReason != "old" {
			t.Errorf("%s %s leaves the reason %q", from, a, o.LostReason)
		}
		return o.Stage, err
	})
}

func TestQuoteMoves(t *testing.T) {
	actions := []QuoteAction{EditQuote, DiscardQuote, SendQuote, AcceptQuote, RejectQuote, ExpireQuote, ConvertQuote, RevertQuote}
	for today, sent := range map[Date]map[string]string{
		"2026-09-15": {"SENT accept": "ACCEPTED", "SENT reject": "REJECTED"},
		"2026-09-16": {"SENT expire": "EXPIRED", "SENT reject": "REJECTED"},
	} {
		want := map[string]string{"DRAFT edit": "DRAFT", "DRAFT delete": "DRAFT", "DRAFT send": "SENT", "ACCEPTED convert": "CONVERTED", "CONVERTED revert": "ACCEPTED"}
		for cell, to := range sent {
			want[cell] = to
		}
		table := Moves[QuoteState, QuoteAction]{}
		for from, row := range QuoteMoves {
			table[from] = map[QuoteAction]QuoteState{}
			for a, to := range row {
				if from != QuoteSent || want[string(from)+" "+string(a)] != "" {
					table[from][a] = to
				}
			}
		}
		walkMoves(t, table, QuoteState("").Values(), actions, want, func(from QuoteState, a QuoteAction) (QuoteState, error) {
			q := Quote{Status: from, ValidUntil: "2026-09-15"}
			err := q.Move(a, today)
			return q.Status, err
		})
	}
	open := Quote{Status: QuoteSent}
	if err := open.Move(ExpireQuote, "2999-01-01"); err == nil {
		t.Error("a quote without a last day expires")
	}
	if err := open.Move(AcceptQuote, "2999-01-01"); err != nil {
		t.Errorf("a quote without a last day is not accepted: %v", err)
	}
}
