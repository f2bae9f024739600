package store

import (
	"database/sql/driver"
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
		var row [2]driver.Value
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

// drawCode draws the code of a record that came without one, for the column col, passing over codes
// that callers have taken by hand.
func (tx *Tx) drawCode(table, col, letter string) (string, error) {
	for {
		n, err := tx.draw(table)
		if err != nil {
			return "", err
		}
		code := fmt.Sprintf("%s%06d", letter, n)
		var taken [1]driver.Value
		err = tx.first(taken[:], "SELECT 1 FROM "+table+" WHERE tenant = ? AND "+col+" = ? AND deleted_at IS NULL", tx.who.Tenant, code)
		if noRows(err) {
			return code, nil
		}
		if err != nil {
			return "", err
		}
	}
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
