package wire

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"esnaf/store"
	"esnaf/store/trade"
)

// The bounds of a list.
const (
	defaultLimit = 50
	maxLimit     = 200
	maxRow       = 10_000 // how deep page numbers lead; cursors have no end
)

// Param is a parameter of the query, as the API description tells it.
type Param struct {
	Name   string
	About  string
	Schema map[string]any // JSON Schema of its value; nil is any text
	// read takes a value into the query of a list, or says why it cannot.
	read func(q *trade.Query, value string) error
}

// listParams are the parameters of the list of a table. searched says whether q
// finds anything; status is the shape of the records' status.
func listParams(rules *store.ListRules, searched bool, status *shape, record *shape) []Param {
	all := []Param{
		limitParam(),
		cursorParam(),
		{"page", "number of the page, from 1; page x limit is at most 10000; not together with cursor", map[string]any{"type": "integer", "minimum": 1, "maximum": maxRow}, readPage},
		sortParam(rules),
	}
	if searched {
		all = append(all, Param{"q", "words, each of which begins a word of the record; Turkish letters match with or without their marks", map[string]any{"type": "string", "minLength": 1, "maxLength": 100}, readSearch})
	}
	moment := map[string]any{"type": "string", "format": "date-time"}
	all = append(all,
		instantParam("updatedSince", "records changed at or after this moment, in the order of updatedAt", moment, func(q *trade.Query) *trade.Instant { return &q.UpdatedSince }),
		instantParam("createdFrom", "records made at or after this moment", moment, func(q *trade.Query) *trade.Instant { return &q.CreatedFrom }),
		instantParam("createdTo", "records made at or before this moment", moment, func(q *trade.Query) *trade.Instant { return &q.CreatedTo }),
		Param{"includeDeleted", "true: deleted records too; they carry deletedAt", map[string]any{"type": "boolean"}, readDeleted},
	)
	if rules.Company {
		all = append(all, Param{"companyId", "records of this company", map[string]any{"type": "string", "pattern": idPattern}, readCompany})
	}
	if rules.Status && status != nil {
		all = append(all, statusParam("records in this state", status.values))
	}
	for _, name := range slices.Sorted(maps.Keys(rules.Where)) {
		all = append(all, whereParam(name, record.field(name).shape))
	}
	if rules.Date != "" {
		day := map[string]any{"type": "string", "format": "date"}
		all = append(all,
			dateParam("from", "documents of this day or later", day, func(q *trade.Query) *trade.Date { return &q.From }),
			dateParam("to", "documents of this day or earlier", day, func(q *trade.Query) *trade.Date { return &q.To }),
		)
	}
	return all
}

func limitParam() Param {
	return Param{"limit", "records per page", map[string]any{"type": "integer", "minimum": 1, "maximum": maxLimit, "default": defaultLimit}, readLimit}
}

func cursorParam() Param {
	return Param{"cursor", "where the page begins: nextCursor of the page before, with everything else but limit unchanged", map[string]any{"type": "string"}, readCursor}
}

