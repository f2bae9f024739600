package trade

// Event is the name of a fact that webhooks are told about.
type Event string

// The events this version emits. A change emits each at most once, in its own
// transaction.
const (
	EventCompanyCreated  Event = "company.created"
	EventCompanyUpdated  Event = "company.updated"
	EventCompanyDeleted  Event = "company.deleted"
	EventProductCreated  Event = "product.created"
	EventProductUpdated  Event = "product.updated"
	EventProductDeleted  Event = "product.deleted"
	EventInvoiceCreated  Event = "invoice.created"
	EventInvoiceUpdated  Event = "invoice.updated"
	EventInvoiceQueued   Event = "invoice.queued"
	EventInvoiceSent     Event = "invoice.sent"
	EventInvoiceAccepted Event = "invoice.accepted"
	EventInvoiceRejected Event = "invoice.rejected"
	EventInvoiceFailed   Event = "invoice.failed"
	EventInvoiceCanceled Event = "invoice.cancelled"
	EventWebhookDisabled Event = "webhook.disabled"
	EventPing            Event = "ping"
)

// Events is the closed list that a webhook may name, those of later resources
// included, so that a receiver can register for them today.
var Events = []Event{
	EventCompanyCreated, EventCompanyUpdated, EventCompanyDeleted,
	"contact.created", "contact.updated", "contact.deleted",
	"opportunity.created", "opportunity.updated", "opportunity.won", "opportunity.lost",
	"quote.created", "quote.sent", "quote.accepted", "quote.rejected",
	"order.created", "order.approved", "order.confirmed", "order.shipped", "order.cancelled",
	"shipment.created", "shipment.delivered",
	EventInvoiceCreated, EventInvoiceUpdated, EventInvoiceQueued, EventInvoiceSent, EventInvoiceAccepted, EventInvoiceRejected, EventInvoiceFailed, EventInvoiceCanceled, "invoice.paid",
	"payment.received", "payment.made",
	EventProductCreated, EventProductUpdated, EventProductDeleted,
	"stock.adjusted", "stock.low",
	EventWebhookDisabled, EventPing,
}
