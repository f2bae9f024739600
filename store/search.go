package store

import "esnaf/store/trade"

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
	fresh, err := lq.unfiled(v, words)
	if err != nil {
		return err
	}
	return lq.lookUp(v, kind, words[first], fresh)
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

// unfiled finds the ids of records that have every word and are not filed yet, as
// a JSON array; "" when there are none.
func (lq *listQuery) unfiled(v *View, words []string) (ids string, err error) {
	upto, err := v.filed(lq.name)
	if err != nil {
		return "", err
	}
	// The plus keeps SQLite from reading the whole account by an index on it.
	text, args := "SELECT json_group_array(id) FROM "+lq.name+" WHERE n > ? AND +tenant = ?", []any{upto, v.who.Tenant}
	for _, w := range words {
		text, args = text+" AND ' ' || search LIKE ?", append(args, "% "+w+"%")
	}
	v.db.sought.Store(true)
	if err = v.row(text, args...).Scan(&ids); err != nil || ids == "[]" {
		return "", err
	}
	return ids, nil
}

// lookUp finds the rows by one word, and those that are not filed yet by their
// ids. Where a single stored word begins so, its rows come in the order of ids and
// a page reads no more than it shows; otherwise the ids are gathered first.
func (lq *listQuery) lookUp(v *View, kind, word, fresh string) error {
	end := beyond(word)
	only, several, err := v.wordsFrom(kind, word, end)
	switch {
	case err != nil:
		return err
	case only == "" && fresh == "":
		lq.where.WriteString(" AND 0")
	case several || fresh != "":
		lq.and("t.id IN (SELECT w.id FROM words w WHERE w.tenant = ?", v.who.Tenant)
		lq.and("w.kind = ?", kind)
		lq.and("w.word >= ?", word)
		lq.and("w.word < ?", end)
		if fresh != "" {
			lq.where.WriteString(" UNION ALL SELECT value FROM json_each(?)")
			lq.args = append(lq.args, fresh)
		}
		lq.where.WriteString(")")
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
