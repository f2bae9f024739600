package server

import (
	"esnaf/server/wire"
	"esnaf/store"
)

// saver is what makes a record of a row of a resource. A row changes the record
// that has its code; a contact, which has none, that of its company with its e-mail
// address.
func saver(resource string) func(tx *store.Tx, l *line) (bool, error) {
	switch resource {
	case "companies":
		return saves((*store.Tx).CreateCompany, (*store.Tx).UpdateCompany, func(tx *store.Tx, l *line) (string, []byte, error) {
			return store.Companies.ByCode(&tx.View, l.given["code"])
		})
	case "contacts":
		return saves((*store.Tx).CreateContact, (*store.Tx).UpdateContact, func(tx *store.Tx, l *line) (string, []byte, error) {
			return tx.ContactByEmail(l.given["companyId"], l.given["email"])
		})
	}
	return saves((*store.Tx).CreateProduct, (*store.Tx).UpdateProduct, func(tx *store.Tx, l *line) (string, []byte, error) {
		return store.Products.ByCode(&tx.View, l.given["code"])
	})
}

// key is what a row is known by within its file, "" for nothing, and its field.
func (l *line) key() (key, field string) {
	if code := l.given["code"]; code != "" {
		return code, "code"
	}
	if company, email := l.given["companyId"], l.given["email"]; company != "" && email != "" {
		return company + " " + email, "email"
	}
	return "", ""
}

// saves makes a record of a row by the operations that the API has for it.
func saves[T any](create func(*store.Tx, T) (store.Doc, error), update func(*store.Tx, string, store.Match, T) (store.Doc, error),
	find func(*store.Tx, *line) (string, []byte, error),
) func(*store.Tx, *line) (bool, error) {
	patched := wire.Patched[T]()
	return func(tx *store.Tx, l *line) (created bool, err error) {
		patch, err := l.patch(tx)
		if err != nil {
			return false, err
		}
		id, was, err := find(tx, l)
		if err != nil {
			return false, err
		}
		rec, faults, err := patched(was, patch)
		if err != nil {
			return false, err
		}
		for _, f := range faults {
			tx.Check().AddFault(f)
		}
		if id == "" {
			_, err = create(tx, rec)
			return true, err
		}
		if _, err = update(tx, id, store.Any, rec); err != nil {
			return false, err
		}
		// What an update answers may have more than is stored, such as what is on hand.
		_, is, err := find(tx, l)
		if err == nil && store.Same(was, is) {
			err = store.ErrUnchanged
		}
		return false, err
	}
}
