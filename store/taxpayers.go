package store

import (
	"database/sql/driver"
	"maps"
	"slices"
	"time"

	"esnaf/store/trade"
)

// Taxpayer is one alias of one registered user (kayıtlı kullanıcı) for one kind
// of document, as the tax office lists it.
type Taxpayer struct {
	TaxNumber string
	Document  string // Invoice or DespatchAdvice
	Alias     string
	Title     string
	Type      string // OZEL or KAMU
	Since     time.Time
}

// PutTaxpayers adds or renews registered users and brings the companies that carry
// their tax numbers up to date, in every account.
func (tx *Tx) PutTaxpayers(list []Taxpayer) error {
	changed := map[string]bool{}
	for _, t := range list {
		changed[t.TaxNumber] = true
		_, err := tx.exec(`INSERT INTO taxpayers (tax_number, document, alias, title, type, since) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (tax_number, document, alias) DO UPDATE SET title = excluded.title, type = excluded.type`,
			t.TaxNumber, t.Document, t.Alias, t.Title, t.Type, t.Since.UnixMilli())
		if err != nil {
			return err
		}
	}
	own := tx.who.Tenant
	for _, number := range slices.Sorted(maps.Keys(changed)) {
		if err := tx.reregister(number); err != nil {
			return err
		}
	}
	return tx.become(own)
}

// reregister brings the companies with a tax number up to date with the list.
// They are found by it as by any word they are searched for.
func (tx *Tx) reregister(taxNumber string) error {
	invoice, despatch, err := tx.registrations(taxNumber)
	if err != nil {
		return err
	}
	found, err := tx.companiesOf(taxNumber)
	if err != nil {
		return err
	}
	for _, place := range found {
		if err := tx.become(place.tenant); err != nil {
			return err
		}
		was, c, err := current(tx, Companies, place.id, Any)
		if err != nil {
			return err
		}
		if c.TaxNumber != taxNumber || c.EInvoice == invoice && c.EDespatch == despatch {
			continue
		}
		old := c
		c.EInvoice, c.EDespatch = invoice, despatch
		if _, err := Companies.Replace(tx, was, &old, &c); err != nil {
			return err
		}
	}
	return nil
}

// place is where a record of some tenant is.
type place struct{ tenant, id string }

func (tx *Tx) companiesOf(taxNumber string) (out []place, err error) {
	upto, err := tx.filed(Companies.Name)
	if err != nil {
		return nil, err
	}
	var row [2]driver.Value
	err = tx.each(row[:], `SELECT c.tenant, c.id FROM tenants t CROSS JOIN words w ON w.tenant = t.id AND w.kind = 'cmp' AND w.word = ?
		CROSS JOIN companies c ON c.tenant = t.id AND c.id = w.id WHERE c.deleted_at IS NULL
		UNION SELECT tenant, id FROM companies WHERE n > ? AND ' ' || search || ' ' LIKE ? AND deleted_at IS NULL ORDER BY 1, 2`,
		[]any{taxNumber, upto, "% " + taxNumber + " %"}, func() bool {
			out = append(out, place{row[0].(string), row[1].(string)})
			return true
		})
	return out, err
}

// registrations looks a tax number up in the tax office's list, for invoices and
// for despatch notes. The oldest alias is the one used.
func (tx *Tx) registrations(taxNumber string) (invoice, despatch trade.Registration, err error) {
	if taxNumber == "" {
		return invoice, despatch, nil
	}
	var row [2]driver.Value
	err = tx.each(row[:], "SELECT document, alias FROM taxpayers WHERE tax_number = ? AND since <= ? ORDER BY since DESC, alias DESC",
		[]any{taxNumber, int64(trade.At(tx.now))}, func() bool {
			if r := (trade.Registration{Registered: true, Alias: row[1].(string)}); row[0] == "Invoice" {
				invoice = r
			} else {
				despatch = r
			}
			return true
		})
	return invoice, despatch, err
}

// mailboxes are the aliases under which a buyer receives invoices, and whether
// the buyer is a public body (KAMU).
func (tx *Tx) mailboxes(taxNumber string) (boxes []trade.Mailbox, public bool, err error) {
	var row [3]driver.Value
	err = tx.each(row[:], "SELECT alias, type, since FROM taxpayers WHERE tax_number = ? AND document = 'Invoice'", []any{taxNumber}, func() bool {
		boxes = append(boxes, trade.Mailbox{Alias: row[0].(string), Created: time.UnixMilli(row[2].(int64)).UTC()})
		public = public || row[1] == "KAMU"
		return true
	})
	return boxes, public, err
}
