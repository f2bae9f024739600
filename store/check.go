package store

import (
	"context"
	"fmt"

	"esnaf/store/money"
)

// Checked is what one check of the data has found.
type Checked struct {
	Name        string   `json:"name"`
	About       string   `json:"about"`       // what should hold
	Differences []string `json:"differences"` // where it does not, a sentence each; never nil
}

// check computes something anew from what is stored and says where it differs.
type check struct {
	name, about string
	run         func(v *View, differ differ) error
}

// differ takes a difference down, as Printf does.
type differ func(format string, args ...any)

// checks are all there are. Each looks at every tenant, and none trusts another.
func checks() []check {
	return []check{
		{"file", "the database file is whole, and no row refers to one that is not there", checkFile},
		{"records", "each record is the one, and of the version, that its row says, and is found by what it says", checkRecords},
		{"audit", "the audit chain of each tenant is unbroken", checkAudit},
		{"secrets", "each secret that is kept sealed can be opened with the keys of the folder", checkSecrets},
		{"numbers", "series of numbers have no gap and no number twice", checkNumbers},
		{"documents", "each document is, byte for byte, the one that was kept", checkDocuments},
		{"entries", "each ledger entry comes to nothing", checkEntries},
		{"postings", "the ledger has moved each account by what the records say", checkPostings},
		{"sums", "what is kept of sums is what was booked, and what is at the tax office", checkSums},
		{"cash", "no cash account holds, or held on any day, less than nothing", checkCash},
		{"invoices", "each invoice has been paid what its payments say", checkInvoices},
		{"payments", "no payment has paid, or was given back, more than it is", checkPayments},
		{"allocations", "each payment is found by what it is spent on", checkAllocations},
		{"stock", "stock is what its movements and reservations come to", checkStock},
		{"orders", "each order says of its lines what its shipments and invoices do, and is found by them while it is to be shipped", checkOrders},
	}
}

// Checks are the checks of CheckData, in their order, before they have looked.
func Checks() (all []Checked) {
	for _, c := range checks() {
		all = append(all, Checked{Name: c.name, About: c.about, Differences: []string{}})
	}
	return all
}

// CheckData runs every check against one snapshot and returns what each has found,
// in their order. One that cannot go on, since the file is damaged say, tells that as
// a difference. An error is that of ctx or of a store that cannot be read at all.
func (db *DB) CheckData(ctx context.Context) (all []Checked, err error) {
	err = db.survey(ctx, Who{Actor: "operator"}, func(v *View) error {
		for _, c := range checks() {
			done := Checked{c.name, c.about, []string{}}
			differ := func(format string, args ...any) {
				done.Differences = append(done.Differences, fmt.Sprintf(format, args...))
			}
			err := c.run(v, differ)
			if ctx.Err() != nil {
				return err
			}
			if err != nil {
				differ("this could not be looked at to its end: %v", reason(err))
			}
			all = append(all, done)
		}
		return nil
	})
	return all, err
}

// survey is Read for what looks through the whole file, and ends with ctx. One goes on at a
// time, so that the other reader is left to the requests.
func (db *DB) survey(ctx context.Context, who Who, fn func(*View) error) error {
	select {
	case db.surveys <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-db.surveys }()
	return db.Read(ctx, who, func(v *View) error {
		v.endsBy(ctx.Done())
		defer v.endsBy(nil)
		err := fn(v)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	})
}

// compared goes over a query for what something is called and what it comes to twice:
// as it should be and as it is.
func (v *View) compared(text string, fn func(called string, want, have money.Amount)) error {
	var row [3]any
	return v.each(row[:], text, nil, func() bool {
		called, _ := row[0].(string)
		want, _ := row[1].(int64)
		have, _ := row[2].(int64)
		fn(called, money.Amount(want), money.Amount(have))
		return true
	})
}
