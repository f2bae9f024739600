package trade

import (
	"fmt"

	"esnaf/store/money"
)

// Adjustment changes what is in stock of one product in one warehouse, by hand.
type Adjustment struct {
	ProductID       string          `json:"productId" api:"required"`
	WarehouseID     string          `json:"warehouseId" doc:"the default one when absent"`
	Quantity        *money.Quantity `json:"quantity,omitempty" doc:"how much more there is, negative for less; not together with countedQuantity"`
	CountedQuantity *money.Quantity `json:"countedQuantity,omitempty" doc:"how much there is, of the lot where one is named"`
	Reason          Reason          `json:"reason" api:"required" doc:"LOSS and DAMAGE where there is less, FOUND where there is more; the others for both"`
	Note            string          `json:"note,omitempty" doc:"at most 500 characters"`
	LotNo           string          `json:"lotNo,omitempty" doc:"for products tracked by lot; where goods leave without one, the lot that expires first of those not past their day"`
	ExpiresAt       Date            `json:"expiresAt,omitempty" doc:"of a lot that is not in stock yet (son kullanma tarihi)"`
	SerialNos       []string        `json:"serialNos,omitempty" doc:"for products tracked by serial number: those that come or leave, one a piece"`
	UnitCost        *money.Price    `json:"unitCost,omitempty" doc:"in TRY, of what comes; the average cost when absent"`
}

// Check finds what is wrong with an adjustment as far as it tells by itself.
func (a *Adjustment) Check(f *Check) {
	f.Required("productId", a.ProductID)
	OneOf(f, "reason", a.Reason, ReasonCount, ReasonDamage, ReasonLoss, ReasonFound, ReasonOpening, ReasonCorrection)
	f.Max("note", a.Note, 500)
	switch {
	case a.Quantity != nil && a.CountedQuantity != nil:
		f.Add("countedQuantity", Exclusive, "quantity")
	case a.Quantity == nil && a.CountedQuantity == nil:
		f.Add("quantity", OneOfRequired, "quantity, countedQuantity")
	case a.Quantity != nil && *a.Quantity == 0:
		f.Add("quantity", MustNotBeZero)
	case a.CountedQuantity != nil && *a.CountedQuantity < 0:
		f.Add("countedQuantity", MustNotBeNegative)
	}
	checkCost(f, a.UnitCost)
	checkTracking(f, &a.LotNo, a.SerialNos)
}

// CheckReason judges the reason by how much more there is, negative for less: what is lost
// or damaged is less, what is found more.
func (a *Adjustment) CheckReason(f *Check, delta money.Quantity) {
	switch a.Reason {
	case ReasonLoss, ReasonDamage:
		if delta > 0 {
			f.Add("reason", BadCode, string(a.Reason), Phrase{"FOUND, COUNT, OPENING or CORRECTION where there is more", "artışta FOUND, COUNT, OPENING ya da CORRECTION"})
		}
	case ReasonFound:
		if delta < 0 {
			f.Add("reason", BadCode, string(a.Reason), Phrase{"LOSS, DAMAGE, COUNT, OPENING or CORRECTION where there is less", "azalışta LOSS, DAMAGE, COUNT, OPENING ya da CORRECTION"})
		}
	}
}

// GoodsLine is one line of what comes into a warehouse or leaves it.
type GoodsLine struct {
	ProductID string         `json:"productId" api:"required"`
	Quantity  money.Quantity `json:"quantity" api:"required" doc:"above zero; of one product a warehouse holds at most 9999999999.999999"`
	LotNo     string         `json:"lotNo,omitempty" doc:"for products tracked by lot; where goods leave without one, the lots that expire first; a lot past its day leaves only when it is named here"`
	ExpiresAt Date           `json:"expiresAt,omitempty" doc:"of a lot that comes and is not in stock yet"`
	SerialNos []string       `json:"serialNos,omitempty" doc:"for products tracked by serial number: one a piece; where goods leave without any, the oldest"`
	UnitCost  *money.Price   `json:"unitCost,omitempty" doc:"in TRY, of what comes; the average cost when absent"`
}

