package trade

import (
	"slices"

	"esnaf/store/money"
)

// ApprovalReason says why the price of an order needs approval.
type ApprovalReason string

// The reasons: below the product's minimumPrice; a discount over the limit of who
// confirms; a price of the product in another unit, or none in the order's currency, so
// that nobody can say whether the line keeps to it: who has a limit does not also set the
// rate that it is judged by.
const (
	PriceBelowMinimum  ApprovalReason = "PRICE_BELOW_MINIMUM"
	DiscountAboveLimit ApprovalReason = "DISCOUNT_ABOVE_LIMIT"
	PriceNotComparable ApprovalReason = "PRICE_NOT_COMPARABLE"
)

// Values lists the reasons.
func (ApprovalReason) Values() []string {
	return []string{"PRICE_BELOW_MINIMUM", "DISCOUNT_ABOVE_LIMIT", "PRICE_NOT_COMPARABLE"}
}

// PriceApproval is whether the price of an order needs approval, and who gave or
// refused it (fiyat onayı). It is about the customer and the lines as they are: changing
// them takes it away.
type PriceApproval struct {
	Required   bool             `json:"required"`
	Reasons    []ApprovalReason `json:"reasons"`
	Lines      []PriceFinding   `json:"lines" doc:"which lines, and why"`
	ApprovedBy string           `json:"approvedBy,omitempty" doc:"id of the user or key"`
	ApprovedAt Instant          `json:"approvedAt,omitzero"`
	RejectedBy string           `json:"rejectedBy,omitempty" doc:"id of the user or key"`
	RejectedAt Instant          `json:"rejectedAt,omitzero"`
	Reason     string           `json:"reason,omitempty" doc:"why it was refused"`
}

// PriceFinding is a line whose price needs approval.
type PriceFinding struct {
	Line   int            `json:"line" doc:"number of the order's line, from 1 on"`
	Reason ApprovalReason `json:"reason"`
}

// JudgePrices finds the lines whose price somebody has to approve. products gives the
// product of each productId; limit is the highest discount in percent that who
// confirms may give alone, nil for any.
func (o *Order) JudgePrices(products map[string]*Product, limit *money.Rate) PriceApproval {
	var a PriceApproval
	found := map[ApprovalReason]bool{}
	add := func(line int, why ApprovalReason) {
		if why == "" || slices.Contains(a.Lines, PriceFinding{line, why}) {
			return
		}
		a.Lines = append(a.Lines, PriceFinding{line, why})
		if !found[why] {
			found[why] = true
			a.Reasons = append(a.Reasons, why)
		}
	}
	for i := range o.Lines {
		l := &o.Lines[i].Line
		p := products[l.ProductID]
		if p != nil {
			add(i+1, o.belowMinimum(l, p, limit != nil))
		}
		if add(i+1, l.aboveLimit(limit)); limit != nil && p != nil {
			add(i+1, o.belowList(l, p, *limit))
		}
	}
	a.Required = len(a.Lines) > 0
	return a
}

// belowMinimum compares what is left of a line after its discount, without VAT, with
// the product's minimum for that quantity. It is done on the line and not on the unit
// price, because the line is what was rounded and is printed. limited says that who
// confirms has a limit.
func (o *Order) belowMinimum(l *Line, p *Product, limited bool) ApprovalReason {
	net := l.Net
	_, minimum := p.PriceIn(o.Currency)
	if minimum == nil {
		if minimum = p.MinimumPrice; minimum == nil {
			return ""
		}
		lira, ok := o.ExchangeRate.Of(net)
		if !ok || limited || p.SaleCurrency != "TRY" { // another currency's rate is not known here
			return PriceNotComparable
		}
		net = lira
	}
	least, ok := minimum.Times(l.Quantity)
	switch {
	case !ok || l.Unit != p.Unit:
		return PriceNotComparable
	case net < least:
		return PriceBelowMinimum
	}
	return ""
}

// aboveLimit judges a discount given in percent as it was given, and one given as an
// amount by what it is of the line.
func (l *Line) aboveLimit(limit *money.Rate) ApprovalReason {
	switch {
	case limit == nil:
		return ""
	case l.DiscountRate != nil && *l.DiscountRate > *limit,
		l.DiscountAmount != nil && l.Discount > limit.Of(l.Gross):
		return DiscountAboveLimit
	}
	return ""
}

// belowList compares what is left of a line after its discount with the product's list
// price for that quantity, where it has one (0 is none): a low unit price is a discount as
// well, whatever the line calls it.
func (o *Order) belowList(l *Line, p *Product, limit money.Rate) ApprovalReason {
	list, _ := p.PriceIn(o.Currency)
	switch {
	case list == nil && p.SalePrice != 0:
		return PriceNotComparable
	case list == nil || *list == 0:
		return ""
	}
	full, ok := list.Times(l.Quantity)
	switch {
	case !ok || l.Unit != p.Unit:
		return PriceNotComparable
	case l.Net < full-limit.Of(full):
		return DiscountAboveLimit
	}
	return ""
}

// Approve records that by, a user or a key, let the price of an order pass at the moment at.
func (o *Order) Approve(by string, at Instant) error {
	if err := o.Move(ApproveOrder); err != nil {
		return err
	}
	o.PriceApproval.ApprovedBy, o.PriceApproval.ApprovedAt = by, at
	return nil
}

// Reject records that by, a user or a key, refused the price of an order, and why.
func (o *Order) Reject(by string, at Instant, reason string) error {
	if err := o.Move(RejectOrder); err != nil {
		return err
	}
	o.PriceApproval.RejectedBy, o.PriceApproval.RejectedAt, o.PriceApproval.Reason = by, at, reason
	return nil
}
