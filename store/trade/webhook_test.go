package trade

import (
	"slices"
	"strings"
	"testing"
)

// Every rule on a webhook has a row.
func TestWebhookCheck(t *testing.T) {
	for _, test := range []struct {
		about string
		edit  func(*Webhook)
		want  string
	}{
		{"all is well", func(*Webhook) {}, ""},
		{"no event", func(w *Webhook) { w.Event = "" }, "event invalid_value"},
		{"an unknown event", func(w *Webhook) { w.Event = "invoice.eaten" }, "event invalid_value"},
		{"a group", func(w *Webhook) { w.Event = "order.*" }, ""},
		{"an unknown group", func(w *Webhook) { w.Event = "cat.*" }, "event invalid_value"},
		{"half a name", func(w *Webhook) { w.Event = "invoice.c*" }, "event invalid_value"},
		{"no address", func(w *Webhook) { w.URL = "" }, "url required"},
		{"a long address", func(w *Webhook) { w.URL = strings.Repeat("x", 2049) }, "url too_long"},
		{"a short secret", func(w *Webhook) { w.Secret = strings.Repeat("x", 15) }, "secret secret_invalid"},
		{"the shortest secret", func(w *Webhook) { w.Secret = strings.Repeat("x", 16) }, ""},
		{"the longest secret", func(w *Webhook) { w.Secret = strings.Repeat("x", 256) }, ""},
		{"a long secret", func(w *Webhook) { w.Secret = strings.Repeat("x", 257) }, "secret secret_invalid"},
		{"an unknown format", func(w *Webhook) { w.SignatureFormat = "md5" }, "signatureFormat invalid_value"},
		{"an unknown content", func(w *Webhook) { w.SignedContent = "url" }, "signedContent invalid_value"},
		{"what every record has", func(w *Webhook) { w.Notes = strings.Repeat("x", 4001) }, "notes too_long"},
	} {
		t.Run(test.about, func(t *testing.T) {
			w, f := Webhook{Event: "*", URL: "https://example.com/"}, Check{}
			w.Defaults()
			test.edit(&w)
			if w.Check(&f); f.list() != test.want {
				t.Errorf("found %s, want %s", f.list(), test.want)
			}
		})
	}
}

func TestWants(t *testing.T) {
	for _, test := range []struct {
		pattern string
		event   Event
		want    bool
	}{
		{"*", EventInvoiceSent, true},
		{"invoice.*", EventInvoiceSent, true},
		{"invoice.sent", EventInvoiceSent, true},
		{"invoice.*", EventCompanyCreated, false},
		{"invoice.sent", EventInvoiceQueued, false},
		{"order.*", "orders.x", false},
		{"ping", EventPing, true},
		{"", EventPing, false},
	} {
		if got := Wants(test.pattern, test.event); got != test.want {
			t.Errorf("%q wants %s: %v", test.pattern, test.event, got)
		}
	}
}

// The list of events is the agreed one (DECISIONS 38), and each can be registered
// for alone, in its group and with all.
func TestEventPatterns(t *testing.T) {
	if len(Events) < 38 || len(slices.Compact(slices.Sorted(slices.Values(Events)))) != len(Events) {
		t.Errorf("%d events, some of them twice", len(Events))
	}
	patterns := EventPatterns()
	if len(patterns) != len(slices.Compact(slices.Sorted(slices.Values(patterns)))) {
		t.Error("a pattern is listed twice")
	}
	for _, e := range Events {
		heard := 0
		for _, p := range patterns {
			if Wants(p, e) {
				heard++
			}
		}
		if want := 2 + strings.Count(string(e), "."); heard != want || !ValidEventPattern(string(e)) {
			t.Errorf("%s is heard by %d patterns, want %d", e, heard, want)
		}
	}
}
