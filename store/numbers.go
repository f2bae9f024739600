package store

import (
	"fmt"

	"esnaf/store/trade"
)

// draw takes the next number of a series, in the transaction of what is
// numbered: a rollback gives it back, so no gap appears.
func (tx *Tx) draw(series string) (n int, err error) {
	err = tx.row(`INSERT INTO numbers (tenant, series, last) VALUES (?, ?, 1)
		ON CONFLICT (tenant, series) DO UPDATE SET last = last + 1 RETURNING last`, tx.who.Tenant, series).Scan(&n)
	return n, err
}

// drawCode draws the code of a record that came without one, passing over codes
// that callers have taken by hand.
func (tx *Tx) drawCode(table, letter string) (string, error) {
	for {
		n, err := tx.draw(table)
		if err != nil {
			return "", err
		}
		code := fmt.Sprintf("%s%06d", letter, n)
		var taken int
		err = tx.row("SELECT 1 FROM "+table+" WHERE tenant = ? AND code = ? AND deleted_at IS NULL", tx.who.Tenant, code).Scan(&taken)
		if noRows(err) {
			return code, nil
		}
		if err != nil {
			return "", err
		}
	}
}

// lastIssued is the date of the last document in a legal series, "" before the
// first.
func (tx *Tx) lastIssued(series string) (d trade.Date, err error) {
	err = tx.row("SELECT last_date FROM numbers WHERE tenant = ? AND series = ?", tx.who.Tenant, series).Scan(&d)
	if noRows(err) {
		err = nil
	}
	return d, err
}

// drawLegal draws the legal number of a document issued on date: three letters,
// the year, nine digits, one series per kind and year, no gaps.
func (tx *Tx) drawLegal(letters string, date trade.Date) (string, error) {
	series := fmt.Sprintf("%s%d", letters, date.Year())
	n, err := tx.draw(series)
	if err != nil {
		return "", err
	}
	number := trade.DocumentNumber(letters, date.Year(), n)
	if number == "" {
		return "", fmt.Errorf("series %s has no number %d", series, n)
	}
	_, err = tx.exec("UPDATE numbers SET last_date = ? WHERE tenant = ? AND series = ?", string(date), tx.who.Tenant, series)
	return number, err
}
