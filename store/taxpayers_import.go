package store

import (
	"context"
	"errors"
	"slices"
	"strings"

	"esnaf/store/trade"
)

// TaxpayerChanges tells what a new list of registered users changed. An entry is
// one alias of one user for one kind of document.
type TaxpayerChanges struct {
	Entries   int64 `json:"entries"`   // of the new list
	Before    int64 `json:"before"`    // of the one it replaced
	Added     int64 `json:"added"`     // that were not in it
	Removed   int64 `json:"removed"`   // that are not in the new one
	Companies int64 `json:"companies"` // whose registration changed
}

// The steps of an import. The writer is free between any two, so that others wait
// for milliseconds. Rows are sorted before they are written: side by side in the
// file, many of them share a page.
const (
	sortedRows   = 100_000
	writtenRows  = 2_000
	comparedRows = 1_000
	changedRows  = 100
)

// maxVanish is how much of the list may go at once before the file is taken for
// one that is cut off: the tenth part.
const maxVanish = 10

// ImportTaxpayers replaces the list of registered users by what read hands to add,
// and brings every company up to date with it. The new list is written beside the
// one in force and takes its place in one change: whoever looks meanwhile sees the
// one or the other. When read fails, or more than a tenth of the entries would go
// and force is not set (a Conflict), the list stays as it is.
func (db *DB) ImportTaxpayers(ctx context.Context, who Who, force bool, read func(add func(Taxpayer) error) error) (out TaxpayerChanges, err error) {
	db.importing.Lock()
	defer db.importing.Unlock()
	l := newList{db: db, ctx: ctx, who: who}
	if err := l.begin(); err != nil {
		return out, err
	}
	err = read(l.add)
	if err == nil {
		err = l.flush()
	}
	if err == nil {
		out, err = l.compare()
	}
	if err == nil && !force && out.Removed*maxVanish > out.Before {
		err = trade.Fail(trade.Conflict, trade.ListShrinks, out.Removed, out.Before)
	}
	if err == nil {
		err = l.takeOver()
	}
	if err == nil {
		out.Companies, err = l.reregister()
	}
	return out, errors.Join(err, l.clear())
}

// newList is a list being written.
type newList struct {
	db    *DB
	ctx   context.Context
	who   Who
	list  int64
	batch []Taxpayer
}

// begin finds the new list's number, and clears away what an import that was
// killed has left.
func (l *newList) begin() error {
	if err := l.clear(); err != nil {
		return err
	}
	return l.db.Read(l.ctx, l.who, func(v *View) error {
		return v.row("SELECT current + 1 FROM taxpayer_list").Scan(&l.list)
	})
}

func (l *newList) add(t Taxpayer) error {
	if l.batch = append(l.batch, t); len(l.batch) < sortedRows {
		return nil
	}
	return l.flush()
}

// flush writes what was collected.
func (l *newList) flush() error {
	slices.SortStableFunc(l.batch, func(a, b Taxpayer) int {
		if c := strings.Compare(a.TaxNumber, b.TaxNumber); c != 0 {
			return c
		}
		return strings.Compare(a.Document, b.Document)
	})
	for rows := range slices.Chunk(l.batch, writtenRows) {
		err := l.db.Write(l.ctx, l.who, func(tx *Tx) error {
			for _, t := range rows {
				if err := tx.putTaxpayer(l.list, t); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	clear(l.batch) // their texts are not kept
	l.batch = l.batch[:0]
	return nil
}

// compare counts what the new list changes. Both are in the same order, so that
// looking each entry of one up in the other reads both once.
func (l *newList) compare() (out TaxpayerChanges, err error) {
	err = l.db.Read(l.ctx, l.who, func(v *View) error {
		if err := v.row("SELECT count(*) FROM taxpayers WHERE " + inForce).Scan(&out.Before); err != nil {
			return err
		}
		return v.row(`SELECT count(*), coalesce(sum(o.list IS NULL), 0) FROM taxpayers t LEFT JOIN taxpayers o
			ON o.list = (SELECT current FROM taxpayer_list) AND o.tax_number = t.tax_number AND o.document = t.document AND o.alias = t.alias
			WHERE t.list = ?`, l.list).Scan(&out.Entries, &out.Added)
	})
	out.Removed = out.Before - (out.Entries - out.Added)
	return out, err
}

// takeOver puts the new list in force.
func (l *newList) takeOver() error {
	return l.db.Write(l.ctx, l.who, func(tx *Tx) error {
		_, err := tx.exec("UPDATE taxpayer_list SET current = ?", l.list)
		return err
	})
}

// clear deletes every list that is not in force, piece by piece.
func (l *newList) clear() error {
	for {
		var n int64
		err := l.db.Write(l.ctx, l.who, func(tx *Tx) error {
			var row [3]any
			err := tx.first(row[:], "SELECT (SELECT min(list) FROM taxpayers), (SELECT max(list) FROM taxpayers), current FROM taxpayer_list")
			if err != nil || row[0] == nil {
				return err
			}
			list := row[0]
			if list == row[2] {
				list = row[1]
			}
			if list == row[2] {
				return nil
			}
			n, err = tx.exec(`DELETE FROM taxpayers WHERE list = ?1 AND tax_number <=
				coalesce((SELECT tax_number FROM taxpayers WHERE list = ?1 ORDER BY tax_number LIMIT 1 OFFSET ?2), 'x')`, list, writtenRows)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

// reregister brings companies up to date. Which of them differ is found among the
// readers; only those are the writer's work.
func (l *newList) reregister() (changed int64, err error) {
	for after, more := int64(0), true; more; {
		var differ []place
		err := l.db.Read(l.ctx, l.who, func(v *View) (err error) {
			differ, after, more, err = v.differing(after)
			return err
		})
		if err != nil {
			return changed, err
		}
		for some := range slices.Chunk(differ, changedRows) {
			n := int64(0)
			err := l.db.Write(l.ctx, l.who, func(tx *Tx) error {
				for _, at := range some {
					done, err := tx.reregister(at)
					switch {
					case errors.Is(err, errUnreadable): // check tells of it; the others are brought up to date
					case err != nil:
						return err
					case done:
						n++
					}
				}
				return tx.become(l.who.Tenant)
			})
			if err != nil {
				return changed, err
			}
			changed += n
		}
	}
	return changed, nil
}

// differing finds, among the next companies behind row after, those whose
// registration is not what the list says; last is where the next step begins.
func (v *View) differing(after int64) (differ []place, last int64, more bool, err error) {
	type company struct {
		place
		doc string
	}
	var some []company
	var row [4]any
	err = v.each(row[:], "SELECT n, tenant, id, doc FROM companies WHERE n > ? AND deleted_at IS NULL ORDER BY n LIMIT ?", []any{after, comparedRows}, func() bool {
		after = row[0].(int64)
		some = append(some, company{place{row[1].(string), row[2].(string)}, row[3].(string)})
		return true
	})
	for _, c := range some {
		var said struct {
			TaxNumber string             `json:"taxNumber"`
			EInvoice  trade.Registration `json:"eInvoice"`
			EDespatch trade.Registration `json:"eDespatch"`
		}
		if decode([]byte(c.doc), &said) != nil {
			continue // as above
		}
		invoice, despatch, err := v.registrations(said.TaxNumber, v.Now())
		if err != nil {
			return nil, 0, false, err
		}
		if invoice != said.EInvoice || despatch != said.EDespatch {
			differ = append(differ, c.place)
		}
	}
	return differ, after, len(some) == comparedRows, err
}
