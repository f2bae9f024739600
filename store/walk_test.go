package store_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"esnaf/store"
	"esnaf/store/trade"
)

// Acceptance P2: a thousand records of one moment, of one name, are all told
// apart by the cursor.
func TestAWalkOverEqualTimesSeesEveryRowOnce(t *testing.T) {
	b := open(t)
	var made []string
	b.write(b.who, func(tx *store.Tx) error {
		for range 1000 {
			var c trade.Company
			if err := into(&c)(tx.CreateCompany(trade.Company{Name: "Aynı Ad"})); err != nil {
				return err
			}
			made = append(made, c.ID)
		}
		return nil
	})
	slices.Sort(made)
	for _, sort := range []string{"", "-createdAt", "updatedAt", "-updatedAt", "name", "-name"} {
		got, pages := walk(t, b.DB, b.who, &store.Companies.List, trade.Query{Limit: 7, Sort: sort})
		if sort != "" && sort[0] == '-' {
			slices.Reverse(got)
		}
		if !slices.Equal(got, made) || pages != 143 {
			t.Errorf("sort %q: %d ids on %d pages, want the 1000 made on 143", sort, len(got), pages)
		}
	}
	got, _ := walk(t, b.DB, b.who, &store.Companies.List, trade.Query{Limit: 7, UpdatedSince: 1})
	if !slices.Equal(got, made) {
		t.Errorf("updatedSince: %d ids, want the 1000 made", len(got))
	}
}

// Acceptance P3: whoever walks while others add and delete sees each record that
// was there throughout exactly once.
func TestAWalkWhileOthersWrite(t *testing.T) {
	for _, sort := range []string{"", "-createdAt", "name"} {
		t.Run(sort, func(t *testing.T) {
			b := open(t)
			var stay, doomed []string
			b.write(b.who, func(tx *store.Tx) error {
				for i := range 300 {
					var c trade.Company
					if err := into(&c)(tx.CreateCompany(named(i))); err != nil {
						return err
					}
					if i%3 == 0 {
						doomed = append(doomed, c.ID)
					} else {
						stay = append(stay, c.ID)
					}
				}
				return nil
			})
			got := walkAmongWriters(b, sort, doomed)
			count := map[string]int{}
			for _, id := range got {
				if count[id]++; count[id] > 1 {
					t.Errorf("%s came twice", id)
				}
			}
			for _, id := range stay {
				if count[id] != 1 {
					t.Errorf("%s was there throughout and came %d times", id, count[id])
				}
			}
		})
	}
}

// walkAmongWriters walks while one goroutine deletes doomed and another adds 500
// companies; both go a step with each page, so that they are never done before.
func walkAmongWriters(b *book, sort string, doomed []string) (ids []string) {
	steps := make(chan int)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range steps {
			err := b.Write(context.Background(), b.who, func(tx *store.Tx) error {
				if i < len(doomed) {
					if err := tx.DeleteCompany(doomed[i], store.Any); err != nil {
						return err
					}
				}
				for range 10 {
					if _, err := tx.CreateCompany(named(i)); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.t.Error(err)
			}
		}
	}()
	q := trade.Query{Limit: 7, Sort: sort}
	for i := 0; ; i++ {
		if i < 50 {
			steps <- i // the step before is committed, this one runs along
		}
		recs, page := list[trade.Company](b, b.who, &store.Companies.List, q)
		for _, c := range recs {
			ids = append(ids, c.ID)
		}
		if q.After = page.Last; !page.More {
			break
		}
	}
	close(steps)
	<-done
	return ids
}

func TestPagesByNumber(t *testing.T) {
	b := open(t)
	var made []string
	for i := range 23 {
		made = append(made, b.company(b.who, named(i)).ID)
	}
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteCompany(made[22], store.Any) })
	slices.Sort(made[:22])
	for _, test := range []struct {
		about    string
		query    trade.Query
		from, to int // of made
		total    int
		more     bool
	}{
		{"the first page", trade.Query{Page: 1, Limit: 10}, 0, 10, 22, true},
		{"the second page", trade.Query{Page: 2, Limit: 10}, 10, 20, 22, true},
		{"the last page", trade.Query{Page: 3, Limit: 10}, 20, 22, 22, false},
		{"a page that ends with the list", trade.Query{Page: 2, Limit: 11}, 11, 22, 22, false},
		{"beyond the end", trade.Query{Page: 4, Limit: 10}, 0, 0, 22, false},
		{"of what is searched", trade.Query{Page: 1, Limit: 10, Search: "yok"}, 0, 0, 0, false},
		{"of what all have", trade.Query{Page: 3, Limit: 10, Search: "firma"}, 20, 22, 22, false},
		{"a walk does not count", trade.Query{Limit: 22}, 0, 22, 0, false},
	} {
		t.Run(test.about, func(t *testing.T) {
			recs, page := list[trade.Company](b, b.who, &store.Companies.List, test.query)
			var ids []string
			for _, c := range recs {
				ids = append(ids, c.ID)
			}
			if !slices.Equal(ids, made[test.from:test.to]) || page.Total != test.total || page.More != test.more {
				t.Errorf("%d records, total %d, more %v; want %d, %d, %v", len(ids), page.Total, page.More, test.to-test.from, test.total, test.more)
			}
		})
	}
}

