package store

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// restore is what helps a database that is damaged inside.
const restore = "stop the server, put a backup of the whole data folder in the place of this one, and let esnaf check look at it before it is served"

// rebuild is what helps where only indexes are not what they should be.
const rebuild = "esnaf repair indexes --apply makes it anew from the table, by which nothing is lost"

// checkFile asks SQLite, which knows its own pages and indexes. Of a file in which something
// is wrong it tells no more: what else it finds would follow from that.
func checkFile(v *View, differ differ) error {
	_, said, err := v.fileFaults()
	if err != nil || len(said) > 0 {
		for _, s := range said {
			differ("%s", s)
		}
		return err
	}
	var foreign [4]any
	return v.each(foreign[:], "PRAGMA foreign_key_check", nil, func() bool {
		differ("row %v of %v refers to a row of %v that is not there", foreign[1], foreign[0], foreign[2])
		return true
	})
}

// fileFaults looks through the whole file and says what is wrong: in one sentence where it
// is damaged, or else in one for each index that has not the rows which its table has. Only
// then are these behind.
func (v *View) fileFaults() (behind []tree, said []string, err error) {
	trees, err := v.trees()
	if err != nil {
		return nil, nil, err
	}
	hurt, stale := damage{}, damage{}
	var row [1]any
	err = v.each(row[:], "PRAGMA integrity_check(1000000)", nil, func() bool { // by itself it ends after 100 lines, before it has come to all
		text, _ := row[0].(string)
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if ofRows.MatchString(line) {
				stale.add(line, trees)
			} else {
				hurt.add(line, trees)
			}
		}
		return true
	})
	if err != nil && !damaged(err) {
		return nil, nil, err
	}
	if err != nil || len(hurt) > 0 {
		return nil, []string{fmt.Sprintf("the database file is damaged%s: %s", hurt, restore)}, nil
	}
	behind = stale.indexes()
	for _, index := range behind {
		said = append(said, fmt.Sprintf("%s has not the rows that the table has: %s", index, rebuild))
	}
	return behind, said, nil
}

// tree is a table of the file, or an index of one.
type tree struct{ name, table string }

// String is what an index is called in a sentence.
func (t tree) String() string { return "the index " + t.name + " of " + t.table }

// trees are those of the file, by their name and by the number of the page they begin with.
func (v *View) trees() (map[string]tree, error) {
	all := map[string]tree{}
	var row [3]any
	err := v.each(row[:], "SELECT name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0", nil, func() bool {
		t := tree{row[0].(string), row[1].(string)}
		all[t.name], all[fmt.Sprint(row[2])] = t, t
		return true
	})
	return all, err
}

// damage is the tables of which something is damaged: of each the indexes, or nil when
// the table itself is. "" is what belongs to no table.
type damage map[string][]string

// ofTree and ofName find what SQLite speaks of, and ofRows what it says of an index that
// has not the rows of its table: too few, or too many.
var (
	ofRows = regexp.MustCompile(`^(?:row \d+ missing from|wrong # of entries in) index `)
	ofTree = regexp.MustCompile(`^Tree (\d+) `)
	ofName = regexp.MustCompile(` (?:in|from) (?:index )?([a-z_0-9]+)`)
)

// add takes down a line of PRAGMA integrity_check.
func (d damage) add(line string, trees map[string]tree) {
	if line == "ok" || strings.HasPrefix(line, "***") {
		return
	}
	var t tree
	for _, names := range []*regexp.Regexp{ofTree, ofName} {
		if m := names.FindStringSubmatch(line); m != nil && t.name == "" {
			t = trees[m[1]]
		}
	}
	indexes, known := d[t.table]
	switch {
	case t.name == t.table:
		d[t.table] = nil
	case !known || indexes != nil && !slices.Contains(indexes, t.name):
		d[t.table] = append(indexes, t.name)
	}
}

// String says where, as far as that is known.
func (d damage) String() string {
	var where []string
	for _, index := range d.indexes() {
		where = append(where, index.String())
	}
	for _, table := range slices.Sorted(maps.Keys(d)) {
		if d[table] == nil && table != "" {
			where = append(where, "the table "+table)
		}
	}
	if len(where) == 0 {
		return ""
	}
	return " in " + strings.Join(where, ", ")
}

// indexes are those that are named.
func (d damage) indexes() (all []tree) {
	for _, table := range slices.Sorted(maps.Keys(d)) {
		for _, index := range d[table] {
			all = append(all, tree{index, table})
		}
	}
	return all
}

// reason is why a check did not come to its end. Of a damaged file checkFile tells all
// that can be told.
func reason(err error) string {
	if damaged(err) {
		return "what it looks at is damaged"
	}
	return Trouble(err).Error()
}
