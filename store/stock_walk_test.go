package store

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"esnaf/store/clock"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// shop is a store with two warehouses and a product of each kind of tracking.
type shop struct {
	*DB
	who      Who
	clock    *clock.Manual
	houses   []string
	products []trade.Product // by Untracked, ByLot, BySerial
}

func openShop(t interface {
	Fatal(...any)
	Helper()
}, dir string,
) *shop {
	t.Helper()
	s := &shop{clock: clock.NewManual(time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)), who: Who{Actor: "usr_1", Interface: 'A'}}
	db, err := Open(Options{Dir: dir, Clock: s.clock, IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	s.DB = db
	if err := s.settle(); err != nil {
		t.Fatal(err)
	}
	return s
}

// settle opens an account with two warehouses and three products, and goes on there.
func (s *shop) settle() error {
	err := s.Write(context.Background(), Who{Actor: "operator"}, func(tx *Tx) error {
		made, err := tx.CreateTenant(trade.Tenant{Name: "Örnek Ticaret A.Ş.", TaxNumber: "1234567890", TaxOffice: "Kadıköy", District: "Kadıköy", City: "İstanbul"})
		s.who.Tenant, s.houses, s.products = made.ID, nil, nil
		return err
	})
	if err != nil {
		return err
	}
	return s.do(func(tx *Tx) error {
		for _, name := range []string{"Merkez", "Şube"} {
			doc, err := tx.CreateWarehouse(trade.Warehouse{Name: name})
			if err != nil {
				return err
			}
			s.houses = append(s.houses, idOf(doc.JSON))
		}
		for _, tracking := range []trade.Tracking{trade.Untracked, trade.ByLot, trade.BySerial} {
			doc, err := tx.CreateProduct(trade.Product{Name: "Ürün " + string(tracking), Tracking: tracking})
			if err != nil {
				return err
			}
			p, err := Products.Get(&tx.View, idOf(doc.JSON))
			if err != nil {
				return err
			}
			s.products = append(s.products, p)
		}
		return nil
	})
}

// Close takes down what the writer has run, and closes the store.
func (s *shop) Close() error { Note(s.DB); return s.DB.Close() }

func (s *shop) do(fn func(*Tx) error) error { return s.Write(context.Background(), s.who, fn) }

// differences are those that esnaf check would tell.
func (s *shop) differences() (all []string, err error) {
	err = s.Read(context.Background(), s.who, func(v *View) error {
		return checkStock(v, func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) })
	})
	return all, err
}

// figures are how much there is in all, what is held of it, and how many movements
// there were.
func (s *shop) figures() (onHand, reserved, movements int64, err error) {
	err = s.Read(context.Background(), s.who, func(v *View) error {
		return v.row("SELECT coalesce(sum(on_hand), 0), coalesce(sum(reserved), 0), (SELECT count(*) FROM movements) FROM stock").Scan(&onHand, &reserved, &movements)
	})
	return onHand, reserved, movements, err
}

// shipped is a shipment of the walk, some of which may come back.
type shipped struct {
	id   string
	part part
	left []taken
}

// walk is a random sequence of all that can happen to stock, and what a model knows
// of it: how much there is in all, and how much is held.
type walk struct {
	*shop
	*rapid.T
	onHand, reserved money.Quantity
	orders           map[string]money.Quantity // what each holds
	shipments        []shipped
	n, steps         int
}

func (w *walk) product() *trade.Product {
	return &w.products[rapid.IntRange(0, 2).Draw(w.T, "product")]
}
func (w *walk) house() string { return rapid.SampledFrom(w.houses).Draw(w.T, "warehouse") }

func (w *walk) quantity() money.Quantity {
	return trade.Piece * money.Quantity(rapid.IntRange(1, 6).Draw(w.T, "quantity"))
}

