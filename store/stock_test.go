package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// fill brings pieces of the products into the first warehouse.
func (s *shop) fill(t *testing.T, pieces money.Quantity, products ...*trade.Product) {
	t.Helper()
	var lines []trade.GoodsLine
	for _, p := range products {
		lines = append(lines, trade.GoodsLine{ProductID: p.ID, Quantity: pieces * trade.Piece, UnitCost: new(money.Price(10_00000000))})
	}
	if err := s.do(func(tx *Tx) error { _, err := tx.ReceiveGoods(trade.GoodsSlip{Lines: lines}); return err }); err != nil {
		t.Fatal(err)
	}
}

// plain makes a product that is not tracked.
func (s *shop) plain(t *testing.T, name string) *trade.Product {
	t.Helper()
	var p trade.Product
	err := s.do(func(tx *Tx) error {
		doc, err := tx.CreateProduct(trade.Product{Name: name, CriticalStock: new(10 * trade.Piece)})
		if err == nil {
			p, err = Products.Get(&tx.View, idOf(doc.JSON))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

// Acceptance M2: of 200 that want one of 100 pieces at once, 100 get one, the others are
// told what there is; whoever looks meanwhile sees no less than nothing.
func TestAHundredPiecesForTwoHundred(t *testing.T) {
	s := openShop(t, t.TempDir())
	defer s.Close()
	p := &s.products[0]
	s.fill(t, 100, p)
	ctx, stop := context.WithCancel(context.Background())
	var polls atomic.Int64
	var watcher sync.WaitGroup
	watcher.Go(func() {
		for ctx.Err() == nil {
			err := s.Read(context.Background(), s.who, func(v *View) error {
				inv, err := v.Inventory(p.ID)
				if err == nil && (inv.OnHand != 100*trade.Piece || inv.Reserved < 0 || inv.Available < 0) {
					err = fmt.Errorf("seen: %+v", inv)
				}
				return err
			})
			if err != nil {
				t.Error(err)
				return
			}
			polls.Add(1)
		}
	})
	var wg sync.WaitGroup
	var held, short atomic.Int64
	for i := range 200 {
		wg.Go(func() {
			err := s.do(func(tx *Tx) error {
				lack, err := tx.reserve(fmt.Sprint("ord_", i), []part{{"lines[0]", 1, p.ID, s.houses[0], trade.Piece, "", nil}})
				switch {
				case err != nil:
					return fmt.Errorf("refused rather than told what is short: %v", err)
				case len(lack) > 0:
					return trade.Insufficient(lack)
				}
				return nil
			})
			var e *trade.Error
			switch {
			case err == nil:
				held.Add(1)
			case errors.As(err, &e) && e.Code == trade.InsufficientStock && e.Faults[0].Field == "lines[0]":
				short.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	stop()
	watcher.Wait()
	if held.Load() != 100 || short.Load() != 100 || polls.Load() == 0 {
		t.Errorf("%d held one, %d were told it is too little; looked %d times", held.Load(), short.Load(), polls.Load())
	}
	s.sound(t)
}

// sound fails where stock is not what its movements say.
func (s *shop) sound(t *testing.T) {
	t.Helper()
	if all, err := s.differences(); err != nil || len(all) > 0 {
		t.Errorf("%v %q", err, all)
	}
}

// Orders whose lines stand in opposite order wait for nobody but the writer: none is
// told that the store is busy.
func TestOppositeOrdersDoNotLock(t *testing.T) {
	s := openShop(t, t.TempDir())
	defer s.Close()
	a, b := s.plain(t, "Defter"), s.plain(t, "Kalem")
	s.fill(t, 32, a, b)
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			parts := []part{{"lines[0]", 1, a.ID, s.houses[0], trade.Piece, "", nil}, {"lines[1]", 2, b.ID, s.houses[0], trade.Piece, "", nil}}
			if i%2 == 1 {
				parts[0], parts[1] = parts[1], parts[0]
			}
			order := fmt.Sprint("ord_", i)
			if err := s.do(func(tx *Tx) error { _, err := tx.reserve(order, parts); return err }); err != nil {
				t.Error(err)
			}
			if err := s.do(func(tx *Tx) error { _, err := tx.issue(order, fmt.Sprint("shp_", i), parts); return err }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if onHand, reserved, _, err := s.figures(); err != nil || onHand != 0 || reserved != 0 {
		t.Errorf("%d is left, %d of it held (%v)", onHand, reserved, err)
	}
	s.sound(t)
}

// The lot that expires first leaves first, one past its day only by name, and one that
// never expires last (HANDBOOK 5.4 has this example).
func TestFirstExpiredFirstOut(t *testing.T) {
	s := openShop(t, t.TempDir())
	defer s.Close()
	p := &s.products[1]
	lots := []trade.GoodsLine{
		{LotNo: "C", Quantity: 10 * trade.Piece},
		{LotNo: "A", Quantity: 5 * trade.Piece, ExpiresAt: "2026-12-01"},
		{LotNo: "B", Quantity: 3 * trade.Piece, ExpiresAt: "2026-10-15"},
		{LotNo: "D", Quantity: 4 * trade.Piece, ExpiresAt: "2026-09-01"},
	}
	for i := range lots {
		lots[i].ProductID = p.ID
	}
	if err := s.do(func(tx *Tx) error { _, err := tx.ReceiveGoods(trade.GoodsSlip{Lines: lots}); return err }); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		about    string
		quantity money.Quantity
		lot      string
		want     []taken
		short    money.Quantity // how much there was, where it is too little
	}{
		{"nine", 9, "", []taken{{1, s.houses[0], "B", "2026-10-15", nil, 3 * trade.Piece}, {1, s.houses[0], "A", "2026-12-01", nil, 5 * trade.Piece}, {1, s.houses[0], "C", "", nil, trade.Piece}}, 0},
		{"more than is good", 10, "", nil, 9 * trade.Piece},
		{"what is past its day, by name", 4, "D", []taken{{1, s.houses[0], "D", "2026-09-01", nil, 4 * trade.Piece}}, 0},
	} {
		p := part{"lines[0]", 1, p.ID, s.houses[0], test.quantity * trade.Piece, test.lot, nil}
		var short []trade.Shortage
		var out []taken
		err := s.do(func(tx *Tx) (err error) {
			if short, err = tx.reserve(test.about, []part{p}); err != nil || len(short) > 0 {
				return err
			}
			out, err = tx.issue(test.about, "shp_"+test.about, []part{p})
			return err
		})
		if err != nil {
			t.Fatal(test.about, err)
		}
		if test.short > 0 {
			if len(short) != 1 || short[0].Available != test.short || short[0].Wanted != p.quantity {
				t.Errorf("%s: %+v", test.about, short)
			}
		}
		if diff := gocmp.Diff(test.want, out, gocmp.AllowUnexported(taken{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.about, diff)
		}
	}
	s.sound(t)
}

// A line counts on what the lines before it have left, of lots past their day too.
func TestLinesShareWhatIsPastItsDay(t *testing.T) {
	s := openShop(t, t.TempDir())
	defer s.Close()
	p := s.products[1].ID
	s.must(t, func(tx *Tx) error {
		_, err := tx.ReceiveGoods(trade.GoodsSlip{Lines: []trade.GoodsLine{
			{ProductID: p, LotNo: "A", Quantity: 5 * trade.Piece}, {ProductID: p, LotNo: "D", Quantity: 4 * trade.Piece, ExpiresAt: "2026-09-01"},
		}})
		return err
	})
	err := s.do(func(tx *Tx) error {
		_, err := tx.IssueGoods(trade.GoodsSlip{Lines: []trade.GoodsLine{
			{ProductID: p, Quantity: 2 * trade.Piece}, {ProductID: p, LotNo: "D", Quantity: trade.Piece}, {ProductID: p, Quantity: 4 * trade.Piece},
		}})
		return err
	})
	want := "lines[2].quantity: P000002 Ürün LOT: 4 wanted, 3 available. In lots past their day: 3; those leave only where lotNo names them."
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// What a damaged figure should be is computed anew, and the mend is in the audit log.
func TestRepairOfStock(t *testing.T) {
	s := openShop(t, t.TempDir())
	defer s.Close()
	err := s.do(func(tx *Tx) error {
		lines := []trade.GoodsLine{
			{ProductID: s.products[0].ID, Quantity: 8 * trade.Piece},
			{ProductID: s.products[1].ID, Quantity: 8 * trade.Piece, LotNo: "L1", ExpiresAt: "2027-01-01"},
			{ProductID: s.products[2].ID, Quantity: 2 * trade.Piece, SerialNos: []string{"S1", "S2"}},
		}
		_, err := tx.ReceiveGoods(trade.GoodsSlip{Lines: lines})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	order := s.ordered(t, trade.Line{ProductID: s.products[1].ID, Quantity: trade.Piece, LotNo: "L1"})
	s.sound(t)
	released := func() (n int) {
		s.Read(context.Background(), s.who, func(v *View) error {
			return v.row("SELECT count(*) FROM movements WHERE type IN ('RESERVATION', 'RELEASE')").Scan(&n)
		})
		return n
	}
	for _, test := range []struct {
		damage string
		mends  int
	}{
		{"UPDATE stock SET on_hand = on_hand + 1000000, value = 5", 3},
		{"UPDATE stock SET reserved = 2000000", 3},
		{"DELETE FROM lots", 2},
		{"UPDATE lots SET warehouse = '" + s.houses[1] + "' WHERE serial = 1", 2},
		{"UPDATE reservations SET quantity = 3000000", 1},
		{"DELETE FROM stock; DELETE FROM lots", 3},
		{"DELETE FROM stock; UPDATE lots SET expires = '2030-01-01' WHERE serial = 0", 3},
		{"UPDATE lots SET expires = '' WHERE serial = 0", 1},
		{"DELETE FROM reservations; DELETE FROM stock WHERE product = '" + s.products[1].ID + "'", 1},
	} {
		if err := s.do(func(tx *Tx) error { return tx.script(test.damage) }); err != nil {
			t.Fatal(err)
		}
		found, left, err := s.RepairStock(context.Background(), Who{Actor: "operator"}, false)
		if err != nil || len(found) == 0 || len(left) != len(found) {
			t.Errorf("%s: shown %q, left %q, %v", test.damage, found, left, err)
		}
		count := func() (n int) {
			s.Read(context.Background(), s.who, func(v *View) error {
				return v.row("SELECT count(*) FROM audit WHERE action = 'stock.repair'").Scan(&n)
			})
			return n
		}
		before := count()
		_, left, err = s.RepairStock(context.Background(), Who{Actor: "operator"}, true)
		if n := count() - before; err != nil || len(left) > 0 || n != test.mends {
			t.Errorf("%s: mended with %d audit rows, left %q, %v", test.damage, n, left, err)
		}
		s.sound(t)
	}
	if n := released(); n != 4 { // the first, where reservations were no longer what movements said, and what no order counts on
		t.Errorf("%d movements hold or give back", n)
	}
	for about, damage := range map[string]string{
		"of a line that does not count on it": "INSERT INTO reservations SELECT n + 1, tenant, '" + order + "', 1, product, warehouse, 'L1', 2000000 FROM stock WHERE product = '" + s.products[1].ID + "'",
		"of an order that is not there":       "INSERT INTO reservations SELECT n + 1, tenant, 'ord_x', 1, product, warehouse, '', 2000000 FROM stock WHERE product = '" + s.products[0].ID + "'",
	} {
		s.must(t, func(tx *Tx) error { _, err := tx.exec(damage); return err })
		found, left, err := s.RepairStock(context.Background(), Who{Actor: "operator"}, true)
		if err != nil || len(left) > 0 || !strings.Contains(strings.Join(found, " "), "2 is held for line 1 of the order") {
			t.Errorf("%s: found %q, left %q, %v", about, found, left, err)
		}
	}
	if err := s.do(func(tx *Tx) error { _, err := tx.CancelOrder(order); return err }); err != nil {
		t.Error(err)
	}
	if _, reserved, _, err := s.figures(); err != nil || reserved != 0 {
		t.Errorf("%d is held for nobody (%v)", reserved, err)
	}
}

// ordered is the id of an order of one line that is confirmed.
func (s *shop) ordered(t *testing.T, l trade.Line) string {
	t.Helper()
	s.who.Actor = "operator"
	l.UnitPrice, l.VATRate = new(money.Price(100_000_000)), new(money.Percent(20))
	company := s.made(t, func(tx *Tx) (Doc, error) { return tx.CreateCompany(ada()) })
	id := s.made(t, func(tx *Tx) (Doc, error) {
		return tx.CreateOrder(trade.Order{CompanyID: company, Lines: []trade.OrderLine{{Line: l}}})
	})
	return s.made(t, func(tx *Tx) (Doc, error) { return tx.ConfirmOrder(id) })
}
