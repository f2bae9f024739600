package trade

import (
	"slices"
	"testing"

	"esnaf/store/money"
)

func TestOrderMoves(t *testing.T) {
	actions := []OrderAction{EditOrder, DiscardOrder, ConfirmOrder, HoldOrder, ApproveOrder, RejectOrder, ShipPartOrder, ShipOrder, CloseOrder, CancelOrder, RecallOrder, RecallPart}
	walkMoves(t, OrderMoves, OrderState("").Values(), actions, map[string]string{
		"DRAFT edit": "DRAFT", "DRAFT delete": "DRAFT", "DRAFT confirm": "CONFIRMED", "DRAFT hold": "PENDING_APPROVAL", "DRAFT cancel": "CANCELLED",
		"PENDING_APPROVAL approve": "DRAFT", "PENDING_APPROVAL reject": "DRAFT", "PENDING_APPROVAL cancel": "CANCELLED",
		"CONFIRMED ship-part": "PARTIALLY_SHIPPED", "CONFIRMED ship": "SHIPPED", "CONFIRMED close": "SHIPPED", "CONFIRMED cancel": "CANCELLED",
		"PARTIALLY_SHIPPED ship-part": "PARTIALLY_SHIPPED", "PARTIALLY_SHIPPED ship": "SHIPPED", "PARTIALLY_SHIPPED close": "SHIPPED",
		"PARTIALLY_SHIPPED recall": "CONFIRMED", "PARTIALLY_SHIPPED recall-part": "PARTIALLY_SHIPPED",
		"SHIPPED recall": "CONFIRMED", "SHIPPED recall-part": "PARTIALLY_SHIPPED",
	}, func(from OrderState, a OrderAction) (OrderState, error) {
		o := Order{Status: from, Lines: []OrderLine{{Reserved: 5}}}
		err := o.Move(a)
		if err != nil && KindOf(err) != Conflict {
			t.Errorf("%s %s: %v", from, a, err)
		}
		if held := o.Lines[0].Reserved != 0; held == (err == nil && a == CancelOrder) {
			t.Errorf("%s %s leaves %s reserved", from, a, o.Lines[0].Reserved)
		}
		return o.Status, err
	})
}

func TestShipmentMoves(t *testing.T) {
	actions := []ShipmentAction{EditShipment, SendShipment, TakeShipment, FailShipment, DeliverShipment, ReturnShipment, ReturnPartShipment, CancelShipment}
	walkMoves(t, ShipmentMoves, ShipmentState("").Values(), actions, map[string]string{
		"PREPARED take": "DESPATCHED", "PREPARED fail": "PREPARED", "PREPARED edit": "PREPARED", "PREPARED send": "PREPARED", "PREPARED cancel": "CANCELLED",
		"DESPATCHED deliver": "DELIVERED", "DESPATCHED return": "RETURNED", "DESPATCHED return-part": "DESPATCHED", "DESPATCHED cancel": "CANCELLED",
		"DELIVERED return": "RETURNED", "DELIVERED return-part": "DELIVERED",
	}, func(from ShipmentState, a ShipmentAction) (ShipmentState, error) {
		s := Shipment{Status: from}
		err := s.Move(a, 1_000)
		return s.Status, err
	})
}

// ordered is a good order of 3 and 2 pieces; spoil makes it another one.
func ordered(spoil func(*Order)) *Order {
	line := Line{Name: "Defter", Quantity: 3_000_000, UnitPrice: new(money.Price(10 * 100_000_000)), VATRate: new(money.Percent(20))}
	o := &Order{CompanyID: "cmp_1", Lines: []OrderLine{{Line: line}, {Line: line}}}
	o.Lines[1].Quantity = 2_000_000
	spoil(o)
	o.Defaults(&Company{Name: "Ada", Currency: "TRY", City: "İzmir", Country: "TR"}, "2026-09-15")
	return o
}

