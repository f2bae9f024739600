package trade

import "esnaf/store/money"

// Inventory is what there is of a product, by warehouse.
type Inventory struct {
	ProductID  string           `json:"productId"`
	OnHand     money.Quantity   `json:"onHand"`
	Reserved   money.Quantity   `json:"reserved" doc:"of onHand, what is held for orders"`
	Available  money.Quantity   `json:"available" doc:"onHand without reserved"`
	Warehouses []WarehouseStock `json:"warehouses" doc:"those where something lies, by code"`
}

// WarehouseStock is what there is of a product in one warehouse.
type WarehouseStock struct {
	WarehouseID string         `json:"warehouseId"`
	Code        string         `json:"code"`
	Name        string         `json:"name"`
	OnHand      money.Quantity `json:"onHand"`
	Reserved    money.Quantity `json:"reserved"`
	Available   money.Quantity `json:"available"`
	Lots        []LotStock     `json:"lots" doc:"the first to expire first"`
	Serials     []string       `json:"serials" doc:"the oldest first"`
}

// LotStock is what there is of one lot in one warehouse.
type LotStock struct {
	LotNo     string         `json:"lotNo"`
	ExpiresAt Date           `json:"expiresAt,omitempty"`
	OnHand    money.Quantity `json:"onHand"`
	Reserved  money.Quantity `json:"reserved" doc:"held for orders that asked for this very lot"`
}

// LowStock is a product of which less is available than its critical level.
type LowStock struct {
	ProductID     string         `json:"productId"`
	Code          string         `json:"code"`
	Name          string         `json:"name"`
	Unit          string         `json:"unit"`
	OnHand        money.Quantity `json:"onHand" doc:"in all warehouses"`
	Reserved      money.Quantity `json:"reserved"`
	Available     money.Quantity `json:"available"`
	CriticalStock money.Quantity `json:"criticalStock"`
}

// LowStocks is what the event stock.low tells of: the products that one change has
// brought below their critical level.
type LowStocks struct {
	Products []LowStock `json:"products"`
}

// Valuation is what the stock has cost, by product and warehouse (stok değer raporu).
type Valuation struct {
	Currency   string           `json:"currency" doc:"TRY"`
	Total      money.Amount     `json:"total" doc:"the sum of rows, and of warehouses"`
	Warehouses []WarehouseValue `json:"warehouses"`
	Rows       []ValuationRow   `json:"rows" doc:"by product code, then warehouse code"`
}

// WarehouseValue is what all that lies in a warehouse has cost.
type WarehouseValue struct {
	WarehouseID string       `json:"warehouseId"`
	Code        string       `json:"code"`
	Value       money.Amount `json:"value"`
}

// ValuationRow is what a product has cost in one warehouse.
type ValuationRow struct {
	ProductID     string         `json:"productId"`
	Code          string         `json:"code"`
	Name          string         `json:"name"`
	Unit          string         `json:"unit"`
	WarehouseID   string         `json:"warehouseId"`
	WarehouseCode string         `json:"warehouseCode"`
	OnHand        money.Quantity `json:"onHand"`
	UnitCost      money.Price    `json:"unitCost" doc:"weighted average in TRY"`
	Value         money.Amount   `json:"value" doc:"in TRY"`
}
