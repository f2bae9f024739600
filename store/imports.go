package store

import (
	"context"
	"errors"
)

// errTried takes back a change that was only tried.
var errTried = errors.New("tried")

// TryEach carries out n changes, each for itself, and takes every one of them back:
// it tells what WriteEach would say to them. fn is told which of them it is to do.
func (db *DB) TryEach(ctx context.Context, who Who, n int, fn func(tx *Tx, i int) error) []error {
	jobs := make([]*job, n)
	for i := range jobs {
		jobs[i] = &job{who: who, fn: func(tx *Tx) error {
			if err := fn(tx, i); err != nil {
				return err
			}
			if err := tx.check.Err(); err != nil {
				return err
			}
			return errTried
		}}
	}
	errs := db.submitEach(ctx, jobs)
	for i, err := range errs {
		if errors.Is(err, errTried) {
			errs[i] = nil
		}
	}
	return errs
}

// ErrUnchanged takes back a change that would leave a record as it is but for its
// version.
var ErrUnchanged = errors.New("unchanged")

// Same tells whether two states of one record, as they are stored, differ in
// nothing but version and time.
func Same(was, is []byte) bool { return changed(was, is) == "" }

// ByCode reads the id and the stored bytes of the live record with a code, of a
// table that has codes; "" and nil when there is none.
func (t *Table[T, P]) ByCode(v *View, code string) (id string, doc []byte, err error) {
	if code == "" {
		return "", nil, nil
	}
	var row [2]any
	err = v.first(row[:], "SELECT id, doc FROM "+t.Name+" WHERE tenant = ? AND code = ? AND deleted_at IS NULL", v.who.Tenant, code)
	if noRows(err) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	return row[0].(string), []byte(row[1].(string)), nil
}

// ContactByEmail reads the id and the stored bytes of a company's contact with an
// e-mail address; "" and nil when there is none, or when several have it.
func (v *View) ContactByEmail(company, email string) (id string, doc []byte, several bool, err error) {
	if company == "" || email == "" {
		return "", nil, false, nil
	}
	var row [2]any
	n := 0
	err = v.each(row[:], contactText, []any{v.who.Tenant, company, email}, func() bool {
		n++
		id, doc = row[0].(string), []byte(row[1].(string))
		return true
	})
	if n != 1 {
		id, doc = "", nil
	}
	return id, doc, n > 1, err
}

// contactText finds contacts by contacts_email.
const contactText = "SELECT id, doc FROM contacts WHERE tenant = ? AND company_id = ? AND email = ? AND deleted_at IS NULL LIMIT 2"
