package store_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"esnaf/store"
	"esnaf/store/trade"
)

// walk follows a list from page to page by its cursor and returns the ids in the
// order they came.
func walk(t rapid.TB, db *store.DB, who store.Who, rules *store.ListRules, q trade.Query) (ids []string, pages int) {
	t.Helper()
	for more := true; more; pages++ {
		var page store.Page
		err := db.Read(context.Background(), who, func(v *store.View) (err error) {
			page, err = rules.Page(v, q, nil)
			return err
		})
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		var recs []trade.Meta
		if err := json.Unmarshal(fmt.Appendf(nil, "[%s]", page.Docs), &recs); err != nil {
			t.Fatal(err)
		}
		if len(recs) != page.Count || page.Count > q.Limit || page.More && page.Count < q.Limit {
			t.Fatalf("%+v: a page of %d said to be %d, more %v", q, len(recs), page.Count, page.More)
		}
		for _, r := range recs {
			ids = append(ids, r.ID)
		}
		q.After, more = page.Last, page.More
	}
	return ids, pages
}

// listed is what a list can know of a record.
type listed struct {
	meta    trade.Meta
	keys    map[string]string // sort field -> what it is sorted by
	words   []string
	company string
	status  string
	date    trade.Date
}

// expected is a list worked out the plain way, from all records there are.
func expected(all []listed, q trade.Query) []string {
	sort := strings.TrimPrefix(q.Sort, "-")
	if q.UpdatedSince != 0 {
		sort = "updatedAt"
	}
	kept := slices.DeleteFunc(slices.Clone(all), func(r listed) bool {
		m := r.meta
		return !q.IncludeDeleted && m.DeletedAt != 0 ||
			q.CreatedFrom != 0 && m.CreatedAt < q.CreatedFrom || q.CreatedTo != 0 && m.CreatedAt > q.CreatedTo ||
			m.UpdatedAt < q.UpdatedSince || q.CompanyID != "" && r.company != q.CompanyID || q.Status != "" && r.status != q.Status ||
			r.date < q.From || q.To != "" && (r.date == "" || r.date > q.To) || q.Search != "" && !r.answers(q.Search)
	})
	slices.SortFunc(kept, func(a, b listed) int {
		by := cmp.Or(cmp.Compare(a.keys[sort], b.keys[sort]), cmp.Compare(a.meta.ID, b.meta.ID))
		if strings.HasPrefix(q.Sort, "-") && q.UpdatedSince == 0 {
			return -by
		}
		return by
	})
	ids := []string{}
	for _, r := range kept {
		ids = append(ids, r.meta.ID)
	}
	return ids
}

// answers tells whether every word of q begins a word of the record.
func (r *listed) answers(q string) bool {
	asked := trade.Words(trade.Fold(q))
	for _, a := range asked {
		if !slices.ContainsFunc(r.words, func(w string) bool { return strings.HasPrefix(w, a) }) {
			return false
		}
	}
	return len(asked) > 0
}

func metaOf(m trade.Meta, search string) listed {
	return listed{meta: m, words: trade.Words(trade.Fold(search)), keys: map[string]string{"updatedAt": fmt.Sprintf("%020d", m.UpdatedAt)}}
}

// all reads every record of a table as it is stored, deleted ones too.
func all[T any](b *book, who store.Who, table string) (recs []T) {
	b.t.Helper()
	for _, doc := range sqlRows[string](b, "SELECT doc FROM "+table+" WHERE tenant = ?", who.Tenant) {
		var rec T
		if err := json.Unmarshal([]byte(doc), &rec); err != nil {
			b.t.Fatal(err)
		}
		recs = append(recs, rec)
	}
	return recs
}

// someCompanies makes companies with equal names, equal times, changes and
// deletions among them.
func someCompanies(b *book) (rows []listed) {
	for i := range 40 {
		if i%3 == 0 {
			b.clock.Advance(time.Millisecond)
		}
		c := trade.Company{Name: []string{"Çınar Gıda", "Cinar Gida", "Ilgaz", "İlgaz", "Zirve A.Ş."}[i%5], Code: fmt.Sprintf("%c-%d", 'A'+i%4, 40-i)}
		made := b.company(b.who, c)
		if i%4 == 1 {
			c.Name += " Değişti"
			b.write(b.who, func(tx *store.Tx) error { _, err := tx.UpdateCompany(made.ID, store.Any, c); return err })
		}
		if i%6 == 2 {
			b.write(b.who, func(tx *store.Tx) error { return tx.DeleteCompany(made.ID, store.Any) })
		}
	}
	for _, c := range all[trade.Company](b, b.who, "companies") {
		r := metaOf(c.Meta, c.SearchText())
		r.keys["code"], r.keys["name"] = c.Code, trade.SortKey(c.Name)
		rows = append(rows, r)
	}
	return rows
}