// line is goods of a product: a lot or serial numbers out of a few, so that they meet
// again, or none where goods leave.
func (w *walk) line(leaves bool) (l trade.GoodsLine) {
	p := w.product()
	l = trade.GoodsLine{ProductID: p.ID, Quantity: w.quantity()}
	if leaves && rapid.Bool().Draw(w.T, "any") {
		return l
	}
	switch p.Tracking {
	case trade.ByLot:
		n := rapid.IntRange(0, 3).Draw(w.T, "lot")
		l.LotNo = fmt.Sprint("L", n)
		if !leaves {
			l.ExpiresAt = lotDays[l.LotNo]
		}
	case trade.BySerial:
		for range int(l.Quantity / trade.Piece) {
			l.SerialNos = append(l.SerialNos, fmt.Sprint("S", rapid.IntRange(0, 30).Draw(w.T, "serial")))
		}
		slices.Sort(l.SerialNos)
		l.SerialNos = slices.Compact(l.SerialNos)
		l.Quantity = trade.Piece * money.Quantity(len(l.SerialNos))
	}
	return l
}

// lotDays are when the lots of the walks expire. Each has one day for ever: one that turns
// out to be of an earlier day may be promised already, as one that expires overnight.
var lotDays = map[string]trade.Date{"L0": "", "L1": "2026-09-01", "L2": "2026-10-01", "L3": "2027-01-01"}

func (w *walk) part() part {
	l := w.line(true)
	return part{"lines[0]", 1, l.ProductID, w.house(), l.Quantity, l.LotNo, l.SerialNos}
}

// try runs a change, which does to the model what it is told when it goes well and
// nothing when it is refused. Any other error is a failure.
func (w *walk) try(onHand, reserved money.Quantity, fn func(*Tx) error) bool {
	_, _, before, err := w.figures()
	if err != nil {
		w.Fatal(err)
	}
	err = w.do(fn)
	if kind := trade.KindOf(err); err != nil && kind != trade.Conflict && kind != trade.Invalid {
		w.Fatalf("neither done nor refused: %v", err)
	}
	if err == nil {
		w.onHand += onHand
		w.reserved += reserved
	}
	if _, _, after, _ := w.figures(); err != nil && after != before {
		w.Fatalf("refused (%v), but there are %d movements more", err, after-before)
	}
	return err == nil
}

// check holds the stock against the model, and now and then against its movements.
func (w *walk) check(*rapid.T) {
	onHand, reserved, _, err := w.figures()
	if err != nil || onHand != int64(w.onHand) || reserved != int64(w.reserved) {
		w.Fatalf("there is %d, of it %d held; it should be %d and %d (%v)", onHand, reserved, w.onHand, w.reserved, err)
	}
	if w.steps++; w.steps%5 == 0 {
		w.sum()
	}
}

// sum holds every figure of stock against the rows that it is made of.
func (w *walk) sum() {
	if diffs, err := w.differences(); err != nil || len(diffs) > 0 {
		w.Fatalf("%v %q", err, diffs)
	}
}

// empty takes all stock away, as if there had never been any.
func (s *shop) empty() error {
	return s.do(func(tx *Tx) error {
		for _, table := range []string{"stock", "lots", "reservations", "movements", "counts", "orders", "wanted", "shipments"} {
			if _, err := tx.exec("DELETE FROM " + table); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestStockIsTheSumOfItsMovements walks at random through all that moves stock. The
// figures are always those of a model, and of the rows that they are made of; what is
// refused leaves nothing behind.
func TestStockIsTheSumOfItsMovements(t *testing.T) {
	s := openShop(t, t.TempDir())
	defer s.Close()
	rapid.Check(t, func(rt *rapid.T) {
		if err := s.empty(); err != nil {
			rt.Fatal(err)
		}
		w := &walk{shop: s, T: rt, orders: map[string]money.Quantity{}}
		rt.Repeat(map[string]func(*rapid.T){
			"receive": w.receive, "issue": w.take, "transfer": w.transfer, "adjust": w.adjustOnce, "count": w.count,
			"reserve": w.hold, "release": w.free, "ship": w.ship, "return": w.comeBack, "": w.check,
		})
		w.sum()
	})
}
