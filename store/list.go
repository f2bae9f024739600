package store

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"esnaf/store/clock"
	"esnaf/store/trade"
)

// ListRules say what the list of a table can be asked.
type ListRules struct {
	Sorts   map[string]string // field -> column; "" and createdAt are by id
	Company bool              // has company_id
	Status  bool              // has status
	Date    string            // column of the document's own date
	Where   map[string]string // further fields to filter by -> column
	name    string
	prefix  string
	joined  func(v *View, id string, dst []byte) ([]byte, error)
}

// Page is one page of a list: the stored documents, a comma between them. One whose
// documents are large is cut: it has fewer than asked for, and the others are read as the
// page that begins after Last.
type Page struct {
	Docs  []byte
	Count int
	More  bool
	Cut   bool
	Last  []string // sort key and id of the last row, where the next page begins
	Total int      // of all pages; only when a page number was asked for
}

// listQuery is a query being put together. Its text depends only on which
// filters are given, so that each form is prepared once.
type listQuery struct {
	from, where strings.Builder
	args        []any
	name        string // of the table
	id          string // what rows are in the order of: the record's id or the word's
	col         string // sort column besides the id, "" for id order
	desc        bool
}

// Page appends the documents of one page to dst.
func (r *ListRules) Page(v *View, q trade.Query, dst []byte) (p Page, err error) {
	p.Docs = dst
	lq, err := r.build(v, q)
	if err != nil {
		return p, err
	}
	if q.Page > 0 {
		if err := v.row("SELECT count(*) FROM "+lq.from.String()+lq.where.String(), lq.args...).Scan(&p.Total); err != nil {
			return p, err
		}
	}
	if err := p.read(v, lq, q); err != nil || r.joined == nil {
		return p, err
	}
	p.Docs, err = r.join(v, p.Docs, len(dst))
	return p, err
}

// join adds the joined figures to each of the documents that b holds from start on.
func (r *ListRules) join(v *View, b []byte, start int) (out []byte, err error) {
	out = append(make([]byte, 0, len(b)+len(b)/8), b[:start]...)
	for docs := b[start:]; len(docs) > 0; {
		end := valueEnd(docs)
		doc := docs[:end]
		if out, err = r.joined(v, idOf(doc), append(out, doc[:end-1]...)); err != nil {
			return b, err
		}
		out = append(out, '}')
		if docs = docs[end:]; len(docs) > 0 {
			out, docs = append(out, ','), docs[1:]
		}
	}
	return out, nil
}

// pageWeight is how many bytes of documents a page is cut at, once it has as many: they
// are in memory all at once.
const pageWeight = 4 << 20

// read takes up at most q.Limit rows; one row beyond only says that there are more.
func (p *Page) read(v *View, lq *listQuery, q trade.Query) error {
	row := make([]any, 1, 2)
	if lq.col != "" {
		row = row[:2]
	}
	start := len(p.Docs)
	last := start // where the last document begins
	var wrong error
	var key any
	text, args := lq.page(q)
	err := v.each(row, text, args, func() bool {
		full := p.Count == q.Limit
		p.Cut = !full && len(p.Docs)-start >= pageWeight
		if p.More = full || p.Cut; p.More {
			return false
		}
		if p.Count > 0 {
			p.Docs = append(p.Docs, ',')
		}
		last = len(p.Docs)
		p.Docs = append(p.Docs, row[0].(string)...)
		wrong = whole(p.Docs[last:])
		key = row[len(row)-1]
		p.Count++
		return wrong == nil
	})
	if err = cmp.Or(wrong, err); p.Count == 0 || err != nil {
		return err
	}
	p.Last = []string{idOf(p.Docs[last:])}
	if lq.col != "" {
		p.Last = []string{keyText(key), p.Last[0]}
	}
	return err
}

// keyText is a sort key as a cursor holds it; key reads it back.
func keyText(key any) string {
	if n, ok := key.(int64); ok {
		return strconv.FormatInt(n, 10)
	}
	text, _ := key.(string) // or nothing
	return text
}

