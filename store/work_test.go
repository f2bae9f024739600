package store

import (
	"cmp"
	"errors"
	"fmt"
	"testing"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// workOf tries a change, and then once more with its work counted.
func (s *shop) workOf(t *testing.T, fn func(*Tx) error) (w work) {
	t.Helper()
	try := func(tx *Tx) error { return cmp.Or(fn(tx), errTried) }
	counting := func(tx *Tx) error {
		before := tx.done
		defer func() { w = work{tx.done.runs - before.runs, tx.done.rows - before.rows} }()
		return try(tx)
	}
	for _, once := range []func(*Tx) error{try, counting} {
		if err := s.do(once); !errors.Is(err, errTried) {
			t.Fatal(err)
		}
	}
	return w
}

// lined is n lines of one piece each of a product, which names puts names on.
func lined(p *trade.Product, n int, names func(l *trade.GoodsLine, i int)) []trade.GoodsLine {
	lines := make([]trade.GoodsLine, n)
	for i := range lines {
		lines[i] = trade.GoodsLine{ProductID: p.ID, Quantity: trade.Piece}
		if names != nil {
			names(&lines[i], i)
		}
	}
	return lines
}

// pieceNamed names lots, or serial numbers: of every two lots one is past its day.
func pieceNamed(p *trade.Product) func(*trade.GoodsLine, int) {
	return func(l *trade.GoodsLine, i int) {
		no := fmt.Sprintf("%05d", i)
		if p.Tracking == trade.BySerial {
			l.SerialNos = []string{no}
			return
		}
		l.LotNo, l.ExpiresAt = no, []trade.Date{"2026-09-01", "2026-12-01"}[i%2]
	}
}

// asked is an order of as many lines.
func (s *shop) asked(t *testing.T, lines []trade.GoodsLine) string {
	t.Helper()
	s.who.Actor = "operator"
	company := s.made(t, func(tx *Tx) (Doc, error) { return tx.CreateCompany(ada()) })
	o := trade.Order{CompanyID: company}
	for _, l := range lines {
		o.Lines = append(o.Lines, trade.OrderLine{Line: trade.Line{
			ProductID: l.ProductID, Quantity: l.Quantity, LotNo: l.LotNo, SerialNos: l.SerialNos, UnitPrice: new(money.Price(100_000_000)), VATRate: new(money.Percent(20)),
		}})
	}
	return s.made(t, func(tx *Tx) (Doc, error) { return tx.CreateOrder(o) })
}

// byCarrier is how goods leave, all of them or so many lines of one piece of the first.
func byCarrier(lines int) trade.Shipping {
	in := trade.Shipping{Carrier: &trade.Carrier{Name: "Kargo", TaxNumber: trade.CompleteVKN("123456789")}}
	for range lines {
		in.Lines = append(in.Lines, trade.ShippingLine{Line: 1, Quantity: new(trade.Piece)})
	}
	return in
}

// returned is a shipment of an order that the tax office took, on its way back.
func (s *shop) returned(t *testing.T, order string) func(*Tx) error {
	t.Helper()
	id := s.made(t, func(tx *Tx) (Doc, error) { return tx.ShipOrder(order, byCarrier(0)) })
	s.must(t, func(tx *Tx) error {
		return tx.Answer(Errand{Tenant: s.who.Tenant, Owner: id, Step: StepSubmit}, Answer{Outcome: trade.Taken})
	})
	return func(tx *Tx) error { _, err := tx.ReturnShipment(id, trade.Return{}); return err }
}

// lotWork is the work of what moves 20 lines of a product of which 4n pieces lie there: a
// half is held by name for an order.
func lotWork(t *testing.T, kind int, n int) map[string]work {
	s := openShop(t, t.TempDir())
	defer s.Close()
	p := &s.products[kind]
	s.must(t, func(tx *Tx) error {
		_, err := tx.ReceiveGoods(trade.GoodsSlip{Lines: lined(p, 4*n, pieceNamed(p))})
		return err
	})
	confirm := func(id string) func(*Tx) error {
		return func(tx *Tx) error { _, err := tx.ConfirmOrder(id); return err }
	}
	s.must(t, confirm(s.asked(t, lined(p, 2*n, pieceNamed(p)))))
	any := lined(p, 20, nil)
	named := lined(p, 20, func(l *trade.GoodsLine, i int) { pieceNamed(p)(l, 4*n-1-i) })
	for i := range named {
		named[i].ExpiresAt = ""
	}
	order := s.asked(t, any)
	all := map[string]work{}
	all["confirm"] = s.workOf(t, confirm(order))
	all["confirm what is named"] = s.workOf(t, confirm(s.asked(t, named)))
	s.must(t, confirm(order))
	all["ship"] = s.workOf(t, func(tx *Tx) error { _, err := tx.ShipOrder(order, byCarrier(0)); return err })
	all["cancel"] = s.workOf(t, func(tx *Tx) error { _, err := tx.CancelOrder(order); return err })
	all["return"] = s.workOf(t, s.returned(t, order))
	for about, lines := range map[string][]trade.GoodsLine{"any": any, "named": named} {
		all["issue "+about] = s.workOf(t, func(tx *Tx) error { _, err := tx.IssueGoods(trade.GoodsSlip{Lines: lines}); return err })
		all["transfer "+about] = s.workOf(t, func(tx *Tx) error {
			_, err := tx.TransferGoods(trade.GoodsTransfer{FromWarehouseID: s.houses[0], ToWarehouseID: s.houses[1], Lines: lines})
			return err
		})
	}
	return all
}

// What moves some of a product reads no more of it where there is much.
func TestWorkIsThatOfWhatMoves(t *testing.T) {
	for kind, about := range []string{1: "lots", 2: "serial numbers"} {
		if about == "" {
			continue
		}
		few, many := lotWork(t, kind, 50), lotWork(t, kind, 100)
		for what, w := range many {
			if few[what] != w || w.runs == 0 {
				t.Errorf("%s: to %s 20 of few takes %+v, of many %+v", about, what, few[what], w)
			}
		}
	}
}

// The work grows with the lines, no faster: not even where all of them are of one line
// of an order, leave with one shipment or count the same.
func TestWorkGrowsWithTheLines(t *testing.T) {
	var few, many map[string]work
	for n, all := range map[int]*map[string]work{20: &few, 40: &many} {
		s := openShop(t, t.TempDir())
		defer s.Close()
		p := &s.products[2]
		lines := lined(p, n, pieceNamed(p))
		s.must(t, func(tx *Tx) error { _, err := tx.ReceiveGoods(trade.GoodsSlip{Lines: lines}); return err })
		one := trade.GoodsLine{ProductID: p.ID, Quantity: trade.Piece * money.Quantity(n)}
		for _, l := range lines {
			one.SerialNos = append(one.SerialNos, l.SerialNos...)
		}
		order := s.asked(t, []trade.GoodsLine{one})
		s.must(t, func(tx *Tx) error { _, err := tx.ConfirmOrder(order); return err })
		*all = map[string]work{}
		(*all)["ship one line in parts"] = s.workOf(t, func(tx *Tx) error { _, err := tx.ShipOrder(order, byCarrier(n)); return err })
		s.must(t, func(tx *Tx) error { _, err := tx.CancelOrder(order); return err })
		count := trade.Count{WarehouseID: s.houses[0], Lines: make([]trade.CountLine, n)}
		for i := range count.Lines {
			count.Lines[i].ProductID = p.ID
		}
		(*all)["count a product again and again"] = s.workOf(t, func(tx *Tx) error {
			if _, err := tx.CreateCount(count); trade.KindOf(err) != trade.Invalid {
				return fmt.Errorf("taken: %w", err)
			}
			return nil
		})
		order = s.asked(t, lined(p, n, nil))
		s.must(t, func(tx *Tx) error { _, err := tx.ConfirmOrder(order); return err })
		(*all)["return"] = s.workOf(t, s.returned(t, order))
	}
	for what, w := range many {
		if w.rows > 2*few[what].rows || w.runs > 2*few[what].runs || w.runs == 0 {
			t.Errorf("%s: 20 take %+v, 40 take %+v", what, few[what], w)
		}
	}
}

// The next code is a free one, as it was before anybody gave codes by hand, and finding it
// takes a few questions however many they gave.
func TestTheNextCodeIsFree(t *testing.T) {
	for _, test := range []struct {
		about string
		taken []int
		want  string
		runs  int // more than with nothing taken
	}{
		{"nothing", nil, "C000001", 0},
		{"some that are not next", []int{2, 3, 999999}, "C000001", 0},
		{"the next", []int{1, 999999}, "C000002", 2},
		{"the next three", []int{1, 2, 3}, "C000004", 4},
		{"every other", []int{1, 3, 5, 7, 9}, "C000010", 6},
		{"a long row", numbers(500), "C000501", 18},
	} {
		s := openShop(t, t.TempDir())
		defer s.Close()
		create := func(tx *Tx) error { _, err := tx.CreateCompany(trade.Company{Name: "Ada"}); return err }
		none := s.workOf(t, create)
		s.must(t, func(tx *Tx) error {
			for _, n := range test.taken {
				if _, err := tx.CreateCompany(trade.Company{Name: "Ada", Code: fmt.Sprintf("C%06d", n)}); err != nil {
					return err
				}
			}
			return nil
		})
		if more := s.workOf(t, create).runs - none.runs; more > test.runs {
			t.Errorf("%s is taken: %d statements more", test.about, more)
		}
		var c trade.Company
		s.must(t, func(tx *Tx) error {
			d, err := tx.CreateCompany(trade.Company{Name: "Ada"})
			return errors.Join(err, decode(d.JSON, &c))
		})
		if c.Code != test.want {
			t.Errorf("%s is taken: %s is drawn, want %s", test.about, c.Code, test.want)
		}
	}
}

// numbers are those from 1 to n.
func numbers(n int) (all []int) {
	for i := range n {
		all = append(all, i+1)
	}
	return all
}
