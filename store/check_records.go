package store

import (
	"errors"
	"strings"
)

// checkRecords holds what a row is found by against the record in it.
func checkRecords(v *View, differ differ) error {
	for _, t := range recorded() {
		if err := t.check(v, differ); err != nil {
			return err
		}
	}
	return nil
}

// recorded are all tables of records.
func recorded() []interface{ check(*View, differ) error } {
	return []interface{ check(*View, differ) error }{
		Tenants, Companies, Contacts, Opportunities, Products, Quotes, Orders, Invoices, Shipments,
		Warehouses, Movements, Counts, BankAccounts, CashAccounts, Payments, Transfers, Webhooks,
	}
}

// check decodes every record of a table and tells where its row says otherwise. A record
// that cannot be read is one difference, whatever else would follow from it.
func (t *Table[T, P]) check(v *View, differ differ) error {
	own := []string{"id", "version", "updated_at", "deleted_at"}
	cols := append(own, t.Cols...)
	row := make([]any, len(cols)+1)
	return v.each(row, "SELECT doc, "+strings.Join(cols, ", ")+" FROM "+t.Name+" ORDER BY n", nil, func() bool {
		var rec T
		doc, _ := row[0].(string)
		has := row[1:]
		if decode([]byte(doc), &rec) != nil {
			differ("the record of %v in %s is unreadable", has[0], t.Name)
			return true
		}
		m := P(&rec).Base()
		if m.ID != has[0] || m.Version != has[1] {
			differ("the record of %v in %s is %s of version %d", has[0], t.Name, m.ID, m.Version)
			return true
		}
		for i, want := range append([]any{m.ID, m.Version, int64(m.UpdatedAt), nilIfZero(m.DeletedAt)}, t.Vals(&rec)...) {
			if is, ok := want.(bool); ok {
				want = flag(is)
			}
			if want != has[i] {
				differ("%s of %v in %s is %v, its record says %v", cols[i], has[0], t.Name, shown(has[i]), shown(want))
			}
		}
		return true
	})
}

// flag is a yes or no as SQLite keeps it.
func flag(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// shown is the value of a column for a sentence.
func shown(value any) any {
	switch value {
	case nil:
		return "nothing"
	case "":
		return "empty"
	}
	return value
}

// readable begins a query over the records that can be read: one that cannot is told by
// checkRecords, and shall not hide what is wrong with the others. A condition alone would
// not do, since SQLite is free to look into a doc before it.
func readable() string {
	var tables []string
	unreadable := "unreadable AS ("
	for i, t := range []string{Invoices.Name, Payments.Name, Transfers.Name, BankAccounts.Name, CashAccounts.Name} {
		tables = append(tables, t+" AS (SELECT *, iif(json_valid(doc), doc, NULL) AS said FROM main."+t+" WHERE json_valid(doc))")
		if i > 0 {
			unreadable += " UNION ALL "
		}
		unreadable += "SELECT id FROM main." + t + " WHERE NOT json_valid(doc)"
	}
	return "WITH " + strings.Join(tables, ", ") + ", " + unreadable + "), "
}

// unlessUnreadable is err, unless that is a record that checkRecords tells of.
func unlessUnreadable(err error) error {
	if errors.Is(err, errUnreadable) {
		return nil
	}
	return err
}