// idFirst is what every stored document begins with.
const idFirst = `{"id":"`

// idOf is the id of a stored document that is sound.
func idOf(doc []byte) string {
	id := doc[len(idFirst):]
	return string(id[:bytes.IndexByte(id, '"')])
}

func (r *ListRules) build(v *View, q trade.Query) (*listQuery, error) {
	lq := &listQuery{name: r.name, id: "t.id"}
	lq.from.WriteString(r.name + " t")
	lq.where.WriteString(" WHERE t.tenant = ?")
	lq.args = append(lq.args, v.who.Tenant)
	sort := strings.TrimPrefix(q.Sort, "-")
	lq.desc = sort != q.Sort
	lq.col = r.Sorts[sort]
	if q.UpdatedSince != 0 {
		lq.col, lq.desc = "updated_at", false
		lq.and("t.updated_at >= ?", int64(q.UpdatedSince))
	}
	if !q.IncludeDeleted {
		lq.where.WriteString(" AND t.deleted_at IS NULL")
	}
	if q.CompanyID != "" {
		lq.and("t.company_id = ?", q.CompanyID)
	}
	of := "t."
	if q.CompanyID != "" {
		of = "+t." // one company's rows are few: they are not looked for among all of a state
	}
	if q.Status != "" {
		lq.and(of+"status = ?", q.Status)
	}
	if q.Touches != "" {
		lq.and("t.touches = ?", q.Touches)
	}
	for _, field := range slices.Sorted(maps.Keys(q.Where)) {
		lq.and(of+r.Where[field]+" = ?", q.Where[field])
	}
	if q.From != "" {
		lq.and("t."+r.Date+" >= ?", string(q.From))
	}
	if q.To != "" {
		// an invoice without a date yet is in no range
		lq.and("t."+r.Date+" <> '' AND t."+r.Date+" <= ?", string(q.To))
	}
	if q.CreatedFrom != 0 {
		lq.and("t.id >= ?", clock.FirstAt(r.prefix, q.CreatedFrom.Time()))
	}
	if q.CreatedTo != 0 {
		lq.and("t.id < ?", clock.FirstAt(r.prefix, (q.CreatedTo+1).Time()))
	}
	if q.Search != "" {
		return lq, lq.search(v, r.prefix, q.Search)
	}
	return lq, nil
}

func (lq *listQuery) and(cond string, arg any) {
	lq.where.WriteString(" AND " + cond)
	lq.args = append(lq.args, arg)
}

// page is the SQL of one page: a keyset after q.After, or rows skipped for a
// page number.
func (lq *listQuery) page(q trade.Query) (string, []any) {
	dir, beyond := "", " > "
	if lq.desc {
		dir, beyond = " DESC", " < "
	}
	text, order := "SELECT t.doc FROM ", " ORDER BY "+lq.id+dir
	col := "t." + lq.col
	if q.CompanyID != "" {
		col = "+" + col // one company's rows are few: rather sort them than pass by all the others in order
	}
	if lq.col != "" {
		text = "SELECT t.doc, t." + lq.col + " FROM "
		order = " ORDER BY " + col + dir + ", t.id" + dir
	}
	args := lq.args
	after := ""
	switch {
	case len(q.After) == 1:
		after = " AND " + lq.id + beyond + "?"
		args = append(args, q.After[0])
	case len(q.After) == 2:
		after = " AND (" + col + ", t.id)" + beyond + "(?, ?)"
		args = append(args, key(lq.col, q.After[0]), q.After[1])
	}
	text += lq.from.String() + lq.where.String() + after + order + " LIMIT ?"
	args = append(args, q.Limit+1)
	if q.Page > 1 {
		return text + " OFFSET ?", append(args, (q.Page-1)*q.Limit)
	}
	return text, args
}

// key gives a cursor's sort key the type of its column, since SQLite does not
// compare a text with an integer as a number.
func key(col, text string) any {
	switch col {
	case "updated_at", "total":
		n, _ := strconv.ParseInt(text, 10, 64) // the cursor is signed: it is ours
		return n
	}
	return text
}
