package trade

import (
	"slices"
	"strings"
)

// WebhookState is whether a webhook is called.
type WebhookState string

// The states: called, held by its owner, switched off by the server.
const (
	WebhookActive   WebhookState = "ACTIVE"
	WebhookPaused   WebhookState = "PAUSED"
	WebhookSwitched WebhookState = "DISABLED"
)

// Values lists the webhook states.
func (WebhookState) Values() []string { return []string{"ACTIVE", "PAUSED", "DISABLED"} }

// SignatureFormat is how X-Svc-Signature is written.
type SignatureFormat string

// Values lists the signature formats.
func (SignatureFormat) Values() []string { return []string{"hex", "v1=hex", "sha256=hex", "base64"} }

// SignedContent is what X-Svc-Signature signs.
type SignedContent string

// Values lists what can be signed.
func (SignedContent) Values() []string {
	return []string{"timestamp.body", "id.timestamp.body", "body"}
}

// MaxWebhooks is how many active webhooks an account can have: each may get a delivery
// of every change, in the change's own commit.
const MaxWebhooks = 100

// Webhook is a receiver's registration for one event.
type Webhook struct {
	Meta
	Event           string          `json:"event" api:"required" doc:"an event of the list, * for all, or a group such as order.*"`
	URL             string          `json:"url" api:"required" doc:"https address of the receiver"`
	Secret          string          `json:"secret,omitempty" doc:"HMAC secret of 16 to 256 bytes; made when absent, shown only in the answer to the registration"`
	SignatureFormat SignatureFormat `json:"signatureFormat" doc:"hex when absent"`
	SignedContent   SignedContent   `json:"signedContent" doc:"timestamp.body when absent"`
	Status          WebhookState    `json:"status" api:"readonly"`
	DisabledReason  string          `json:"disabledReason,omitempty" api:"readonly"`
	DisabledAt      Instant         `json:"disabledAt,omitzero" api:"readonly"`
}

// Defaults fills what a caller may leave out.
func (w *Webhook) Defaults() {
	defaultTo(&w.SignatureFormat, "hex")
	defaultTo(&w.SignedContent, "timestamp.body")
}

// The bounds of a webhook's secret, in bytes.
const (
	MinSecret = 16
	MaxSecret = 256
)

// Check finds what is wrong with the fields that a caller sets; whether the
// address may be called is judged by package webhook.
func (w *Webhook) Check(f *Check) {
	w.Meta.check(f)
	if !ValidEventPattern(w.Event) {
		f.AddFault(Fault{Field: "event", Code: BadValue, Args: []any{w.Event, strings.Join(EventPatterns(), ", ")}, Allowed: EventPatterns()})
	}
	f.Required("url", w.URL)
	f.Max("url", w.URL, 2048)
	if w.Secret != "" && (len(w.Secret) < MinSecret || len(w.Secret) > MaxSecret) {
		f.Add("secret", InvalidSecret)
	}
	OneOf(f, "signatureFormat", string(w.SignatureFormat), w.SignatureFormat.Values()...)
	OneOf(f, "signedContent", string(w.SignedContent), w.SignedContent.Values()...)
}

// Resume makes a webhook active that the server has switched off.
func (w *Webhook) Resume() error {
	if w.Status != WebhookSwitched {
		return NotPossible("resume", string(w.Status), "delete")
	}
	w.Status, w.DisabledReason, w.DisabledAt = WebhookActive, "", 0
	return nil
}

// EventPatterns lists what a webhook may register for.
func EventPatterns() []string {
	out := []string{"*"}
	for _, e := range Events {
		group, _, ok := strings.Cut(string(e), ".")
		if g := group + ".*"; ok && !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	for _, e := range Events {
		out = append(out, string(e))
	}
	return out
}

// ValidEventPattern tells whether a webhook may register for pattern.
func ValidEventPattern(pattern string) bool { return slices.Contains(EventPatterns(), pattern) }

// Wants tells whether a registration for pattern hears e.
func Wants(pattern string, e Event) bool {
	group, all := strings.CutSuffix(pattern, "*")
	return pattern == string(e) || all && strings.HasPrefix(string(e), group)
}

// DeliveryState is where one delivery of an event to a webhook stands.
type DeliveryState string

// The states of a delivery.
const (
	DeliveryPending   DeliveryState = "pending"
	Delivered         DeliveryState = "delivered"
	DeliveryFailed    DeliveryState = "failed"
	DeliveryCancelled DeliveryState = "cancelled"
)

// Values lists the states of a delivery.
func (DeliveryState) Values() []string {
	return []string{"pending", "delivered", "failed", "cancelled"}
}

// Delivery is one event on its way to one webhook, with its attempts.
type Delivery struct {
	ID          string        `json:"id"`
	WebhookID   string        `json:"webhookId"`
	EventID     string        `json:"eventId"`
	Event       Event         `json:"event"`
	State       DeliveryState `json:"state"`
	CreatedAt   Instant       `json:"createdAt"`
	NextAttempt Instant       `json:"nextAttemptAt,omitzero"`
	Attempts    []Attempt     `json:"attempts"`
}

// Attempt is one call of a receiver.
type Attempt struct {
	Number     int     `json:"number"`
	At         Instant `json:"at"`
	Status     int     `json:"status,omitzero" doc:"the receiver's HTTP status, absent when none came"`
	DurationMS int64   `json:"durationMs"`
	Error      string  `json:"error,omitempty"`
	Excerpt    string  `json:"excerpt,omitempty" doc:"the first 4 KiB of the receiver's answer"`
}
