package store

import (
	"cmp"
	"slices"
	"strings"
)

// A record is found by its words through an index with a row for each of them.
// Words are scattered over all of it, so filing them with every change would cost
// more than the rest of the change together. New records are therefore filed in
// bulk, a moment later, sorted; until then a question compares their texts one by
// one. files tells up to which row a table is filed, in the same commit as the
// words, so that every snapshot finds everything.

// fileAt is how many new records may wait before they are filed even though there
// is other work to do, and how many are filed at once.
const fileAt = 500

// filed is up to which row of a table the words are in the index.
func (v *View) filed(table string) (n int64, err error) {
	err = v.row("SELECT upto FROM files WHERE name = ?", table).Scan(&n)
	if noRows(err) {
		err = nil
	}
	return n, err
}

// entry is one word of one record.
type entry struct{ tenant, word, id string }

// fileWords files the words of at most fileAt new records of a table and tells
// how many records it filed.
func (tx *Tx) fileWords(table, kind string) (n int, err error) {
	upto, err := tx.filed(table)
	if err != nil {
		return 0, err
	}
	var entries []entry
	rows, err := tx.query("SELECT n, tenant, id, search FROM "+table+" WHERE n > ? ORDER BY n LIMIT ?", upto, fileAt)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for ; rows.Next(); n++ {
		var e entry
		var search string
		if err := rows.Scan(&upto, &e.tenant, &e.id, &search); err != nil {
			return 0, err
		}
		for e.word = range strings.FieldsSeq(search) {
			entries = append(entries, e)
		}
	}
	if err := rows.Err(); err != nil || n == 0 {
		return 0, err
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.tenant, b.tenant), strings.Compare(a.word, b.word), strings.Compare(a.id, b.id))
	})
	if err := tx.addWords(kind, entries); err != nil {
		return 0, err
	}
	_, err = tx.exec("INSERT INTO files (name, upto) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET upto = excluded.upto", table, upto)
	return n, err
}

// fileAll files what waits, table by table; where more is left than one step takes,
// the rest comes next.
func (tx *Tx) fileAll() error {
	for _, t := range [...]struct{ name, kind string }{
		{Companies.Name, Companies.Prefix}, {Products.Name, Products.Prefix}, {Invoices.Name, Invoices.Prefix},
	} {
		n, err := tx.fileWords(t.name, t.kind)
		if err != nil {
			return err
		}
		if n == fileAt {
			tx.db.unfiled += fileAt
		}
	}
	return nil
}

// wordsAtOnce bounds the rows of one statement, and so how many forms of it are
// prepared.
const wordsAtOnce = 16

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
// is not filed yet will be filed with its new words.
func (tx *Tx) refile(table, kind, id, was, is string) error {
	var n int64
	if err := tx.row("SELECT n FROM "+table+" WHERE id = ?", id).Scan(&n); err != nil {
		return err
	}
	upto, err := tx.filed(table)
	if err != nil || n > upto {
		return err
	}
	for w := range strings.FieldsSeq(was) {
		if _, err := tx.exec("DELETE FROM words WHERE tenant = ? AND kind = ? AND word = ? AND id = ?", tx.who.Tenant, kind, w, id); err != nil {
			return err
		}
	}
	var entries []entry
	for w := range strings.FieldsSeq(is) {
		entries = append(entries, entry{tx.who.Tenant, w, id})
	}
	return tx.addWords(kind, entries)
}
