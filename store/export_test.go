package store

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ran are the statements that the writers of all tests have run.
var ran = struct {
	sync.Mutex
	texts map[string]bool
}{texts: map[string]bool{}}

// Note takes down what the writer of a store has run.
func Note(db *DB) {
	db.Write(context.Background(), Who{}, func(tx *Tx) error { // of one that is closed there is nothing to take down
		ran.Lock()
		defer ran.Unlock()
		for text := range tx.stmts {
			ran.texts[text] = true
		}
		return nil
	})
}

// looked are the statements that do look through more than they find, by how they begin.
var looked = map[string]string{
	"UPDATE taxpayer_list":                          "has one row",
	"SELECT doc FROM counts":                        "of all sheets only the open ones",
	"SELECT id FROM warehouses":                     "of which there are few",
	"SELECT coalesce(iif(json_valid(doc), doc":      "mends stock at the operator's command",
	"SELECT n, tenant, id, search":                  "files words, so many at a time",
	"DELETE FROM replies WHERE n IN":                "so many at a time",
	"UPDATE deliveries SET state = 'delivered'":     "so many as it names",
	"SELECT p.id, coalesce(l.lot":                   "counts all that there is",
	"SELECT alias, type, since FROM taxpayers":      "taxpayer_list has one row",
	"SELECT document, alias, since FROM taxpayers":  "taxpayer_list has one row",
	"SELECT event_seq, audit_seq":                   "has one row an account",
	"SELECT id, event FROM webhooks":                "of all webhooks those that listen",
	"SELECT coalesce(sum(amount), 0) FROM balances": "has one row a currency",
	"UPDATE heads":                                  "has one row an account",
	"SELECT id FROM contacts WHERE tenant":          "has one row a company",
	"INSERT OR IGNORE INTO words":                   "what it is given",
}

// through is how SQLite looks through a table: from end to end, or all of an account, a
// company or a state.
var through = regexp.MustCompile(`SCAN|\((rowid[<>]|tenant=\?( AND (account|company|company_id|status)=\?)?\))`)

// few are the steps through tenants, and through the companies whose words are not filed
// yet.
var few = strings.NewReplacer("SCAN t USING COVERING INDEX sqlite_autoindex_tenants_1", "", "SEARCH companies USING INTEGER PRIMARY KEY (rowid>?)", "")

// Scans are the statements which writers have run that look through more than they find,
// with how SQLite goes about them. Those that bind nothing are of the tests themselves,
// and of what a start or an operator does once.
func Scans(db *DB) (all []string, err error) {
	err = db.Write(context.Background(), Who{}, func(tx *Tx) error {
		for text := range ran.texts {
			begins := func(word string) bool { return strings.HasPrefix(text, word) }
			if !strings.Contains(text, "?") || !slices.ContainsFunc([]string{"SELECT", "WITH", "UPDATE", "DELETE", "INSERT"}, begins) || slices.ContainsFunc(slices.Collect(maps.Keys(looked)), begins) {
				continue
			}
			plan, err := tx.explain(text, nothing(text)...)
			if err != nil {
				return err
			}
			if through.MatchString(few.Replace(plan)) {
				all = append(all, fmt.Sprintf("%s: %s", text, plan))
			}
		}
		return nil
	})
	return all, err
}

// nothing is a NULL for each of the parameters of a statement.
func nothing(text string) (args []any) {
	for _, p := range regexp.MustCompile(`\?\d*`).FindAllString(text, -1) {
		n, err := strconv.Atoi(p[1:])
		if err != nil {
			n = len(args) + 1
		}
		for len(args) < n {
			args = append(args, nil)
		}
	}
	return args
}

// Survey is survey.
func Survey(db *DB, fn func(*View) error) error { return db.survey(context.Background(), Who{}, fn) }
