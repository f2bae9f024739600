package store

import (
	"slices"
	"strings"

	"esnaf/store/trade"
)

// wordsAtOnce bounds the rows of one statement, and so how many forms of it are
// prepared.
const wordsAtOnce = 12

// addWords files a record under each word of its folded search text.
func (tx *Tx) addWords(kind, id, search string) error {
	for words := range slices.Chunk(trade.Words(search), wordsAtOnce) {
		args := make([]any, 0, 4*len(words))
		for _, w := range words {
			args = append(args, tx.who.Tenant, kind, w, id)
		}
		rows := strings.Repeat(", (?, ?, ?, ?)", len(words))
		if _, err := tx.exec("INSERT OR IGNORE INTO words (tenant, kind, word, id) VALUES"+rows[1:], args...); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) dropWords(kind, id, search string) error {
	for _, w := range trade.Words(search) {
		if _, err := tx.exec("DELETE FROM words WHERE tenant = ? AND kind = ? AND word = ? AND id = ?", tx.who.Tenant, kind, w, id); err != nil {
			return err
		}
	}
	return nil
}

// search narrows the list to records in which every word of q begins some word.
// The rarest word is looked up; the others are compared in the rows it finds.
func (lq *listQuery) search(v *View, kind, q string) error {
	words := trade.Words(trade.Fold(q))
	if len(words) == 0 { // only signs: they are in no word
		lq.where.WriteString(" AND 0")
		return nil
	}
	first, err := v.rarest(kind, words)
	if err != nil {
		return err
	}
	for i, w := range words {
		if i != first {
			lq.and("' ' || t.search LIKE ?", "% "+w+"%") // a word is letters and digits, no sign of LIKE's
		}
	}
	return lq.lookUp(v, kind, words[first])
}

// rarest tells which of words is in the fewest records, as far as counting to a
// few hundred tells.
func (v *View) rarest(kind string, words []string) (first int, err error) {
	fewest := -1
	for i, w := range words {
		if len(words) == 1 {
			break
		}
		var n int
		err := v.row("SELECT count(*) FROM (SELECT 1 FROM words WHERE tenant = ? AND kind = ? AND word >= ? AND word < ? LIMIT 500)",
			v.who.Tenant, kind, w, beyond(w)).Scan(&n)
		if err != nil {
			return 0, err
		}
		if fewest < 0 || n < fewest {
			first, fewest = i, n
		}
	}
	return first, nil
}

// lookUp finds the rows by one word. Where a single stored word begins so, its
// rows come in the order of ids and a page reads no more than it shows;
// otherwise the ids of all the words are gathered first.
func (lq *listQuery) lookUp(v *View, kind, word string) error {
	end := beyond(word)
	only, several, err := v.wordsFrom(kind, word, end)
	switch {
	case err != nil:
		return err
	case only == "":
		lq.where.WriteString(" AND 0")
	case several:
		lq.and("t.id IN (SELECT w.id FROM words w WHERE w.tenant = ?", v.who.Tenant)
		lq.and("w.kind = ?", kind)
		lq.and("w.word >= ?", word)
		lq.and("w.word < ?)", end)
	default:
		lq.from.Reset()
		lq.from.WriteString("words w CROSS JOIN " + lq.name + " t")
		lq.and("w.tenant = ?", v.who.Tenant)
		lq.and("w.kind = ?", kind)
		lq.and("w.word = ? AND t.id = w.id", only)
		lq.id = "w.id"
	}
	return nil
}

// wordsFrom tells which stored word is the first of a range and whether there
// are more.
func (v *View) wordsFrom(kind, from, end string) (first string, more bool, err error) {
	const next = "SELECT word FROM words WHERE tenant = ? AND kind = ? AND word >= ? AND word < ? ORDER BY word LIMIT 1"
	if err = v.row(next, v.who.Tenant, kind, from, end).Scan(&first); err != nil {
		if noRows(err) {
			err = nil
		}
		return "", false, err
	}
	var second string
	err = v.row(next, v.who.Tenant, kind, first+"\x00", end).Scan(&second)
	if noRows(err) {
		return first, false, nil
	}
	return first, true, err
}

// beyond is the first text that no longer begins with word: folded words hold no
// byte of 0xff.
func beyond(word string) string { return word + "\xff" }
