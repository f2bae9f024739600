package store_test

import (
	"slices"
	"testing"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// user is somebody of the account, who may give discounts up to limit alone.
func (b *book) seller(name string, role auth.Role, limit *money.Rate) store.Who {
	b.t.Helper()
	who := b.who
	b.write(b.who, func(tx *store.Tx) error {
		u, err := tx.CreateUser(name+"@example.com", name, "hash", role)
		if err != nil {
			return err
		}
		who.Actor = u.ID
		return tx.LimitDiscount(u.ID, limit)
	})
	return who
}

// What needs approval, by who confirms it.
func TestWhatNeedsApproval(t *testing.T) {
	d := openDepot(t, "1000")
	sales, free := d.seller("satis", auth.Sales, new(money.Percent(10))), d.seller("mudur", auth.Master, nil)
	euro := d.product(d.who, trade.Product{Name: "Kalem", SalePrice: 5 * lira, SaleCurrency: "EUR", MinimumPrice: new(4 * lira)})
	d.put(trade.Adjustment{ProductID: euro.ID, Quantity: quantity("10")})
	bare := d.product(d.who, trade.Product{Name: "Keşif", Type: trade.Service})
	below, above, odd := trade.PriceBelowMinimum, trade.DiscountAboveLimit, trade.PriceNotComparable
	for about, test := range map[string]struct {
		who   store.Who
		spoil func(*trade.Order)
		want  []trade.ApprovalReason
	}{
		"the full price":            {sales, func(*trade.Order) {}, nil},
		"a low price is a discount": {sales, func(o *trade.Order) { o.Lines[0].UnitPrice = new(90*lira - 500_000) }, []trade.ApprovalReason{above}},
		"the limit as a low price":  {sales, func(o *trade.Order) { o.Lines[0].UnitPrice = new(90 * lira) }, nil},
		"a low price and a discount": {sales, func(o *trade.Order) {
			o.Lines[0].UnitPrice, o.Lines[0].DiscountRate = new(95*lira), new(money.Percent(10))
		}, []trade.ApprovalReason{above}},
		"a service in another unit": {sales, func(o *trade.Order) { o.Lines[0].ProductID, o.Lines[0].Unit = d.service.ID, "HUR" }, []trade.ApprovalReason{odd}},
		"a service without a price": {sales, func(o *trade.Order) {
			o.Lines = append(o.Lines, trade.OrderLine{Line: trade.Line{ProductID: bare.ID, Quantity: trade.Piece, Unit: "HUR", UnitPrice: new(lira)}})
		}, nil},
		"no list price in the currency": {sales, func(o *trade.Order) {
			o.Currency, o.ExchangeRate, o.Lines[0].UnitPrice = "EUR", 50_000_000, new(2*lira)
		}, []trade.ApprovalReason{odd}},
		"a rate of one's own": {sales, func(o *trade.Order) {
			o.Currency, o.ExchangeRate, o.Lines[0].UnitPrice = "EUR", 90_000_000_000, new(money.Price(1_000_000))
		}, []trade.ApprovalReason{odd}},
		"the very minimum":               {free, func(o *trade.Order) { o.Lines[0].UnitPrice = new(80 * lira) }, nil},
		"just below the minimum":         {free, func(o *trade.Order) { o.Lines[0].UnitPrice = new(80*lira - 500_000) }, []trade.ApprovalReason{below}},
		"below it with VAT in the price": {free, func(o *trade.Order) { o.Lines[0].UnitPrice, o.Lines[0].PriceIncludesVAT = new(95*lira), true }, []trade.ApprovalReason{below}},
		"below it by a discount":         {free, func(o *trade.Order) { o.Lines[0].DiscountRate = new(money.Percent(21)) }, []trade.ApprovalReason{below}},
		"the limit":                      {sales, func(o *trade.Order) { o.Lines[0].DiscountRate = new(money.Percent(10)) }, nil},
		"the limit as an amount":         {sales, func(o *trade.Order) { o.Lines[0].DiscountAmount = new(money.Amount(2000)) }, nil},
		"over the limit":                 {sales, func(o *trade.Order) { o.Lines[0].DiscountRate = new(money.Rate(100_001)) }, []trade.ApprovalReason{above}},
		"a kuruş over the limit":         {sales, func(o *trade.Order) { o.Lines[0].DiscountAmount = new(money.Amount(2001)) }, []trade.ApprovalReason{above}},
		"who has no limit":               {free, func(o *trade.Order) { o.Lines[0].DiscountRate = new(money.Percent(20)) }, nil},
		"both":                           {sales, func(o *trade.Order) { o.Lines[0].DiscountRate = new(money.Percent(50)) }, []trade.ApprovalReason{below, above}},
		"euro for lira, dear enough": {free, func(o *trade.Order) {
			o.Currency, o.ExchangeRate, o.Lines[0].UnitPrice = "EUR", 50_000_000, new(2*lira)
		}, nil},
		"euro for lira, too cheap": {free, func(o *trade.Order) { o.Currency, o.ExchangeRate, o.Lines[0].UnitPrice = "EUR", 50_000_000, new(lira) }, []trade.ApprovalReason{below}},
		"lira for euro":            {free, func(o *trade.Order) { o.Lines[0].ProductID, o.Lines[0].UnitPrice = euro.ID, new(500*lira) }, []trade.ApprovalReason{odd}},
	} {
		o := d.wants("2")
		test.spoil(&o)
		o = d.order(d.who, o)
		d.write(test.who, func(tx *store.Tx) error { return into(&o)(tx.ConfirmOrder(o.ID)) })
		held := o.Status == trade.OrderPendingApproval
		if held != (test.want != nil) || !slices.Equal(o.PriceApproval.Reasons, test.want) || o.PriceApproval.Required != held || (o.Lines[0].Reserved > 0) == held {
			t.Errorf("%s: %s for %v, want %v", about, o.Status, o.PriceApproval.Reasons, test.want)
		}
	}
}

// An approval is kept until the lines change; a refusal says who and why. Only who may
// approve does either.
func TestApproval(t *testing.T) {
	d := openDepot(t, "10")
	sales, admin := d.seller("satis", auth.Sales, new(money.Percent(10))), d.seller("mudur", auth.Admin, nil)
	wish := d.wants("2")
	wish.Lines[0].DiscountRate = new(money.Percent(15))
	o := d.order(d.who, wish)
	confirm := func(tx *store.Tx) error { return into(&o)(tx.ConfirmOrder(o.ID)) }
	d.write(sales, confirm)
	d.stands("held", "10, 0")
	for about, do := range map[string]func(*store.Tx) error{
		"approving": func(tx *store.Tx) error { _, err := tx.ApproveOrder(o.ID); return err },
		"rejecting": func(tx *store.Tx) error { _, err := tx.RejectOrder(o.ID, "x"); return err },
	} {
		if e := d.refused(sales, do); e.Kind != trade.Forbidden || e.Code != trade.RoleRequired {
			t.Errorf("%s by sales: %v", about, e)
		}
	}
	if e := d.refused(admin, func(tx *store.Tx) error { _, err := tx.RejectOrder(o.ID, " "); return err }); fields(e) != "reason required" {
		t.Errorf("no reason: %v", e)
	}
	d.write(admin, func(tx *store.Tx) error { return into(&o)(tx.RejectOrder(o.ID, "çok fazla")) })
	if p := o.PriceApproval; o.Status != trade.OrderDraft || p.RejectedBy != admin.Actor || p.RejectedAt != trade.At(start) || p.Reason != "çok fazla" || p.ApprovedBy != "" {
		t.Errorf("rejected: %s %+v", o.Status, p)
	}
	d.write(sales, confirm) // once more: it waits again, and the refusal is over
	if o.Status != trade.OrderPendingApproval || o.PriceApproval.RejectedBy != "" {
		t.Errorf("confirmed again: %s %+v", o.Status, o.PriceApproval)
	}
	d.write(admin, func(tx *store.Tx) error { return into(&o)(tx.ApproveOrder(o.ID)) })
	if p := o.PriceApproval; o.Status != trade.OrderDraft || p.ApprovedBy != admin.Actor || p.ApprovedAt != trade.At(start) || !slices.Equal(p.Reasons, []trade.ApprovalReason{trade.DiscountAboveLimit}) {
		t.Errorf("approved: %s %+v", o.Status, p)
	}
	wish.Notes = "acele"
	d.write(sales, func(tx *store.Tx) error { return into(&o)(tx.UpdateOrder(o.ID, store.Any, wish)) })
	d.write(sales, confirm)
	if o.Status != trade.OrderConfirmed || o.PriceApproval.ApprovedBy != admin.Actor {
		t.Errorf("confirmed: %s %+v", o.Status, o.PriceApproval)
	}
	d.stands("confirmed", "10, 2")
	if events := sqlRow[string](d.book, "SELECT group_concat(event, ' ') FROM events WHERE event LIKE 'order.%'"); events != "order.created order.approved order.confirmed" {
		t.Errorf("events: %s", events)
	}
}

// Changing the lines of an approved order takes the approval away.
func TestApprovalIsForTheLines(t *testing.T) {
	d := openDepot(t, "10")
	o := d.ordered(trade.OrderPendingApproval)
	d.write(d.who, func(tx *store.Tx) error { return into(&o)(tx.ApproveOrder(o.ID)) })
	change := d.wants("2")
	change.Lines[0].UnitPrice = new(78 * lira)
	d.write(d.who, func(tx *store.Tx) error { return into(&o)(tx.UpdateOrder(o.ID, store.Any, change)) })
	if o.PriceApproval.ApprovedBy != "" {
		t.Errorf("approved by %q at another price", o.PriceApproval.ApprovedBy)
	}
	d.write(d.who, func(tx *store.Tx) error { return into(&o)(tx.ConfirmOrder(o.ID)) })
	if o.Status != trade.OrderPendingApproval {
		t.Errorf("confirmed at another price: %s", o.Status)
	}
}