// GoodsSlip is what comes into a warehouse (mal kabul) or leaves it (sarf).
type GoodsSlip struct {
	WarehouseID string      `json:"warehouseId" doc:"the default one when absent"`
	Note        string      `json:"note,omitempty" doc:"at most 500 characters"`
	Lines       []GoodsLine `json:"lines" api:"required" doc:"1 to 1000 lines, of at most 524288 bytes of text together"`
}

// GoodsTransfer moves goods from one warehouse to another (depolar arası transfer).
type GoodsTransfer struct {
	FromWarehouseID string      `json:"fromWarehouseId" api:"required"`
	ToWarehouseID   string      `json:"toWarehouseId" api:"required"`
	Note            string      `json:"note,omitempty" doc:"at most 500 characters"`
	Lines           []GoodsLine `json:"lines" api:"required" doc:"1 to 1000 lines, of at most 524288 bytes of text together; lots, serial numbers and cost go along"`
}

// CheckGoods finds what is wrong with lines as far as they tell by themselves, and
// whether there are too many to look further.
func CheckGoods(f *Check, note string, lines []GoodsLine) bool {
	f.Max("note", note, 500)
	if !checkCount(f, lines) {
		return false
	}
	texts := 0
	for i := range lines {
		texts += labels(lines[i].LotNo, lines[i].SerialNos)
		in := f.In(fmt.Sprintf("lines[%d]", i))
		in.Required("productId", lines[i].ProductID)
		if lines[i].Quantity <= 0 {
			in.Add("quantity", MustBePositive)
		}
		checkCost(in, lines[i].UnitCost)
		checkTracking(in, &lines[i].LotNo, lines[i].SerialNos)
	}
	checkTexts(f, texts, 0)
	return true
}

func checkCost(f *Check, cost *money.Price) {
	if cost != nil && *cost < 0 {
		f.Add("unitCost", MustNotBeNegative)
	}
}

// CheckTracked finds what is wrong with the lot and the serial numbers of quantity of
// the product. comes says that the goods come, and must be named.
func (p *Product) CheckTracked(f *Check, quantity money.Quantity, lot string, expires Date, serials []string, comes bool) {
	p.checkLot(f, lot, expires, comes)
	p.checkSerials(f, "serialNos", serials, MaxSerials, quantity, comes)
}

// checkLot judges the lot of goods; named says that they must have one.
func (p *Product) checkLot(f *Check, lot string, expires Date, named bool) {
	switch {
	case p.Tracking != ByLot && lot != "":
		f.Add("lotNo", NotTracked, tracked[p.Tracking])
	case p.Tracking == ByLot && named:
		f.Required("lotNo", lot)
	}
	if p.Tracking != ByLot && expires != "" {
		f.Add("expiresAt", NotTracked, tracked[p.Tracking])
	}
}

// tracked says how products are tracked.
var tracked = map[Tracking]Phrase{
	Untracked: {"neither by lot nor by serial number", "ne partiyle ne seri numarasıyla"},
	ByLot:     {"by lot", "partiyle"},
	BySerial:  {"by serial number", "seri numarasıyla"},
}

// checkSerials judges the serial numbers of goods, at most so many; named says that they
// must have them.
func (p *Product) checkSerials(f *Check, field string, serials []string, most int, quantity money.Quantity, named bool) {
	switch {
	case p.Tracking != BySerial && len(serials) > 0:
		f.Add(field, NotTracked, tracked[p.Tracking])
		return
	case p.Tracking != BySerial:
		return
	case quantity%Piece != 0:
		f.Add("quantity", WholePieces)
		return
	case len(serials) == 0 && !named:
		return
	}
	if len(serials) > most {
		f.Add(field, TooMany, most)
		return
	}
	if want := int64(quantity / Piece); int64(len(serials)) != want {
		f.Add(field, SerialCount, want)
		return
	}
	seen := map[string]bool{}
	for i, s := range serials {
		at := fmt.Sprintf("%s[%d]", field, i)
		f.Required(at, s)
		if seen[s] {
			f.Add(at, GivenTwice)
		}
		seen[s] = true
	}
}

// Piece is one whole unit.
const Piece money.Quantity = 1_000_000

// MaxSerials bounds the serial numbers of one line.
const MaxSerials = 1000
