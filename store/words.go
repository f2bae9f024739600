package store

import (
	"cmp"
	"slices"
	"strings"
)

// A record is found by its words through an index with a row for each of them.
// Words are scattered over all of it, so filing them with every change would cost
// more than the rest of the change together. New records are therefore filed in
// bulk, a moment later, sorted, a few at a time; until then a question compares
// their texts one by one. files tells up to which row a table is filed, in the same
// commit as the last of the words, so that every snapshot finds everything.

const (
	// fileAt is how many new records may wait before they are filed even though there
	// is other work to do, and how many are gathered at once: the more, the more
	// words share a page of the index.
	fileAt = 4000
	// fileSought is the same once somebody has searched among those that wait.
	fileSought = 500
	// wordsAStep is how many words are written while changes wait.
	wordsAStep = 512
	// wordsAtOnce bounds the rows of one statement, and so how many forms of it are
	// prepared.
	wordsAtOnce = 16
)

// entry is one word of one record.
type entry struct{ tenant, word, id string }

// filing is the words of new records of one table on their way into the index.
type filing struct {
	table, kind string
	entries     []entry
	upto        int64 // row of the last of the records
}

// filed is up to which row of a table the words are in the index.
func (v *View) filed(table string) (int64, error) {
	var row [1]any
	err := v.first(row[:], "SELECT upto FROM files WHERE name = ?", table)
	if noRows(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return row[0].(int64), nil
}

// pressed tells whether so many records wait that filing them must go on though
// changes wait too.
func (db *DB) pressed() bool {
	return db.filing != nil || db.unfiled >= fileAt || db.unfiled >= fileSought && db.sought.Load()
}

// fileSome takes filing a step further.
func (tx *Tx) fileSome() error {
	f := tx.db.filing
	if f == nil {
		tx.db.sought.Store(false)
		if err := tx.gather(); err != nil {
			return err
		}
		if f = tx.db.filing; f == nil { // nothing waits
			tx.db.unfiled = 0
			return nil
		}
	}
	n := min(wordsAStep, len(f.entries))
	if err := tx.addWords(f.kind, f.entries[:n]); err != nil {
		return err
	}
	f.entries = f.entries[n:]
	if len(f.entries) > 0 {
		return nil
	}
	tx.db.filing = nil
	_, err := tx.exec("INSERT INTO files (name, upto) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET upto = excluded.upto", f.table, f.upto)
	return err
}

// gather finds the words of what waits in the first table where something does.
func (tx *Tx) gather() error {
	for _, t := range searched() {
		f := &filing{table: t.name, kind: t.kind}
		n, err := tx.gatherFrom(f)
		if err != nil {
			return err
		}
		if n > 0 {
			tx.db.filing = f
			tx.db.unfiled = max(tx.db.unfiled-n, 1) // what is left is looked for again
			return nil
		}
	}
	return nil
}

// gatherFrom takes the words of at most fileAt records and tells how many records
// it took.
func (tx *Tx) gatherFrom(f *filing) (n int, err error) {
	upto, err := tx.filed(f.table)
	if err != nil {
		return 0, err
	}
	var row [4]any
	var tenant string // the same text for all of an account: what is compared most is equal at once
	err = tx.each(row[:], "SELECT n, tenant, id, search FROM "+f.table+" WHERE n > ? ORDER BY n LIMIT ?", []any{upto, fileAt}, func() bool {
		f.upto = row[0].(int64)
		if row[1] != tenant {
			tenant = row[1].(string)
		}
		for word := range strings.FieldsSeq(row[3].(string)) {
			f.entries = append(f.entries, entry{tenant, word, row[2].(string)})
		}
		n++
		return true
	})
	slices.SortFunc(f.entries, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.tenant, b.tenant), strings.Compare(a.word, b.word), strings.Compare(a.id, b.id))
	})
	return n, err
}

func (tx *Tx) addWords(kind string, entries []entry) error {
	for some := range slices.Chunk(entries, wordsAtOnce) {
		args := make([]any, 0, 4*len(some))
		for _, e := range some {
			args = append(args, e.tenant, kind, e.word, e.id)
		}
		rows := strings.Repeat(", (?, ?, ?, ?)", len(some))
		if _, err := tx.exec("INSERT OR IGNORE INTO words (tenant, kind, word, id) VALUES"+rows[1:], args...); err != nil {
			return err
		}
	}
	return nil
}

// refile brings the index from the words was to the words is of a record. One that
// is not filed yet will be filed with its new words; old ones may be there from a
// filing that was broken off.
func (tx *Tx) refile(table, kind, id, was, is string) error {
	for w := range strings.FieldsSeq(was) {
		if _, err := tx.exec("DELETE FROM words WHERE tenant = ? AND kind = ? AND word = ? AND id = ?", tx.who.Tenant, kind, w, id); err != nil {
			return err
		}
	}
	upto, err := tx.filed(table)
	if err != nil {
		return err
	}
	if f := tx.db.filing; f != nil && f.table == table {
		upto = f.upto
		tx.afterCommit(func() {
			f.entries = slices.DeleteFunc(f.entries, func(e entry) bool { return e.id == id })
		})
	}
	var row [1]any
	if err := tx.first(row[:], "SELECT n FROM "+table+" WHERE tenant = ? AND id = ?", tx.who.Tenant, id); err != nil {
		return err
	}
	if row[0].(int64) > upto {
		return nil
	}
	var entries []entry
	for w := range strings.FieldsSeq(is) {
		entries = append(entries, entry{tx.who.Tenant, w, id})
	}
	return tx.addWords(kind, entries)
}
