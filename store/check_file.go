package store

import (
	"database/sql/driver"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// restore is what helps a database that is damaged inside.
const restore = "stop the server, put a backup of the whole data folder in the place of this one, and let esnaf check look at it before it is served"

// checkFile asks SQLite, which knows its own pages and indexes. Of a file that is damaged
// it tells in one sentence where, and no more: what else it finds would follow from that.
func checkFile(v *View, differ differ) error {
	trees, err := v.trees()
	if err != nil {
		return err
	}
	hurt := damage{}
	var row [1]driver.Value
	err = v.each(row[:], "PRAGMA integrity_check", nil, func() bool {
		said, _ := row[0].(string)
		for line := range strings.Lines(said) {
			hurt.add(strings.TrimSpace(line), trees)
		}
		return true
	})
	if err != nil && !damaged(err) {
		return err
	}
	if err != nil || len(hurt) > 0 {
		differ("the database file is damaged%s: %s", hurt, restore)
		return nil
	}
	var foreign [4]driver.Value
	return v.each(foreign[:], "PRAGMA foreign_key_check", nil, func() bool {
		differ("row %v of %v refers to a row of %v that is not there", foreign[1], foreign[0], foreign[2])
		return true
	})
}

// tree is a table of the file, or an index of one.
type tree struct{ name, table string }

// trees are those of the file, by their name and by the number of the page they begin with.
func (v *View) trees() (map[string]tree, error) {
	all := map[string]tree{}
	var row [3]driver.Value
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

// ofTree and ofName find what SQLite speaks of.
var (
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
	for _, table := range slices.Sorted(maps.Keys(d)) {
		if d[table] == nil && table != "" {
			where = append(where, "the table "+table)
		}
		for _, index := range d[table] {
			where = append(where, "the index "+index+" of "+table)
		}
	}
	if len(where) == 0 {
		return ""
	}
	return " in " + strings.Join(where, ", ")
}

// reason is why a check did not come to its end. Of a damaged file checkFile tells all
// that can be told.
func reason(err error) string {
	if damaged(err) {
		return "what it looks at is damaged"
	}
	return Trouble(err).Error()
}
