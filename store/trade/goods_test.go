package trade

import (
	"fmt"
	"strings"
	"testing"

	"esnaf/store/money"
)

// Lots and serial numbers are asked for where a product is tracked by them, and nowhere
// else.
func TestWhatTrackingAsksFor(t *testing.T) {
	many := make([]string, MaxSerials+1)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for _, test := range []struct {
		about    string
		tracking Tracking
		quantity money.Quantity
		lot      string
		expires  Date
		serials  []string
		comes    bool
		want     string
	}{
		{"plain goods", Untracked, Piece / 2, "", "", nil, true, ""},
		{"a lot of plain goods", Untracked, Piece, "A", "2026-01-01", nil, true, "lotNo not_tracked, expiresAt not_tracked"},
		{"serial numbers of plain goods", Untracked, Piece, "", "", []string{"a"}, false, "serialNos not_tracked"},
		{"a lot", ByLot, Piece / 2, "A", "2026-01-01", nil, true, ""},
		{"a lot that comes without name", ByLot, Piece, " ", "", nil, true, "lotNo required"},
		{"a lot with space around it", ByLot, Piece, "\t A 1\u2028", "", nil, true, ""},
		{"a lot with what nobody sees", ByLot, Piece, "A\u202e1", "", nil, false, "lotNo unseen_character"},
		{"a lot in two lines", ByLot, Piece, "A\nB", "", nil, false, "lotNo unseen_character"},
		{"serial numbers that look alike", BySerial, 4 * Piece, "", "", []string{"a", " a", "b\u200b", "b\u2029c"}, true, "serialNos[2] unseen_character, serialNos[3] unseen_character, serialNos[1] given_twice"},
		{"serial numbers that read alike", BySerial, 4 * Piece, "", "", []string{"SN 1", "SN\u00a01", "SN \u2003 1", "SN\u3164"}, true, "serialNos[3] unseen_character, serialNos[1] given_twice, serialNos[2] given_twice"},
		{"any lot may leave", ByLot, Piece, "", "", nil, false, ""},
		{"a long name", ByLot, Piece, strings.Repeat("x", 51), "", nil, false, "lotNo too_long"},
		{"serial numbers of a lot", ByLot, Piece, "A", "", []string{"a"}, true, "serialNos not_tracked"},
		{"serial numbers", BySerial, 2 * Piece, "", "", []string{"a", "b"}, true, ""},
		{"none that come", BySerial, Piece, "", "", nil, true, "serialNos serial_count"},
		{"any may leave", BySerial, Piece, "", "", nil, false, ""},
		{"too few", BySerial, 2 * Piece, "", "", []string{"a"}, false, "serialNos serial_count"},
		{"half a piece", BySerial, Piece / 2, "", "", []string{"a"}, false, "quantity whole_pieces"},
		{"an expiry", BySerial, Piece, "", "2026-01-01", []string{"a"}, true, "expiresAt not_tracked"},
		{"one twice, one without a sign, one too long", BySerial, 4 * Piece, "", "", []string{"a", "a", " ", strings.Repeat("x", 51)}, true, "serialNos[3] too_long, serialNos[1] given_twice, serialNos[2] required"},
		{"too many for one line", BySerial, Piece * money.Quantity(len(many)), "", "", many, true, "serialNos too_many"},
	} {
		p, f := Product{Tracking: test.tracking}, Check{}
		checkTracking(&f, &test.lot, test.serials) // as all do that take them from a caller
		if p.CheckTracked(&f, test.quantity, test.lot, test.expires, test.serials, test.comes); f.list() != test.want {
			t.Errorf("%s: found %s, want %s", test.about, f.list(), test.want)
		}
	}
}

// A counted line is judged by its product, and its difference is that to what was
// expected, whatever moves meanwhile.
func TestCountLines(t *testing.T) {
	plain, serial := &Product{Meta: Meta{ID: "prd_1"}, Code: "P1", Name: "Çay"}, &Product{Meta: Meta{ID: "prd_2"}, Tracking: BySerial}
	plain.Tracking = Untracked
	c := Count{Lines: []CountLine{
		{ProductID: "prd_1", Expected: 5 * Piece, Counted: new(3 * Piece)},
		{ProductID: "prd_1", Counted: new(-Piece)},
		{ProductID: "prd_2", Expected: 2 * Piece, SerialNos: []string{"a", "b"}, Counted: new(2 * Piece), FoundNos: []string{"b", "c"}},
		{ProductID: "prd_2", LotNo: "x", Expected: 2 * Piece, FoundNos: []string{"b"}},
	}}
	var f Check
	c.Check(&f, map[string]*Product{"prd_1": plain, "prd_2": serial})
	if want := "lines[1].productId given_twice, lines[1].counted must_not_be_negative, lines[3].lotNo not_tracked"; f.list() != want {
		t.Errorf("found %s, want %s", f.list(), want)
	}
	if l := c.Lines[0]; *l.Difference != -2*Piece || l.Code != "P1" || l.Name != "Çay" {
		t.Errorf("%+v", l)
	}
	if less, more := c.Lines[2].Missing(); fmt.Sprint(less, more) != "[a] [c]" {
		t.Errorf("missing %v, too much %v", less, more)
	}
	if l := c.Lines[3]; l.Difference != nil || l.FoundNos != nil {
		t.Errorf("not counted, but %+v", l)
	}
}

// A sheet is open until it is closed or cancelled, once.
func TestTheLifeOfACount(t *testing.T) {
	for _, from := range CountState("").Values() {
		for _, action := range []CountAction{EditCount, CloseCount, CancelCount} {
			c := Count{Status: CountState(from)}
			to, allowed := CountMoves[c.Status][action]
			if err := c.Move(action); (err == nil) != allowed || allowed && c.Status != to || allowed != (from == "OPEN") {
				t.Errorf("%s in %s: %v, now %s", action, from, err, c.Status)
			}
		}
	}
}

// What is sold in a currency costs what the product says of it, and nothing is made up.
func TestPriceIn(t *testing.T) {
	p := Product{SalePrice: 1, SaleCurrency: "TRY", MinimumPrice: new(money.Price(2)), Prices: []CurrencyPrice{{"USD", 3, nil}, {"EUR", 4, new(money.Price(5))}}}
	for currency, want := range map[string][2]money.Price{"TRY": {1, 2}, "USD": {3, -1}, "EUR": {4, 5}, "GBP": {-1, -1}} {
		sale, least := p.PriceIn(currency)
		for i, got := range []*money.Price{sale, least} {
			if none := want[i] == -1; none != (got == nil) || !none && *got != want[i] {
				t.Errorf("%s: %v, %v", currency, sale, least)
			}
		}
	}
}
