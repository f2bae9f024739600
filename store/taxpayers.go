package store

import (
	"cmp"
	"maps"
	"slices"
	"strings"
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
	Type      string // OZEL or KAMU, in whatever letters: the office's files have Ozel and Kamu
	Since     time.Time
}

// inForce picks the list that counts from the table.
const inForce = "list = (SELECT current FROM taxpayer_list)"

// PutTaxpayers adds registered users to the list in force, or renames them, and
// brings the companies that carry their tax numbers up to date, in every account.
func (tx *Tx) PutTaxpayers(list []Taxpayer) error {
	var current [1]any
	if err := tx.first(current[:], "SELECT current FROM taxpayer_list"); err != nil {
		return err
	}
	changed := map[string]bool{}
	for _, t := range list {
		changed[t.TaxNumber] = true
		if err := tx.putTaxpayer(current[0], t); err != nil {
			return err
		}
	}
	own := tx.who.Tenant
	for _, number := range slices.Sorted(maps.Keys(changed)) {
		found, err := tx.companiesOf(number)
		if err != nil {
			return err
		}
		for _, place := range found {
			if _, err := tx.reregister(place); err != nil {
				return err
			}
		}
	}
	return tx.become(own)
}

func (tx *Tx) putTaxpayer(list any, t Taxpayer) error {
	_, err := tx.exec(`INSERT INTO taxpayers (list, tax_number, document, alias, title, type, since) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (list, tax_number, document, alias) DO UPDATE SET title = excluded.title, type = excluded.type`,
		list, t.TaxNumber, t.Document, t.Alias, t.Title, strings.ToUpper(trade.Fold(t.Type)), t.Since.UnixMilli())
	return err
}

// reregister brings a company up to date with the list, and tells whether it had
// to. One that is not there any more needs nothing.
func (tx *Tx) reregister(at place) (changed bool, err error) {
	if err := tx.become(at.tenant); err != nil {
		return false, err
	}
	was, c, err := current(tx, Companies, at.id, Any)
	if trade.KindOf(err) == trade.NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	old := c
	c.EInvoice, c.EDespatch, err = tx.registrations(c.TaxNumber, tx.now)
	if err != nil || c.EInvoice == old.EInvoice && c.EDespatch == old.EDespatch {
		return false, err
	}
	_, err = Companies.Replace(tx, was, &old, &c)
	return err == nil, err
}

// place is where a record of some tenant is.
type place struct{ tenant, id string }

// companiesOf finds the companies with a tax number by it, as by any word they are
// searched for; others that say it elsewhere may be among them.
func (tx *Tx) companiesOf(taxNumber string) (out []place, err error) {
	upto, err := tx.filed(Companies.Name)
	if err != nil {
		return nil, err
	}
	var row [2]any
	err = tx.each(row[:], `SELECT c.tenant, c.id FROM tenants t CROSS JOIN words w ON w.tenant = t.id AND w.kind = 'cmp' AND w.word = ?
		CROSS JOIN companies c ON c.tenant = t.id AND c.id = w.id WHERE c.deleted_at IS NULL
		UNION ALL SELECT tenant, id FROM companies WHERE n > ? AND ' ' || search || ' ' LIKE ? AND deleted_at IS NULL`, // in order SQLite would read all companies
		[]any{taxNumber, upto, "% " + taxNumber + " %"}, func() bool {
			out = append(out, place{row[0].(string), row[1].(string)})
			return true
		})
	slices.SortFunc(out, func(a, b place) int { return cmp.Or(cmp.Compare(a.tenant, b.tenant), cmp.Compare(a.id, b.id)) })
	return slices.Compact(out), err
}

// registrations looks a tax number up in the tax office's list, for invoices and
// for despatch notes, as it is at now. The oldest alias is the one used, of one day the
// first: they come in the order of the key, since sorting costs as much as the search.
func (v *View) registrations(taxNumber string, now time.Time) (invoice, despatch trade.Registration, err error) {
	if taxNumber == "" {
		return invoice, despatch, nil
	}
	var ofInvoice, ofDespatch int64
	var row [3]any
	err = v.each(row[:], "SELECT document, alias, since FROM taxpayers WHERE "+inForce+" AND tax_number = ? AND since <= ?",
		[]any{taxNumber, now.UnixMilli()}, func() bool {
			r, oldest := &despatch, &ofDespatch
			if row[0] == "Invoice" {
				r, oldest = &invoice, &ofInvoice
			}
			if since := row[2].(int64); !r.Registered || since < *oldest {
				*r, *oldest = trade.Registration{Registered: true, Alias: row[1].(string)}, since
			}
			return true
		})
	return invoice, despatch, err
}

// Taxpayer tells what the tax office's list says of a tax number: whoever is not
// on it is registered for nothing. A number that cannot be one is Invalid; what a
// wrong check digit means is the account's setting, as it is for a company.
func (v *View) Taxpayer(taxNumber string) (trade.Taxpayer, error) {
	out := trade.Taxpayer{TaxNumber: taxNumber}
	t, err := v.Settings()
	if err != nil {
		return out, err
	}
	var f trade.Check
	if !trade.ValidTaxNumber(taxNumber) && !(t.TaxNumberCheck == trade.CheckWarn && trade.HasTaxNumberForm(taxNumber)) {
		f.Add("taxNumber", trade.BadTaxNumber)
		return out, f.Err()
	}
	out.EInvoice.Aliases, out.EDespatch.Aliases = []trade.ListedAlias{}, []trade.ListedAlias{}
	var row [5]any
	err = v.each(row[:], "SELECT document, alias, since, title, type FROM taxpayers WHERE "+inForce+" AND tax_number = ? AND since <= ? ORDER BY since, alias",
		[]any{taxNumber, v.Now().UnixMilli()}, func() bool {
			listing := &out.EDespatch
			if row[0] == "Invoice" {
				listing = &out.EInvoice
			}
			listing.Registered = true
			listing.Aliases = append(listing.Aliases, trade.ListedAlias{Alias: row[1].(string), Since: trade.Instant(row[2].(int64))})
			out.Title, out.Type = row[3].(string), row[4].(string)
			return true
		})
	return out, err
}

// mailboxes are the aliases under which a buyer receives invoices, and whether
// the buyer is a public body (KAMU).
func (tx *Tx) mailboxes(taxNumber string) (boxes []trade.Mailbox, public bool, err error) {
	var row [3]any
	err = tx.each(row[:], "SELECT alias, type, since FROM taxpayers WHERE "+inForce+" AND tax_number = ? AND document = 'Invoice'", []any{taxNumber}, func() bool {
		boxes = append(boxes, trade.Mailbox{Alias: row[0].(string), Created: time.UnixMilli(row[2].(int64)).UTC()})
		public = public || row[1] == "KAMU"
		return true
	})
	return boxes, public, err
}
