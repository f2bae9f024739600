package store

import (
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
	for n := fileAt; n == fileAt; { // companies are found by their words
		var err error
		if n, err = tx.fileWords(Companies.Name, Companies.Prefix); err != nil {
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
		if _, err := tx.putCompany(was, &old, &c); err != nil {
			return err
		}
	}
	return nil
}

// place is where a record of some tenant is.
type place struct{ tenant, id string }

func (tx *Tx) companiesOf(taxNumber string) (out []place, err error) {
	rows, err := tx.query(`SELECT c.tenant, c.id FROM tenants t CROSS JOIN words w ON w.tenant = t.id AND w.kind = 'cmp' AND w.word = ?
		CROSS JOIN companies c ON c.id = w.id WHERE c.deleted_at IS NULL ORDER BY t.id, w.id`, taxNumber)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p place
		if err := rows.Scan(&p.tenant, &p.id); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

// registrations looks a tax number up in the tax office's list, for invoices and
// for despatch notes. The oldest alias is the one used.
func (tx *Tx) registrations(taxNumber string) (invoice, despatch trade.Registration, err error) {
	if taxNumber == "" {
		return invoice, despatch, nil
	}
	rows, err := tx.query("SELECT document, alias FROM taxpayers WHERE tax_number = ? AND since <= ? ORDER BY since DESC, alias DESC",
		taxNumber, int64(trade.At(tx.now)))
	if err != nil {
		return invoice, despatch, err
	}
	defer rows.Close()
	for rows.Next() {
		var document, alias string
		if err := rows.Scan(&document, &alias); err != nil {
			return invoice, despatch, err
		}
		r := trade.Registration{Registered: true, Alias: alias}
		if document == "Invoice" {
			invoice = r
		} else {
			despatch = r
		}
	}
	return invoice, despatch, rows.Err()
}

// mailboxes are the aliases under which a buyer receives invoices, and whether
// the buyer is a public body (KAMU).
func (tx *Tx) mailboxes(taxNumber string) (boxes []trade.Mailbox, public bool, err error) {
	rows, err := tx.query("SELECT alias, type, since FROM taxpayers WHERE tax_number = ? AND document = 'Invoice'", taxNumber)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for rows.Next() {
		var b trade.Mailbox
		var kind string
		var since int64
		if err := rows.Scan(&b.Alias, &kind, &since); err != nil {
			return nil, false, err
		}
		b.Created = time.UnixMilli(since).UTC()
		boxes, public = append(boxes, b), public || kind == "KAMU"
	}
	return boxes, public, rows.Err()
}
