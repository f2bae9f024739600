package store

import (
	"esnaf/store/trade"
)

// CreateContact adds a person at a company.
func (tx *Tx) CreateContact(c trade.Contact) (Doc, error) {
	if err := tx.prepareContact(&c, kept{}); err != nil {
		return Doc{}, err
	}
	return Contacts.Create(tx, &c)
}

// UpdateContact replaces what a caller may set of a contact whose version match
// allows.
func (tx *Tx) UpdateContact(id string, match Match, c trade.Contact) (Doc, error) {
	was, old, err := current(tx, Contacts, id, match)
	if err != nil {
		return Doc{}, err
	}
	c.Keep(&old)
	if err := tx.prepareContact(&c, keeping(nil, old.CompanyID)); err != nil {
		return Doc{}, err
	}
	return Contacts.Replace(tx, was, &old, &c)
}

// DeleteContact marks a contact deleted, whatever refers to it.
func (tx *Tx) DeleteContact(id string, match Match) error { return Contacts.Remove(tx, id, match) }

// prepareContact judges a contact; one that is to be turned to first takes that from
// whoever it was. That one's version rises and is audited, but tells nobody: a change
// emits an event once, of the record that the caller changed.
func (tx *Tx) prepareContact(c *trade.Contact, k kept) error {
	if _, err := tx.companyOf(c.CompanyID, k); err != nil {
		return err
	}
	c.Check(tx.Check())
	if err := tx.Check().Err(); err != nil || !c.IsPrimary {
		return err
	}
	var row [1]any
	err := tx.first(row[:], "SELECT id FROM contacts WHERE tenant = ? AND company_id = ? AND main = 1 AND deleted_at IS NULL", tx.who.Tenant, c.CompanyID)
	if noRows(err) || err == nil && row[0] == c.ID {
		return nil
	}
	if err != nil {
		return err
	}
	was, old, err := current(tx, Contacts, row[0].(string), Any)
	if err != nil {
		return err
	}
	other := old
	other.IsPrimary = false
	_, err = Contacts.Move(tx, "update", "", was, &old, &other)
	return err
}

// contactOf judges the contact that a record of a company names.
func (tx *Tx) contactOf(id, company string, k kept) error {
	if id == "" {
		return nil
	}
	c, ok, err := Contacts.refer(tx, "contactId", id, k)
	if ok && company != "" && c.CompanyID != company && !(k.ids[id] && k.ids[company]) {
		tx.Check().Add("contactId", trade.OtherCompany)
	}
	return err
}
