package server

import (
	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// finder finds the record that a row is to change: "" and nil when there is none.
type finder func(tx *store.Tx, l *line) (id string, doc []byte, err error)

// saver is what makes a record of a row of a resource. A row changes the record
// that has its code, or without a code its id; a contact, which has none, that with
// its id, or without one that of its company with its e-mail address.
func saver(resource string) func(tx *store.Tx, l *line) (bool, error) {
	switch resource {
	case "companies":
		return saves((*store.Tx).CreateCompany, (*store.Tx).UpdateCompany, byCode(store.Companies))
	case "contacts":
		return saves((*store.Tx).CreateContact, (*store.Tx).UpdateContact, func(tx *store.Tx, l *line) (string, []byte, error) {
			if l.id != "" {
				return byID(tx, store.Contacts, l.id)
			}
			id, doc, several, err := tx.ContactByEmail(l.given["companyId"], l.given["email"])
			if several {
				tx.Check().Add("email", trade.SeveralContacts)
				err = tx.Check().Err()
			}
			return id, doc, err
		})
	}
	return saves((*store.Tx).CreateProduct, (*store.Tx).UpdateProduct, byCode(store.Products))
}

func byCode[T any, P store.Record[T]](t *store.Table[T, P]) finder {
	return func(tx *store.Tx, l *line) (string, []byte, error) {
		if l.given["code"] == "" && l.id != "" {
			return byID(tx, t, l.id)
		}
		return t.ByCode(&tx.View, l.given["code"])
	}
}

// byID finds the record with an id. To make another where there is none would be a
// double: that is a fault, and so is the id of a record of another account.
func byID[T any, P store.Record[T]](tx *store.Tx, t *store.Table[T, P], id string) (string, []byte, error) {
	d, err := t.Doc(&tx.View, id)
	if kind := trade.KindOf(err); kind == trade.NotFound || kind == trade.Forbidden {
		tx.Check().Add("id", trade.RecordNotFound)
		err = tx.Check().Err()
	}
	return id, d.JSON, err
}

// rowKey is what a row is known by within its file, and which field says so.
type rowKey struct{ value, field string }

// keys are what no other row of the file may be known by: what it is looked for by,
// for else both would make a record, and the record that it changes.
func (l *line) keys() (keys []rowKey) {
	company, email := l.given["companyId"], l.given["email"]
	if code := l.given["code"]; code != "" {
		keys = append(keys, rowKey{"code " + code, "code"})
	} else if l.id == "" && company != "" && email != "" {
		keys = append(keys, rowKey{company + " " + email, "email"})
	}
	if l.found != "" {
		keys = append(keys, rowKey{"id " + l.found, "id"})
	}
	return keys
}

// saves makes a record of a row by the operations that the API has for it.
func saves[T any](create func(*store.Tx, T) (store.Doc, error), update func(*store.Tx, string, store.Match, T) (store.Doc, error),
	find finder,
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
		l.found = id
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
