package store

import "esnaf/store/trade"

// CreateCompany adds a customer or supplier; a code is drawn when none is given.
func (tx *Tx) CreateCompany(c trade.Company) (Doc, error) {
	if err := tx.prepareCompany(&c); err != nil {
		return Doc{}, err
	}
	return Companies.Create(tx, &c)
}

// UpdateCompany replaces what a caller may set of a company whose version match
// allows.
func (tx *Tx) UpdateCompany(id string, match Match, c trade.Company) (Doc, error) {
	was, old, err := current(tx, Companies, id, match)
	if err != nil {
		return Doc{}, err
	}
	c.Keep(&old)
	if err := tx.prepareCompany(&c); err != nil {
		return Doc{}, err
	}
	return Companies.Replace(tx, was, &old, &c)
}

// DeleteCompany marks a company deleted, whatever documents refer to it.
func (tx *Tx) DeleteCompany(id string, match Match) error { return Companies.Remove(tx, id, match) }

// prepareCompany fills, judges and looks up what the company does not say of
// itself.
func (tx *Tx) prepareCompany(c *trade.Company) error {
	t, err := tx.Settings()
	if err != nil {
		return err
	}
	c.Defaults()
	c.Check(tx.Check(), t.TaxNumberCheck == trade.CheckWarn)
	if err := tx.Check().Err(); err != nil {
		return err
	}
	c.EInvoice, c.EDespatch, err = tx.registrations(c.TaxNumber, tx.now)
	return err
}

// current reads the record a change starts from: its stored bytes, and decoded,
// once its version matches.
func current[T any, P Record[T]](tx *Tx, t *Table[T, P], id string, match Match) (was []byte, rec T, err error) {
	d, err := t.stored(&tx.View, id)
	if err != nil {
		return nil, rec, err
	}
	if err := match.Against(d.Version); err != nil {
		return nil, rec, err
	}
	return d.JSON, rec, decode(d.JSON, &rec)
}

// tell writes the audit row of a change and the event that tells of it.
func (tx *Tx) tell(action, id string, c change) error {
	if err := tx.audit(action, id, c.previous); err != nil {
		return err
	}
	return tx.emit(c)
}
