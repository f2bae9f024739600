package server

import "context"

// Repair are the parameters of "repair stock" and "repair indexes".
type Repair struct {
	Apply bool `json:"apply"` // false: only tell
}

// Repaired is the result of a repair: the differences that were found, a sentence each, and
// those that are still there.
type Repaired struct {
	Found []string `json:"found"`
	Left  []string `json:"left"`
}

// repairStock tells where stock is not what its movements say, and mends it.
func (a *Admin) repairStock(ctx context.Context, in Repair) (Repaired, error) {
	return repaired(a.DB.RepairStock(ctx, operator(""), in.Apply))
}

// repairIndexes tells which indexes have not the rows of their tables, and makes those anew.
func (a *Admin) repairIndexes(ctx context.Context, in Repair) (Repaired, error) {
	return repaired(a.DB.RepairIndexes(ctx, operator(""), in.Apply))
}

func repaired(found, left []string, err error) (Repaired, error) {
	return Repaired{append([]string{}, found...), append([]string{}, left...)}, err
}
