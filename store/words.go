package store

import (
	"github.com/go-json-experiment/json"

	"esnaf/store/trade"
)

// addWords files a record under each word of its folded search text.
func (tx *Tx) addWords(kind, id, search string) error {
	return tx.eachWord("INSERT OR IGNORE INTO words (tenant, kind, word, id) SELECT ?, ?, value, ? FROM json_each(?)", kind, id, search)
}

func (tx *Tx) dropWords(kind, id, search string) error {
	return tx.eachWord("DELETE FROM words WHERE tenant = ? AND kind = ? AND id = ? AND word IN (SELECT value FROM json_each(?))", kind, id, search)
}

func (tx *Tx) eachWord(text, kind, id, search string) error {
	if search == "" {
		return nil
	}
	words, err := json.Marshal(trade.Words(search))
	if err != nil {
		return err
	}
	_, err = tx.exec(text, tx.who.Tenant, kind, id, string(words))
	return err
}

// search narrows the list to records in which every word of q begins some word.
// The longest word is looked up; the others are compared in the rows it finds.
func (lq *listQuery) search(v *View, kind, q string) error {
	words := trade.Words(trade.Fold(q))
	if len(words) == 0 { // only signs: they are in no word
		lq.where.WriteString(" AND 0")
		return nil
	}
	longest := 0
	for i, w := range words {
		if len(w) > len(words[longest]) {
			longest = i
		}
	}
	for i, w := range words {
		if i != longest {
			lq.and("EXISTS (SELECT 1 FROM words o WHERE o.tenant = t.tenant AND o.kind = '"+kind+"' AND o.word >= ? AND o.word < ? AND o.id = t.id)", w)
			lq.args = append(lq.args, beyond(w))
		}
	}
	return lq.lookUp(v, kind, words[longest])
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
