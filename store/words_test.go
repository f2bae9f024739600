package store

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"esnaf/store/clock"
	"esnaf/store/trade"
)

// unfiled runs a change after which the writer leaves the words of new records
// where they are, so that a test can say when they are filed.
func (d *desk) unfiled(fn func(*Tx) error) {
	d.t.Helper()
	err := d.Write(context.Background(), d.who, func(tx *Tx) error {
		tx.db.filing = d.filing
		err := fn(tx)
		d.filing, tx.db.filing, tx.db.unfiled = tx.db.filing, nil, 0
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

// fileStep takes filing one step further and tells whether it has come to an end.
func (d *desk) fileStep() (done bool) {
	d.t.Helper()
	d.unfiled(func(tx *Tx) error {
		err := tx.fileSome()
		done = tx.db.filing == nil
		return err
	})
	return done
}

// found walks what a question finds, with a step between any two pages.
func (d *desk) found(q string, step func()) (names []string) {
	d.t.Helper()
	query := trade.Query{Limit: 100, Search: q}
	for more := true; more; step() {
		var page Page
		err := d.Read(context.Background(), d.who, func(v *View) (err error) {
			page, err = Companies.List.Page(v, query, nil)
			return err
		})
		if err != nil {
			d.t.Fatal(err)
		}
		var recs []trade.Company
		if err := json.Unmarshal(fmt.Appendf(nil, "[%s]", page.Docs), &recs); err != nil {
			d.t.Fatal(err)
		}
		for _, c := range recs {
			names = append(names, c.Name)
		}
		query.After, more = page.Last, page.More
	}
	slices.Sort(names)
	return names
}

// crowd makes companies of which none is filed: every one has the word ortak, one
// of seven the word yedi. It returns their ids.
func (d *desk) crowd(n int) (ids []string) {
	d.t.Helper()
	d.unfiled(func(tx *Tx) error {
		for i := range n {
			c := trade.Company{Name: fmt.Sprintf("F%04d ortak", i)}
			if i%7 == 0 {
				c.Name += " yedi"
			}
			if err := tx.prepareCompany(&c); err != nil {
				return err
			}
			c.Code = fmt.Sprint(i)
			if _, err := Companies.Add(tx, &c); err != nil {
				return err
			}
			ids = append(ids, c.ID)
		}
		return nil
	})
	return ids
}

// However many records are filed yet, a question finds the same, also while they
// are being filed between two pages.
func TestSearchFindsWhatIsNotFiledYet(t *testing.T) {
	d := openDesk(t)
	const n = 1000
	d.crowd(n)
	questions := map[string]int{"ortak": n, "yedi": (n + 6) / 7, "ortak yedi": (n + 6) / 7, "f0003": 1, "f00 or": 100, "yok": 0, "ortak yok": 0}
	for stage, filed := 0, false; !filed; stage++ {
		for q, want := range questions {
			got := d.found(q, func() {})
			if len(got) != want || len(slices.Compact(got)) != want {
				t.Errorf("after %d steps %q finds %d, want %d", stage, q, len(got), want)
			}
		}
		filed = d.fileStep()
	}
	again := openDesk(t)
	again.crowd(n)
	if got := again.found("ortak", func() { again.fileStep() }); len(got) != n || len(slices.Compact(got)) != n {
		t.Errorf("filed between the pages: %d found, want %d", len(got), n)
	}
}

// Records that change or go are found by what they are, whether they were filed
// before or not.
func TestSearchFollowsChangesBeforeAndAfterFiling(t *testing.T) {
	for when, steps := range map[string]int{"before filing": 0, "while filing": 1, "after filing": 3} {
		t.Run(when, func(t *testing.T) {
			d := openDesk(t)
			ids := d.crowd(700)
			for range steps {
				d.fileStep()
			}
			d.unfiled(func(tx *Tx) error {
				if _, err := tx.UpdateCompany(ids[0], Any, trade.Company{Name: "F0000 yeni", Code: "0"}); err != nil {
					return err
				}
				return tx.DeleteCompany(ids[1], Any)
			})
			for filed := false; !filed; filed = d.fileStep() {
				for q, want := range map[string]int{"yeni": 1, "ortak": 698, "f0001": 0, "yedi": 99, "f": 699, "f0000 yeni": 1, "f0000 yedi": 0} {
					if got := d.found(q, func() {}); len(got) != want {
						t.Errorf("%q finds %d, want %d", q, len(got), want)
					}
				}
			}
			var words string
			err := d.Read(context.Background(), d.who, func(v *View) error {
				return v.row("SELECT group_concat(n) FROM (SELECT count(*) AS n FROM words WHERE word IN ('ortak', 'yedi', 'yeni') GROUP BY word ORDER BY word)").Scan(&words)
			})
			if err != nil || words != "699,99,1" { // a deleted record keeps its words
				t.Errorf("filed in the end: %s, %v", words, err)
			}
		})
	}
}

// What another account has not filed yet is found by nobody else.
func TestUnfiledRecordsStayInTheirAccount(t *testing.T) {
	d := openDesk(t)
	d.crowd(5)
	stranger := d.who
	d.who.Tenant = "ten_other"
	if got := d.found("ortak", func() {}); len(got) != 0 {
		t.Errorf("another account finds %q", got)
	}
	d.who = stranger
	if got := d.found("ortak", func() {}); len(got) != 5 {
		t.Errorf("its own finds %q", got)
	}
}

// What one run has not filed the next one does, without being asked.
func TestTheNextRunFilesWhatIsLeft(t *testing.T) {
	d := openDesk(t)
	d.crowd(700)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(Options{Dir: d.Dir(), Clock: clock.System{}, IDs: clock.RandomIDs()})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for i := 0; ; i++ {
		var filed, last int64
		err := again.Read(context.Background(), Who{}, func(v *View) (err error) {
			if filed, err = v.filed("companies"); err != nil {
				return err
			}
			return v.row("SELECT max(n) FROM companies").Scan(&last)
		})
		if err != nil {
			t.Fatal(err)
		}
		if filed == last {
			return
		}
		if i == 2000 {
			t.Fatalf("filed up to %d of %d", filed, last)
		}
		time.Sleep(5 * time.Millisecond) // it files when it finds nothing else to do, and tells nobody
	}
}