// Pages by number repeat or miss nothing while nobody writes, ties or not.
func TestPagesByNumberMakeUpTheWholeList(t *testing.T) {
	b := open(t)
	someCompanies(b)
	for _, sort := range []string{"", "-name", "updatedAt"} {
		whole, _ := walk(t, b.DB, b.who, &store.Companies.List, trade.Query{Limit: 200, Sort: sort})
		var ids []string
		for page := 1; page <= (len(whole)+3)/4; page++ {
			recs, _ := list[trade.Company](b, b.who, &store.Companies.List, trade.Query{Page: page, Limit: 4, Sort: sort})
			for _, c := range recs {
				ids = append(ids, c.ID)
			}
		}
		if !slices.Equal(ids, whole) {
			t.Errorf("sort %q: %d ids by page, %d in the whole list", sort, len(ids), len(whole))
		}
	}
}

// What updatedSince is for: one call tells what was made, changed and deleted.
func TestUpdatedSinceTellsOfDeletions(t *testing.T) {
	b := open(t)
	kept, gone := b.company(b.who, named(1)), b.company(b.who, named(2))
	b.clock.Advance(time.Second)
	since := trade.At(b.clock.Now())
	b.write(b.who, func(tx *store.Tx) error { return tx.DeleteCompany(gone.ID, store.Any) })
	recs, _ := list[trade.Company](b, b.who, &store.Companies.List, trade.Query{UpdatedSince: since, IncludeDeleted: true})
	if len(recs) != 1 || recs[0].ID != gone.ID || recs[0].DeletedAt != since || recs[0].Version != 2 {
		t.Errorf("got %+v, want %s deleted at %s and not %s", recs, gone.ID, since, kept.ID)
	}
	if recs, _ := list[trade.Company](b, b.who, &store.Companies.List, trade.Query{UpdatedSince: since}); len(recs) != 0 {
		t.Errorf("a deleted record came without being asked for")
	}
}

// Names that no list has sort by nothing: none of them reaches SQL.
func TestUnknownSortsReachNothing(t *testing.T) {
	b := open(t)
	someCompanies(b)
	whole, _ := walk(t, b.DB, b.who, &store.Companies.List, trade.Query{Limit: 200})
	for _, sort := range []string{"doc", "tenant", "name_key", "name; DROP TABLE companies", "1", "(SELECT 1)", "code--"} {
		got, _ := walk(t, b.DB, b.who, &store.Companies.List, trade.Query{Limit: 7, Sort: sort})
		if !slices.Equal(got, whole) {
			t.Errorf("sort %q: another list", sort)
		}
	}
}
