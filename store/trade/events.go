package trade

// Event is the name of a fact that webhooks are told about.
type Event string

// The events this version emits. A change emits each at most once, in its own
// transaction.
const (
	EventCompanyCreated Event = "company.created"
	EventCompanyUpdated Event = "company.updated"
	EventCompanyDeleted Event = "company.deleted"
	EventContactCreated Event = "contact.created"
	EventContactUpdated Event = "contact.updated"
	EventContactDeleted Event = "contact.deleted"

	EventOpportunityCreated Event = "opportunity.created"
	EventOpportunityUpdated Event = "opportunity.updated"
	EventOpportunityWon     Event = "opportunity.won"
	EventOpportunityLost    Event = "opportunity.lost"

	EventQuoteCreated  Event = "quote.created"
	EventQuoteSent     Event = "quote.sent"
	EventQuoteAccepted Event = "quote.accepted"
	EventQuoteRejected Event = "quote.rejected"

	EventOrderCreated      Event = "order.created"
	EventOrderApproved     Event = "order.approved"
	EventOrderConfirmed    Event = "order.confirmed"
	EventOrderShipped      Event = "order.shipped"
	EventOrderCancelled    Event = "order.cancelled"
	EventShipmentCreated   Event = "shipment.created"
	EventShipmentDelivered Event = "shipment.delivered"

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
	EventInvoicePaid     Event = "invoice.paid"
	EventPaymentReceived Event = "payment.received"
	EventPaymentMade     Event = "payment.made"
	EventStockAdjusted   Event = "stock.adjusted"
	EventStockLow        Event = "stock.low"
	EventWebhookDisabled Event = "webhook.disabled"
	EventPing            Event = "ping"
)

// Events is the closed list that a webhook may name, those of later resources
// included, so that a receiver can register for them today.
var Events = []Event{
	EventCompanyCreated, EventCompanyUpdated, EventCompanyDeleted,
	EventContactCreated, EventContactUpdated, EventContactDeleted,
	EventOpportunityCreated, EventOpportunityUpdated, EventOpportunityWon, EventOpportunityLost,
	EventQuoteCreated, EventQuoteSent, EventQuoteAccepted, EventQuoteRejected,
	EventOrderCreated, EventOrderApproved, EventOrderConfirmed, EventOrderShipped, EventOrderCancelled,
	EventShipmentCreated, EventShipmentDelivered,
	EventInvoiceCreated, EventInvoiceUpdated, EventInvoiceQueued, EventInvoiceSent, EventInvoiceAccepted, EventInvoiceRejected, EventInvoiceFailed, EventInvoiceCanceled, EventInvoicePaid,
	EventPaymentReceived, EventPaymentMade,
	EventProductCreated, EventProductUpdated, EventProductDeleted,
	EventStockAdjusted, EventStockLow,
	EventWebhookDisabled, EventPing,
}