func TestOrderCheck(t *testing.T) {
	plan := func(lines ...PlannedLine) func(*Order) {
		return func(o *Order) { o.PlannedShipments = []PlannedShipment{{Date: "2026-09-15", Lines: lines}} }
	}
	for about, test := range map[string]struct {
		spoil func(*Order)
		want  []string // fields with their codes
	}{
		"nothing":                        {func(*Order) {}, nil},
		"an odd country":                 {func(o *Order) { o.DeliveryAddress = &Address{Country: "XX"} }, []string{"deliveryAddress.country code_invalid"}},
		"an address without a country":   {func(o *Order) { o.DeliveryAddress = &Address{City: "İzmir"} }, nil},
		"wanted before it was ordered":   {func(o *Order) { o.RequestedShipDate = "2026-09-14" }, []string{"requestedShipDate out_of_range"}},
		"wanted on the day":              {func(o *Order) { o.RequestedShipDate = "2026-09-15" }, nil},
		"a number too long":              {func(o *Order) { o.Number = string(make([]byte, 51)) }, []string{"number too_long"}},
		"no lines":                       {func(o *Order) { o.Lines = nil }, []string{"lines required"}},
		"all is planned":                 {plan(PlannedLine{1, 3_000_000}, PlannedLine{2, 2_000_000}), nil},
		"more is planned than ordered":   {plan(PlannedLine{1, 2_000_000}, PlannedLine{1, 1_000_001}), []string{"plannedShipments[0].lines[1].quantity exceeds_rest"}},
		"nothing is planned":             {plan(PlannedLine{1, 0}), []string{"plannedShipments[0].lines[0].quantity must_be_positive"}},
		"lines planned that are none":    {plan(PlannedLine{0, 1}, PlannedLine{3, 1}), []string{"plannedShipments[0].lines[0].line out_of_range", "plannedShipments[0].lines[1].line out_of_range"}},
		"planned for a line that is bad": {func(o *Order) { o.Lines[0].Quantity = -1; plan(PlannedLine{1, 1})(o) }, []string{"lines[0].quantity must_be_positive"}},
		"planned for no day and the eve": {func(o *Order) { o.PlannedShipments = []PlannedShipment{{}, {Date: "2026-09-14"}} }, []string{"plannedShipments[0].date required", "plannedShipments[1].date out_of_range"}},
		"too much planning":              {func(o *Order) { o.PlannedShipments = make([]PlannedShipment, 101) }, []string{"plannedShipments too_many"}},
		"too many planned lines":         {plan(make([]PlannedLine, 1001)...), []string{"plannedShipments[0].lines too_many"}},
	} {
		t.Run(about, func(t *testing.T) {
			var f Check
			ordered(test.spoil).Check(&f, nil)
			var got []string
			for _, fault := range f.faults {
				got = append(got, fault.Field+" "+string(fault.Code))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// An order has the sums of its lines, and goes to the company unless it says
// otherwise.
func TestOrderIsFilled(t *testing.T) {
	var f Check
	o := ordered(func(*Order) {})
	o.Check(&f, nil)
	if o.Subtotal != 5000 || o.VATTotal != 1000 || o.Total != 6000 || o.Lines[1].Total != 2400 || o.Lines[0].Unit != "C62" || len(o.Taxes) != 1 {
		t.Errorf("%+v", o)
	}
	if o.OrderDate != "2026-09-15" || o.CompanyName != "Ada" || *o.DeliveryAddress != (Address{City: "İzmir", Country: "TR"}) {
		t.Errorf("%+v", o)
	}
}

// An approval is for the customer, for the lines as they are, and for what they cost in
// lira.
func TestApprovalGoesWithTheLines(t *testing.T) {
	for about, test := range map[string]struct {
		change func(*Order)
		stays  bool
	}{
		"nothing":   {func(*Order) {}, true},
		"the notes": {func(o *Order) { o.Notes = "acele" }, true},
		"a price":   {func(o *Order) { o.Lines[0].UnitPrice = new(money.Price(1)) }, false},
		"an amount": {func(o *Order) { o.Lines[1].Quantity++ }, false},
		"a line":    {func(o *Order) { o.Lines = o.Lines[:1] }, false},
		"the buyer": {func(o *Order) { o.CompanyID = "cmp_2" }, false},
		"the rate":  {func(o *Order) { o.Currency, o.ExchangeRate = "EUR", 50_000_000 }, false},
	} {
		old, o := ordered(func(*Order) {}), ordered(test.change)
		old.Check(&Check{}, nil)
		o.Check(&Check{}, nil)
		old.PriceApproval.ApprovedBy = "usr_1"
		o.Keep(old)
		o.KeepApproval(old)
		if stays := o.PriceApproval.ApprovedBy != ""; stays != test.stays {
			t.Errorf("%s changes: the approval stays %v, want %v", about, stays, test.stays)
		}
	}
}

// Closing gives up what is left of each line and nothing else; what was not shipped at
// all is cancelled instead.
func TestClosingAnOrder(t *testing.T) {
	o := &Order{Status: OrderPartiallyShipped, Lines: []OrderLine{
		{Line: Line{Quantity: 5}, Shipped: 2, Reserved: 1}, {Line: Line{Quantity: 3}, Shipped: 3}, {Line: Line{Quantity: 4}},
	}}
	if err := o.Close(); err != nil || o.Status != OrderShipped {
		t.Fatalf("%s, %v", o.Status, err)
	}
	for i, want := range []money.Quantity{3, 0, 4} {
		if l := o.Lines[i]; l.Cancelled != want || l.Left() != 0 || l.Reserved != 0 {
			t.Errorf("line %d: %+v", i+1, l)
		}
	}
	if _, err := o.Pick(&Check{}, nil); KindOf(err) != Conflict {
		t.Errorf("something is left: %v", err)
	}
	if err := o.Recall([]ShipmentLine{{OrderLine: 1, Quantity: 2}}, nil); err != nil || o.Lines[0].Left() != 2 || o.Status != OrderPartiallyShipped {
		t.Errorf("recalled: %v, %s %+v", err, o.Status, o.Lines[0])
	}
	fresh := &Order{Status: OrderConfirmed, Lines: []OrderLine{{Line: Line{Quantity: 5}, Reserved: 5}}}
	if err := fresh.Close(); KindOf(err) != Conflict || fresh.Status != OrderConfirmed || fresh.Lines[0].Reserved != 5 {
		t.Errorf("nothing was shipped: %v, %+v", err, fresh)
	}
	fresh.Lines = append(fresh.Lines, OrderLine{Line: Line{Quantity: 1}, Shipped: 1, Service: true})
	if err := fresh.Close(); err != nil || fresh.Lines[0].Cancelled != 5 {
		t.Errorf("a service was done: %v, %+v", err, fresh)
	}
}
