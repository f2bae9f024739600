package store

import (
	"fmt"

	"esnaf/store/trade"
)

// series is the numbers drawn for one kind of thing in one account; last is the
// last of them, and lastDate keeps the dates of legal numbers in order.
type series struct{ tenant, name string }

type lastNumber struct {
	last     int64
	lastDate trade.Date // of the last document in a legal series, "" before the first
}

// lastOf is the end of a series, to be moved on by this change. It is written in
// the transaction of what is numbered: a rollback gives the number back, so no gap
// appears.
func (tx *Tx) lastOf(name string) (*lastNumber, error) {
	return tx.db.numbers.move(series{tx.who.Tenant, name}, func() (n lastNumber, err error) {
		var row [2]any
		err = tx.first(row[:], "SELECT last, last_date FROM numbers WHERE tenant = ? AND series = ?", tx.who.Tenant, name)
		if noRows(err) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		return lastNumber{row[0].(int64), trade.Date(row[1].(string))}, nil
	})
}

func (c *conn) putNumber(s series, n lastNumber) error {
	_, err := c.exec(`INSERT INTO numbers (tenant, series, last, last_date) VALUES (?, ?, ?, ?) ON CONFLICT (tenant, series)
		DO UPDATE SET last = excluded.last, last_date = excluded.last_date`, s.tenant, s.name, n.last, string(n.lastDate))
	return err
}

// draw takes the next number of a series.
func (tx *Tx) draw(name string) (int, error) {
	n, err := tx.lastOf(name)
	if err != nil {
		return 0, err
	}
	n.last++
	return int(n.last), nil
}

// drawCode draws the code of a record that came without one, for the column col: the next
// number whose code no caller has taken by hand.
func (tx *Tx) drawCode(table, col, letter string) (string, error) {
	n, err := tx.lastOf(table)
	if err != nil {
		return "", err
	}
	code := func(n int64) string { return fmt.Sprintf("%s%06d", letter, n) }
	text := "SELECT 1 FROM " + table + " WHERE tenant = ? AND " + col + " = ? AND deleted_at IS NULL"
	n.last, err = nextFree(n.last, func(n int64) (bool, error) { return tx.any(text, tx.who.Tenant, code(n)) })
	return code(n.last), err
}

// maxStride bounds how far nextFree looks ahead at once, and so how many free numbers it
// may pass over.
const maxStride = 4096

// nextFree is a free number after last that follows on a taken one, or on last. Of many
// that are taken in a row not each is asked for, which every change would have to do anew
// as long as none is committed: the strides double until a free number is met, and then
// the way to it is halved. Free numbers between taken ones may be passed over.
func nextFree(last int64, taken func(int64) (bool, error)) (int64, error) {
	stride := int64(1)
	is, err := taken(last + stride)
	for ; is && err == nil; is, err = taken(last + stride) {
		last += stride
		stride = min(2*stride, maxStride)
	}
	for stride > 1 && err == nil { // last+stride is free
		half := stride / 2
		if is, err = taken(last + half); is {
			last, stride = last+half, stride-half
		} else {
			stride = half
		}
	}
	return last + stride, err
}

// drawLegal draws the legal number of a document issued on date: three letters,
// the year, nine digits, one series per kind and year, no gaps.
func (tx *Tx) drawLegal(letters string, date trade.Date) (string, error) {
	n, err := tx.lastOf(legalSeries(letters, date))
	if err != nil {
		return "", err
	}
	n.last++
	n.lastDate = date
	number := trade.DocumentNumber(letters, date.Year(), int(n.last))
	if number == "" {
		return "", fmt.Errorf("series %s%d has no number %d", letters, date.Year(), n.last)
	}
	return number, nil
}

func legalSeries(letters string, date trade.Date) string {
	return fmt.Sprintf("%s%d", letters, date.Year())
}

// void gives up a legal number that was drawn for owner and will be on no document,
// so that the gap in its series is explained.
func (tx *Tx) void(number, owner, reason string) error {
	_, err := tx.exec("INSERT INTO void_numbers (tenant, number, owner, reason, at) VALUES (?, ?, ?, ?, ?)",
		tx.who.Tenant, number, owner, reason, int64(trade.At(tx.now)))
	return err
}
