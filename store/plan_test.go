package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"esnaf/store/clock"
	"esnaf/store/trade"
)

// planned is one form of list with how SQLite goes about it.
type planned struct {
	query trade.Query
	plan  string
}

func (p planned) String() string {
	q := p.query
	return fmt.Sprintf("sort=%q deleted=%v after=%d company=%q status=%q where=%v dates=%q created=%d since=%d q=%q: %s", q.Sort, q.IncludeDeleted, len(q.After), q.CompanyID, q.Status, q.Where, q.From+q.To, q.CreatedFrom+q.CreatedTo, q.UpdatedSince, q.Search, p.plan)
}

// inOrder tells whether an index has the order of the list, so that nothing needs
// to be sorted. Indexes of codes and numbers leave deleted records out, whose codes are
// free: lists of those by code are rare, and sorted.
func (p planned) inOrder() bool {
	q := p.query
	sort := strings.TrimPrefix(q.Sort, "-")
	if q.UpdatedSince == 0 && (sort == "" || sort == "createdAt") {
		return q.From+q.To == ""
	}
	filtered := q.Search != "" || q.CompanyID != "" || q.Status != "" || len(q.Where) > 0 || q.From+q.To != "" || q.CreatedFrom+q.CreatedTo != 0
	return !filtered && (sort != "code" && sort != "number" || !q.IncludeDeleted)
}

// listForms is every form that a list can have: each order from its beginning
// and from a cursor, each filter alone, and all of them together.
func listForms(r *ListRules) (forms []trade.Query) {
	filters := []func(*trade.Query){
		func(*trade.Query) {},
		func(q *trade.Query) { q.CreatedFrom, q.CreatedTo = 1, 2 },
		func(q *trade.Query) { q.UpdatedSince = 1 },
		func(q *trade.Query) { q.Search = "tekkelime" }, // begins one word that is stored
		func(q *trade.Query) { q.Search = "cok" },       // begins several
		func(q *trade.Query) { q.Search = "tekkelime cok" },
	}
	if r.Company {
		filters = append(filters, func(q *trade.Query) { q.CompanyID = "cmp_1" })
	}
	if r.Status {
		filters = append(filters, func(q *trade.Query) { q.Status = "DRAFT" })
	}
	for field := range r.Where {
		filters = append(filters, func(q *trade.Query) {
			if q.Where == nil {
				q.Where = map[string]string{}
			}
			q.Where[field] = "x_1"
		})
	}
	if r.Date != "" {
		filters = append(filters, func(q *trade.Query) { q.From = "2026-01-01" }, func(q *trade.Query) { q.To = "2026-02-01" })
	}
	each := slices.Clone(filters)
	filters = append(filters, func(q *trade.Query) {
		for _, f := range each {
			f(q)
		}
	})
	sorts := []string{"", "-createdAt"}
	for s := range r.Sorts {
		sorts = append(sorts, s, "-"+s)
	}
	for _, filter := range filters {
		for _, sort := range sorts {
			for _, deleted := range []bool{false, true} {
				q := trade.Query{Limit: 50, Sort: sort, IncludeDeleted: deleted}
				filter(&q)
				if q.UpdatedSince != 0 && sort != "" {
					continue // it has an order of its own
				}
				forms = append(forms, q)
				if q.After = []string{"1", "cmp_1"}; r.Sorts[strings.TrimPrefix(sort, "-")] == "" && q.UpdatedSince == 0 {
					q.After = []string{"cmp_1"}
				}
				forms = append(forms, q)
			}
		}
	}
	return forms
}

// plan asks SQLite how it would read one page.
func (v *View) plan(r *ListRules, q trade.Query) (p planned, err error) {
	lq, err := r.build(v, q)
	if err != nil {
		return p, err
	}
	text, args := lq.page(q)
	p.query = q
	p.plan, err = v.explain(text, args...)
	return p, err
}

// explain is how SQLite goes about a query.
func (v *View) explain(text string, args ...any) (string, error) {
	rows, err := v.query("EXPLAIN QUERY PLAN "+text, args...)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			return "", err
		}
		steps = append(steps, step)
	}
	return strings.Join(steps, "; "), rows.Err()
}

