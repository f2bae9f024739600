package server

import "context"

// StockRepair are the parameters of "repair stock".
type StockRepair struct {
	Apply bool `json:"apply"` // false: only tell
}

// StockRepaired is the result of "repair stock": the differences that were found, a
// sentence each, and those that are still there.
type StockRepaired struct {
	Found []string `json:"found"`
	Left  []string `json:"left"`
}

// repairStock tells where stock is not what its movements say, and mends it.
func (a *Admin) repairStock(ctx context.Context, in StockRepair) (StockRepaired, error) {
	found, left, err := a.DB.RepairStock(ctx, operator(""), in.Apply)
	return StockRepaired{append([]string{}, found...), append([]string{}, left...)}, err
}
