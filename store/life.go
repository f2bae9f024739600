package store

import "esnaf/store/trade"

// Tells are the events of a kind of record that is made, changed and deleted; ""
// for none.
type Tells struct{ Created, Updated, Deleted trade.Event }

// Create stores a new record, with a code drawn for it when it has none, and tells
// of it.
func (t *Table[T, P]) Create(tx *Tx, rec P) (doc Doc, err error) {
	if c := t.Code; c.Of != nil && *c.Of(rec) == "" {
		if *c.Of(rec), err = tx.drawCode(t.Name, c.Col, c.Letter); err != nil {
			return doc, err
		}
	}
	doc, err = t.Add(tx, rec)
	if err != nil {
		return doc, err
	}
	return doc, t.tell(tx, "create", rec, change{event: t.Tells.Created, object: doc.JSON})
}

// createAs is Create of a record whose Meta and code are set, since others refer to it
// already.
func (t *Table[T, P]) createAs(tx *Tx, rec P) (Doc, error) {
	doc, err := t.addAs(tx, rec)
	if err != nil {
		return doc, err
	}
	return doc, t.tell(tx, "create", rec, change{event: t.Tells.Created, object: doc.JSON})
}

// Replace stores rec in the place of old, of which was are the stored bytes, and
// tells of it.
func (t *Table[T, P]) Replace(tx *Tx, was []byte, old, rec P) (Doc, error) {
	return t.Move(tx, "update", t.Tells.Updated, was, old, rec)
}

// Remove marks the record deleted, whatever refers to it, and tells of it. One that
// Keeps holds back stays.
func (t *Table[T, P]) Remove(tx *Tx, id string, match Match) error {
	_, old, err := current(tx, t, id, match)
	if err != nil {
		return err
	}
	if t.Keeps != nil {
		if err := t.Keeps(tx, &old); err != nil {
			return err
		}
	}
	doc, err := t.Drop(tx, &old)
	if err != nil {
		return err
	}
	return t.tell(tx, "delete", &old, change{event: t.Tells.Deleted, object: doc.JSON})
}

// Move stores a record whose state has moved on by action, and tells of it by
// event, "" for none.
func (t *Table[T, P]) Move(tx *Tx, action string, event trade.Event, was []byte, old, rec P) (Doc, error) {
	doc, err := t.Put(tx, old, rec)
	if err != nil {
		return doc, err
	}
	return doc, t.tell(tx, action, rec, change{event: event, object: doc.JSON, previous: changed(was, doc.JSON)})
}

// tell writes the audit row of a change, and the event that tells of it if there
// is one.
func (t *Table[T, P]) tell(tx *Tx, action string, rec P, c change) error {
	id := rec.Base().ID
	if err := tx.audit(t.One+"."+action, id, c.previous); err != nil || c.event == "" {
		return err
	}
	c.url = "/api/" + t.Path + "/" + id
	return tx.emit(c)
}
