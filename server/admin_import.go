package server

import (
	"context"

	"esnaf/server/sheet"
	"esnaf/store"
	"esnaf/store/trade"
)

// FileImport are the parameters of "import".
type FileImport struct {
	Resource string `json:"resource"` // companies, products or contacts
	File     string `json:"file"`     // its path on this machine
	Tenant   string `json:"tenant"`
	DryRun   bool   `json:"dryRun"`
	SkipBad  bool   `json:"skipBad"`
}

// importFile imports a file into an account. What is wrong in the file is in the
// report, also when nothing was written because of it.
func (a *Admin) importFile(ctx context.Context, in FileImport) (out ImportReport, err error) {
	var f trade.Check
	trade.OneOf(&f, "resource", in.Resource, importable...)
	if err := a.checkTenant(ctx, &f, in.Tenant); err != nil {
		return out, err
	}
	if err := f.Err(); err != nil {
		return out, err
	}
	file, size, err := openFile("file", in.File)
	if err != nil {
		return out, err
	}
	defer file.Close()
	table, err := sheet.Read(file, size, "", commandLimits)
	if err != nil {
		return out, err
	}
	m := fileImport{
		db: a.DB, who: operator(in.Tenant), resource: in.Resource, dryRun: in.DryRun, skipBad: in.SkipBad,
		once: func(int) store.Once { return store.Once{} }, tell: progress(ctx),
	}
	err = m.run(ctx, table)
	return m.report(trade.English), err
}
