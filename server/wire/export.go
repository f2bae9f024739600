package wire

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"esnaf/auth"
	"esnaf/store"
	"esnaf/store/trade"
)

// How many rows one read of the store takes: few enough that a long download holds
// no snapshot, and more where the rows are looked up by words, since every read
// gathers anew what the words find.
const (
	rowsAtOnce  = 500
	foundAtOnce = 2000
)

// exportNames are the kinds of files of an export, the default first.
var exportNames = []string{"csv", "xlsx", "ndjson"}

const exportAbout = `All records that the list would show with the same parameters, as a file. It is read on the way, as by a walk with cursor, so changes made meanwhile may or may not be in it; a file that is cut off by an error ends the connection, and so does one that takes longer than two hours.

csv follows RFC 4180: UTF-8, commas, lines end in CRLF, names of the fields first; nested fields stand under both names with a dot between, lists and metadata as JSON in one cell. A text that a spreadsheet might take for a formula - one that begins with = + - @, their full-width forms, a tab or a line end, or has one of those behind a comma or semicolon, blanks, quotation marks and apostrophes between them passed over - gets an apostrophe before it, and one before each such sign inside; an import takes them off again; in JSON such a sign is written as its code (\u003d). Negative numbers, and telephone numbers of a + and 7 to 15 digits with spaces and brackets, stay as they are. Codes keep their leading zeros, but a spreadsheet that opens the file drops them; in xlsx they are texts.

xlsx has numbers as numbers (of more than 15 digits as texts, for Excel would lose some), dates as dates, moments in UTC, and a further sheet after each 1048575 rows; a text of more than 32767 characters is cut and ends in an ellipsis. It is sent when it is complete, so csv is better for very many rows.

ndjson has the records as the list shows them, one a line.`

// Export serves all records of a table as a file, chosen and ordered by the
// parameters of the list.
func Export[T any, P store.Record[T]](path, scope string, t *store.Table[T, P]) Route {
	return NarrowedExport(path, scope, t, nil)
}

// NarrowedExport is Export for records of which a caller may see but some: narrow
// says which, or refuses.
func NarrowedExport[T any, P store.Record[T]](path, scope string, t *store.Table[T, P], narrow func(auth.Principal, *trade.Query) error) Route {
	record := Of[T]()
	paging := func(p Param) bool { return p.Name == "limit" || p.Name == "cursor" || p.Name == "page" }
	params := sync.OnceValue(func() []Param {
		return append(FormatParams(exportNames...), slices.DeleteFunc(tableParams(t, record), paging)...)
	})
	rt := Route{
		Method: http.MethodGet, Path: path, Scope: scope, about: exportAbout, status: http.StatusOK,
		formats: exportNames, params: params,
	}
	rt = rt.named("", "")
	words := rt.segments()
	name := words[len(words)-2]
	rt.Summary = "Export " + strings.ReplaceAll(name, "-", " ")
	rt.serve = func(c *Call, w http.ResponseWriter, r *http.Request) error {
		q, f, err := readExport(r, c.given)
		if err == nil && narrow != nil {
			err = narrow(c.Principal, &q)
		}
		if err != nil {
			return err
		}
		return c.Download(w, r, name, f, record, func(add func([]byte) error) error {
			return c.walk(r, &t.List, q, add)
		})
	}
	return rt
}

// readExport reads the query of an export.
func readExport(r *http.Request, given []argument) (q trade.Query, f Format, err error) {
	named := map[string]string{}
	for _, g := range given {
		named[g.Name] = g.value
		if err = g.read(&q, g.value); err != nil {
			return q, f, err
		}
	}
	err = fitting(&q, "")
	if q.Limit = rowsAtOnce; q.Search != "" {
		q.Limit = foundAtOnce
	}
	if err == nil {
		f, err = FormatOf(r, named, exportNames...)
	}
	return q, f, err
}

// walk calls add with each document of a list. Every page is a read of its own, so
// that none is held while the client takes its time.
func (c *Call) walk(r *http.Request, list *store.ListRules, q trade.Query, add func(doc []byte) error) error {
	var p store.Page
	var docs jsontext.Decoder
	for p.More = true; p.More; q.After = p.Last {
		err := c.DB.Read(r.Context(), c.Who(r), func(v *store.View) (err error) {
			p, err = list.Page(v, q, p.Docs[:0])
			return err
		})
		if err != nil {
			return err
		}
		docs.Reset(io.MultiReader(strings.NewReader("["), bytes.NewReader(p.Docs), strings.NewReader("]")), jsontext.AllowDuplicateNames(true))
		if _, err := docs.ReadToken(); err != nil {
			return err
		}
		for range p.Count {
			doc, err := docs.ReadValue()
			if err != nil {
				return store.Unreadable(err)
			}
			if err := add(doc); err != nil {
				return err
			}
		}
	}
	return nil
}
