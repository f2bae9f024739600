package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"esnaf/store/trade"
)

// dueInvoice is an invoice whose due date has gone by, or will do so next: a row of
// the index invoices_due.
type dueInvoice struct {
	falls  trade.Date
	tenant string
	id     string
}

// How many invoices are looked at, and at most changed, at a time, and about how many
// bytes of documents: a change must not keep others waiting.
const (
	overdueBatch  = 100
	overdueWeight = 4 << 20
)

// MarkOverdue says OVERDUE of every invoice whose due date is before today in its
// tenant's zone and of which something remains to be paid (DECISIONS 20 and 36), and
// returns of how many. Each batch is one commit; whatever is cut off is found again,
// and what is said already no longer is. An error is that of the store or of ctx, or
// tells of invoices that cannot be read: the others are marked all the same.
func (db *DB) MarkOverdue(ctx context.Context) (n int, err error) {
	// The day begins first 14 hours east of Greenwich.
	latest := trade.DateOf(db.clock.Now().Add(14 * time.Hour))
	var unread []error
	for after := (dueInvoice{falls: "0"}); ; {
		batch, err := db.dueAfter(ctx, after, latest)
		if err != nil || len(batch) == 0 {
			return n, errors.Join(append(unread, err)...)
		}
		done, marked, bad := 0, 0, []error(nil)
		err = db.Write(ctx, Who{Actor: "overdue"}, func(tx *Tx) (err error) {
			done, marked, bad, err = tx.markOverdue(batch)
			return err
		})
		if err != nil {
			return n, errors.Join(append(unread, err)...)
		}
		n, unread, after = n+marked, append(unread, bad...), batch[done-1]
	}
}

// dueText is answered by the index invoices_due alone.
const dueText = `SELECT falls_due, tenant, id FROM invoices WHERE falls_due <> '' AND falls_due < ?
	AND (falls_due, tenant, id) > (?, ?, ?) ORDER BY falls_due, tenant, id LIMIT ?`

// dueAfter reads the next invoices that fall due before latest, oldest first.
func (db *DB) dueAfter(ctx context.Context, after dueInvoice, latest trade.Date) (batch []dueInvoice, err error) {
	err = db.Read(ctx, Who{Actor: "overdue"}, func(v *View) error {
		rows, err := v.query(dueText, string(latest), string(after.falls), after.tenant, after.id, overdueBatch)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var d dueInvoice
			if err := rows.Scan(&d.falls, &d.tenant, &d.id); err != nil {
				return err
			}
			batch = append(batch, d)
		}
		return rows.Err()
	})
	return batch, err
}

// markOverdue judges each invoice as it is now: it may have been paid since it was
// read, and in its tenant's zone the day may not be over yet. One that cannot be read
// is passed over and told of. It ends where the documents come to enough for one change.
func (tx *Tx) markOverdue(batch []dueInvoice) (done, n int, unread []error, err error) {
	for weight := 0; done < len(batch) && weight < overdueWeight; {
		d := batch[done]
		done++
		if err := tx.become(d.tenant); err != nil {
			return done, n, unread, err
		}
		v, err := tx.leanInvoice(d.id)
		if errors.Is(err, errUnreadable) {
			unread = append(unread, fmt.Errorf("invoice %s: %w", d.id, err))
			continue
		}
		if err != nil {
			return done, n, unread, err
		}
		weight += len(v.was) + len(v.lines)
		marked, err := tx.markOne(v)
		if err != nil {
			return done, n, unread, err
		}
		if marked {
			n++
		}
	}
	return done, n, unread, nil
}

func (tx *Tx) markOne(v *lean) (marked bool, err error) {
	today, err := tx.today()
	if due := v.old.FallsDue(); err != nil || due == "" || due >= today {
		return false, err
	}
	v.now.Pay(0, today)
	doc, previous, err := v.store(tx)
	if err != nil {
		return false, err
	}
	return true, Invoices.tell(tx, "overdue", &v.now, change{event: trade.EventInvoiceUpdated, object: doc.JSON, previous: previous})
}