// plansOf are the plans of forms of a table's list, in a store whose every table has a
// few words.
func plansOf(t *testing.T, r *ListRules, forms ...trade.Query) (all []planned) {
	t.Helper()
	db, err := Open(Options{Dir: t.TempDir(), Clock: clock.NewManual(time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)), IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	who := Who{Tenant: "ten_1"}
	err = db.Write(context.Background(), who, func(tx *Tx) error {
		return tx.addWords(r.prefix, []entry{{"ten_1", "tekkelime", "x_1"}, {"ten_1", "cok", "x_1"}, {"ten_1", "cokca", "x_1"}})
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Read(context.Background(), who, func(v *View) error {
		for _, q := range forms {
			p, err := v.plan(r, q)
			if err != nil {
				return fmt.Errorf("%+v: %w", q, err)
			}
			all = append(all, p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// No list reads a whole table, whatever it is asked for; and no page sorts more
// than it shows when nothing is left out, or in the order of ids.
func TestNoListReadsOrSortsMoreThanItMust(t *testing.T) {
	for _, r := range []*ListRules{&Companies.List, &Products.List, &Warehouses.List, &Movements.List, &Counts.List, &Invoices.List, &Orders.List, &Shipments.List, &BankAccounts.List, &CashAccounts.List, &Payments.List, &Transfers.List, &Webhooks.List} {
		for _, p := range plansOf(t, r, listForms(r)...) {
			if strings.Contains(p.plan, "SCAN t") {
				t.Errorf("%s is read from end to end: %s", r.name, p)
			}
			if p.inOrder() && strings.Contains(p.plan, "TEMP B-TREE") {
				t.Errorf("%s is sorted: %s", r.name, p)
			}
			// one company's documents are not looked for among those of all the others
			if p.query.CompanyID != "" && p.query.Search == "" && !strings.Contains(p.plan, r.name+"_company") {
				t.Errorf("%s are not found by the company: %s", r.name, p)
			}
		}
	}
}

// Invoices that are late are found among all others by an index, and those of one
// company by the company's.
func TestTheLateAreFoundByTheirIndex(t *testing.T) {
	for about, row := range map[string]struct {
		query trade.Query
		index string
	}{
		"of all":         {trade.Query{}, "invoices_payment_status"},
		"the latest":     {trade.Query{Sort: "-createdAt"}, "invoices_payment_status"},
		"of one company": {trade.Query{CompanyID: "cmp_1"}, "invoices_company"},
	} {
		row.query.Limit, row.query.Where = 50, map[string]string{"paymentStatus": "OVERDUE"}
		p := plansOf(t, &Invoices.List, row.query)[0]
		if !strings.Contains(p.plan, row.index) || strings.Contains(p.plan, "TEMP B-TREE") {
			t.Errorf("%s: %s", about, p)
		}
	}
}

// The worker that looks for overdue invoices reads nothing but what falls due.
func TestTheOverdueAreFoundByTheirIndex(t *testing.T) {
	db, err := Open(Options{Dir: t.TempDir(), Clock: clock.NewManual(time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)), IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Read(context.Background(), Who{}, func(v *View) error {
		var id, parent, unused int
		var step string
		err := v.row("EXPLAIN QUERY PLAN "+dueText, "2026-09-15", "0", "", "", 1).Scan(&id, &parent, &unused, &step)
		if !strings.HasPrefix(step, "SEARCH invoices USING COVERING INDEX invoices_due") {
			t.Errorf("SQLite goes about it so: %s", step)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What left with shipments and whether a printed note was copied before are found by
// indexes of their own.
func TestWhatLeftIsFoundByItsIndex(t *testing.T) {
	db, err := Open(Options{Dir: t.TempDir(), Clock: clock.NewManual(time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)), IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Read(context.Background(), Who{}, func(v *View) error {
		for text, index := range map[string]string{withCustomersText: "movements_shipped", copiedText: "shipments_printed"} {
			var id, parent, unused int
			var step string
			if err := v.row("EXPLAIN QUERY PLAN "+text, "ten_1", "x").Scan(&id, &parent, &unused, &step); err != nil {
				return err
			}
			if !strings.Contains(step, index) {
				t.Errorf("SQLite goes about it so: %s", step)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What the lines of a document or the rows of a file ask for is found by an index, in its
// order.
func TestWhatEachLineAsksForIsFoundByItsIndex(t *testing.T) {
	db, err := Open(Options{Dir: t.TempDir(), Clock: clock.NewManual(time.Date(2026, 9, 15, 9, 0, 0, 0, time.UTC)), IDs: clock.RandomIDs(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Read(context.Background(), Who{}, func(v *View) error {
		for text, index := range map[string]string{
			freeText:    "lots_leave (tenant=? AND product=? AND warehouse=? AND good_until>?)",
			pastText:    "lots_leave (tenant=? AND product=? AND warehouse=? AND good_until<?)",
			contactText: "contacts_email (tenant=? AND company_id=? AND email=?)",
		} {
			plan, err := v.explain(text, []any{"ten_1", "x", "x", "x"}[:strings.Count(text, "?")]...)
			if err != nil {
				return err
			}
			if !strings.Contains(plan, index) || strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("SQLite goes about it so: %s", plan)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
