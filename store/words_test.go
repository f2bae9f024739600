package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
		err := fn(tx)
		tx.db.unfiled = 0
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

// fileSome files the words of at most fileAt companies and tells how many.
func (d *desk) fileSome() (n int) {
	d.t.Helper()
	d.unfiled(func(tx *Tx) (err error) {
		n, err = tx.fileWords("companies", "cmp")
		return err
	})
	return n
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
	const n = fileAt + 150
	d.crowd(n)
	questions := map[string]int{"ortak": n, "yedi": (n + 6) / 7, "ortak yedi": (n + 6) / 7, "f0003": 1, "f00 or": 100, "yok": 0, "ortak yok": 0}
	filed := 0
	for stage := 0; stage < 3; stage++ {
		for q, want := range questions {
			got := d.found(q, func() {})
			if len(got) != want || len(slices.Compact(got)) != want {
				t.Errorf("%d filed: %q finds %d, want %d", filed, q, len(got), want)
			}
		}
		filed += d.fileSome()
	}
	if filed != n || d.fileSome() != 0 {
		t.Errorf("%d filed, want %d", filed, n)
	}
	again := openDesk(t)
	again.crowd(n)
	if got := again.found("ortak", func() { again.fileSome() }); len(got) != n || len(slices.Compact(got)) != n {
		t.Errorf("filed between the pages: %d found, want %d", len(got), n)
	}
}

// Records that change or go are found by what they are, whether they were filed
// before or not.
func TestSearchFollowsChangesBeforeAndAfterFiling(t *testing.T) {
	for _, when := range []string{"before filing", "after filing"} {
		t.Run(when, func(t *testing.T) {
			d := openDesk(t)
			ids := d.crowd(3)
			if when == "after filing" {
				d.fileSome()
			}
			d.unfiled(func(tx *Tx) error {
				if _, err := tx.UpdateCompany(ids[0], Any, trade.Company{Name: "F0000 yeni", Code: "0"}); err != nil {
					return err
				}
				return tx.DeleteCompany(ids[1], Any)
			})
			for range 2 {
				for q, want := range map[string]string{"yeni": "F0000 yeni", "ortak": "F0002 ortak", "f0001": "", "yedi": "", "f": "F0000 yeni F0002 ortak"} {
					if got := strings.Join(d.found(q, func() {}), " "); got != want {
						t.Errorf("%q finds %q, want %q", q, got, want)
					}
				}
				d.fileSome()
			}
			var stale int
			err := d.Read(context.Background(), d.who, func(v *View) error {
				return v.row("SELECT count(*) FROM words WHERE word = 'yedi'").Scan(&stale)
			})
			if err != nil || stale != 0 {
				t.Errorf("%d words of the old name are left, %v", stale, err)
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
	d.crowd(fileAt + 10)
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