// Whatever companies are asked for, in whatever order and size of page: the walk
// finds what the plain way finds, in its order.
func TestListsOfCompaniesAgreeWithThePlainWay(t *testing.T) {
	b := open(t)
	rows := someCompanies(b)
	other := b.tenant("Öbür Ltd.", trade.CompleteVKN("111222333"))
	b.company(other, trade.Company{Name: "Çınar Gıda", Code: "A-1"})
	rapid.Check(t, func(rt *rapid.T) {
		q := trade.Query{
			Limit:          rapid.IntRange(1, 9).Draw(rt, "limit"),
			Sort:           rapid.SampledFrom([]string{"", "createdAt", "-createdAt", "code", "-code", "name", "-name", "updatedAt", "-updatedAt"}).Draw(rt, "sort"),
			IncludeDeleted: rapid.Bool().Draw(rt, "deleted"),
			Search:         rapid.SampledFrom([]string{"", "", "", "cinar", "C", "ilgaz deg", "A", "1", "gıda cinar", "yok", "%"}).Draw(rt, "q"),
			CreatedFrom:    someInstant(rt, b, "createdFrom"), CreatedTo: someInstant(rt, b, "createdTo"), UpdatedSince: someInstant(rt, b, "updatedSince"),
		}
		got, _ := walk(rt, b.DB, b.who, &store.Companies.List, q)
		if diff := gocmp.Diff(expected(rows, q), append([]string{}, got...)); diff != "" {
			rt.Fatalf("%+v (-want +got):\n%s", q, diff)
		}
	})
}

// someInstant is mostly none, otherwise one near the time of the records.
func someInstant(t *rapid.T, b *book, name string) trade.Instant {
	if rapid.IntRange(0, 3).Draw(t, name+" given") != 0 {
		return 0
	}
	return trade.At(b.clock.Now()) - trade.Instant(rapid.IntRange(-1, 15).Draw(t, name))
}

// someInvoices makes drafts and sent invoices of three buyers on three days.
func someInvoices(b *book) (rows []listed, companies []string) {
	for i := range 3 {
		c := buyer()
		c.Name = []string{"Akar İnşaat", "Bulut Yazılım", "Akasya Mobilya"}[i]
		companies = append(companies, b.company(b.who, c).ID)
	}
	for i := range 36 {
		if i%12 == 11 {
			b.clock.Advance(24 * time.Hour)
		}
		v := b.invoice(b.who, draft(companies[i%3]))
		switch i % 4 {
		case 0, 1:
			b.send(b.who, v.ID)
		case 2:
			b.write(b.who, func(tx *store.Tx) error { return tx.DeleteInvoice(v.ID, store.Any) })
		}
	}
	for _, v := range all[trade.Invoice](b, b.who, "invoices") {
		r := metaOf(v.Meta, v.SearchText())
		r.company, r.status, r.date = v.CompanyID, string(v.Status), v.IssueDate
		r.keys["issueDate"], r.keys["number"] = string(v.IssueDate), v.Number
		rows = append(rows, r)
	}
	return rows, companies
}

func TestListsOfInvoicesAgreeWithThePlainWay(t *testing.T) {
	b := open(t)
	rows, companies := someInvoices(b)
	days := []trade.Date{"", "", "", "2026-09-14", "2026-09-15", "2026-09-16", "2026-09-17", "2026-09-18", "2026-09-19"}
	rapid.Check(t, func(rt *rapid.T) {
		q := trade.Query{
			Limit:          rapid.IntRange(1, 9).Draw(rt, "limit"),
			Sort:           rapid.SampledFrom([]string{"", "-createdAt", "issueDate", "-issueDate", "number", "-number", "updatedAt", "-updatedAt"}).Draw(rt, "sort"),
			IncludeDeleted: rapid.Bool().Draw(rt, "deleted"),
			CompanyID:      rapid.SampledFrom(append(companies, "", "", "cmp_none")).Draw(rt, "company"),
			Status:         rapid.SampledFrom([]string{"", "", "DRAFT", "QUEUED", "SENT"}).Draw(rt, "status"),
			From:           rapid.SampledFrom(days).Draw(rt, "from"), To: rapid.SampledFrom(days).Draw(rt, "to"),
			Search:       rapid.SampledFrom([]string{"", "", "", "ak", "EFA", "ear2026", "bulut"}).Draw(rt, "q"),
			UpdatedSince: someInstant(rt, b, "updatedSince"),
		}
		got, _ := walk(rt, b.DB, b.who, &store.Invoices.List, q)
		if diff := gocmp.Diff(expected(rows, q), append([]string{}, got...)); diff != "" {
			rt.Fatalf("%+v (-want +got):\n%s", q, diff)
		}
	})
}