// wholeNumber reads a number of digits alone, at most eight of them.
func wholeNumber(s string) (int, bool) {
	if len(s) > 8 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

func readLimit(q *trade.Query, v string) error {
	n, ok := wholeNumber(v)
	if !ok || n < 1 || n > maxLimit {
		return trade.Fail(trade.Malformed, trade.BadLimit)
	}
	q.Limit = n
	return nil
}

func readPage(q *trade.Query, v string) error {
	n, ok := wholeNumber(v)
	if !ok || n < 1 || n > maxRow {
		return Refused("page", trade.Phrase{fmt.Sprintf("it must be a whole number from 1 to %d", maxRow), fmt.Sprintf("1 ile %d arasında bir tam sayı olmalı", maxRow)})
	}
	q.Page = n
	return nil
}

// readCursor only sees that there is one: what it says is read with the whole
// query at hand.
func readCursor(_ *trade.Query, v string) error {
	if v == "" {
		return trade.Fail(trade.Malformed, trade.BadCursor)
	}
	return nil
}

func readSearch(q *trade.Query, v string) error {
	n := utf8.RuneCountInString(v)
	if n < 1 || n > 100 || !utf8.ValidString(v) || strings.ContainsFunc(v, unicode.IsControl) {
		return Refused("q", trade.Phrase{"it must have 1 to 100 characters, no control characters among them", "denetim karakteri içermeyen 1-100 karakter olmalı"})
	}
	q.Search = v
	return nil
}

func readDeleted(q *trade.Query, v string) error {
	q.IncludeDeleted = v == "true"
	if v != "true" && v != "false" {
		return Refused("includeDeleted", trade.Phrase{"it must be true or false", "true ya da false olmalı"})
	}
	return nil
}

// whereParam takes the value of a field: an id, one of a few, or a text as it stands.
func whereParam(name string, of *shape) Param {
	set := func(q *trade.Query, v string) {
		if q.Where == nil {
			q.Where = map[string]string{}
		}
		q.Where[name] = v
	}
	about := "records with this " + name
	if of.values != nil {
		return choiceParam(name, about, of.values, set)
	}
	p := Param{name, about, map[string]any{"type": "string", "minLength": 1, "maxLength": 100}, func(q *trade.Query, v string) error {
		if n := utf8.RuneCountInString(v); n < 1 || n > 100 || !utf8.ValidString(v) || strings.ContainsFunc(v, unicode.IsControl) {
			return Refused(name, trade.Phrase{"it must have 1 to 100 characters, no control characters among them", "denetim karakteri içermeyen 1-100 karakter olmalı"})
		}
		set(q, norm.NFC.String(v)) // as texts are stored
		return nil
	}}
	if strings.HasSuffix(name, "Id") {
		p.Schema = map[string]any{"type": "string", "pattern": idPattern}
		p.read = func(q *trade.Query, v string) error {
			if !IsID(v) {
				return Refused(name, trade.Phrase{"it must be the id of a record", "bir kaydın kimliği olmalı"})
			}
			set(q, v)
			return nil
		}
	}
	return p
}

func readCompany(q *trade.Query, v string) error {
	if !IsID(v) || !strings.HasPrefix(v, "cmp_") {
		return Refused("companyId", trade.Phrase{"it must be the id of a company, cmp_...", "cmp_... biçiminde bir firma kimliği olmalı"})
	}
	q.CompanyID = v
	return nil
}

// sortParam takes createdAt and the fields of rules; createdAt ascending is the
// order without any, that of the ids.
func sortParam(rules *store.ListRules) Param {
	names := []string{"createdAt", "-createdAt"}
	for _, f := range slices.Sorted(maps.Keys(rules.Sorts)) {
		names = append(names, f, "-"+f)
	}
	p := choiceParam("sort", "the order, - before it for descending; equal ones by id", names, func(q *trade.Query, v string) {
		if q.Sort = v; v == "createdAt" {
			q.Sort = ""
		}
	})
	p.Schema["default"] = "createdAt"
	return p
}

func statusParam(about string, values []string) Param {
	return choiceParam("status", about, values, func(q *trade.Query, v string) { q.Status = v })
}

// choiceParam takes one of a few values.
func choiceParam(name, about string, values []string, set func(*trade.Query, string)) Param {
	allowed := strings.Join(values, ", ")
	why := trade.Phrase{"it must be one of " + allowed, "şunlardan biri olmalı: " + allowed}
	return Param{name, about, map[string]any{"type": "string", "enum": values}, func(q *trade.Query, v string) error {
		if !slices.Contains(values, v) {
			return Refused(name, why)
		}
		set(q, v)
		return nil
	}}
}

// instantParam takes a moment. The zero Instant means "not set", so that what
// lies before every record is read as the millisecond after it.
func instantParam(name, about string, schema map[string]any, at func(*trade.Query) *trade.Instant) Param {
	return Param{name, about, schema, func(q *trade.Query, v string) error {
		if at(q).UnmarshalText([]byte(v)) != nil {
			return Refused(name, trade.Phrase{"it must be a time as RFC 3339, such as 2026-03-31T21:30:00Z (write + as %2B)", "RFC 3339 biçiminde bir zaman olmalı, örneğin 2026-03-31T21:30:00Z (+ yerine %2B yazın)"})
		}
		*at(q) = max(*at(q), 1)
		return nil
	}}
}

func dateParam(name, about string, schema map[string]any, at func(*trade.Query) *trade.Date) Param {
	return Param{name, about, schema, func(q *trade.Query, v string) error {
		if at(q).UnmarshalText([]byte(v)) != nil {
			return Refused(name, trade.Phrase{"it must be a date as YYYY-MM-DD, from 1900-01-01 to 2999-12-31", "YYYY-AA-GG biçiminde, 1900-01-01 ile 2999-12-31 arasında bir tarih olmalı"})
		}
		return nil
	}}
}
